//! What the package `harbor` itself says of the same tasks, exports, rewards and steps.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quintain_core::{Action, FileSet, variables};
use quintain_harbor::{
    HarborOutline, HarborTask, NetworkMode, RewardStrategy, Rewards, Thresholds, VerifierMode, combine_rewards,
    out_of_task, read_reward, solve_script, stop_after,
};
use serde_json::{Value, json};

use crate::folders::{read, task_names, tasks_folder};

/// Runs only where `QUINTAIN_HARBOR_PYTHON` names a Python that has `harbor`.
#[test]
fn the_package_reads_the_same_and_comes_to_the_same() {
    let Some(python) = std::env::var_os(variables::HARBOR_PYTHON) else { return };
    let room = tempfile::tempdir().expect("a folder");
    let exports: Vec<PathBuf> =
        exported().iter().enumerate().map(|(idx, files)| write(&room.path().join(idx.to_string()), files)).collect();
    let cases = json!({
        "tasks": task_names().iter().map(|name| told_task(name)).collect::<Vec<_>>(),
        "exports": exports,
        "rewards": reward_files().iter().map(told_rewards).collect::<Vec<_>>(),
        "steps": step_cases().iter().map(told_steps).collect::<Vec<_>>(),
    });
    assert!(cases["rewards"].as_array().is_some_and(|all| all.len() >= 40), "forty reward files are compared");
    let file = room.path().join("cases.json");
    fs::write(&file, cases.to_string()).expect("a file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract/check.py");
    let ran = Command::new(python).arg(script).arg(file).output().expect("it runs");
    assert!(ran.status.success(), "{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn an_export_is_a_folder_of_harbor_s() {
    let files = &exported()[0];
    let texts: Vec<String> = files
        .iter()
        .map(|(path, file)| format!("== {path}\n{}", String::from_utf8_lossy(&file.whole(1 << 20).expect("a file"))))
        .collect();
    insta::assert_snapshot!(texts.join("\n"));
}

fn exported() -> Vec<FileSet> {
    let files = |all: &[(&str, &str)]| -> FileSet {
        all.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec().into())).collect()
    };
    let (input, judge) = (files(&[("letters/a.eml", "Subject: A\n\nHello.\n")]), files(&[("quintain", "a program")]));
    let actions = [
        Action::call("write_file", [json!("output/threads.csv"), json!("thread,file\n'1',a.eml\n")]),
        Action::Shell { command: "wc -l output/threads.csv".to_owned() },
        Action::Done,
    ];
    let solve = solve_script(&actions);
    let whole = HarborOutline {
        org: "quintain",
        instance: "exam/mail-threads@easy#7",
        title: "Put mail into threads",
        difficulty: "easy",
        instruction: "Put the letters in `/work/input` into threads.\n",
        input: &input,
        apt: &["python3".to_owned(), "ripmime".to_owned()],
        solve: solve.as_deref(),
        judge: &judge,
        minutes: Some(60.0),
    };
    let nothing = FileSet::new();
    let least = HarborOutline {
        instance: "a/b",
        input: &nothing,
        apt: &[],
        solve: None,
        judge: &nothing,
        minutes: None,
        ..whole
    };
    [whole, least].iter().map(|outline| out_of_task(outline).expect("it can be written")).collect()
}

fn write(folder: &Path, files: &FileSet) -> PathBuf {
    for (path, file) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder");
        fs::write(path, file.whole(1 << 20).expect("a file")).expect("a file");
    }
    folder.to_owned()
}

/// What is read here of a task; nothing where it is refused.
fn told_task(name: &str) -> Value {
    let folder = tasks_folder().join(name);
    json!({ "folder": folder, "ours": read(name).ok().as_ref().map(told) })
}

fn told(task: &HarborTask) -> Value {
    let rounds = task.rounds.iter().map(|round| {
        json!({
            "instruction": round.instruction,
            "script": round.test_script,
            "separate": round.verifier_mode == VerifierMode::Separate,
            "agent_timeout_sec": round.agent_timeout_sec,
            "verifier_timeout_sec": round.verifier_timeout_sec,
            "min_reward": round.min_reward,
        })
    });
    let network = match task.config.environment.network.mode {
        NetworkMode::NoNetwork => "no-network",
        NetworkMode::Public => "public",
        NetworkMode::Allowlist => "allowlist",
    };
    json!({
        "schema_version": task.config.schema_version,
        "memory_mb": task.config.environment.memory_mb,
        "storage_mb": task.config.environment.storage_mb,
        "network": network,
        "strategy": word(task.config.reward_strategy.unwrap_or_default()),
        "rounds": rounds.collect::<Vec<_>>(),
    })
}

fn word(strategy: RewardStrategy) -> &'static str {
    match strategy {
        RewardStrategy::Mean => "mean",
        RewardStrategy::Final => "final",
    }
}

type RewardFiles = (Option<Vec<u8>>, Option<Vec<u8>>);

fn reward_files() -> Vec<RewardFiles> {
    let jsons: [&[u8]; 28] = [
        b"{\"reward\": 1}",
        b"{\"reward\": 0.25, \"speed\": 3}",
        b"{\"speed\": 3}",
        b"{\"a\": 1, \"b\": 2}",
        b"{}",
        b" \n{\"reward\": -1.5e-3}\n",
        b"{\"reward\": true, \"b\": false}",
        b"{\"reward\": null}",
        b"{\"reward\": \"1\"}",
        b"{\"reward\": \"NaN\"}",
        b"{\"reward\": [1]}",
        b"{\"reward\": {\"x\": 1}}",
        b"{\"reward\": NaN}",
        b"{\"reward\": Infinity}",
        b"{\"reward\": -Infinity}",
        b"{\"reward\": 1e309}",
        b"{\"reward\": 1, \"reward\": 0.5}",
        b"{\"reward\": 01}",
        b"{\"reward\": 1.}",
        b"{\"reward\": 1,}",
        b"{'reward': 1}",
        b"1",
        b"0.5",
        b"[1, 2]",
        b"null",
        b"",
        b"\xef\xbb\xbf{\"reward\": 1}",
        b"{\"reward\xff\": 1}",
    ];
    let texts: [&[u8]; 26] = [
        b"1",
        b"0",
        b"1\n",
        b"  0.75  \r\n",
        b"\t.5",
        b"5.",
        b"+1",
        b"-0.5",
        b"1e-3",
        b"1_000",
        b"1_",
        b"_1",
        b"1__0",
        b"1e1_0",
        b"nan",
        b"inf",
        b"-Infinity",
        b"1e999",
        b"0x10",
        b"1,5",
        b"1 2",
        b"one",
        b"",
        b" \n",
        b"\x1c1\x1f",
        b"\xff",
    ];
    let of_json = jsons.iter().map(|json| (Some(json.to_vec()), None));
    let of_text = texts.iter().map(|text| (None, Some(text.to_vec())));
    let both = [
        (Some(b"{\"reward\": 0}".to_vec()), Some(b"1".to_vec())),
        (Some(Vec::new()), Some(b"1".to_vec())),
        (None, None),
    ];
    of_json.chain(of_text).chain(both).collect()
}

fn told_rewards((json, text): &RewardFiles) -> Value {
    json!({ "json": json, "text": text, "ours": read_reward(json.as_deref(), text.as_deref()).ok() })
}

/// A strategy, and the steps: what each would come to, and what it must reach.
type StepCase = (RewardStrategy, Vec<(Option<Rewards>, Option<Thresholds>)>);

fn step_cases() -> Vec<StepCase> {
    let of = |pairs: &[(&str, f64)]| pairs.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect::<Thresholds>();
    let got = |pairs: &[(&str, f64)]| Some(Rewards(of(pairs)));
    let least = |pairs: &[(&str, f64)]| Some(of(pairs));
    let runs = [
        vec![(got(&[("reward", 1.0)]), None), (got(&[("reward", 0.0)]), None), (got(&[("reward", 0.5)]), None)],
        vec![(got(&[("reward", 0.5)]), least(&[("reward", 0.5)])), (got(&[("reward", 0.25)]), None)],
        vec![(got(&[("reward", 0.4)]), least(&[("reward", 0.5)])), (got(&[("reward", 1.0)]), None)],
        vec![(None, None), (got(&[("reward", 1.0)]), None)],
        vec![(got(&[("reward", 1.0)]), None), (None, None), (got(&[("reward", 1.0)]), None)],
        vec![(got(&[("a", 1.0)]), None), (got(&[("b", 3.0)]), None)],
        vec![(got(&[("a", 1.0)]), least(&[("reward", 0.0)])), (got(&[("a", 0.0)]), None)],
        vec![(got(&[("a", 1.0), ("b", 0.2)]), least(&[("a", 1.0), ("b", 0.3)])), (got(&[("a", 0.0)]), None)],
        vec![(got(&[]), None), (got(&[]), None)],
        vec![(got(&[]), least(&[("reward", -1.0)])), (got(&[("reward", 1.0)]), None)],
        vec![(got(&[("reward", 0.1)]), None), (got(&[("reward", 0.2)]), None), (got(&[("reward", 0.3)]), None)],
        vec![(got(&[("reward", 1e16)]), None), (got(&[("reward", 1.0)]), None), (got(&[("reward", -1e16)]), None)],
    ];
    let both = [RewardStrategy::Mean, RewardStrategy::Final];
    runs.iter().flat_map(|run| both.map(|strategy| (strategy, run.clone()))).collect()
}

fn told_steps((strategy, run): &StepCase) -> Value {
    let stops = run.iter().position(|(rewards, least)| stop_after(rewards.as_ref(), least.as_ref()).is_some());
    let n_begun = stops.map_or(run.len(), |idx| idx + 1);
    let begun: Vec<Option<Rewards>> = run[..n_begun].iter().map(|(rewards, _)| rewards.clone()).collect();
    json!({
        "strategy": word(*strategy),
        "steps": run,
        "ours": { "n_begun": n_begun, "rewards": combine_rewards(*strategy, &begun) },
    })
}
