//! Test scripts that install their own tools.
//!
//! Judging has no network. One way of installing tools is known, because most sets use it: `uv`, fetched on the spot, which fetches
//! `pytest`. Such scripts are rewritten to the `pytest` that is there. Whatever else fetches cannot be judged.

mod commands;
mod fetches;
mod uv;

use serde::Serialize;

use commands::{ShellCommand, scan};
use fetches::fetched_by;
use uv::{UvCall, is_installer, uv_call};

/// A test script that needs no network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfflineScript {
    /// The script.
    pub text: String,
    /// What was changed, a phrase each; nothing where it is as it was.
    pub changes: Vec<String>,
}

/// A test script as it can be run without a network, or why it cannot, a phrase for each thing.
pub fn offline_test_script(script: &str) -> Result<OfflineScript, Vec<String>> {
    let lines = scan(script);
    let has_venv = lines.iter().flat_map(|line| &line.commands).any(|command| command.starts(&["uv", "venv"]));
    let mut made = Rewriting { script, text: String::new(), copied: 0, changes: Vec::new(), reasons: Vec::new() };
    for line in &lines {
        let only_installs = line.commands.iter().all(|command| is_installer(command, has_venv));
        if only_installs && !line.commands.iter().all(ShellCommand::is_bare_shell) {
            // A colon does nothing, and keeps an `if` around it well formed.
            made.replace(line.start, line.end, ":");
            made.changes.push(format!("`{}` is left out", brief(&script[line.start..line.end])));
        } else {
            line.commands.iter().for_each(|command| made.look_at(command));
        }
    }
    made.finish()
}

struct Rewriting<'a> {
    script: &'a str,
    text: String,
    /// Up to where the script is in the text.
    copied: usize,
    changes: Vec<String>,
    reasons: Vec<String>,
}

impl Rewriting<'_> {
    fn look_at(&mut self, command: &ShellCommand) {
        match uv_call(command) {
            Some(Ok(call)) => self.rewrite(command, &call),
            Some(Err(why)) => self.reasons.push(why),
            None => self.reasons.extend(fetched_by(command)),
        }
    }

    fn rewrite(&mut self, command: &ShellCommand, call: &UvCall) {
        let words = &command.words;
        self.replace(words[call.first_idx].start, words[call.last_idx].end, "python3 -m pytest");
        for dropped in &call.dropped {
            self.replace(words[*dropped.start()].start, words[*dropped.end()].end, "");
        }
        let told = if call.packages.is_empty() { "pytest".to_owned() } else { call.packages.join(", ") };
        self.changes.push(format!("`{}` with {told} is the sandbox's own pytest", words[call.first_idx].text));
    }

    fn replace(&mut self, start: usize, end: usize, by: &str) {
        self.text.push_str(&self.script[self.copied..start]);
        self.text.push_str(by);
        self.copied = end;
    }

    fn finish(mut self) -> Result<OfflineScript, Vec<String>> {
        self.text.push_str(&self.script[self.copied..]);
        self.reasons.dedup();
        if self.reasons.is_empty() {
            Ok(OfflineScript { text: self.text, changes: self.changes })
        } else {
            Err(self.reasons)
        }
    }
}

/// A piece of a script in a line, cut where it is long.
fn brief(piece: &str) -> String {
    const LONGEST: usize = 70;
    let line = piece.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} …", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
