//! The way that an oracle goes, whatever it goes it with.

use quintain_chains::{Waypoint, WorkedChain};
use serde_json::{Map, Value};

/// The way through the steps of an instance, from its start.
pub(super) fn way_of(start: &Value) -> Result<Vec<Waypoint>, String> {
    let worked = WorkedChain::of_start(start)?;
    let steps: (usize, usize) =
        serde_json::from_value(start["plan"]["steps"].clone()).map_err(|error| error.to_string())?;
    let ways = worked.ways()?;
    let gone = ways.get(steps.0..steps.1).ok_or("the instance has steps that its chain has not")?;
    Ok(gone.iter().flatten().cloned().collect())
}

/// Fields with what is noted of each.
pub(super) fn noted(fields: Vec<String>, sheet: &Value) -> Map<String, Value> {
    fields.into_iter().map(|name| (name.clone(), sheet[&name].clone())).collect()
}
