//! A script of KAlgebra's: an expression a line.

use serde_json::{Map, Value, json};

/// What is defined in a script, the last of every name, and all its lines.
pub(super) fn definitions(text: &str) -> Value {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let defined = lines.iter().filter_map(|line| line.split_once(":="));
    let defined: Map<String, Value> =
        defined.map(|(name, formula)| (name.trim().to_owned(), json!(formula.trim()))).collect();
    json!({ "definitions": defined, "lines": lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_read_and_other_lines_are_kept() {
        let read = definitions("k:=6*7\n\n f := x->x^2+1 \nf(3)\nk:=5\n");
        insta::assert_snapshot!(read, @r#"{"definitions":{"f":"x->x^2+1","k":"5"},"lines":["k:=6*7","f := x->x^2+1","f(3)","k:=5"]}"#);
    }
}
