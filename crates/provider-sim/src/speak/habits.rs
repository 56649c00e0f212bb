//! Bad habits, so that loops can be seen to correct them.

use std::sync::Arc;

use quintain_core::Rng;
use serde_json::json;

use super::acts_in_words;
use crate::asked::{Api, ReadRequest};
use crate::mind::{Mind, MindReply, SpokenCall, UnknownToMind};

/// How often a mind does something other than act when it should; each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Habits {
    /// It talks.
    pub prose: f64,
    /// It does several things at once.
    pub several: f64,
    /// It lays out a plan.
    pub plan: f64,
    /// What the draws come from: the same seed, instance and turn give the same habit.
    pub seed: u64,
}

/// A mind with habits. In the second try of a turn, after it was corrected, it complies.
#[derive(Clone)]
pub struct HabitualMind {
    mind: Arc<dyn Mind>,
    habits: Habits,
}

impl Habits {
    /// The same mind with these habits.
    pub fn over(self, mind: Arc<dyn Mind>) -> HabitualMind {
        HabitualMind { mind, habits: self }
    }

    /// The habits that `prose=0.1,several=0.2,plan=0.3` names.
    pub fn read(text: &str, seed: u64) -> Result<Self, String> {
        let mut habits = Self { seed, ..Self::default() };
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, chance) = item.split_once('=').ok_or_else(|| format!("`{item}` is no habit: NAME=CHANCE"))?;
            let chance: Option<f64> = chance.trim().parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
            let chance = chance.ok_or_else(|| format!("the chance of `{name}` must be a number from 0 to 1"))?;
            match name.trim() {
                "prose" => habits.prose = chance,
                "several" => habits.several = chance,
                "plan" => habits.plan = chance,
                other => return Err(format!("there is no habit `{other}`: prose, several or plan")),
            }
        }
        Ok(habits)
    }

    /// What happens in this turn, if anything does.
    fn drawn(&self, asked: &ReadRequest, turn: u32) -> Option<Habit> {
        let instance = asked.instance.as_deref().unwrap_or_default();
        let mut rng = Rng::for_purpose(self.seed, &format!("habit {instance} {turn}"));
        let kinds = [(self.prose, Habit::Prose), (self.several, Habit::Several), (self.plan, Habit::Plan)];
        kinds.into_iter().find_map(|(chance, habit)| rng.chance(chance).then_some(habit))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    Prose,
    Several,
    Plan,
}

impl Mind for HabitualMind {
    fn say(&self, asked: &ReadRequest) -> Result<MindReply, UnknownToMind> {
        let say = self.mind.say(asked)?;
        let Some((turn, _)) = asked.turn().filter(|_| is_for_an_action(asked)) else { return Ok(say) };
        let habit = self.habits.drawn(asked, turn).filter(|_| !asked.is_second_try());
        Ok(match habit {
            None => say,
            // It has to call something, so it cannot only talk.
            Some(Habit::Prose | Habit::Plan) if asked.must_call => say,
            Some(Habit::Prose) => MindReply::words("I look at what is before me and wonder what would be best to do."),
            Some(Habit::Plan) => {
                MindReply::words("This is my plan:\n1. See how things are.\n2. Do what is missing.\n3. Check.")
            }
            Some(Habit::Several) => twice(say, asked),
        })
    }
}

/// Whether an action is asked for, rather than a place or a summary.
pub(super) fn is_for_an_action(asked: &ReadRequest) -> bool {
    let is_for_a_point = asked.function("point").is_some();
    let is_for_a_call = !asked.functions.is_empty() || asked.computer.is_some();
    !is_for_a_point && (is_for_a_call || acts_in_words(asked))
}

/// The same and more: the call twice, or the action with the ending after it. Where only one call may be made, it is made.
fn twice(mut say: MindReply, asked: &ReadRequest) -> MindReply {
    const STOP: &str = "('stop', 'stop')";
    if let (Some(text), []) = (&say.text, say.calls.as_slice()) {
        let other = if text.ends_with(STOP) { "('wait', 100)" } else { STOP };
        return MindReply { text: Some(format!("{text}\n{other}")), ..say };
    }
    if !asked.one_call {
        let more = another(&say.calls, asked);
        say.calls.extend(more);
    }
    say
}

/// Several actions of `OpenAI`'s own tool are one call, so a function is called beside them there.
fn another(calls: &[SpokenCall], asked: &ReadRequest) -> Vec<SpokenCall> {
    if asked.api != Api::Responses || !calls.iter().any(|call| matches!(call, SpokenCall::Native(_))) {
        return calls.to_vec();
    }
    let wait = asked.function("wait").map(|wait| wait.name.clone());
    wait.map(|name| SpokenCall::Function { name, arguments: json!({"ms": 100}) }).into_iter().collect()
}
