//! Variables of an environment whose values name variables of the host.

use std::collections::BTreeMap;

/// A variable of the host without which a task cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` takes its value from the variable `{of_host}` of the host, and there is no default")]
pub struct MissingVariable {
    /// The variable of the task.
    pub name: String,
    /// The variable of the host.
    pub of_host: String,
}

/// Variables as they are set: `${NAME:-default}` is its default, anything else stays as it is. Nothing of the host is ever
/// handed to a task.
pub fn resolve_variables(env: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Vec<MissingVariable>> {
    let (mut values, mut missing) = (BTreeMap::new(), Vec::new());
    for (name, value) in env {
        match place(value) {
            None => drop(values.insert(name.clone(), value.clone())),
            Some((_, Some(default))) => drop(values.insert(name.clone(), default.to_owned())),
            Some((of_host, None)) => {
                missing.push(MissingVariable { name: name.clone(), of_host: of_host.to_owned() });
            }
        }
    }
    if missing.is_empty() { Ok(values) } else { Err(missing) }
}

/// The variable that a value names, and its default, where it is such a place and nothing else.
fn place(value: &str) -> Option<(&str, Option<&str>)> {
    let inside = value.strip_prefix("${")?.strip_suffix('}')?;
    let (name, default) = match inside.split_once(':') {
        None => (inside, None),
        Some((name, rest)) => (name, Some(rest.strip_prefix('-')?)),
    };
    (!name.is_empty() && !name.contains('}') && !default.is_some_and(|default| default.contains('\n')))
        .then_some((name, default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_defaults_or_missing() {
        let of = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let sound = of(&[("A", "1"), ("B", "${X:-two}"), ("C", "a ${X}"), ("D", "${X:-}"), ("E", "${X:3}")]);
        let values = of(&[("A", "1"), ("B", "two"), ("C", "a ${X}"), ("D", ""), ("E", "${X:3}")]);
        assert_eq!(resolve_variables(&sound), Ok(values));
        let missing = resolve_variables(&of(&[("A", "${KEY}")])).unwrap_err();
        assert_eq!(
            missing[0].to_string(),
            "`A` takes its value from the variable `KEY` of the host, and there is no default"
        );
    }
}
