//! Workflow documents: what sets two apart, and that the check's near misses fail and its variations pass.

mod comparing;
mod judging;
mod notation;
