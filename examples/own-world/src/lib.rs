//! A world of one's own: a shelf of books that is put in order by exchanging two at a time. Here it becomes part of a program.

mod check;
mod oracle;
mod world;

use std::sync::Arc;

use quintain_core::Offering;
use quintain_core::offering::CodeDigests;
use quintain_workshop::{BuiltInFiles, ProgramParts};

/// The tasks, as parts of the program: it needs no folder beside it.
static SUITES: BuiltInFiles = &[
    ("shelf/by-height/task.toml", include_bytes!("../suites/shelf/by-height/task.toml")),
    ("shelf/by-height/instruction.md", include_bytes!("../suites/shelf/by-height/instruction.md")),
    ("shelf/by-height/reference/canary.txt", include_bytes!("../suites/shelf/by-height/reference/canary.txt")),
    ("shelf/by-title/task.toml", include_bytes!("../suites/shelf/by-title/task.toml")),
    ("shelf/by-title/instruction.md", include_bytes!("../suites/shelf/by-title/instruction.md")),
    ("shelf/by-title/reference/canary.txt", include_bytes!("../suites/shelf/by-title/reference/canary.txt")),
];

/// The code of this crate, as its build script found it: certificates are keyed by it.
static CODE: CodeDigests = include!(concat!(env!("OUT_DIR"), "/code.rs"));

/// Everything that is known of the world.
pub fn offering() -> Offering {
    Offering {
        checks: vec![Arc::new(check::ShelfSorted)],
        code: Some(CODE.shared()),
        ..Offering::of(Arc::new(world::BookShelf))
    }
}

/// What is built in, this world and its tasks.
pub fn parts() -> ProgramParts {
    ProgramParts::default().with_world(offering).with_suites(SUITES)
}
