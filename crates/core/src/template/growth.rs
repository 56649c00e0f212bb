//! Whether what a template sets on its way stays small: a text that is joined to itself thirty times is a billion times as
//! long, and no count of steps would notice.

use std::collections::BTreeMap;

/// The most values that may be joined in one, however many variables they come through.
const MOST_JOINED: u64 = 1_000;

/// Refuses a template whose variables could grow beyond all bounds. Each weighs as much as all that it is made of.
pub(super) fn check_growth(template: &str) -> Result<(), String> {
    let mut weights: BTreeMap<&str, u64> = BTreeMap::new();
    for tag in tags(template) {
        let is_set = tag.starts_with("set ");
        if !is_set && !tag.starts_with("with ") {
            continue;
        }
        let names = names(tag);
        let set: Vec<&str> = names.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| *name).collect();
        if is_set && set.is_empty() {
            return Err(format!("`{{% {tag} %}}` sets what a block writes\nhint: write {{% set name = value %}}"));
        }
        let made_of = names.iter().filter(|(_, is_set)| !is_set).filter_map(|(name, _)| weights.get(name));
        let weight = made_of.fold(1, |sum: u64, weight| sum.saturating_add(*weight));
        if weight > MOST_JOINED {
            return Err(format!(
                "`{}` is made of more than {MOST_JOINED} values, counted through all variables",
                set.join(", ")
            ));
        }
        weights.extend(set.into_iter().map(|name| (name, weight)));
    }
    Ok(())
}

/// What stands between `{%` and `%}`.
fn tags(template: &str) -> impl Iterator<Item = &str> {
    let inside = template.split("{%").skip(1).map(|rest| rest.split("%}").next().unwrap_or(rest));
    inside.map(|tag| tag.trim_matches(|c: char| c.is_whitespace() || c == '-' || c == '+'))
}

/// The names in a tag but for its own, outside quotes, each with whether it is set there.
fn names(tag: &str) -> Vec<(&str, bool)> {
    let (mut found, mut rest) = (Vec::new(), tag.split_once(char::is_whitespace).map_or("", |(_, rest)| rest));
    // `a, b = ...` sets both.
    let mut n_before_comma = 0;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' | '\'' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ if is_of_name(first) => rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        if is_of_name(first) {
            let next = after.trim_start();
            let is_set = next.starts_with('=') && !next.starts_with("==");
            found.push((word, is_set));
            if is_set && n_before_comma == found.len() - 1 {
                for (_, is_set) in &mut found {
                    *is_set = true;
                }
            }
            n_before_comma += usize::from(next.starts_with(','));
        }
        rest = after;
    }
    found
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_joined_to_themselves_again_and_again_are_refused() {
        let doubled = |n: usize, step: &str| format!("{{% set a = 'x' %}}{}{{{{ a }}}}", step.repeat(n));
        let told = [
            doubled(5, "{% set a = a ~ a %}"),
            doubled(36, "{% set a = a ~ a %}"),
            doubled(36, "{%- set a=a~\"a\" -%}"),
            doubled(20, "{% with a = a ~ a %}"),
            "{% set low, high = (b, 'c = d') %}{% set n = low + high %}".to_owned(),
            "{% if n == 1 %}{% set x %}{{ y }}{% endset %}{% endif %}".to_owned(),
        ]
        .map(|template| check_growth(&template).map_or_else(|why| why, |()| "taken".to_owned()));
        insta::assert_snapshot!(told.join("\n"), @r"
        taken
        `a` is made of more than 1000 values, counted through all variables
        taken
        `a` is made of more than 1000 values, counted through all variables
        taken
        `{% set x %}` sets what a block writes
        hint: write {% set name = value %}
        ");
    }

    #[test]
    fn names_are_told_apart_from_what_is_quoted() {
        assert_eq!(names("set a, b = (c, 'd = e')"), [("a", true), ("b", true), ("c", false)]);
        assert_eq!(
            names("with a = b, c = d == a"),
            [("a", true), ("b", false), ("c", true), ("d", false), ("a", false)]
        );
    }
}
