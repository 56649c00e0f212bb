//! How answers came about that are given along the way, as in chains of questions: from the wrong source, person or unit, with a
//! condition passed over, without having looked.
//!
//! What a wrong answer is made of is found by the judge, which leaves it in its findings as `read.<how>`; how much of what a right
//! answer rests on had been shown, as `shown`. How something was looked for counts where answers are noted on the way.

use quintain_core::action::Action;
use quintain_core::agent::Briefing;
use quintain_core::check::Finding;
use quintain_core::surface::ActionGroup;
use quintain_core::trajectory::Step;
use quintain_core::verdict::{MilestoneReached, Verdict};

use super::steps::{label, same_view};
use super::{Label, LabelKind};

/// Of what a right answer rests on, more than this must have been shown.
const SHOWN: f64 = 0.5;
/// So many words in a row that stand so in the instruction are a sentence of it.
const SENTENCE: usize = 8;

pub(super) fn labels(steps: &[Step], verdict: &Verdict, briefing: &Briefing) -> Vec<Label> {
    let Some(last) = steps.len().checked_sub(1) else { return Vec::new() };
    let noted = steps.iter().rposition(|step| matches!(step.action, Some(Action::Note { .. }))).unwrap_or(last);
    let mut found: Vec<Label> = readings(verdict).into_iter().map(|kind| label(kind, (noted, noted))).collect();
    found.extend(verdict.asked().filter(|milestone| is_unsupported(milestone)).map(|milestone| {
        let at = milestone.after_steps.map_or(last, |steps| (steps as usize).saturating_sub(1).min(last));
        label(LabelKind::Unsupported, (at, at))
    }));
    if briefing.surface.groups.contains(&ActionGroup::Note) {
        found
            .extend(sentence_queries(steps, &briefing.instruction).map(|at| label(LabelKind::SentenceQuery, (at, at))));
        found.extend(is_shallow(steps, verdict).then(|| label(LabelKind::ShallowSearch, (last, last))));
    }
    found
}

/// The wrong readings by which milestones were missed, each once.
fn readings(verdict: &Verdict) -> Vec<LabelKind> {
    let missed = verdict.asked().filter(|milestone| milestone.after_steps.is_none());
    let findings = missed.flat_map(|milestone| &milestone.findings);
    let read = findings.flat_map(|finding| finding.measures.keys().filter_map(|name| name.strip_prefix("read.")));
    let mut kinds: Vec<LabelKind> = read.filter_map(of_reading).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// What it is to read the world in one of the wrong ways that judges know.
fn of_reading(how: &str) -> Option<LabelKind> {
    match how {
        "unrestated"
        | "press-figure"
        | "provisional"
        | "before-break"
        | "outdated-encyclopaedia"
        | "superseded-amendment" => Some(LabelKind::StaleSource),
        "nominal-for-real" | "other-year-rate" => Some(LabelKind::WrongUnit),
        "homonym" => Some(LabelKind::Homonym),
        "condition-dropped" | "other-bounds" | "retracted-counted" | "withdrawn-licence-counted" => {
            Some(LabelKind::LostConstraint)
        }
        _ => None,
    }
}

fn is_unsupported(milestone: &MilestoneReached) -> bool {
    let is_bare = |finding: &Finding| finding.measures.get("shown").is_some_and(|share| *share <= SHOWN);
    milestone.after_steps.is_some() && milestone.findings.iter().any(is_bare)
}

/// Where a whole sentence of the instruction was looked up.
fn sentence_queries(steps: &[Step], instruction: &str) -> impl Iterator<Item = usize> {
    let asked: Vec<Vec<String>> = instruction.lines().map(|line| words(without_given(line))).collect();
    let is_asked =
        move |run: &[String]| asked.iter().any(|line| line.windows(SENTENCE).any(|sentence| sentence == run));
    let is_sentence = move |words: &Vec<String>| words.windows(SENTENCE).any(&is_asked);
    let looked_up = steps.iter().enumerate().filter_map(|(at, step)| Some((at, words(looked_up(step)?))));
    looked_up.filter(move |(_, words)| is_sentence(words)).map(|(at, _)| at)
}

/// A line of the instruction without the answers that are given in it: somebody looks up a long title who was told it.
fn without_given(line: &str) -> &str {
    line.split_once("`: ").map_or(line, |(asked, _)| asked)
}

/// The words that a step looks up, or types.
fn looked_up(step: &Step) -> Option<&str> {
    match step.action.as_ref()? {
        Action::Type { text } => Some(text),
        Action::Call(call) if call.name == "search" => call.args.first()?.as_str(),
        _ => None,
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Whether the agent stopped by itself, unsolved, and had seen no more views than it was asked questions.
fn is_shallow(steps: &[Step], verdict: &Verdict) -> bool {
    let n_asked = verdict.asked().count();
    let mut views: Vec<&Step> = Vec::new();
    for step in steps {
        if !views.iter().any(|known| same_view(known, step)) {
            views.push(step);
        }
        if views.len() > n_asked {
            return false;
        }
    }
    n_asked > 1 && verdict.ending.by_the_agent() && !verdict.solved
}
