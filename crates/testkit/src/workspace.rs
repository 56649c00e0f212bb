//! A world that is a folder: it begins with the task's inputs, and what lies under `out/` at the end was left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use quintain_core::files::is_safe_name;
use quintain_core::instance::render;
use quintain_core::surface::ActionGroup;
use quintain_core::task::TaskFiles;
use quintain_core::world::{Collected, OracleStyle};
use quintain_core::{
    Action, Agent, Call, CallSchema, Digest, Evidence, FileSource, Instance, InstanceId, Observation, ObservationPart,
    OpenContext, Pick, Surface, Task, ValueType, World, WorldError, WorldKind, WorldSupport, trajectory::Feedback,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agents::Fixed;

/// One mebibyte.
const MEBIBYTE: usize = 1 << 20;

/// The kind of world in which files are copied and made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Workspace;

/// The folder of a task `test/<name>` that asks for the input `notes.txt` as `out/report.txt`, and for `out/large.bin`
/// of so many mebibytes. Its reference holds the report.
pub fn workspace_files(name: &str, mebibytes: u32) -> TaskFiles {
    let toml = format!(
        r#"
[task]
id = "test/{name}"
title = "Deliver"
version = 1
difficulty = "easy"

[world]
kind = "workspace"
app = "folder"
observe = ["text", "feedback"]
act = ["call"]

[parameters.mebibytes]
value = {mebibytes}

[result]
kind = "files"

[limits]
steps = 20

[[derive]]
name = "facts"
kind = "file-facts"

[[checks]]
name = "report"
kind = "file"
options = {{ file = "report.txt", left_as = "out/report.txt" }}

[[checks]]
name = "large"
kind = "exact"
selector = "derived/facts/large"
expect = "{{{{ mebibytes }}}}"
"#
    );
    let instruction = "Copy notes.txt to out/report.txt, and fill out/large.bin with {{ mebibytes }} MiB.";
    [
        ("task.toml", toml.as_bytes()),
        ("instruction.md", instruction.as_bytes()),
        ("input/notes.txt", b"what was noted\n"),
        ("reference/report.txt", b"what was noted\n"),
        ("reference/canary.txt", b"quintain-canary-0123456789abcdef"),
    ]
    .map(|(path, bytes)| (path.to_owned(), bytes.to_vec()))
    .into()
}

/// The task of [`workspace_files`].
pub fn workspace_task(name: &str, mebibytes: u32) -> Task {
    Task::from_files("test", &workspace_files(name, mebibytes)).expect("the task is sound")
}

impl WorldKind for Workspace {
    fn kind(&self) -> &'static str {
        "workspace"
    }

    fn digest(&self, _task: &Task) -> Digest {
        Digest::of(b"workspace 1")
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn supports(&self, _task: &Task) -> WorldSupport {
        WorldSupport { inputs: true, file_results: true, ..WorldSupport::default() }
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let parameters = task.parameters(pick);
        let inputs: BTreeMap<&String, String> =
            task.input.iter().map(|(name, file)| (name, file.digest().to_string())).collect();
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render(task, &parameters).map_err(WorldError::setup)?,
            start: json!({ "inputs": inputs }),
            parameters,
            secrets: Vec::new(),
            source: None,
        })
    }

    fn open(&self, _instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        Ok(Box::new(Desk { folder: Arc::new(tempfile::tempdir().map_err(broke)?), inputs: Vec::new() }))
    }

    fn open_with(&self, _instance: &Instance, given: &OpenContext<'_>) -> Result<Box<dyn World + Send>, WorldError> {
        let folder = tempfile::tempdir().map_err(broke)?;
        for (name, file) in given.inputs {
            let mut to = created(folder.path(), name).map_err(broke)?;
            file.copy_to(&mut to).map_err(|error| WorldError::setup(format!("input/{name}: {error}")))?;
        }
        Ok(Box::new(Desk { folder: Arc::new(folder), inputs: given.inputs.keys().cloned().collect() }))
    }

    fn oracle(&self, instance: &Instance, _style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        let fill = format!("('fill', 'large.bin', {})", instance.parameters["mebibytes"]);
        Ok(Box::new(Fixed::saying(["('copy', 'notes.txt', 'report.txt')", &fill])))
    }
}

/// The folder. It lies there for as long as the world or one of its files is held.
struct Desk {
    folder: Arc<TempDir>,
    inputs: Vec<String>,
}

impl Desk {
    fn carry_out(&self, call: &Call) -> io::Result<String> {
        let text = |idx: usize| call.args.get(idx).and_then(Value::as_str).unwrap_or_default().to_owned();
        if call.name == "copy" {
            let mut to = created(self.folder.path(), &format!("out/{}", text(1)))?;
            io::copy(&mut File::open(self.folder.path().join(text(0)))?, &mut to)?;
            return Ok("copied".to_owned());
        }
        let n_mebibytes = call.args.get(1).and_then(Value::as_u64).unwrap_or(0);
        fill(&mut created(self.folder.path(), &format!("out/{}", text(0)))?, n_mebibytes)?;
        Ok(format!("{n_mebibytes} MiB are written"))
    }

    fn left(&self) -> io::Result<BTreeMap<String, Arc<dyn FileSource>>> {
        let out = self.folder.path().join("out");
        let mut left = BTreeMap::new();
        for entry in out.is_dir().then(|| fs::read_dir(&out)).transpose()?.into_iter().flatten() {
            let entry = entry?;
            let name = format!("out/{}", entry.file_name().to_string_lossy());
            let file = DeskFile { path: entry.path(), _folder: Arc::clone(&self.folder) };
            left.insert(name, Arc::new(file) as Arc<dyn FileSource>);
        }
        Ok(left)
    }
}

impl World for Desk {
    fn surface(&self) -> Surface {
        let choice = |of: &[&str]| ValueType::Choice { of: of.iter().map(ToString::to_string).collect() };
        let inputs: Vec<&str> = self.inputs.iter().map(String::as_str).collect();
        let left = choice(&["report.txt", "large.bin"]);
        let size = ValueType::Integer { min: 0, max: 1 << 20 };
        Surface {
            calls: vec![
                CallSchema::plain("copy", "Copies an input to out/.")
                    .arg("from", choice(&inputs), "which", "notes.txt")
                    .arg("to", left.clone(), "its name in out/", "report.txt"),
                CallSchema::plain("fill", "Makes a file in out/.")
                    .arg("name", left, "its name in out/", "large.bin")
                    .arg("mebibytes", size, "how large", 1),
            ],
            parts: [ObservationPart::Text].into(),
            groups: [ActionGroup::Call].into(),
            screen: None,
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let names: Vec<String> = self.left().map_err(broke)?.into_keys().collect();
        let (shown, text) = (Observation::default(), format!("left so far: {}", names.join(", ")));
        Ok(if wanted.contains(&ObservationPart::Text) { shown.with_text(ObservationPart::Text, text) } else { shown })
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        let Action::Call(call) = action else {
            return Ok(Feedback::refused("only calls are understood"));
        };
        self.carry_out(call).map(Feedback::changed).map_err(broke)
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        let names: Vec<String> = self.left().map_err(broke)?.into_keys().collect();
        Ok(Evidence::document("folder", json!(names)))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        Ok(Collected { evidence: self.snapshot(within)?, screen: None, files: self.left().map_err(broke)? })
    }
}

/// A file of the folder.
#[derive(Debug)]
struct DeskFile {
    path: PathBuf,
    _folder: Arc<TempDir>,
}

impl FileSource for DeskFile {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(File::open(&self.path)?))
    }

    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }
}

/// A new file in a folder, which it cannot leave.
fn created(folder: &Path, name: &str) -> io::Result<File> {
    if !is_safe_name(name) {
        return Err(io::Error::other(format!("`{name}` leads out of the folder")));
    }
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    File::create(path)
}

/// Writes so many mebibytes, no two of them alike.
fn fill(to: &mut File, n_mebibytes: u64) -> io::Result<()> {
    let mut block: Vec<u8> = (0..MEBIBYTE).map(|place| (place / 7) as u8).collect();
    for idx in 0..n_mebibytes {
        block[..8].copy_from_slice(&idx.to_le_bytes());
        to.write_all(&block)?;
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn broke(error: io::Error) -> WorldError {
    WorldError::world(error.to_string())
}
