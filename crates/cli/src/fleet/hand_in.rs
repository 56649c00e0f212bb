//! A run that is handed to a fleet: first all of it to the archive, then its units to the server.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use quintain_agents::AgentSpec;
use quintain_core::{Offerings, Task, TaskId};
use quintain_fleet::limits::Rules;
use quintain_runner::Engine;
use quintain_runner::engine::Unit;
use quintain_runner::engine::steered::{Priority, RunTerms, SteeredEngine};
use quintain_store::archive::Archive;
use quintain_store::{PlannedTrial, RunDir, RunHeader};

use super::Fleet;
use crate::args::{OnFleetArgs, PriorityArg};
use crate::{guest, player};

/// How many units are registered with one call.
const BATCH: usize = 4096;

/// How many cheap trials travel together.
const CHUNK: u32 = 16;

/// On which terms a run is played: as typed, else as befits what is played.
pub(crate) fn terms(
    args: &OnFleetArgs,
    header: &RunHeader,
    tasks: &[Task],
    offerings: &Offerings,
) -> anyhow::Result<RunTerms> {
    let priority = match args.priority {
        Some(PriorityArg::Low) => Priority::Low,
        Some(PriorityArg::High) => Priority::High,
        Some(PriorityArg::Normal) | None => Priority::Normal,
    };
    let chunk = args.chunk.map_or_else(|| usual_chunk(header, tasks, offerings), Ok)?;
    Ok(RunTerms { priority, chunk })
}

/// Trials that take seconds travel together; those that take minutes or money do not.
fn usual_chunk(header: &RunHeader, tasks: &[Task], offerings: &Offerings) -> anyhow::Result<u32> {
    let quick_worlds = tasks.iter().all(|task| offerings.world_of(task).is_ok_and(|world| !world.is_costly()));
    let quick = |spec: AgentSpec| {
        matches!(spec, AgentSpec::Oracle(_) | AgentSpec::Idle | AgentSpec::Endless | AgentSpec::Random { .. })
    };
    let agents = header.agents.iter().map(|agent| agent.spec.parse().map(quick));
    let quick_agents = agents.collect::<Result<Vec<bool>, _>>()?.into_iter().all(|quick| quick);
    Ok(if quick_worlds && quick_agents { CHUNK } else { 1 })
}

/// Refuses agents that only this machine has.
pub(crate) fn check(header: &RunHeader) -> anyhow::Result<()> {
    for agent in &header.agents {
        let here = [player::PLAYER, guest::SPEC].contains(&agent.spec.as_str()) || agent.spec.starts_with("replay:");
        if here {
            bail!("agent `{}` plays on this machine only\nhint: run it without --nats, or with --here", agent.spec);
        }
    }
    Ok(())
}

/// Hands a run in, or what is missing of it: whoever dies on the way may do it again.
pub(crate) async fn hand_in(
    fleet: &Fleet,
    archive: &Archive,
    run: &RunDir,
    tasks: &[Task],
    terms: &RunTerms,
) -> anyhow::Result<()> {
    let (header, plan) = (run.header(), run.plan()?);
    let archived = archive.run(&header.name)?;
    if !archived.exists().await? {
        archive.create_run(header, &plan, tasks).await?;
    }
    archived.put_terms(&serde_json::to_vec(terms)?).await?;
    fleet.engine.set_terms(&header.name, terms).await?;
    if let Some(key) = fleet.engine.key_of(&header.name).await? {
        archived.put_key(&key).await?;
    }
    set_budget(fleet, header).await?;
    for batch in units(header, &plan, tasks)?.chunks(BATCH) {
        fleet.engine.enqueue(batch).await?;
    }
    Ok(())
}

/// Sets what the run may use on all hosts together.
pub(crate) async fn set_budget(fleet: &Fleet, header: &RunHeader) -> anyhow::Result<()> {
    let rules = Rules::open(fleet.client.clone(), fleet.names.clone()).await?;
    Ok(rules.set_budget(&header.name, &header.budget).await?)
}

/// The trials of a plan as units, in its order.
pub(crate) fn units(header: &RunHeader, plan: &[PlannedTrial], tasks: &[Task]) -> anyhow::Result<Vec<Unit>> {
    let classes: BTreeMap<&TaskId, &str> = tasks.iter().map(|task| (&task.id, header.class_of(task))).collect();
    let unit = |planned: &PlannedTrial| {
        let task = &planned.trial.instance.task;
        let class = classes.get(task).with_context(|| format!("the run needs task `{task}`, which is not there"))?;
        Ok(Unit { run: header.name.clone(), id: planned.trial.to_string(), class: (*class).to_owned(), n_before: 0 })
    };
    plan.iter().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use quintain_store::{AgentUsed, Suites};
    use quintain_workshop::worlds;

    use super::*;

    /// How many trials of a selection travel together when such an agent plays.
    fn chunk(selector: &str, agent: &str) -> u32 {
        let tasks = Suites::embedded().tasks(selector).unwrap();
        let used = AgentUsed { label: "a".to_owned(), spec: agent.to_owned(), ..AgentUsed::default() };
        let header = RunHeader { agents: vec![used], ..RunHeader::new("run", "") };
        usual_chunk(&header, &tasks, &worlds::built_in().unwrap()).unwrap()
    }

    #[test]
    fn trials_that_take_seconds_travel_together_whatever_their_kind_of_world() {
        assert_eq!(chunk("puzzles", "oracle"), 16);
        assert_eq!(chunk("puzzles/fetch-reach", "random"), 16);
        assert_eq!(chunk("puzzles", "cmd:./agent"), 1);
        assert_eq!(chunk("gauntlet", "oracle"), 1);
    }
}
