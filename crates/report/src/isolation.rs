//! What kept agents from the solution, in the words of tables.

use std::collections::BTreeMap;

use quintain_core::AgentIsolation;
use quintain_core::words::count;

use crate::row::TrialPlace;

/// What kept each agent from the solution, by the agents' names; those of which a run does not say it are not there.
pub type IsolationByAgent = BTreeMap<String, AgentIsolation>;

/// How many agents a line names before the rest is only counted.
const MOST_NAMED: usize = 4;

/// An agent's name with the note that belongs beside it: `cmd:walk.py-1f2e3d4c (isolation: none)`.
pub fn noted(agent: &str, isolation: Option<AgentIsolation>) -> String {
    format!("{agent} ({})", AgentIsolation::note(isolation))
}

/// Agents with their notes in one line, as many as it holds.
pub fn noted_line<'a>(agents: impl IntoIterator<Item = (&'a str, Option<AgentIsolation>)>) -> String {
    named(&agents.into_iter().map(|(agent, isolation)| noted(agent, isolation)).collect::<Vec<_>>())
}

/// What must be known of agents whose own programs ran without isolation, in plain words and three lines; nothing where there are none.
pub fn isolation_warning<'a>(agents: impl IntoIterator<Item = (&'a str, Option<AgentIsolation>)>) -> Option<String> {
    let bare = |(_, isolation): &(&str, Option<AgentIsolation>)| *isolation == Some(AgentIsolation::Unconfined);
    let names: Vec<String> = agents.into_iter().filter(bare).map(|(agent, _)| agent.to_owned()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "without isolation: {}\n  such a program runs as you do: it can ask `quintain` for its instance's solution and \
             replay it\n  programs are kept in a sandbox unless it is lifted; docs/isolation.md says how",
            named(&names)
        )
    })
}

/// What is known of the trials' agents.
pub(crate) fn by_agent<'a>(trials: impl IntoIterator<Item = TrialPlace<'a>>) -> IsolationByAgent {
    trials.into_iter().filter_map(|place| Some((place.trial.agent.clone(), place.isolation?))).collect()
}

/// What a note means, in a line of a headline.
pub(crate) fn meaning(isolation: Option<AgentIsolation>) -> &'static str {
    match isolation {
        Some(AgentIsolation::OurCode) => "our code: nothing of the agent's ran here",
        Some(AgentIsolation::Outside) => "outside: we did not start the agent and cannot say what it could reach",
        Some(AgentIsolation::Sandboxed) => "sandbox: its program saw neither Quintain nor the run, and had no network",
        Some(AgentIsolation::Unconfined) => {
            "none: its program ran with our rights and could have looked up the solution"
        }
        None => "unknown: the run does not say",
    }
}

fn named(names: &[String]) -> String {
    let listed = names.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => listed,
        more => format!("{listed} and {}", count(more, "more agent")),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    const BARE: Option<AgentIsolation> = Some(AgentIsolation::Unconfined);

    #[test]
    fn only_programs_without_isolation_are_warned_of_and_not_all_are_named() {
        let ours = [("oracle", Some(AgentIsolation::OurCode)), ("guest", Some(AgentIsolation::Outside)), ("old", None)];
        assert_eq!(isolation_warning(ours), None);
        let many = ["a", "b", "c", "d", "e", "f"].map(|name| (name, BARE));
        let warning = isolation_warning(ours.into_iter().chain(many)).unwrap();
        assert!(warning.starts_with("without isolation: a, b, c, d and 2 more agents\n"), "{warning}");
        assert_snapshot!(noted_line(ours.into_iter().chain([("a", BARE)])), @"oracle (our code), guest (outside), old (isolation unknown), a (isolation: none)");
    }
}
