//! Reading an engine's file without changing a byte of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::{outcomes, schema};
use crate::engine::{EndedAttempt, EngineError, RecordedOutcome};

/// What an engine knows of a run.
#[derive(Debug, Default)]
pub(crate) struct RunGlance {
    /// The outcomes, in the order they came.
    pub(crate) outcomes: Vec<RecordedOutcome>,
    /// The attempts that are over, by unit and number.
    pub(crate) attempts: Vec<EndedAttempt>,
    /// How many units it was given.
    pub(crate) n_units: u64,
    /// What of it cannot be read, and why.
    pub(crate) broken: Vec<EngineError>,
}

/// Reads what an engine's file says of a run. A file that nobody has open is read as it stands, so that SQLite makes no
/// log beside it; should someone open it meanwhile, it is read again together with their log.
pub(crate) fn glance(path: &Path, run: &str) -> Result<RunGlance, EngineError> {
    if !has_log(path) {
        let found = read(&still(path)?, run);
        if !has_log(path) {
            return found;
        }
    }
    // Where the log cannot be shared (a folder that may not be written), the file alone still tells most of it.
    live(path).and_then(|live| read(&live, run)).or_else(|_| read(&still(path)?, run))
}

fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log).exists()
}

fn live(path: &Path) -> Result<Connection, EngineError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    Ok(connection)
}

/// A connection that takes the file for one that never changes. SQLite is told so in an address, which must be text.
fn still(path: &Path) -> Result<Connection, EngineError> {
    let Some(text) = path.to_str() else {
        return live(path);
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let escaped = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?)
}

fn read(connection: &Connection, run: &str) -> Result<RunGlance, EngineError> {
    if schema::version(connection)? == 0 {
        return Ok(RunGlance::default()); // Its maker died before there was a table.
    }
    let _one_moment = connection.unchecked_transaction()?;
    let mut glance = RunGlance { n_units: outcomes::n_units(connection, run)?, ..RunGlance::default() };
    let broken = &mut glance.broken;
    glance.outcomes.extend(readable(outcomes::each_outcome(connection, run, 0, usize::MAX), broken));
    glance.attempts.extend(readable(outcomes::each_attempt(connection, run), broken));
    Ok(glance)
}

/// The rows that can be read; what cannot is put to the broken ones.
fn readable<T>(rows: Result<Vec<Result<T, EngineError>>, EngineError>, broken: &mut Vec<EngineError>) -> Vec<T> {
    let rows = rows.unwrap_or_else(|error| vec![Err(error)]);
    rows.into_iter().filter_map(|row| row.map_err(|error| broken.push(error)).ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::engine::{Engine, RunDirection, SqliteEngine};

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn looking_leaves_no_trace_whatever_the_folder_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("50%25 ? #1");
        fs::create_dir(&odd).unwrap();
        let path = odd.join("engine.sqlite");
        let engine = SqliteEngine::open(&path).unwrap();
        engine.direct("run", RunDirection::Go).await.unwrap();
        assert!(glance(&path, "run").unwrap().outcomes.is_empty(), "while the engine is open");
        drop(engine);
        let before = fs::read(&path).unwrap();
        assert!(glance(&path, "run").unwrap().attempts.is_empty());
        assert_eq!(files(&odd), ["engine.sqlite"]);
        assert!(fs::read(&path).unwrap() == before);
    }

    #[test]
    fn a_file_without_tables_knows_nothing_and_a_newer_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine.sqlite");
        fs::write(&path, b"").unwrap();
        assert!(glance(&path, "run").unwrap().outcomes.is_empty());
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 2).unwrap();
        let refused = glance(&path, "run").unwrap_err().to_string();
        assert_eq!(refused, "the engine's file has version 2, this program knows up to 1");
    }
}
