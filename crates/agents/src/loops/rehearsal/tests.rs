use std::time::Duration;

use quintain_core::{Agent, Limits, Spent};
use quintain_models::model::Message;
use serde_json::json;

use super::*;
use crate::loops::test_model::{Scripted, briefing, calls, card, observation, says};
use crate::loops::{LoopOptions, Solo};
use crate::spec::AgentSpec;

fn spec(text: &str) -> LoopSpec {
    match text.parse() {
        Ok(AgentSpec::Model(spec)) => *spec,
        other => panic!("{other:?}"),
    }
}

/// Plays some turns, the second with a slip, and gives them as they are recorded, with what was asked first in each.
fn played(solo: impl Fn(Arc<dyn Model>) -> Solo, said: Vec<Message>) -> (Vec<PastTurn>, Vec<Request>) {
    let model = Scripted::new(card(), said.into_iter().map(Ok));
    let mut agent = solo(Arc::clone(&model) as Arc<dyn Model>);
    agent.begin(&briefing()).unwrap();
    let (mut turns, mut first) = (Vec::new(), Vec::new());
    for step_idx in 0..3 {
        let n_asked = model.asked().len();
        let (observation, remaining) = (observation(step_idx), Limits::steps(30).left(&Spent::default()));
        let turn = Turn { step_idx, observation: &observation, remaining };
        let reply = agent.act(&turn, Duration::from_secs(5)).unwrap();
        let kept = serde_json::from_value(serde_json::to_value(&reply).unwrap()).unwrap();
        turns.push(PastTurn { observation, remaining, reply: kept });
        first.push(model.asked()[n_asked].clone());
    }
    (turns, first)
}

fn check(text: &str, solo: impl Fn(Arc<dyn Model>) -> Solo, said: Vec<Message>) {
    let (turns, first) = played(solo, said);
    assert_eq!(turns[1].reply.slips.len(), 1, "{text}: the second turn has a slip");
    for (idx, asked) in first.iter().enumerate() {
        let again = rehearse(&spec(text), &|_spec| card(), &briefing(), &turns[..=idx]).unwrap();
        assert_eq!(again.system, asked.system, "{text}, turn {idx}");
        assert_eq!(again.messages, asked.messages, "{text}, turn {idx}");
        assert_eq!(again.tools, asked.tools, "{text}, turn {idx}");
    }
}

#[test]
fn what_was_asked_in_words_is_built_again() {
    let said = vec![says("click(1, 2)"), says("I would rather look."), says("click(3, 4)"), says("stop()")];
    check("turns:chat/test", |model| Solo::turns(model, LoopOptions::default()), said);
}

#[test]
fn what_was_asked_with_tools_is_built_again() {
    let click = |id: &str| calls(id, "click", json!({"x": 1, "y": 2}));
    let said = vec![click("a"), says("I would rather look."), click("b"), click("c")];
    check("react:chat/test", |model| Solo::react(model, LoopOptions::default()), said);
}

#[test]
fn a_trial_without_turns_asked_nothing() {
    assert!(rehearse(&spec("turns:chat/test"), &|_spec| card(), &briefing(), &[]).is_err());
}
