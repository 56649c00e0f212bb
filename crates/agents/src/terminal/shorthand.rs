//! What a person types, spelled out in the published form.

use quintain_core::surface::ActionGroup;
use quintain_core::{Action, Briefing, CallSchema, ObservationPart, Surface};
use serde_json::Value;

use crate::script::STOP;

/// How actions are typed, in a sentence.
pub(super) fn typing(briefing: &Briefing) -> String {
    let Briefing { surface, answer, .. } = briefing;
    let example = if surface.groups.contains(&ActionGroup::Gui) {
        "`click 640 360` or `type some text`".to_owned()
    } else if surface.groups.contains(&ActionGroup::Shell) {
        "`shell ls -l`".to_owned()
    } else {
        surface.calls.first().map_or_else(|| "`stop`".to_owned(), CallSchema::spoken_example)
    };
    let ending = if answer.is_some() {
        "`answer {...}` gives the answer and ends the trial; `give_up WHY` says that it cannot be done."
    } else {
        "`stop` ends the trial and hands in the state as it is; `give_up WHY` says that the task cannot be done."
    };
    format!("Type one action a line, like {example}. {ending}")
}

/// What may be typed where there is a screen: what this task offers, and nothing else.
pub(super) fn screen_help(briefing: &Briefing) -> String {
    let Briefing { surface, answer, .. } = briefing;
    let has_marks = surface.parts.contains(&ObservationPart::Tree) || surface.parts.contains(&ObservationPart::Marks);
    let has_browser = surface.groups.contains(&ActionGroup::Browser);
    let keys: Vec<String> = answer
        .as_ref()
        .and_then(Value::as_object)
        .map_or_else(Vec::new, |fields| fields.keys().map(|key| format!("{key:?}: ...")).collect());
    let mut lines = vec!["Type one action a line:".to_owned()];
    let mut line = |typed: &str, about: &str| lines.push(format!("  {typed:<22}  {about}"));
    line("click 640 360", "right, double, triple, middle, move, press and release are typed alike");
    if has_marks {
        line("click mark 12", "the element with that number");
    }
    line("drag 100 200 300 400", "further points may follow");
    line("scroll 640 360 0 300", "pixels to the right, pixels down");
    line("type some text", "all that follows, as it is; \\n is Enter");
    line("type(\"\\\\noindent\")", "the same in quotes, where \\\\ is one \\");
    line("key ctrl+a", "or Enter, Escape, ArrowLeft ...");
    line("wait 1000", "milliseconds");
    line("zoom 0 0 640 360", "looks closer at what lies between two corners");
    if has_browser {
        line("goto ADDRESS", "opens an address of this application; also: back, forward");
    }
    if surface.groups.contains(&ActionGroup::Shell) {
        line("shell ls -l", "runs a command of one line");
    }
    for call in &surface.calls {
        line(&call.spoken_example(), &call.about);
    }
    if surface.groups.contains(&ActionGroup::Note) {
        line(
            &format!("note {{{}}}", keys.first().map_or("", String::as_str)),
            "writes fields of the answer down; stop hands them in",
        );
    }
    if answer.is_some() {
        line(&format!("answer {{{}}}", keys.join(", ")), "gives the answer and ends the trial");
    }
    line("stop", "ends the trial and hands in the state as it is");
    line("give_up WHY", "ends the trial and says that the task cannot be done");
    lines.join("\n")
}

/// `stop`, `move 0` and `click 640 360` become actions; everything else stays as it is.
pub(super) fn spelled_out(line: &str, surface: &Surface) -> String {
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if surface.calls.iter().any(|call| call.name == name) {
        return format!("{name}({})", with_commas(rest));
    }
    match (name, rest) {
        ("stop", "") => STOP.to_owned(),
        ("give_up", reason) => Action::GiveUp { reason: reason.to_owned() }.to_string(),
        ("shell", rest) if !rest.is_empty() && surface.groups.contains(&ActionGroup::Shell) => {
            Action::Shell { command: rest.to_owned() }.to_string()
        }
        ("answer" | "note", rest) if !rest.is_empty() => format!("{name}({rest})"),
        _ if surface.groups.contains(&ActionGroup::Gui) => gesture(name, rest).unwrap_or_else(|| line.to_owned()),
        _ => line.to_owned(),
    }
}

/// What is said of a line that is no action: how the one is typed with whose name it begins.
pub(super) fn how_to_type(line: &str, surface: &Surface) -> String {
    let name = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).find(|word| !word.is_empty());
    let meant = surface.calls.iter().find(|call| Some(call.name.as_str()) == name);
    meant.map_or_else(
        || "that is no action".to_owned(),
        |call| format!("`{}` is typed like {}", call.name, call.spoken_example()),
    )
}

/// What is typed for a screen, spelled out.
fn gesture(name: &str, rest: &str) -> Option<String> {
    let verb = match name {
        "right" | "double" | "triple" | "middle" => format!("{name}_click"),
        _ => name.to_owned(),
    };
    match name {
        "type" if !rest.is_empty() => Some(Action::Type { text: rest.replace("\\n", "\n") }.to_string()),
        "key" | "goto" if !rest.is_empty() => Some(format!("{name}({})", Value::from(rest))),
        "back" | "forward" | "screenshot" if rest.is_empty() => Some(format!("{name}()")),
        "click" | "right" | "double" | "triple" | "middle" | "move" | "press" | "release" | "drag" | "scroll"
        | "wait" | "zoom" => Some(match rest.strip_prefix("mark ") {
            Some(mark) => format!("{verb}(mark={})", mark.trim()),
            None => format!("{verb}({})", with_commas(rest)),
        }),
        _ => None,
    }
}

/// `1 2` is `1, 2`, and a path is a text; what has brackets, commas or quotes is taken to be spelled out already.
fn with_commas(rest: &str) -> String {
    if rest.contains(['(', '[', ',', '\'', '"']) {
        return rest.to_owned();
    }
    let is_plain = |word: &str| word.parse::<f64>().is_ok() || word.chars().all(char::is_alphanumeric);
    let spelled = |word: &str| if is_plain(word) { word.to_owned() } else { Value::from(word).to_string() };
    rest.split_whitespace().map(spelled).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use quintain_core::ValueType;
    use quintain_core::action::Dialect;

    use super::*;

    #[test]
    fn a_person_at_a_screen_may_type_less() {
        let surface = Surface { groups: [ActionGroup::Gui, ActionGroup::Browser].into(), ..Surface::default() };
        let read = |line: &str| match Dialect::Tolerant.read(&spelled_out(line, &surface), &surface) {
            Ok(action) => format!("{line} => {action}"),
            Err(misread) => format!("{line} => ? {misread}"),
        };
        let lines = [
            "click 640 360",
            "click 640, 360",
            "click mark 12",
            "click(1, 2)",
            "right 1 2",
            "double 1 2",
            "triple 1 2",
            "move 1 2",
            "drag 100 200 300 400",
            "press 1 2",
            "scroll 640 360 0 -300",
            "type some \"quoted\" text, and stop",
            "type stop()",
            "type yes\\n",
            "type(\"two\\nlines\")",
            "key ctrl+a",
            "key \"",
            "wait 1000",
            "goto https://circuit-designer.test/",
            "back",
            "answer {\"voltage\": \"-1.5 V\"}",
            "stop",
            "give_up there is no such menu",
            "give_up",
            "type(\"\\\\noindent\")",
            "click here",
            "stop now",
            "type",
        ];
        insta::assert_snapshot!(lines.map(read).join("\n"), @r#"
        click 640 360 => {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
        click 640, 360 => {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
        click mark 12 => {"do":"click","at":{"mark":12},"button":"left","held":[]}
        click(1, 2) => {"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":[]}
        right 1 2 => {"do":"click","at":{"x":1.0,"y":2.0},"button":"right","held":[]}
        double 1 2 => {"do":"double_click","at":{"x":1.0,"y":2.0},"button":"left"}
        triple 1 2 => {"do":"triple_click","at":{"x":1.0,"y":2.0},"button":"left"}
        move 1 2 => {"do":"move","to":{"x":1.0,"y":2.0}}
        drag 100 200 300 400 => {"do":"drag","path":[{"x":100.0,"y":200.0},{"x":300.0,"y":400.0}],"button":"left"}
        press 1 2 => {"do":"press","at":{"x":1.0,"y":2.0},"button":"left"}
        scroll 640 360 0 -300 => {"do":"scroll","at":{"x":640.0,"y":360.0},"dx":0.0,"dy":-300.0}
        type some "quoted" text, and stop => {"do":"type","text":"some \"quoted\" text, and stop"}
        type stop() => {"do":"type","text":"stop()"}
        type yes\n => {"do":"type","text":"yes\n"}
        type("two\nlines") => {"do":"type","text":"two\nlines"}
        key ctrl+a => {"do":"key","keys":["ctrl","a"]}
        key " => {"do":"key","keys":["\""]}
        wait 1000 => {"do":"wait","ms":1000}
        goto https://circuit-designer.test/ => {"do":"goto","url":"https://circuit-designer.test/"}
        back => {"do":"back"}
        answer {"voltage": "-1.5 V"} => {"do":"answer","value":{"voltage":"-1.5 V"}}
        stop => done
        give_up there is no such menu => {"do":"give_up","reason":"there is no such menu"}
        give_up => {"do":"give_up","reason":""}
        type("\\noindent") => {"do":"type","text":"\\noindent"}
        click here => ? `x` of `click` must be a number, not "here"
        stop now => ? no action found: answer with exactly one action in the published form
        type => ? no action found: answer with exactly one action in the published form
        "#);
    }

    #[test]
    fn a_person_with_a_shell_types_its_commands() {
        let surface = Surface { groups: [ActionGroup::Shell].into(), ..Surface::default() };
        let typed = "shell awk -F, '{ print \"$1\" }' input/a.csv | sort";
        let read = Dialect::Tolerant.read(&spelled_out(typed, &surface), &surface);
        let command = "awk -F, '{ print \"$1\" }' input/a.csv | sort".to_owned();
        assert_eq!(read.ok(), Some(Action::Shell { command }));
    }

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
                CallSchema::plain("read", "").arg("path", ValueType::Text { longest: 99 }, "", "a.txt"),
            ],
            ..Surface::default()
        };
        let read = |line: &str| match Dialect::Tolerant.read(&spelled_out(line, &surface), &surface) {
            Ok(action) => format!("{line} => {action}"),
            Err(misread) => format!("{line} => ? {misread}"),
        };
        let lines = [
            "move 3",
            "('move', 3)",
            "swap [0, 1], [2, 3]",
            "paint red",
            "undo",
            "read input/my-file.csv",
            "stop",
            "stop it",
            "I stop",
        ];
        insta::assert_snapshot!(lines.map(read).join("\n"), @r#"
        move 3 => move(3)
        ('move', 3) => move(3)
        swap [0, 1], [2, 3] => swap([0,1], [2,3])
        paint red => paint("red")
        undo => undo()
        read input/my-file.csv => read("input/my-file.csv")
        stop => done
        stop it => ? no action found: answer with exactly one action in the published form
        I stop => ? no action found: answer with exactly one action in the published form
        "#);
    }
}
