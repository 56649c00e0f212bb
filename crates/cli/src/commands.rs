//! One file a command.

pub(crate) mod bridge;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod diagnose;
pub(crate) mod doctor;
pub(crate) mod estimate;
pub(crate) mod export;
pub(crate) mod fleet;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod open;
pub(crate) mod play;
pub(crate) mod provider_sim;
pub(crate) mod pull;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rescore;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod show;
pub(crate) mod steward;
pub(crate) mod submit;
pub(crate) mod worker;
