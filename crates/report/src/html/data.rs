//! The data of the page: one JSON list of trials, and per trial one of steps that is read only when it is opened.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quintain_core::action::{Action, Place};
use quintain_core::check::{Finding, Measures};
use quintain_core::digest::Digest;
use quintain_core::observation::ObservationPart;
use quintain_core::trajectory::{Effect, Step};
use quintain_core::verdict::{MilestoneReached, MilestoneState, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::escape::json as safe_json;
use super::{HtmlReport, HtmlTrial, PagePicture};
use crate::opinion::Opinion;
use crate::pointer_trail::TrailMatch;
use crate::row::{TrialRow, ending_of};

/// So many characters of a text that an agent or a world wrote are in a page.
const MOST_TEXT: usize = 4_000;

/// So many milestones of a trial are listed in a page.
const MOST_MILESTONES: usize = 60;

/// So many findings of milestones that were missed are listed for a trial, each with so many characters.
const MOST_MISSED: usize = 10;
const MOST_FOUND: usize = 400;

/// What an instruction may take, as far as the size of a page is reckoned before it is made.
const ROOM_FOR_INSTRUCTION: usize = 1_000;

/// Numbers for pictures, so that a step need not repeat a long digest.
pub(super) struct PictureNumbers(BTreeMap<Digest, usize>);

impl PictureNumbers {
    /// Numbers the pictures of a report.
    pub(super) fn number(report: &HtmlReport) -> Self {
        Self(report.pictures.keys().enumerate().map(|(number, digest)| (*digest, number)).collect())
    }

    fn of(&self, digest: &Digest) -> Option<usize> {
        self.0.get(digest).copied()
    }
}

#[derive(Serialize)]
struct StepData<'a> {
    pictures: BTreeMap<ObservationPart, Option<usize>>,
    texts: BTreeMap<ObservationPart, Cow<'a, str>>,
    action: Option<String>,
    points: Vec<[f64; 2]>,
    effect: Option<Effect>,
    feedback: Option<Cow<'a, str>>,
    reply: Cow<'a, str>,
    thought: Option<Cow<'a, str>>,
    /// What went against the agreed form before the reply: the kind, and the beginning of what was said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    slips: Vec<(String, Cow<'a, str>)>,
    tokens: Option<u64>,
    elapsed_ms: u64,
}

/// The list of trials.
pub(super) fn trials(report: &HtmlReport, pictures: &PictureNumbers) -> String {
    safe_json(&report.trials.iter().map(|trial| trial_data(trial, pictures)).collect::<Vec<_>>())
}

fn trial_data(trial: &HtmlTrial, pictures: &PictureNumbers) -> Value {
    let HtmlTrial { row, instruction, steps, last_screen } = trial;
    let (id, verdict) = (&row.trial, &row.verdict);
    let labels: Vec<Value> = row
        .labels
        .iter()
        .map(|label| json!([label.kind.to_string(), label.from, label.to]))
        .chain(trail_data(row))
        .collect();
    let opinions: Vec<Value> = row
        .opinions
        .iter()
        .flat_map(|(model, given)| given.iter().map(move |opinion| opinion_data(model, opinion)))
        .collect();
    json!({
        "id": id.to_string(),
        "instance": id.instance.to_string(),
        "task": row.task(),
        "agent": id.agent,
        "repeat": id.repeat,
        "difficulty": row.difficulty.map_or_else(|| "unknown".to_owned(), |difficulty| difficulty.to_string()),
        "outcome": if row.faulted() { "fault" } else if verdict.solved { "solved" } else { "unsolved" },
        "ending": ending_of(verdict),
        "fault": verdict.fault,
        "score": verdict.score,
        "findings": verdict.findings.iter().cloned().chain(missed_findings(verdict)).collect::<Vec<_>>(),
        "milestones": verdict.milestones.iter().take(MOST_MILESTONES).map(milestone_data).collect::<Vec<_>>(),
        "source": verdict.source.as_ref().map(|source| &source.name),
        "steps": row.spent.steps,
        "optimal": row.optimal_steps,
        "tokens": row.had_model.then_some(row.spent.tokens),
        "cost": row.cost(),
        "cost_unknown": row.had_model && !row.cost_known,
        "cost_at_least": row.known_cost(),
        "unknown_calls": row.spent.n_unknown,
        "ms": row.spent.elapsed_ms,
        "attempts": row.attempts,
        "retried": row.faulted_attempts.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "labels": labels,
        "opinions": opinions,
        "instruction": instruction.as_deref().map(cut),
        "has_steps": steps.is_some(),
        "last_screen": last_screen.as_ref().and_then(|digest| pictures.of(digest)),
    })
}

/// A milestone as a page lists it: what its checks found stands among the findings.
fn milestone_data(milestone: &MilestoneReached) -> Value {
    let MilestoneReached { name, after_steps, given, broke, .. } = milestone;
    let name = if *broke { format!("{name} (broke here)") } else { name.clone() };
    let mut data = json!({ "name": cut_to(&name, MOST_FOUND), "after_steps": after_steps });
    if *given {
        data["given"] = json!(true);
    }
    data
}

/// What the checks of milestones found that were missed.
fn missed_findings(verdict: &Verdict) -> impl Iterator<Item = Finding> {
    let missed = verdict.milestones.iter().filter(|milestone| milestone.state() == MilestoneState::Missed);
    let told = missed.take(MOST_MISSED).flat_map(|milestone| {
        milestone.findings.iter().take(MOST_MISSED).map(|finding| Finding {
            check: format!("milestone {}: {}", milestone.name, finding.check),
            because: cut_to(&finding.because, MOST_FOUND).into_owned(),
            score: finding.score,
            measures: Measures::new(),
        })
    });
    told.take(MOST_MISSED)
}

/// A pointer that went where the oracle's goes, as a label over all steps.
fn trail_data(row: &TrialRow) -> Option<Value> {
    let last = row.spent.steps.saturating_sub(1);
    (row.trail == TrailMatch::Same).then(|| json!(["pointer on the oracle's pixels alone", 0, last]))
}

fn opinion_data(model: &str, opinion: &Opinion) -> Value {
    let Opinion { kind, step, quote, why } = opinion;
    json!({ "model": model, "kind": kind.to_string(), "step": step, "quote": quote, "why": why })
}

/// One script element of steps for each trial that has them.
pub(super) fn steps(report: &HtmlReport, pictures: &PictureNumbers) -> String {
    let element = |(i, trial): (usize, &HtmlTrial)| {
        let steps: Vec<StepData<'_>> = trial.steps.as_ref()?.iter().map(|step| step_data(step, pictures)).collect();
        Some(format!("<script type=\"application/json\" id=\"steps-{i}\">{}</script>\n", safe_json(&steps)))
    };
    report.trials.iter().enumerate().filter_map(element).collect()
}

fn step_data<'a>(step: &'a Step, pictures: &PictureNumbers) -> StepData<'a> {
    StepData {
        pictures: step.shown.pictures.iter().map(|(part, digest)| (*part, pictures.of(digest))).collect(),
        texts: step.shown.texts.iter().map(|(part, text)| (*part, cut(text))).collect(),
        action: step.action.as_ref().map(Action::told),
        points: step.action.as_ref().map(points).unwrap_or_default(),
        effect: step.feedback.as_ref().map(|feedback| feedback.effect),
        feedback: step.feedback.as_ref().map(|feedback| cut(&feedback.text)),
        reply: cut(&step.reply.raw),
        thought: step.reply.thought.as_deref().map(cut),
        slips: step.reply.slips.iter().map(|slip| (slip.kind.to_string(), cut(&slip.said))).collect(),
        tokens: step.reply.usage.map(|usage| usage.tokens()),
        elapsed_ms: step.spent.elapsed_ms,
    }
}

/// The points on the screen that an action touches; marked elements have none that is recorded.
fn points(action: &Action) -> Vec<[f64; 2]> {
    let touched = match action {
        Action::Zoom { from, to } => vec![(*from).into(), (*to).into()],
        Action::Sequence { actions } => return actions.iter().flat_map(points).collect(),
        other => other.places(),
    };
    touched.into_iter().filter_map(Place::point).map(|point| [point.x, point.y]).collect()
}

/// Every picture once, in the order of its number.
pub(super) fn pictures(report: &HtmlReport, pictures: &PictureNumbers) -> String {
    debug_assert_eq!(report.pictures.len(), pictures.0.len());
    let entry = |picture: &PagePicture| (picture.media, picture.width, STANDARD.encode(&picture.bytes));
    safe_json(&report.pictures.values().map(entry).collect::<Vec<_>>())
}

/// How many bytes a trial takes in the list of a page.
pub fn listed_size(row: &TrialRow) -> usize {
    let trial = HtmlTrial { row: row.clone(), instruction: None, steps: None, last_screen: None };
    trial_data(&trial, &PictureNumbers(BTreeMap::new())).to_string().len() + ROOM_FOR_INSTRUCTION
}

/// How many bytes a step takes in a page, besides its pictures.
pub fn step_size(step: &Step) -> usize {
    serde_json::to_string(&step_data(step, &PictureNumbers(BTreeMap::new()))).map_or(0, |text| text.len())
}

/// The beginning of a text that somebody wrote, and how much was cut off.
fn cut(text: &str) -> Cow<'_, str> {
    cut_to(text, MOST_TEXT)
}

fn cut_to(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            Cow::Owned(format!("{}\n... and {} bytes more, in the record", &text[..end], text.len() - end))
        }
    }
}
