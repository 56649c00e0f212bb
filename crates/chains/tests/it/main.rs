//! Chains of the suite, drawn in small and standard worlds.

mod drawn;
mod ways;
