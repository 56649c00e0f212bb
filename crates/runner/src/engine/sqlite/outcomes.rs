//! Outcomes: the first one for a unit stays, for ever.

use quintain_store::line_sum::{self, SumRule};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::ReopenedUnits;
use super::leasing::note;
use super::schema::{DONE, LEASED, run_key};
use crate::engine::{AttemptEnd, Committed, EndedAttempt, EngineError, Lease, Outcome, RecordedOutcome, RunProgress};

/// Hands in an outcome. The same attempt may hand in again: it has won once and for all.
pub(super) fn commit(tx: &Transaction<'_>, lease: &Lease, outcome: &Outcome) -> Result<Committed, EngineError> {
    let key = lease.key as i64;
    let mut find = tx.prepare_cached("SELECT state, attempt, run FROM unit WHERE key = ?1")?;
    let (state, current, run): (i64, u32, i64) =
        find.query_row([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if state == DONE {
        return too_late(tx, lease, outcome);
    }
    let body = sealed(outcome).map_err(|error| unreadable(&lease.unit, &error))?;
    tx.prepare_cached("INSERT INTO outcome (run, unit, attempt, body) VALUES (?1, ?2, ?3, ?4)")?.execute(params![
        run,
        key,
        lease.attempt,
        body
    ])?;
    tx.prepare_cached("UPDATE unit SET state = 2 WHERE key = ?1")?.execute([key])?;
    tx.prepare_cached("UPDATE run SET n_done = n_done + 1 WHERE key = ?1")?.execute([run])?;
    if (state, current) != (LEASED, lease.attempt) {
        tx.prepare_cached("DELETE FROM attempt WHERE unit = ?1 AND attempt = ?2")?
            .execute(params![key, lease.attempt])?;
        if state == LEASED {
            note(tx, key, current, &AttemptEnd::Late, None)?;
        }
    }
    Ok(Committed::Won)
}

/// An outcome as it is stored, with a sum by which damage is seen.
fn sealed(outcome: &Outcome) -> Result<String, serde_json::Error> {
    let mut body = serde_json::to_vec(outcome)?;
    line_sum::seal(&mut body, 0);
    Ok(String::from_utf8(body).expect("JSON and hexadecimal digits are text"))
}

fn too_late(tx: &Transaction<'_>, lease: &Lease, outcome: &Outcome) -> Result<Committed, EngineError> {
    let key = lease.key as i64;
    let mut find = tx.prepare_cached("SELECT seq, ?2, attempt, body FROM outcome WHERE unit = ?1")?;
    let recorded = recorded(find.query_row(params![key, lease.unit], columns)?)?;
    if recorded.attempt == lease.attempt {
        return Ok(Committed::Won);
    }
    note(tx, key, lease.attempt, &AttemptEnd::Late, Some(&outcome.place))?;
    Ok(Committed::Already(Box::new(recorded)))
}

/// The outcomes of a run, from a sequence number on.
pub(super) fn outcomes(
    connection: &Connection,
    run: &str,
    from: u64,
    max: usize,
) -> Result<Vec<RecordedOutcome>, EngineError> {
    each_outcome(connection, run, from, max)?.into_iter().collect()
}

/// The same, each by itself: one that cannot be read spoils no other.
pub(super) fn each_outcome(
    connection: &Connection,
    run: &str,
    from: u64,
    max: usize,
) -> Result<Vec<Result<RecordedOutcome, EngineError>>, EngineError> {
    let Some(run) = run_key(connection, run)? else {
        return Ok(Vec::new());
    };
    let mut find = connection.prepare_cached(
        "SELECT outcome.seq, unit.id, outcome.attempt, outcome.body
         FROM outcome JOIN unit ON unit.key = outcome.unit
         WHERE outcome.seq >= ?2 AND outcome.run = ?1 ORDER BY outcome.seq LIMIT ?3",
    )?;
    let max = i64::try_from(max).unwrap_or(i64::MAX);
    Ok(find.query_map(params![run, from as i64, max], columns)?.map(|row| recorded(row?)).collect())
}

type OutcomeColumns = (i64, String, u32, String);

fn columns(row: &Row<'_>) -> rusqlite::Result<OutcomeColumns> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}

fn recorded((seq, unit, attempt, body): OutcomeColumns) -> Result<RecordedOutcome, EngineError> {
    if let Some(why) = line_sum::complaint(body.as_bytes(), SumRule::WhereThere) {
        return Err(EngineError::Unreadable { unit, why: why.to_owned() });
    }
    let outcome = serde_json::from_str(&body).map_err(|error| unreadable(&unit, &error))?;
    Ok(RecordedOutcome { seq: seq as u64, unit, attempt, outcome })
}

/// Every attempt of a run that is over: those that won are known by their outcomes.
pub(super) fn attempts(connection: &Connection, run: &str) -> Result<Vec<EndedAttempt>, EngineError> {
    each_attempt(connection, run)?.into_iter().collect()
}

/// The same, each by itself: one that cannot be read spoils no other.
pub(super) fn each_attempt(
    connection: &Connection,
    run: &str,
) -> Result<Vec<Result<EndedAttempt, EngineError>>, EngineError> {
    let Some(run) = run_key(connection, run)? else {
        return Ok(Vec::new());
    };
    let mut find = connection.prepare_cached(
        "SELECT unit.id, attempt.attempt, attempt.end, attempt.place, unit.key AS unit_key, attempt.attempt AS n
         FROM attempt JOIN unit ON unit.key = attempt.unit WHERE unit.run = ?1
         UNION ALL
         SELECT unit.id, outcome.attempt, NULL, json_extract(outcome.body, '$.place'), unit.key, outcome.attempt
         FROM outcome JOIN unit ON unit.key = outcome.unit WHERE outcome.run = ?1
         ORDER BY unit_key, n",
    )?;
    let rows = find.query_map([run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    Ok(rows.map(|row| attempt(row?)).collect())
}

fn attempt(
    (unit, attempt, end, place): (String, u32, Option<String>, Option<String>),
) -> Result<EndedAttempt, EngineError> {
    let end = match end {
        Some(end) => serde_json::from_str(&end).map_err(|error| unreadable(&unit, &error))?,
        None => AttemptEnd::Won,
    };
    Ok(EndedAttempt { unit, attempt, end, place })
}

/// Takes back the outcomes of units that ended in faults, so that they are played again, and returns how many there are and
/// how many faults the unluckiest had. What was recorded stays, and so does what became of each attempt.
pub(super) fn reopen_faults(tx: &Transaction<'_>, run: &str) -> Result<ReopenedUnits, EngineError> {
    let Some(run_key) = run_key(tx, run)? else { return Ok(ReopenedUnits::default()) };
    let mut reopened = ReopenedUnits::default();
    for RecordedOutcome { unit, attempt, outcome, .. } in outcomes(tx, run, 0, usize::MAX)? {
        if !outcome.verdict.ending.is_fault() {
            continue;
        }
        let mut find = tx.prepare_cached("SELECT key, n_faults FROM unit WHERE run = ?1 AND id = ?2")?;
        let (key, n_faults): (i64, u32) =
            find.query_row(params![run_key, unit], |row| Ok((row.get(0)?, row.get(1)?)))?;
        tx.prepare_cached("DELETE FROM outcome WHERE unit = ?1")?.execute([key])?;
        tx.prepare_cached("UPDATE unit SET state = 0, due = 0, n_lost = 0, n_faults = n_faults + 1 WHERE key = ?1")?
            .execute([key])?;
        tx.prepare_cached("UPDATE run SET n_done = n_done - 1 WHERE key = ?1")?.execute([run_key])?;
        let why = outcome.verdict.fault.clone().unwrap_or_default();
        let end = AttemptEnd::Faulted { ending: outcome.verdict.ending.clone(), why };
        note(tx, key, attempt, &end, Some(&outcome.place))?;
        reopened.n += 1;
        reopened.most_faults = reopened.most_faults.max(n_faults + 1);
    }
    Ok(reopened)
}

/// How many units a run was given.
pub(super) fn n_units(connection: &Connection, run: &str) -> Result<u64, EngineError> {
    let mut find = connection.prepare_cached("SELECT n_units FROM run WHERE name = ?1")?;
    let n_units: Option<i64> = find.query_row([run], |row| row.get(0)).optional()?;
    Ok(n_units.map_or(0, |n_units| n_units as u64))
}

/// How far a run is.
pub(super) fn progress(connection: &Connection, run: &str) -> Result<RunProgress, EngineError> {
    let _one_moment = connection.unchecked_transaction()?;
    let mut find = connection.prepare_cached("SELECT key, n_units, n_done FROM run WHERE name = ?1")?;
    let row = find.query_row([run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((key, n_units, n_done)): Option<(i64, i64, i64)> = row else {
        return Ok(RunProgress::default());
    };
    let n_leased = count(connection, "SELECT COUNT(*) FROM unit INDEXED BY leased WHERE state = 1 AND run = ?1", key)?;
    let n_waiting =
        count(connection, "SELECT COUNT(*) FROM unit INDEXED BY waiting WHERE state = 0 AND run = ?1", key)?;
    let (n_units, n_done) = (n_units as u64, n_done as u64);
    let n_held = n_units.saturating_sub(n_done + n_leased + n_waiting);
    Ok(RunProgress { n_units, n_done, n_leased, n_waiting, n_held })
}

fn count(connection: &Connection, query: &str, run: i64) -> Result<u64, EngineError> {
    let n: i64 = connection.prepare_cached(query)?.query_row([run], |row| row.get(0))?;
    Ok(n as u64)
}

fn unreadable(unit: &str, error: &serde_json::Error) -> EngineError {
    EngineError::Unreadable { unit: unit.to_owned(), why: error.to_string() }
}
