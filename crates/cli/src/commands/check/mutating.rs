//! `quintain check --mutate`: whether near misses put every clause of every check to the test.

use std::collections::BTreeMap;

use anyhow::anyhow;
use quintain_core::Pick;
use quintain_runner::certify::{CertificateSubject, ForgottenClause, MutationProof, mutate};
use quintain_runner::{in_parallel, n_cores};
use quintain_store::Selection;
use quintain_workshop::Workshop;

use super::progress::bar;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::{first_lines, table};

/// The most clauses that are listed by name.
const N_LISTED: usize = 40;

pub(super) fn tell(selections: &[Selection], workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let bar = bar(printer);
    bar.inc_length(selections.len() as u64);
    let work = |idx: usize| proof(&selections[idx], workshop);
    let made = in_parallel(selections.len(), n_cores(), &work, &mut |idx, _| {
        bar.inc(1);
        bar.set_message(selections[idx].task.id.to_string());
    });
    bar.finish_and_clear();
    let proofs = made.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    printer.data(&proofs, || text(&proofs))?;
    let n_untested = clauses(&proofs).filter(|(_, clause)| clause.is_untested()).count();
    Ok(if n_untested == 0 { Exit::Success } else { Exit::Refused })
}

fn proof(selection: &Selection, workshop: &Workshop) -> anyhow::Result<MutationProof> {
    let task = &selection.task;
    let world = workshop.offerings()?.world_for(task)?.as_ref();
    let (panel, verifiers) = workshop.judges(task)?;
    let subject = CertificateSubject { task, world, panel: &panel, derive: verifiers.as_ref() };
    // A task without a canonical instance has none to begin with; any seed is as good as another.
    let seed = selection.seed.or((!task.has_canonical()).then_some(0));
    let preset =
        selection.preset.clone().or_else(|| task.spec.presets.keys().next().cloned().filter(|_| seed.is_some()));
    mutate(subject, &Pick { preset, seed, ..Pick::default() }).map_err(|why| anyhow!("{}: {why}", task.id))
}

fn clauses(proofs: &[MutationProof]) -> impl Iterator<Item = (&MutationProof, &ForgottenClause)> {
    proofs.iter().flat_map(|proof| proof.clauses.iter().map(move |clause| (proof, clause)))
}

/// What became of the clauses of one kind of check.
#[derive(Default)]
struct KindTally {
    clauses: usize,
    found: usize,
    spare: usize,
}

fn text(proofs: &[MutationProof]) -> String {
    let mut kinds: BTreeMap<&str, KindTally> = BTreeMap::new();
    for (_, clause) in clauses(proofs) {
        let tally = kinds.entry(&clause.kind).or_default();
        tally.clauses += 1;
        tally.found += usize::from(clause.found_by.is_some());
        tally.spare += usize::from(clause.found_by.is_none() && clause.spare.is_some());
    }
    let mut rows =
        vec![["check", "clauses", "missed by a near miss", "back up others", "untested"].map(str::to_owned).to_vec()];
    for (kind, KindTally { clauses, found, spare }) in kinds {
        let counts = [clauses, found, spare, clauses - found - spare];
        rows.push([kind.to_owned()].into_iter().chain(counts.map(|count| count.to_string())).collect());
    }
    format!("{}\n{}", table(&rows), untested(proofs))
}

/// The clauses that nothing puts to the test.
fn untested(proofs: &[MutationProof]) -> String {
    let untested = clauses(proofs).filter(|(_, clause)| clause.is_untested());
    let line = |(proof, clause): (&MutationProof, &ForgottenClause)| {
        format!("untested: {}, check `{}`: {}", proof.instance, clause.check, clause.clause)
    };
    first_lines(&untested.map(line).collect::<Vec<_>>(), N_LISTED)
}
