//! Whether two sides are told apart. One place decides it from the numbers, and finds the words.

use crate::stats::Interval;
use crate::text::{p_value, percent};

/// A p value above this does not rule out chance.
const LEVEL: f64 = 0.05;

/// To which side a difference leans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lean {
    /// More is solved.
    More,
    /// Fewer are solved.
    Fewer,
}

/// The numbers of a paired comparison that decide what is said of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedNumbers {
    /// The difference; nothing where there are no pairs.
    pub value: Option<f64>,
    /// Its 95 % interval; nothing where there are too few to have one.
    pub interval: Option<Interval>,
    /// The p value of the test; nothing where no pair could be tested.
    pub p: Option<f64>,
    /// The smallest difference that would have been likely to show.
    pub detectable: Option<f64>,
}

/// What the numbers of a paired comparison come to. A difference is told only where interval and test agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairedFinding {
    /// There is no pair.
    NoPairs,
    /// The interval leaves out zero, and so does the test where there is one.
    Shown(Lean, Option<f64>),
    /// The interval leaves out zero, the test does not rule out chance.
    IntervalOnly(f64),
    /// The test rules out chance, the interval covers zero.
    TestOnly(f64),
    /// Neither shows a difference; the smallest that would have been likely to show.
    NotShown(Option<f64>),
}

impl PairedNumbers {
    /// What they come to.
    pub fn finding(&self) -> PairedFinding {
        let Some(value) = self.value else { return PairedFinding::NoPairs };
        let by_interval = self.interval.is_some_and(|interval| !interval.covers(0.0));
        let lean = if value > 0.0 { Lean::More } else { Lean::Fewer };
        match (by_interval, self.p) {
            (true, Some(p)) if p > LEVEL => PairedFinding::IntervalOnly(p),
            (true, p) => PairedFinding::Shown(lean, p),
            (false, Some(p)) if p <= LEVEL => PairedFinding::TestOnly(p),
            (false, _) => PairedFinding::NotShown(self.detectable),
        }
    }
}

/// How the two sides and the interval are called in a sentence.
#[derive(Clone, Copy, Debug)]
pub struct FindingNames<'a> {
    /// Said where more is solved: `B solves more`.
    pub more: &'a str,
    /// Said where less is solved.
    pub fewer: &'a str,
    /// The interval: `the interval over tasks`.
    pub interval: &'a str,
    /// The p value: `exact p`.
    pub p: &'a str,
}

impl PairedFinding {
    /// To which side the difference leans, where it is shown.
    pub fn lean(self) -> Option<Lean> {
        if let Self::Shown(lean, _) = self { Some(lean) } else { None }
    }

    /// The finding in one sentence.
    pub fn words(self, names: FindingNames<'_>) -> String {
        let FindingNames { more, fewer, interval, p: name } = names;
        match self {
            Self::NoPairs => "nothing could be compared".to_owned(),
            Self::Shown(lean, p) => {
                let who = if lean == Lean::More { more } else { fewer };
                let test = p.map_or_else(String::new, |p| format!(", {name} is {}", p_value(p)));
                format!("{who}: {interval} leaves out zero{test}")
            }
            Self::IntervalOnly(p) => {
                format!("not told apart: {interval} leaves out zero, but {name} is {}", p_value(p))
            }
            Self::TestOnly(p) => format!("not told apart: {name} is {}, but {interval} covers zero", p_value(p)),
            Self::NotShown(Some(least)) => {
                let least = percent(Some(least));
                format!("no difference is shown; only one of {least} or more would have been likely to")
            }
            Self::NotShown(None) => "no difference is shown, and with so few pairs none could have been".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Interval and test in every combination, and what is missing.
    #[test]
    fn a_difference_is_told_only_where_interval_and_test_agree() {
        let away = Some(Interval { low: 0.2, high: 0.8 });
        let over = Some(Interval { low: -0.2, high: 0.8 });
        let names = FindingNames { more: "B solves more", fewer: "A solves more", interval: "the interval", p: "p" };
        let said =
            |value, interval, p, detectable| PairedNumbers { value, interval, p, detectable }.finding().words(names);
        let lines = [
            said(None, None, None, None),
            said(Some(0.5), away, Some(0.004), Some(0.3)),
            said(Some(-0.5), away, None, Some(0.3)),
            said(Some(0.5), away, Some(0.125), None),
            said(Some(0.5), over, Some(0.03), Some(0.3)),
            said(Some(0.5), over, Some(0.4), Some(0.3)),
            said(Some(0.5), None, Some(0.4), None),
        ];
        insta::assert_snapshot!(lines.join("\n"), @"
        nothing could be compared
        B solves more: the interval leaves out zero, p is 0.004
        A solves more: the interval leaves out zero
        not told apart: the interval leaves out zero, but p is 0.125
        not told apart: p is 0.030, but the interval covers zero
        no difference is shown; only one of 30.0 % or more would have been likely to
        no difference is shown, and with so few pairs none could have been
        ");
    }
}
