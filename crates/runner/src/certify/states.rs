//! End states that people thought of: whether a task's judge accepts the right ones and refuses the wrong ones.

use quintain_core::{Evidence, FileSet, InstanceId, Pick, Task, suggest};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CertificateSubject;
use super::file_twists::with_files;
use super::twists::score;

/// An end state of an instance, and whether it is right by the words of the instruction.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimedState {
    /// Its name, one of its kind in its file.
    pub name: String,
    /// Whether it is right or wrong.
    pub is: Claim,
    /// Why, by the words of the instruction.
    pub why: String,
    /// The instance's preset, where the task has presets.
    #[serde(default)]
    pub preset: Option<String>,
    /// The instance's seed; the canonical values where there is none.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The document that was left, where the world keeps one.
    #[serde(default)]
    pub document: Option<Value>,
    /// The folder with the files that were left, beside the file that tells of it.
    #[serde(default)]
    pub files: Option<String>,
    /// The answer, where the task asks for one.
    #[serde(default)]
    pub answer: Option<Value>,
}

/// What somebody says of an end state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// It has to be accepted.
    Right,
    /// It has to be refused.
    Wrong,
}

/// What a judge made of an end state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgedState {
    /// The instance.
    pub instance: InstanceId,
    /// The state's name.
    pub name: String,
    /// What was said of it.
    pub is: Claim,
    /// Why.
    pub why: String,
    /// Whether the judge accepts it.
    pub accepted: bool,
}

impl JudgedState {
    /// Whether the judge says otherwise.
    pub fn is_disputed(&self) -> bool {
        self.accepted != (self.is == Claim::Right)
    }
}

/// Has a task's judge look at an end state, with the files that were left in it. `document` is the name that its world
/// gives the document.
pub fn judge_state(
    subject: CertificateSubject<'_>,
    document: &str,
    (state, files): (ClaimedState, &FileSet),
) -> Result<JudgedState, String> {
    let pick = Pick { preset: known_preset(subject.task, state.preset)?, seed: state.seed, ..Pick::default() };
    let instance = subject.world.instantiate(subject.task, &pick).map_err(|error| error.to_string())?;
    let documents = state.document.map(|left| (document.to_owned(), left)).into_iter().collect();
    let (evidence, left) = with_files(Evidence { documents, answer: state.answer, ..Evidence::default() }, files);
    let score = score(subject, &evidence, &left, &instance.reference(subject.task));
    let accepted = score.map_err(|why| format!("`{}` breaks the judge: {why}", state.name))?.is_full();
    Ok(JudgedState { instance: instance.id, name: state.name, is: state.is, why: state.why, accepted })
}

/// The preset that is named, if the task has it.
fn known_preset(task: &Task, named: Option<String>) -> Result<Option<String>, String> {
    match named {
        Some(name) if !task.spec.presets.contains_key(&name) => {
            let hint = suggest::hint(&name, task.spec.presets.keys().map(String::as_str));
            Err(format!("there is no preset `{name}`; {hint}"))
        }
        named => Ok(named),
    }
}
