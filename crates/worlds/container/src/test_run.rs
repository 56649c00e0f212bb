//! The verifier `harbor-tests`: runs the tests of a task in fresh systems that are given what the agent changed.

use std::path::Path;
use std::time::Duration;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_harbor::{
    HarborRound, MissingVariable, REWARD, REWARD_JSON, REWARD_TEXT, RewardStrategy, Rewards, combine_rewards,
    offline_test_script, read_reward, resolve_variables, stop_after,
};
use quintain_process::SweptFolder;
use quintain_process::sandbox::{CommandEnd, Sandbox, SandboxCommand, SandboxFault, SandboxProvider as _, this_host};
use quintain_root_tree::{TreeStore, put_changes};
use serde_json::{Value, json};

use crate::carried::is_carried;
use crate::played_task::{LOGS, PlayedTask, chore, put_folder};
use crate::world::changes_file;

/// What the folder of a fresh system is called on the host.
const FOLDER: &str = "quintain-tests-";
/// Where tests and what they leave are.
const TESTS: &str = "/tests";
const VERIFIER_LOGS: &str = "/logs/verifier";
/// The largest reward file that is read.
const LARGEST_REWARD: u64 = 1 << 20;
/// So much of the end of what tests print is told.
const TOLD_CHARS: usize = 400;

/// The kind `harbor-tests`.
#[derive(Clone, Debug)]
pub(crate) struct HarborTests {
    pub(crate) trees: Option<TreeStore>,
}

/// A verifier of this kind.
struct TestRun {
    name: String,
    trees: Option<TreeStore>,
}

/// What one round came to: its rewards, or why there are none.
type RoundOutcome = Result<Rewards, String>;

impl VerifierKind for HarborTests {
    fn kind(&self) -> &'static str {
        "harbor-tests"
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().find(|option| *option != "folder") {
            Some(other) => Err(format!("a verifier of kind `harbor-tests` has no option `{other}`")),
            None => Ok(Box::new(TestRun { name: spec.name.clone(), trees: self.trees.clone() })),
        }
    }
}

impl VerifierRunner for TestRun {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let played = PlayedTask::find(&case.reference.files, true, self.trees.as_ref())?;
        let (mut outcomes, mut stopped): (Vec<RoundOutcome>, Option<String>) = (Vec::new(), None);
        for (idx, round) in played.task.rounds.iter().enumerate() {
            let outcome = match case.files.get(&changes_file(idx)) {
                Some(changes) => judged(&played, round, changes, case.within)?,
                // Whoever stops before the last step has not done the others.
                None => Ok(Rewards([(REWARD.to_owned(), 0.0)].into())),
            };
            stopped = stop_after(outcome.as_ref().ok(), round.min_reward.as_ref());
            outcomes.push(outcome);
            if stopped.is_some() {
                break;
            }
        }
        Ok(vec![(self.name.clone(), told(&played, &outcomes, stopped.as_deref()))])
    }
}

/// Runs the tests of one round. Whatever the agent's changes do to them is the agent's doing.
fn judged(
    played: &PlayedTask,
    round: &HarborRound,
    changes: &FileHandle,
    within: Duration,
) -> Result<RoundOutcome, String> {
    let folder = SweptFolder::new(FOLDER).map_err(|error| error.to_string())?;
    let layered = played.layered(&folder)?;
    let upper = folder.inner("changes/upper").map_err(|error| error.to_string())?;
    let mut tar = changes.open().map_err(|error| error.to_string())?;
    let wanted = |path: &Path| is_carried(round, path);
    if let Err(fault) = put_changes(&mut *tar, &upper, &played.limits(), &wanted) {
        return Ok(Err(fault.to_string()));
    }
    let missing = |missing: Vec<MissingVariable>| format!("the tests want variables of the host: {missing:?}");
    let plan = played.plan(layered, resolve_variables(&round.verifier_env).map_err(missing)?);
    let mut sandbox = this_host().and_then(|host| host.provider.open(&plan)).map_err(|fault| fault.to_string())?;
    match tested(&mut *sandbox, played, round, within) {
        Ok(outcome) => Ok(outcome),
        Err(SandboxFault::UsedUp(what) | SandboxFault::Ended(what)) => Ok(Err(what)),
        Err(SandboxFault::Refused(why)) => Ok(Err(why)),
        Err(fault) => Err(fault.to_string()),
    }
}

fn tested(
    sandbox: &mut dyn Sandbox,
    played: &PlayedTask,
    round: &HarborRound,
    within: Duration,
) -> Result<RoundOutcome, SandboxFault> {
    chore(sandbox, &format!("rm -rf {TESTS} {VERIFIER_LOGS}; mkdir -p {TESTS} {}", LOGS.join(" ")))?;
    for folder in &round.tests {
        put_folder(sandbox, (&played.task, folder), TESTS)?;
    }
    let script = round.test_script.as_deref().and_then(|path| played.task.text(path));
    let script = script.and_then(|text| offline_test_script(&text).ok());
    let Some(script) = script else { return Ok(Err("the tests cannot run without a network".to_owned())) };
    sandbox.put(&format!("{TESTS}/test.sh"), script.text.as_bytes())?;
    let limit = Duration::from_secs_f64(round.verifier_timeout_sec.clamp(1.0, 36_000.0));
    let within = if within.is_zero() { limit } else { limit.min(within) };
    let command = SandboxCommand { within, is_joined: true, ..SandboxCommand::of(["bash", "/tests/test.sh"]) };
    let report = sandbox.exec(&command)?;
    if report.end == CommandEnd::OutOfTime {
        return Ok(Err(format!("the tests were not done after {} seconds", within.as_secs())));
    }
    let file = |sandbox: &mut dyn Sandbox, name: &str| {
        sandbox.get(&format!("{VERIFIER_LOGS}/{name}"), 0, LARGEST_REWARD).ok().map(|(bytes, _size)| bytes)
    };
    let (json, text) = (file(sandbox, REWARD_JSON), file(sandbox, REWARD_TEXT));
    let said = || last_of(&[report.output.head.as_slice(), &report.output.tail].concat());
    Ok(read_reward(json.as_deref(), text.as_deref()).map_err(|error| format!("{error}; the tests said: {}", said())))
}

fn last_of(printed: &[u8]) -> String {
    let text = String::from_utf8_lossy(printed);
    let text = text.trim_end();
    let skipped = text.chars().count().saturating_sub(TOLD_CHARS);
    text.chars().skip(skipped).collect()
}

/// What checks and people read.
fn told(played: &PlayedTask, outcomes: &[RoundOutcome], stopped: Option<&str>) -> Value {
    let strategy = played.task.config.reward_strategy.unwrap_or(RewardStrategy::Mean);
    let rewards: Vec<Option<Rewards>> = outcomes.iter().map(|outcome| outcome.clone().ok()).collect();
    let all =
        if played.task.has_steps() { combine_rewards(strategy, &rewards) } else { rewards.first().cloned().flatten() };
    let step = |(round, outcome): (&HarborRound, &RoundOutcome)| match outcome {
        Ok(rewards) => json!({ "step": round.step, "rewards": rewards }),
        Err(why) => json!({ "step": round.step, "problem": why }),
    };
    let steps: Vec<Value> = played.task.rounds.iter().zip(outcomes).map(step).collect();
    json!({ "reward": all.as_ref().and_then(Rewards::primary), "rewards": all, "steps": steps, "stopped": stopped })
}
