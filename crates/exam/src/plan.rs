//! Plans that are a seed and sizes, from which everything else is drawn again.

use serde_json::{Map, Value};

/// A plan. The seed is a text: whole numbers of its size do not go through JSON unharmed everywhere.
pub(crate) fn seeded<const N: usize>(seed: u64, sizes: [(&str, u64); N]) -> Value {
    let mut plan = Map::from_iter([("seed".to_owned(), seed.to_string().into())]);
    plan.extend(sizes.map(|(name, size)| (name.to_owned(), size.into())));
    plan.into()
}

/// The seed of a plan.
pub(crate) fn seed_of(plan: &Value) -> Result<u64, String> {
    plan["seed"].as_str().and_then(|seed| seed.parse().ok()).ok_or_else(|| "the plan has no seed".to_owned())
}

/// A size of a plan.
pub(crate) fn size_of(plan: &Value, name: &str) -> Result<usize, String> {
    plan[name].as_u64().map(|size| size as usize).ok_or_else(|| format!("the plan has no `{name}`"))
}
