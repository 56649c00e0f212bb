//! A run as it goes, on the screen: the same events give the same picture, live or replayed.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_core::event::Event;
use quintain_core::trial::TrialId;
use quintain_core::verdict::Verdict;
use quintain_core::words::{count, printable};

use crate::printer::Printer;

/// Shows events: as a bar with a table on a terminal, as plain lines elsewhere.
pub(crate) struct Live {
    view: LiveView,
    printer: Printer,
    tally: LiveTally,
    playing: BTreeMap<TrialId, String>,
}

enum LiveView {
    Bar(ProgressBar),
    Lines,
    Nothing,
}

/// What came of the trials so far: `done` over the whole run, the others in this session.
#[derive(Default)]
struct LiveTally {
    /// Whether guests may come, so that there are more trials than it began with.
    is_open: bool,
    trials: u64,
    done: u64,
    done_before: u64,
    solved: u64,
    faults: u64,
    retries: u64,
}

/// The most trials listed below the bar.
const N_LISTED: usize = 8;

impl Live {
    pub(crate) fn new(printer: Printer) -> Self {
        let view = match (printer.quiet, std::io::stderr().is_terminal()) {
            (true, _) => LiveView::Nothing,
            (false, true) => LiveView::Bar(bar()),
            (false, false) => LiveView::Lines,
        };
        Self { view, printer, tally: LiveTally::default(), playing: BTreeMap::new() }
    }

    /// Shows one event.
    pub(crate) fn on(&mut self, event: &Event) {
        self.count(event);
        match &self.view {
            LiveView::Bar(bar) => self.draw(bar, event),
            LiveView::Lines => {
                if let Some(line) = self.line(event) {
                    self.printer.say(line);
                }
            }
            LiveView::Nothing => {}
        }
    }

    /// Tells a person something that is no event.
    pub(crate) fn say(&self, words: &str) {
        match &self.view {
            LiveView::Bar(bar) => bar.println(printable(words)),
            LiveView::Lines | LiveView::Nothing => self.printer.say(words),
        }
    }

    fn count(&mut self, event: &Event) {
        match event {
            Event::RunBegan { n_trials, n_done, .. } => {
                let (trials, done) = (*n_trials, *n_done);
                self.tally =
                    LiveTally { is_open: trials == 0, trials, done, done_before: done, ..LiveTally::default() };
            }
            Event::TrialBegan { trial, .. } => {
                self.playing.insert(trial.clone(), "begins".to_owned());
                // In a fleet this may be heard after the trial's end, so that it says nothing about the number.
                if self.tally.is_open {
                    self.tally.trials = self.tally.trials.max(self.tally.done + self.playing.len() as u64);
                }
            }
            Event::TurnTaken { trial, step_idx, action } => {
                let action = action.as_deref().unwrap_or("?");
                self.playing.insert(trial.clone(), format!("{step_idx:>3}  {action}"));
            }
            Event::AttemptFaulted { trial, .. } => {
                self.tally.retries += 1;
                self.playing.remove(trial);
            }
            Event::TrialEnded { trial, verdict, .. } => {
                self.tally.done += 1;
                self.tally.solved += u64::from(verdict.solved);
                self.tally.faults += u64::from(verdict.ending.is_fault());
                self.playing.remove(trial);
            }
            Event::TrialInterrupted { trial } => {
                self.playing.remove(trial);
            }
            Event::RunDenied { .. } => {}
            Event::RunEnded { .. } => self.playing.clear(),
        }
    }

    fn draw(&self, bar: &ProgressBar, event: &Event) {
        bar.set_length(self.tally.trials);
        bar.set_position(self.tally.done);
        let listed = self.playing.iter().take(N_LISTED).map(|(trial, doing)| format!("\n  {trial:<44}  {doing}"));
        bar.set_message(format!("{}{}", self.tally.words(), listed.collect::<String>()));
        match event {
            Event::AttemptFaulted { .. } | Event::RunDenied { .. } => {
                bar.println(printable(&self.line(event).unwrap_or_default()));
            }
            Event::RunEnded { .. } => bar.finish(),
            _ => {}
        }
    }

    /// The event as a line; nothing for those too many to print.
    fn line(&self, event: &Event) -> Option<String> {
        match event {
            Event::RunBegan { run, n_trials: 0, .. } => Some(format!("run `{run}` is open")),
            Event::RunBegan { run, n_trials, n_done: 0 } => Some(format!("run `{run}`: {}", count(*n_trials, "trial"))),
            Event::RunBegan { run, n_trials, n_done } => {
                Some(format!("run `{run}` goes on: {n_done} of {n_trials} trials are done"))
            }
            Event::TrialEnded { trial, verdict, spent, .. } => Some(format!(
                "[{}/{}] {trial}: {} after {}",
                self.tally.done,
                self.tally.trials,
                outcome(verdict),
                count(spent.steps, "step")
            )),
            Event::AttemptFaulted { trial, attempt, ending, why } => {
                Some(format!("{trial}: attempt {attempt} ended in a {ending}, tried again: {why}"))
            }
            Event::TrialInterrupted { trial } => Some(format!("{trial}: put down")),
            Event::RunDenied { why } => {
                Some(format!("the run stops, for nobody can play: {why}\nhint: mend that, then `quintain resume`"))
            }
            Event::RunEnded { n_left: 0, .. } => Some(self.tally.words()),
            Event::RunEnded { n_left, .. } => Some(format!("{}; {n_left} left", self.tally.words())),
            Event::TrialBegan { .. } | Event::TurnTaken { .. } => None,
        }
    }
}

impl LiveTally {
    fn words(&self) -> String {
        let retries =
            if self.retries == 0 { String::new() } else { format!(", {} tried again", count(self.retries, "attempt")) };
        let session = if self.done_before == 0 { "" } else { " in this session" };
        format!("{} solved, {}{retries}{session}", self.solved, count(self.faults, "fault"))
    }
}

fn outcome(verdict: &Verdict) -> String {
    match (verdict.solved, &verdict.fault) {
        (true, _) => "solved".to_owned(),
        (false, Some(why)) => format!("{} ({why})", verdict.ending),
        (false, None) => format!("not solved, {}", verdict.ending),
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} trials  {per_sec}  {elapsed}  {msg}");
    bar.set_style(style.expect("the template is sound"));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
