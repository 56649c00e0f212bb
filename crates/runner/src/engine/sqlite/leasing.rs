//! Leases: given, kept alive, put back, taken back.

use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::schema::{HELD, LEASED, PUT_BACK, WAITING, enter_run};
use crate::engine::{AttemptEnd, EngineError, Hold, Lease, LeaseOrder, Release, RunDirection};

/// On which terms leases are given.
pub(super) struct LeaseTerms {
    pub(super) now: i64,
    pub(super) deadline: i64,
    pub(super) owner: i64,
}

/// Leases what is due, class by class.
pub(super) fn lease(tx: &Transaction<'_>, order: &LeaseOrder, terms: &LeaseTerms) -> Result<Vec<Lease>, EngineError> {
    let mut leases = Vec::new();
    for class in &order.classes {
        let left = order.max - leases.len();
        if left == 0 {
            break;
        }
        leases.extend(lease_of_class(tx, class, left, terms)?);
    }
    Ok(leases)
}

fn lease_of_class(
    tx: &Transaction<'_>,
    class: &str,
    max: usize,
    terms: &LeaseTerms,
) -> Result<Vec<Lease>, EngineError> {
    let mut give = tx.prepare_cached(
        "UPDATE unit SET state = 1, attempt = attempt + 1, deadline = ?4, owner = ?5
         WHERE key IN (
             SELECT key FROM unit
             WHERE state = 0 AND class = (SELECT key FROM class WHERE name = ?1) AND due <= ?2
             ORDER BY due, key LIMIT ?3)
         RETURNING key, id, attempt, n_faults, n_lost, (SELECT name FROM run WHERE run.key = unit.run)",
    )?;
    let rows = give.query_map(params![class, terms.now, max as i64, terms.deadline, terms.owner], |row| {
        lease_from(row, terms.deadline)
    })?;
    let mut leases = rows.collect::<Result<Vec<_>, _>>()?;
    leases.sort_by_key(|lease| lease.key);
    Ok(leases)
}

fn lease_from(row: &Row<'_>, deadline_ms: i64) -> rusqlite::Result<Lease> {
    Ok(Lease {
        key: row.get::<_, i64>(0)? as u64,
        unit: row.get(1)?,
        attempt: row.get(2)?,
        n_faults: row.get(3)?,
        n_lost: row.get(4)?,
        run: row.get(5)?,
        deadline_ms,
        handle: String::new(),
    })
}

/// Keeps a lease alive.
pub(super) fn beat(tx: &Transaction<'_>, lease: &Lease, deadline: i64) -> Result<Hold, EngineError> {
    let mut keep = tx.prepare_cached("UPDATE unit SET deadline = ?3 WHERE key = ?1 AND attempt = ?2 AND state = 1")?;
    let kept = keep.execute(params![lease.key as i64, lease.attempt, deadline])?;
    Ok(if kept == 1 { Hold::Still } else { Hold::Lost })
}

/// Puts a unit back. Of an attempt that was already counted as lost, it is only noted what really became of it.
pub(super) fn release(tx: &Transaction<'_>, lease: &Lease, release: &Release, due: i64) -> Result<Hold, EngineError> {
    let n_faults = u32::from(matches!(release.end, AttemptEnd::Faulted { .. }));
    let key = lease.key as i64;
    let mut put_back = tx.prepare_cached(&format!(
        "UPDATE unit SET state = {PUT_BACK}, due = ?3, n_faults = n_faults + ?4
         WHERE key = ?1 AND attempt = ?2 AND state = 1"
    ))?;
    if put_back.execute(params![key, lease.attempt, due, n_faults])? == 1 {
        note(tx, key, lease.attempt, &release.end, release.place.as_deref())?;
        return Ok(Hold::Still);
    }
    if ended_otherwise(tx, key, lease.attempt)? {
        note(tx, key, lease.attempt, &release.end, release.place.as_deref())?;
        tx.prepare_cached("UPDATE unit SET n_faults = n_faults + ?2 WHERE key = ?1")?
            .execute(params![key, n_faults])?;
    }
    Ok(Hold::Lost)
}

/// Whether an attempt was closed behind the back of its holder.
fn ended_otherwise(tx: &Transaction<'_>, key: i64, attempt: u32) -> Result<bool, EngineError> {
    let mut find = tx.prepare_cached("SELECT end, place FROM attempt WHERE unit = ?1 AND attempt = ?2")?;
    let row: Option<(String, Option<String>)> =
        find.query_row(params![key, attempt], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let closed = [AttemptEnd::Lost, AttemptEnd::Late, AttemptEnd::PutDown];
    Ok(row.is_some_and(|(end, place)| place.is_none() && closed.iter().any(|closed| end == text(closed))))
}

/// Notes what became of an attempt.
pub(super) fn note(
    tx: &Transaction<'_>,
    key: i64,
    attempt: u32,
    end: &AttemptEnd,
    place: Option<&str>,
) -> Result<(), EngineError> {
    tx.prepare_cached("INSERT OR REPLACE INTO attempt (unit, attempt, end, place) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![key, attempt, text(end), place])?;
    Ok(())
}

/// An attempt's end as it is stored.
pub(super) fn text(end: &AttemptEnd) -> String {
    serde_json::to_string(end).expect("an attempt's end is plain data")
}

/// Takes back leases that have run out.
pub(super) fn take_back_expired(tx: &Transaction<'_>, now: i64) -> Result<(), EngineError> {
    let mut expire = tx.prepare_cached(&format!(
        "UPDATE unit SET state = {PUT_BACK}, n_lost = n_lost + 1, due = 0
         WHERE state = 1 AND deadline <= ?1 RETURNING key, attempt"
    ))?;
    let rows = expire.query_map([now], |row| Ok((row.get(0)?, row.get(1)?)))?;
    note_lost(tx, &rows.collect::<Result<Vec<_>, _>>()?)
}

/// Takes back the leases of a process that is gone.
pub(super) fn take_back_from(tx: &Transaction<'_>, owner: i64) -> Result<(), EngineError> {
    let mut take = tx.prepare_cached(&format!(
        "UPDATE unit SET state = {PUT_BACK}, n_lost = n_lost + 1, due = 0
         WHERE state = 1 AND owner = ?1 RETURNING key, attempt"
    ))?;
    let rows = take.query_map([owner], |row| Ok((row.get(0)?, row.get(1)?)))?;
    note_lost(tx, &rows.collect::<Result<Vec<_>, _>>()?)
}

fn note_lost(tx: &Transaction<'_>, lost: &[(i64, u32)]) -> Result<(), EngineError> {
    lost.iter().try_for_each(|(key, attempt)| note(tx, *key, *attempt, &AttemptEnd::Lost, None))
}

/// Holds a run's waiting units, or lets them go.
pub(super) fn direct(tx: &Transaction<'_>, run: &str, direction: RunDirection) -> Result<(), EngineError> {
    let run = enter_run(tx, run)?;
    let (code, from, to) = match direction {
        RunDirection::Go => (0, HELD, WAITING),
        RunDirection::Pause => (1, WAITING, HELD),
        RunDirection::Cancel => (2, WAITING, HELD),
    };
    tx.execute("UPDATE run SET direction = ?2 WHERE key = ?1", params![run, code])?;
    tx.execute("UPDATE unit SET state = ?3 WHERE run = ?1 AND state = ?2", params![run, from, to])?;
    if direction == RunDirection::Cancel {
        drop_leases(tx, run)?;
    }
    Ok(())
}

/// Ends the leases of a cancelled run, so that their holders learn it at the next beat.
fn drop_leases(tx: &Transaction<'_>, run: i64) -> Result<(), EngineError> {
    let mut take = tx.prepare("UPDATE unit SET state = ?3 WHERE run = ?1 AND state = ?2 RETURNING key, attempt")?;
    let rows = take.query_map(params![run, LEASED, HELD], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let dropped = rows.collect::<Result<Vec<(i64, u32)>, _>>()?;
    dropped.iter().try_for_each(|(key, attempt)| note(tx, *key, *attempt, &AttemptEnd::PutDown, None))
}
