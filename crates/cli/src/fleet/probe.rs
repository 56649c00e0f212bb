//! What this host can play, found out by trying, and how much of it at once.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{anyhow, bail};
use quintain_core::offering::HostClass;
use quintain_core::{Offering, Offerings, suggest};
use quintain_runner::n_cores;

/// What a host can play.
#[derive(Debug, Default)]
pub(crate) struct HostAbility {
    /// The classes, the scarcest first.
    pub(crate) classes: Vec<String>,
    /// What it can and cannot do, in words.
    pub(crate) words: Vec<String>,
}

/// The classes that are meant, the scarcest first: a kind of world means all of its classes. Nothing means everything.
pub(crate) fn meant<'a>(asked: Option<&[String]>, offerings: &'a Offerings) -> anyhow::Result<Vec<HostClass<'a>>> {
    let mut classes = offerings.classes();
    let Some(asked) = asked else { return Ok(classes) };
    let names: BTreeSet<String> =
        classes.iter().map(|class| class.name.clone()).chain(offerings.kinds().map(str::to_owned)).collect();
    for name in asked {
        if !names.contains(name) {
            let hint = suggest::hint(name, names.iter().map(String::as_str));
            bail!("there is no kind of world `{name}`\nhint: {hint}");
        }
    }
    classes.retain(|class| asked.iter().any(|name| *name == class.name || name == class.offering.kind()));
    Ok(classes)
}

/// Finds out what this host can play, of what is asked for; of everything where nothing is. What is asked for and
/// cannot be done is an error, unless it is a kind of world of which something can be played.
pub(crate) fn ability(asked: Option<&[String]>, offerings: &Offerings) -> anyhow::Result<HostAbility> {
    let (mut ability, mut rehearsed) = (HostAbility::default(), Rehearsals::default());
    for class in meant(asked, offerings)? {
        let name = &class.name;
        match class.look().and_then(|how| rehearsed.ask(class.offering).map(|()| how)) {
            Ok(how) => {
                ability.words.push(format!("can play {name}: {how}"));
                ability.classes.push(name.clone());
            }
            Err(why) if asked.is_some_and(|asked| asked.contains(name)) => {
                return Err(anyhow!(why).context(format!("this host cannot play {name}")));
            }
            Err(why) => ability.words.push(format!("cannot play {name}: {why}")),
        }
    }
    Ok(ability)
}

/// Worlds that were opened to see whether they can be, each once.
#[derive(Default)]
struct Rehearsals(BTreeMap<String, Result<(), String>>);

impl Rehearsals {
    fn ask(&mut self, offering: &Offering) -> Result<(), String> {
        let rehearse = || offering.rehearse.as_ref().map_or(Ok(()), |rehearse| rehearse());
        self.0.entry(offering.kind().to_owned()).or_insert_with(rehearse).clone()
    }
}

/// The kinds of world of some classes.
pub(crate) fn kinds_of<'a>(classes: &[String], offerings: &'a Offerings) -> BTreeSet<&'a str> {
    let known = offerings.classes();
    known.iter().filter(|class| classes.contains(&class.name)).map(|class| class.offering.kind()).collect()
}

/// How many trials at once: one for each core, and no more than there is memory for.
pub(crate) fn slots(classes: &[String], offerings: &Offerings) -> usize {
    let kinds = kinds_of(classes, offerings);
    let played = offerings.iter().filter(|offering| kinds.contains(offering.kind()));
    let trial_bytes = played.filter_map(|offering| offering.trial_bytes).max();
    slots_for(n_cores(), memory_bytes(), trial_bytes)
}

fn slots_for(n_cores: usize, memory: Option<u64>, trial_bytes: Option<u64>) -> usize {
    let room = memory.zip(trial_bytes).map_or(usize::MAX, |(memory, trial)| (memory / trial.max(1)) as usize);
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
    use std::sync::Arc;

    use quintain_store::Suites;
    use quintain_workshop::worlds;

    use super::*;

    #[test]
    fn browsers_need_memory_and_puzzles_need_cores() {
        let browser = Some(512);
        assert_eq!(slots_for(8, Some(1025), None), 8);
        assert_eq!(slots_for(8, Some(1025), browser), 2);
        assert_eq!(slots_for(2, Some(u64::MAX), browser), 2);
        assert_eq!(slots_for(8, Some(1), browser), 1, "at least one, or it would be no worker");
        assert_eq!(slots_for(8, None, browser), 8, "where nobody tells, cores decide");
    }

    #[test]
    fn the_system_tells_what_is_free() {
        assert_eq!(available("MemTotal:  1 kB\nMemAvailable:    2048 kB\n"), Some(2 * 1024 * 1024));
        assert_eq!(available("MemTotal:  1 kB\n"), None);
    }

    /// All worlds on a machine that has everything but what is named.
    fn machine_without(lacking: &'static str) -> Offerings {
        let mut all: Vec<_> = worlds::built_in().unwrap().iter().cloned().collect();
        for offering in &mut all {
            offering.rehearse = None;
            for need in &mut offering.needs {
                let is_there = need.name != lacking;
                let found = move || if is_there { Ok("here".to_owned()) } else { Err("it is not found".to_owned()) };
                need.look = Arc::new(found);
            }
        }
        Offerings::new(all)
    }

    fn told(lacking: &'static str, asked: Option<&str>) -> String {
        let asked: Option<Vec<String>> = asked.map(|asked| asked.split(',').map(str::to_owned).collect());
        match ability(asked.as_deref(), &machine_without(lacking)) {
            // Every assignment of the exam has a class of its own; one stands for them all.
            Ok(ability) => {
                let others = |words: &&String| !words.contains("workspace+") || words.contains("workspace+yosys");
                ability.words.iter().filter(others).cloned().collect::<Vec<_>>().join("\n")
            }
            Err(error) => format!("error: {error:#}"),
        }
    }

    #[test]
    fn every_task_is_of_a_class_that_hosts_look_for() {
        let offerings = worlds::built_in().unwrap();
        let looked_for: BTreeSet<String> = offerings.classes().into_iter().map(|class| class.name).collect();
        let suites = Suites::embedded();
        let tasks = suites.names().unwrap().into_iter().flat_map(|suite| suites.tasks(&suite).unwrap());
        let lost = tasks.map(|task| offerings.class_of(&task)).filter(|class| !looked_for.contains(class));
        assert_eq!(lost.collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn a_host_takes_what_all_needs_are_met_for() {
        insta::assert_snapshot!(told("nothing", None), @"
        can play desktop+texstudio+texlive-latex-base+kalgebra+poppler-utils: with a desktop (here) and texstudio (here) and pdflatex (here) and calgebra (here) and pdftotext (here)
        can play workspace+yosys+python3: with a sandbox (here) and yosys (here) and python3 (here)
        can play browser+ngspice: with a headless Chromium (here) and ngspice (here)
        can play desktop+grass-core: with a desktop (here) and grass (here)
        can play desktop+kalgebra: with a desktop (here) and kalgebra (here)
        can play browser: with a headless Chromium (here)
        can play workspace: with a sandbox (here)
        can play desktop: with a desktop (here)
        can play harbor: with systems that can be changed (here)
        can play physics: with MuJoCo 3.17.0 (here)
        can play puzzles: nothing else is needed
        ");
        insta::assert_snapshot!(told("ngspice", Some("browser,puzzles")), @"
        cannot play browser+ngspice: it is not found; apt install ngspice
        can play browser: with a headless Chromium (here)
        can play puzzles: nothing else is needed
        ");
        insta::assert_snapshot!(told("ngspice", Some("browser+ngspice")), @"error: this host cannot play browser+ngspice: it is not found; apt install ngspice");
        insta::assert_snapshot!(told("mujoco", Some("physics")), @"error: this host cannot play physics: it is not found; pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO");
    }
}
