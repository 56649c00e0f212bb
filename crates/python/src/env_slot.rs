//! One environment: an episode, and the one after it.

use std::sync::Arc;

use anyhow::Context;
use quintain_core::trajectory::{Effect, Feedback};
use quintain_core::trial::{Episode, TrialEnd};
use quintain_core::{Briefing, Ending, Measures, Observation, ObservationPart, Reply, Screen, WorldError};

use crate::episode_source::EpisodeSource;
use crate::frame;

/// One environment. Between episodes there is no episode.
pub(crate) struct EnvSlot {
    course: Arc<EpisodeSource>,
    seed: u64,
    /// Whether nobody has asked for its first episode yet.
    is_fresh: bool,
    episode: Option<Episode>,
    shown: Observation,
}

/// What came of a step.
pub(crate) struct StepOutcome {
    /// Whether the screen is not what it was before.
    pub(crate) is_redrawn: bool,
    pub(crate) feedback: Option<Feedback>,
    pub(crate) remaining_steps: u32,
    pub(crate) end: Option<SlotEnd>,
}

/// What came of an episode.
pub(crate) struct SlotEnd {
    pub(crate) ending: Ending,
    pub(crate) score: f64,
    pub(crate) reward: f64,
    pub(crate) solved: bool,
    pub(crate) measures: Measures,
    pub(crate) fault: Option<String>,
}

impl SlotEnd {
    /// Whether a limit or something that broke cut the episode short, rather than the agent's own word.
    pub(crate) fn is_truncated(&self) -> bool {
        matches!(self.ending, Ending::Truncated(_) | Ending::Fault(_))
    }
}

/// An effect, as it is recorded.
pub(crate) fn word(effect: Effect) -> &'static str {
    match effect {
        Effect::Changed => "changed",
        Effect::Unchanged => "unchanged",
        Effect::Refused => "refused",
        Effect::Misread => "misread",
    }
}

impl StepOutcome {
    /// What became of the action, in a word.
    pub(crate) fn effect(&self) -> &'static str {
        self.feedback.as_ref().map_or("none", |feedback| word(feedback.effect))
    }

    /// What became of it, in words.
    pub(crate) fn words(&self) -> &str {
        self.feedback.as_ref().map_or("", |feedback| &feedback.text)
    }
}

impl EnvSlot {
    /// An environment at the start of an episode.
    pub(crate) fn new(course: Arc<EpisodeSource>, seed: u64) -> anyhow::Result<Self> {
        let mut lane = Self { course, seed, is_fresh: true, episode: None, shown: Observation::default() };
        lane.reset(seed)?;
        lane.is_fresh = true;
        Ok(lane)
    }

    /// Begins an episode. Where that fails, the episode of this seed is over.
    pub(crate) fn reset(&mut self, seed: u64) -> anyhow::Result<StepOutcome> {
        self.put_down();
        (self.seed, self.is_fresh) = (seed, false);
        let mut episode = self.course.sit(seed)?;
        self.look(&mut episode)?;
        let outcome =
            StepOutcome { is_redrawn: true, feedback: None, remaining_steps: episode.remaining().steps, end: None };
        self.episode = Some(episode);
        Ok(outcome)
    }

    /// Ends the episode without a verdict; nothing is shown any more.
    pub(crate) fn put_down(&mut self) {
        (self.episode, self.shown) = (None, Observation::default());
    }

    /// The seed of the next episode, where environments take turns in counting up.
    pub(crate) fn next_seed(&self, n_environments: u64) -> u64 {
        if self.is_fresh { self.seed } else { self.seed.wrapping_add(n_environments) }
    }

    /// Whether the episode is over, so that the next step must be a reset.
    pub(crate) fn is_over(&self) -> bool {
        self.episode.is_none()
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// What an agent is told before the first turn; nothing between episodes.
    pub(crate) fn briefing(&self) -> Option<Briefing> {
        self.episode.as_ref().map(Episode::briefing)
    }

    /// Carries out what an agent says.
    pub(crate) fn step(&mut self, text: &str) -> anyhow::Result<StepOutcome> {
        let mut episode = self.episode.take().context("the episode is over: call reset() first")?;
        let over = episode.reply(&Reply::text(text));
        let (feedback, remaining_steps) = (episode.feedback().cloned(), episode.remaining().steps);
        let is_redrawn = feedback.as_ref().is_some_and(|feedback| feedback.effect == Effect::Changed);
        let broken = if is_redrawn { self.look(&mut episode).err() } else { None };
        let over = over.or(broken.map(TrialEnd::from));
        let end = if let Some(over) = over {
            Some(self.end(episode, over)?)
        } else {
            self.episode = Some(episode);
            None
        };
        Ok(StepOutcome { is_redrawn, feedback, remaining_steps, end })
    }

    /// Carries out what an agent says; where the episode is over, the next one begins instead, with the next seed that no
    /// other of so many environments comes to.
    pub(crate) fn step_or_reset(&mut self, text: &str, n_environments: u64) -> anyhow::Result<StepOutcome> {
        if self.is_over() { self.reset(self.next_seed(n_environments)) } else { self.step(text) }
    }

    fn look(&mut self, episode: &mut Episode) -> Result<(), WorldError> {
        // The last picture is let go before the world draws on it again: else it would have to be copied.
        self.shown = Observation::default();
        self.shown = episode.observe()?;
        Ok(())
    }

    fn end(&self, episode: Episode, over: TrialEnd) -> anyhow::Result<SlotEnd> {
        let verdict = self.course.judge(episode, over)?;
        Ok(SlotEnd {
            score: verdict.score.value(),
            reward: verdict.reward(),
            solved: verdict.solved,
            measures: verdict.measures(),
            fault: verdict.fault,
            ending: verdict.ending,
        })
    }

    /// What is shown.
    pub(crate) fn shown(&self) -> &Observation {
        &self.shown
    }

    /// The text that is read; empty where the world broke.
    pub(crate) fn text(&self) -> &str {
        self.shown.texts.get(&ObservationPart::Text).map_or("", String::as_str)
    }

    /// The screen; nothing where the world broke.
    pub(crate) fn screen(&self) -> Option<&Screen> {
        self.shown.pictures.get(&ObservationPart::Screen)
    }

    /// Rows and columns of the screen.
    pub(crate) fn size(&self) -> anyhow::Result<(u32, u32)> {
        let (width, height) = self.screen().context("the world shows no screen")?.size();
        Ok((height, width))
    }

    /// Writes the screen on a canvas of so many rows and columns.
    pub(crate) fn write(&self, canvas: (u32, u32), into: &mut [u8]) -> anyhow::Result<()> {
        self.screen().map_or(Ok(()), |screen| frame::write(screen, canvas, into))
    }
}
