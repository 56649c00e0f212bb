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

/// Where there is more than this to choose from, a person is told the nearest few.
const MOST_TOLD: usize = 8;
const NEAREST_TOLD: usize = 5;

/// The same for a person, where there may be very much to choose from: of that, what is most like the name.
pub fn hint_of_many<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let mut candidates: Vec<&str> = candidates.into_iter().collect();
    if nearest(name, candidates.iter().copied()).is_some() || candidates.len() <= MOST_TOLD {
        return hint(name, candidates);
    }
    let likeness = |candidate: &str| strsim::jaro_winkler(name, candidate);
    candidates.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)).then(a.cmp(b)));
    let n_more = candidates.len() - NEAREST_TOLD;
    candidates.truncate(NEAREST_TOLD);
    format!("there is {} and {n_more} more", list(candidates))
}

fn list<'a>(candidates: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = candidates.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_much_the_nearest_are_told() {
        let few = ["maze", "jigsaw"];
        assert_eq!(hint_of_many("maez", few), "did you mean `maze`?");
        assert_eq!(hint_of_many("q", few), "there is `maze`, `jigsaw`");
        let many: Vec<String> = (0..57).map(|n| format!("puzzles/{n}")).collect();
        let told = hint_of_many("q", many.iter().map(String::as_str));
        assert!(told.starts_with("there is `puzzles/") && told.ends_with(" and 52 more"), "{told}");
        assert_eq!(told.matches('`').count(), 10);
    }
}
