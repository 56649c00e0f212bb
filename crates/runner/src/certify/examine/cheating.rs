//! Cheats in one instance: none may solve it, none may break anything.

use std::collections::BTreeSet;

use quintain_agents::script::STOP;
use quintain_core::surface::ActionGroup;
use quintain_core::trajectory::Effect;
use quintain_core::world::OracleStyle;
use quintain_core::{ObservationPart, Reply, Score};

use super::{Examination, Examiner};
use crate::certify::certificate::Reason;
use crate::certify::chance::Guesses;
use crate::certify::cheats::{Cheat, RECITED};
use crate::certify::effort::Breadth;
use crate::certify::rehearsal::{Canonical, Rehearsal, all_parts, blind};
use crate::certify::twists::score;

impl Examination<'_> {
    /// Every cheat that applies. None solves, none breaks anything, and those that do nothing change nothing.
    pub(super) fn cheats(
        &mut self,
        examiner: &Examiner<'_>,
        idle: &Rehearsal,
        guesses: &mut Guesses,
    ) -> Result<Vec<Cheat>, String> {
        let surface = idle.briefing.as_ref().map(|briefing| briefing.surface.clone()).unwrap_or_default();
        let n_steps = self.subject.task.limits(&self.instance.id.pick).steps;
        let mut tried = Vec::new();
        for cheat in RECITED.into_iter().filter(|cheat| examiner.tries(*cheat)) {
            let trials = cheat.trials(self.subject.task, &surface, n_steps);
            if !trials.is_empty() {
                tried.push(cheat);
            }
            for replies in trials {
                self.cheat(cheat, &replies, shown_to(cheat, examiner.effort.breadth))?;
            }
        }
        for way in self.subject.world.wrong_ways(self.subject.task) {
            tried.push(Cheat::WrongWays);
            self.wrong_way(way)?;
        }
        if let Some(canonical) = examiner.canonical.filter(|canonical| canonical.instance != self.instance.digest()) {
            tried.push(Cheat::CanonicalByHeart);
            let recited = if surface.groups.contains(&ActionGroup::Shell) {
                self.files_by_heart(canonical)?
            } else {
                self.by_heart(canonical, examiner.twins_must_differ)?
            };
            guesses.add(&recited);
        }
        Ok(tried)
    }

    /// A solution that looks right and is not.
    fn wrong_way(&mut self, way: &str) -> Result<(), String> {
        let style = OracleStyle { strategy: Some(way.to_owned()), ..OracleStyle::default() };
        let rehearsal = self.show(way, |subject, instance| {
            let mut agent = subject.oracle_in_style(instance, style.clone())?;
            subject.rehearse(instance, (way, 0), blind(), agent.as_mut())
        })?;
        if rehearsal.verdict().solved {
            self.refuse(Reason::CheatSucceeds, format!("the wrong way `{way}` solves it"));
        }
        Ok(())
    }

    fn cheat(&mut self, cheat: Cheat, replies: &[Reply], show: BTreeSet<ObservationPart>) -> Result<(), String> {
        let name = cheat.name();
        let rehearsal = self.show(name, |subject, instance| subject.recite(instance, name, show, replies.to_vec()))?;
        if rehearsal.verdict().solved {
            self.refuse(Reason::CheatSucceeds, format!("the cheat `{name}` solves it"));
        }
        let feedback = rehearsal.turns.iter().filter_map(|turn| turn.feedback.as_ref()).chain(&rehearsal.last_feedback);
        let changed = feedback.clone().any(|feedback| feedback.effect == Effect::Changed);
        if changed && cheat.is_inert() {
            self.refuse(Reason::CheatSucceeds, format!("the cheat `{name}` changes the world"));
        }
        for address in cheat.addresses(replies) {
            if !rehearsal.evidence.refused.iter().any(|refused| refused.contains(&address)) {
                let why =
                    format!("the cheat `{name}` went to `{address}`, and the evidence does not say it was refused");
                self.refuse(Reason::CheatSucceeds, why);
            }
        }
        Ok(())
    }

    /// The canonical solution in another instance. The script stops where the oracle did, or when the steps run out.
    fn by_heart(&mut self, canonical: &Canonical, twins_must_differ: bool) -> Result<Guesses, String> {
        let name = Cheat::CanonicalByHeart.name();
        let replies = canonical.replies.clone().into_iter().chain([Reply::text(STOP)]);
        let rehearsal = self.show(name, |subject, instance| subject.recite(instance, name, blind(), replies))?;
        if twins_must_differ && rehearsal.verdict().score.is_full() {
            self.refuse(Reason::CanonicalPasses, "the actions that solve the canonical instance score 1 here too");
        }
        let n_recited_solved = u32::from(rehearsal.verdict().solved);
        Ok(Guesses { n_recited: 1, n_recited_solved, ..Guesses::default() })
    }

    /// What the canonical solution left, handed in for another instance. Where programs can be run, the solution may be
    /// one that works out any instance, which is no cheat: what could be learnt by heart is what it left.
    fn files_by_heart(&self, canonical: &Canonical) -> Result<Guesses, String> {
        let score = self.canonical_score(canonical)?;
        Ok(Guesses { n_recited: 1, n_recited_solved: u32::from(score.is_full()), ..Guesses::default() })
    }

    fn canonical_score(&self, canonical: &Canonical) -> Result<Score, String> {
        let reference = self.instance.reference(self.subject.task);
        score(self.subject, &canonical.evidence, &canonical.left, &reference)
    }

    /// What the end state of the canonical solution scores here, which must be less than 1.
    pub(super) fn canonical_end(&mut self, examiner: &Examiner<'_>) -> Option<f64> {
        let canonical = examiner.canonical.filter(|canonical| canonical.instance != self.instance.digest())?;
        if !examiner.twins_must_differ {
            return None;
        }
        match self.canonical_score(canonical) {
            Ok(score) => {
                if score.is_full() {
                    self.refuse(
                        Reason::CanonicalPasses,
                        "the end state that is right in the canonical instance scores 1 here too",
                    );
                }
                Some(score.value())
            }
            Err(why) => {
                self.refuse(Reason::Breaks, format!("the end state of the canonical instance breaks the judge: {why}"));
                None
            }
        }
    }
}

/// What a cheat is shown: replies that never reach the world can do without its pictures.
fn shown_to(cheat: Cheat, breadth: Breadth) -> BTreeSet<ObservationPart> {
    match breadth {
        Breadth::Narrow | Breadth::Wide if !cheat.reaches_the_world() => {
            [ObservationPart::Feedback, ObservationPart::Remaining].into()
        }
        _ => all_parts(),
    }
}
