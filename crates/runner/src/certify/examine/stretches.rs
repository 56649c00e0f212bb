//! The examination of what an instance can be divided into: starts after milestones, and milestones alone (ADR 0020).

use quintain_agents::Idle;
use quintain_agents::script::STOP;
use quintain_core::{Instance, Reply, Stretch, Task, Verdict};

use super::Examination;
use crate::certify::certificate::{Reason, StretchProof};
use crate::certify::effort::Breadth;
use crate::certify::rehearsal::{Rehearsal, all_parts, blind};

impl Examination<'_> {
    /// The milestones of the whole instance, then every stretch of it. The oracle reaches what is asked, doing nothing
    /// reaches none of it, and what is given is nobody's merit.
    pub(super) fn stretches(
        &mut self,
        oracle: &Rehearsal,
        idle: &Rehearsal,
        breadth: Breadth,
    ) -> Result<Vec<StretchProof>, String> {
        self.milestones(Stretch::WHOLE, oracle.verdict(), idle.verdict());
        let mut proofs = Vec::new();
        for stretch in stretches_of(self.subject.task, breadth) {
            proofs.extend(self.stretch(stretch)?);
        }
        Ok(proofs)
    }

    /// One stretch. No proof where it cannot be made or its oracle fails.
    fn stretch(&mut self, stretch: Stretch) -> Result<Option<StretchProof>, String> {
        let pick = self.instance.id.pick.clone().over(stretch);
        let make = || self.subject.world.instantiate(self.subject.task, &pick);
        let instance = match (make(), make()) {
            (Ok(one), Ok(other)) if one == other => one,
            (Ok(_), Ok(_)) => {
                self.refuse(Reason::RepeatsDiffer, format!("`{stretch}` is not the same instance twice"));
                return Ok(None);
            }
            (Err(error), _) | (_, Err(error)) => {
                self.refuse(Reason::NotPlayable, format!("`{stretch}` cannot be made: {error}"));
                return Ok(None);
            }
        };
        let idle = self.rehearsed(&instance, |subject| {
            subject.rehearse(&instance, ("stopping at once", 0), all_parts(), &mut Idle::new())
        })?;
        let mut player = self.subject.oracle(&instance)?;
        let oracle = self
            .rehearsed(&instance, |subject| subject.rehearse(&instance, ("oracle", 0), all_parts(), player.as_mut()))?;
        self.milestones(stretch, oracle.verdict(), idle.verdict());
        if !self.stretch_is_solved(stretch, &oracle, &idle) {
            return Ok(None);
        }
        self.stops_short(&instance, &oracle)?;
        Ok(Some(StretchProof {
            instance: instance.id.clone(),
            instance_digest: instance.digest(),
            oracle_steps: oracle.turns.len() as u32,
            oracle_digest: oracle.digest(),
        }))
    }

    /// Plays a stretch and looks at what was shown in it.
    fn rehearsed(
        &mut self,
        instance: &Instance,
        play: impl FnOnce(crate::certify::CertificateSubject<'_>) -> Result<Rehearsal, String>,
    ) -> Result<Rehearsal, String> {
        let rehearsal = play(self.subject)?;
        self.leaks.extend(self.secrets.shown_in(&rehearsal, &mut self.searched));
        let verdict = rehearsal.verdict();
        if verdict.ending.is_fault() {
            let why = verdict.fault.clone().unwrap_or_default();
            self.refuse(Reason::Breaks, format!("`{}` ends in a {}: {why}", instance.id, verdict.ending));
        }
        Ok(rehearsal)
    }

    /// The oracle scores full marks, and doing nothing scores nothing.
    fn stretch_is_solved(&mut self, stretch: Stretch, oracle: &Rehearsal, idle: &Rehearsal) -> bool {
        let (best, worst) = (oracle.verdict(), idle.verdict());
        if worst.solved || worst.score.value() > 0.0 {
            let why = format!("`{stretch}`: stopping at once scores {}", worst.score.value());
            self.refuse(Reason::IdleScores, why);
        }
        if !best.solved {
            let why = format!("`{stretch}`: the oracle scores {} (ended: {})", best.score.value(), best.ending);
            self.refuse(Reason::OracleFails, why);
        }
        best.solved
    }

    /// What is asked is reached by the oracle alone, and what is given by nobody.
    fn milestones(&mut self, stretch: Stretch, oracle: &Verdict, idle: &Verdict) {
        if let Some(missed) = oracle.asked().find(|milestone| milestone.after_steps.is_none()) {
            let why = format!("the oracle does not reach milestone `{}` of `{stretch}`", missed.name);
            self.refuse(Reason::OracleFails, why);
        }
        if let Some(reached) = idle.asked().find(|milestone| milestone.after_steps.is_some()) {
            let why = format!("stopping at once reaches milestone `{}` of `{stretch}`", reached.name);
            self.refuse(Reason::IdleScores, why);
        }
        let n_milestones = self.subject.task.spec.milestones.len();
        let wanted = (0..stretch.n_covered(n_milestones)).map(|idx| idx < stretch.n_given());
        let credited = oracle.milestones.iter().any(|milestone| milestone.given && milestone.after_steps.is_some());
        if credited || !oracle.milestones.iter().map(|milestone| milestone.given).eq(wanted) {
            self.refuse(Reason::GivenCounts, format!("`{stretch}`: the verdict does not tell what was given"));
        }
    }

    /// All but the last of the oracle's actions do not solve it.
    fn stops_short(&mut self, instance: &Instance, oracle: &Rehearsal) -> Result<(), String> {
        let Some(n_actions) = oracle.turns.len().checked_sub(2) else { return Ok(()) };
        let some = oracle.turns[..n_actions].iter().map(|turn| turn.reply.clone());
        let replies: Vec<Reply> = some.chain([Reply::text(STOP)]).collect();
        let short = self.rehearsed(instance, |subject| subject.recite(instance, "short", blind(), replies))?;
        if short.verdict().solved {
            let stretch = instance.id.pick.stretch();
            self.refuse(Reason::NearMissPasses, format!("`{stretch}` is solved before the oracle's last action"));
        }
        Ok(())
    }
}

/// Every start after a milestone and, unless little is to be played, every milestone alone. None where the milestones do
/// not say what they ask: they are there to be counted, not to be played.
fn stretches_of(task: &Task, breadth: Breadth) -> Vec<Stretch> {
    let starts = task.starts().into_iter().skip(1);
    let n_alone = if breadth == Breadth::Narrow { 0 } else { task.spec.milestones.len() as u32 };
    let alone = (1..=n_alone).filter_map(std::num::NonZeroU32::new).map(Stretch::only);
    starts.chain(alone.filter(|stretch| task.covers(*stretch).is_ok())).collect()
}
