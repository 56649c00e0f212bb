//! A Harbor task as the folder of a task of ours.

mod declaration;

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::template::fill_text;
use quintain_core::{Digest, FileSet, TaskId};
use serde_json::Value;

use crate::solution;
use crate::task::{HarborTask, INSTRUCTION_FILE, TASK_FILE};

/// Where the files of a Harbor task lie in the folders of a task of ours.
pub(crate) const HARBOR_FOLDER: &str = "harbor";
/// The key of the metadata that lists the files which can be run: a set of files does not tell.
const EXECUTABLE: &str = "executable";

/// Why a task cannot be made into one of ours.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// No name.
    #[error(transparent)]
    Name(#[from] quintain_core::task::NotATaskId),
    /// A declaration that cannot be written.
    #[error("the declaration of `{name}` cannot be written as TOML: {source}")]
    Declaration {
        /// The task.
        name: String,
        /// What is wrong.
        source: toml::ser::Error,
    },
    /// A solution that cannot be written.
    #[error("the solution of `{name}` cannot be written down: {source}")]
    Solution {
        /// The task.
        name: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// An instruction that does not come out as it went in.
    #[error("the instruction of `{name}` cannot be kept word for word: {why}")]
    Instruction {
        /// The task.
        name: String,
        /// What comes out instead.
        why: String,
    },
}

/// The files of the folder of a task of ours, by their paths from it. `input/harbor` is what the world builds and shows,
/// `reference/harbor` the whole task, which only the judge may read.
pub fn into_suite(suite: &str, task: &HarborTask) -> Result<FileSet, ImportError> {
    let id: TaskId = format!("{suite}/{}", plain_name(&task.name)).parse()?;
    let name = || task.name.clone();
    let actions = solution::solution(task);
    let declared = declaration::declaration(&id, task, actions.as_ref().map_or(0, Vec::len))
        .map_err(|source| ImportError::Declaration { name: name(), source })?;
    let mut files: FileSet = [
        (TASK_FILE.to_owned(), declared.into_bytes().into()),
        (INSTRUCTION_FILE.to_owned(), instruction(task)?.into_bytes().into()),
        ("reference/canary.txt".to_owned(), canary(task).into_bytes().into()),
    ]
    .into();
    if let Some(actions) = actions {
        let lines = solution::lines(&actions).map_err(|source| ImportError::Solution { name: name(), source })?;
        files.insert("oracle.txt".to_owned(), lines.into_bytes().into());
    }
    for (path, file) in &task.files {
        files.insert(format!("reference/{HARBOR_FOLDER}/{path}"), file.clone());
        if is_for_world(path) {
            files.insert(format!("input/{HARBOR_FOLDER}/{path}"), file.clone());
        }
    }
    Ok(files)
}

/// Of the files under `input/` or `reference/` of a task of ours those of its Harbor task, by their paths in that.
pub fn harbor_files(files: &FileSet) -> FileSet {
    let of_harbor = |path: &String| path.strip_prefix(HARBOR_FOLDER)?.strip_prefix('/').map(str::to_owned);
    files.iter().filter_map(|(path, file)| Some((of_harbor(path)?, file.clone()))).collect()
}

/// The paths of the files of a Harbor task that can be run, as the metadata of a task of ours keeps them.
pub fn executable_files(metadata: &BTreeMap<String, Value>) -> BTreeSet<String> {
    let listed = metadata.get(HARBOR_FOLDER).and_then(|kept| kept.get(EXECUTABLE)).and_then(Value::as_array);
    listed.into_iter().flatten().filter_map(|path| path.as_str().map(str::to_owned)).collect()
}

/// A name in lower-case letters, digits and hyphens.
pub fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let words: String = name.chars().map(plain).collect();
    let joined = words.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    if joined.is_empty() { "task".to_owned() } else { joined }
}

/// Whether a world needs a file before the agent has stopped: what the sandbox is built from, what each step says, and the files
/// that it puts there.
fn is_for_world(path: &str) -> bool {
    let of_step = path.strip_prefix("steps/").and_then(|rest| rest.split_once('/')).map(|(_, rest)| rest);
    let is_of_step = of_step.is_some_and(|rest| rest == INSTRUCTION_FILE || rest.starts_with("workdir/"));
    [TASK_FILE, INSTRUCTION_FILE].contains(&path) || path.starts_with("environment/") || is_of_step
}

/// What the agent reads first, as a template that comes out word for word.
fn instruction(task: &HarborTask) -> Result<String, ImportError> {
    let text = task.rounds.first().map_or("", |round| round.instruction.as_str());
    let template = as_template(text);
    let wrong = |why: String| ImportError::Instruction { name: task.name.clone(), why };
    let filled = fill_text(&template, &BTreeMap::new()).map_err(wrong)?;
    if filled == text { Ok(template) } else { Err(wrong("a template changes it".to_owned())) }
}

/// A template that gives a text. What would open a place is written as a place that gives it, and a template loses its last
/// line's end.
fn as_template(text: &str) -> String {
    let mut template = text.to_owned();
    for mark in ["{{", "{%", "{#"] {
        template = template.replace(mark, &format!("{OPENED}{mark}{CLOSED}"));
    }
    template = template.replace(OPENED, "{{ \"").replace(CLOSED, "\" }}");
    match template.chars().next_back() {
        Some('\n') => template + "\n",
        Some('\r') => template + "\r\n",
        _ => template,
    }
}

/// Stand for the brackets of a place while others are looked for: characters that no text may hold.
const OPENED: &str = "\u{fdd0}";
const CLOSED: &str = "\u{fdd1}";

/// A text that stands nowhere else.
fn canary(task: &HarborTask) -> String {
    let digests: Vec<(&str, String)> =
        task.files.iter().map(|(path, file)| (path.as_str(), file.digest().to_string())).collect();
    let parts = digests.iter().map(|(path, digest)| (*path, digest.as_bytes()));
    format!("quintain-canary-{}\n", &Digest::of_parts(parts).to_string()[..32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_out_of_its_template_word_for_word() {
        let texts = [
            "plain\n",
            "no end",
            "two\n\n",
            "",
            "\n",
            "print {{ x }} and {% raw %} and {# note #}\n",
            "{{{% }} {{\"{{\"}}",
            "{%- endraw -%}\r\n",
            "a\r",
            "{{",
            "{ { } }",
        ];
        for text in texts {
            assert_eq!(fill_text(&as_template(text), &BTreeMap::new()).as_deref(), Ok(text), "{text:?}");
        }
    }

    #[test]
    fn names_are_plain() {
        let names = ["Fix_the.Clock", "--a--", "Zähler", "???", "a1-b2"].map(plain_name);
        assert_eq!(names, ["fix-the-clock", "a", "z-hler", "task", "a1-b2"]);
    }
}
