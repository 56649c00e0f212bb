//! What a person types, spelled out in the published form.

use quintain_core::Surface;

use crate::script::STOP;

/// `stop` and `move 0` become actions; everything else stays as it is.
pub(super) fn spelled_out(line: &str, surface: &Surface) -> String {
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is_call = surface.calls.iter().any(|call| call.name == name);
    match rest.trim() {
        "" if name == "stop" && !is_call => STOP.to_owned(),
        _ if !is_call => line.to_owned(),
        rest => format!("{name}({})", with_commas(rest)),
    }
}

/// `1 2` is `1, 2`; what has brackets, commas or quotes is taken to be spelled out already.
fn with_commas(rest: &str) -> String {
    if rest.contains(['(', '[', ',', '\'', '"']) {
        return rest.to_owned();
    }
    rest.split_whitespace().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use quintain_core::action::Dialect;
    use quintain_core::{CallSchema, ValueType};

    use super::*;

    #[test]
    fn a_person_may_type_less() {
        let number = || ValueType::Integer { min: 0, max: 9 };
        let pair = ValueType::List { of: Box::new(number()), len: 2 };
        let surface = Surface {
            calls: vec![
                CallSchema::plain("move", "").arg("where", number(), "", 0),
                CallSchema::plain("swap", "").arg("a", pair.clone(), "", [0, 0]).arg("b", pair, "", [0, 1]),
                CallSchema::plain("paint", "").arg("hue", ValueType::Choice { of: vec!["red".to_owned()] }, "", "red"),
                CallSchema::plain("undo", ""),
            ],
            ..Surface::default()
        };
        let read = |line: &str| match Dialect::Tolerant.read(&spelled_out(line, &surface), &surface) {
            Ok(action) => format!("{line} => {action}"),
            Err(misread) => format!("{line} => ? {misread}"),
        };
        let lines = ["move 3", "('move', 3)", "swap [0, 1], [2, 3]", "paint red", "undo", "stop", "stop it", "I stop"];
        insta::assert_snapshot!(lines.map(read).join("\n"), @r#"
        move 3 => move(3)
        ('move', 3) => move(3)
        swap [0, 1], [2, 3] => swap([0,1], [2,3])
        paint red => paint("red")
        undo => undo()
        stop => done
        stop it => ? no action found: answer with exactly one action in the published form
        I stop => ? no action found: answer with exactly one action in the published form
        "#);
    }
}
