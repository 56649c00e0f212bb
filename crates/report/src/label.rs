//! How a trial went wrong, found in its recorded steps by fixed rules. No model is asked.

use std::fmt;

use quintain_core::action::Action;
use quintain_core::limits::Limits;
use quintain_core::observation::{Part, Shown};
use quintain_core::trajectory::{Effect, Step};
use quintain_core::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// How often something must happen again to be a habit rather than a try.
const HABIT: usize = 3;

/// The longest cycle that counts as going in circles.
const LONGEST_CYCLE: usize = 4;

/// A way of going wrong, and the steps that show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// What went wrong.
    pub kind: LabelKind,
    /// The first step that shows it, from 0.
    pub from: u32,
    /// The last step that shows it.
    pub to: u32,
}

/// Ways of going wrong.
///
/// The *view* of a step is the pictures it was shown, the goal's apart; where there are none, the texts, but for feedback
/// and what remains. A *deed* is the action of a step, or the words of the reply where they could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelKind {
    /// The same one to four pairs of view and deed, in the same order, three times or more without a break: the agent
    /// keeps doing the same in the same situation, or goes round in a circle of situations. One and the same deed that
    /// is refused each time is `RepeatedInvalidAction` instead.
    ActionLooping,
    /// The same deed three times or more in a row, refused by the world or not understood each time.
    RepeatedInvalidAction,
    /// The agent ended the trial itself, unsolved, with more than half of its steps left.
    EarlyStop,
    /// Three or more actions in a row that the world accepted and after which the view was the same as before. Taking a
    /// screenshot and zooming are looks, not actions, and are passed over.
    NoVisibleEffect,
    /// A deed was refused or not understood, the next view came with words that said so, and the agent did exactly the
    /// same again.
    IgnoredFeedback,
}

impl fmt::Display for LabelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ActionLooping => "action looping",
            Self::RepeatedInvalidAction => "repeated invalid action",
            Self::EarlyStop => "early stop",
            Self::NoVisibleEffect => "no visible effect",
            Self::IgnoredFeedback => "ignored feedback",
        })
    }
}

/// How a trial went wrong: each stretch of steps that shows one of the ways, by way and then by place. A solved trial can
/// have labels too; only `EarlyStop` needs it to be unsolved.
pub fn labels(steps: &[Step], verdict: &Verdict, limits: &Limits) -> Vec<Label> {
    let mut found = looping(steps);
    found.extend(repeated_invalid(steps));
    found.extend(early_stop(steps, verdict, limits));
    found.extend(no_visible_effect(steps));
    found.extend(ignored_feedback(steps));
    found
}

/// What an agent did in a step.
fn same_deed(one: &Step, other: &Step) -> bool {
    match (&one.action, &other.action) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.reply.raw == other.reply.raw,
        _ => false,
    }
}

/// Whether two observations look the same. Those that show nothing are never the same.
fn same_view(one: &Shown, other: &Shown) -> bool {
    let pictures =
        |shown: &Shown| shown.pictures.iter().filter(|(part, _)| **part != Part::Goal).map(|(_, d)| *d).collect();
    let (before, after): (Vec<_>, Vec<_>) = (pictures(one), pictures(other));
    if !before.is_empty() || !after.is_empty() {
        return before == after;
    }
    let words = |part: &Part| matches!(part, Part::Feedback | Part::Remaining);
    let texts = |shown: &Shown| -> Vec<(Part, String)> {
        shown.texts.iter().filter(|(part, _)| !words(part)).map(|(part, text)| (*part, text.clone())).collect()
    };
    let (before, after) = (texts(one), texts(other));
    !before.is_empty() && before == after
}

fn invalid(step: &Step) -> bool {
    step.feedback.as_ref().is_some_and(|feedback| matches!(feedback.effect, Effect::Refused | Effect::Misread))
}

fn accepted(step: &Step) -> bool {
    step.feedback.as_ref().is_some_and(|feedback| matches!(feedback.effect, Effect::Changed | Effect::Unchanged))
}

/// The longest stretches `from..=to` over which `holds(i)` for each step.
fn stretches(n: usize, holds: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for i in (0..n).filter(|i| holds(*i)) {
        match found.last_mut() {
            Some((_, to)) if *to + 1 == i => *to = i,
            _ => found.push((i, i)),
        }
    }
    found
}

fn label(kind: LabelKind, (from, to): (usize, usize)) -> Label {
    Label { kind, from: from as u32, to: to as u32 }
}

fn looping(steps: &[Step]) -> Vec<Label> {
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for period in 1..=LONGEST_CYCLE {
        let again = |i: usize| {
            let (now, later) = (&steps[i], &steps[i + period]);
            same_deed(now, later) && same_view(&now.shown, &later.shown) && (period > 1 || !invalid(now))
        };
        for (from, last) in stretches(steps.len().saturating_sub(period), again) {
            let (from, to) = (from, last + period);
            let known = loops.iter().any(|(start, end)| *start <= to && from <= *end);
            let only_invalid =
                steps[from..=to].windows(2).all(|pair| same_deed(&pair[0], &pair[1]) && invalid(&pair[0]));
            if to + 1 - from >= HABIT * period && !known && !only_invalid {
                loops.push((from, to));
            }
        }
    }
    loops.sort_unstable();
    loops.into_iter().map(|range| label(LabelKind::ActionLooping, range)).collect()
}

fn repeated_invalid(steps: &[Step]) -> Vec<Label> {
    let again = |i: usize| invalid(&steps[i]) && invalid(&steps[i + 1]) && same_deed(&steps[i], &steps[i + 1]);
    stretches(steps.len().saturating_sub(1), again)
        .into_iter()
        .filter(|(from, last)| last + 2 - from >= HABIT)
        .map(|(from, last)| label(LabelKind::RepeatedInvalidAction, (from, last + 1)))
        .collect()
}

fn early_stop(steps: &[Step], verdict: &Verdict, limits: &Limits) -> Option<Label> {
    let left = (limits.steps as usize).saturating_sub(steps.len());
    let last = steps.len().checked_sub(1)?;
    let early = verdict.ending.by_the_agent() && !verdict.solved && left * 2 > limits.steps as usize;
    early.then(|| label(LabelKind::EarlyStop, (last, last)))
}

fn no_visible_effect(steps: &[Step]) -> Vec<Label> {
    let looks = |step: &Step| matches!(step.action, Some(Action::Screenshot | Action::Zoom { .. }));
    let acts: Vec<usize> = (0..steps.len().saturating_sub(1)).filter(|i| !looks(&steps[*i])).collect();
    let vain = |i: usize| accepted(&steps[acts[i]]) && same_view(&steps[acts[i]].shown, &steps[acts[i] + 1].shown);
    stretches(acts.len(), vain)
        .into_iter()
        .filter(|(from, to)| to + 1 - from >= HABIT)
        .map(|(from, to)| label(LabelKind::NoVisibleEffect, (acts[from], acts[to])))
        .collect()
}

fn ignored_feedback(steps: &[Step]) -> Vec<Label> {
    let told = |step: &Step| step.shown.texts.contains_key(&Part::Feedback);
    let ignored = |i: usize| invalid(&steps[i]) && told(&steps[i + 1]) && same_deed(&steps[i], &steps[i + 1]);
    stretches(steps.len().saturating_sub(1), ignored)
        .into_iter()
        .map(|(from, last)| label(LabelKind::IgnoredFeedback, (from, last + 1)))
        .collect()
}

#[cfg(test)]
mod tests;
