//! The shape of `task.toml`.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::generator::Generator;
use crate::limits::Limits;
use crate::observation::ObservationPart;
use crate::surface::ActionGroup;

/// What `task.toml` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskSpec {
    /// Identity.
    pub task: TaskHead,
    /// Where it takes place.
    pub world: WorldSpec,
    /// What may differ between instances.
    #[serde(default)]
    pub parameters: BTreeMap<String, Parameter>,
    /// Named choices of parameters.
    #[serde(default)]
    pub presets: BTreeMap<String, Preset>,
    /// What counts as the result.
    #[serde(default)]
    pub result: ResultSpec,
    /// What a trial may use up.
    pub limits: Limits,
    /// What a blind guess scores.
    #[serde(default)]
    pub chance: ChanceSpec,
    /// How the end state is judged.
    #[serde(default)]
    pub checks: Vec<CheckSpec>,
    /// How findings make a score.
    #[serde(default)]
    pub compose: ComposeSpec,
    /// Verifiers to run between the end of the trial and the checks.
    #[serde(default)]
    pub derive: Vec<DeriveSpec>,
    /// Verifiable subtasks, in order.
    #[serde(default)]
    pub milestones: Vec<MilestoneSpec>,
    /// Anything else.
    #[serde(default)]
    pub metadata: BTreeMap<String, Value>,
}

/// Identity of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskHead {
    /// `suite/task`.
    pub id: String,
    /// A short title.
    pub title: String,
    /// Counts up whenever the meaning changes.
    pub version: u32,
    /// How hard it is; left out where presets say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// A level within the suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// What it takes.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
}

/// How hard a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// Easy.
    Easy,
    /// In between.
    Medium,
    /// Hard.
    Hard,
}

impl std::fmt::Display for Difficulty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        })
    }
}

/// Where a task takes place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorldSpec {
    /// The kind of world.
    pub kind: String,
    /// The puzzle or app.
    pub app: String,
    /// What the app opens with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The size of the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewport: Option<(u32, u32)>,
    /// The parts that may be shown.
    pub observe: BTreeSet<ObservationPart>,
    /// The action groups that may be used.
    pub act: BTreeSet<ActionGroup>,
    /// How time passes in the world.
    #[serde(default)]
    pub clock: ClockSpec,
    /// Which network there is.
    #[serde(default)]
    pub network: Network,
    /// Which operating system it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// What it needs of the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<BTreeMap<String, Value>>,
    /// Programs it needs.
    #[serde(default)]
    pub software: Vec<String>,
}

/// How time passes in a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockSpec {
    /// Only with steps: model latency changes nothing.
    #[default]
    Stepped,
    /// By the wall clock.
    Wall,
}

/// Which network a world has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// None.
    #[default]
    None,
    /// These hosts only.
    Allow(Vec<String>),
}

/// Something that may differ between instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its value in the canonical instance.
    pub value: Value,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// How a seed draws it; nothing means that it stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<Generator>,
}

/// A named choice of parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// How hard it is.
    pub difficulty: Difficulty,
    /// The parameters it sets.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    /// Its own limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// What a blind guess scores here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// What counts as the result of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultSpec {
    /// The state of the world, the fields of an answer, or files.
    #[serde(default)]
    pub kind: ResultKind,
    /// The keys an answer must have, and their types. Only a matching answer ends the trial.
    #[serde(default)]
    pub fields: BTreeMap<String, FieldType>,
    /// Whether the task cannot be done, so that giving up is the right answer.
    #[serde(default)]
    pub infeasible: bool,
}

impl ResultSpec {
    /// Whether a value is an answer of the declared shape, or why not.
    pub fn accepts(&self, value: &Value) -> Result<(), String> {
        if self.kind != ResultKind::Fields {
            return Err("this task asks for no answer: end with stop".to_owned());
        }
        let object = value.as_object().ok_or_else(|| format!("an answer is an object with {}", self.keys()))?;
        for (name, wanted) in &self.fields {
            match object.get(name) {
                None => return Err(format!("the answer lacks `{name}`")),
                Some(value) if !wanted.fits(value) => return Err(format!("`{name}` of the answer must be {wanted}")),
                Some(_) => {}
            }
        }
        match object.keys().find(|name| !self.fields.contains_key(*name)) {
            Some(extra) => Err(format!("the answer has `{extra}`, which was not asked for")),
            None => Ok(()),
        }
    }

    /// Whether a note holds fields of the answer and nothing else, or why not.
    pub fn accepts_note(&self, note: &serde_json::Map<String, Value>) -> Result<(), String> {
        if note.is_empty() {
            return Err(format!("a note has at least one of {}", self.keys()));
        }
        for (name, value) in note {
            match self.fields.get(name) {
                None => return Err(format!("`{name}` of the note was not asked for: the fields are {}", self.keys())),
                Some(wanted) if !wanted.fits(value) => return Err(format!("`{name}` of the note must be {wanted}")),
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// The shape of an answer, for the agent; nothing where none is asked for.
    pub fn shape(&self) -> Option<Value> {
        let types = || self.fields.iter().map(|(name, field)| (name.clone(), field.to_string().into())).collect();
        (self.kind == ResultKind::Fields).then(|| Value::Object(types()))
    }

    fn keys(&self) -> String {
        self.fields.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    }
}

impl std::fmt::Display for FieldType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::List => "a list",
            Self::Object => "an object",
            Self::Date => "a date such as 2024-12-31",
            Self::Quantity => "a quantity with its unit such as \"3.2 km\"",
            Self::Money => "an amount with its currency such as \"12,300,000 EUR\"",
            Self::Percent => "a number in percent such as 12.3",
            Self::Entity => "a name",
            Self::Table => "a list of objects, one for each row",
        })
    }
}

/// What counts as the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultKind {
    /// The state of the world.
    #[default]
    State,
    /// The fields of an answer.
    Fields,
    /// Files.
    Files,
}

/// The type of an answer's field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    /// A text.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// A list.
    List,
    /// An object.
    Object,
    /// A day, a month or a year, as a text.
    Date,
    /// A number with a unit: a text, an object with `value` and `unit`, or a number where the unit goes without saying.
    Quantity,
    /// An amount with a currency: a text, an object with `amount` and `currency`, or a number where the currency goes
    /// without saying.
    Money,
    /// A number in percent or in percentage points, or such a text.
    Percent,
    /// The name of somebody or something.
    Entity,
    /// A list of objects, one for each row.
    Table,
}

impl FieldType {
    /// Whether a value is of this type.
    pub fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text | Self::Date | Self::Entity => value.is_string(),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
            Self::Quantity | Self::Money => value.is_number() || value.is_string() || value.is_object(),
            Self::Percent => value.is_number() || value.is_string(),
            Self::Table => value.as_array().is_some_and(|rows| rows.iter().all(Value::is_object)),
        }
    }
}

/// What a blind guess scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChanceSpec {
    /// The share of blind guesses that solve it, at most.
    #[serde(default)]
    pub score: f64,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// One check of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckSpec {
    /// Its name in the verdict.
    pub name: String,
    /// What kind of check.
    pub kind: String,
    /// Where in the evidence to look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// What should be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Value>,
    /// How far off it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// How much it counts.
    #[serde(default = "one")]
    pub weight: f64,
    /// Whether everything fails if it does.
    #[serde(default)]
    pub gate: bool,
    /// Whatever else the kind takes.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
}

impl CheckSpec {
    /// Whether it counts at all. A check of weight 0 that is no gate is there for its measures only.
    pub fn counts(&self) -> bool {
        self.gate || self.weight > 0.0
    }
}

fn one() -> f64 {
    1.0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    clippy::float_cmp,
    reason = "serde hands out references, and one is exact"
)]
fn is_one(weight: &f64) -> bool {
    *weight == 1.0
}

/// How findings make a score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComposeSpec {
    /// The way.
    #[serde(default)]
    pub how: ComposeHow,
}

/// A way for findings to make a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ComposeHow {
    /// One if every check holds in full, else nothing.
    #[default]
    All,
    /// Nothing if a gate fails, else the weighted mean of the others.
    GateAndScore,
    /// The weighted mean of all.
    Weighted,
    /// The weighted share of checks that hold in full.
    Checklist,
    /// The mean over the files of the reference, each counting as its worst check.
    PairwiseFiles,
    /// The weighted share of milestones and checks that hold in full, and nothing if one that is a gate does not.
    /// Milestones count only with everything they need.
    Chain,
}

/// A verifier to run between the end of a trial and the checks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeriveSpec {
    /// What its output is stored under.
    pub name: String,
    /// Which verifier.
    pub kind: String,
    /// Whatever it takes.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
}

/// A verifiable subtask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MilestoneSpec {
    /// Its name.
    pub name: String,
    /// What it asks, in a sentence, for trials that begin or end here: a template over the parameters. Either every
    /// milestone of a task has one or none has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// What trials that begin after it are told of it, instead of the instruction: a template over the parameters and what
    /// the world adds to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// What must hold.
    pub checks: Vec<CheckSpec>,
    /// The milestones before it that it builds on, by name. Where one of them is missed, this one is not held against the
    /// agent as the place where it went wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// How much it counts where milestones make the score (`compose.how = "chain"`).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub weight: f64,
    /// Whether everything fails without it where milestones make the score.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gate: bool,
    /// When it must hold; left out it is `end` where its checks read the answer, else `ever`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<MilestoneHold>,
    /// A prepared state from which a trial can begin after this milestone: reserved. Worlds that can begin after a
    /// milestone work the state out themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

/// When a milestone must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MilestoneHold {
    /// At any time: what is undone later counts all the same.
    Ever,
    /// At the end: it counts from when it has held without a break.
    End,
}

impl MilestoneSpec {
    /// When it must hold. Fields of an answer count as they are handed in, or guesses could be tried out one by one.
    pub fn holds(&self) -> MilestoneHold {
        let usual = if self.reads_answer() { MilestoneHold::End } else { MilestoneHold::Ever };
        self.hold.unwrap_or(usual)
    }

    /// Whether one of its checks looks at the answer.
    pub fn reads_answer(&self) -> bool {
        let of_answer = |selector: &str| selector.split('/').next() == Some("answer");
        self.checks.iter().any(|check| check.selector.as_deref().is_some_and(of_answer))
    }
}
