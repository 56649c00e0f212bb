//! `chain.toml`: a task as a chain of questions, each a function of the answers before it. From it come the instruction, the
//! fields of the answer, the checks and the milestones; what the questions come to is worked out by the world that reads
//! `find` and `draw`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{CheckSpec, ComposeHow, FieldType, MilestoneSpec, ResultKind, TaskSpec};
use crate::surface::ActionGroup;

/// The kind of the checks that a chain gets.
pub const CHAIN_ANSWER: &str = "chain-answer";

/// What `chain.toml` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChainSpec {
    /// The whole question in a paragraph: a template over what was drawn.
    pub goal: String,
    /// The wrong readings of the world that the instruction settles, by name.
    #[serde(default)]
    pub settles: Vec<String>,
    /// What is drawn for an instance, in order: read by the world.
    #[serde(default, rename = "draw")]
    pub draws: Vec<Value>,
    /// The questions, in order.
    #[serde(rename = "step")]
    pub steps: Vec<ChainStep>,
}

/// A question of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChainStep {
    /// Its name.
    pub name: String,
    /// The question: a template over what was drawn, never over an answer.
    pub ask: String,
    /// The questions before it whose answers it takes, by name.
    #[serde(default)]
    pub needs: Vec<String>,
    /// What is handed in.
    #[serde(rename = "field")]
    pub fields: Vec<ChainField>,
}

/// A field of the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChainField {
    /// Its name.
    pub name: String,
    /// How it is compared.
    #[serde(rename = "type")]
    pub answer_type: AnswerType,
    /// What it is, for the agent.
    pub about: String,
    /// How it is found: read by the world.
    pub find: Value,
    /// How many entities the answer is drawn from, at least and at most: two numbers, or a place for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub among: Option<Value>,
    /// How far off a number may be, as a share of the right one: for what is read off a chart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// The columns of a table: what each is called, in order; the first names the row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
}

/// What kind of value a field of a chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerType {
    /// A name.
    Entity,
    /// Names in any order.
    Names,
    /// A number alone.
    Number,
    /// A number in percent or in points.
    Percent,
    /// An amount with its currency.
    Money,
    /// A day.
    Date,
    /// Numbers with a unit of their own.
    Quantity,
    /// Rows with a name and numbers.
    Table,
    /// One of the terms that are used there.
    Term,
}

impl AnswerType {
    /// The type of the answer's field.
    fn field(self) -> FieldType {
        match self {
            Self::Entity => FieldType::Entity,
            Self::Names => FieldType::List,
            Self::Number => FieldType::Number,
            Self::Percent => FieldType::Percent,
            Self::Money => FieldType::Money,
            Self::Date => FieldType::Date,
            Self::Quantity => FieldType::Quantity,
            Self::Table => FieldType::Table,
            Self::Term => FieldType::Text,
        }
    }

    /// The word by which checks know it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Names => "names",
            Self::Number => "number",
            Self::Percent => "percent",
            Self::Money => "money",
            Self::Date => "date",
            Self::Quantity => "quantity",
            Self::Table => "table",
            Self::Term => "text",
        }
    }
}

impl ChainSpec {
    /// Reads the text of the file.
    pub fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// All fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &ChainField> {
        self.steps.iter().flat_map(|step| &step.fields)
    }

    /// What is wrong with it that its types do not tell.
    pub fn problems(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let twice = self.fields().filter(|field| !seen.insert(&field.name));
        let mut problems: Vec<String> = twice.map(|field| format!("two fields are called `{}`", field.name)).collect();
        problems.extend(self.steps.is_empty().then(|| "the chain has no steps".to_owned()));
        let empty = self.steps.iter().filter(|step| step.fields.is_empty());
        problems.extend(empty.map(|step| format!("step `{}` asks for no field", step.name)));
        problems
    }

    /// The template of the instruction. `style` decides whether the questions are listed; the world tells `web`, what is
    /// there, and `rules`, whose word counts.
    pub fn instruction(&self) -> String {
        let listed: Vec<String> =
            self.steps.iter().enumerate().map(|(idx, step)| format!("{}. {}", idx + 1, step.ask.trim())).collect();
        let fields: Vec<String> =
            self.fields().map(|field| format!("- `{}`: {}", field.name, field.about.trim())).collect();
        format!(
            "{{{{ web }}}}\n\n{{% if style == \"guided\" %}}{}{{% else %}}{}{{% endif %}}\n\n{{{{ rules }}}}\n\nHand in these \
             fields. Note each of them as soon as you have it: what is noted last counts.\n{}\n{}",
            listed.join("\n"),
            self.goal.trim(),
            fields.join("\n"),
            self.forms(),
        )
    }

    /// How values are written whose form is not plain.
    fn forms(&self) -> String {
        let told = [
            (AnswerType::Date, "Days may be written in any usual way, such as 2019-04-15 or 15 April 2019."),
            (AnswerType::Money, "Amounts are written out in full with their currency, such as 12 345 000 crowns."),
        ];
        let used = |kind: AnswerType| self.fields().any(|field| field.answer_type == kind);
        let lines: Vec<&str> = told.iter().filter(|(kind, _)| used(*kind)).map(|(_, line)| *line).collect();
        if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join(" ")) }
    }

    /// Completes what `task.toml` says: the answer's fields, a milestone for each step, the checks.
    pub(super) fn complete(&self, spec: &mut TaskSpec) {
        spec.world.act.insert(ActionGroup::Note);
        spec.result.kind = ResultKind::Fields;
        spec.result.fields = self.fields().map(|field| (field.name.clone(), field.answer_type.field())).collect();
        spec.compose.how = ComposeHow::Chain;
        spec.checks = vec![check("answer", self.fields())];
        spec.milestones = self.steps.iter().map(ChainStep::milestone).collect();
    }
}

impl ChainStep {
    fn milestone(&self) -> MilestoneSpec {
        let told: Vec<String> =
            self.fields.iter().map(|field| format!("`{0}`: {{{{ told.{0} }}}}", field.name)).collect();
        MilestoneSpec {
            name: self.name.clone(),
            instruction: Some(self.ask.clone()),
            told: Some(format!("{} {}", self.ask.trim(), told.join("; "))),
            checks: vec![check(&self.name, self.fields.iter())],
            needs: self.needs.clone(),
            weight: 1.0,
            gate: false,
            hold: None,
            start: None,
        }
    }
}

/// The check of some fields.
fn check<'a>(name: &str, fields: impl Iterator<Item = &'a ChainField>) -> CheckSpec {
    let mut expect = Map::new();
    let mut types = Map::new();
    for field in fields {
        expect.insert(field.name.clone(), json!(format!("{{{{ expected.{} }}}}", field.name)));
        types.insert(field.name.clone(), json!(field.answer_type.word()));
    }
    CheckSpec {
        name: name.to_owned(),
        kind: CHAIN_ANSWER.to_owned(),
        selector: Some("answer".to_owned()),
        expect: Some(Value::Object(expect)),
        tolerance: None,
        weight: 1.0,
        gate: false,
        options: BTreeMap::from([("types".to_owned(), Value::Object(types))]),
    }
}
