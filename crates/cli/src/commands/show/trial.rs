//! A trial, step by step, and what went wrong in it.

use std::fmt::Write;

use anyhow::Context;
use quintain_agents::loops::conversation::TurnMemory;
use quintain_core::action::Action;
use quintain_core::agent::Slip;
use quintain_core::trajectory::Effect;
use quintain_core::verdict::{MilestoneReached, MilestoneState};
use quintain_core::words::{beginning, count, wrapped};
use quintain_core::{Reply, Step, TrialId, Verdict};
use quintain_models::model::MessageRole;
use quintain_report::ending_of;
use quintain_store::RunDir;
use quintain_workshop::record_of;
use serde_json::json;

use crate::commands::play::finding_lines;
use crate::printer::Printer;

/// As wide as texts are.
const WIDTH: usize = 100;

/// So many characters of what was said are told; `--json` has all that is recorded.
const SAID: usize = 400;

pub(super) fn show(run: &RunDir, trial: &str, printer: Printer) -> anyhow::Result<()> {
    let id = id(trial)?;
    let record = record_of(run, &id)?;
    let steps = record.steps();
    let json = json!({ "trial": id, "briefing": record.briefing(), "steps": steps, "verdict": record.verdict(), "evidence": record.evidence() });
    printer.data(&json, || {
        let lines: String = steps.iter().enumerate().map(step_lines).collect();
        lines + &record.verdict().map(verdict_lines).unwrap_or_default()
    })?;
    if steps.iter().any(|step| step.reply.usage.is_some()) {
        printer.say(format!("what the model was sent in a turn: quintain show {} '{id}' --sent N", run.header().name));
    }
    Ok(())
}

/// A trial as it is typed.
pub(super) fn id(trial: &str) -> anyhow::Result<TrialId> {
    trial.parse().context("a trial is named as `quintain show RUN` lists it")
}

fn step_lines((idx, step): (usize, &Step)) -> String {
    let action = step.action.as_ref().map_or_else(|| "? not read as an action".to_owned(), Action::told);
    let feedback = step.feedback.as_ref().map_or("", |feedback| feedback.text.as_str());
    let line = if action.chars().count() > 28 && !feedback.is_empty() {
        format!("{idx:>4}  {}\n{:36}{feedback}", wrapped(&action, WIDTH - 6, 8), "")
    } else {
        format!("{idx:>4}  {action:<28}  {feedback}")
    };
    let mut text = format!("{}\n", line.trim_end());
    for slip in slips(&step.reply) {
        text += &slip;
    }
    let misread = step.action.is_none() || step.feedback.as_ref().is_some_and(|it| it.effect == Effect::Misread);
    if misread {
        text += &told("it said", &step.reply.raw);
    }
    text
}

/// What went against the agreed form within the turn, and what was answered to it.
fn slips(reply: &Reply) -> Vec<String> {
    let answers = corrections(reply);
    let line = |(idx, slip): (usize, &Slip)| {
        let said = told(&format!("slip, {}", slip.kind), &slip.said);
        let answer = answers.get(idx).map(|answer| told("was told", answer));
        said + &answer.unwrap_or_else(|| "        what was answered to it is not recorded\n".to_owned())
    };
    reply.slips.iter().enumerate().map(line).collect()
}

/// What our loops answered to slips: they keep it to go on after a crash.
fn corrections(reply: &Reply) -> Vec<String> {
    let memory = reply.memory.clone().and_then(|memory| serde_json::from_value::<TurnMemory>(memory).ok());
    let messages = memory.map(|memory| memory.messages).unwrap_or_default();
    let ours = messages.iter().filter(|message| message.role == MessageRole::User);
    ours.map(quintain_models::model::Message::text).filter(|text| !text.is_empty()).collect()
}

fn told(what: &str, words: &str) -> String {
    let words = if words.trim().is_empty() { "(nothing)".to_owned() } else { beginning(words.trim(), SAID) };
    format!("        {}\n", wrapped(&format!("{what}: {words}"), WIDTH - 8, 10))
}

/// What a trial came to, every finding whole.
fn verdict_lines(verdict: &Verdict) -> String {
    let solved = if verdict.solved { "solved" } else { "not solved" };
    let mut text = format!("{}: score {}, {solved}\n", ending_of(verdict), verdict.score.value());
    if let Some(fault) = &verdict.fault {
        let _infallible = writeln!(text, "  {}", wrapped(fault, WIDTH - 2, 4));
    }
    for finding in &verdict.findings {
        let _infallible = writeln!(text, "  {}", finding_lines(finding));
    }
    text + &milestone_lines(&verdict.milestones)
}

/// So many milestones are told; `--json` has them all.
const MOST_MILESTONES: usize = 60;

/// What became of each milestone: when it was reached, and of one that was missed what its checks found.
fn milestone_lines(milestones: &[MilestoneReached]) -> String {
    let mut text: String = milestones.iter().take(MOST_MILESTONES).map(milestone_line).collect();
    let n_more = milestones.len().saturating_sub(MOST_MILESTONES);
    if n_more > 0 {
        let _infallible = writeln!(text, "  and {}; --json has all", count(n_more, "more milestone"));
    }
    text
}

fn milestone_line(milestone: &MilestoneReached) -> String {
    let state = match (milestone.state(), milestone.after_steps) {
        (MilestoneState::Given, _) => "given".to_owned(),
        (_, Some(steps)) => format!("reached after {}", count(steps, "step")),
        (_, None) if milestone.broke => "missed, and this is where it broke".to_owned(),
        (_, None) => "missed".to_owned(),
    };
    let mut text = format!("  milestone {}: {state}\n", milestone.name);
    for finding in milestone.findings.iter().filter(|_| milestone.state() == MilestoneState::Missed) {
        let _infallible = writeln!(text, "    {}", finding_lines(finding));
    }
    text
}
