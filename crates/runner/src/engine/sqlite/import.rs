//! Taking over what another engine knows of a run.

use rusqlite::{OptionalExtension, Transaction, params};

use super::leasing::note;
use super::{outcomes, schema};
use crate::engine::{AttemptEnd, EndedAttempt, EngineError, Lease, RecordedOutcome, Unit};

/// Adds units, their outcomes, and their attempts that brought none. What is known already stays.
pub(super) fn import(
    tx: &Transaction<'_>,
    units: &[Unit],
    outcomes: &[RecordedOutcome],
    attempts: &[EndedAttempt],
) -> Result<(), EngineError> {
    let Some(run) = units.first().map(|unit| unit.run.clone()) else { return Ok(()) };
    schema::enqueue(tx, units)?;
    for RecordedOutcome { unit, attempt, outcome, .. } in outcomes {
        let key = key_of(tx, &run, unit)?;
        let lease = Lease {
            run: run.clone(),
            unit: unit.clone(),
            key: key as u64,
            attempt: *attempt,
            n_faults: 0,
            n_lost: 0,
            deadline_ms: 0,
            handle: String::new(),
        };
        outcomes::commit(tx, &lease, outcome)?;
    }
    for EndedAttempt { unit, attempt, end, place } in attempts.iter().filter(|attempt| attempt.end != AttemptEnd::Won) {
        note(tx, key_of(tx, &run, unit)?, *attempt, end, place.as_deref())?;
    }
    Ok(())
}

fn key_of(tx: &Transaction<'_>, run: &str, unit: &str) -> Result<i64, EngineError> {
    let mut find = tx.prepare_cached(
        "SELECT unit.key FROM unit JOIN run ON run.key = unit.run WHERE run.name = ?1 AND unit.id = ?2",
    )?;
    let key: Option<i64> = find.query_row(params![run, unit], |row| row.get(0)).optional()?;
    key.ok_or_else(|| EngineError::Unreadable { unit: unit.to_owned(), why: "it is not in the plan".to_owned() })
}
