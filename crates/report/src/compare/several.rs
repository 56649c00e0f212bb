//! Several sides against each other: one agent each, paired by instance and repeat.

use quintain_core::AgentIsolation;
use quintain_core::words::count;
use serde::Serialize;

use super::{RunComparison, compare};
use crate::isolation::{isolation_warning, noted};
use crate::row::TrialRow;
use crate::stats::holm;
use crate::text::{interval, p_value, percent, signed, table};

/// So many sides are compared each with each; more only with the first.
const MOST_ALL_PAIRS: usize = 5;

/// One side: the trials of one agent in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSide {
    /// The run.
    pub run: String,
    /// Its trials.
    pub rows: Vec<TrialRow>,
}

/// Several sides, pair by pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideComparisons {
    /// The sides, numbered from 1 in this order.
    pub sides: Vec<SideName>,
    /// Who is compared with whom.
    pub scheme: PairScheme,
    /// How many of the pairs of sides could be tested; p values are corrected for so many.
    pub n_tests: usize,
    /// The pairs of sides.
    pub pairs: Vec<SidePair>,
}

/// Whose trials a side holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideName {
    /// The run.
    pub run: String,
    /// The agent.
    pub agent: String,
    /// What kept it from the solution; nothing where the run does not say.
    pub isolation: Option<AgentIsolation>,
}

/// Who is compared with whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairScheme {
    /// Every side with every other.
    AllPairs,
    /// Every side with the first.
    AgainstFirst,
}

/// Two of the sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SidePair {
    /// The number of the first, from 1.
    pub a: usize,
    /// The number of the second.
    pub b: usize,
    /// `McNemar`'s exact p value, corrected by Holm's method for the number of tests; nothing where no pair was tested.
    pub holm_p: Option<f64>,
    /// What it comes to, in a sentence.
    pub conclusion: String,
    /// Everything else.
    pub comparison: RunComparison,
}

/// Compares sides of one agent each: up to five each with each, more with the first. With several tests each p value is
/// corrected by Holm's method, and what is said of a pair goes by that.
pub fn compare_sides(sides: &[AgentSide]) -> SideComparisons {
    let scheme = if sides.len() <= MOST_ALL_PAIRS { PairScheme::AllPairs } else { PairScheme::AgainstFirst };
    let n_first = if scheme == PairScheme::AllPairs { sides.len() } else { 1 };
    let numbers = (0..n_first).flat_map(|a| (a + 1..sides.len()).map(move |b| (a, b)));
    let compared: Vec<((usize, usize), RunComparison)> =
        numbers.map(|(a, b)| ((a, b), compare(&sides[a].rows, &sides[b].rows))).collect();
    let tested = |comparison: &RunComparison| comparison.mcnemar.n_pairs() > 0;
    let values: Vec<f64> = compared.iter().filter(|(_, it)| tested(it)).map(|(_, it)| it.mcnemar.exact_p).collect();
    let mut corrected = holm(&values).into_iter();
    let pair = |((a, b), comparison): ((usize, usize), RunComparison)| {
        let holm_p = if tested(&comparison) { corrected.next() } else { None };
        let (a, b) = (a + 1, b + 1);
        let (one, other) = (a.to_string(), b.to_string());
        let conclusion = comparison.words((&one, &other), holm_p.unwrap_or(1.0), "Holm's p");
        SidePair { a, b, holm_p, conclusion, comparison }
    };
    let pairs = compared.into_iter().map(pair).collect();
    SideComparisons { sides: sides.iter().map(side_name).collect(), scheme, n_tests: values.len(), pairs }
}

fn side_name(side: &AgentSide) -> SideName {
    let first = side.rows.first();
    let agent = first.map_or_else(String::new, |row| row.trial.agent.clone());
    SideName { run: side.run.clone(), agent, isolation: first.and_then(|row| row.isolation) }
}

impl SideComparisons {
    /// The comparisons as plain text, at most 100 characters wide but for the names of the sides, which are told whole.
    pub fn text(&self) -> String {
        let side = |(idx, side): (usize, &SideName)| {
            format!("{:<4}{}: {}\n", idx + 1, side.run, noted(&side.agent, side.isolation))
        };
        let sides: String = self.sides.iter().enumerate().map(side).collect();
        let line = |pair: &SidePair| format!("  {}, {}: {}\n", pair.a, pair.b, pair.conclusion);
        let said: String = self.pairs.iter().map(line).collect();
        [sides, self.scheme_text(), self.pairs_text() + &said, self.warnings_text()].join("\n").trim_end().to_owned()
    }

    fn scheme_text(&self) -> String {
        let who = match self.scheme {
            PairScheme::AllPairs => "each against each",
            PairScheme::AgainstFirst => "each against the first",
        };
        let tests = count(self.n_tests, "test");
        format!("{who}, on the instances that both played; Holm's p is corrected for {tests}\n")
    }

    fn pairs_text(&self) -> String {
        let line = |pair: &SidePair| {
            let success = &pair.comparison.success;
            vec![
                format!("{}, {}", pair.a, pair.b),
                pair.comparison.n_pairs.to_string(),
                percent(success.a),
                percent(success.b),
                signed(success.value),
                interval(pair.comparison.deciding()),
                pair.holm_p.map_or_else(|| "-".to_owned(), |_| p_value(pair.comparison.mcnemar.exact_p)),
                pair.holm_p.map_or_else(|| "-".to_owned(), p_value),
            ]
        };
        let lines: Vec<Vec<String>> = self.pairs.iter().map(line).collect();
        table(&["A, B", "pairs", "A", "B", "B - A", "95 %", "exact p", "Holm's p"], &lines)
    }

    /// What a reader must know, of each pair.
    fn warnings_text(&self) -> String {
        let of = |pair: &SidePair| {
            let line = |warning: &String| format!("warning: {}, {}: {warning}\n", pair.a, pair.b);
            pair.comparison.warnings.iter().map(line).collect::<String>()
        };
        let agents = self.sides.iter().map(|side| (side.agent.as_str(), side.isolation));
        let isolation = isolation_warning(agents).map(|warning| format!("warning: {warning}\n"));
        self.pairs.iter().map(of).chain(isolation).collect()
    }
}
