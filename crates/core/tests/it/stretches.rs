//! Stretches of a task: which there are, what is said of them, what a verdict counts.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use quintain_core::instance::{Stretch, render_stretch};
use quintain_core::task::{Task, TaskFiles};
use quintain_core::trial::{Played, TrialResult};
use quintain_core::verdict::MilestoneReached;

use crate::ladder::{Game, TASK, lines};

/// The ladder with other milestones.
fn files(milestones: &str) -> TaskFiles {
    let head = TASK.split("[[milestones]]").next().expect("a head");
    let toml = format!("{head}\n{milestones}");
    [("task.toml".to_owned(), toml.into_bytes()), ("instruction.md".to_owned(), b"Climb to rung {{ top }}.\n".to_vec())]
        .into()
}

fn milestone(name: &str, rest: &str) -> String {
    format!(
        "[[milestones]]\nname = '{name}'\n{rest}\nchecks = [{{ name = 'c', kind = 'exact', selector = 'documents/ladder' }}]\n"
    )
}

fn three() -> Task {
    let text = ["first", "second", "third"]
        .map(|name| milestone(name, &format!("instruction = 'Reach the {name} rung of {{{{ top }}}}.'")))
        .concat();
    Task::from_files("test", &files(&text)).unwrap_or_else(|problems| panic!("{problems}"))
}

fn stretch(text: &str) -> Stretch {
    text.parse().expect("a stretch")
}

#[test]
fn a_task_says_which_stretches_it_has() {
    let bare = Task::from_files("test", &files("")).unwrap();
    let silent = Task::from_files("test", &files(&milestone("first", ""))).unwrap();
    let rows = [(&bare, "0"), (&bare, "1"), (&silent, "0..1")].into_iter();
    let task = three();
    let rows = rows.chain(["0", "2", "0..3", "2..3", "3", "2..4"].map(|text| (&task, text)));
    let lines: Vec<String> = rows
        .map(|(task, text)| {
            format!("{text}: {}", task.covers(stretch(text)).err().unwrap_or_else(|| "fine".to_owned()))
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    0: fine
    1: task `test/ladder` has no milestones to begin or to end after
    0..1: milestone `first` of task `test/ladder` has no `instruction`: nobody could be told what is asked
    0: fine
    2: fine
    0..3: fine
    2..3: fine
    3: task `test/ladder` has milestones 1 to 3, so `+3` is too far: at least the last one is left to be reached
    2..4: task `test/ladder` has milestones 1 to 3, so `+2..4` is too far: at least the last one is left to be reached
    ");
    let starts = |task: &Task| task.starts().iter().map(ToString::to_string).collect::<Vec<_>>().join("|");
    assert_eq!([starts(&bare), starts(&silent), starts(&task)], ["", "", "|+1|+2"]);
}

#[test]
fn an_agent_is_told_what_is_done_and_what_is_asked() {
    let (task, values) = (three(), BTreeMap::from([("top".to_owned(), 3.into())]));
    let told = ["0", "1", "1..2", "0..2"].map(|text| {
        let instruction = render_stretch(&task, stretch(text), &values).unwrap();
        format!("== {text}\n{instruction}\n")
    });
    insta::assert_snapshot!(told.concat(), @"
    == 0
    Climb to rung 3.
    == 1
    Climb to rung 3.

    This much of it has been done already:
    - Reach the first rung of 3.
    == 1..2
    Climb to rung 3.

    This much of it has been done already:
    - Reach the first rung of 3.

    You are asked for no more of it than this. Stop when it is done:
    - Reach the second rung of 3.
    == 0..2
    Climb to rung 3.

    You are asked for no more of it than this. Stop when it is done:
    - Reach the first rung of 3.
    - Reach the second rung of 3.
    ");
}

#[test]
fn unsound_milestones_are_refused() {
    let problems = |text: &str| Task::from_files("test", &files(text)).unwrap_err().to_string();
    let twice = milestone("first", "instruction = 'Go.'") + &milestone("first", "");
    let broken = milestone("first", "instruction = 'Go {{ up'")
        + &milestone("second", "instruction = 'Go.'\nstart = 'half.json'");
    insta::assert_snapshot!(format!("{}\n\n{}", problems(&twice), problems(&broken)), @"
    task.toml:25:3: two milestones are called `first`
    hint: milestones are told apart by name: rename one
    task.toml:25:3: milestone `first` has no `instruction`, but others have
    hint: say for every milestone what it asks, or for none

    task.toml:32:1: `start` is not supported yet
    hint: it is reserved; take it out
    task.toml:25:3: milestone `first`: the template cannot be read: syntax error: unexpected end of input, expected end of variable block (in instruction:1)
    hint: write parameters as {{ name }}
    ");
}

#[test]
fn completion_leaves_out_what_was_given() {
    let reached = |given, after_steps| MilestoneReached {
        name: "m".to_owned(),
        after_steps,
        given,
        ..MilestoneReached::default()
    };
    let (played, _) = Game::new().play(&mut lines("stop()"), &[]);
    let Ok(Played::Ended(TrialResult { mut verdict, .. })) = played else { panic!("it ends") };
    let mut completion = |milestones| {
        verdict.milestones = milestones;
        verdict.completion()
    };
    let half = completion(vec![reached(true, None), reached(false, Some(3)), reached(false, None)]);
    let all = completion(vec![reached(true, None), reached(true, None), reached(false, Some(3))]);
    assert!((half - 0.5).abs() < 1e-12 && (all - 1.0).abs() < 1e-12, "{half} {all}");
    let as_before = serde_json::to_string(&reached(false, Some(3))).unwrap();
    assert_eq!(as_before, r#"{"name":"m","after_steps":3}"#);
    assert_eq!(serde_json::to_string(&reached(true, None)).unwrap(), r#"{"name":"m","after_steps":null,"given":true}"#);
    assert_eq!(Stretch::only(NonZeroU32::MIN), stretch("0..1"));
}
