//! What is inside the sandboxes of workspaces: of those in which agents work, and of those in which verifiers look.

use std::path::{Path, PathBuf};

use quintain_process::sandbox::{SandboxPlan, WorkFolder};

use crate::WORK;

/// A sandbox that works in this folder of the host, with so many bytes and so many files in it at most.
pub(crate) fn room_plan(work: &Path, max_bytes: u64, max_files: u64) -> SandboxPlan {
    let inside = PathBuf::from(WORK);
    let mut plan = SandboxPlan {
        work: Some(WorkFolder { host: work.to_owned(), inside: inside.clone(), max_bytes, max_files }),
        folder: inside,
        ..SandboxPlan::default()
    };
    plan.hide_ourselves();
    plan
}
