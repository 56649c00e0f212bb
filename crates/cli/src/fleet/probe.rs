//! What this host can play, found out by trying, and how much of it at once.

use std::time::Duration;

use anyhow::{Context, bail};
use quintain_core::{Pick, suggest};
use quintain_store::Suites;

use crate::args::Common;
use crate::cast;
use crate::commands::doctor;

/// What a trial in a browser takes of memory.
const BROWSER_BYTES: u64 = 512 * 1024 * 1024;

/// The kinds of world that this program knows, the scarcest first.
pub(crate) const KINDS: [&str; 3] = ["browser", quintain_physics::KIND, "puzzles"];

/// What a host can play.
#[derive(Debug, Default)]
pub(crate) struct Ability {
    /// The kinds of world, the scarcest first.
    pub(crate) classes: Vec<String>,
    /// What it can and cannot do, in words.
    pub(crate) words: Vec<String>,
}

/// Finds out what this host can play, of what is asked for; of everything where nothing is. What is asked for and
/// cannot be done is an error.
pub(crate) fn ability(asked: Option<&[String]>, common: &Common) -> anyhow::Result<Ability> {
    for kind in asked.unwrap_or_default() {
        if !KINDS.contains(&kind.as_str()) {
            bail!("there is no kind of world `{kind}`\nhint: {}", suggest::hint(kind, KINDS));
        }
    }
    let mut ability = Ability::default();
    for kind in KINDS {
        if asked.is_some_and(|asked| !asked.iter().any(|wanted| wanted == kind)) {
            continue;
        }
        match (try_kind(kind, common), asked) {
            (Ok(how), _) => {
                ability.classes.push(kind.to_owned());
                ability.words.push(format!("can play {kind}: {how}"));
            }
            (Err(why), None) => ability.words.push(format!("cannot play {kind}: {why:#}")),
            (Err(why), Some(_)) => return Err(why.context(format!("this host cannot play {kind}"))),
        }
    }
    Ok(ability)
}

/// How a kind of world is played here, or why it cannot be.
fn try_kind(kind: &str, common: &Common) -> anyhow::Result<String> {
    match kind {
        "browser" => try_browser(common),
        quintain_physics::KIND => {
            let found = quintain_physics::found().map_err(Clone::clone)?;
            Ok(format!("MuJoCo 3.17.0 in {}", found.display()))
        }
        _ => Ok("nothing else is needed".to_owned()),
    }
}

fn try_browser(common: &Common) -> anyhow::Result<String> {
    let version = doctor::chromium_version().context("no Chromium is found; `quintain doctor` says how to get one")?;
    open_an_app(common).context("a Chromium is found and does not start")?;
    let spice = match quintain_browser::find_ngspice() {
        Some(_) => "with ngspice",
        None => "without ngspice, which analog circuits need",
    };
    Ok(format!("{version}, {spice}"))
}

/// Opens a built-in app as a trial would, and closes it again.
fn open_an_app(common: &Common) -> anyhow::Result<()> {
    let worlds = cast::worlds(common)?;
    let selections = Suites::embedded().select("gauntlet")?;
    let selection = selections.first().context("no app is built in")?;
    let world = cast::world_of(&worlds, &selection.task)?;
    let instance = world.instantiate(&selection.task, &Pick::default())?;
    let mut opened = world.open(&instance)?;
    opened.snapshot(Duration::from_secs(30))?;
    Ok(())
}

/// How many trials at once: one for each core, and no more browsers than there is memory for.
pub(crate) fn slots(classes: &[String]) -> usize {
    let n_cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    slots_for(n_cores, memory_bytes(), classes)
}

fn slots_for(n_cores: usize, memory: Option<u64>, classes: &[String]) -> usize {
    let browses = classes.iter().any(|class| class == "browser");
    let room = memory.filter(|_| browses).map_or(usize::MAX, |bytes| (bytes / BROWSER_BYTES) as usize);
    n_cores.min(room).max(1)
}

/// The memory that is free for use, where the system tells.
fn memory_bytes() -> Option<u64> {
    available(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_need_memory_and_puzzles_need_cores() {
        let (both, puzzles) = (KINDS.map(str::to_owned), ["puzzles".to_owned()]);
        let two = Some(2 * BROWSER_BYTES + 1);
        assert_eq!(slots_for(8, two, &puzzles), 8);
        assert_eq!(slots_for(8, two, &both), 2);
        assert_eq!(slots_for(2, Some(u64::MAX), &both), 2);
        assert_eq!(slots_for(8, Some(1), &both), 1, "at least one, or it would be no worker");
        assert_eq!(slots_for(8, None, &both), 8, "where nobody tells, cores decide");
    }

    #[test]
    fn the_system_tells_what_is_free() {
        assert_eq!(available("MemTotal:  1 kB\nMemAvailable:    2048 kB\n"), Some(2 * 1024 * 1024));
        assert_eq!(available("MemTotal:  1 kB\n"), None);
    }
}
