//! `quintain compare`

use std::collections::BTreeSet;

use anyhow::bail;
use quintain_report::{AgentSide, TrialRow, compare as compare_rows, compare_sides};
use quintain_store::{RunDir, RunHeader};
use quintain_workshop::Workshop;

use crate::args::CompareArgs;
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn compare(args: &CompareArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let named =
        args.sides.iter().map(|text| NamedPart::open(text, workshop, printer)).collect::<anyhow::Result<Vec<_>>>()?;
    for other in &named[1..] {
        check_keys(named[0].run.header(), other.run.header())?;
    }
    if let [a, b] = named.as_slice()
        && a.pairs_by_name(b)
    {
        return two((&args.sides[0], &a.rows), (&args.sides[1], &b.rows), printer);
    }
    let sides: Vec<AgentSide> = named.iter().flat_map(NamedPart::sides).collect();
    match sides.as_slice() {
        [] => bail!("no trial has an outcome yet"),
        [one] => bail!(
            "only one agent has played in `{0}`, and it cannot be compared with itself\nhint: name another: `quintain \
             compare {0} OTHER`, or `quintain compare {0} OTHER@AGENT`",
            one.run
        ),
        [a, b] => two((&a.run, &a.rows), (&b.run, &b.rows), printer),
        sides => several(sides, printer),
    }
}

/// Two sides, in full.
fn two(a: (&str, &[TrialRow]), b: (&str, &[TrialRow]), printer: Printer) -> anyhow::Result<Exit> {
    let comparison = compare_rows(a.1, b.1);
    if comparison.n_pairs == 0 {
        bail!("`{}` and `{}` have no trial in common\n{COMMON}", a.0, b.0);
    }
    printer.data(&comparison, || comparison.text(a.0, b.0))?;
    Ok(Exit::Success)
}

const COMMON: &str = "hint: pairs are trials of the same instance, task and world";

fn several(sides: &[AgentSide], printer: Printer) -> anyhow::Result<Exit> {
    let compared = compare_sides(sides);
    if compared.n_tests == 0 {
        bail!("no two of the {} sides have a trial in common\n{COMMON}", sides.len());
    }
    printer.data(&compared, || compared.text())?;
    printer.say("two of them in full: quintain compare RUN@AGENT RUN@AGENT");
    Ok(Exit::Success)
}

/// What a word of the command line names: a run, or an agent of it.
struct NamedPart {
    run: RunDir,
    agent: Option<String>,
    rows: Vec<TrialRow>,
}

impl NamedPart {
    fn open(text: &str, workshop: &Workshop, printer: Printer) -> anyhow::Result<Self> {
        let (run, agent) = workshop.open_part(text)?;
        let mut rows = workshop.rows(&run, &|words| printer.say(words))?;
        rows.retain(|row| agent.as_ref().is_none_or(|agent| row.trial.agent == *agent));
        Ok(Self { run, agent, rows })
    }

    /// The agents that have played, in order.
    fn agents(&self) -> BTreeSet<&str> {
        self.rows.iter().map(|row| row.trial.agent.as_str()).collect()
    }

    /// The agents that have played, as they were named; guests, whom nobody named, last.
    fn in_order(&self) -> Vec<&str> {
        let mut played = self.agents();
        let labels = self.run.header().agents.iter().map(|agent| agent.label.as_str());
        let mut named: Vec<&str> = labels.filter(|label| played.remove(label)).collect();
        named.extend(played);
        named
    }

    /// Whether two whole runs are meant that have agents in common, so that each is compared with its namesake.
    fn pairs_by_name(&self, other: &Self) -> bool {
        let whole = self.agent.is_none() && other.agent.is_none();
        whole && self.run.path() != other.run.path() && !self.agents().is_disjoint(&other.agents())
    }

    /// A side for each agent.
    fn sides(&self) -> Vec<AgentSide> {
        let of = |agent: &str| self.rows.iter().filter(|row| row.trial.agent == agent).cloned().collect();
        let run = &self.run.header().name;
        self.in_order().into_iter().map(|agent| AgentSide { run: run.clone(), rows: of(agent) }).collect()
    }
}

/// Refuses runs whose private seeds come of different keys: none of their instances is the same.
fn check_keys(a: &RunHeader, b: &RunHeader) -> anyhow::Result<()> {
    match (&a.private, &b.private) {
        (Some(one), Some(other)) if one.key != other.key => bail!(
            "`{}` has private seeds of key {}, `{}` of key {}: no instance is the same\nhint: compare runs of one key",
            a.name,
            one.key,
            b.name,
            other.key
        ),
        _ => Ok(()),
    }
}
