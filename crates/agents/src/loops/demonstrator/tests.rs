use quintain_core::{Limits, Spent};

use super::*;
use crate::Script;
use crate::loops::test_model::{Scripted, briefing, card, observation, says};

const WITHIN: Duration = Duration::from_mins(1);
const WORDS: [&str; 4] = ["click(20, 10)", "click(1, 1)", "click(2, 2)", "done()"];

fn play(agent: &mut dyn Agent, n_turns: u32) -> Result<Vec<Reply>, AgentError> {
    agent.begin(&briefing())?;
    let turn = |step_idx: u32| {
        let (observation, remaining) = (observation(step_idx), Limits::steps(30).left(&Spent::default()));
        agent.act(&Turn { step_idx, observation: &observation, remaining }, WITHIN)
    };
    (0..n_turns).map(turn).collect()
}

fn oracle(words: &[&str]) -> Box<dyn Agent + Send> {
    Box::new(Script::new(words.iter().map(|words| Reply::text(*words))))
}

#[test]
fn a_model_that_says_the_same_hears_the_same() {
    let mut demonstrator = Demonstrator::new(oracle(&WORDS));
    play(&mut demonstrator, 4).unwrap();
    let told = demonstrator.told();

    let model = Scripted::new(card(), WORDS.map(|words| Ok(says(words))));
    let manner = LoopOptions { n_pictures: Some(64), ..LoopOptions::default() };
    play(&mut Solo::turns(Arc::clone(&model) as Arc<dyn Model>, manner), 4).unwrap();
    for asked in model.asked() {
        assert_eq!(told.system, asked.system);
        assert_eq!(told.messages[..asked.messages.len()], asked.messages);
    }
    let n_asked = model.asked().last().unwrap().messages.len();
    assert_eq!((told.messages.len(), n_asked), (8, 7));
    assert_eq!(told.messages[7], says("done()"));
}

#[test]
fn pictures_go_by_the_names_of_their_screens() {
    let mut demonstrator = Demonstrator::new(oracle(&WORDS));
    play(&mut demonstrator, 2).unwrap();
    let told = demonstrator.told();
    let shown = told.messages.iter().flat_map(|message| &message.pieces).filter_map(|piece| match piece {
        Piece::Picture(image) => image.shows(),
        _ => None,
    });
    let screens = [0, 1].map(|idx| observation(idx).pictures[&quintain_core::ObservationPart::Screen].digest());
    assert_eq!(shown.collect::<Vec<_>>(), screens);
}

#[test]
fn words_of_an_oracle_that_are_no_action_break_off() {
    let error = play(&mut Demonstrator::new(oracle(&["Let me think."])), 1).unwrap_err();
    assert!(error.to_string().contains("the oracle was not understood"), "{error}");
}
