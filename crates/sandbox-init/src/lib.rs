//! The first program in a sandbox, as a static binary to be carried in, and what it is asked.
//!
//! It is a program of its own because whoever sits in the sandbox can read and start it: there is no suite, no oracle and
//! no judge in it. `src/program/` is that program; it stands on the standard library alone.

pub mod joining;
pub mod protocol;

/// The program, linked statically.
pub const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sandbox-init"));
