use insta::assert_snapshot;
use quintain_core::action::Action;
use quintain_core::agent::Reply;
use quintain_core::limits::Spent;
use quintain_core::observation::Shown;
use quintain_core::trajectory::{Feedback, Step};
use serde_json::json;

use super::*;
use crate::row::tests::row;

fn steps() -> Vec<Step> {
    let step = |said: &str, action: Option<Action>, feedback: Feedback| Step {
        shown: Shown::default(),
        reply: Reply { thought: Some("The wall  is\non my left.".to_owned()), ..Reply::text(said) },
        action,
        spent: Spent::default(),
        feedback: Some(feedback),
    };
    vec![
        step("I go left.", Some(Action::call("left", [])), Feedback::refused("a wall is in the way")),
        step("I think we are done here", None, Feedback::misread("no action found")),
    ]
}

#[test]
fn a_trial_in_short_is_fenced_and_numbered() {
    let verdict = row("p/t~a~0 steps 0.25 2").verdict;
    let text = dossier(None, &steps(), &verdict);
    let fence = text.lines().next().unwrap().to_owned();
    assert_eq!(text.matches(&fence).count(), 2);
    assert_snapshot!(text.replace(&fence, "FENCE"), @"
    FENCE
      step: 0
      thought: The wall  is
    on my left.
      said: I go left.
      action: left()
      feedback: [refused] a wall is in the way

      step: 1
      thought: The wall  is
    on my left.
      said: I think we are done here
      action: (could not be read)
      feedback: [misread] no action found

    END: out of steps, score 0.25
    FENCE
    ");
}

#[test]
fn the_middle_of_a_long_trial_is_left_out() {
    let long: Vec<Step> = std::iter::repeat_n(steps()[0].clone(), 500).collect();
    let text = dossier(None, &long, &row("p/t~a~0 steps 0.25 2").verdict);
    assert!(text.contains("(steps 60 to 399 are left out)") && text.contains("step: 59\n"), "{text}");
    assert!(text.contains("step: 400\n") && text.contains("step: 499\n") && !text.contains("step: 60\n"));
}

#[test]
fn a_label_counts_if_its_quote_stands_in_its_step() {
    let label = |kind: &str, step: u32, quote: &str| json!({"kind": kind, "step": step, "quote": quote, "why": "so"});
    let given = json!({ "labels": [
        label("ignored_feedback", 0, "a wall is in the way"),
        label("ignored_feedback", 0, "[refused] a wall"),
        label("wrong_strategy", 0, "The wall is on my left."),
        label("early_stop", 1, "we are … here"),
        label("early_stop", 0, "we are done here"),
        label("early_stop", 7, "we are done here"),
        label("early_stop", 1, "we"),
        label("laziness", 1, "we are done here"),
        {"kind": "early_stop"},
    ]});
    let heard = hear(&given, &steps());
    let kept: Vec<String> = heard.opinions.iter().map(|o| format!("{} {}: {}", o.step, o.kind, o.quote)).collect();
    let dropped: Vec<&str> = heard.dropped.iter().map(|dropped| dropped.because.as_str()).collect();
    assert_snapshot!(format!("{}\ndropped\n{}", kept.join("\n"), dropped.join("\n")), @"
    0 ignored feedback: a wall is in the way
    0 ignored feedback: [refused] a wall
    0 wrong strategy: The wall is on my left.
    1 early stop: we are … here
    dropped
    the quote does not stand in step 0
    there is no step 7
    the quote is too short to prove anything
    there is no label `laziness`
    no step is cited
    ");
}

#[test]
fn an_answer_without_labels_is_reported() {
    assert_eq!(hear(&json!({"labels": []}), &steps()), HeardOpinion::default());
    assert_eq!(hear(&json!("nothing"), &steps()).dropped.len(), 1);
}

#[test]
fn every_label_can_be_given_and_is_explained() {
    for kind in LabelKind::ALL {
        let word = json!(kind).as_str().unwrap().to_owned();
        assert!(SYSTEM.contains(&format!("- {word}: ")), "{word}");
        assert!(tool_schema().to_string().contains(&word), "{word}");
    }
}
