//! Notes: fields of the answer that are written down on the way.

use quintain_core::action::{Action, Dialect};
use quintain_core::event::TrialEvent;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::task::{Task, TaskFiles};
use quintain_core::trial::{Played, TrialResult};

use crate::ladder::{Game, TASK, lines, steps, task};

/// A ladder whose climber tells what it saw.
fn game() -> Game {
    let noted = TASK.replace("act = [\"call\"]", "act = [\"call\", \"note\"]").replace(
        "[limits]",
        "[result]\nkind = \"fields\"\nfields = { who = \"text\", rungs = \"number\" }\n\n[limits]",
    );
    Game { task: task(&noted), ..Game::new() }
}

/// What agents were told, then the answers on record: after each step that changed something, then at the end.
fn told(text: &str) -> String {
    let (played, memory) = game().play(&mut lines(text), &[]);
    assert!(matches!(played, Ok(Played::Ended(_))), "{played:?}");
    let line = |event: &TrialEvent| match event {
        TrialEvent::Turn { feedback: Some(feedback), .. } => Some(format!("heard {}", feedback.text)),
        TrialEvent::Snapshot { after_steps, evidence } => {
            Some(format!("after {after_steps}: {}", serde_json::json!(evidence.answer)))
        }
        TrialEvent::Collected { evidence } => Some(format!("handed in {}", serde_json::json!(evidence.answer))),
        TrialEvent::Stopped { ending, .. } => Some(format!("ended: {ending}")),
        _ => None,
    };
    memory.events.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn notes_add_up_and_stopping_hands_them_in() {
    insta::assert_snapshot!(told(r#"note({"who": "Ann"}); step(1); note({"rungs": 3}); note({"who": "Bob"}); stop()"#), @r#"
    after 1: {"who":"Ann"}
    heard Noted.
    after 2: {"who":"Ann"}
    heard climbed
    after 3: {"rungs":3,"who":"Ann"}
    heard Noted.
    after 4: {"rungs":3,"who":"Bob"}
    heard Noted.
    ended: done
    handed in {"rungs":3,"who":"Bob"}
    "#);
}

#[test]
fn an_answer_takes_the_place_of_what_was_noted() {
    insta::assert_snapshot!(told(r#"note({"who": "Ann"}); answer({"who": "Bob", "rungs": 2})"#), @r#"
    after 1: {"who":"Ann"}
    heard Noted.
    after 2: {"rungs":2,"who":"Bob"}
    ended: answered
    handed in {"rungs":2,"who":"Bob"}
    "#);
}

#[test]
fn notes_of_another_shape_are_told_so_and_change_nothing() {
    let said =
        r#"note({"whom": "Ann"}); note({"rungs": "three"}); note({}); note("Ann"); note({"who": "Ann"}); stop()"#;
    insta::assert_snapshot!(told(said), @r#"
    heard `whom` of the note was not asked for: the fields are `rungs`, `who`
    heard `rungs` of the note must be a number
    heard a note has at least one of `rungs`, `who`
    heard a note is an object with fields of the answer
    after 5: {"who":"Ann"}
    heard Noted.
    ended: done
    handed in {"who":"Ann"}
    "#);
}

#[test]
fn what_was_noted_counts_when_the_steps_run_out() {
    insta::assert_snapshot!(told(r#"note({"who": "Ann"}); step(1); step(1); step(1); step(1); step(1)"#).lines().last().unwrap(), @r#"
    handed in {"who":"Ann"}
    "#);
}

#[test]
fn a_cut_trial_remembers_its_notes() {
    let text = r#"note({"who": "Ann"}); step(1); note({"rungs": 3}); stop()"#;
    let (whole, record) = game().play(&mut lines(text), &[]);
    let whole_steps = steps(&record.events);
    let handed_in = |events: &[TrialEvent]| {
        events.iter().find_map(|event| match event {
            TrialEvent::Collected { evidence } => evidence.answer.clone(),
            _ => None,
        })
    };
    for n_recorded in 0..whole_steps.len() {
        let (played, again) = game().play(&mut lines(text), &whole_steps[..n_recorded]);
        assert_eq!(played.as_ref().unwrap(), whole.as_ref().unwrap(), "cut after {n_recorded}");
        assert_eq!(handed_in(&again.events), handed_in(&record.events));
    }
    let Ok(Played::Ended(TrialResult { verdict, .. })) = whole else { panic!("it ends") };
    assert!(!verdict.solved, "the ladder was not climbed");
}

#[test]
fn every_dialect_reads_a_note_where_notes_are_taken_and_nowhere_else() {
    let dialects = [
        Dialect::Tolerant,
        Dialect::Anthropic,
        Dialect::OpenAi,
        Dialect::Google,
        Dialect::Gemini,
        Dialect::BrowserGym,
        Dialect::Pyautogui,
        Dialect::Marks,
    ];
    let written = [r#"note({"who": "Ann"})"#, r#"{"name": "note", "arguments": {"who": "Ann"}}"#];
    let taking = Surface { groups: [ActionGroup::Gui, ActionGroup::Note].into(), ..Surface::default() };
    let deaf = Surface { groups: [ActionGroup::Gui].into(), ..Surface::default() };
    let fields = serde_json::json!({"who": "Ann"}).as_object().cloned().unwrap();
    for dialect in dialects {
        for said in written {
            assert_eq!(dialect.read(said, &taking), Ok(Action::Note { fields: fields.clone() }), "{dialect:?}: {said}");
            assert!(dialect.read(said, &deaf).is_err(), "{dialect:?}: {said}");
        }
    }
    let canonical = r#"{"do": "note", "fields": {"who": "Ann"}}"#;
    assert_eq!(Dialect::Canonical.read(canonical, &taking), Ok(Action::Note { fields }));
    assert!(Dialect::Canonical.read(canonical, &deaf).is_err());
}

#[test]
fn an_agent_is_told_of_notes_where_they_are_taken() {
    let briefing = |game: &Game| {
        let (_, memory) = game.play(&mut lines("stop()"), &[]);
        memory.events.iter().find_map(|event| match event {
            TrialEvent::Began { briefing, .. } => Some(briefing.prompt()),
            _ => None,
        })
    };
    let with_notes = briefing(&game()).unwrap();
    insta::assert_snapshot!(with_notes.lines().find(|line| line.contains("note(")).unwrap(), @r#"
    - note({"rungs": ...}): write fields of the answer down as you find them, and go on; what you note stays unless you note it anew, and stop() hands in what is noted.
    "#);
    assert!(!briefing(&Game::new()).unwrap().contains("note("));
}

#[test]
fn what_is_unsound_about_notes_and_chains_is_told() {
    let wrong = TASK
        .replace("act = [\"call\"]", "act = [\"call\", \"note\"]")
        .replace("[[milestones]]", "[[milestones]]\nneeds = [\"first rung\"]\nweight = -1\nhold = \"ever\"")
        .replace(
            "{ name = \"one\", kind = \"exact\" }",
            "{ name = \"one\", kind = \"exact\", selector = \"answer/who\" }",
        );
    let bare = TASK.split("[[milestones]]").next().unwrap().to_owned() + "[compose]\nhow = \"chain\"\n";
    let problems = |toml: &str| {
        let files: TaskFiles = [
            ("task.toml".to_owned(), toml.as_bytes().to_vec()),
            ("instruction.md".to_owned(), b"Climb.".to_vec()),
            ("reference/canary.txt".to_owned(), b"canary-1".to_vec()),
        ]
        .into();
        Task::from_files("test", &files).expect_err("it is unsound").to_string()
    };
    insta::assert_snapshot!(problems(&wrong), @r#"
    task.toml:25:1: milestone `first rung` needs `first rung`, which is no milestone before it
    hint: name milestones that stand above it
    task.toml:27:1: milestone `first rung` reads the answer and holds `ever`
    hint: guesses could be noted one by one until one is right: write hold = "end", or leave it out
    task.toml:26:1: the weight of milestone `first rung` is -1
    hint: a weight is 0 or more
    task.toml:12:1: `note` is allowed, and no answer is asked for
    hint: write result.kind = "fields" and say which, or take `note` out
    "#);
    insta::assert_snapshot!(problems(&bare), @"
    task.toml:25:1: `chain` makes the score of milestones, and there are none
    hint: declare [[milestones]], or compose by `all` or `weighted`
    ");
}
