//! Tasks for workers: everything but the files of the reference, which only the judge may see.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quintain_core::task::{ComposeHow, TaskSpec};
use quintain_core::{Digest, FileHandle, FileSet, FileSource, Instance, Reference, Task, TaskId};
use serde::{Deserialize, Serialize};

use super::error::ArchiveError;
use super::manifest::LargeFile;

/// The version of both files.
const VERSION: u32 = 2;

/// The version of those that name no large files: whoever knows nothing of those can read them.
const WITHOUT_LARGE: u32 = 1;

/// What is larger is an object of its own.
const INLINE: u64 = 1 << 20;

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
    input: EncodedFiles,
    #[serde(default, skip_serializing_if = "LargeFiles::is_empty")]
    large_input: LargeFiles,
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
    files: EncodedFiles,
    #[serde(default, skip_serializing_if = "LargeFiles::is_empty")]
    large: LargeFiles,
}

/// Files by path, as base64.
type EncodedFiles = BTreeMap<String, String>;

/// Large files by path.
type LargeFiles = BTreeMap<String, LargeFile>;

/// Tasks as they are archived: without the files of their references.
pub fn public_tasks(tasks: &[Task]) -> Result<Vec<u8>, ArchiveError> {
    let tasks = tasks.iter().map(PublicTask::of).collect::<Result<Vec<_>, _>>()?;
    let v = version(tasks.iter().all(|task| task.large_input.is_empty()));
    Ok(serde_json::to_vec(&PublicTasks { v, tasks }).expect("tasks were read from text and can be written as such"))
}

/// The large files among some.
pub(super) fn large_among(files: &FileSet) -> impl Iterator<Item = (&String, &FileHandle)> {
    files.iter().filter(|(_, file)| file.n_bytes() > INLINE)
}

/// What to fetch of a file that is not here: nothing where it is.
pub fn fetched_apart(file: &FileHandle) -> Option<LargeFile> {
    (file.n_bytes() > INLINE).then(|| named(file))
}

/// Reads tasks that were archived. They play as the originals do; to judge, the reference has to be fetched first. A
/// task whose checks are paired with files of its reference knows the names of those files, and nothing else of them.
pub fn read_tasks(bytes: &[u8]) -> Result<Vec<Task>, ArchiveError> {
    let what = super::paths::TASKS;
    let read: PublicTasks = versioned(what, bytes)?;
    read.tasks.into_iter().map(|task| task.into_task(what)).collect()
}

/// The files of a task's reference as they are archived.
pub(super) fn reference_bytes(task: &Task) -> Result<Vec<u8>, ArchiveError> {
    let (files, large) = (texts(&task.reference)?, large_files(&task.reference));
    let files = ReferenceFiles { v: version(large.is_empty()), files, large };
    Ok(serde_json::to_vec(&files).expect("paths and base64 are text"))
}

/// Reads the files of a reference that was archived. Large ones are known by their hash alone until they are fetched.
pub fn read_reference(bytes: &[u8]) -> Result<FileSet, ArchiveError> {
    let what = "a reference";
    let read: ReferenceFiles = versioned(what, bytes)?;
    files(what, read.files, read.large)
}

/// What the judge compares with, once the files of the reference are there.
pub fn reference_for(instance: &Instance, task: &Task, files: FileSet) -> Reference {
    instance.reference(&Task { reference: files, ..task.clone() })
}

impl PublicTask {
    fn of(task: &Task) -> Result<Self, ArchiveError> {
        let paired = match task.spec.compose.how {
            ComposeHow::PairwiseFiles => task.reference.keys().cloned().collect(),
            _ => Vec::new(),
        };
        Ok(Self {
            id: task.id.clone(),
            digest: task.digest,
            spec: task.spec.clone(),
            instruction: task.instruction.clone(),
            input: texts(&task.input)?,
            large_input: large_files(&task.input),
            oracle: task.oracle.clone(),
            solution: task.solution.clone(),
            paired,
        })
    }

    fn into_task(self, what: &str) -> Result<Task, ArchiveError> {
        Ok(Task {
            id: self.id,
            spec: self.spec,
            instruction: self.instruction,
            digest: self.digest,
            reference: self.paired.into_iter().map(|name| (name, FileHandle::embedded(b""))).collect(),
            input: files(what, self.input, self.large_input)?,
            oracle: self.oracle,
            solution: self.solution,
        })
    }
}

fn versioned<T: for<'a> Deserialize<'a>>(what: &str, bytes: &[u8]) -> Result<T, ArchiveError> {
    #[derive(Deserialize)]
    struct TasksVersion {
        v: u32,
    }
    let TasksVersion { v } = serde_json::from_slice(bytes).map_err(ArchiveError::unreadable(what))?;
    if v > VERSION {
        let why = format!("it is of version {v}, and this program reads up to {VERSION}");
        return Err(ArchiveError::unreadable(what)(why));
    }
    serde_json::from_slice(bytes).map_err(ArchiveError::unreadable(what))
}

fn version(has_no_large: bool) -> u32 {
    if has_no_large { WITHOUT_LARGE } else { VERSION }
}

fn texts(files: &FileSet) -> Result<EncodedFiles, ArchiveError> {
    let small = files.iter().filter(|(_, file)| file.n_bytes() <= INLINE);
    let text = |(path, file): (&String, &FileHandle)| {
        let bytes = file.whole(INLINE).map_err(ArchiveError::unreadable(path))?;
        Ok((path.clone(), STANDARD.encode(bytes)))
    };
    small.map(text).collect()
}

fn large_files(files: &FileSet) -> LargeFiles {
    large_among(files).map(|(path, file)| (path.clone(), named(file))).collect()
}

fn named(file: &FileHandle) -> LargeFile {
    LargeFile { digest: file.digest(), len: file.n_bytes() }
}

fn files(what: &str, texts: EncodedFiles, large: LargeFiles) -> Result<FileSet, ArchiveError> {
    let decoded = |(path, text): (String, String)| Ok((path, STANDARD.decode(text)?.into()));
    let small: Result<FileSet, base64::DecodeError> = texts.into_iter().map(decoded).collect();
    let elsewhere = |file: LargeFile| FileHandle::known(file.digest, file.len, Arc::new(NotFetched));
    let mut files = small.map_err(ArchiveError::unreadable(what))?;
    files.extend(large.into_iter().map(|(path, file)| (path, elsewhere(file))));
    Ok(files)
}

/// Stands for a file that lies in the archive.
#[derive(Debug)]
struct NotFetched;

impl FileSource for NotFetched {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Err(io::Error::other("it lies in the archive and was not fetched"))
    }
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
        let read = read_tasks(&public_tasks(&originals).unwrap()).unwrap();
        assert!(read.len() > 20 && read.len() == originals.len());
        for (original, read) in originals.iter().zip(read) {
            assert!(read.reference.values().all(|file| file.n_bytes() == 0), "{}", read.id);
            let whole = Task { reference: original.reference.clone(), ..read };
            assert_eq!(whole, *original);
            assert_eq!(read_reference(&reference_bytes(original).unwrap()).unwrap(), original.reference);
        }
    }

    #[test]
    fn large_files_are_named_and_only_then_is_another_version_needed() {
        let mut task = embedded().remove(0);
        let has_v1 = |bytes: &[u8]| bytes.starts_with(b"{\"v\":1,");
        assert!(has_v1(&public_tasks(&[task.clone()]).unwrap()) && has_v1(&reference_bytes(&task).unwrap()));
        let large = FileHandle::held(vec![7; INLINE as usize + 1]);
        task.input.insert("scene.blend".to_owned(), large.clone());
        task.reference.insert("wanted.blend".to_owned(), large.clone());
        let bytes = public_tasks(&[task.clone()]).unwrap();
        assert!(bytes.len() < 100_000 && bytes.starts_with(b"{\"v\":2,"));
        assert_eq!(read_tasks(&bytes).unwrap()[0].input, task.input);
        let bytes = reference_bytes(&task).unwrap();
        let read = read_reference(&bytes).unwrap();
        assert!(bytes.len() < 100_000 && read == task.reference);
        assert!(read["wanted.blend"].whole(u64::MAX).unwrap_err().to_string().contains("was not fetched"));
        assert_eq!(fetched_apart(&read["wanted.blend"]), Some(named(&large)));
        assert_eq!(fetched_apart(&FileHandle::embedded(b"small")), None);
    }

    #[test]
    fn nothing_of_a_reference_is_in_what_workers_read() {
        let originals = embedded();
        let text = String::from_utf8(public_tasks(&originals).unwrap()).unwrap();
        for task in originals.iter().filter(|task| !task.canary().is_empty()) {
            assert!(!text.contains(&task.canary()), "{}", task.id);
            assert!(!text.contains(&STANDARD.encode(task.canary())), "{}", task.id);
        }
        assert!(originals.iter().any(|task| !task.canary().is_empty()), "canaries are looked for");
    }
}
