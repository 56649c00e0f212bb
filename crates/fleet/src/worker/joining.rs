//! Before a worker takes anything: is its archive the fleet's, and has nobody else its name?

use std::fs::File;
use std::time::{Duration, Instant};

use super::context::WorkerContext;
use super::prepare::mark_of;
use super::source::ArchiveAccess;
use super::{ArchiveTrouble, WorkError};
use crate::ask::Namesake;
use crate::bond::ArchiveBond;
use crate::hosts::list_every;

/// How often it is looked whether another one of this name lives.
const LOOK: Duration = Duration::from_millis(300);

/// By how much the times of two answers may differ though nothing was heard between them.
const SLACK_MS: u64 = 400;

/// Makes sure that this worker may begin. Where no steward answers, nobody knows better: it begins.
pub(super) fn join(context: &WorkerContext<'_>) -> Result<(), WorkError> {
    let Ok((bond, namesake)) = context.block_on(context.asking.join()) else {
        return Ok(());
    };
    if let Some(bond) = &bond {
        check_archive(context, bond)?;
    }
    match namesake {
        Some(namesake) if lives(context, &namesake) => Err(WorkError::NameTaken(context.options.name.clone())),
        _ => Ok(()),
    }
}

/// What keeps a run from being read here: another archive than the fleet's. Asked until it is known that it is the same.
pub(super) fn archive_trouble(context: &WorkerContext<'_>) -> Option<ArchiveTrouble> {
    if context.is_bound() {
        return None;
    }
    let (bond, _) = context.block_on(context.asking.join()).ok()?;
    let checked = check_archive(context, &bond?);
    checked.err().map(|error| ArchiveTrouble::Other(error.to_string()))
}

fn check_archive(context: &WorkerContext<'_>, bond: &ArchiveBond) -> Result<(), WorkError> {
    if let ArchiveAccess::Direct(archive) = &context.access {
        context.block_on(bond.check(archive, context.hosts.names()))?;
    }
    context.bind();
    Ok(())
}

/// Whether another worker of this name lives. One that ran on this host has left a mark, which is locked while it does; of
/// any other it is waited whether it is heard of again.
fn lives(context: &WorkerContext<'_>, first: &Namesake) -> bool {
    let mark = mark_of(&context.options.scratch.join(&first.session));
    if !first.session.is_empty()
        && let Ok(mark) = File::open(mark)
    {
        return mark.try_lock().is_err();
    }
    let (began, enough) = (Instant::now(), list_every(context.options.lease_for) * 5 / 2);
    let mut silent = Duration::from_millis(first.heard_ms);
    while silent < enough && !context.is_draining() {
        context.rest(LOOK);
        let Ok((_, Some(now))) = context.block_on(context.asking.join()) else { return false };
        let unheard_ms = first.heard_ms + began.elapsed().as_millis() as u64;
        if now.heard_ms + SLACK_MS < unheard_ms {
            return true;
        }
        silent = Duration::from_millis(now.heard_ms);
    }
    false
}
