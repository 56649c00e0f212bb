//! The tables, and how names become keys.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::engine::owner::Owner;
use crate::engine::{EngineError, Unit};

const VERSION: i64 = 1;

/// A unit that is due or resting.
pub(super) const WAITING: i64 = 0;
/// A unit under a lease.
pub(super) const LEASED: i64 = 1;
/// A unit with an outcome.
pub(super) const DONE: i64 = 2;
/// A unit of a paused or cancelled run.
pub(super) const HELD: i64 = 3;

/// Where a unit goes that is put back: it waits, or is held where its run is.
pub(super) const PUT_BACK: &str = "(SELECT CASE direction WHEN 0 THEN 0 ELSE 3 END FROM run WHERE run.key = unit.run)";

const TABLES: &str = "
CREATE TABLE run (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    direction INTEGER NOT NULL DEFAULT 0,
    n_units INTEGER NOT NULL DEFAULT 0,
    n_done INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE class (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE owner (
    key INTEGER PRIMARY KEY,
    realm TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started INTEGER NOT NULL,
    UNIQUE (realm, pid, started)
);
CREATE TABLE unit (
    key INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run,
    id TEXT NOT NULL,
    class INTEGER NOT NULL REFERENCES class,
    state INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL DEFAULT 0,
    attempt INTEGER NOT NULL DEFAULT 0,
    n_faults INTEGER NOT NULL DEFAULT 0,
    n_lost INTEGER NOT NULL DEFAULT 0,
    deadline INTEGER NOT NULL DEFAULT 0,
    owner INTEGER NOT NULL DEFAULT 0,
    UNIQUE (run, id)
);
CREATE INDEX waiting ON unit (class, due, key) WHERE state = 0;
CREATE INDEX leased ON unit (deadline) WHERE state = 1;
CREATE TABLE attempt (
    unit INTEGER NOT NULL REFERENCES unit,
    attempt INTEGER NOT NULL,
    end TEXT NOT NULL,
    place TEXT,
    PRIMARY KEY (unit, attempt)
) WITHOUT ROWID;
CREATE TABLE outcome (
    seq INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run,
    unit INTEGER NOT NULL UNIQUE REFERENCES unit,
    attempt INTEGER NOT NULL,
    body TEXT NOT NULL
);
";

/// Opens the file, and makes the tables in a new one.
pub(super) fn connect(path: &Path) -> Result<Connection, EngineError> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let tx = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if version(&tx)? == 0 {
        tx.execute_batch(TABLES)?;
        tx.pragma_update(None, "user_version", VERSION)?;
    }
    tx.commit()?;
    Ok(connection)
}

/// The version of the tables: 0 if there are none yet.
pub(super) fn version(connection: &Connection) -> Result<i64, EngineError> {
    match connection.pragma_query_value(None, "user_version", |row| row.get(0))? {
        found @ (0 | VERSION) => Ok(found),
        found => Err(EngineError::Newer { found, known: VERSION }),
    }
}

/// The key of this process.
pub(super) fn enter_owner(tx: &Transaction<'_>, owner: &Owner) -> Result<i64, EngineError> {
    let row = params![owner.realm, owner.pid, owner.started as i64];
    tx.execute("INSERT OR IGNORE INTO owner (realm, pid, started) VALUES (?1, ?2, ?3)", row)?;
    let find = "SELECT key FROM owner WHERE realm = ?1 AND pid = ?2 AND started = ?3";
    Ok(tx.query_row(find, row, |row| row.get(0))?)
}

/// The keys of holders of leases that are surely gone.
pub(super) fn owners_gone(tx: &Transaction<'_>, here: &Owner) -> Result<Vec<i64>, EngineError> {
    let mut holders = tx.prepare(
        "SELECT key, realm, pid, started FROM owner WHERE key IN (SELECT DISTINCT owner FROM unit WHERE state = 1)",
    )?;
    let rows = holders.query_map([], |row| {
        let started: i64 = row.get(3)?;
        Ok((row.get(0)?, Owner { realm: row.get(1)?, pid: row.get(2)?, started: started as u64 }))
    })?;
    let mut gone = Vec::new();
    for row in rows {
        let (key, owner): (i64, Owner) = row?;
        if owner.is_gone(here) {
            gone.push(key);
        }
    }
    Ok(gone)
}

/// The key of a run, where there is such a run.
pub(super) fn run_key(connection: &Connection, run: &str) -> Result<Option<i64>, EngineError> {
    let mut find = connection.prepare_cached("SELECT key FROM run WHERE name = ?1")?;
    Ok(find.query_row([run], |row| row.get(0)).optional()?)
}

/// The key of a run, which is made if there is none.
pub(super) fn enter_run(tx: &Transaction<'_>, run: &str) -> Result<i64, EngineError> {
    tx.prepare_cached("INSERT OR IGNORE INTO run (name) VALUES (?1)")?.execute([run])?;
    Ok(tx.prepare_cached("SELECT key FROM run WHERE name = ?1")?.query_row([run], |row| row.get(0))?)
}

fn enter_class(tx: &Transaction<'_>, class: &str) -> Result<i64, EngineError> {
    tx.prepare_cached("INSERT OR IGNORE INTO class (name) VALUES (?1)")?.execute([class])?;
    Ok(tx.prepare_cached("SELECT key FROM class WHERE name = ?1")?.query_row([class], |row| row.get(0))?)
}

/// Adds units that are not there yet. Those that are only learn of attempts that they did not know.
pub(super) fn enqueue(tx: &Transaction<'_>, units: &[Unit]) -> Result<u64, EngineError> {
    let mut add = tx.prepare_cached(
        "INSERT OR IGNORE INTO unit (run, id, class, state, attempt)
         SELECT key, ?2, ?3, CASE direction WHEN 0 THEN 0 ELSE 3 END, ?4 FROM run WHERE key = ?1",
    )?;
    let mut raise = tx.prepare_cached(
        "UPDATE unit SET attempt = ?3 WHERE run = ?1 AND id = ?2 AND attempt < ?3 AND state IN (0, 3)",
    )?;
    let mut grow = tx.prepare_cached("UPDATE run SET n_units = n_units + 1 WHERE key = ?1")?;
    let mut n_new = 0;
    let mut names = RunKeys::default();
    for unit in units {
        let (run, class) = names.keys(tx, unit)?;
        if add.execute(params![run, unit.id, class, unit.n_before])? == 1 {
            grow.execute([run])?;
            n_new += 1;
        } else if unit.n_before > 0 {
            raise.execute(params![run, unit.id, unit.n_before])?;
        }
    }
    Ok(n_new)
}

/// The keys of the run and class looked up last: long lists of units mostly share them.
#[derive(Default)]
struct RunKeys {
    run: Option<(String, i64)>,
    class: Option<(String, i64)>,
}

impl RunKeys {
    fn keys(&mut self, tx: &Transaction<'_>, unit: &Unit) -> Result<(i64, i64), EngineError> {
        let run = match &self.run {
            Some((name, key)) if *name == unit.run => *key,
            _ => enter_run(tx, &unit.run)?,
        };
        let class = match &self.class {
            Some((name, key)) if *name == unit.class => *key,
            _ => enter_class(tx, &unit.class)?,
        };
        if self.run.as_ref().is_none_or(|(name, _)| *name != unit.run) {
            self.run = Some((unit.run.clone(), run));
        }
        if self.class.as_ref().is_none_or(|(name, _)| *name != unit.class) {
            self.class = Some((unit.class.clone(), class));
        }
        Ok((run, class))
    }
}
