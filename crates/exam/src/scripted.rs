//! Solutions that are a script.

use quintain_core::Action;
use serde_json::json;

/// Looks at what there is, writes a script and runs it.
pub(crate) fn scripted(look: &str, (name, script): (&str, &str), run: String) -> Vec<Action> {
    vec![
        Action::Shell { command: look.to_owned() },
        Action::call("write_file", [json!(name), json!(script)]),
        Action::Shell { command: run },
    ]
}
