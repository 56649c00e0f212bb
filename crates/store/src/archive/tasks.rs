//! Tasks for workers: everything but the files of the reference, which only the judge may see.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quintain_core::task::{ComposeHow, TaskFiles, TaskSpec};
use quintain_core::{Digest, Instance, Reference, Task, TaskId};
use serde::{Deserialize, Serialize};

use super::error::ArchiveError;

/// The version of both files.
const VERSION: u32 = 1;

/// What `tasks.json` holds.
#[derive(Debug, Serialize, Deserialize)]
struct PublicTasks {
    v: u32,
    tasks: Vec<PublicTask>,
}

/// A task without the files of its reference. The digest is that of the whole folder, reference included, so that
/// verdicts are about the same task wherever they are made.
#[derive(Debug, Serialize, Deserialize)]
struct PublicTask {
    id: TaskId,
    digest: Digest,
    spec: TaskSpec,
    instruction: String,
    #[serde(default)]
    input: Texts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    oracle: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    /// The names of the reference's files, where checks are paired with them before the first trial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    paired: Vec<String>,
}

/// What `references/<suite>/<task>.json` holds.
#[derive(Debug, Serialize, Deserialize)]
struct ReferenceFiles {
    v: u32,
    files: Texts,
}

/// Files by path, as base64.
type Texts = BTreeMap<String, String>;

/// Tasks as they are archived: without the files of their references.
pub fn public_tasks(tasks: &[Task]) -> Vec<u8> {
    let tasks = tasks.iter().map(PublicTask::of).collect();
    serde_json::to_vec(&PublicTasks { v: VERSION, tasks })
        .expect("tasks were read from text and can be written as such")
}

/// Reads tasks that were archived. They play as the originals do; to judge, the reference has to be fetched first. A
/// task whose checks are paired with files of its reference knows the names of those files, and nothing else of them.
pub fn read_tasks(bytes: &[u8]) -> Result<Vec<Task>, ArchiveError> {
    let what = super::paths::TASKS;
    let read: PublicTasks = versioned(what, bytes)?;
    read.tasks.into_iter().map(|task| task.into_task(what)).collect()
}

/// The files of a task's reference as they are archived.
pub(super) fn reference_bytes(task: &Task) -> Vec<u8> {
    let files = ReferenceFiles { v: VERSION, files: texts(&task.reference) };
    serde_json::to_vec(&files).expect("paths and base64 are text")
}

/// Reads the files of a reference that was archived.
pub fn read_reference(bytes: &[u8]) -> Result<TaskFiles, ArchiveError> {
    let what = "a reference";
    let read: ReferenceFiles = versioned(what, bytes)?;
    files(what, read.files)
}

/// What the judge compares with, once the files of the reference are there.
pub fn reference_for(instance: &Instance, task: &Task, files: TaskFiles) -> Reference {
    instance.reference(&Task { reference: files, ..task.clone() })
}

impl PublicTask {
    fn of(task: &Task) -> Self {
        let paired = match task.spec.compose.how {
            ComposeHow::PairwiseFiles => task.reference.keys().cloned().collect(),
            _ => Vec::new(),
        };
        Self {
            id: task.id.clone(),
            digest: task.digest,
            spec: task.spec.clone(),
            instruction: task.instruction.clone(),
            input: texts(&task.input),
            oracle: task.oracle.clone(),
            solution: task.solution.clone(),
            paired,
        }
    }

    fn into_task(self, what: &str) -> Result<Task, ArchiveError> {
        Ok(Task {
            id: self.id,
            spec: self.spec,
            instruction: self.instruction,
            digest: self.digest,
            reference: self.paired.into_iter().map(|name| (name, Vec::new())).collect(),
            input: files(what, self.input)?,
            oracle: self.oracle,
            solution: self.solution,
        })
    }
}

fn versioned<T: for<'a> Deserialize<'a>>(what: &str, bytes: &[u8]) -> Result<T, ArchiveError> {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    let Version { v } = serde_json::from_slice(bytes).map_err(ArchiveError::unreadable(what))?;
    if v > VERSION {
        let why = format!("it is of version {v}, and this program reads up to {VERSION}");
        return Err(ArchiveError::unreadable(what)(why));
    }
    serde_json::from_slice(bytes).map_err(ArchiveError::unreadable(what))
}

fn texts(files: &TaskFiles) -> Texts {
    files.iter().map(|(path, bytes)| (path.clone(), STANDARD.encode(bytes))).collect()
}

fn files(what: &str, texts: Texts) -> Result<TaskFiles, ArchiveError> {
    let decoded = |(path, text): (String, String)| Ok((path, STANDARD.decode(text)?));
    texts.into_iter().map(decoded).collect::<Result<_, base64::DecodeError>>().map_err(ArchiveError::unreadable(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Suites;

    fn embedded() -> Vec<Task> {
        let suites = Suites::embedded();
        suites.names().unwrap().iter().flat_map(|suite| suites.tasks(suite).unwrap()).collect()
    }

    #[test]
    fn a_task_comes_back_but_for_its_reference() {
        let originals = embedded();
        let read = read_tasks(&public_tasks(&originals)).unwrap();
        assert!(read.len() > 20 && read.len() == originals.len());
        for (original, read) in originals.iter().zip(read) {
            assert!(read.reference.values().all(Vec::is_empty), "{}", read.id);
            let whole = Task { reference: original.reference.clone(), ..read };
            assert_eq!(whole, *original);
            assert_eq!(read_reference(&reference_bytes(original)).unwrap(), original.reference);
        }
    }

    #[test]
    fn nothing_of_a_reference_is_in_what_workers_read() {
        let originals = embedded();
        let text = String::from_utf8(public_tasks(&originals)).unwrap();
        for task in originals.iter().filter(|task| !task.canary().is_empty()) {
            assert!(!text.contains(&task.canary()), "{}", task.id);
            assert!(!text.contains(&STANDARD.encode(task.canary())), "{}", task.id);
        }
        assert!(originals.iter().any(|task| !task.canary().is_empty()), "canaries are looked for");
    }
}
