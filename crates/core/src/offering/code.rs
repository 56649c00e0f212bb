//! The hashes of the code that a world's judging, solving and drawing of instances rest on.

use super::{AppOffered, Offering};
use crate::digest::Digest;
use crate::task::Task;

/// The hashes of a crate's code, as its build script found them: `quintain-code-digest` makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDigests {
    /// Of what everything in the crate rests on.
    pub shared: [u8; 32],
    /// Of what is an app's own, by the name of its module.
    pub apps: &'static [(&'static str, [u8; 32])],
}

impl CodeDigests {
    /// The hash of what everything in the crate rests on.
    pub fn shared(&self) -> Digest {
        self.shared.into()
    }

    /// The hash of what is an app's own.
    pub fn of(&self, module: &str) -> Option<Digest> {
        self.apps.iter().find(|(name, _)| *name == module).map(|(_, hash)| (*hash).into())
    }
}

impl Offering {
    /// The hash of the code that a task's judge, oracle and generator rest on, as far as the world tells it.
    pub fn code_of(&self, task: &Task) -> Digest {
        let app = self.apps.iter().find(|app| app.name == task.spec.world.app);
        let parts = [("world", self.code), ("app", app.and_then(|app: &AppOffered| app.code))];
        let told = parts.iter().filter_map(|(name, code)| Some((*name, &code.as_ref()?.bytes()[..])));
        Digest::of_parts(told)
    }
}
