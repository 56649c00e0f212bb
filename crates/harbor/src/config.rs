//! What `task.toml` of a Harbor task says, schema versions 1.0 to 1.4.
//!
//! Rules and defaults are those of the package `harbor` 0.24.0. What it takes for granted is filled in here, so that nobody has
//! to know the defaults again.

mod environment;
mod step;

use std::collections::BTreeMap;

use toml::{Table, Value};

pub use environment::{EnvironmentSection, HarborMcpServer, HarborOs, HealthcheckSection, TpuSlice};
pub use step::{StepSection, Thresholds};

use crate::network::{NetworkPolicy, of_phase};
use crate::table_reader::TableReader;

/// The service that the agent works in, where a task has several.
pub const MAIN_SERVICE: &str = "main";
/// How long tests may take unless told, in seconds.
const VERIFIER_SEC: f64 = 600.0;
/// How long a collect hook may take unless told, in seconds.
const COLLECT_SEC: f64 = 60.0;
/// The schema version of a file that says none.
const NEWEST: &str = "1.4";

/// What `task.toml` says.
#[derive(Clone, Debug, PartialEq)]
pub struct HarborConfig {
    /// The version of the format.
    pub schema_version: String,
    /// Who made it, under which name.
    pub package: Option<HarborPackage>,
    /// Anything.
    pub metadata: Table,
    /// How it is judged.
    pub verifier: VerifierSection,
    /// Who plays it.
    pub agent: AgentSection,
    /// Where it is played.
    pub environment: EnvironmentSection,
    /// Variables for the solution.
    pub solution_env: BTreeMap<String, String>,
    /// Where it came from.
    pub source: Option<String>,
    /// How steps make one reward; nothing where the file says nothing.
    pub reward_strategy: Option<RewardStrategy>,
    /// The steps; none of a task that is played in one go.
    pub steps: Vec<StepSection>,
    /// Files to be taken from the sandbox.
    pub artifacts: Vec<HarborArtifact>,
}

/// The table `[task]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarborPackage {
    /// `org/name`.
    pub name: String,
    /// Its version, in any form.
    pub version: Option<String>,
    /// What it is about.
    pub description: String,
    /// Names and addresses.
    pub authors: Vec<(String, Option<String>)>,
    /// Words to find it by.
    pub keywords: Vec<String>,
}

/// The table `[agent]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentSection {
    /// Seconds that an agent has; no limit where it is not told.
    pub timeout_sec: Option<f64>,
    /// The user it works as.
    pub user: Option<String>,
    /// The network while it works, where it differs from the environment's.
    pub network: Option<NetworkPolicy>,
}

/// The table `[verifier]`.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifierSection {
    /// Seconds that the tests have.
    pub timeout_sec: f64,
    /// Variables for the tests.
    pub env: BTreeMap<String, String>,
    /// The user they run as.
    pub user: Option<String>,
    /// The network while they run, where it differs from the environment's.
    pub network: Option<NetworkPolicy>,
    /// Where they run; nothing where it is not told and follows from the rest.
    pub mode: Option<VerifierMode>,
    /// An environment of their own.
    pub environment: Option<EnvironmentSection>,
    /// Commands to be run when the agent has stopped.
    pub collect: Vec<CollectHook>,
}

/// Where tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifierMode {
    /// Where the agent worked.
    Shared,
    /// In a fresh environment that is given the artifacts.
    Separate,
}

/// How the rewards of steps make one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RewardStrategy {
    /// The mean of each, over the steps that were judged.
    #[default]
    Mean,
    /// That of the last step that was begun.
    Final,
}

/// A command to be run when the agent has stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectHook {
    /// The command line.
    pub command: String,
    /// The service that it runs in.
    pub service: String,
    /// Seconds that it has.
    pub timeout_sec: f64,
    /// The user it runs as.
    pub user: Option<String>,
}

/// A file or folder to be taken from the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarborArtifact {
    /// Where it lies.
    pub source: String,
    /// Where it is put, where it is not put under its own path.
    pub destination: Option<String>,
    /// Patterns of what is left out of a folder.
    pub exclude: Vec<String>,
    /// The service that it lies in, where it is not the agent's.
    pub service: Option<String>,
}

impl VerifierSection {
    /// Where the tests run, as far as this section says it.
    pub fn told_mode(&self) -> Option<VerifierMode> {
        self.mode.or_else(|| self.environment.as_ref().map(|_| VerifierMode::Separate))
    }
}

impl Default for VerifierSection {
    fn default() -> Self {
        Self {
            timeout_sec: VERIFIER_SEC,
            env: BTreeMap::new(),
            user: None,
            network: None,
            mode: None,
            environment: None,
            collect: Vec::new(),
        }
    }
}

pub(crate) fn read(reader: &mut TableReader<'_>) -> HarborConfig {
    let (named, old) = (reader.text("schema_version"), reader.text("version"));
    HarborConfig {
        schema_version: named.or(old).unwrap_or_else(|| NEWEST.to_owned()),
        package: reader.nested("task", package),
        metadata: reader.field("metadata", "a table", |value| value.as_table().cloned()).unwrap_or_default(),
        verifier: reader.nested("verifier", verifier).unwrap_or_default(),
        agent: reader.nested("agent", agent).unwrap_or_default(),
        environment: reader.nested("environment", environment::environment).unwrap_or_default(),
        solution_env: reader.nested("solution", |reader| reader.text_map("env")).unwrap_or_default(),
        source: reader.text("source"),
        reward_strategy: reader
            .choice("multi_step_reward_strategy", &[("mean", RewardStrategy::Mean), ("final", RewardStrategy::Final)]),
        steps: step::steps(reader),
        artifacts: artifacts(reader),
    }
}

fn package(reader: &mut TableReader<'_>) -> HarborPackage {
    let name = reader.needed_text("name");
    if !is_package_name(&name) {
        reader.wrong("name", format!("is `{name}`: `org/name` in letters, digits, `-`, `_` and `.` is wanted"));
    }
    let version = reader.text("version");
    if version.as_deref() == Some("") {
        reader.wrong("version", "is empty");
    }
    let author = |reader: &mut TableReader<'_>| (reader.needed_text("name"), reader.text("email"));
    HarborPackage {
        name,
        version,
        description: reader.text("description").unwrap_or_default(),
        authors: reader.tables("authors", author).unwrap_or_default(),
        keywords: reader.texts("keywords").unwrap_or_default(),
    }
}

fn is_package_name(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    !name.contains("..") && name.split_once('/').is_some_and(|(org, name)| is_word(org) && is_word(name))
}

fn agent(reader: &mut TableReader<'_>) -> AgentSection {
    AgentSection { timeout_sec: reader.number("timeout_sec"), user: reader.user("user"), network: of_phase(reader) }
}

fn verifier(reader: &mut TableReader<'_>) -> VerifierSection {
    let modes = [("shared", VerifierMode::Shared), ("separate", VerifierMode::Separate)];
    let section = VerifierSection {
        timeout_sec: reader.number("timeout_sec").unwrap_or(VERIFIER_SEC),
        env: reader.text_map("env"),
        user: reader.user("user"),
        network: of_phase(reader),
        mode: reader.choice("environment_mode", &modes),
        environment: reader.nested("environment", environment::environment),
        collect: reader.tables("collect", collect_hook).unwrap_or_default(),
    };
    if section.mode == Some(VerifierMode::Shared) && section.environment.is_some() {
        reader.wrong("environment_mode", "is `shared`, and there is an environment of the tests' own");
    }
    section
}

fn collect_hook(reader: &mut TableReader<'_>) -> CollectHook {
    CollectHook {
        command: reader.needed_text("command"),
        service: service(reader).unwrap_or_else(|| MAIN_SERVICE.to_owned()),
        timeout_sec: reader.number("timeout_sec").unwrap_or(COLLECT_SEC),
        user: reader.user("user"),
    }
}

/// The name of a service.
fn service(reader: &mut TableReader<'_>) -> Option<String> {
    let name = reader.text("service")?.trim().to_owned();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) || !name.chars().all(is_of_name) {
        reader.wrong("service", format!("is `{name}`, which cannot name a service"));
    }
    Some(name)
}

/// A list of paths, or of tables where more is said than a path.
fn artifacts(reader: &mut TableReader<'_>) -> Vec<HarborArtifact> {
    let listed = reader.field("artifacts", "a list", |value| value.as_array().cloned()).unwrap_or_default();
    let mut made = Vec::new();
    for (idx, item) in listed.into_iter().enumerate() {
        let place = format!("artifacts[{idx}]");
        match item {
            Value::Table(table) => made.push(reader.within(&format!("{place}."), table, artifact)),
            Value::String(source) => {
                if let Some(why) = wrong_source(&source, None) {
                    reader.wrong(&place, why);
                }
                made.push(HarborArtifact { source, destination: None, exclude: Vec::new(), service: None });
            }
            _ => reader.wrong(&place, "must be a path or a table"),
        }
    }
    made
}

fn artifact(reader: &mut TableReader<'_>) -> HarborArtifact {
    let artifact = HarborArtifact {
        source: reader.needed_text("source"),
        destination: reader.text("destination").filter(|path| !path.is_empty()),
        exclude: reader.texts("exclude").unwrap_or_default(),
        service: service(reader),
    };
    if let Some(why) = wrong_source(&artifact.source, artifact.service.as_deref()) {
        reader.wrong("source", why);
    }
    if let Some(why) = artifact.destination.as_deref().and_then(wrong_destination) {
        reader.wrong("destination", why);
    }
    artifact
}

fn wrong_source(source: &str, service: Option<&str>) -> Option<&'static str> {
    let drive = source.as_bytes();
    let has_drive = drive.len() > 2 && drive[0].is_ascii_alphabetic() && drive[1] == b':' && b"/\\".contains(&drive[2]);
    let is_whole = source.starts_with('/') || has_drive;
    match service {
        _ if has_parent(source) => Some("has `..` in it"),
        Some(service) if service != MAIN_SERVICE && !is_whole => Some("must be a path from the root"),
        _ => None,
    }
}

fn wrong_destination(path: &str) -> Option<&'static str> {
    let has_name = path.split('/').any(|part| !part.is_empty() && part != ".");
    match path {
        _ if path.contains('\\') => Some("has a backslash in it"),
        _ if path.starts_with('/') => Some("must not begin at the root"),
        _ if !has_name => Some("names no file"),
        _ if has_parent(path) => Some("has `..` in it"),
        _ if path.trim_end_matches('/') == "manifest.json" => Some("is `manifest.json`, which is taken"),
        _ => None,
    }
}

fn has_parent(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}
