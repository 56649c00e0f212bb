//! Things that a mind cannot do without, so that a diagnosis can be seen to find them.

use std::sync::Arc;

use quintain_core::{Action, Rng};

use super::habits::is_for_an_action;
use super::{oracle, shares};
use crate::asked::{ReadRequest, SaidMessage, SaidPiece};
use crate::mind::{Mind, MindReply, UnknownToMind};

/// What a loop says in place of feedback, and other words before a turn that are none.
const NO_FEEDBACK: [&str; 3] =
    ["What came of it is shown below.", "Earlier turns are left out.", "The state to reach:"];

/// On which share of instances a mind cannot do without something; each from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    shares: Vec<(Need, f64)>,
    seed: u64,
}

/// What a mind may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// To be told what came of its last action.
    Feedback,
    /// To see the solved state.
    Goal,
    /// To see the screen.
    Screen,
    /// To see the screen in characters.
    Ascii,
    /// To have two turns in view on some instances and four on others.
    History,
}

impl Need {
    const ALL: [(&str, Self); 5] = [
        ("feedback", Self::Feedback),
        ("goal", Self::Goal),
        ("screen", Self::Screen),
        ("ascii", Self::Ascii),
        ("history", Self::History),
    ];
}

/// A mind with needs. Where one is not met, it ends the trial.
#[derive(Clone)]
pub struct NeedyMind {
    mind: Arc<dyn Mind>,
    needs: Needs,
}

impl Needs {
    /// The same mind with these needs.
    pub fn over(self, mind: Arc<dyn Mind>) -> NeedyMind {
        NeedyMind { mind, needs: self }
    }

    /// The needs that `feedback=0.6,goal` names: the first on six instances of ten, the second on all.
    pub fn read(text: &str, seed: u64) -> Result<Self, String> {
        let mut needs = Self { shares: Vec::new(), seed };
        for (name, share) in shares::read(text)? {
            let known = Need::ALL.into_iter().find(|(known, _)| *known == name);
            let (_, need) =
                known.ok_or_else(|| format!("there is no need `{name}`: feedback, goal, screen, ascii or history"))?;
            needs.shares.push((need, share));
        }
        Ok(needs)
    }

    /// Whether everything that this instance needs is there.
    fn are_met(&self, asked: &ReadRequest, turn: u32, at: usize) -> bool {
        let instance = asked.instance.as_deref().unwrap_or_default();
        self.shares.iter().all(|(need, share)| {
            let mut rng = Rng::for_purpose(self.seed, &format!("need {need:?} {instance}"));
            !rng.chance(*share) || is_met(*need, &mut rng, asked, turn, at)
        })
    }
}

impl Mind for NeedyMind {
    fn say(&self, asked: &ReadRequest) -> Result<MindReply, UnknownToMind> {
        match asked.turn().filter(|_| is_for_an_action(asked)) {
            Some((turn, at)) if !self.needs.are_met(asked, turn, at) => {
                let end = oracle::say(asked, turn, &Action::Done);
                end.ok_or_else(|| UnknownToMind("nothing that is offered ends the trial".to_owned()))
            }
            _ => self.mind.say(asked),
        }
    }
}

fn is_met(need: Need, rng: &mut Rng, asked: &ReadRequest, turn: u32, at: usize) -> bool {
    let says = |words: &str| asked.said.iter().filter_map(SaidMessage::text).any(|text| text.starts_with(words));
    match need {
        Need::Feedback => turn == 1 || has_feedback(asked, at),
        Need::Goal => says("The state to reach:"),
        Need::Screen => {
            let n_pictures = asked.said.iter().filter(|said| matches!(said.what, SaidPiece::Picture(_))).count();
            n_pictures > usize::from(says("The state to reach:"))
        }
        Need::Ascii => says("The screen in characters:"),
        Need::History => asked.n_answers() >= (turn as usize - 1).min(*rng.choose(&[1, 3])),
    }
}

/// Feedback stands with the turn, or before it as what a call came to.
fn has_feedback(asked: &ReadRequest, at: usize) -> bool {
    let since = asked.said[..at].iter().rposition(|said| said.by_model).map_or(0, |idx| idx + 1);
    let mut before = asked.said[since..at].iter().filter_map(SaidMessage::text);
    let with = asked.said[at].text().is_some_and(|text| text.contains("\nFeedback: "));
    with || before.any(|text| !NO_FEEDBACK.contains(&text))
}
