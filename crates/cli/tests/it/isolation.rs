//! Agents' own programs: what kept them from the solution is told, and replaying the oracle shows.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use quintain_core::variables;
use serde_json::{Value, json};

use crate::command::{Done, Place, root};

/// Runs and gives back what was printed and said.
fn done(place: &Place, args: &[&str]) -> Done {
    let done = place.quintain_with(args, "");
    assert_eq!(done.code, 0, "{args:?}: {}", done.text());
    done
}

fn isolation_of(place: &Place, run: &str) -> Vec<Value> {
    let text = fs::read_to_string(place.path().join("runs").join(run).join("run.json")).expect("a header");
    let header: Value = serde_json::from_str(&text).expect("JSON");
    header["agents"].as_array().expect("agents").iter().map(|agent| agent["isolation"].clone()).collect()
}

/// Whatever names the agent says how it was isolated, and only a program is warned of.
#[test]
fn a_program_that_ran_without_isolation_is_told_wherever_it_is_named() {
    let place = Place::new();
    let program = format!("cmd:python3 {}", root().join("examples/agent.py").display());
    let maze = ["run", "puzzles/maze-2d@easy#0", "--show", "ascii"];
    let bare = ["--agent", &program, "--agent", "idle", "--agent-access", "host", "--name", "both"];
    let ran = done(&place, &[&maze[..], &bare].concat());
    assert_eq!(isolation_of(&place, "both"), [json!("none"), json!("our_code")]);
    assert!(ran.stderr.contains("warning: agents without isolation: cmd:agent.py-"), "{}", ran.stderr);
    assert!(ran.stderr.contains("programs are kept in a sandbox unless it is lifted"), "{}", ran.stderr);
    let resumed = done(&place, &["resume", "both"]);
    assert!(resumed.stderr.contains("warning: agents without isolation: cmd:agent.py-"), "{}", resumed.stderr);
    let (head, line) = (ran.stdout.lines().next().unwrap(), ran.stdout.lines().nth(1).unwrap());
    assert!(head.ends_with("isolation") && line.ends_with("none"), "{}", ran.stdout);

    let ours = done(&place, &[&maze[..], &["--agent", "idle", "--name", "ours"]].concat());
    assert!(!ours.text().contains("without isolation"), "{}", ours.text());
    assert!(ours.stdout.contains("isolation  our code: nothing of the agent's ran here"), "{}", ours.stdout);

    let page = fs::read_to_string(place.path().join("runs/both/report.html")).expect("a page");
    assert!(page.contains("Agents without isolation: cmd:agent.py-"), "the page says nothing");
    for args in [&["show", "both"][..], &["list", "runs"], &["compare", "both", "both"]] {
        let text = done(&place, args).stdout;
        assert!(text.contains("(isolation: none)") && text.contains("idle (our code)"), "{args:?}: {text}");
    }
    let report = place.json("report both --no-html");
    assert_eq!(report["summary"]["isolation"]["idle"], "our_code", "{}", report["summary"]["isolation"]);
}

/// The same program, once in a sandbox and once without: in it there is nothing to be found, and the run says where it was.
#[test]
fn a_program_in_a_sandbox_finds_neither_suites_nor_runs_nor_a_quintain() {
    let place = Place::new();
    let spy = root().join("crates/cli/tests/it/isolation/spy.py");
    let runs = place.path().join("runs");
    let words = [spy, root().join("suites"), runs, PathBuf::from(env!("CARGO_BIN_EXE_quintain"))];
    let words = words.map(|path| path.display().to_string()).join(" ");
    let told = |access: &str| {
        let spec = format!("spy=cmd:/usr/bin/python3 {words}");
        let args = ["run", "puzzles/maze-2d@easy#0", "--agent", &spec, "--agent-access", access, "--name", access];
        let text = place.quintain_with(&args, "").text();
        let found = text.lines().find_map(|line| line.strip_prefix("found: ")?.split_once(") after"));
        found.map_or(text.clone(), |(found, _)| found.to_owned())
    };
    assert_eq!(
        told("sandbox"),
        r#"{"suites": false, "runs": false, "program": false, "parent": false, "home": false, "variables": []} package: False"#
    );
    let bare = told("host");
    let seen = ["suites", "runs", "program", "parent", "home"].map(|what| bare.contains(&format!("\"{what}\": true")));
    assert_eq!(seen, [true; 5], "{bare}");
    assert_eq!(isolation_of(&place, "sandbox"), [json!("sandbox")]);
    let header = fs::read_to_string(place.path().join("runs/sandbox/run.json")).expect("a header");
    assert!(header.contains("bubblewrap 0."), "{header}");
    let report = done(&place, &["report", "sandbox", "--no-html"]);
    assert!(report.stdout.contains("isolation  sandbox: its program saw neither"), "{}", report.stdout);
}

/// What a program lacks is named with the way to give it.
#[test]
fn a_program_sees_what_it_is_granted_and_is_told_of_what_it_lacks() {
    let place = Place::new();
    fs::create_dir(place.path().join("parts")).expect("made");
    fs::write(place.path().join("parts/helper.py"), "MOVE = \"('move', 0)\"\n").expect("written");
    let agent = "import json, sys\nsys.path.insert(0, 'parts')\nimport helper\nfor line in sys.stdin:\n    \
                 if json.loads(line)['type'] == 'turn': print(json.dumps({'reply': helper.MOVE}), flush=True)\n";
    fs::write(place.path().join("agent.py"), agent).expect("written");
    let maze = ["run", "puzzles/maze-2d@easy#0", "--steps", "2", "--agent", "cmd:/usr/bin/python3 agent.py"];
    let lacking = place.quintain_with(&[&maze[..], &["--name", "lacking"]].concat(), "");
    assert!(lacking.stderr.contains("No module named 'helper'"), "{}", lacking.stderr);
    assert!(lacking.stderr.contains("hint: --agent-files PATH shows it more"), "{}", lacking.stderr);
    let granted = done(&place, &[&maze[..], &["--agent-files", "parts", "--name", "granted"]].concat());
    assert!(granted.stdout.contains("out of steps"), "{}", granted.stdout);
    let missing = place.quintain_with(&[&maze[..], &["--agent-files", "nowhere", "--name", "none"]].concat(), "");
    assert_eq!(missing.code, 2, "{}", missing.text());
    assert!(missing.stderr.contains("--agent-files `nowhere`: No such file"), "{}", missing.stderr);
}

/// A host on which no sandbox can be made says so before anything is played.
#[test]
fn without_a_sandbox_a_run_of_a_program_is_refused() {
    let mut place = Place::new();
    let broken = place.path().join("bwrap");
    fs::write(&broken, "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
        .expect("written");
    fs::set_permissions(&broken, fs::Permissions::from_mode(0o755)).expect("made executable");
    let args = ["run", "puzzles/maze-2d@easy#0", "--agent", "cmd:/usr/bin/python3 -V", "--name", "refused"];
    place.set(variables::BWRAP, broken.display().to_string());
    let done = place.quintain_with(&args, "");
    assert_ne!(done.code, 0);
    assert!(done.stderr.contains("no sandbox can be made on this host"), "{}", done.stderr);
    assert!(done.stderr.contains("No permissions to create a new namespace"), "{}", done.stderr);
    assert!(done.stderr.contains("hint: --agent-access host"), "{}", done.stderr);
    assert!(!place.path().join("runs/refused").exists());
}

/// A run of an older program does not say how its agents were isolated, and nothing is made up.
#[test]
fn a_run_that_does_not_say_it_reads_as_unknown() {
    let place = Place::new();
    done(&place, &["run", "puzzles/maze-2d@easy#0", "--agent", "idle", "--name", "old"]);
    let path = place.path().join("runs/old/run.json");
    let mut header: Value = serde_json::from_str(&fs::read_to_string(&path).expect("a header")).expect("JSON");
    header["agents"][0].as_object_mut().expect("an agent").remove("isolation");
    // An older program kept no copy either, and no sum.
    header.as_object_mut().expect("a header").remove("sum");
    fs::remove_file(path.with_file_name("run.copy.json")).expect("removed");
    fs::write(&path, header.to_string()).expect("written");
    let report = done(&place, &["report", "old", "--no-html"]);
    assert!(report.stdout.contains("isolation  unknown: the run does not say"), "{}", report.stdout);
    assert!(done(&place, &["list", "runs"]).stdout.contains("idle (isolation unknown)"));
}

/// Whoever plays the oracle's clicks again is flagged; who solves with other pixels, or uses keys, is not.
#[test]
fn who_puts_the_pointer_on_the_oracles_pixels_alone_is_flagged() {
    let place = Place::new();
    let task = "gauntlet/workflow-insert-wait";
    done(&place, &["run", task, "--agent", "oracle", "--name", "solved"]);
    let told = place.json(&format!("show solved {task}~oracle~0"));
    fs::write(place.path().join("told.json"), told.to_string()).expect("written");
    let replayer = root().join("crates/cli/tests/it/isolation/replayer.py");
    let agents = ["same", "beside", "keys"]
        .map(|how| format!("cmd:python3 {} {how} {}", replayer.display(), place.path().join("told.json").display()));
    let [same, beside, keys] = &agents;
    done(&place, &["run", task, "--agent", same, "--agent", beside, "--agent", keys, "--name", "them"]);

    let alone = place.json("report them --no-html");
    let trails = &alone["summary"]["trails"];
    assert_eq!((&trails["n_same"], &trails["n_not_compared"]), (&0.into(), &2.into()), "{trails}");
    let report = place.json("report them --oracle solved");
    let trails = &report["summary"]["trails"];
    assert_eq!((&trails["n_same"], &trails["n_compared"]), (&1.into(), &2.into()), "{trails}");
    let flagged = trails["same"][0].as_str().expect("a trial");
    let spec = |agent: &Value| agent["spec"].as_str().expect("a spec").contains(" same ");
    let agents = report["run"]["agents"].as_array().expect("agents");
    let who = agents.iter().find(|agent| spec(agent)).expect("the replayer")["label"].as_str().expect("a label");
    assert_eq!(flagged, format!("{task}~{who}~0"));

    let text = done(&place, &["report", "them", "--oracle", "solved"]).stdout;
    assert!(text.contains("1 of 1 trials with 5 pointer actions or more used the oracle's pixels alone"), "{text}");
    let page = fs::read_to_string(place.path().join("runs/them/report.html")).expect("a page");
    assert!(page.contains("pointer on the oracle\\u0027s pixels alone") || page.contains("pointer on the oracle's"));
    done(&place, &["run", task, "--agent", same, "--agent", "oracle", "--name", "beside"]);
    // All is solved, so that no model is asked.
    let labelled = done(&place, &["label", "beside", "--model", "chat/nobody,base_url=http://127.0.0.1:9"]);
    assert!(
        labelled.stderr.contains("used the oracle's pixels alone; `quintain report` names them"),
        "{}",
        labelled.text()
    );
    let own = place.json("report solved --no-html");
    assert_eq!(own["summary"]["trails"]["n_compared"], 0, "the oracle is not held against itself");
}
