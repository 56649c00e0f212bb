//! Text made safe for a place in HTML, and the page's skeleton filled in.

use serde::Serialize;

/// A text as HTML text or as the value of a quoted attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// A value as JSON that can stand in a script element: without `<` nothing in it can end the element.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("maps with text keys and finite numbers serialise").replace('<', "\\u003c")
}

/// Fills `{{name}}` places, in one pass: what is filled in is never read as a place itself.
pub(crate) fn fill(skeleton: &str, values: &[(&str, &str)]) -> String {
    let mut pieces = skeleton.split("{{");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").expect("the skeleton closes its places");
        let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        filled.push_str(value.expect("the skeleton names only values that are given"));
        filled.push_str(rest);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_place() {
        assert_eq!(escape("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
        assert_eq!(json(&"</script>"), "\"\\u003c/script>\"");
        assert_eq!(fill("{{a}}-{{b}}", &[("a", "{{b}}"), ("b", "2")]), "{{b}}-2");
    }
}
