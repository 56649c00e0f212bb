//! Trials that wait for a host that is not there.

use std::collections::BTreeMap;

use quintain_runner::engine::EngineError;
use quintain_runner::engine::steered::SteeredEngine;

use crate::hosts::Host;
use crate::jetstream::NatsEngine;

/// How many units are read at once.
const PAGE: usize = 10_000;

/// How many trials of a run no living host can play, by the class that they are of. What is not put on offer yet does not
/// count: whoever stewards has not seen it.
pub async fn waiting(engine: &NatsEngine, run: &str, hosts: &[Host]) -> Result<BTreeMap<String, u64>, EngineError> {
    let mut lacking = engine.classes_on_offer(run).await?;
    lacking.retain(|class| !hosts.iter().any(|host| takes(host, run, class)));
    if lacking.is_empty() {
        return Ok(BTreeMap::new());
    }
    let settled = engine.settled_units(run).await?;
    let (mut n_by_class, mut from) = (BTreeMap::new(), 0);
    loop {
        let page = engine.registered(run, from, PAGE).await?;
        let Some(last) = page.last() else { return Ok(n_by_class) };
        from = last.idx + 1;
        for unit in page.into_iter().filter(|unit| lacking.contains(&unit.class) && !settled.contains(&unit.idx)) {
            *n_by_class.entry(unit.class).or_default() += 1;
        }
    }
}

/// Whether a host plays such trials of a run, now or when it has a slot. One that drains plays what it has.
fn takes(host: &Host, run: &str, class: &str) -> bool {
    let is_there = !host.draining || host.held.iter().any(|held| held.run == run);
    is_there && host.classes.iter().any(|known| known == class)
}
