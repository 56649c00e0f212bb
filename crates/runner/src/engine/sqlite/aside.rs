//! An engine's file that is damaged: it is moved aside, never removed, and a new one is made of the record.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rusqlite::{Connection, OpenFlags};

use super::SqliteEngine;
use crate::engine::EngineError;

/// What SQLite keeps beside its file.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Why an engine's file is damaged, where it is.
pub fn damage_of(path: &Path) -> Option<String> {
    if !path.exists() {
        return None;
    }
    let looked = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .and_then(|connection| connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0)));
    match looked {
        Ok(said) if said == "ok" => None,
        Ok(said) => Some(said),
        Err(error) if is_damage(&error) => Some(error.to_string()),
        Err(_) => None, // It is in use, or may not be written: nothing that a new file would cure.
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}

/// Moves an engine's file aside, and returns where it is now.
pub fn move_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |n: u32, end: &str| {
        let mut name = OsString::from(path);
        name.push(if n == 0 { ".damaged".to_owned() } else { format!(".damaged-{n}") });
        name.push(end);
        PathBuf::from(name)
    };
    let mut free = 0;
    while name(free, "").exists() {
        free += 1;
    }
    for end in BESIDE {
        let mut from = OsString::from(path);
        from.push(end);
        match fs::rename(&from, name(free, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(name(free, ""))
}

impl SqliteEngine {
    /// Opens an engine as [`Self::open`] does; where its file is damaged, that is moved aside and told, and the engine
    /// begins anew: whoever hands it units tells it what is on record.
    pub fn open_mended(path: &Path, tell: impl FnOnce(&str, &Path)) -> Result<Self, EngineError> {
        if let Some(why) = damage_of(path) {
            let aside = move_aside(path).map_err(|error| EngineError::Aside { why: error.to_string() })?;
            tell(&why, &aside);
        }
        Self::open(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_moved_aside_and_whatever_is_whole_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine.sqlite");
        drop(SqliteEngine::open(&path).unwrap());
        assert_eq!(damage_of(&path), None);
        for n in 0..2 {
            fs::write(&path, b"This is no database at all, and long enough to be taken for one by nobody.").unwrap();
            let mut told = None;
            drop(SqliteEngine::open_mended(&path, |_why, aside| told = Some(aside.to_owned())).unwrap());
            let aside = told.unwrap();
            assert!(aside.ends_with(if n == 0 { "engine.sqlite.damaged" } else { "engine.sqlite.damaged-1" }));
            assert!(fs::read(aside).unwrap().starts_with(b"This is no database"));
        }
        assert_eq!(damage_of(&path), None);
    }
}
