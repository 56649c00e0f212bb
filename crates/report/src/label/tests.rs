use insta::assert_snapshot;
use proptest::prelude::*;
use quintain_core::action::{Action, Button, Place};
use quintain_core::agent::{Briefing, Reply, Slip, SlipKind};
use quintain_core::check::Finding;
use quintain_core::digest::Digest;
use quintain_core::ending::{Ending, Exhausted};
use quintain_core::limits::{Limits, Spent};
use quintain_core::observation::{ObservationPart, Shown};
use quintain_core::score::Score;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::trajectory::{Effect, Feedback};
use quintain_core::verdict::{Digests, MilestoneReached};

use super::*;

/// A trial in short: one word a step, `view:deed`, with `!` for refused, `?` for not understood, `=` for carried out
/// without change; `click@120` clicks 120 pixels from the left. A leading `~` on the view means that the agent was not told what came of its last deed.
fn trial(script: &str) -> Vec<Step> {
    script.split_whitespace().map(step).collect()
}

fn step(word: &str) -> Step {
    let (view, deed) = word.split_once(':').unwrap();
    let told = !view.starts_with('~');
    let mut shown = Shown::default();
    shown.pictures.insert(ObservationPart::Screen, Digest::of(view.trim_start_matches('~').as_bytes()));
    if told {
        shown.texts.insert(ObservationPart::Feedback, "something".to_owned());
    }
    let name = deed.trim_end_matches(['!', '?', '=']);
    let place = name.split_once('@').map(|(_, x)| Place::from((x.parse().unwrap(), 100.0)));
    let feedback = match deed.chars().last() {
        Some('!') => Feedback::refused("no"),
        Some('?') => Feedback::misread("what?"),
        Some('=') => Feedback::unchanged("nothing"),
        _ => Feedback::changed("yes"),
    };
    let action = match name {
        "look" => Action::Screenshot,
        "scroll" => Action::Scroll { at: None, dx: 0.0, dy: 120.0 },
        name if name.starts_with("click") => Action::Click { at: place, button: Button::Left, held: Vec::new() },
        name if name.starts_with("double") => Action::DoubleClick { at: place, button: Button::Left },
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

fn briefing(steps: u32) -> Briefing {
    Briefing {
        instruction: String::new(),
        surface: Surface::default(),
        limits: Limits::steps(steps),
        answer: None,
        history: None,
        effort: None,
        seed: 0,
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
        state_score: None,
        outside: false,
    }
}

fn check(script: &str) -> String {
    shown(&labels(&trial(script), &verdict(Ending::Truncated(Exhausted::Steps), false), &briefing(20)))
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
    assert_snapshot!(check("a:go b:up b:up b:up c:go"), @"looping 1-3");
}

#[test]
fn going_round_in_a_circle_is_looping() {
    assert_snapshot!(check("a:left b:right a:left b:right a:left"), @"state mismanagement 0-4");
    assert_snapshot!(check("x:go a:left b:right a:left b:right a:left b:right y:go"), @"looping 1-6");
    assert_snapshot!(check("a:n b:e c:s d:w a:n b:e c:s d:w a:n b:e c:s d:w"), @"looping 0-11");
}

#[test]
fn a_circle_of_refusals_is_looping_and_one_refusal_again_and_again_is_not() {
    assert_snapshot!(check("~a:l! ~a:r! ~a:l! ~a:r! ~a:l! ~a:r!"), @"looping 0-5");
    assert_snapshot!(check("~a:up! ~a:up! ~a:up! ~a:up! ~a:up! ~a:up!"), @"repeated invalid action 0-5");
}

#[test]
fn the_same_refusal_three_times_is_a_habit() {
    assert_snapshot!(check("~a:up! ~a:up! ~a:left"), @"none");
    assert_snapshot!(check("~a:up! ~a:up! ~a:up! ~a:left"), @"repeated invalid action 0-2");
    assert_snapshot!(check("~a:hm? ~a:hm? ~a:hm? ~a:left"), @"
    repeated invalid action 0-2
    protocol violation 0-2
    ");
    assert_snapshot!(check("~a:hm? ~a:well? ~a:hm? ~a:left"), @"protocol violation 0-2");
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
        shown(&labels(&steps, &verdict(ending, solved), &briefing(20)))
    };
    assert_snapshot!(early(9, Ending::Done, false), @"early stop 8-8");
    assert_snapshot!(early(10, Ending::Done, false), @"none");
    assert_snapshot!(early(3, Ending::GaveUp, false), @"early stop 2-2");
    assert_snapshot!(early(3, Ending::Done, true), @"none");
    assert_snapshot!(early(3, Ending::Truncated(Exhausted::Time), false), @"timeout 2-2");
}

#[test]
fn texts_are_the_view_where_there_are_no_pictures() {
    let mut steps = trial("a:up a:up a:up b:go");
    for step in &mut steps {
        step.shown.pictures.clear();
        step.shown.texts.insert(ObservationPart::Ascii, "#####".to_owned());
    }
    let unsolved = verdict(Ending::Truncated(Exhausted::Steps), false);
    assert_snapshot!(shown(&labels(&steps, &unsolved, &briefing(4))), @r"
    looping 0-2
    no visible effect 0-2
    ");
}

#[test]
fn doing_the_same_in_an_old_place_is_a_loss_of_memory() {
    assert_snapshot!(check("a:up b:up c:down a:up b:go"), @"state mismanagement 0-3");
    assert_snapshot!(check("~a:up! ~a:left ~b:down ~c:right ~a:up! ~a:go"), @"state mismanagement 0-4");
    // It led elsewhere, so it only looked like the same place.
    assert_snapshot!(check("a:up b:up c:down a:up d:go"), @"none");
    // Another deed there, only a look there, too short ago, or never left: none of these.
    assert_snapshot!(check("a:up b:up c:down a:left d:go"), @"none");
    assert_snapshot!(check("a:look b:up c:down a:look d:go"), @"none");
    assert_snapshot!(check("a:up b:down a:up c:go"), @"none");
    assert_snapshot!(check("a:up= a:left= a:down= a:up= b:go"), @"no visible effect 0-2");
}

#[test]
fn undoing_and_doing_again_is_a_loss_of_memory() {
    assert_snapshot!(check("a:left b:right a:down b:up c:go"), @"state mismanagement 0-3");
    assert_snapshot!(check("a:left b:right a:down c:up"), @"none");
    // What changes by itself is not the agent's doing.
    assert_snapshot!(check("a:left= b:right= a:down= b:up= c:go"), @"none");
}

#[test]
fn stopping_late_needs_a_state_that_was_right() {
    let steps = trial("a:p b:q c:r d:s= e:t=");
    let late = |score: f64, ending: Ending, reached: &[Option<u32>]| {
        let mut verdict = verdict(ending, false);
        verdict.score = Score::new(score).unwrap();
        let milestone = |after_steps: &Option<u32>| MilestoneReached {
            name: String::new(),
            after_steps: *after_steps,
            ..MilestoneReached::default()
        };
        verdict.milestones = reached.iter().map(milestone).collect();
        shown(&labels(&steps, &verdict, &briefing(5)))
    };
    let out = Ending::Truncated(Exhausted::Steps);
    assert_snapshot!(late(1.0, out.clone(), &[]), @"late stop 4-4");
    assert_snapshot!(late(1.0, out.clone(), &[Some(1), Some(3)]), @"late stop 3-4");
    assert_snapshot!(late(0.5, Ending::Done, &[Some(1), Some(2)]), @"late stop 2-4");
    // Nothing was spoilt after the last milestone, one was never reached, or it was never right.
    assert_snapshot!(late(0.5, Ending::Done, &[Some(1), Some(3)]), @"none");
    assert_snapshot!(late(0.5, Ending::Done, &[Some(1), None]), @"none");
    assert_snapshot!(late(0.5, out, &[]), @"none");
}

#[test]
fn time_tokens_and_money_time_out_and_steps_do_not() {
    let out = |what| shown(&labels(&trial("a:p b:q"), &verdict(Ending::Truncated(what), false), &briefing(2)));
    assert_eq!([Exhausted::Time, Exhausted::Tokens, Exhausted::Cost].map(out), ["timeout 1-1"; 3]);
    assert_eq!([Exhausted::Steps, Exhausted::Resources].map(out), ["none"; 2]);
}

#[test]
fn acting_twice_on_what_is_no_longer_there_ignores_what_is_seen() {
    assert_snapshot!(check("~a:go ~b:go! ~b:left ~c:left= ~c:up"), @"
    ignored visual change 0-1
    ignored visual change 2-3
    ");
    assert_snapshot!(check("~a:go ~b:go! ~b:left ~c:up"), @"none");
    assert_snapshot!(check("~a:scroll ~b:scroll= ~c:scroll ~d:scroll= ~d:up"), @"none");
    // It saw the change and did the same on purpose: it worked.
    assert_snapshot!(check("~a:go ~b:go ~c:go ~d:up"), @"none");
}

#[test]
fn a_click_beside_the_thing_is_a_grounding_miss() {
    assert_snapshot!(check("a:click@100= a:click@120 b:up"), @"grounding miss 0-1");
    assert_snapshot!(check("a:click@100= a:look a:click@90= a:click@120 b:up"), @"grounding miss 0-3");
    assert_snapshot!(check("a:click@100= a:click@110= a:click@105= a:up"), @"
    no visible effect 0-2
    grounding miss 0-2
    ");
    // Too far, of another kind, too late, or a click that did something itself.
    assert_snapshot!(check("a:click@100= a:click@160 b:up"), @"none");
    assert_snapshot!(check("a:click@100= a:double@120 b:up"), @"none");
    assert_snapshot!(check("a:click@100= a:p a:q= a:click@120 b:up"), @"no visible effect 0-2");
    assert_snapshot!(check("a:click@100 b:click@120 c:up"), @"none");
    assert_snapshot!(check("a:click@100= a:click@100= b:up"), @"none");
}

#[test]
fn replies_in_another_form_violate_the_protocol() {
    assert_snapshot!(check("~a:hm? ~b:well? ~c:up"), @"protocol violation 0-1");
    let mut steps = trial("a:up b:left");
    steps[1].reply.slips = vec![Slip { kind: SlipKind::Prose, said: "Let me think.".to_owned() }];
    assert_snapshot!(shown(&labels(&steps, &verdict(Ending::Done, true), &briefing(2))), @"protocol violation 1-1");
}

#[test]
fn answers_of_the_wrong_shape_and_endings_in_prose_are_format_errors() {
    let said = |replies: &[&str], ending: Ending| {
        let mut steps: Vec<Step> = replies.iter().enumerate().map(|(i, _)| step(&format!("~v{i}:hm?"))).collect();
        for (step, reply) in steps.iter_mut().zip(replies) {
            step.reply.raw = (*reply).to_owned();
        }
        shown(&labels(&steps, &verdict(ending, false), &briefing(2)))
    };
    let out = Ending::Truncated(Exhausted::Steps);
    assert_snapshot!(said(&[r#"answer({"n": 3})"#, "I do not know"], out.clone()), @"
    protocol violation 1-1
    format error 0-0
    ");
    assert_snapshot!(said(&["I could call done() now, or go left."], out), @"format error 0-0");
    assert_snapshot!(said(&["I could call done() now, or go left."], Ending::Done), @"protocol violation 0-0");
}

/// A chain of two questions, as it came out: what its judge found of each, and after how many steps it was reached.
fn chain(steps: &[Step], milestones: [(Option<u32>, &str, f64); 2]) -> String {
    let milestone = |(after_steps, measure, value): (Option<u32>, &str, f64)| {
        let measures = [(measure.to_owned(), value)].into_iter().filter(|(name, _)| !name.is_empty()).collect();
        let finding = Finding::of("fields", after_steps.is_some(), "so it is").with_measures(measures);
        MilestoneReached { after_steps, findings: vec![finding], ..MilestoneReached::default() }
    };
    let verdict = Verdict { milestones: milestones.map(milestone).into(), ..verdict(Ending::Done, false) };
    let mut briefing = briefing(steps.len() as u32);
    briefing.instruction = "Which of the nine companies of the coast grew most from 2011 to 2015, and who led it?\n\n\
        - Which of its papers is cited most? `paper`: On the colours of small birds that nest in old walls"
        .to_owned();
    briefing.surface.groups.insert(ActionGroup::Note);
    shown(&labels(steps, &verdict, &briefing))
}

#[test]
fn wrong_answers_are_called_by_the_reading_that_gives_them() {
    let mut steps = trial("a:p b:note c:q");
    steps[1].action = Some(Action::Note { fields: serde_json::Map::new() });
    let read = |how: &str| chain(&steps, [(None, how, 1.0), (None, "read.homonym", 1.0)]);
    assert_snapshot!(read("read.condition-dropped"), @"
    lost constraint 1-1
    homonym 1-1
    ");
    assert_snapshot!(read("read.provisional"), @"
    stale source 1-1
    homonym 1-1
    ");
    assert_snapshot!(read("read.nominal-for-real"), @"
    wrong unit 1-1
    homonym 1-1
    ");
    assert_snapshot!(read("read.runner-up"), @"homonym 1-1");
}

#[test]
fn what_is_right_and_was_never_looked_at_is_unsupported() {
    let steps = trial("a:p b:q c:r d:s");
    assert_snapshot!(chain(&steps, [(Some(2), "shown", 0.5), (None, "", 0.0)]), @"unsupported 1-1");
    assert_snapshot!(chain(&steps, [(Some(2), "shown", 0.6), (None, "", 0.0)]), @"none");
}

#[test]
fn a_search_is_shallow_that_sees_no_more_than_it_was_asked() {
    let none = [(None, "", 0.0), (None, "", 0.0)];
    assert_snapshot!(chain(&trial("a:p b:q"), none), @"shallow search 1-1");
    assert_snapshot!(chain(&trial("a:p b:q c:r"), none), @"none");
}

#[test]
fn a_sentence_of_the_task_is_no_query() {
    let looked_up = |text: &str| {
        let mut steps = trial("a:p b:q c:r");
        steps[1].action = Some(Action::Type { text: text.to_owned() });
        steps[2].action = Some(Action::call("search", [text.into()]));
        chain(&steps, [(None, "", 0.0), (None, "", 0.0)])
    };
    assert_snapshot!(looked_up("which of the NINE companies of the coast grew?"), @"
    whole sentence as query 1-1
    whole sentence as query 2-2
    ");
    assert_snapshot!(looked_up("companies of the coast 2015"), @"none");
    assert_snapshot!(looked_up("on the colours of small birds that nest in old walls"), @"none");
    assert_snapshot!(looked_up("companies that grew most of all along the coast from 2011 to 2015"), @"none");
}

proptest! {
    #[test]
    fn labels_point_at_steps_that_exist(script in "([ab]:(l|r|click@1[0-9])[!?=]? ){0,40}") {
        let steps = trial(&script);
        for found in labels(&steps, &verdict(Ending::Done, false), &briefing(100)) {
            prop_assert!(found.from <= found.to && (found.to as usize) < steps.len(), "{found:?}");
        }
    }
}
