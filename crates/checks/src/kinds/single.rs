//! Checks of a single value.

use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Finding};
use quintain_core::task::CheckSpec;
use serde_json::Value;

use super::told_problem::ToldProblem;
use super::{broken, is_placeholder, resolve, with_bystander, without_document};
use crate::fold::Folding;
use crate::likeness::{Likeness, LikenessResult, Near, NumberBounds, SameValue, Unordered, Wording};
use crate::options::{self, EXPECT_SAYS, IGNORE_SAYS, SELECTOR_SAYS};
use crate::value::Variant;

/// The value is the expected one.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

/// The list has the expected things in it, in any order.
#[derive(Clone, Copy, Debug)]
pub struct SetCheck;

/// The number is near the expected one, or within bounds.
#[derive(Clone, Copy, Debug)]
pub struct Numeric;

/// The text is the expected one, but for differences that do not count.
#[derive(Clone, Copy, Debug)]
pub struct Text;

/// What most checks of a single value understand.
pub(super) const SINGLE: CheckManual =
    CheckManual { says: "", selector: Some(SELECTOR_SAYS), expect: Some(EXPECT_SAYS), tolerance: None, options: &[] };

const COUNTED: &str = "`true`: how often a thing is in the list counts too.";
const PARTIAL: &str = "`true`: the score is the share of right things, instead of all or nothing.";
const RELATIVE: &str =
    "How far off the number may be, as a share of the expected one; the greater of this and `tolerance` counts.";
const FROM_TEXT: &str = "`true`: a text that holds one number is taken for that number.";

impl CheckKind for Exact {
    fn kind(&self) -> &'static str {
        "exact"
    }

    fn manual(&self) -> CheckManual {
        let says = "The value is the expected one. `2` is `2.0`, and the order of an object's keys does not count.";
        CheckManual { says, ..SINGLE }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        expecting(spec, Box::new(SameValue))
    }
}

impl CheckKind for SetCheck {
    fn kind(&self) -> &'static str {
        "set"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "The list has the expected things in it, in any order.",
            options: &[("counted", COUNTED), ("partial", PARTIAL), ("ignore", IGNORE_SAYS)],
            ..SINGLE
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        let likeness = Unordered {
            counted: options::flag(spec, "counted")?,
            partial: options::flag(spec, "partial")?,
            folding: Folding::from_words(&options::words(spec, "ignore")?.unwrap_or_default())?,
        };
        expecting(spec, Box::new(likeness))
    }
}

impl CheckKind for Numeric {
    fn kind(&self) -> &'static str {
        "numeric"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "The number is the expected one, or from `min` to `max`.",
            tolerance: Some("How far off the number may be; nothing unless told."),
            options: &[
                ("relative", RELATIVE),
                ("min", "The least number that is right, in place of `expect`."),
                ("max", "The greatest number that is right, in place of `expect`."),
                ("from_text", FROM_TEXT),
            ],
            ..SINGLE
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        let from_text = options::flag(spec, "from_text")?;
        let (min, max) = (options::number(spec, "min")?, options::number(spec, "max")?);
        let (absolute, relative) = (options::tolerance(spec)?, options::amount(spec, "relative")?);
        if min.is_none() && max.is_none() {
            return expecting(spec, Box::new(Near { absolute, relative, from_text }));
        }
        if spec.expect.is_some() || spec.tolerance.is_some() || spec.options.contains_key("relative") {
            return Err("`min` and `max` stand alone: take out `expect`, `tolerance` and `relative`".to_owned());
        }
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            return Err("`min` is greater than `max`".to_owned());
        }
        let likeness = Box::new(NumberBounds { min, max, from_text });
        Ok(Box::new(Single {
            name: spec.name.clone(),
            selector: options::selector(spec)?,
            expect: Value::Null,
            likeness,
        }))
    }
}

impl CheckKind for Text {
    fn kind(&self) -> &'static str {
        "text"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "The text is the expected one, or one of a list.",
            options: &[(
                "ignore",
                "A list of what does not count: `case`, `space`, `punctuation`; the first two unless told.",
            )],
            ..SINGLE
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        let ignore = options::words(spec, "ignore")?;
        let ignore = ignore.unwrap_or_else(|| vec!["case".to_owned(), "space".to_owned()]);
        expecting(spec, Box::new(Wording { folding: Folding::from_words(&ignore)? }))
    }
}

/// A check of one value against an expected one.
fn expecting(spec: &CheckSpec, likeness: Box<dyn Likeness>) -> Result<Box<dyn Check>, String> {
    let expect = options::expected(spec)?;
    if !is_placeholder(&expect) {
        likeness.fits(&expect)?;
    }
    comparing(spec, expect, likeness)
}

/// A check of one value against an expected one that has been looked at.
pub(super) fn comparing(
    spec: &CheckSpec,
    expect: Value,
    likeness: Box<dyn Likeness>,
) -> Result<Box<dyn Check>, String> {
    Ok(Box::new(Single { name: spec.name.clone(), selector: options::selector(spec)?, expect, likeness }))
}

struct Single {
    name: String,
    selector: String,
    expect: Value,
    likeness: Box<dyn Likeness>,
}

impl Single {
    fn expected(&self, case: Case<'_>) -> Result<Value, BrokenJudge> {
        let expected = resolve(&self.name, case.reference, &self.expect)?;
        self.likeness.fits(&expected).map_err(|why| broken(&self.name, why))?;
        Ok(expected)
    }

    /// The right case with other values in the place this check looks at.
    fn altered(&self, case: Case<'_>, vary: impl Fn(&Value, &Value) -> Vec<Variant>) -> Vec<AlteredState> {
        let (Ok(expected), Some(actual)) = (self.expected(case), case.evidence.select(&self.selector)) else {
            return Vec::new();
        };
        let variants = vary(&expected, &actual).into_iter();
        variants
            .filter(|(_, value)| *value != actual)
            .filter_map(|(how, value)| {
                let evidence = case.evidence.with(&self.selector, value)?;
                Some(AlteredState { how: format!("{}: {how}", self.selector), evidence })
            })
            .collect()
    }
}

impl Check for Single {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        let expected = self.expected(case)?;
        let comparison = match case.evidence.select(&self.selector) {
            None => LikenessResult::of(false, format!("there is nothing at `{}`", self.selector)),
            Some(actual) => {
                let found = self.likeness.compare(&expected, &actual);
                LikenessResult { because: format!("{}: {}", self.selector, found.because), ..found }
            }
        };
        let problem = if comparison.score.is_full() { None } else { ToldProblem::at(case.evidence, &self.selector) };
        let because = match problem {
            None => comparison.because,
            Some(problem) => problem.before(&comparison.because),
        };
        Ok(Finding { check: self.name.clone(), score: comparison.score, because, measures: comparison.measures })
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut near = self.altered(case, |expected, actual| self.likeness.near(expected, actual));
        near.push(AlteredState {
            how: format!("{}: not there", self.selector),
            evidence: without_document(case.evidence, &self.selector),
        });
        near
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut like = self.altered(case, |expected, actual| self.likeness.like(expected, actual));
        like.push(AlteredState { how: "something else beside it".to_owned(), evidence: with_bystander(case.evidence) });
        like
    }
}
