//! The tables `[[steps]]`.

use std::collections::{BTreeMap, BTreeSet};

use toml::Value;

use super::environment::{HealthcheckSection, healthcheck};
use super::{AgentSection, HarborArtifact, VerifierSection, agent, artifacts, verifier};
use crate::reward::REWARD;
use crate::table_reader::{TableReader, as_number};

/// What rewards must reach, by name.
pub type Thresholds = BTreeMap<String, f64>;

/// One step of a task that is played in several.
#[derive(Clone, Debug, PartialEq)]
pub struct StepSection {
    /// Its name, and that of its folder under `steps`.
    pub name: String,
    /// Who plays it, where it differs.
    pub agent: AgentSection,
    /// How it is judged, where it differs.
    pub verifier: VerifierSection,
    /// What its rewards must reach for the next step to be begun.
    pub min_reward: Option<Thresholds>,
    /// How to find out that everything has started.
    pub healthcheck: Option<HealthcheckSection>,
    /// More files to be taken from the sandbox.
    pub artifacts: Vec<HarborArtifact>,
}

pub(super) fn steps(reader: &mut TableReader<'_>) -> Vec<StepSection> {
    let steps = reader.tables("steps", step).unwrap_or_default();
    let mut seen = BTreeSet::new();
    for step in &steps {
        // Folders of these names would be one on some disks.
        if !seen.insert(step.name.to_lowercase()) {
            reader.wrong("steps", format!("has two steps called `{}`", step.name));
        }
    }
    steps
}

fn step(reader: &mut TableReader<'_>) -> StepSection {
    let name = reader.needed_text("name");
    if let Some(why) = wrong_name(&name) {
        reader.wrong("name", why);
    }
    StepSection {
        name,
        agent: reader.nested("agent", agent).unwrap_or_default(),
        verifier: reader.nested("verifier", verifier).unwrap_or_default(),
        min_reward: reader.field("min_reward", "a number or a table of numbers", thresholds),
        healthcheck: reader.nested("healthcheck", healthcheck),
        artifacts: artifacts(reader),
    }
}

/// A number alone is about the reward called `reward`.
fn thresholds(value: &Value) -> Option<Thresholds> {
    match value {
        Value::Table(each) => {
            each.iter().map(|(name, least)| Some((name.clone(), as_number(least)?))).collect::<Option<_>>()
        }
        one => Some([(REWARD.to_owned(), as_number(one)?)].into()),
    }
}

/// Why a name cannot be a folder's on every system.
fn wrong_name(name: &str) -> Option<&'static str> {
    const LONGEST: usize = 255;
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_uppercase();
    match name {
        _ if name.trim().is_empty() => Some("is empty"),
        "." | ".." => Some("is no name"),
        _ if name.ends_with(['.', ' ']) => Some("ends with a point or a space"),
        _ if name.contains(|c: char| "<>:\"/\\|?*".contains(c) || c.is_ascii_control()) => {
            Some("has a character in it that no folder may have")
        }
        _ if is_device(&stem) => Some("is what Windows calls a device"),
        _ if name.len() > LONGEST => Some("is longer than 255 bytes"),
        _ => None,
    }
}

fn is_device(stem: &str) -> bool {
    let numbered = ["COM", "LPT"].iter().filter_map(|port| stem.strip_prefix(port));
    let mut is_numbered =
        numbered.map(|rest| rest.chars().count() == 1 && rest.contains(|c| "123456789¹²³".contains(c)));
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem) || is_numbered.any(|is| is)
}
