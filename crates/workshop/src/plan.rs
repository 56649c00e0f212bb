//! From what is meant to a plan: which tasks, whose header, which trials.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use quintain_agents::AgentSpec;
use quintain_agents::loops::prompts;
use quintain_process::on_search_path;
use quintain_process::sandbox::ProgramAccess;
use quintain_runner::{Cast, Grid, plan};
use quintain_store::{AgentUsed, PlannedTrial, RunHeader, Selection, SuiteUsed, Suites, suites};

use crate::isolation::sandbox_fact;
use crate::private_seeds::PrivateSeeds;
use crate::run_settings::{RunSettings, SeedChoice, Workplace};
use crate::workshop::Workshop;
use crate::wrong_word::WrongWord;
use crate::{PLAYER, fingerprint, guest, models, runs};

/// How many seeds tasks without a canonical instance are played with, and all with private ones, unless others are named.
pub const N_USUAL_SEEDS: u64 = 5;

impl Workshop {
    /// What is to be played: on a fleet everything that was named, here what this machine can play of it. What is left
    /// out is said.
    pub fn select(&self, run: &RunSettings, say: &dyn Fn(&str)) -> anyhow::Result<Vec<Selection>> {
        if run.workplace == Workplace::Here {
            return self.playable(&run.tasks, say);
        }
        let mut selections = Vec::new();
        for selector in &run.tasks {
            selections.extend(self.suites()?.select(selector)?);
        }
        Ok(selections)
    }

    /// What a run says of itself before its first trial.
    pub fn header(
        &self,
        run: &RunSettings,
        agents: Vec<AgentUsed>,
        selections: &[Selection],
    ) -> anyhow::Result<RunHeader> {
        let name = run.name.clone().unwrap_or_else(|| self.made_up_name(&run.tasks, &agents));
        runs::check_name(&name)?;
        let mut header = RunHeader::new(name, now());
        header.selectors.clone_from(&run.tasks);
        header.suites = suites_used(self.suites()?, selections);
        header.agents = agents;
        header.settings = run.settings.clone();
        header.limits = run.limits;
        header.budget = run.budget;
        header.pictures = run.pictures;
        header.seeds = seeds(run.seeds.as_ref(), selections);
        header.private = run.private_seeds().map(PrivateSeeds::used);
        header.after.clone_from(&run.after);
        header.repeats = run.repeats;
        header.fingerprint = fingerprint::here(self.offerings()?, selections);
        header.fingerprint.extend(sandbox_fact(&header.agents));
        models::describe(&mut header, self.setup().models.as_deref(), run.cache.as_deref())?;
        Ok(header)
    }

    /// The trials of a run, by those who take part.
    pub fn plan(
        &self,
        run: &RunSettings,
        header: &RunHeader,
        selections: &[Selection],
        cast: &Cast,
    ) -> anyhow::Result<Vec<PlannedTrial>> {
        let drawn = run.private_seeds().map(|private| private.drawn(selections)).transpose()?;
        let selections = drawn.as_deref().unwrap_or(selections);
        let agents: Vec<String> = header.agents.iter().map(|agent| agent.label.clone()).collect();
        let RunHeader { seeds, after, repeats, .. } = header;
        let grid = Grid { selections, seeds, agents: &agents, repeats: *repeats, after };
        Ok(plan(&grid, cast)?)
    }

    /// What is played, who plays, and a number if that name is taken.
    fn made_up_name(&self, tasks: &[String], agents: &[AgentUsed]) -> String {
        let word = |text: &str| {
            text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect::<String>()
        };
        let what = tasks.iter().map(|task| word(task.trim_matches(['/', '.']))).collect::<Vec<_>>().join("+");
        let who = agents.iter().map(|agent| word(&agent.label)).collect::<Vec<_>>().join("+");
        let stem: String = format!("{what}_{who}").trim_start_matches('-').chars().take(80).collect();
        self.free_name(&stem, '_')
    }
}

/// The seeds that are meant; none at all means the canonical instances.
fn seeds(named: Option<&SeedChoice>, selections: &[Selection]) -> Vec<u64> {
    match named {
        Some(SeedChoice::Canonical | SeedChoice::Private(_)) => Vec::new(),
        Some(SeedChoice::Each(seeds)) => seeds.clone(),
        None if selections.iter().all(|selection| selection.task.has_canonical()) => Vec::new(),
        None => (0..N_USUAL_SEEDS).collect(),
    }
}

/// An agent as a run's header names it, from the text that asks for it: `SPEC`, or `NAME=SPEC` for a name of one's own. Its
/// own program, where it has one, may see so much.
pub fn agent_used(text: &str, access: &ProgramAccess) -> anyhow::Result<AgentUsed> {
    let (alias, text) = aliased(text)?;
    let spec: AgentSpec = text.parse()?;
    if let AgentSpec::Command { argv } | AgentSpec::Outside { argv } = &spec
        && let Some(program) = argv.first().filter(|program| !is_program(program))
    {
        bail!(WrongWord(format!(
            "there is no program `{program}` to play\nhint: name it by its path, or put its folder on PATH"
        )));
    }
    if let AgentSpec::Command { argv } | AgentSpec::Outside { argv } = &spec
        && let Some(script) = argv.iter().skip(1).find(|word| is_script(word) && !Path::new(word).exists())
    {
        bail!(
            "there is no file `{script}` for `{}` to play with\nhint: name it from this folder, or by its whole path",
            argv[0]
        );
    }
    let (version, model) = match &spec {
        AgentSpec::Model(looped) => {
            (Some(format!("prompts {}", prompts::digest().short())), Some(looped.model_names()))
        }
        _ => (None, None),
    };
    let isolation = Some(spec.isolation(access));
    let files = match access {
        ProgramAccess::Sandbox { files } if spec.is_program() => files.clone(),
        ProgramAccess::Sandbox { .. } | ProgramAccess::Host => Vec::new(),
    };
    let label = alias.map_or_else(|| spec.label(), str::to_owned);
    Ok(AgentUsed { label, spec: spec.to_string(), version, model, files, isolation })
}

/// The name before the spec, where there is one. An equals sign behind a colon belongs to the spec.
fn aliased(text: &str) -> anyhow::Result<(Option<&str>, &str)> {
    let Some((alias, spec)) = text.split_once('=').filter(|(alias, _)| !alias.contains(':')) else {
        return Ok((None, text));
    };
    let plain = alias.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if !plain || alias.is_empty() || alias.chars().count() > 40 {
        bail!(WrongWord(format!(
            "`{alias}` cannot name an agent\nhint: up to 40 letters, digits and `. _ -`, as in `fast=turns:chat/x`"
        )));
    }
    if AgentSpec::KINDS.contains(&alias) || [PLAYER, guest::SPEC].contains(&alias) {
        bail!(WrongWord(format!(
            "`{alias}` is an agent of its own and cannot name another\nhint: `my-{alias}={spec}`"
        )));
    }
    Ok((Some(alias), spec))
}

/// Whether a word of a command names a file of code.
fn is_script(word: &str) -> bool {
    let endings = [".py", ".js", ".mjs", ".ts", ".sh", ".rb", ".jar"];
    !word.starts_with('-') && endings.iter().any(|ending| word.ends_with(ending))
}

/// Whether a program can be found: by its path, or by name on the path.
pub fn is_program(name: &str) -> bool {
    if name.contains('/') { Path::new(name).is_file() } else { on_search_path(name).is_some() }
}

/// The suites that what was selected is from.
pub fn suites_used(suites: &Suites, selections: &[Selection]) -> Vec<SuiteUsed> {
    let mut names: Vec<&str> = selections.iter().map(|selection| selection.task.id.suite()).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| {
            let tasks = selections.iter().map(|selection| &selection.task).filter(|task| task.id.suite() == name);
            SuiteUsed { name: name.to_owned(), from: suites.origin(), digest: suites::digest_of(tasks) }
        })
        .collect()
}

/// The time, as headers tell it.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    utc(since)
}

/// Seconds since 1970 as `2026-11-15T01:23:45Z`. The day is found by the civil-from-days method.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_may_be_given_a_name() {
        let told = |text: &str| match agent_used(text, &ProgramAccess::Host) {
            Ok(used) => format!("{text} => {} {}", used.label, used.spec),
            Err(error) => format!("{text} => ? {}", error.to_string().lines().next().unwrap_or_default()),
        };
        let lines = ["blind=random:seed=3", "random:seed=3", "a b=idle", "=idle", "oracle=idle", "lazy=", "lazy=x"];
        insta::assert_snapshot!(lines.map(told).join("\n"), @"
        blind=random:seed=3 => blind random:seed=3
        random:seed=3 => random:seed-3 random:seed=3
        a b=idle => ? `a b` cannot name an agent
        =idle => ? `` cannot name an agent
        oracle=idle => ? `oracle` is an agent of its own and cannot name another
        lazy= => ? there is no agent ``; there is `oracle`, `idle`, `random`, `replay`, `cmd`, `outside`, `turns`, `react`, `generalist`, `planner`
        lazy=x => ? there is no agent `x`; there is `oracle`, `idle`, `random`, `replay`, `cmd`, `outside`, `turns`, `react`, `generalist`, `planner`
        ");
    }

    #[test]
    fn the_calendar_is_right() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(utc(1_794_705_825), "2026-11-15T01:23:45Z");
    }
}
