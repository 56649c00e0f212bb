use quintain_core::books::Purpose;
use quintain_core::{Limits, Spent};
use quintain_models::model::{Message, ModelCard, ModelError, Points};
use quintain_models::picture_limit::PictureLimit;
use serde_json::json;

use super::*;
use crate::loops::test_model::{Scripted, USED, briefing, calls, card, observation, says};

type Answers = Vec<Result<Message, ModelError>>;

fn played(plans: Answers, points: Answers, n_turns: u32) -> (Vec<Reply>, Arc<Scripted>, Arc<Scripted>) {
    let planner = Scripted::new(card(), plans);
    let pointing = ModelCard { points: Points::Thousandths, pictures: PictureLimit::of_side(20), ..card() };
    let grounder = Scripted::new(pointing, points);
    let mut agent = Planner::new(Arc::clone(&planner) as _, Arc::clone(&grounder) as _, LoopOptions::default());
    agent.begin(&briefing()).unwrap();
    let turn = |step_idx| {
        let (observation, remaining) = (observation(step_idx), Limits::steps(30).left(&Spent::default()));
        let turn = Turn { step_idx, observation: &observation, remaining };
        agent.act(&turn, Duration::from_mins(1)).unwrap()
    };
    ((0..n_turns).map(turn).collect(), planner, grounder)
}

#[test]
fn the_planner_names_a_place_and_the_grounder_finds_it() {
    let (replies, _, grounder) = played(
        vec![Ok(calls("a", "click", json!({"target": "the green button", "count": 2})))],
        vec![Ok(calls("p", "point", json!({"x": 500, "y": 250})))],
        1,
    );
    let action = replies[0].read(&briefing().surface).unwrap();
    assert_eq!(action.to_string(), r#"{"do":"double_click","at":{"x":20.0,"y":5.0},"button":"left"}"#);
    assert_eq!((replies[0].usage, replies[0].tools.as_slice()), (Some(USED.plus(USED)), &["ground".to_owned()][..]));
    let asked = &grounder.asked()[0];
    assert_eq!(asked.purpose, Purpose::Ground);
    assert_eq!(asked.messages[0].text(), "Turn 1.\nFind: the green button");
}

#[test]
fn a_drag_has_two_places_and_a_wheel_turns_by_the_screens_own_pixels() {
    let point = |x: u32, y: u32| Ok(calls("p", "point", json!({"x": x, "y": y})));
    let (replies, ..) = played(
        vec![
            Ok(calls("a", "drag", json!({"from_target": "the card", "to_target": "the bin"}))),
            Ok(calls("b", "scroll", json!({"target": "the list", "dy": 30}))),
            Ok(calls("c", "mouse_move", json!({"target": "the menu"}))),
            Ok(calls("d", "key", json!({"keys": ["Enter"]}))),
        ],
        vec![point(0, 0), point(1000, 1000), Ok(says("(500, 500)")), point(100, 100)],
        4,
    );
    let actions = replies.iter().map(|reply| reply.read(&briefing().surface).unwrap().to_string());
    insta::assert_snapshot!(actions.collect::<Vec<_>>().join("\n"), @r#"
    {"do":"drag","path":[{"x":0.0,"y":0.0},{"x":39.0,"y":19.0}],"button":"left"}
    {"do":"scroll","at":{"x":20.0,"y":10.0},"dx":0.0,"dy":30.0}
    {"do":"move","to":{"x":4.0,"y":2.0}}
    {"do":"key","keys":["Enter"]}
    "#);
}

#[test]
fn a_place_that_is_not_found_is_no_action_and_the_planner_hears_of_it() {
    let (replies, planner, _) = played(
        vec![Ok(calls("a", "click", json!({"target": "a unicorn"}))), Ok(calls("b", "done", json!({})))],
        vec![Ok(says("It is not on the screen."))],
        2,
    );
    assert!(replies[0].read(&briefing().surface).is_err());
    let told = planner.asked()[1].messages.last().unwrap().text();
    assert!(told.ends_with("Not to be found on the screen: a unicorn"), "{told}");
    assert_eq!(replies[0].memory.as_ref().unwrap()["note"], "Not to be found on the screen: a unicorn");
}
