//! How a trial went wrong, found in its recorded steps by fixed rules. No model is asked.
//!
//! `docs/labels.md` is the page for users. Each family of rules has a file of its own.

mod chains;
mod form;
mod looping;
mod sight;
mod state;
mod steps;
mod stopping;

use std::fmt;

use quintain_core::agent::Briefing;
use quintain_core::trajectory::Step;
use quintain_core::verdict::Verdict;
use serde::{Deserialize, Serialize};

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
/// and what remains. A *deed* is the action of a step, or the words of the reply where they could not be read. *Looks* are
/// screenshots, zooms and waits: they are not held against an agent. A deed is *in vain* if it was refused or changed
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelKind {
    /// The same one to four pairs of view and deed, in the same order, three times or more without a break: the agent
    /// keeps doing the same in the same situation, or goes round in a circle of situations. One and the same deed that
    /// is refused each time is `RepeatedInvalidAction` instead.
    Looping,
    /// The same deed three times or more in a row, refused by the world or not understood each time.
    RepeatedInvalidAction,
    /// Back at a view that it had left three steps ago or more, the agent does what it had done there before, and the
    /// same comes of it: it is in vain again, or leads to the same view again. Or it undoes its own change and makes it
    /// again, twice over: four views or more that alternate between two. Steps that are `Looping` are left out.
    StateMismanagement,
    /// The agent ended the trial itself, unsolved, with more than half of its steps left.
    EarlyStop,
    /// The agent did not know that it was done: the end state scores full, but a limit had to end the trial; or every
    /// milestone had been reached, the agent changed something after that, and the end state does not score full.
    LateStop,
    /// The view had changed, the agent did exactly the same as before, and it was in vain: it acted on what was no
    /// longer there. Twice or more in a trial, for once may be a try. Looks and scrolling are left out, for the end of
    /// what can be scrolled cannot be seen beforehand.
    IgnoredVisualChange,
    /// A deed was refused or not understood, the next view came with words that said so, and the agent did exactly the
    /// same again.
    IgnoredFeedback,
    /// Three or more actions in a row that the world accepted and after which the view was the same as before. Looks are
    /// passed over.
    NoVisibleEffect,
    /// A click that changed nothing, and a click of the same kind within 40 pixels of it and two steps that did; or three
    /// or more such clicks in a row, at more than one point and within 40 pixels of the first, that all changed nothing.
    /// Looks are passed over.
    GroundingMiss,
    /// A reply that is no single action in the agreed form: one that had to be corrected, or one that could not be read
    /// and is no `FormatError`.
    ProtocolViolation,
    /// An answer that was refused for its shape; or, in a trial that the agent never ended, an ending that could not be
    /// read because it did not stand alone.
    FormatError,
    /// Time, tokens or money ran out.
    Timeout,
    /// A question of several was answered rightly, and no more than half of what the answer rests on had stood on any page
    /// that the agent opened.
    Unsupported,
    /// The agent ended the trial itself, unsolved, and had seen no more views than it was asked questions.
    ShallowSearch,
    /// Eight words or more in a row of the instruction were looked up or typed.
    SentenceQuery,
    /// A wrong answer is what one comes to who passes over a condition, or counts what it leaves out.
    LostConstraint,
    /// A wrong answer is what an older, preliminary or less trustworthy source says.
    StaleSource,
    /// A wrong answer is the right one by another definition, or converted by another rate.
    WrongUnit,
    /// A wrong answer is about somebody else of the same name.
    Homonym,
    /// The agent understood what was asked and went about it in a way that cannot work. No rule finds this: only a model
    /// that was asked can say so.
    WrongStrategy,
    /// A mistake that an expert of the field would not have made. Only a model that was asked can say so.
    KnowledgeGap,
    /// Data or results that were made up instead of computed. Only a model that was asked can say so.
    Fabrication,
    /// The way was sound, and a mistake was made in carrying it out. Only a model that was asked can say so.
    ImplementationBug,
}

impl LabelKind {
    /// Every way there is, in order.
    pub const ALL: [Self; 23] = [
        Self::Looping,
        Self::RepeatedInvalidAction,
        Self::StateMismanagement,
        Self::EarlyStop,
        Self::LateStop,
        Self::IgnoredVisualChange,
        Self::IgnoredFeedback,
        Self::NoVisibleEffect,
        Self::GroundingMiss,
        Self::ProtocolViolation,
        Self::FormatError,
        Self::Timeout,
        Self::Unsupported,
        Self::ShallowSearch,
        Self::SentenceQuery,
        Self::LostConstraint,
        Self::StaleSource,
        Self::WrongUnit,
        Self::Homonym,
        Self::WrongStrategy,
        Self::KnowledgeGap,
        Self::Fabrication,
        Self::ImplementationBug,
    ];
}

impl fmt::Display for LabelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Looping => "looping",
            Self::RepeatedInvalidAction => "repeated invalid action",
            Self::StateMismanagement => "state mismanagement",
            Self::EarlyStop => "early stop",
            Self::LateStop => "late stop",
            Self::IgnoredVisualChange => "ignored visual change",
            Self::IgnoredFeedback => "ignored feedback",
            Self::NoVisibleEffect => "no visible effect",
            Self::GroundingMiss => "grounding miss",
            Self::ProtocolViolation => "protocol violation",
            Self::FormatError => "format error",
            Self::Timeout => "timeout",
            Self::Unsupported => "unsupported",
            Self::ShallowSearch => "shallow search",
            Self::SentenceQuery => "whole sentence as query",
            Self::LostConstraint => "lost constraint",
            Self::StaleSource => "stale source",
            Self::WrongUnit => "wrong unit",
            Self::Homonym => "homonym",
            Self::WrongStrategy => "wrong strategy",
            Self::KnowledgeGap => "knowledge gap",
            Self::Fabrication => "fabrication",
            Self::ImplementationBug => "implementation bug",
        })
    }
}

/// How a trial went wrong: each stretch of steps that shows one of the ways, by way and then by place. A solved trial can
/// have labels too; only those about stopping need it to be unsolved.
pub fn labels(steps: &[Step], verdict: &Verdict, briefing: &Briefing) -> Vec<Label> {
    let loops = looping::looping(steps);
    let mut found = state::mismanaged(steps, &loops);
    found.extend(loops);
    found.extend(looping::repeated_invalid(steps));
    found.extend(stopping::labels(steps, verdict, &briefing.limits));
    found.extend(sight::labels(steps));
    found.extend(form::labels(steps, verdict, &briefing.surface));
    found.extend(chains::labels(steps, verdict, briefing));
    found.sort_by_key(|label| (label.kind, label.from, label.to));
    found
}

#[cfg(test)]
mod tests;
