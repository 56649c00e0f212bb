//! Fields of an object, each compared by its type.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::check::{
    AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Clause, ClauseSwitch, Finding, Measures,
};
use quintain_core::score::Score;
use quintain_core::suggest;
use quintain_core::task::CheckSpec;
use serde_json::{Map, Value};

use super::{broken, has_places, resolve, with_bystander, without_document};
use crate::fold::Folding;
use crate::likeness::{DeclaredType, Likeness, LikenessResult, Near, SameValue, Unordered, Wording};
use crate::options::{self, EXPECT_SAYS, IGNORE_SAYS, SELECTOR_SAYS, TYPES_SAYS};
use crate::value::{Variant, same};

/// Every expected field holds: numbers within a tolerance, texts but for differences that do not count, lists in order
/// or not, everything else as it stands, or each by the type that is declared for it. A name with slashes leads into
/// nested objects. The score is the share of fields that hold; a table counts by the share of it that is right.
#[derive(Clone, Copy, Debug)]
pub struct JsonFields;

/// The clause that refuses other fields.
const NOTHING_ELSE: &str = "no other field";

const OPTIONS: &[(&str, &str)] = &[
    ("tolerances", "How far off single fields may be, by name: `{ total = 0.5 }`."),
    ("relative", "How far off numbers may be, as a share of the expected ones."),
    ("unordered", "The names of fields that are lists in any order."),
    ("ignore", IGNORE_SAYS),
    ("types", TYPES_SAYS),
    ("extra", "`refuse`: no field may be there that is not expected; `allow` unless told."),
];

impl CheckKind for JsonFields {
    fn kind(&self) -> &'static str {
        "json-fields"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "Every expected field holds, compared by its type. The score is the share of fields that hold, and a table counts by the share of it that is right.",
            selector: Some(SELECTOR_SAYS),
            expect: Some(EXPECT_SAYS),
            tolerance: Some("How far off numbers may be; nothing unless told."),
            options: OPTIONS,
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        let Value::Object(expect) = options::expected(spec)? else {
            return Err("`expect` must be a table of fields".to_owned());
        };
        if expect.is_empty() {
            return Err("`expect` names no field: nothing could ever fail".to_owned());
        }
        let unordered: BTreeSet<String> = options::words(spec, "unordered")?.unwrap_or_default().into_iter().collect();
        let check = Fields {
            name: spec.name.clone(),
            selector: options::selector(spec)?,
            tolerance: options::tolerance(spec)?,
            relative: options::amount(spec, "relative")?,
            tolerances: tolerances(spec)?,
            unordered,
            types: types(spec)?,
            folding: Folding::from_words(&options::words(spec, "ignore")?.unwrap_or_default())?,
            extra_refused: extra_refused(spec)?,
            expect,
        };
        let named = check.tolerances.keys().chain(&check.unordered).chain(check.types.keys());
        if let Some(name) = named.into_iter().find(|name| !check.expect.contains_key(*name)) {
            let hint = suggest::hint(name, check.expect.keys().map(String::as_str));
            return Err(format!("`{name}` is no field of `expect`; {hint}"));
        }
        check.refuse_unfit_types()?;
        Ok(Box::new(check))
    }
}

fn tolerances(spec: &CheckSpec) -> Result<BTreeMap<String, f64>, String> {
    let Some(value) = spec.options.get("tolerances") else { return Ok(BTreeMap::new()) };
    let table = value.as_object().ok_or_else(|| format!("`tolerances` must be a table of numbers, not {value}"))?;
    table
        .iter()
        .map(|(name, value)| {
            let number =
                value.as_f64().ok_or_else(|| format!("the tolerance of `{name}` must be a number, not {value}"))?;
            Ok((name.clone(), options::not_negative(name, number)?))
        })
        .collect()
}

/// The types that are declared for fields.
fn types(spec: &CheckSpec) -> Result<BTreeMap<String, DeclaredType>, String> {
    let Some(value) = spec.options.get("types") else { return Ok(BTreeMap::new()) };
    let table = value.as_object().ok_or_else(|| format!("`types` must be a table of types, not {value}"))?;
    let read = |(name, declared): (&String, &Value)| match DeclaredType::read(declared) {
        Ok(declared) => Ok((name.clone(), declared)),
        Err(why) => Err(format!("the type of `{name}`: {why}")),
    };
    table.iter().map(read).collect()
}

fn extra_refused(spec: &CheckSpec) -> Result<bool, String> {
    match options::text(spec, "extra")?.as_deref() {
        None | Some("allow") => Ok(false),
        Some("refuse") => Ok(true),
        Some(other) => Err(format!("`extra` is `allow` or `refuse`, not `{other}`")),
    }
}

struct Fields {
    name: String,
    selector: String,
    expect: Map<String, Value>,
    tolerance: f64,
    relative: f64,
    tolerances: BTreeMap<String, f64>,
    unordered: BTreeSet<String>,
    types: BTreeMap<String, DeclaredType>,
    folding: Folding,
    extra_refused: bool,
}

impl Fields {
    /// A field with a type takes nothing else that says how it is compared, and what is expected has to be of its type.
    fn refuse_unfit_types(&self) -> Result<(), String> {
        for (name, declared) in &self.types {
            if self.tolerances.contains_key(name) || self.unordered.contains(name) {
                return Err(format!("`{name}` has a type: take it out of `tolerances` and `unordered`"));
            }
            let expect = &self.expect[name];
            if !has_places(expect) {
                declared.fits(expect).map_err(|why| format!("`{name}`: {why}"))?;
            }
        }
        Ok(())
    }

    fn expected(&self, case: Case<'_>) -> Result<Map<String, Value>, BrokenJudge> {
        let mut expected = Map::new();
        for (name, expect) in &self.expect {
            let value = resolve(&self.name, case.reference, expect)?;
            self.likeness(name, &value)
                .as_ref()
                .fits(&value)
                .map_err(|why| broken(&self.name, format!("`{name}`: {why}")))?;
            expected.insert(name.clone(), value);
        }
        Ok(expected)
    }

    /// How a field is compared.
    fn likeness(&self, name: &str, expected: &Value) -> FieldLikeness<'_> {
        if let Some(declared) = self.types.get(name) {
            return FieldLikeness::Declared(declared);
        }
        FieldLikeness::ByValue(match expected {
            _ if self.unordered.contains(name) => Box::new(Unordered { folding: self.folding, ..Unordered::default() }),
            Value::Number(_) => {
                let absolute = self.tolerances.get(name).copied().unwrap_or(self.tolerance);
                Box::new(Near { absolute, relative: self.relative, from_text: false })
            }
            Value::String(text) if !self.folding.fold(text).is_empty() => Box::new(Wording { folding: self.folding }),
            _ => Box::new(SameValue),
        })
    }

    fn compare(&self, expected: &Map<String, Value>, actual: &Value) -> (Vec<(String, LikenessResult)>, Vec<String>) {
        let compared = expected.iter().map(|(name, expected)| {
            let comparison = match at(actual, name) {
                Some(actual) => self.likeness(name, expected).as_ref().compare(expected, actual),
                None => LikenessResult::of(false, "it is missing".to_owned()),
            };
            (name.clone(), comparison)
        });
        let first_names: BTreeSet<&str> = expected.keys().map(|name| name.split('/').next().unwrap_or(name)).collect();
        let extra =
            actual.as_object().into_iter().flat_map(Map::keys).filter(|name| !first_names.contains(name.as_str()));
        (compared.collect(), if self.extra_refused { extra.cloned().collect() } else { Vec::new() })
    }

    /// The right case with another value in one field.
    fn vary(&self, case: Case<'_>, vary: impl Fn(&dyn Likeness, &Value, &Value) -> Vec<Variant>) -> Vec<AlteredState> {
        let Ok(expected) = self.expected(case) else { return Vec::new() };
        let Some(object) = case.evidence.select(&self.selector) else { return Vec::new() };
        let mut altered = Vec::new();
        for (name, expected) in &expected {
            let Some(actual) = at(&object, name) else { continue };
            let variants = vary(self.likeness(name, expected).as_ref(), expected, actual);
            for (how, value) in variants.into_iter().filter(|(_, value)| value != actual) {
                altered.extend(self.altered(case, &format!("{name}: {how}"), put(&object, name, value)));
            }
        }
        altered
    }

    fn altered(&self, case: Case<'_>, how: &str, object: Value) -> Option<AlteredState> {
        let evidence = case.evidence.with(&self.selector, object)?;
        Some(AlteredState { how: format!("{}/{how}", self.selector), evidence })
    }

    /// Fields missing, and pairs of fields with each other's values.
    fn misplaced(&self, case: Case<'_>) -> Vec<AlteredState> {
        let (Ok(expected), Some(object)) = (self.expected(case), case.evidence.select(&self.selector)) else {
            return Vec::new();
        };
        let names: Vec<&String> = expected.keys().collect();
        let mut altered = Vec::new();
        for name in &names {
            altered.extend(self.altered(case, &format!("{name}: missing"), take(&object, name)));
        }
        for pair in names.windows(2) {
            let (Some(a), Some(b)) = (at(&object, pair[0]), at(&object, pair[1])) else { continue };
            let exchanged = put(&put(&object, pair[0], b.clone()), pair[1], a.clone());
            let holds = |name: &str, value: &Value| {
                let expected = &expected[name];
                self.likeness(name, expected).as_ref().compare(expected, value).score.is_full()
            };
            let still_right = same(a, b, Folding::default()) || (holds(pair[0], b) && holds(pair[1], a));
            if !still_right {
                altered.extend(self.altered(case, &format!("{} and {} exchanged", pair[0], pair[1]), exchanged));
            }
        }
        altered
    }

    fn with_extra_field(&self, case: Case<'_>) -> Option<AlteredState> {
        let mut object = case.evidence.select(&self.selector)?;
        object.as_object_mut()?.insert("one-too-many".to_owned(), Value::Null);
        self.altered(case, "one field too many", object)
    }

    fn judge_with(&self, case: Case<'_>, clauses: ClauseSwitch<'_>) -> Result<Finding, BrokenJudge> {
        let expected = self.expected(case)?;
        let Some(actual) = case.evidence.select(&self.selector) else {
            return Ok(Finding::of(&self.name, false, format!("there is nothing at `{}`", self.selector)));
        };
        let (mut compared, mut extra) = self.compare(&expected, &actual);
        compared.retain(|(name, _)| clauses.holds(name));
        extra.retain(|_| clauses.holds(NOTHING_ELSE));
        let n_held = compared.iter().filter(|(_, comparison)| comparison.score.is_full()).count();
        let failed = compared.iter().find(|(_, comparison)| !comparison.score.is_full());
        let because = match (failed, extra.first()) {
            (Some((name, comparison)), _) => format!("{}/{name}: {}", self.selector, comparison.because),
            (None, Some(extra)) => format!("{}: `{extra}` was not asked for", self.selector),
            (None, None) => format!("{}: all {n_held} fields hold", self.selector),
        };
        let n_all = compared.len() + extra.len();
        let held: f64 = compared.iter().map(|(_, comparison)| comparison.score.value()).sum();
        let share = if n_all == 0 { 1.0 } else { held / n_all as f64 };
        let measures: Measures = compared
            .iter()
            .flat_map(|(name, comparison)| {
                comparison.measures.iter().map(move |(what, value)| (format!("{name}.{what}"), *value))
            })
            .collect();
        Ok(Finding { check: self.name.clone(), score: Score::clamped(share), because, measures })
    }
}

impl Check for Fields {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::ALL)
    }

    /// One for each field, and that there is no other where others are refused.
    fn clauses(&self, _case: Case<'_>) -> Vec<Clause> {
        let fields = self.expect.keys().map(Clause::needed);
        fields.chain(self.extra_refused.then(|| Clause::needed(NOTHING_ELSE))).collect()
    }

    fn judge_without(&self, case: Case<'_>, clause: &str) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::without(clause))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut near = self.vary(case, |likeness, expected, actual| likeness.near(expected, actual));
        near.extend(self.misplaced(case));
        near.extend(self.with_extra_field(case).filter(|_| self.extra_refused));
        near.push(AlteredState {
            how: format!("{}: not there", self.selector),
            evidence: without_document(case.evidence, &self.selector),
        });
        near
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut like = self.vary(case, |likeness, expected, actual| likeness.like(expected, actual));
        like.extend(self.with_extra_field(case).filter(|_| !self.extra_refused));
        like.push(AlteredState { how: "something else beside it".to_owned(), evidence: with_bystander(case.evidence) });
        like
    }
}

/// How a field is compared: by the type that is declared for it, or by what is expected.
enum FieldLikeness<'a> {
    Declared(&'a DeclaredType),
    ByValue(Box<dyn Likeness>),
}

impl FieldLikeness<'_> {
    fn as_ref(&self) -> &dyn Likeness {
        match self {
            Self::Declared(declared) => *declared,
            Self::ByValue(likeness) => likeness.as_ref(),
        }
    }
}

fn at<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    object.pointer(&format!("/{name}"))
}

fn put(object: &Value, name: &str, value: Value) -> Value {
    let mut changed = object.clone();
    if let Some(slot) = changed.pointer_mut(&format!("/{name}")) {
        *slot = value;
    }
    changed
}

fn take(object: &Value, name: &str) -> Value {
    let mut changed = object.clone();
    let (parent, last) =
        name.rsplit_once('/').map_or((String::new(), name), |(parent, last)| (format!("/{parent}"), last));
    if let Some(Value::Object(fields)) = changed.pointer_mut(&parent) {
        fields.remove(last);
    }
    changed
}
