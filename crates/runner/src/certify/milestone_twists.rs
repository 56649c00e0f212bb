//! End states that are nearly right for a milestone, which must not reach it, and others that are right, which must.

use quintain_checks::MilestoneTwist;
use quintain_core::check::Case;
use quintain_core::{Evidence, Reference};

use super::CertificateSubject;
use super::certificate::Reason;
use super::rehearsal::LeftFiles;
use super::twists::{TwistResults, first_of, twisted};

/// Where each end state has to be verified by a program, so many of each milestone are judged.
const N_VERIFIED: usize = 4;

/// Judges twists of the checks of every milestone that holds in the right end state. One that only had to be passed on the
/// way is proven by the plays.
pub(super) fn twist_milestones(
    subject: CertificateSubject<'_>,
    right: &Evidence,
    (left, reference): (&LeftFiles, &Reference),
) -> TwistResults {
    let case = Case { evidence: right, reference };
    let of_held = |twists: Vec<MilestoneTwist>| -> Vec<MilestoneTwist> {
        let held = twists.into_iter().filter(|twist| subject.panel.milestone_holds(&twist.milestone, case) == Ok(true));
        thinned(held.collect(), subject)
    };
    let near = of_held(subject.panel.milestone_near_misses(case));
    let like = of_held(subject.panel.milestone_variations(case));
    let judging = MilestoneJudging { subject, right, left, reference };
    let mut results = TwistResults {
        n_near_misses: near.len() as u32,
        n_variations: like.len() as u32,
        refusals: judging.wrongly(&near, Reason::NearMissPasses),
    };
    results.refusals.extend(judging.wrongly(&like, Reason::VariationFails));
    results
}

fn thinned(twists: Vec<MilestoneTwist>, subject: CertificateSubject<'_>) -> Vec<MilestoneTwist> {
    if subject.task.spec.derive.is_empty() {
        return twists;
    }
    let n_milestones = subject.task.spec.milestones.len().max(1);
    let every = twists.len().div_ceil(N_VERIFIED * n_milestones).max(1);
    twists.into_iter().step_by(every).collect()
}

struct MilestoneJudging<'a> {
    subject: CertificateSubject<'a>,
    right: &'a Evidence,
    left: &'a LeftFiles,
    reference: &'a Reference,
}

impl MilestoneJudging<'_> {
    /// One refusal for all twists that come out wrong.
    fn wrongly(&self, twists: &[MilestoneTwist], reason: Reason) -> Vec<(Reason, String)> {
        let is_wrong = |holds: bool| holds == (reason == Reason::NearMissPasses);
        let mut wrong = Vec::new();
        for MilestoneTwist { milestone, twist } in twists {
            match self.holds(milestone, &twist.evidence) {
                Ok(holds) if !is_wrong(holds) => {}
                Ok(_) => wrong.push(format!("milestone `{milestone}`, check `{}`, {}", twist.check, twist.how)),
                Err(why) => wrong.push(format!("milestone `{milestone}`, {}: {why}", twist.how)),
            }
        }
        let what = match reason {
            Reason::NearMissPasses => "end states that are nearly right for a milestone reach it",
            _ => "end states that are right for a milestone in another way miss it",
        };
        first_of(&wrong, twists.len(), (reason, what)).into_iter().collect()
    }

    fn holds(&self, milestone: &str, evidence: &Evidence) -> Result<bool, String> {
        let evidence = twisted(self.subject, evidence, self.right, (self.left, self.reference))?;
        let case = Case { evidence: &evidence, reference: self.reference };
        self.subject.panel.milestone_holds(milestone, case).map_err(|broken| broken.to_string())
    }
}
