//! Runs as a whole, in the world that counts.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

mod breaking;
mod budgets;
mod files;
mod fixture;
mod hosting;
mod ledger;
mod rescoring;
mod runs;
