//! Runs on a fleet: the real binary as steward, worker and user, a real NATS server, a folder as archive.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use quintain_core::variables;
use quintain_testkit::servers::Nats;
use quintain_testkit::{Descendant, descendants, wait_for};
use serde_json::Value;

use crate::command::{Place, SIX};

/// A fleet on this machine: everything ends with it.
struct Fleet {
    nats: Nats,
    place: Place,
    children: Vec<Child>,
}

impl Drop for Fleet {
    fn drop(&mut self) {
        for child in &mut self.children {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

impl Fleet {
    /// A server and an archive, and nobody at work yet.
    fn new() -> Self {
        let nats = Nats::start(1);
        let mut place = Place::new();
        place.set(variables::NATS, nats.urls());
        place.set(variables::LEASE, "3");
        place.set(variables::STORE, place.path().join("archive").display().to_string());
        std::fs::create_dir(place.path().join("archive")).expect("a folder");
        Self { nats, place, children: Vec::new() }
    }

    /// The same with a steward whose leases are short.
    fn stewarded() -> Self {
        let mut fleet = Self::new();
        fleet.begin(&["steward"]);
        wait_for("a steward", || fleet.status()["steward"].is_string());
        fleet
    }

    /// Starts a command that stays; its words go to a file. Returns its place among the children.
    fn begin(&mut self, args: &[&str]) -> usize {
        let words = std::fs::File::create(self.words(self.children.len())).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_quintain"));
        command.args(args).current_dir(self.place.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).envs(self.place.variables());
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(words).spawn().expect("the binary starts");
        self.children.push(child);
        self.children.len() - 1
    }

    fn words(&self, child: usize) -> PathBuf {
        self.place.path().join(format!("words-{child}.txt"))
    }

    /// Starts a worker and waits until the fleet knows it.
    fn worker(&mut self, name: &str) -> usize {
        let child = self.begin(&["worker", "--name", name, "--can", "puzzles", "--slots", "1"]);
        wait_for("a worker", || self.hosts().contains(&name.to_owned()));
        child
    }

    /// Starts a worker on whose path nothing is but these programs.
    fn worker_with(&mut self, programs: &[&str], args: &[&str]) -> usize {
        let everything = std::env::var("PATH").unwrap_or_default();
        let few = self.place.path().join("few");
        std::fs::create_dir(&few).expect("a folder");
        for program in programs {
            std::os::unix::fs::symlink(format!("/usr/bin/{program}"), few.join(program)).expect("a link");
        }
        self.place.set("PATH", few.display().to_string());
        let child = self.begin(&[&["worker"], args].concat());
        self.place.set("PATH", everything);
        child
    }

    fn status(&self) -> Value {
        self.place.json("fleet status")
    }

    fn hosts(&self) -> Vec<String> {
        let status = self.status();
        let hosts = status["hosts"].as_array().expect("a list").iter();
        hosts.map(|host| host["name"].as_str().expect("a text").to_owned()).collect()
    }

    fn run(&self, name: &str) -> Value {
        let status = self.status();
        status["runs"]
            .as_array()
            .expect("a list")
            .iter()
            .find(|run| run["name"] == name)
            .cloned()
            .unwrap_or(Value::Null)
    }

    fn n_done(&self, name: &str) -> u64 {
        self.run(name)["n_done"].as_u64().unwrap_or(0)
    }

    fn signal(&self, child: usize, signal: &str) {
        let id = self.children[child].id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill is there").success());
    }
}

/// What came of each trial: its verdict, whole, and the steps it took.
pub(crate) fn verdicts(place: &Place, run: &str) -> BTreeMap<String, (Value, Value)> {
    let shown = place.json(&format!("show {run}"));
    let came_to = |trial: &Value| {
        let name = trial["trial"].as_str().expect("a text").to_owned();
        (name, (trial["verdict"].clone(), trial["spent"]["steps"].clone()))
    };
    shown["trials"].as_array().expect("a list").iter().map(came_to).collect()
}

#[test]
fn a_fleet_comes_to_the_verdicts_of_a_laptop_and_its_record_can_be_had_anywhere() {
    let mut fleet = Fleet::stewarded();
    fleet.worker("atlas");
    fleet.worker("borea");
    let run = format!("run {SIX} --agent oracle --seeds 2 --name");
    let done = fleet.place.quintain(&format!("{run} night --chunk 2"));
    assert_eq!(done.code, 0, "{}", done.text());
    assert!(done.stderr.contains("run `night`: 24 trials"), "{}", done.text());
    assert!(done.stderr.contains("[24/24] "), "{}", done.text());
    let laptop = fleet.place.quintain(&format!("{run} laptop --here --quiet"));
    assert_eq!(laptop.code, 0, "{}", laptop.text());
    assert_eq!(verdicts(&fleet.place, "night"), verdicts(&fleet.place, "laptop"));
    for whole in ["replay night --all --quiet", "rescore night"] {
        let done = fleet.place.quintain(whole);
        assert_eq!(done.code, 0, "{whole}: {}", done.text());
    }
    assert_eq!(fleet.run("night")["direction"], "done");

    let pulled = fleet.place.json("pull night --runs elsewhere");
    assert_eq!((&pulled["outcomes"], &pulled["trials"]), (&Value::from(24), &Value::from(24)), "{pulled}");
    let there = verdicts(&fleet.place, "night --runs elsewhere");
    assert_eq!(there, verdicts(&fleet.place, "night"));
    let from_archive = Command::new(env!("CARGO_BIN_EXE_quintain"))
        .args(["--quiet", "pull", "night", "--runs", "alone", "--store", "archive"])
        .current_dir(fleet.place.path())
        .output()
        .unwrap();
    assert!(from_archive.status.success(), "{}", String::from_utf8_lossy(&from_archive.stderr));
    assert_eq!(verdicts(&fleet.place, "night --runs alone"), there, "without the server");
}

#[test]
fn a_worker_that_is_killed_loses_nothing() {
    let mut fleet = Fleet::stewarded();
    let atlas = fleet.worker("atlas");
    let run = format!("run {SIX} --agent random --seeds 6 --name");
    let handed_in = fleet.place.quintain(&format!("{run} night --chunk 3 --detach"));
    assert_eq!(handed_in.code, 0, "{}", handed_in.text());
    wait_for("the first outcomes", || fleet.n_done("night") > 5);
    fleet.signal(atlas, "-KILL");
    fleet.worker("borea");
    let done = fleet.place.quintain("resume night");
    assert_eq!(done.code, 0, "{}", done.text());
    assert!(done.stderr.contains(" of 72 trials are done"), "{}", done.text());
    assert_eq!(fleet.place.quintain(&format!("{run} laptop --here --quiet")).code, 0);
    assert_eq!(verdicts(&fleet.place, "night"), verdicts(&fleet.place, "laptop"));
}

#[test]
fn a_run_is_paused_goes_on_and_is_cancelled() {
    let mut fleet = Fleet::stewarded();
    let atlas = fleet.worker("atlas");
    let run = format!("run {SIX} --agent random --seeds 20 --name night --chunk 1 --priority low --detach");
    assert_eq!(fleet.place.quintain(&run).code, 0);
    wait_for("the first outcomes", || fleet.n_done("night") > 2);
    assert_eq!(fleet.place.quintain("fleet pause night").code, 0);
    wait_for("the last trial before the pause", || fleet.run("night")["n_leased"] == 0);
    let paused = fleet.run("night");
    assert_eq!((&paused["direction"], &paused["priority"]), (&Value::from("paused"), &Value::from("low")));
    let n_paused = fleet.n_done("night");
    assert!(n_paused < 240, "{paused}");
    assert_eq!(fleet.place.quintain("fleet resume night").code, 0);
    wait_for("more outcomes", || fleet.n_done("night") > n_paused);
    assert_eq!(fleet.place.quintain("fleet cancel night").code, 0);
    let watched = fleet.place.quintain("fleet cancel nihgt");
    assert_eq!(watched.code, 1);
    assert!(watched.stderr.contains("hint: did you mean `night`?"), "{}", watched.text());
    // A trial that was begun before the cancellation counts; once its worker has gone, no more are counted.
    fleet.signal(atlas, "-TERM");
    assert!(fleet.children[atlas].wait().unwrap().success());
    wait_for("the end of what was played", || fleet.run("night")["n_leased"] == 0);
    let cancelled = fleet.run("night");
    assert_eq!(cancelled["direction"], "cancelled", "{cancelled}");
    assert!(fleet.n_done("night") < 240, "{cancelled}");
    let n_done = fleet.n_done("night");
    assert_eq!(fleet.place.quintain("fleet forget night").code, 0);
    assert_eq!(fleet.run("night"), Value::Null);
    let again = fleet.place.quintain("resume night");
    assert_eq!(again.code, 1, "{}", again.text());
    assert!(again.stderr.contains("the server does not know run `night`, and the archive has "), "{}", again.text());
    let pulled = fleet.place.json("pull night --runs elsewhere");
    assert_eq!(pulled["outcomes"], n_done, "{pulled}");
    fleet.nats.kill(0);
    let pulled = fleet.place.json("pull night --runs alone");
    assert_eq!(pulled["outcomes"], n_done, "{pulled}");
}

#[test]
fn a_fleet_at_work_outlives_a_server_that_loses_everything() {
    let mut fleet = Fleet::stewarded();
    let hand_in = |fleet: &Fleet, more: &str| {
        let done = fleet.place.quintain(&format!("run {SIX} --agent random --seeds 8 --chunk 1 --detach {more}"));
        assert_eq!(done.code, 0, "{}", done.text());
    };
    for (name, stop) in [("stopped", "cancel"), ("resting", "pause")] {
        hand_in(&fleet, &format!("--name {name} --run-steps 77"));
        assert_eq!(fleet.place.quintain(&format!("fleet {stop} {name}")).code, 0);
        let kept = fleet.place.path().join("archive/runs").join(name).join("standing.json");
        let is_kept = || std::fs::read_to_string(&kept).is_ok_and(|text| text.contains(stop) && text.contains("77"));
        wait_for("the archive knows how it stands", is_kept);
    }
    fleet.worker("atlas");
    hand_in(&fleet, "--name night");
    wait_for("the first outcomes", || fleet.n_done("night") > 5);
    let store = fleet.nats.dir().join("n0/store");
    fleet.nats.kill(0);
    std::fs::remove_dir_all(store).unwrap();
    fleet.nats.restart(0);
    wait_for("all of it is played", || fleet.n_done("night") == 96);
    for (name, direction) in [("stopped", "cancelled"), ("resting", "paused")] {
        wait_for("all runs are back", || fleet.run(name)["n_trials"] == 96);
        assert_eq!((fleet.run(name)["direction"].as_str(), fleet.n_done(name)), (Some(direction), 0));
    }
    let limits = fleet.status()["limits"].to_string();
    assert!(limits.contains(r#"{"name":"budget/resting/steps","says":"77 in all"}"#), "{limits}");
}

#[test]
fn a_host_drains_when_it_is_asked_to_and_when_it_is_told_to_end() {
    let mut fleet = Fleet::stewarded();
    let (atlas, borea) = (fleet.worker("atlas"), fleet.worker("borea"));
    assert_eq!(fleet.place.quintain("fleet drain atlas").code, 0);
    fleet.signal(borea, "-TERM");
    for child in [atlas, borea] {
        let ended = fleet.children[child].wait().unwrap();
        let words = std::fs::read_to_string(fleet.words(child)).unwrap();
        assert_eq!(ended.code(), Some(0), "{words}");
        assert!(words.contains("can play puzzles"), "{words}");
    }
    assert!(fleet.hosts().is_empty(), "who has left is no host");
}

#[test]
fn a_run_that_is_left_goes_on_and_says_what_is_missing() {
    let fleet = Fleet::new();
    let mut child = fleet.place.start(&["run", "puzzles/maze-2d@easy#0", "--agent", "oracle", "--name", "night"]);
    let mut words = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(words.next().unwrap(), "run `night`: 1 trial");
    let missing = words.next().unwrap();
    assert!(missing.starts_with("nobody stewards this fleet"), "{missing}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let left = words.collect::<Vec<_>>().join("\n");
    assert!(left.starts_with("run `night` goes on without you\nhint: `quintain resume night` comes back"), "{left}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let again = fleet.place.quintain("run puzzles/maze-2d@easy#0 --agent oracle --name night --runs other");
    insta::assert_snapshot!(again.text(), @"
    exit 1
    --- stderr
    error: the fleet has a run `night` already
    hint: choose another --name, or have it here with `quintain pull night`
    ");
}

#[test]
fn trials_that_no_host_can_play_are_told_until_one_comes() {
    let mut fleet = Fleet::stewarded();
    fleet.place.set(variables::NO_SANDBOX, "1");
    fleet.place.set(variables::NGSPICE, "/nowhere/ngspice");
    fleet.worker("atlas");
    let tasks = ["gauntlet/circuit-555-astable", "gauntlet/workflow-insert-wait", "puzzles/maze-2d@easy#0"];
    let how = ["--agent", "oracle", "--seeds", "canonical", "--name", "night"];
    let mut follower = fleet.place.start(&[&["run"], &tasks[..], &how[..]].concat());
    let mut words = BufReader::new(follower.stderr.take().unwrap()).lines().map(Result::unwrap);
    let told: Vec<String> = words.by_ref().filter(|line| line.contains(" for a host ")).take(2).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    1 trial waits for a host that plays browser (class browser): none is there
    1 trial waits for a host with ngspice (class browser+ngspice): none is there
    ");
    let lacking = |fleet: &Fleet| fleet.status()["waiting"].to_string();
    assert!(lacking(&fleet).contains(r#"{"class":"browser","n_trials":1,"run":"night"}"#), "{}", lacking(&fleet));
    let borea = fleet.begin(&["worker", "--name", "borea", "--can", "browser", "--slots", "1"]);
    wait_for("what can be played", || fleet.n_done("night") == 2);
    let said = std::fs::read_to_string(fleet.words(borea)).unwrap();
    assert!(said.contains("cannot play browser+ngspice: no ngspice is found; apt install ngspice"), "{said}");
    assert_eq!(lacking(&fleet), r#"[{"class":"browser+ngspice","n_trials":1,"run":"night"}]"#);
    assert!(Command::new("kill").args(["-INT", &follower.id().to_string()]).status().unwrap().success());
    drop(words);
    assert_eq!(follower.wait().unwrap().code(), Some(130));
}

#[test]
fn tasks_of_the_exam_go_to_hosts_that_have_their_software() {
    let mut fleet = Fleet::stewarded();
    let atlas = fleet.worker_with(&["bwrap", "python3"], &["--name", "atlas", "--can", "workspace", "--slots", "1"]);
    let run = "run exam/mail-threads@easy#1 exam/reconcile-close@easy#1 --agent oracle --name night --detach";
    let done = fleet.place.quintain(run);
    assert_eq!(done.code, 0, "{}", done.text());
    wait_for("what needs Python alone", || fleet.n_done("night") == 1);
    let waiting = fleet.status()["waiting"].to_string();
    assert!(waiting.contains("hledger"), "{waiting}");
    let said = std::fs::read_to_string(fleet.words(atlas)).unwrap();
    assert!(said.contains("`hledger` is not installed; apt install hledger"), "{said}");
    fleet.begin(&["worker", "--name", "borea", "--can", "workspace", "--slots", "1"]);
    wait_for("what needs hledger", || fleet.n_done("night") == 2);
}

#[test]
fn desktops_go_to_hosts_that_have_their_programs_and_a_killed_host_leaves_none_behind() {
    let mut fleet = Fleet::stewarded();
    let some = ["bwrap", "Xvfb", "openbox", "dbus-daemon", "kalgebra"];
    let atlas = fleet.worker_with(&some, &["--name", "atlas", "--can", "desktop", "--slots", "1"]);
    let run = "run science/kalgebra-define-value science/grass-saved-region --agent oracle --seeds canonical --name night --detach";
    let done = fleet.place.quintain(run);
    assert_eq!(done.code, 0, "{}", done.text());
    wait_for("what needs KAlgebra", || fleet.n_done("night") == 1);
    let waiting = fleet.status()["waiting"].to_string();
    assert!(waiting.contains("grass"), "{waiting}");
    let said = std::fs::read_to_string(fleet.words(atlas)).unwrap();
    assert!(said.contains("`grass` is not installed"), "{said}");

    let borea = fleet.begin(&["worker", "--name", "borea", "--can", "desktop", "--slots", "1"]);
    let id = fleet.children[borea].id();
    // It has opened an empty desktop to see whether it can before it is a host.
    wait_for("the host", || fleet.hosts().contains(&"borea".to_owned()));
    wait_for("GRASS at work", || descendants(id).iter().any(|process| process.name == "Xvfb"));
    let left = descendants(id);
    fleet.signal(borea, "-KILL");
    wait_for("the sandbox to be gone", || !left.iter().any(Descendant::is_there));
    assert_eq!(fleet.n_done("night"), 1, "it was killed in the middle");
    fleet.begin(&["worker", "--name", "carina", "--can", "desktop", "--slots", "1"]);
    wait_for("what needs GRASS", || fleet.n_done("night") == 2);
}

#[test]
fn a_run_that_every_host_refuses_is_told_with_the_reason() {
    let mut fleet = Fleet::stewarded();
    let done = fleet.place.quintain("run puzzles/maze-2d@easy#0 --agent oracle --name night --detach");
    assert_eq!(done.code, 0, "{}", done.text());
    let header = fleet.place.path().join("archive/runs/night/run.json");
    let mut planned: Value = serde_json::from_slice(&std::fs::read(&header).unwrap()).unwrap();
    planned["fingerprint"]["quintain"] = "0.0.0".into();
    std::fs::write(&header, planned.to_string()).unwrap();
    fleet.worker("atlas");
    wait_for("the host says why", || fleet.status()["waiting"][0]["refused_by"]["atlas"].is_string());
    assert_eq!(fleet.run("night")["n_on_offer"], 0, "nobody could take it");
    let why = "host `atlas` does not play run `night`: it was planned with quintain 0.0.0, and this host has ";
    let shown = fleet.place.quintain("fleet status").stdout;
    let waits =
        "run `night`: 1 trial waits for a host that plays puzzles (class puzzles): every one that is there refuses";
    assert!(shown.contains(why) && shown.contains(waits), "{shown}");
    let mut follower = fleet.place.start(&["resume", "night"]);
    let mut words = BufReader::new(follower.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(words.any(|line| line.starts_with(why)), "whoever follows the run is told");
    assert!(Command::new("kill").args(["-INT", &follower.id().to_string()]).status().unwrap().success());
    drop(words);
    assert_eq!(follower.wait().unwrap().code(), Some(130));
}

#[test]
fn another_version_of_a_program_keeps_a_host_from_the_tasks_that_need_it_and_no_others() {
    let mut fleet = Fleet::stewarded();
    let done =
        fleet.place.quintain("run exam/rtl-funnel@easy#0 puzzles/maze-2d@easy#0 --agent oracle --name night --detach");
    assert_eq!(done.code, 0, "{}", done.text());
    let header = fleet.place.path().join("archive/runs/night/run.json");
    let mut planned: Value = serde_json::from_slice(&std::fs::read(&header).unwrap()).unwrap();
    let classes = planned["classes"].as_array().unwrap();
    let class = classes.iter().find(|used| used["tasks"][0] == "exam/rtl-funnel").expect("its class").clone();
    let program = class["equal"][0].as_str().expect("a program whose version is asked for");
    planned["fingerprint"][program] = "0.0".into();
    std::fs::write(&header, planned.to_string()).unwrap();
    fleet.begin(&["worker", "--name", "atlas", "--can", "puzzles,workspace", "--slots", "1"]);
    wait_for("the maze", || fleet.n_done("night") == 1);
    wait_for("the host says why", || fleet.status()["waiting"][0]["refused_by"]["atlas"].is_string());
    let why = fleet.status()["waiting"][0]["refused_by"]["atlas"].to_string();
    let expected =
        format!("trials of class `{}`: it was planned with {program} 0.0, and", class["class"].as_str().unwrap());
    assert!(why.contains(&expected), "{why}");
    assert_eq!(fleet.n_done("night"), 1, "nobody played the other");
}

#[test]
fn what_is_not_there_is_told() {
    let place = Place::new();
    let told = |args: &str| place.quintain(args).text();
    insta::assert_snapshot!(told("fleet status"), @"
    exit 1
    --- stderr
    error: no fleet is named
    hint: --nats URL, or set QUINTAIN_NATS; docs/fleet.md tells how to start one
    ");
    insta::assert_snapshot!(told("fleet status --nats nats://127.0.0.1:9"), @"
    exit 1
    --- stderr
    error: cannot reach the NATS server at nats://127.0.0.1:9: IO error: Connection refused (os error 111)
    hint: is it running, and are address and credentials right?
    ");
    insta::assert_snapshot!(told("run puzzles/maze-2d --agent oracle --nats nats://127.0.0.1:9"), @"
    exit 1
    --- stderr
    error: no archive is named
    hint: --store URL, or set QUINTAIN_STORE: a folder that all hosts see, or s3://...
    ");
    insta::assert_snapshot!(told("worker --nats nats://127.0.0.1:9 --can puzzels"), @"
    exit 1
    --- stderr
    error: there is no kind of world `puzzels`
    hint: did you mean `puzzles`?
    ");
    insta::assert_snapshot!(told("pull night --store archive"), @"
    exit 1
    --- stderr
    error: the archive `archive` does not exist
    hint: is it written right (--store, QUINTAIN_STORE), and is its disk there? a new fleet's first `quintain run` makes it, or make the folder yourself
    ");
    assert!(!place.path().join("archive").exists() && !place.path().join("runs").exists());
    std::fs::create_dir(place.path().join("archive")).unwrap();
    let missing = told("pull night --store archive");
    assert!(missing.contains("error: the archive archive has no run `night`"), "{missing}");
    assert!(!place.path().join("runs").exists());
}

#[test]
fn a_fleet_has_one_archive_and_nobody_uses_another_by_mistake() {
    let fleet = Fleet::new();
    let first = fleet.place.quintain("run puzzles/maze-2d@easy#0 --agent oracle --name night --detach");
    assert_eq!(first.code, 0, "{}", first.text());
    let path = fleet.place.path().display().to_string();
    let of = |folder: &str| {
        let mark = std::fs::read_to_string(fleet.place.path().join(folder).join("archive.json")).unwrap();
        serde_json::from_str::<Value>(&mark).unwrap()["id"].as_str().unwrap()[..12].to_owned()
    };
    let ours = of("archive");
    let told = |args: &str| fleet.place.quintain(args).text().replace(&path, "PLACE").replace(&ours, "OURS");

    for absent in ["steward", "worker --can puzzles", "pull night"] {
        let refused = told(&format!("{absent} --store typo"));
        assert!(refused.contains("error: the archive `typo` does not exist\nhint: "), "{absent}: {refused}");
    }
    insta::assert_snapshot!(told("run puzzles/maze-2d@easy#1 --agent oracle --name day --detach --store typo"), @"
    exit 1
    --- stderr
    error: `typo` (which does not exist) is not the archive of fleet `quintain`, which is archive OURS at `PLACE/archive`
    hint: name that one with --store or QUINTAIN_STORE; a fleet with another archive needs a name of its own (--fleet)
    ");
    assert!(!fleet.place.path().join("typo").exists() && !fleet.place.path().join("runs/day").exists());

    let second =
        "run puzzles/maze-2d@easy#0 --agent oracle --name night --runs other --detach --fleet other --store second";
    let second = fleet.place.quintain(second);
    assert_eq!(second.code, 0, "another fleet may have another archive: {}", second.text());
    let theirs = of("second");
    let wrong = format!("`second` (archive {theirs}) is not the archive of fleet `quintain`, which is archive OURS at");
    for used in ["steward", "pull night --runs elsewhere", "resume night"] {
        let refused = told(&format!("{used} --store second"));
        assert!(refused.contains(&wrong), "{used}: {refused}");
    }
}

#[test]
fn a_worker_of_another_archive_or_with_a_name_that_is_taken_does_not_begin() {
    let mut fleet = Fleet::stewarded();
    fleet.worker("atlas");
    let other = "run puzzles/maze-2d@easy#0 --agent oracle --name night --detach --fleet other --store second";
    assert_eq!(fleet.place.quintain(other).code, 0);
    let wrong = fleet.place.quintain("worker --name borea --can puzzles --store second");
    assert_eq!(wrong.code, 1, "{}", wrong.text());
    assert!(wrong.stderr.contains(") is not the archive of fleet `quintain`, which is archive "), "{}", wrong.text());
    // One on the same host is known by its mark, one on another host by being heard of again.
    for more in ["--slots 1", "--scratch elsewhere"] {
        let second = fleet.place.quintain(&format!("worker --name atlas --can puzzles {more}"));
        assert_eq!(second.code, 1, "{}", second.text());
        assert!(second.stderr.contains("a worker named `atlas` is at work in this fleet already"), "{}", second.text());
    }
    fleet.signal(1, "-KILL");
    fleet.children[1].wait().unwrap();
    fleet.begin(&["worker", "--name", "atlas", "--can", "puzzles", "--slots", "3"]);
    wait_for("another worker of that name", || fleet.status()["hosts"][0]["slots"] == 3);
}

#[test]
fn an_old_server_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let info = r#"{"server_id":"A","version":"2.9.10","max_payload":1024576,"proto":1,"headers":true,"host":"127.0.0.1","port":4222}"#;
            stream.write_all(format!("INFO {info}\r\n").as_bytes()).unwrap();
            for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
                if line.starts_with("PING") {
                    stream.write_all(b"PONG\r\n").unwrap();
                }
            }
        }
    });
    let refused = Place::new().quintain(&format!("worker --can puzzles --nats nats://127.0.0.1:{port}"));
    let told = refused.text().replace(&port.to_string(), "PORT");
    assert!(
        told.contains("error: the NATS server at nats://127.0.0.1:PORT is version 2.9.10; 2.12 or newer is needed"),
        "{told}"
    );
}

#[test]
fn the_doctor_looks_at_the_fleet_that_is_named() {
    let mut fleet = Fleet::new();
    let told = |place: &Place| {
        let findings = place.quintain("doctor --json").stdout;
        let findings: Vec<Value> = serde_json::from_str(&findings).unwrap();
        let ours = findings.into_iter().filter(|finding| finding["what"].as_str().unwrap().contains("(for fleets)"));
        ours.map(|finding| finding["fine"].as_bool().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(told(&fleet.place), [true, true]);
    fleet.nats.kill(0);
    assert_eq!(told(&fleet.place), [false, true]);
    assert!(told(&Place::new()).is_empty(), "nobody named a fleet");
}
