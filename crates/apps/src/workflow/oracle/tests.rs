//! The oracle before a sketch of the app.

use std::time::Duration;

use insta::assert_snapshot;
use quintain_core::action::Action;
use quintain_core::agent::Turn;
use quintain_core::instance::InstanceId;
use quintain_core::limits::Remaining;
use quintain_core::observation::{Observation, ObservationPart};
use quintain_core::world::OracleStyle;
use quintain_core::{Agent, Instance, Pick};
use serde_json::{Value, json};

use super::super::tests::{prepared, tasks};
use super::Builder;
use super::sketch::CanvasSketch;
use crate::oracle::AppOracle;
use crate::workflow::checks::{compare, compare_since};
use crate::workflow::model::Document;
use crate::workflow::model::edit::{Edit, apply};

/// Plenty.
const REMAINING: Remaining = Remaining { steps: 400, time_ms: None, tokens: None, cost_usd: None };

fn instance(document: &Value, plan: &Value) -> Instance {
    Instance {
        id: InstanceId { task: "gauntlet/any".parse().expect("it is a name"), pick: Pick::default() },
        instruction: String::new(),
        parameters: std::collections::BTreeMap::new(),
        start: json!({"document": document, "plan": plan}),
        secrets: Vec::new(),
        source: None,
    }
}

fn answer(oracle: &mut AppOracle<Builder>, table: &str) -> Action {
    let observation = Observation::default().with_text(ObservationPart::Geometry, table);
    let turn = Turn { step_idx: 0, observation: &observation, remaining: REMAINING };
    let reply = oracle.act(&turn, Duration::from_secs(1)).expect("the oracle answers");
    serde_json::from_str(&reply.raw).expect("the oracle answers with an action")
}

/// Plays a plan to its end; the document then, and how many steps it took. Nothing may have gone wrong on the way.
fn play(document: &Value, plan: &Value, style: &OracleStyle) -> (Document, u32) {
    let mut oracle = AppOracle(Builder::new(&instance(document, plan), style).expect("there is an oracle"));
    let mut sketch = CanvasSketch::new(Document::read(document).expect("it is a document"));
    for n_steps in 1..400 {
        match answer(&mut oracle, &sketch.geometry()) {
            Action::Done => return (sketch.draft.document, n_steps),
            Action::GiveUp { reason } => panic!("{reason}"),
            Action::Wait { .. } => {}
            action => sketch.carry_out(&action),
        }
        assert_eq!(sketch.n_wrong, 0, "a wrong move");
    }
    panic!("there is no end to it");
}

#[test]
fn every_task_and_its_twins_are_played_to_the_expected_end() {
    for task in tasks() {
        for seed in [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(5)] {
            let (prepared, _) = prepared(&task, seed);
            let (end, n_steps) = play(&prepared.document, &prepared.plan, &OracleStyle::default());
            let [start, expected] =
                [&prepared.document, &prepared.expected].map(|value| Document::read(value).expect("it is a document"));
            let comparison = compare_since(&start, &expected, &end);
            assert!(comparison.is_equal(), "{} with seed {seed:?}: {comparison:?}", task.id);
            assert!(n_steps * 3 <= task.spec.limits.steps.max(60), "{} takes {n_steps} steps", task.id);
        }
    }
}

/// Edits that no task needs are played as well.
#[test]
fn every_kind_of_edit_can_be_played() {
    let (prepared, _) = prepared(&tasks()[0], None);
    let edits: Vec<Edit> = serde_json::from_value(json!([
        {"do": "open", "workflow": "Range -> Map -> Table (scaffolding)"},
        {"do": "create", "name": "New"},
        {"do": "add", "kind": "switch", "as": "switch"},
        {"do": "add_case", "node": "switch", "label": "a"},
        {"do": "add_case", "node": "switch", "label": "b", "expr": "item.b"},
        {"do": "remove_case", "node": "switch", "label": "a"},
        {"do": "set", "node": "switch", "key": "default", "value": false},
        {"do": "add", "kind": "editFields", "as": "fields"},
        {"do": "add_field", "node": "fields", "name": "one", "value": "1"},
        {"do": "add_field", "node": "fields", "name": "two", "value": "item.two"},
        {"do": "rename", "node": "fields", "name": "Numbers"},
        {"do": "connect", "from": "switch", "output": "b", "to": "fields"},
        {"do": "set", "node": "fields", "key": "notes", "value": "Two of them."},
    ]))
    .expect("they are edits");
    let (end, _) = play(&prepared.document, &json!({"edit": edits}), &OracleStyle::default());
    let start = Document::read(&prepared.document).expect("it is a document");
    let expected = apply(&start, &edits).expect("the edits can be made");
    let comparison = compare(&expected, &end);
    assert!(comparison.is_equal(), "{comparison:?}");
}

#[test]
fn a_longer_trial_is_padded_and_a_strategy_that_is_not_there_refused() {
    let (prepared, _) = prepared(&tasks()[0], None);
    let style = OracleStyle { length: Some(40), ..OracleStyle::default() };
    assert_eq!(play(&prepared.document, &prepared.plan, &style).1, 40);
    let style = OracleStyle { strategy: Some("keyboard".to_owned()), ..OracleStyle::default() };
    let refused = Builder::new(&instance(&prepared.document, &prepared.plan), &style).err();
    assert_snapshot!(refused.unwrap_or_default(), @"the oracle of the Workflow Builder has no strategy `keyboard`");
}

/// What the oracle does and why it gives up, when what it needs never shows or has no effect.
#[test]
fn it_gives_up_with_a_reason() {
    let (prepared, _) = prepared(&tasks()[0], None);
    let last = |table: &str| {
        let mut oracle = AppOracle(
            Builder::new(&instance(&prepared.document, &prepared.plan), &OracleStyle::default()).expect("an oracle"),
        );
        (0..40)
            .map(|_| answer(&mut oracle, table))
            .find(Action::completes)
            .map_or_else(String::new, |end| end.to_string())
    };
    assert_snapshot!(last("{}"), @r#"{"do":"give_up","reason":"clicking `hub/workflow/w1`: `hub/workflow/w1` is nowhere to be seen"}"#);
    assert_snapshot!(last(r#"{"hub/workflow/w1": [0, 0, 9, 9]}"#), @r#"{"do":"give_up","reason":"clicking `hub/workflow/w1` had no effect, 3 times over"}"#);
}
