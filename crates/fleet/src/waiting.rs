//! Trials that wait for a host that is not there, or that every host refuses.

use std::collections::BTreeMap;

use quintain_runner::engine::EngineError;
use quintain_runner::engine::steered::SteeredEngine;

use crate::hosts::{Host, RefusedRun};
use crate::jetstream::NatsEngine;

/// How many units are read at once.
const PAGE: usize = 10_000;

/// Trials of one class that no living host plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingTrials {
    /// How many.
    pub n_trials: u64,
    /// The hosts that could, by what they are, and why each does not.
    pub refused_by: BTreeMap<String, String>,
}

/// The trials of a run that no living host plays, by the class that they are of. What is not put on offer yet does not
/// count: whoever stewards has not seen it.
pub async fn waiting(
    engine: &NatsEngine,
    run: &str,
    hosts: &[Host],
) -> Result<BTreeMap<String, WaitingTrials>, EngineError> {
    let lacking = lacking(engine.classes_on_offer(run).await?, run, hosts);
    if lacking.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut waiting = count(engine, run, lacking).await?;
    waiting.retain(|_, trials| trials.n_trials > 0);
    Ok(waiting)
}

/// The classes that no host takes, each with the hosts that refuse the run.
fn lacking(classes: impl IntoIterator<Item = String>, run: &str, hosts: &[Host]) -> BTreeMap<String, WaitingTrials> {
    let mut lacking = BTreeMap::new();
    for class in classes {
        let there: Vec<&Host> = hosts.iter().filter(|host| takes(host, run, &class)).collect();
        let refused: Vec<(String, String)> = there.iter().filter_map(|host| refusal(host, run, &class)).collect();
        if refused.len() == there.len() {
            let refused_by = refused.into_iter().collect();
            lacking.insert(class, WaitingTrials { n_trials: 0, refused_by });
        }
    }
    lacking
}

async fn count(
    engine: &NatsEngine,
    run: &str,
    mut waiting: BTreeMap<String, WaitingTrials>,
) -> Result<BTreeMap<String, WaitingTrials>, EngineError> {
    let (settled, mut from) = (engine.settled_units(run).await?, 0);
    loop {
        let page = engine.registered(run, from, PAGE).await?;
        let Some(last) = page.last() else { return Ok(waiting) };
        from = last.idx + 1;
        for unit in page.iter().filter(|unit| !settled.contains(&unit.idx)) {
            if let Some(trials) = waiting.get_mut(&unit.class) {
                trials.n_trials += 1;
            }
        }
    }
}

/// Whether a host plays such trials of a run, now or when it has a slot. One that drains plays what it has.
fn takes(host: &Host, run: &str, class: &str) -> bool {
    let is_there = !host.draining || host.held.iter().any(|held| held.run == run);
    is_there && host.classes.iter().any(|known| known == class)
}

/// The host and why it refuses such trials of the run, if it does.
fn refusal(host: &Host, run: &str, class: &str) -> Option<(String, String)> {
    let is_of = |refused: &&RefusedRun| refused.run == run && refused.class.as_ref().is_none_or(|of| of == class);
    let refused = host.refuses.iter().find(is_of)?;
    Some((host.name.clone(), refused.why.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is refused is a run, or of a run a class: `night/arm`.
    fn host(name: &str, classes: &str, refuses: &[&str]) -> Host {
        let refusal = |what: &&str| {
            let (run, class) = what.split_once('/').map_or((*what, None), |(run, class)| (run, Some(class.to_owned())));
            RefusedRun { run: run.to_owned(), class, why: format!("{name} cannot") }
        };
        Host {
            name: name.to_owned(),
            classes: classes.split(' ').map(str::to_owned).collect(),
            refuses: refuses.iter().map(refusal).collect(),
            ..Host::default()
        }
    }

    fn told(hosts: &[Host]) -> String {
        let lacking = lacking(["arm", "browser"].map(str::to_owned), "night", hosts);
        let told = lacking.iter().map(|(class, trials)| format!("{class} {:?}", trials.refused_by));
        told.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_class_waits_where_nobody_is_there_and_where_everybody_refuses() {
        assert_eq!(told(&[host("a", "arm browser", &[])]), "");
        assert_eq!(told(&[host("a", "arm", &["day"])]), "browser {}");
        assert_eq!(told(&[host("a", "arm browser", &["night/arm"])]), "arm {\"a\": \"a cannot\"}");
        assert_eq!(
            told(&[host("a", "arm browser", &["night"]), host("b", "browser", &[])]),
            "arm {\"a\": \"a cannot\"}"
        );
    }
}
