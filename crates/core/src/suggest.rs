//! "Did you mean": the known name nearest to an unknown one.

/// The candidate most like `name`, if one is near enough to be what was meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// A hint in words: what was probably meant, or what there is to choose from.
pub fn hint<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(name, candidates.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there is {}", list(candidates)),
    }
}

fn list<'a>(candidates: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = candidates.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
