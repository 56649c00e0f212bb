//! Who may do what on the server: keys for three kinds of user, and the entry that a nats-server's configuration needs for
//! each.
//!
//! A worker is trusted with nothing but what it was given: it takes work of its classes, says what became of it, and asks.
//! A user's replies come to an inbox that is named after its key, so that nobody else may listen there. The server's file
//! holds public keys only.
//!
//! What a worker could still do, if it were taken over: hand in anything for the units that it was given, acknowledge or
//! offer parcels of its own classes (the steward offers again what has no outcome), and clear the list of hosts (the others
//! are back with their next beat). None of it makes an outcome count that is not the first one with a right ticket.
//!
//! With JWTs instead of a server's file, the same two lists are the `pub` and `sub` permissions of a user (the key in the
//! inbox is what a scoped signing key writes as `{{subject()}}`), and a `.creds` file is used in place of the seed.

mod accounts;
pub mod permissions;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;

pub use accounts::{accounts, users, workers_account};
pub use permissions::Permissions;

use crate::names::FleetNames;

/// Who gets a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyHolder {
    /// A steward, or one who operates the fleet: everything of this fleet, and nothing of others on the same server.
    Steward,
    /// One who hands in runs, follows them, stops them and brings them home, but neither plays nor reports outcomes.
    Submitter,
    /// A worker.
    Worker {
        /// Its name in the fleet.
        name: String,
        /// The kinds of worlds that it is given.
        classes: Vec<String>,
    },
}

/// A user whose key was just made.
#[derive(Debug)]
pub struct User {
    /// What the server knows it by.
    pub public_key: String,
    /// What it may do.
    pub permissions: Permissions,
    seed: String,
    comment: String,
}

/// A key could not be made or kept.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    /// There is no randomness to make one of.
    #[error("cannot make a key: {0}")]
    Key(#[from] nkeys::error::Error),
    /// The file cannot be written.
    #[error("cannot write the key to {path}: {why}\nhint: a file that is there is never overwritten")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// A worker without work.
    #[error("worker `{0}` is given no kind of world\nhint: --can puzzles,browser")]
    Idle(String),
}

impl User {
    /// Makes a key for somebody.
    pub fn new(names: &FleetNames, who: &KeyHolder) -> Result<Self, CredentialsError> {
        if let KeyHolder::Worker { name, classes } = who
            && classes.is_empty()
        {
            return Err(CredentialsError::Idle(name.clone()));
        }
        let pair = KeyPair::new_user();
        let public_key = pair.public_key();
        let permissions = Permissions::of(names, who, &public_key);
        Ok(Self { permissions, seed: pair.seed()?, comment: comment(names, who), public_key })
    }

    /// Writes the secret half to a file that only its owner can read and that was not there before.
    pub fn write_seed(&self, path: &Path) -> Result<(), CredentialsError> {
        let failed = |why| CredentialsError::File { path: path.to_owned(), why };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(failed)?;
        writeln!(file, "{}", self.seed).map_err(failed)
    }

    /// The user's entry in the list of users of an account: a worker's in the workers', all others' in the fleet's.
    pub fn entry(&self) -> String {
        let list = |subjects: &[String]| {
            let lines: Vec<String> = subjects.iter().map(|subject| format!("        \"{subject}\"\n")).collect();
            format!("{{ allow: [\n{}      ] }}", lines.concat())
        };
        let responses =
            if self.permissions.may_respond { "\n      allow_responses: { max: 1, expires: \"1m\" }" } else { "" };
        format!(
            "  # {}\n  {{\n    nkey: {}\n    permissions: {{\n      publish: {}\n      subscribe: {}{responses}\n    }}\n  }}\n",
            self.comment,
            self.public_key,
            list(&self.permissions.publish),
            list(&self.permissions.subscribe),
        )
    }
}

/// Makes a key, keeps its secret half in a new file, and returns the entry for the server's configuration.
pub fn issue(names: &FleetNames, who: &KeyHolder, file: &Path) -> Result<String, CredentialsError> {
    let user = User::new(names, who)?;
    user.write_seed(file)?;
    Ok(user.entry())
}

fn comment(names: &FleetNames, who: &KeyHolder) -> String {
    let fleet = names.fleet();
    match who {
        KeyHolder::Steward => format!("steward of {fleet}"),
        KeyHolder::Submitter => format!("submitter to {fleet}"),
        KeyHolder::Worker { name, classes } => {
            format!("worker {} of {fleet} for {}", name.escape_default(), classes.join(",").escape_default())
        }
    }
}

#[cfg(test)]
mod tests;
