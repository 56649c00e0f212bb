//! What is played and judged, one after another, with everything that steps take over from their task.

use std::collections::BTreeMap;

use quintain_core::FileSet;

use super::{INSTRUCTION_FILE, text_of};
use crate::config::{
    CollectHook, HarborArtifact, HarborConfig, HarborOs, StepSection, Thresholds, VerifierMode, VerifierSection,
};
use crate::network::NetworkPolicy;
use crate::problem::HarborProblem;

/// A step of a task, or a task that has no steps, with everything it takes over from the task.
#[derive(Clone, Debug, PartialEq)]
pub struct HarborRound {
    /// The step's name; nothing where the task has no steps.
    pub step: Option<String>,
    /// What the agent reads, without the marks that data sets put before it.
    pub instruction: String,
    /// The folders whose files are laid over one another in `/tests`, the last on top.
    pub tests: Vec<String>,
    /// The script that judges, by its path in the task's folder; nothing where an image of the tests' own brings it. In the
    /// sandbox it is `/tests/test.sh`.
    pub test_script: Option<String>,
    /// The folder whose files are the solution, with a `solve.sh` in it.
    pub solution: Option<String>,
    /// The folder whose files are put where commands begin before the step is begun. A `setup.sh` among them is run.
    pub workdir: Option<String>,
    /// Seconds that the agent has.
    pub agent_timeout_sec: Option<f64>,
    /// The user it works as.
    pub agent_user: Option<String>,
    /// The network while it works.
    pub agent_network: NetworkPolicy,
    /// Seconds that the tests have.
    pub verifier_timeout_sec: f64,
    /// The user they run as.
    pub verifier_user: Option<String>,
    /// Variables for the tests.
    pub verifier_env: BTreeMap<String, String>,
    /// The network while they run.
    pub verifier_network: NetworkPolicy,
    /// Where Harbor runs them.
    pub verifier_mode: VerifierMode,
    /// Commands to be run when the agent has stopped.
    pub collect: Vec<CollectHook>,
    /// Files to be taken from the sandbox.
    pub artifacts: Vec<HarborArtifact>,
    /// What rewards must reach for the next step to be begun.
    pub min_reward: Option<Thresholds>,
}

pub(super) fn rounds(config: &HarborConfig, files: &FileSet, problems: &mut Vec<HarborProblem>) -> Vec<HarborRound> {
    let steps: Vec<Option<&StepSection>> = match config.steps.as_slice() {
        [] => vec![None],
        steps => steps.iter().map(Some).collect(),
    };
    steps.into_iter().map(|step| round(config, step, files, problems)).collect()
}

fn round(
    config: &HarborConfig,
    step: Option<&StepSection>,
    files: &FileSet,
    problems: &mut Vec<HarborProblem>,
) -> HarborRound {
    let own = step.map(|step| format!("steps/{}", step.name));
    let place = |name: &str| own.as_ref().map_or_else(|| name.to_owned(), |own| format!("{own}/{name}"));
    let has =
        |folder: &str| files.keys().any(|path| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
    let instruction = text_of(files, &place(INSTRUCTION_FILE)).unwrap_or_else(|problem| {
        problems.push(problem);
        String::new()
    });
    let folders = [Some("tests".to_owned()), own.as_ref().map(|own| format!("{own}/tests"))];
    let tests: Vec<String> = folders.into_iter().flatten().filter(|folder| has(folder)).collect();
    let verifier = step.map_or(&config.verifier, |step| &step.verifier);
    let test_script = test_script(config, verifier, &tests, files);
    HarborRound {
        step: step.map(|step| step.name.clone()),
        instruction: without_marks(&instruction),
        test_script,
        tests,
        solution: solution(config, own.as_deref(), files, &has),
        workdir: own.map(|own| format!("{own}/workdir")).filter(|folder| has(folder)),
        agent_timeout_sec: step.and_then(|step| step.agent.timeout_sec).or(config.agent.timeout_sec),
        agent_user: step.and_then(|step| step.agent.user.clone()).or_else(|| config.agent.user.clone()),
        agent_network: agent_network(config, step),
        // A step that says nothing has the default and not its task's time: so does the package.
        verifier_timeout_sec: verifier.timeout_sec,
        verifier_user: verifier.user.clone().or_else(|| config.verifier.user.clone()),
        verifier_env: config.verifier.env.clone().into_iter().chain(verifier.env.clone()).collect(),
        verifier_network: verifier_network(config, verifier),
        verifier_mode: mode(config, verifier),
        collect: config
            .verifier
            .collect
            .iter()
            .chain(step.iter().flat_map(|step| &step.verifier.collect))
            .cloned()
            .collect(),
        artifacts: config.artifacts.iter().chain(step.iter().flat_map(|step| &step.artifacts)).cloned().collect(),
        min_reward: step.and_then(|step| step.min_reward.clone()),
    }
}

/// Rounds that nothing would judge.
pub(super) fn missing_scripts(config: &HarborConfig, rounds: &[HarborRound], files: &FileSet) -> Vec<HarborProblem> {
    let mut missing = Vec::new();
    for (idx, round) in rounds.iter().enumerate().filter(|(_, round)| round.test_script.is_none()) {
        let verifier = config.steps.get(idx).map_or(&config.verifier, |step| &step.verifier);
        if !has_own_image(config, verifier, &round.tests, files) {
            let script = script_name("test", config.environment.os.unwrap_or_default());
            let folder = round.step.as_ref().map_or_else(String::new, |step| format!("steps/{step}/"));
            missing.push(HarborProblem::of_file(&format!("{folder}tests/{script}"), "the file is missing"));
        }
    }
    missing
}

/// The script of the last folder that has one.
fn test_script(config: &HarborConfig, verifier: &VerifierSection, tests: &[String], files: &FileSet) -> Option<String> {
    let environments = [verifier.environment.as_ref(), config.verifier.environment.as_ref(), Some(&config.environment)];
    let os = environments.into_iter().flatten().find_map(|environment| environment.os).unwrap_or_default();
    let scripts = tests.iter().rev().map(|folder| format!("{folder}/{}", script_name("test", os)));
    scripts.into_iter().find(|path| files.contains_key(path))
}

fn script_name(stem: &str, os: HarborOs) -> String {
    let ending = if os == HarborOs::Windows { "bat" } else { "sh" };
    format!("{stem}.{ending}")
}

/// Whether tests come in an image of their own, which then brings the script.
fn has_own_image(config: &HarborConfig, verifier: &VerifierSection, tests: &[String], files: &FileSet) -> bool {
    let named = [verifier, &config.verifier].into_iter().filter_map(|section| section.environment.as_ref());
    let has_image = named.into_iter().any(|environment| environment.docker_image.is_some());
    let built = ["Dockerfile", "docker-compose.yaml"];
    let is_built = tests.iter().any(|folder| built.iter().any(|name| files.contains_key(&format!("{folder}/{name}"))));
    mode(config, verifier) == VerifierMode::Separate && (has_image || is_built)
}

fn mode(config: &HarborConfig, verifier: &VerifierSection) -> VerifierMode {
    verifier.told_mode().or_else(|| config.verifier.told_mode()).unwrap_or(VerifierMode::Shared)
}

/// The folder of the solution: the step's own where it has one, else the task's.
fn solution(config: &HarborConfig, own: Option<&str>, files: &FileSet, has: &dyn Fn(&str) -> bool) -> Option<String> {
    let of_step = own.map(|own| format!("{own}/solution")).filter(|folder| has(folder));
    let folder = of_step.unwrap_or_else(|| "solution".to_owned());
    let script = script_name("solve", config.environment.os.unwrap_or_default());
    files.contains_key(&format!("{folder}/{script}")).then_some(folder)
}

fn agent_network(config: &HarborConfig, step: Option<&StepSection>) -> NetworkPolicy {
    let own = step.and_then(|step| step.agent.network.as_ref()).or(config.agent.network.as_ref());
    own.unwrap_or(&config.environment.network).clone()
}

fn verifier_network(config: &HarborConfig, verifier: &VerifierSection) -> NetworkPolicy {
    let own = verifier.network.as_ref().or(config.verifier.network.as_ref());
    let environment = match mode(config, verifier) {
        VerifierMode::Shared => None,
        VerifierMode::Separate => verifier.environment.as_ref().or(config.verifier.environment.as_ref()),
    };
    own.unwrap_or(&environment.unwrap_or(&config.environment).network).clone()
}

/// An instruction without the comments at its top that mark it as part of a data set, and the empty lines behind them: agents
/// are not shown them.
fn without_marks(text: &str) -> String {
    let is_mark = |line: &&str| {
        let line = line.trim();
        let is_comment = line.starts_with('#') || line.starts_with("<!--") && line.ends_with("-->");
        is_comment && line.to_lowercase().contains("canary")
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let behind = lines.iter().skip_while(|line| is_mark(line)).skip_while(|line| line.trim().is_empty());
    behind.copied().collect::<Vec<_>>().join("\n")
}
