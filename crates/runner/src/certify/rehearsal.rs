//! One trial in memory, with everything the agent was shown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use quintain_agents::casting::{AgentOccasion, cast};
use quintain_agents::{AgentSpec, Script};
use quintain_core::clock::StoppedClock;
use quintain_core::event::{KeepError, Record, RecordError};
use quintain_core::observation::Shown;
use quintain_core::trajectory::Effect;
use quintain_core::trial::{Played, TrialParts, TrialPast, play};
use quintain_core::world::OracleStyle;
use quintain_core::{
    Agent, Briefing, Digest, Evidence, Feedback, FileHandle, FileSource, Instance, ObservationPart, OpenContext, Pick,
    Reply, Screen, Settings, Trial, TrialEvent, TrialId, Verdict,
};
use quintain_process::sandbox::ProgramAccess;

use super::CertificateSubject;
use crate::scratch::WithScratch;

/// The longest that one call of the world or the agent may take.
pub(super) const CALL_LIMIT: Duration = Duration::from_mins(1);

/// One trial and everything the agent was shown.
#[derive(Debug, Default)]
pub(super) struct Rehearsal {
    pub(super) briefing: Option<Briefing>,
    pub(super) turns: Vec<SeenTurn>,
    pub(super) last_feedback: Option<Feedback>,
    pub(super) evidence: Evidence,
    /// The files of all pictures that were shown, each once.
    pub(super) pictures: BTreeMap<Digest, Arc<[u8]>>,
    pub(super) verdict: Option<Verdict>,
    pub(super) left: LeftFiles,
}

/// What agents left, by what it holds.
pub(super) type LeftFiles = BTreeMap<Digest, FileHandle>;

/// One turn: what the action before came to, what was shown, what was said.
#[derive(Debug)]
pub(super) struct SeenTurn {
    pub(super) feedback: Option<Feedback>,
    pub(super) shown: Shown,
    pub(super) reply: Reply,
}

/// The oracle's words in a canonical instance, and the end state they came to.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    pub(super) instance: Digest,
    pub(super) replies: Vec<Reply>,
    pub(super) evidence: Evidence,
    pub(super) left: LeftFiles,
}

/// Everything there is to be shown.
pub(super) fn all_parts() -> BTreeSet<ObservationPart> {
    use ObservationPart::{Ascii, Dom, Feedback, Goal, Marks, Remaining, Screen, Text, Tree};
    [Screen, Tree, Marks, Dom, Ascii, Text, Goal, Feedback, Remaining].into()
}

/// What an agent that does not look is shown.
pub(super) fn blind() -> BTreeSet<ObservationPart> {
    [ObservationPart::Remaining].into()
}

impl CertificateSubject<'_> {
    /// Plays an instance. `who` and `repeat` name the trial and so seed agents that draw lots.
    pub(super) fn rehearse(
        &self,
        instance: &Instance,
        (who, repeat): (&str, u32),
        show: BTreeSet<ObservationPart>,
        agent: &mut dyn Agent,
    ) -> Result<Rehearsal, String> {
        let id = TrialId { instance: instance.id.clone(), agent: who.to_owned(), repeat };
        let trial = Trial {
            id: &id,
            task: self.task,
            instance,
            world: self.world.digest(self.task),
            settings: &Settings { show, ..Settings::default() },
            limits: &self.task.limits(&instance.id.pick),
        };
        let mut rehearsal = Rehearsal::default();
        let mut stage = TrialParts {
            open: &|| self.world.open_with(instance, &OpenContext::of(self.task, trial.settings)),
            agent,
            reference: &|| Ok(instance.reference(self.task)),
            derive: &WithScratch(self.derive),
            judge: self.panel,
            record: &mut rehearsal,
            clock: &StoppedClock,
            interrupted: &|| false,
            call_limit: CALL_LIMIT,
        };
        match play(&trial, &mut stage, TrialPast::default()) {
            Ok(Played::Ended(_)) => Ok(rehearsal),
            Ok(Played::Interrupted) => Err(format!("{who} broke off")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Says these replies, one a turn.
    pub(super) fn recite(
        &self,
        instance: &Instance,
        who: &str,
        show: BTreeSet<ObservationPart>,
        replies: impl IntoIterator<Item = Reply>,
    ) -> Result<Rehearsal, String> {
        self.rehearse(instance, (who, 0), show, &mut Script::new(replies))
    }

    /// The task's or the world's own solution.
    pub(super) fn oracle(&self, instance: &Instance) -> Result<Box<dyn Agent + Send>, String> {
        self.oracle_in_style(instance, OracleStyle::default())
    }

    /// The same in another way.
    pub(super) fn oracle_in_style(
        &self,
        instance: &Instance,
        style: OracleStyle,
    ) -> Result<Box<dyn Agent + Send>, String> {
        let recording = |_run: &str| Err("nothing is recorded here".to_owned());
        let occasion = AgentOccasion {
            task: self.task,
            instance,
            world: self.world,
            recording: &recording,
            access: &ProgramAccess::Host,
            models: None,
        };
        cast(&AgentSpec::Oracle(style), &occasion).map_err(|error| error.to_string())
    }
}

impl Canonical {
    /// The oracle's words in the canonical instance of a preset; nothing if there is no such instance.
    pub(super) fn of(subject: CertificateSubject<'_>, preset: Option<String>) -> Option<Self> {
        let pick = Pick { preset, ..Pick::default() };
        let instance = subject.world.instantiate(subject.task, &pick).ok()?;
        let mut oracle = subject.oracle(&instance).ok()?;
        // One that looks where things are may look at the screen too.
        let show = if oracle.wants_geometry() { all_parts() } else { blind() };
        let rehearsal = subject.rehearse(&instance, ("oracle", 0), show, oracle.as_mut()).ok()?;
        let evidence = Evidence { derived: BTreeMap::new(), ..rehearsal.evidence };
        let replies = rehearsal.turns.into_iter().map(|turn| turn.reply).collect();
        Some(Self { instance: instance.digest(), replies, evidence, left: rehearsal.left })
    }
}

impl Rehearsal {
    /// The verdict.
    pub(super) fn verdict(&self) -> &Verdict {
        self.verdict.as_ref().expect("a trial that ended was judged")
    }

    /// The hash of everything that was shown and said, and of the verdict.
    pub(super) fn digest(&self) -> Digest {
        let turns: Vec<_> = self.turns.iter().map(|turn| (&turn.shown, &turn.feedback, &turn.reply)).collect();
        let said = serde_json::json!([self.briefing, turns, self.last_feedback, self.verdict]);
        Digest::of_json(&said)
    }

    /// The first turn in which two trials differ, and what differs.
    pub(super) fn first_difference(&self, other: &Self) -> Option<String> {
        for (idx, (a, b)) in self.turns.iter().zip(&other.turns).enumerate() {
            if let Some(part) = different_part(&a.shown, &b.shown) {
                return Some(format!("`{part:?}` of turn {idx} is not the same").to_lowercase());
            }
            if a.reply != b.reply {
                return Some(format!("the reply in turn {idx} is not the same"));
            }
        }
        if self.turns.len() != other.turns.len() {
            return Some(format!("one took {} turns, the other {}", self.turns.len(), other.turns.len()));
        }
        if self.verdict != other.verdict {
            return Some("the verdict is not the same".to_owned());
        }
        (self.digest() != other.digest()).then(|| "the briefing or the last feedback is not the same".to_owned())
    }

    /// The first turn in which the picture changed although the action before had no effect.
    pub(super) fn invisible_effect(&self) -> Option<usize> {
        let pairs = self.turns.iter().zip(self.turns.iter().skip(1));
        pairs.enumerate().find_map(|(idx, (before, after))| {
            let without_effect = after.feedback.as_ref().is_some_and(|feedback| feedback.effect != Effect::Changed);
            (without_effect && world_of(&before.shown) != world_of(&after.shown)).then_some(idx + 1)
        })
    }

    /// Everything the agent said before a turn.
    pub(super) fn said_before(&self, turn_idx: usize) -> impl Iterator<Item = &str> {
        self.turns.iter().take(turn_idx).map(|turn| turn.reply.raw.as_str())
    }
}

/// What was shown of the world itself.
fn world_of(shown: &Shown) -> Shown {
    let mut shown = shown.clone();
    shown.texts.retain(|part, _| !matches!(part, ObservationPart::Feedback | ObservationPart::Remaining));
    shown
}

fn different_part(a: &Shown, b: &Shown) -> Option<ObservationPart> {
    all_parts()
        .into_iter()
        .find(|part| a.pictures.get(part) != b.pictures.get(part) || a.texts.get(part) != b.texts.get(part))
}

impl Record for Rehearsal {
    fn frame(&mut self, digest: Digest, screen: &Screen) -> Result<(), RecordError> {
        if let Screen::Png { bytes, .. } = screen {
            self.pictures.insert(digest, Arc::clone(bytes));
        }
        Ok(())
    }

    fn file(&mut self, source: &Arc<dyn FileSource>) -> Result<FileHandle, KeepError> {
        let handle = FileHandle::of(Arc::clone(source))?;
        self.left.insert(handle.digest(), handle.clone());
        Ok(handle)
    }

    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError> {
        match event {
            TrialEvent::Began { briefing, .. } => self.briefing = Some(briefing),
            TrialEvent::Turn { feedback, shown, reply, .. } => self.turns.push(SeenTurn { feedback, shown, reply }),
            TrialEvent::Stopped { feedback, .. } => self.last_feedback = feedback,
            TrialEvent::Collected { evidence } => self.evidence = evidence,
            TrialEvent::Derived { derived } => self.evidence.derived.extend(derived),
            TrialEvent::Judged { verdict } => self.verdict = Some(verdict),
            TrialEvent::Resumed { .. }
            | TrialEvent::Snapshot { .. }
            | TrialEvent::Kept { .. }
            | TrialEvent::PutBack { .. } => {}
        }
        Ok(())
    }
}
