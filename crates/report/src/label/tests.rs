use insta::assert_snapshot;
use proptest::prelude::*;
use quintain_core::agent::Reply;
use quintain_core::digest::Digest;
use quintain_core::ending::{Ending, Exhausted};
use quintain_core::limits::Spent;
use quintain_core::score::Score;
use quintain_core::trajectory::Feedback;
use quintain_core::verdict::Digests;

use super::*;

/// A trial in short: one word a step, `view:deed`, with `!` for refused, `?` for not understood, `=` for carried out
/// without change. A leading `~` on the view means that the agent was not told what came of its last deed.
fn trial(script: &str) -> Vec<Step> {
    script.split_whitespace().map(step).collect()
}

fn step(word: &str) -> Step {
    let (view, deed) = word.split_once(':').unwrap();
    let told = !view.starts_with('~');
    let mut shown = Shown::default();
    shown.pictures.insert(Part::Screen, Digest::of(view.trim_start_matches('~').as_bytes()));
    if told {
        shown.texts.insert(Part::Feedback, "something".to_owned());
    }
    let name = deed.trim_end_matches(['!', '?', '=']);
    let feedback = match deed.chars().last() {
        Some('!') => Feedback::refused("no"),
        Some('?') => Feedback::misread("what?"),
        Some('=') => Feedback::unchanged("nothing"),
        _ => Feedback::changed("yes"),
    };
    let action = match name {
        "look" => Action::Screenshot,
        name => Action::call(name, []),
    };
    Step {
        shown,
        reply: Reply::text(name),
        action: (feedback.effect != Effect::Misread).then_some(action),
        spent: Spent::default(),
        feedback: Some(feedback),
    }
}

fn verdict(ending: Ending, solved: bool) -> Verdict {
    let digest = Digest::of(b"");
    Verdict {
        ending,
        score: Score::of(solved),
        solved,
        findings: Vec::new(),
        milestones: Vec::new(),
        digests: Digests { task: digest, world: digest, instance: digest },
        source: None,
        fault: None,
        outside: false,
    }
}

fn check(script: &str) -> String {
    shown(&labels(&trial(script), &verdict(Ending::Truncated(Exhausted::Steps), false), &Limits::steps(20)))
}

fn shown(labels: &[Label]) -> String {
    let lines: Vec<String> = labels.iter().map(|l| format!("{} {}-{}", l.kind, l.from, l.to)).collect();
    if lines.is_empty() { "none".to_owned() } else { lines.join("\n") }
}

#[test]
fn progress_has_no_labels() {
    assert_snapshot!(check("a:up b:up c:left d:up e:done"), @"none");
    assert_snapshot!(check(""), @"none");
}

#[test]
fn doing_the_same_in_the_same_situation_is_looping() {
    assert_snapshot!(check("a:go b:up b:up c:up"), @"none");
    assert_snapshot!(check("a:go b:up b:up b:up c:go"), @"action looping 1-3");
}

#[test]
fn going_round_in_a_circle_is_looping() {
    assert_snapshot!(check("a:left b:right a:left b:right a:left"), @"none");
    assert_snapshot!(check("x:go a:left b:right a:left b:right a:left b:right y:go"), @"action looping 1-6");
    assert_snapshot!(check("a:n b:e c:s d:w a:n b:e c:s d:w a:n b:e c:s d:w"), @"action looping 0-11");
}

#[test]
fn a_circle_of_refusals_is_looping_and_one_refusal_again_and_again_is_not() {
    assert_snapshot!(check("~a:l! ~a:r! ~a:l! ~a:r! ~a:l! ~a:r!"), @"action looping 0-5");
    assert_snapshot!(check("~a:up! ~a:up! ~a:up! ~a:up! ~a:up! ~a:up!"), @"repeated invalid action 0-5");
}

#[test]
fn the_same_refusal_three_times_is_a_habit() {
    assert_snapshot!(check("~a:up! ~a:up! ~a:left"), @"none");
    assert_snapshot!(check("~a:up! ~a:up! ~a:up! ~a:left"), @"repeated invalid action 0-2");
    assert_snapshot!(check("~a:hm? ~a:hm? ~a:hm? ~a:left"), @"repeated invalid action 0-2");
    assert_snapshot!(check("~a:hm? ~a:well? ~a:hm? ~a:left"), @"none");
}

#[test]
fn repeating_what_was_just_refused_ignores_the_feedback() {
    assert_snapshot!(check("a:up! a:up! a:left"), @"ignored feedback 0-1");
    assert_snapshot!(check("a:up! a:left! a:up!"), @"none");
    assert_snapshot!(check("a:up! ~a:up! a:left"), @"none");
}

#[test]
fn accepted_actions_that_show_nothing_have_no_visible_effect() {
    assert_snapshot!(check("a:p a:q= a:r a:s b:t"), @"no visible effect 0-2");
    assert_snapshot!(check("a:p a:look a:q a:look a:r a:look b:s"), @"no visible effect 0-4");
    assert_snapshot!(check("a:p a:q a:r! a:s a:t b:u"), @"none");
    // What the last action showed is not recorded, so it is not counted.
    assert_snapshot!(check("a:p a:q a:r"), @"none");
}

#[test]
fn stopping_early_needs_more_than_half_left_and_an_unsolved_end() {
    let early = |n: usize, ending: Ending, solved| {
        let steps: Vec<Step> = (0..n).map(|i| step(&format!("v{i}:go"))).collect();
        shown(&labels(&steps, &verdict(ending, solved), &Limits::steps(20)))
    };
    assert_snapshot!(early(9, Ending::Done, false), @"early stop 8-8");
    assert_snapshot!(early(10, Ending::Done, false), @"none");
    assert_snapshot!(early(3, Ending::GaveUp, false), @"early stop 2-2");
    assert_snapshot!(early(3, Ending::Done, true), @"none");
    assert_snapshot!(early(3, Ending::Truncated(Exhausted::Time), false), @"none");
}

#[test]
fn texts_are_the_view_where_there_are_no_pictures() {
    let mut steps = trial("a:up a:up a:up b:go");
    for step in &mut steps {
        step.shown.pictures.clear();
        step.shown.texts.insert(Part::Ascii, "#####".to_owned());
    }
    let unsolved = verdict(Ending::Truncated(Exhausted::Steps), false);
    assert_snapshot!(shown(&labels(&steps, &unsolved, &Limits::steps(4))), @r"
    action looping 0-2
    no visible effect 0-2
    ");
}

proptest! {
    #[test]
    fn labels_point_at_steps_that_exist(script in "([ab]:[lr][!?=]? ){0,40}") {
        let steps = trial(&script);
        for found in labels(&steps, &verdict(Ending::Done, false), &Limits::steps(100)) {
            prop_assert!(found.from <= found.to && (found.to as usize) < steps.len(), "{found:?}");
        }
    }
}
