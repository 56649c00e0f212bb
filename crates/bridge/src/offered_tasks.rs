//! Where guests come in: what they may play, and who begins a trial for them.

use quintain_core::{InstanceId, Pick, TrialId};
use serde::Serialize;

use super::seat::Guest;

/// Begins trials for guests. Implemented by whoever plays them; a bridge knows nothing more of a run.
pub trait TrialStarter: Send + Sync {
    /// Begins a trial of an instance. Blocks until it is planned and on record, not until its world is open.
    fn begin(&self, instance: &InstanceId) -> Result<(TrialId, Guest), NotBegun>;
}

/// Why no trial began.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotBegun {
    /// The host takes no guests any more.
    #[error("the host is closing and begins no more trials")]
    Closed,
    /// The instance cannot be made.
    #[error("`{instance}` cannot be played: {why}")]
    Instance {
        /// Which.
        instance: InstanceId,
        /// Why not.
        why: String,
    },
    /// The guest asked for something that is not on the menu.
    #[error("`{asked}` is not offered here\nhint: {offered}")]
    NotOffered {
        /// What was asked for.
        asked: String,
        /// What there is.
        offered: String,
    },
    /// The trial broke before its first turn.
    #[error("the trial broke before its first turn: {0}")]
    Broke(String),
}

/// What guests may play.
#[derive(Clone, Debug, Default)]
pub struct OfferedTasks {
    dishes: Vec<OfferedTask>,
}

/// One thing on the menu: a task with its preset, and a seed where only one may be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfferedTask {
    /// The task, the preset and the seed; no seed means that the guest may choose.
    pub instance: InstanceId,
    /// Whether there is an instance without a seed.
    pub has_canonical: bool,
}

impl OfferedTasks {
    /// A menu of these.
    pub fn new(dishes: Vec<OfferedTask>) -> Self {
        Self { dishes }
    }

    /// Everything on it.
    pub fn dishes(&self) -> &[OfferedTask] {
        &self.dishes
    }

    /// The instance that a guest means: a task by its name, or the first; a seed where it names one. `n_before` is how
    /// many trials began before, and numbers the seeds of those who name none.
    pub fn choose(&self, task: Option<&str>, seed: Option<u64>, n_before: u64) -> Result<InstanceId, NotBegun> {
        let asked: Option<InstanceId> = task.map(|task| self.named(task)).transpose()?;
        let wanted = |dish: &&OfferedTask| asked.as_ref().is_none_or(|asked| dish.is(asked));
        let Some(dish) = self.dishes.iter().find(wanted) else {
            return Err(self.not_offered(task.unwrap_or_default()));
        };
        let seed = seed.or(asked.and_then(|asked| asked.pick.seed));
        let OfferedTask { instance: InstanceId { task, pick }, has_canonical } = dish.clone();
        if seed.is_some_and(|seed| pick.seed.is_some_and(|only| only != seed)) {
            return Err(self.not_offered(&format!("{} with seed {}", task, seed.unwrap_or_default())));
        }
        let usual = if has_canonical { None } else { Some(n_before) };
        Ok(InstanceId { task, pick: Pick { seed: seed.or(pick.seed).or(usual), ..pick } })
    }

    fn named(&self, text: &str) -> Result<InstanceId, NotBegun> {
        text.parse().map_err(|_cause| self.not_offered(text))
    }

    fn not_offered(&self, asked: &str) -> NotBegun {
        let names: Vec<String> = self.dishes.iter().take(20).map(|dish| dish.instance.to_string()).collect();
        let more = self.dishes.len().saturating_sub(names.len());
        let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
        NotBegun::NotOffered { asked: asked.to_owned(), offered: format!("there is {}{rest}", names.join(", ")) }
    }
}

impl OfferedTask {
    fn is(&self, asked: &InstanceId) -> bool {
        let same_preset = asked.pick.preset.is_none() || asked.pick.preset == self.instance.pick.preset;
        let only = self.instance.pick.seed;
        let same_seed = asked.pick.seed.is_none_or(|seed| only.is_none_or(|only| only == seed));
        let stretch = asked.pick.stretch();
        let same_stretch = stretch.is_whole() || stretch == self.instance.pick.stretch();
        asked.task == self.instance.task && same_preset && same_seed && same_stretch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dish(instance: &str, has_canonical: bool) -> OfferedTask {
        OfferedTask { instance: instance.parse().unwrap(), has_canonical }
    }

    #[test]
    fn guests_get_what_they_name() {
        let menu = OfferedTasks::new(vec![
            dish("puzzles/maze-2d@easy", false),
            dish("puzzles/maze-2d@hard", false),
            dish("puzzles/jigsaw@easy#3", false),
            dish("gauntlet/insert-wait", true),
            dish("puzzles/maze-legs@easy+1", false),
        ]);
        let rows = [
            (None, None),
            (None, Some(7)),
            (Some("puzzles/maze-2d"), None),
            (Some("puzzles/maze-2d@hard"), Some(1)),
            (Some("puzzles/maze-2d@hard#9"), None),
            (Some("puzzles/jigsaw"), None),
            (Some("puzzles/jigsaw"), Some(4)),
            (Some("gauntlet/insert-wait"), None),
            (Some("gauntlet/insert-wait"), Some(2)),
            (Some("puzzles/maze-legs#4+1"), None),
            (Some("puzzles/maze-legs#4+2"), None),
            (Some("puzzles/maze-3d"), None),
            (Some("maze"), None),
        ];
        let lines = rows.map(|(task, seed)| match menu.choose(task, seed, 5) {
            Ok(instance) => instance.to_string(),
            Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
        });
        insta::assert_snapshot!(lines.join("\n"), @r"
        puzzles/maze-2d@easy#5
        puzzles/maze-2d@easy#7
        puzzles/maze-2d@easy#5
        puzzles/maze-2d@hard#1
        puzzles/maze-2d@hard#9
        puzzles/jigsaw@easy#3
        `puzzles/jigsaw with seed 4` is not offered here
        gauntlet/insert-wait
        gauntlet/insert-wait#2
        puzzles/maze-legs@easy#4+1
        `puzzles/maze-legs#4+2` is not offered here
        `puzzles/maze-3d` is not offered here
        `maze` is not offered here
        ");
    }
}
