//! The check `puzzle-goal`: the end state of a puzzle is within the bounds of its goal.
//!
//! It measures the recorded state by the puzzle's own rules, so a verdict can be made again from the record alone. Its
//! options name measures and the greatest value that counts as reached: `at_most = { position_px = 10 }`, where a value
//! may be a parameter, `"{{ position_tolerance }}"`. Measures that are not named must be zero.

use std::collections::BTreeMap;

use quintain_core::check::{
    AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Clause, ClauseSwitch, Finding, Measures,
};
use quintain_core::reference::Reference;
use quintain_core::task::CheckSpec;
use serde_json::Value;

use crate::entry::{Alter, PuzzleEntry, UnreadableState};
use crate::kind::ALL;
use crate::world::DOCUMENT;

const AT_MOST_SAYS: &str = "The greatest value of each measure that counts as reached, `{ angle_deg = 10 }`, or of a \
     parameter, `{ angle_deg = \"{{ angle_tolerance }}\" }`; measures that are not named must be 0.";

/// The kind `puzzle-goal`.
pub struct PuzzleGoal {
    puzzles: Vec<&'static PuzzleEntry>,
}

impl Default for PuzzleGoal {
    fn default() -> Self {
        Self { puzzles: ALL.iter().collect() }
    }
}

impl PuzzleGoal {
    /// The check of one puzzle.
    pub(crate) fn of(puzzle: &'static PuzzleEntry) -> Self {
        Self { puzzles: vec![puzzle] }
    }

    /// The check, which knows other puzzles too.
    #[must_use]
    pub fn with(mut self, puzzles: &'static [PuzzleEntry]) -> Self {
        self.puzzles.extend(puzzles);
        self
    }
}

impl CheckKind for PuzzleGoal {
    fn kind(&self) -> &'static str {
        "puzzle-goal"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "The end state of a puzzle is within the bounds of its goal, measured by the puzzle's own rules.",
            options: &[("at_most", AT_MOST_SAYS)],
            ..CheckManual::default()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        let at_most = match spec.options.get("at_most") {
            None => BTreeMap::new(),
            Some(Value::Object(bounds)) => bounds.clone().into_iter().collect(),
            Some(other) => return Err(format!("`at_most` must be a table of measures, not {other}")),
        };
        if let Some(unknown) = spec.options.keys().find(|key| *key != "at_most") {
            return Err(format!("`puzzle-goal` takes only the option `at_most`, not `{unknown}`"));
        }
        Ok(Box::new(GoalJudge { name: spec.name.clone(), at_most, puzzles: self.puzzles.clone() }))
    }
}

struct GoalJudge {
    name: String,
    at_most: BTreeMap<String, Value>,
    puzzles: Vec<&'static PuzzleEntry>,
}

impl GoalJudge {
    fn broken(&self, why: impl Into<String>) -> BrokenJudge {
        BrokenJudge { check: self.name.clone(), why: why.into() }
    }

    fn puzzle(&self, reference: &Reference) -> Result<&'static PuzzleEntry, BrokenJudge> {
        let name = reference.start["puzzle"].as_str().unwrap_or_default();
        let puzzle = self.puzzles.iter().find(|puzzle| puzzle.name == name).copied();
        puzzle.ok_or_else(|| self.broken(format!("the reference names no puzzle: `{name}`")))
    }

    fn bounds(&self, reference: &Reference) -> Result<Measures, BrokenJudge> {
        let bound = |(name, value): (&String, &Value)| {
            let number = reference.resolve(value).ok().and_then(|value| value.as_f64());
            let number = number.filter(|number| *number >= 0.0);
            number.map(|number| (name.clone(), number)).ok_or_else(|| self.broken(format!("`{name}` has no bound")))
        };
        self.at_most.iter().map(bound).collect()
    }

    fn altered(&self, case: Case<'_>, alter: fn(&PuzzleEntry) -> Alter) -> Vec<AlteredState> {
        let (Ok(puzzle), Ok(bounds)) = (self.puzzle(case.reference), self.bounds(case.reference)) else {
            return Vec::new();
        };
        let Some(state) = case.evidence.documents.get(DOCUMENT) else { return Vec::new() };
        let states = alter(puzzle)(&case.reference.start["start"], state, &bounds);
        let evidence = |state| case.evidence.with(&format!("documents/{DOCUMENT}"), state);
        states.into_iter().filter_map(|(how, state)| Some(AlteredState { how, evidence: evidence(state)? })).collect()
    }
}

/// A measure as it is told: with two digits, rounded up, so that what is over a bound is told to be.
fn told(measure: f64) -> f64 {
    (measure * 100.0).ceil() / 100.0
}

fn wanted(bound: f64) -> String {
    if bound == 0.0 { "0".to_owned() } else { format!("at most {bound}") }
}

impl GoalJudge {
    fn judge_with(&self, case: Case<'_>, clauses: ClauseSwitch<'_>) -> Result<Finding, BrokenJudge> {
        let puzzle = self.puzzle(case.reference)?;
        let bounds = self.bounds(case.reference)?;
        let Some(state) = case.evidence.documents.get(DOCUMENT) else {
            return Ok(Finding::of(&self.name, false, "no end state was handed over"));
        };
        let measures = match (puzzle.measure)(&case.reference.start["start"], state) {
            Ok(measures) => measures,
            Err(UnreadableState::Start(why)) => return Err(self.broken(why)),
            Err(UnreadableState::State(why)) => {
                return Ok(Finding::of(&self.name, false, format!("the end state cannot be read: {why}")));
            }
        };
        if let Some(unknown) = bounds.keys().find(|name| !measures.contains_key(*name)) {
            return Err(self.broken(format!("the puzzle has no measure `{unknown}`")));
        }
        let bound = |name: &str| bounds.get(name).copied().unwrap_or(0.0);
        let over: Vec<String> = measures
            .iter()
            .filter(|(name, value)| clauses.holds(name) && (value.is_nan() || **value > bound(name)))
            .map(|(name, value)| format!("{name} is {}, {} is wanted", told(*value), wanted(bound(name))))
            .collect();
        let because = if over.is_empty() { "the goal is reached".to_owned() } else { over.join("; ") };
        Ok(Finding::of(&self.name, over.is_empty(), because).with_measures(measures))
    }
}

impl Check for GoalJudge {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::ALL)
    }

    /// One for each measure that has a bound.
    fn clauses(&self, case: Case<'_>) -> Vec<Clause> {
        let measures = self.judge(case).map(|finding| finding.measures).unwrap_or_default();
        measures.into_keys().map(Clause::needed).collect()
    }

    fn judge_without(&self, case: Case<'_>, clause: &str) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::without(clause))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, |puzzle| puzzle.near_misses)
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, |puzzle| puzzle.variations)
    }
}
