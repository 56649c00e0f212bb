//! The proof that a task is sound: what an oracle, an idler, a guesser and a row of cheats come to, and whether the judge
//! can tell right from nearly right.
//!
//! Every instance is played in memory through [`quintain_core::trial::play`], the same story that a run tells. What
//! does not hold becomes a [`CertificateRefusal`] with a plain sentence; a [`Certificate`] without refusals is the proof.

mod certificate;
mod chance;
mod cheats;
mod effort;
mod examine;
mod file_twists;
mod grammar;
mod kept_certificate;
mod leaks;
mod milestone_twists;
mod mutation;
mod rehearsal;
mod states;
#[cfg(test)]
mod tests;
mod twins;
mod twists;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quintain_checks::Panel;
use quintain_core::{InstanceId, Pick, Task, TaskId, VerifierRunner, WorldKind};

pub use certificate::{
    CERTIFICATE_VERSION, Certificate, CertificateRefusal, ChanceProof, PickProof, Reason, StretchProof,
};
pub use cheats::Cheat;
pub use effort::{Breadth, CertificateEffort, CertificateForm};
pub use kept_certificate::{KEPT_FORMAT, KeptCertificate};
pub use mutation::{ForgottenClause, MutationProof, mutate};
pub use states::{Claim, ClaimedState, JudgedState, judge_state};
pub use twins::{TwinProof, count_twins};

use crate::parallel::in_parallel;
use chance::Guesses;
use examine::{ExaminationResult, Examiner};
use rehearsal::Canonical;

/// What is to be proven sound.
#[derive(Clone, Copy)]
pub struct CertificateSubject<'a> {
    /// The task.
    pub task: &'a Task,
    /// The kind of world it takes place in.
    pub world: &'a dyn WorldKind,
    /// Who judges it.
    pub panel: &'a Panel,
    /// What runs its verifiers.
    pub derive: &'a (dyn VerifierRunner + Sync),
}

/// How thoroughly a task is examined.
#[derive(Clone, Debug)]
pub struct CertifyOptions {
    /// The seeds: every preset is examined with every one of them.
    pub seeds: Vec<u64>,
    /// Whether the canonical instance is examined too. What is right there must then be wrong in every other.
    pub canonical: bool,
    /// Quick or full.
    pub form: CertificateForm,
    /// How many instances are examined at once.
    pub n_threads: usize,
}

/// One instance has been examined.
#[derive(Clone, Debug)]
pub struct ExaminedInstance {
    /// Which.
    pub instance: InstanceId,
    /// How many things were found wrong with it.
    pub n_refusals: usize,
    /// How many instances have been examined.
    pub n_done: usize,
    /// How many there are.
    pub n_all: usize,
}

/// How far an examination is.
#[derive(Clone, Debug)]
pub enum ExaminationProgress {
    /// A part of the examination of an instance has begun.
    At {
        /// The instance.
        instance: InstanceId,
        /// The part, in a few words.
        part: &'static str,
        /// Its number, from 1.
        n: usize,
        /// How many parts there are.
        n_all: usize,
    },
    /// One instance has been examined.
    Examined(ExaminedInstance),
    /// Instances are drawn to count the different ones.
    Drawn {
        /// Of which task.
        task: TaskId,
        /// How many were drawn.
        n_done: usize,
        /// How many are to be.
        n_all: usize,
    },
}

/// Examines a task and writes its certificate. The same task and world give the same certificate, byte for byte.
pub fn certify(
    subject: CertificateSubject<'_>,
    options: &CertifyOptions,
    progress: &(dyn Fn(&ExaminationProgress) + Sync),
) -> Certificate {
    let picks = picks(subject.task, options);
    let canonical = canonical_solutions(subject, &picks);
    let effort = options.form.effort(subject.world);
    let appoint = |idx: usize| Examiner {
        subject,
        effort,
        pick: picks[idx].clone(),
        n_guesses: share(&picks, idx, effort.n_guesses),
        is_first: picks[..idx].iter().all(|before| before.preset != picks[idx].preset),
        canonical: canonical.get(&picks[idx].preset).and_then(Option::as_ref),
        twins_must_differ: options.canonical,
        progress,
    };
    let mut n_done = 0;
    let examined = in_parallel(picks.len(), options.n_threads, &|idx| guarded(&appoint(idx)), &mut |_, one| {
        n_done += 1;
        let n_refusals = one.refusals.len();
        let instance = one.instance.clone();
        let examined = ExaminedInstance { instance, n_refusals, n_done, n_all: picks.len() };
        progress(&ExaminationProgress::Examined(examined));
    });
    let twins =
        count_twins(subject.task, subject.world, options.form.n_twins(), options.n_threads, &|n_done, n_all| {
            progress(&ExaminationProgress::Drawn { task: subject.task.id.clone(), n_done, n_all });
        });
    conclude(subject, options, &picks, (examined, twins))
}

/// The instances to examine.
fn picks(task: &Task, options: &CertifyOptions) -> Vec<Pick> {
    let canonical = options.canonical.then(Pick::default);
    canonical.into_iter().chain(task.picks(&options.seeds)).collect()
}

/// A world or a judge that panics is refused like any other that does not work.
fn guarded(examiner: &Examiner<'_>) -> ExaminationResult {
    catch_unwind(AssertUnwindSafe(|| examiner.examine())).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        examiner.crashed(&text.unwrap_or_else(|| "without a word".to_owned()))
    })
}

/// The oracle's words in the canonical instance of each preset: what an agent could have learnt by heart. Where nothing can
/// be done, giving up is right in every instance, and there is nothing to learn.
fn canonical_solutions(subject: CertificateSubject<'_>, picks: &[Pick]) -> BTreeMap<Option<String>, Option<Canonical>> {
    let mut solutions = BTreeMap::new();
    let feasible = !subject.task.spec.result.infeasible;
    for pick in picks.iter().filter(|pick| feasible && pick.seed.is_some()) {
        solutions.entry(pick.preset.clone()).or_insert_with_key(|preset| {
            catch_unwind(AssertUnwindSafe(|| Canonical::of(subject, preset.clone()))).unwrap_or_default()
        });
    }
    solutions
}

/// The share of a preset's guesses that fall to one of its instances.
fn share(picks: &[Pick], idx: usize, n_guesses: u32) -> u32 {
    let same_preset = |other: &&Pick| other.preset == picks[idx].preset;
    let n_picks = picks.iter().filter(same_preset).count() as u32;
    let place = picks[..idx].iter().filter(same_preset).count() as u32;
    n_guesses / n_picks + u32::from(place < n_guesses % n_picks)
}

fn conclude(
    subject: CertificateSubject<'_>,
    options: &CertifyOptions,
    picks: &[Pick],
    (examined, twins): (Vec<ExaminationResult>, Result<Vec<TwinProof>, CertificateRefusal>),
) -> Certificate {
    let mut refusals = leaks::in_folder(subject.task);
    if picks.is_empty() {
        refusals.push(CertificateRefusal::of_task(Reason::NotPlayable, "no seed was given, so nothing was examined"));
    }
    let mut guesses: BTreeMap<Option<String>, Guesses> = BTreeMap::new();
    let mut proofs = Vec::new();
    for (pick, examined) in picks.iter().zip(examined) {
        guesses.entry(pick.preset.clone()).or_default().add(&examined.guesses);
        refusals.extend(examined.refusals);
        proofs.extend(examined.proof);
    }
    let mut chance = Vec::new();
    for (preset, guesses) in guesses {
        let pick = Pick { preset, ..Pick::default() };
        refusals.extend(guesses.refusals(subject.task, &pick));
        chance.push(guesses.proof(subject.task.chance(&pick), pick.preset));
    }
    let twins = twins.unwrap_or_else(|refusal| {
        refusals.push(refusal);
        Vec::new()
    });
    if options.canonical {
        refusals.extend(twins.iter().filter_map(TwinProof::refusal));
    }
    Certificate {
        version: CERTIFICATE_VERSION,
        task: subject.task.id.clone(),
        task_digest: subject.task.digest,
        world: subject.world.kind().to_owned(),
        world_digest: subject.world.digest(subject.task),
        form: options.form,
        costly: subject.world.is_costly(),
        seeds: options.seeds.clone(),
        picks: proofs,
        chance,
        twins,
        refusals,
    }
}
