//! Programs that play: what they are told, and what becomes of those that misbehave.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use quintain_agents::Subprocess;
use quintain_core::action::Dialect;
use quintain_core::{Agent, Limits, Observation, ObservationPart, Reply, Turn};
use quintain_process::sandbox::ProgramAccess;
use serde_json::Value;

use crate::maze::{Game, Outcome};

/// The programs sleep for a thousand seconds where they hang, so whatever ends before this was ended.
const PATIENCE: Duration = Duration::from_mins(2);

fn sh(script: &str) -> Subprocess {
    Subprocess::new(["sh", "-c", script].map(str::to_owned), ProgramAccess::Host)
}

/// Plays a shell script that first leaves its process number, and makes sure that nothing of it is left.
fn play(game: &Game, script: &str) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let number = folder.path().join("number");
    let outcome = game.play(&mut sh(&format!("echo $$ > '{}'\n{script}", number.display())));
    assert!(!Path::new("/proc").join(read_number(&number)).exists(), "the process is gone and reaped");
    outcome
}

fn read_number(path: &Path) -> String {
    fs::read_to_string(path).expect("the program left a number").trim().to_owned()
}

/// The story with the script left out of it.
fn story(outcome: &Outcome) -> String {
    let story = outcome.story();
    let Some((before, (_, after))) = story.split_once("agent `sh").and_then(|(a, b)| Some((a, b.split_once("...` ")?)))
    else {
        return story;
    };
    format!("{before}agent {after}")
}

fn misbehave(script: &str) -> String {
    story(&play(&Game::new(), script))
}

fn in_a_hurry() -> Game {
    Game { call_limit: Duration::from_secs(1), ..Game::new() }
}

#[test]
fn a_program_that_keeps_silent_is_late() {
    let outcome = play(&in_a_hurry(), "cat > /dev/null");
    insta::assert_snapshot!(story(&outcome), @" | out of time, score 0");
    assert!(outcome.took < PATIENCE, "{:?}", outcome.took);
}

#[test]
fn a_program_says_in_which_dialect_it_speaks() {
    let said = |dialect: &str| {
        let reply = r#"{"reply": "report_infeasible()", "seen": [640, 360]"#;
        play(
            &Game::new(),
            &format!("read b; read t; echo '{reply}{dialect}}}'; read t; echo '{{\"reply\": \"stop()\"}}'; read e"),
        )
    };
    let outcome = said(r#", "dialect": "browsergym""#);
    insta::assert_snapshot!(outcome.story(), @r#"{"do":"give_up","reason":""} | gave up, score 0"#);
    assert_eq!(outcome.steps[0].reply.dialect, Some(Dialect::BrowserGym), "it is on record");
    insta::assert_snapshot!(said("").story(), @"? done | done, score 0");
}

#[test]
fn a_program_that_is_slow_is_late() {
    let outcome = play(&in_a_hurry(), "read b; read t; sleep 1000; echo '{\"reply\": \"stop()\"}'");
    insta::assert_snapshot!(story(&outcome), @" | out of time, score 0");
    assert!(outcome.took < PATIENCE, "{:?}", outcome.took);
}

#[test]
fn a_program_that_drips_bytes_is_late() {
    let outcome = play(&in_a_hurry(), "read b; read t; while printf .; do sleep 0.01; done");
    insta::assert_snapshot!(story(&outcome), @" | out of time, score 0");
}

#[test]
fn a_program_that_does_not_read_is_late() {
    let mut agent = sh("sleep 1000");
    agent.begin(&briefing()).unwrap();
    let seen = Observation::default().with_text(ObservationPart::Ascii, "#".repeat(1 << 20));
    let began = Instant::now();
    let within = Duration::from_millis(200);
    assert_eq!(agent.act(&turn(&seen), within), Err(quintain_core::AgentError::Late(within)));
    assert!(began.elapsed() < PATIENCE);
}

#[test]
fn a_program_that_crashes_has_broken_and_its_last_words_are_told() {
    let script = "read b; i=0; while [ $i -lt 9000 ]; do i=$((i+1)); echo line $i >&2; done; echo oops >&2; exit 3";
    let story = misbehave(script);
    let lines: Vec<&str> = story.lines().collect();
    insta::assert_snapshot!(lines[0], @" | broke: exit, score 0: agent exited with status 3; its last words on standard error:");
    assert_eq!((lines.len(), lines[1], lines[12]), (13, "line 8990", "oops"));
}

#[test]
fn programs_that_break_the_protocol_have_broken() {
    let begin = "read b; read t;";
    let told = [
        misbehave(&format!("{begin} echo hello; cat > /dev/null")),
        misbehave(&format!("{begin} echo '{{\"replay\": \"stop()\"}}'; cat > /dev/null")),
        misbehave(&format!("{begin} echo '{{\"thought\": \"hm\"}}'; cat > /dev/null")),
        misbehave(&format!("{begin} echo '{{\"reply\": 3}}'; cat > /dev/null")),
        misbehave(&format!("{begin} echo '{{\"reply\": \"stop()\", \"step\": 4}}'; cat > /dev/null")),
        misbehave(&format!("{begin} printf '\\377\\n'; cat > /dev/null")),
        misbehave(&format!("{begin} yes | tr -d '\\n'")),
    ];
    insta::assert_snapshot!(told.join("\n"), @r#"
    | broke: protocol, score 0: agent broke the protocol: "hello" is no reply: expected value at line 1 column 1
    | broke: protocol, score 0: agent broke the protocol: "{\"replay\": \"stop()\"}" is no reply: unknown field `replay`, expected one of `reply`, `thought`, `usage`, `step`, `fault`, `dialect`, `seen` at line 1 column 9
    | broke: protocol, score 0: agent broke the protocol: "{\"thought\": \"hm\"}" is no reply: either `reply` or `fault` is wanted
    | broke: protocol, score 0: agent broke the protocol: "{\"reply\": 3}" is no reply: invalid type: integer `3`, expected a string at line 1 column 11
    | broke: protocol, score 0: agent broke the protocol: it answered turn 4 when asked for turn 0
    | broke: protocol, score 0: agent broke the protocol: a line was not UTF-8
    | broke: protocol, score 0: agent broke the protocol: a line was longer than 1048576 bytes
    "#);
}

/// What becomes of a program that says it used this much.
fn charge(usage: &str) -> String {
    misbehave(&format!(r#"read b; read t; echo '{{"reply": "stop()", "usage": {{{usage}}}}}'; cat > /dev/null"#))
}

#[test]
fn what_a_reply_uses_is_within_reason() {
    let told = [
        charge(r#""input_tokens": 1000000000000, "output_tokens": 0, "cost_usd": 1e6"#),
        charge(r#""input_tokens": 1000000000001, "output_tokens": 1"#),
        charge(r#""input_tokens": 1, "output_tokens": 18446744073709551615"#),
        charge(r#""input_tokens": 1, "output_tokens": 1, "cached_tokens": 1000000000001"#),
        charge(r#""input_tokens": 1, "output_tokens": 1, "cost_usd": -0.01"#),
        charge(r#""input_tokens": 1, "output_tokens": 1, "cost_usd": 1000000.01"#),
        charge(r#""input_tokens": 1, "output_tokens": 1, "cost_usd": 1e308"#),
    ];
    insta::assert_snapshot!(told.join("\n"), @"
    done | done, score 0
     | broke: protocol, score 0: agent broke the protocol: `input_tokens` is 1000000000001, and one reply may count 1000000000000 at most
     | broke: protocol, score 0: agent broke the protocol: `output_tokens` is 18446744073709551615, and one reply may count 1000000000000 at most
     | broke: protocol, score 0: agent broke the protocol: `cached_tokens` is 1000000000001, and one reply may count 1000000000000 at most
     | broke: protocol, score 0: agent broke the protocol: `cost_usd` is -0.01, and one reply may cost from 0 to 1000000
     | broke: protocol, score 0: agent broke the protocol: `cost_usd` is 1000000.01, and one reply may cost from 0 to 1000000
     | broke: protocol, score 0: agent broke the protocol: `cost_usd` is 1e308, and one reply may cost from 0 to 1000000
    ");
}

#[test]
fn a_line_that_nobody_asked_for_breaks_the_protocol() {
    let reply = r#"echo '{"reply": "move(0)", "step": 0}'"#;
    let told = misbehave(&format!("read b; read t; {reply}; {reply}; cat > /dev/null"));
    assert!(told.starts_with("move(0) | broke: protocol, score 0: agent broke the protocol: it "), "{told}");
}

#[test]
fn programs_that_leave_have_broken() {
    let told = [
        misbehave("exit 0"),
        misbehave("read b; read t; kill -TERM $$"),
        misbehave("exec >&-; sleep 1000"),
        story(&play(&Game { call_limit: Duration::from_secs(3), ..Game::new() }, "sleep 1000 & exit 4")),
    ];
    insta::assert_snapshot!(told.join("\n"), @"
    | broke: exit, score 0: agent exited with status 0
    | broke: exit, score 0: agent was ended by signal 15
    | broke: exit, score 0: agent closed its pipes or was killed
    | broke: exit, score 0: agent exited with status 4
    ");
}

#[test]
fn a_program_that_is_not_there_is_a_fault() {
    let mut agent = Subprocess::new(["/nowhere/to/be-found".to_owned()], ProgramAccess::Host);
    insta::assert_snapshot!(Game::new().play(&mut agent).story(), @" | harness fault, score 0: agent `/nowhere/to/be-found` cannot be started: No such file or directory (os error 2)");
}

#[test]
fn a_program_that_blames_its_provider_has_broken_by_its_own_word() {
    let script = r#"read b; read t; echo '{"fault": "529 overloaded"}'; cat > /dev/null"#;
    insta::assert_snapshot!(misbehave(script), @" | broke: declared, score 0: 529 overloaded");
}

#[test]
fn what_a_program_started_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let number = folder.path().join("helper");
    let script = format!("sleep 1000 > /dev/null & echo $! > '{}'; read b; read t; exit 1", number.display());
    play(&Game::new(), &script);
    let status = Path::new("/proc").join(read_number(&number)).join("stat");
    let deadline = Instant::now() + PATIENCE;
    // The helper's own parent may take its time to reap it, but it must be dead.
    while fs::read_to_string(&status).is_ok_and(|status| !status.contains(") Z")) {
        assert!(Instant::now() < deadline, "the helper still runs");
        std::thread::yield_now();
    }
}

#[test]
fn a_program_that_stays_after_the_end_is_killed() {
    let script = r#"trap '' TERM; read b; read t; echo '{"reply": "stop()"}'; while :; do sleep 1000; done"#;
    let outcome = play(&Game::new(), script);
    insta::assert_snapshot!(story(&outcome), @"done | done, score 0");
    assert!(outcome.took < PATIENCE, "{:?}", outcome.took);
}

const NOTEBOOK: &str = r#"
import json, sys
notebook = open(sys.argv[1], "w")
for line in sys.stdin:
    message = json.loads(line)
    notebook.write(line)
    if message["type"] == "turn":
        reply = ["('move', 0)", "('move', 1)", "('stop', 'stop')"][message["step"]]
        usage = {"input_tokens": 100, "output_tokens": 7, "cost_usd": 0.25}
        print(json.dumps({"reply": reply, "thought": "hm", "usage": usage, "step": message["step"]}), flush=True)
notebook.write("closed\n")
"#;

/// Plays a program that writes down all it is told; gives back its notes, with what is long made short.
fn notes(game: &Game) -> (Outcome, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notebook");
    let argv = ["python3", "-c", NOTEBOOK, path.to_str().expect("a text")].map(str::to_owned);
    let outcome = game.play(&mut Subprocess::new(argv, ProgramAccess::Host));
    let text = fs::read_to_string(&path).expect("notes");
    (outcome, text.lines().map(shortened).collect())
}

fn shortened(line: &str) -> String {
    let Ok(mut message) = serde_json::from_str::<Value>(line) else { return line.to_owned() };
    if let Some(picture) = message.pointer_mut("/observation/screen/png_base64") {
        assert!(picture.as_str().is_some_and(|png| png.starts_with("iVBORw0KGgo")), "{picture}");
        *picture = "PNG".into();
    }
    if let Some(map) = message.pointer_mut("/observation/ascii") {
        *map = "MAP".into();
    }
    message.to_string()
}

#[test]
fn a_program_is_told_everything_and_the_end() {
    let (outcome, notes) = notes(&Game::new());
    let briefing: Value = serde_json::from_str(&notes[0]).unwrap();
    assert_eq!((&briefing["quintain"], &briefing["type"]), (&1.into(), &"begin".into()));
    assert!(briefing["briefing"]["prompt"].as_str().is_some_and(|prompt| prompt.contains("('move', 0)")));
    insta::assert_snapshot!(notes[1..].join("\n"), @r#"
    {"observation":{"ascii":"MAP","remaining":{"steps":40},"screen":{"height":5,"png_base64":"PNG","width":7}},"step":0,"type":"turn"}
    {"observation":{"ascii":"MAP","feedback":"moved","remaining":{"steps":39},"screen":{"height":5,"png_base64":"PNG","width":7}},"step":1,"type":"turn"}
    {"observation":{"ascii":"MAP","feedback":"a wall","remaining":{"steps":38},"screen":{"height":5,"png_base64":"PNG","width":7}},"step":2,"type":"turn"}
    {"type":"end"}
    closed
    "#);
    insta::assert_snapshot!(outcome.story(), @"move(0) move(1) done | done, score 0");
    let last = outcome.steps.last().unwrap();
    assert_eq!(last.reply.thought.as_deref(), Some("hm"));
    assert_eq!((last.spent.tokens, last.spent.cost_usd), (321, 0.75));
}

#[test]
fn what_a_run_hides_is_hidden_from_programs() {
    let (_, notes) = notes(&Game { show: [ObservationPart::Feedback].into(), ..Game::new() });
    insta::assert_snapshot!(notes[1..].join("\n"), @r#"
    {"observation":{},"step":0,"type":"turn"}
    {"observation":{"feedback":"moved"},"step":1,"type":"turn"}
    {"observation":{"feedback":"a wall"},"step":2,"type":"turn"}
    {"type":"end"}
    closed
    "#);
}

#[test]
fn a_program_is_reminded_of_what_it_said_before_a_crash() {
    let past = notes(&Game::new()).0.steps[..2].to_vec();
    let game = Game { past, show: Game::new().show, ..Game::new() };
    let (outcome, notes) = notes(&game);
    insta::assert_snapshot!(notes[1..].join("\n"), @r#"
    {"observation":{"ascii":"MAP","remaining":{"steps":40},"screen":{"height":5,"png_base64":"PNG","width":7}},"reply":"('move', 0)","step":0,"thought":"hm","type":"recall"}
    {"observation":{"ascii":"MAP","feedback":"moved","remaining":{"steps":39},"screen":{"height":5,"png_base64":"PNG","width":7}},"reply":"('move', 1)","step":1,"thought":"hm","type":"recall"}
    {"observation":{"ascii":"MAP","feedback":"a wall","remaining":{"steps":38},"screen":{"height":5,"png_base64":"PNG","width":7}},"step":2,"type":"turn"}
    {"type":"end"}
    closed
    "#);
    insta::assert_snapshot!(outcome.story(), @"move(0) move(1) done | done, score 0");
}

#[test]
fn a_program_that_dies_of_its_memories_has_broken() {
    let past = notes(&Game::new()).0.steps[..2].to_vec();
    let game = Game { past, ..Game::new() };
    insta::assert_snapshot!(story(&play(&game, "read b; read first; exit 5")), @"move(0) move(1) | broke: exit, score 0: agent exited with status 5");
}

#[test]
fn a_program_that_answers_its_memories_has_broken() {
    let past = notes(&Game::new()).0.steps[..2].to_vec();
    let game = Game { past, ..Game::new() };
    let script = r#"read b; while read line; do echo '{"reply": "stop()", "step": 0}'; done"#;
    let told = story(&play(&game, script));
    assert!(told.starts_with("move(0) move(1) | broke: protocol, score 0: agent broke the protocol: it "), "{told}");
}

#[test]
fn a_program_can_play_again_after_it_has_played() {
    let script = r#"read b; read t; echo '{"reply": "stop()"}'"#;
    let mut agent = sh(script);
    for _ in 0..3 {
        assert_eq!(Game::new().play(&mut agent).story(), "done | done, score 0");
    }
}

fn briefing() -> quintain_core::Briefing {
    quintain_core::Briefing {
        instruction: "Walk.".to_owned(),
        surface: quintain_core::Surface::default(),
        limits: Limits::steps(9),
        answer: None,
        history: None,
        effort: None,
        seed: 0,
    }
}

#[test]
fn a_dropped_agent_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let number = folder.path().join("number");
    let mut agent = sh(&format!("echo $$ > '{}'; read b; echo '{{}}'; cat > /dev/null", number.display()));
    agent.begin(&briefing()).unwrap();
    agent.recall(&turn(&Observation::default()), &Reply::text("move(0)"));
    let deadline = Instant::now() + PATIENCE;
    while fs::read_to_string(&number).map_or(true, |text| text.is_empty()) {
        assert!(Instant::now() < deadline, "the program never began");
        std::thread::yield_now();
    }
    drop(agent);
    assert!(!Path::new("/proc").join(read_number(&number)).exists());
}

fn turn(seen: &Observation) -> Turn<'_> {
    let remaining = Limits::steps(9).after(&quintain_core::Spent::default()).expect("nine steps are left");
    Turn { step_idx: 0, observation: seen, remaining }
}
