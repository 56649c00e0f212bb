//! Models, as a run reaches them: what is known of them, who counts their calls, and whether they can be asked at all.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use quintain_agents::AgentSpec;
use quintain_agents::loops::prompts;
use quintain_agents::spec::LoopSpec;
use quintain_core::books::{CallLine, Journal, Totals};
use quintain_core::event::RecordError;
use quintain_core::limits::Budget;
use quintain_fleet::limits::Shares;
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::Meter;
use quintain_models::providers::{ConnectOptions, Connections, ModelSpec, NotConnected};
use quintain_models::ration::{Ration, Unlimited};
use quintain_store::{RunDir, RunHeader};

use crate::{PLAYER, guest, handed_agent, now, outside_services};

/// What the fingerprint of a run calls the prompts of its loops.
pub const PROMPTS: &str = "prompts";

/// The loops among the agents of a run.
fn loops(header: &RunHeader) -> anyhow::Result<Vec<LoopSpec>> {
    let others = [PLAYER, guest::SPEC, handed_agent::SPEC];
    let specs = header.agents.iter().filter(|agent| !others.contains(&agent.spec.as_str()));
    let specs = specs.map(|agent| agent.spec.parse()).collect::<Result<Vec<AgentSpec>, _>>()?;
    let looped = |spec| match spec {
        AgentSpec::Model(spec) => Some(*spec),
        _ => None,
    };
    Ok(specs.into_iter().filter_map(looped).collect())
}

/// Whether anybody in a run asks models: a loop, or a program through our proxy.
fn asks(header: &RunHeader) -> anyhow::Result<bool> {
    Ok(!loops(header)?.is_empty() || outside_services::takes_part(header))
}

/// Connections for a run, with its books and what is left of its budget; nothing where nobody asks a model. On a fleet
/// calls wait for shares of what all hosts together may use.
pub fn connect(run: &RunDir, shares: Option<&Shares>) -> anyhow::Result<Option<Arc<Connections>>> {
    if !asks(run.header())? {
        return Ok(None);
    }
    check_prompts(run.header())?;
    let (header, so_far) = (run.header(), run.calls()?.totals);
    let books: Arc<dyn Journal> = Arc::new(run.books()?);
    let meter = match shares.and_then(|shares| shares.purse(&header.name, &header.budget)) {
        Some(purse) => Meter::sharing(books, header.budget, so_far, purse),
        None => Meter::new(books, header.budget, so_far),
    };
    let ration = shares.map_or_else(Unlimited::shared, Shares::ration);
    let connections = connected_sharing(header, meter, ration)?;
    check_all(&connections, run.header())?;
    Ok(Some(Arc::new(connections)))
}

/// Refuses to go on with a run whose models were told something else: its trials could not be compared.
fn check_prompts(header: &RunHeader) -> anyhow::Result<()> {
    let now = prompts::digest().short();
    match header.fingerprint.get(PROMPTS) {
        Some(then) if *then != now && !loops(header)?.is_empty() => bail!(
            "the prompts have changed since run `{}` was planned ({then}, now {now})\n\
             hint: go on with the same version, or plan anew",
            header.name
        ),
        _ => Ok(()),
    }
}

/// Refuses a run whose models cannot be asked, before anything of it is made.
pub fn check(header: &RunHeader) -> anyhow::Result<()> {
    if loops(header)?.is_empty() {
        return Ok(());
    }
    let cost_usd = header.budget.cost_usd.or(header.limits.cost_usd); // Either limit needs prices.
    let meter = Meter::new(Arc::new(UnopenedBooks), Budget { cost_usd, ..header.budget }, Totals::default());
    check_all(&connected(header, meter)?, header)
}

/// A sentence for every model of a run that its provider no longer offers.
pub fn retired(header: &RunHeader) -> anyhow::Result<Vec<String>> {
    let (catalogue, today) = (known_models(header)?, now());
    let names: BTreeSet<String> =
        loops(header)?.iter().flat_map(|spec| spec.models().map(ModelSpec::full_name).collect::<Vec<_>>()).collect();
    let past = |name: &String| catalogue.retires(name).filter(|day| day.is_past(&today));
    Ok(names.iter().filter_map(|name| Some(gone(name, &past(name)?.to_string()))).collect())
}

/// What is said of a model that is no longer offered since this day.
pub fn gone(model: &str, day: &str) -> String {
    format!("`{model}` is no longer offered by its provider since {day}: its calls will probably fail")
}

/// The same for a run that is played elsewhere: keys and addresses are for those who play to have.
pub fn check_for_elsewhere(header: &RunHeader) -> anyhow::Result<()> {
    match check(header).map_err(anyhow::Error::downcast::<NotConnected>) {
        Err(Ok(NotConnected::NoKey(_) | NotConnected::NoBaseUrl { .. })) | Ok(()) => Ok(()),
        Err(Ok(other)) => Err(other.into()),
        Err(Err(other)) => Err(other),
    }
}

/// What the header says of the models of its agents: the user's catalogue, the cache, and which prompts they are told.
pub fn describe(header: &mut RunHeader, catalogue: Option<&Path>, cache: Option<&Path>) -> anyhow::Result<()> {
    if !asks(header)? {
        return Ok(());
    }
    header.catalogue = catalogue.map(catalogue_of).transpose()?;
    header.cache = cache.map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
    header.fingerprint.insert(PROMPTS.to_owned(), prompts::digest().short());
    Ok(())
}

/// The text of the user's file of models, once it is known to be sound.
pub fn catalogue_of(path: &Path) -> anyhow::Result<String> {
    ModelCatalogue::load(Some(path))?;
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Connections with what a header says of models.
pub fn connected(header: &RunHeader, meter: Arc<Meter>) -> anyhow::Result<Connections> {
    connected_sharing(header, meter, Unlimited::shared())
}

fn connected_sharing(header: &RunHeader, meter: Arc<Meter>, ration: Arc<dyn Ration>) -> anyhow::Result<Connections> {
    let options = ConnectOptions { cache: header.cache.clone(), ration, ..ConnectOptions::default() };
    Ok(Connections::new(known_models(header)?, meter, options))
}

/// What a run knows of models: what its header says of them before what is built in.
pub fn known_models(header: &RunHeader) -> anyhow::Result<ModelCatalogue> {
    let Some(text) = &header.catalogue else { return Ok(ModelCatalogue::built_in()) };
    let wrong = |why| anyhow!("what the run's header says of models is no catalogue: {why}");
    ModelCatalogue::built_in().with(text).map_err(wrong)
}

fn check_all(connections: &Connections, header: &RunHeader) -> anyhow::Result<()> {
    for spec in loops(header)? {
        for model in spec.models() {
            connections.check(model)?;
        }
    }
    Ok(())
}

/// The books of a run that does not exist yet: whoever writes in them makes a call that nobody would ever pay for, and is
/// refused.
struct UnopenedBooks;

impl Journal for UnopenedBooks {
    fn write(&self, _line: &CallLine) -> Result<(), RecordError> {
        Err(RecordError("no run has begun".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use quintain_store::AgentUsed;

    use super::*;

    #[test]
    fn a_model_that_is_gone_is_told_of() {
        let mut header = RunHeader::new("night", "now");
        let specs = ["react:openai/computer-use-preview", "planner:chat/sim,grounder=openai/o4-mini", "oracle"];
        header.agents = specs.map(|spec| AgentUsed { spec: spec.to_owned(), ..AgentUsed::default() }).into();
        insta::assert_snapshot!(retired(&header).unwrap().join("\n"), @"
        `openai/computer-use-preview` is no longer offered by its provider since 2026-07-23: its calls will probably fail
        `openai/o4-mini` is no longer offered by its provider since 2026-10-23: its calls will probably fail
        ");
    }

    #[test]
    fn a_run_goes_on_only_with_the_prompts_it_was_planned_with() {
        let said = |spec: &str, prompts: &str| {
            let mut header = RunHeader::new("night", "now");
            header.agents = vec![AgentUsed { spec: spec.to_owned(), ..AgentUsed::default() }];
            header.fingerprint.insert(PROMPTS.to_owned(), prompts.to_owned());
            check_prompts(&header).map_err(|error| error.to_string())
        };
        let now = prompts::digest().short();
        assert_eq!(said("react:chat/sim", &now), Ok(()));
        assert_eq!(said("outside:true", "older"), Ok(()), "it is told none of them");
        let refused = said("react:chat/sim", "older").unwrap_err();
        assert!(
            refused.starts_with("the prompts have changed since run `night` was planned (older, now "),
            "{refused}"
        );
    }
}
