//! A trial in short, fenced as data.

use std::fmt::Write;

use quintain_core::agent::Briefing;
use quintain_core::digest::Digest;
use quintain_core::trajectory::{Effect, Feedback, Step};
use quintain_core::verdict::Verdict;

use crate::text::shorten;

/// With more steps than this the middle is left out.
const MOST_STEPS: usize = 160;

/// Of the steps that stay, those at the beginning.
const FIRST_STEPS: usize = 60;

/// The longest that a text of a step may be, in characters.
const LONGEST: usize = 700;

/// The longest that the instruction may be.
const LONGEST_INSTRUCTION: usize = 6000;

/// A trial in short: the task, its numbered steps and what the checks found, between two lines that cannot stand in it.
pub fn dossier(briefing: Option<&Briefing>, steps: &[Step], verdict: &Verdict) -> String {
    let mut text = String::new();
    if let Some(briefing) = briefing {
        let _infallible = writeln!(text, "TASK\n{}\n", shorten(&briefing.instruction, LONGEST_INSTRUCTION));
        let _infallible = writeln!(text, "LIMIT: {} steps\n", briefing.limits.steps);
    }
    let left_out = left_out(steps.len());
    for (idx, step) in steps.iter().enumerate() {
        if idx == left_out.start && !left_out.is_empty() {
            let _infallible = writeln!(text, "(steps {} to {} are left out)\n", left_out.start, left_out.end - 1);
        }
        if !left_out.contains(&idx) {
            write_step(&mut text, idx, step);
        }
    }
    write_end(&mut text, verdict);
    let fence = format!("=== recording {} ===", &Digest::of(text.as_bytes()).short()[..8]);
    format!("{fence}\n{text}{fence}\n")
}

fn left_out(n_steps: usize) -> std::ops::Range<usize> {
    if n_steps <= MOST_STEPS { 0..0 } else { FIRST_STEPS..n_steps - (MOST_STEPS - FIRST_STEPS) }
}

fn write_step(text: &mut String, idx: usize, step: &Step) {
    let mut line = |name: &str, words: &str| {
        if !words.trim().is_empty() {
            let _infallible = writeln!(text, "  {name}: {}", shorten(words.trim(), LONGEST));
        }
    };
    line("step", &idx.to_string());
    line("thought", step.reply.thought.as_deref().unwrap_or_default());
    line("said", &step.reply.raw);
    for slip in &step.reply.slips {
        line("corrected", &slip.said);
    }
    line("action", &step.action.as_ref().map_or_else(|| "(could not be read)".to_owned(), ToString::to_string));
    if let Some(feedback) = &step.feedback {
        line("feedback", &told(feedback));
    }
    text.push('\n');
}

/// What came of a deed, as a dossier tells it.
pub(super) fn told(feedback: &Feedback) -> String {
    let effect = match feedback.effect {
        Effect::Changed => "changed",
        Effect::Unchanged => "unchanged",
        Effect::Refused => "refused",
        Effect::Misread => "misread",
    };
    format!("[{effect}] {}", feedback.text)
}

fn write_end(text: &mut String, verdict: &Verdict) {
    let _infallible = writeln!(text, "END: {}, score {:.2}", verdict.ending, verdict.score.value());
    for finding in &verdict.findings {
        let because = shorten(&finding.because, LONGEST);
        let _infallible = writeln!(text, "  {}: {:.2}, {because}", finding.check, finding.score.value());
    }
    for milestone in &verdict.milestones {
        let _infallible = writeln!(text, "  milestone {}: {}", milestone.name, milestone.words());
    }
}
