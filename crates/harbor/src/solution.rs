//! A task's solution as actions, one a line: its files are written, and its script is run.

use quintain_core::Action;
use serde_json::json;

use crate::task::{HarborRound, HarborTask};
use crate::variables::resolve_variables;

/// Where a solution lies in the sandbox.
const SOLUTION: &str = "/solution";
/// The longest text that is written at once, in characters: somewhat less than worlds take.
const LONGEST_TEXT: usize = 900_000;
/// A file that is no text is written in pieces of so many bytes; as text each is a third longer.
const PIECE_BYTES: usize = 600_000;
/// Longer files are no part of a solution that is played by actions.
const LONGEST_FILE: u64 = 64 << 20;

/// The actions that solve a task; nothing where it has no solution for every step, or one that needs more than the task brings.
pub(crate) fn solution(task: &HarborTask) -> Option<Vec<Action>> {
    let env = resolve_variables(&task.config.solution_env).ok()?;
    let set = env.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
    let settings =
        std::iter::once("DEBIAN_FRONTEND=noninteractive".to_owned()).chain(set).collect::<Vec<_>>().join(" ");
    let mut actions = Vec::new();
    for (idx, round) in task.rounds.iter().enumerate() {
        if idx > 0 {
            actions.push(Action::call("next_step", []));
        }
        actions.extend(of_round(task, round)?);
        let command = format!("chmod +x {SOLUTION}/solve.sh && {settings} {SOLUTION}/solve.sh");
        actions.push(Action::Shell { command });
    }
    actions.push(Action::Done);
    Some(actions)
}

/// What lies in the folder of a round's solution, written file by file.
fn of_round(task: &HarborTask, round: &HarborRound) -> Option<Vec<Action>> {
    let folder = round.solution.as_ref()?;
    let mut actions = Vec::new();
    for (path, file) in task.files_in(folder) {
        let bytes = file.whole(LONGEST_FILE).ok()?;
        let to = format!("{SOLUTION}/{path}");
        match String::from_utf8(bytes) {
            Ok(text) if text.chars().count() <= LONGEST_TEXT => {
                actions.push(Action::call("write_file", [json!(to), json!(text)]));
            }
            Ok(text) => actions.extend(in_pieces(&to, text.as_bytes())),
            Err(error) => actions.extend(in_pieces(&to, error.as_bytes())),
        }
        let can_run = task.executable.contains(&format!("{folder}/{path}"));
        if can_run && path != "solve.sh" {
            actions.push(Action::Shell { command: format!("chmod +x {}", quoted(&to)) });
        }
    }
    Some(actions)
}

/// A file that cannot be written as one text, put together from pieces in base 64.
fn in_pieces(to: &str, bytes: &[u8]) -> Vec<Action> {
    let piece = format!("{SOLUTION}/.piece");
    let start = format!("mkdir -p \"$(dirname {0})\" && : > {0}", quoted(to));
    let join = format!("base64 -d {piece} >> {} && rm {piece}", quoted(to));
    let pieces = bytes.chunks(PIECE_BYTES).flat_map(|bytes| {
        [Action::call("write_file", [json!(piece), json!(base64(bytes))]), Action::Shell { command: join.clone() }]
    });
    [Action::Shell { command: start }].into_iter().chain(pieces).collect()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for three in bytes.chunks(3) {
        let joined = three.iter().enumerate().fold(0_u32, |all, (idx, byte)| all | u32::from(*byte) << (16 - 8 * idx));
        let digit = |idx: usize| char::from(DIGITS[(joined >> (18 - 6 * idx)) as usize & 63]);
        text.extend((0..4).map(|idx| if idx <= three.len() { digit(idx) } else { '=' }));
    }
    text
}

/// A word that the shell takes as it is.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Actions as the lines of a script that is a template and may name places: no text in them is taken for either.
pub(crate) fn lines(actions: &[Action]) -> Result<String, serde_json::Error> {
    let line = |action: &Action| {
        let mut text = serde_json::to_string(action)?;
        // Brackets of JSON are never followed by these, so all that are found stand in texts.
        for (mark, instead) in [("{{", r"\u007b\u007b"), ("{%", r"\u007b%"), ("{#", r"\u007b#"), ("@{", r"@\u007b")] {
            text = text.replace(mark, instead);
        }
        Ok(text + "\n")
    };
    actions.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_base_64() {
        let all = [&b""[..], b"f", b"fo", b"foo", b"foob", b"\x00\xff\xfe"].map(base64);
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "AP/+"]);
    }

    #[test]
    fn lines_say_the_same_and_are_neither_template_nor_place() {
        let text = "{{ x }} {% if %} {# c #} @{node} {{{ \\{ 'it''s' \u{e9}\n";
        let action = Action::call("write_file", [json!("/solution/a"), json!(text)]);
        let line = lines(std::slice::from_ref(&action)).unwrap();
        assert!(!["{{", "{%", "{#", "@{"].iter().any(|mark| line.contains(mark)), "{line}");
        assert_eq!(serde_json::from_str::<Action>(&line).unwrap(), action);
    }
}
