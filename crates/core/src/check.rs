//! A check: pure, from evidence and reference to a finding.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::reference::Reference;
use crate::score::Score;
use crate::task::CheckSpec;

/// Raw measures beside a score: degrees left, pixels off.
pub type Measures = BTreeMap<String, f64>;

/// What a check looks at.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// What the world handed over.
    pub evidence: &'a Evidence,
    /// What it should be.
    pub reference: &'a Reference,
}

/// One way of judging, made from its declaration in a task.
pub trait Check: Send + Sync {
    /// Judges. Evidence that cannot be read is a failed finding; a reference that cannot be read is a broken judge.
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge>;

    /// The same finding with what more can be told of it: how a wrong answer came about, for example. Asked once, of what a
    /// trial came to in the end; what it costs does not matter to certificates.
    fn explain(&self, _case: Case<'_>, finding: Finding) -> Finding {
        finding
    }

    /// End states that look nearly right and must fail. The case given is a right one.
    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState>;

    /// The same sorts of near misses at every place where one can be made, for random draws.
    fn all_near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.near_misses(case)
    }

    /// End states that look different and must pass. The case given is a right one.
    fn variations(&self, case: Case<'_>) -> Vec<AlteredState>;

    /// The given end state in other clothes: just as right if it is right, just as wrong if it is wrong.
    fn disguises(&self, _case: Case<'_>) -> Vec<AlteredState> {
        Vec::new()
    }

    /// What it demands in such a case, one by one.
    fn clauses(&self, _case: Case<'_>) -> Vec<Clause> {
        vec![Clause::needed("all of it")]
    }

    /// Judges as if a clause had been forgotten. Some near miss must pass then, or nothing proves that the clause is there.
    fn judge_without(&self, _case: Case<'_>, clause: &str) -> Result<Finding, BrokenJudge> {
        Ok(Finding::of(clause, true, "nothing else is demanded"))
    }
}

/// One thing that a check demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What is demanded, in a word or two.
    pub name: String,
    /// Where it only backs up other clauses: why no end state can need it alone.
    pub spare: Option<String>,
}

impl Clause {
    /// A clause that some end state needs.
    pub fn needed(name: impl Into<String>) -> Self {
        Self { name: name.into(), spare: None }
    }

    /// A clause that backs up others.
    pub fn spare(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self { name: name.into(), spare: Some(why.into()) }
    }
}

/// Which clauses of a check are held to: all, or all but one.
#[derive(Clone, Copy, Debug)]
pub struct ClauseSwitch<'a> {
    off: Option<&'a str>,
}

impl<'a> ClauseSwitch<'a> {
    /// Everything is held to.
    pub const ALL: Self = Self { off: None };

    /// Everything but one clause.
    pub fn without(clause: &'a str) -> Self {
        Self { off: Some(clause) }
    }

    /// Whether a clause is held to.
    pub fn holds(self, clause: &str) -> bool {
        self.off != Some(clause)
    }
}

/// An altered end state, and what was altered.
#[derive(Clone, Debug)]
pub struct AlteredState {
    /// What was altered.
    pub how: String,
    /// The evidence as it would be.
    pub evidence: Evidence,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The check's name in the task.
    pub check: String,
    /// How much of it holds.
    pub score: Score,
    /// Why, in a sentence.
    pub because: String,
    /// Raw measures.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: Measures,
}

impl Finding {
    /// A finding that holds or does not.
    pub fn of(check: &str, holds: bool, because: impl Into<String>) -> Self {
        Self { check: check.to_owned(), score: Score::of(holds), because: because.into(), measures: Measures::new() }
    }

    /// Adds raw measures.
    #[must_use]
    pub fn with_measures(mut self, measures: Measures) -> Self {
        self.measures = measures;
        self
    }
}

/// The judge itself is at fault: its declaration or its reference makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("check `{check}` cannot judge: {why}")]
pub struct BrokenJudge {
    /// The check.
    pub check: String,
    /// Why.
    pub why: String,
}

/// What can be written of a kind of check, as the reference page tells it: a sentence for each key that it understands
/// besides `name`, `kind`, `weight` and `gate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckManual {
    /// What it demands.
    pub says: &'static str,
    /// Where it looks; nothing where `selector` means nothing.
    pub selector: Option<&'static str>,
    /// What `expect` says; nothing where it means nothing.
    pub expect: Option<&'static str>,
    /// What `tolerance` says; nothing where it means nothing.
    pub tolerance: Option<&'static str>,
    /// What each of its options says.
    pub options: &'static [(&'static str, &'static str)],
}

/// A kind of check that tasks can declare.
pub trait CheckKind: Send + Sync {
    /// The word for it in `task.toml`.
    fn kind(&self) -> &str;

    /// What can be written of it.
    fn manual(&self) -> CheckManual {
        CheckManual::default()
    }

    /// A check of this kind, or why the declaration is wrong.
    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String>;
}
