//! A fleet behind TLS and keys: what each kind of user can do, and what nobody can do who has only a worker's key.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

mod castle;
mod permissions;
mod references;
mod tls;
mod work;
