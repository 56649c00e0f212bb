//! The check `formulas`: expressions mean what was wanted, however they are written.

use std::collections::BTreeMap;

use quintain_checks::options;
use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Finding};
use quintain_core::task::CheckSpec;
use serde_json::{Map, Value, json};

use super::alterations::{AlteredText, like, near};
use crate::kalgebra::formula::{Definitions, NameRule, are_alike, term_of};

/// The kind `formulas`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormulasKind;

const EXPECT: &str = "The formula; a list of formulas, which are there in any order and no others; or an object of formulas by name, beside which there may be others.";
const NAMES: &str = "`any`: what is expected are values and functions, whose arguments may be called otherwise. Else they are drawn in a plane, and `x`, `y`, `q` and `t` say how.";
const DEFINITIONS: &str =
    "Where the names are defined that formulas may use: `documents/kalgebra/variables`; none unless told.";

impl CheckKind for FormulasKind {
    fn kind(&self) -> &'static str {
        "formulas"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "Formulas in KAlgebra's language have the expected values at many places, however they are written. An equation may be multiplied by a number.",
            selector: Some(options::SELECTOR_SAYS),
            expect: Some(EXPECT),
            tolerance: None,
            options: &[("names", NAMES), ("definitions", DEFINITIONS)],
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        let rule = match options::text(spec, "names")?.as_deref() {
            None => NameRule::OfCurve,
            Some("any") => NameRule::OfFunction,
            Some(other) => return Err(format!("`names` is `any` or left out, not `{other}`")),
        };
        Ok(Box::new(FormulasCheck {
            name: spec.name.clone(),
            selector: options::selector(spec)?,
            expect: options::expected(spec)?,
            definitions: options::text(spec, "definitions")?,
            rule,
        }))
    }
}

struct FormulasCheck {
    name: String,
    selector: String,
    expect: Value,
    definitions: Option<String>,
    rule: NameRule,
}

/// What is expected.
enum WantedFormulas {
    Listed(Vec<String>),
    Named(BTreeMap<String, String>),
}

impl FormulasCheck {
    fn broken(&self, why: impl Into<String>) -> BrokenJudge {
        BrokenJudge { check: self.name.clone(), why: why.into() }
    }

    fn wanted(&self, case: Case<'_>) -> Result<WantedFormulas, BrokenJudge> {
        let expected = case.reference.resolve(&self.expect).map_err(|error| self.broken(error.to_string()))?;
        let texts = |value: Value| serde_json::from_value(value).map_err(|error| self.broken(error.to_string()));
        match expected {
            Value::String(text) => Ok(WantedFormulas::Listed(vec![text])),
            listed @ Value::Array(_) => texts(listed).map(WantedFormulas::Listed),
            Value::Object(named) => {
                let named = named.into_iter().map(|(name, value)| Some((name, written(&value)?)));
                let named: Option<BTreeMap<String, String>> = named.collect();
                named.map(WantedFormulas::Named).ok_or_else(|| self.broken("a formula is no text"))
            }
            other => Err(self.broken(format!("`{other}` is no formula"))),
        }
    }

    fn definitions(&self, case: Case<'_>) -> Definitions {
        let defined = self.definitions.as_ref().and_then(|selector| case.evidence.select(selector));
        let Some(Value::Object(defined)) = defined else { return Definitions::new() };
        let read = |(name, value): (String, Value)| Some((name, term_of(&written(&value)?).ok()?));
        defined.into_iter().filter_map(read).collect()
    }

    fn alike(&self, wanted: &str, found: &str, definitions: &Definitions) -> Result<bool, BrokenJudge> {
        let wanted = term_of(wanted).map_err(|why| self.broken(format!("`{wanted}`: {why}")))?;
        let Ok(found) = term_of(found) else { return Ok(false) };
        are_alike(&wanted, &found, definitions, self.rule).map_err(|why| self.broken(why))
    }

    /// What is wrong; nothing where all is right.
    fn fault(&self, case: Case<'_>) -> Result<Option<String>, BrokenJudge> {
        let wanted = self.wanted(case)?;
        let Some(found) = case.evidence.select(&self.selector) else { return Ok(Some("nothing is there".to_owned())) };
        let definitions = self.definitions(case);
        match (wanted, found) {
            (WantedFormulas::Named(wanted), Value::Object(found)) => self.named_fault(&wanted, &found, &definitions),
            (WantedFormulas::Listed(wanted), Value::Array(found)) => self.listed_fault(&wanted, &found, &definitions),
            (WantedFormulas::Listed(wanted), found) => self.listed_fault(&wanted, &[found], &definitions),
            (WantedFormulas::Named(_), _) => Ok(Some("nothing there has a name".to_owned())),
        }
    }

    fn named_fault(
        &self,
        wanted: &BTreeMap<String, String>,
        found: &Map<String, Value>,
        definitions: &Definitions,
    ) -> Result<Option<String>, BrokenJudge> {
        for (name, formula) in wanted {
            let Some(text) = found.get(name).and_then(written) else {
                return Ok(Some(format!("there is no `{name}`")));
            };
            if !self.alike(formula, &text, definitions)? {
                return Ok(Some(format!("`{name}` is `{text}`, not `{formula}`")));
            }
        }
        Ok(None)
    }

    fn listed_fault(
        &self,
        wanted: &[String],
        found: &[Value],
        definitions: &Definitions,
    ) -> Result<Option<String>, BrokenJudge> {
        let mut left: Vec<String> = found.iter().map(|value| written(value).unwrap_or_default()).collect();
        for formula in wanted {
            let mut at = None;
            for (idx, text) in left.iter().enumerate() {
                if self.alike(formula, text, definitions)? {
                    at = Some(idx);
                    break;
                }
            }
            match at {
                Some(at) => drop(left.remove(at)),
                None => return Ok(Some(format!("`{formula}` is missing among {}", Value::from(found.to_vec())))),
            }
        }
        Ok(left.first().map(|text| format!("`{text}` is one too many")))
    }

    fn altered(&self, case: Case<'_>, how: &str, value: Value) -> Option<AlteredState> {
        let evidence = case.evidence.with(&self.selector, value)?;
        Some(AlteredState { how: format!("{}: {how}", self.selector), evidence })
    }

    /// The right case with one formula after the other in the place of which others stand.
    fn with_texts(&self, case: Case<'_>, others: &dyn Fn(&str) -> Vec<AlteredText>) -> Vec<AlteredState> {
        let (Ok(wanted), Some(found)) = (self.wanted(case), case.evidence.select(&self.selector)) else {
            return Vec::new();
        };
        let places: Vec<String> = match (&wanted, &found) {
            (WantedFormulas::Named(wanted), _) => wanted.keys().map(|name| format!("/{name}")).collect(),
            (_, Value::Array(items)) => (0..items.len()).map(|idx| format!("/{idx}")).collect(),
            _ => vec![String::new()],
        };
        let mut states = Vec::new();
        for place in places {
            let Some(text) = found.pointer(&place).and_then(written) else { continue };
            for (how, other) in others(&text) {
                let mut changed = found.clone();
                if let Some(slot) = changed.pointer_mut(&place) {
                    *slot = json!(other);
                }
                states.extend(self.altered(case, &format!("{place} {how}"), changed));
            }
        }
        states
    }
}

/// A formula's text; a number is one too.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => number.as_f64().map(|number| number.to_string()),
        _ => None,
    }
}

impl Check for FormulasCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        let fault = self.fault(case)?;
        let because = fault.clone().unwrap_or_else(|| "as wanted".to_owned());
        Ok(Finding::of(&self.name, fault.is_none(), format!("{}: {because}", self.selector)))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut states = self.with_texts(case, &near);
        match case.evidence.select(&self.selector) {
            Some(Value::Array(items)) => {
                let fewer = items.split_last().map(|(_, rest)| rest.to_vec()).unwrap_or_default();
                let more = [&items[..], &[json!("x^5+77")]].concat();
                let twice = items.iter().chain(items.last()).cloned().collect();
                let lists = [("the last one missing", fewer), ("one too many", more), ("the last one twice", twice)];
                states.extend(lists.into_iter().filter_map(|(how, list)| self.altered(case, how, Value::Array(list))));
            }
            Some(Value::Object(_)) => states.extend(self.altered(case, "nothing defined", json!({}))),
            _ => {}
        }
        states.extend(self.altered(case, "nothing", Value::Null));
        states
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut states = self.with_texts(case, &|text| like(text, self.rule));
        match case.evidence.select(&self.selector) {
            Some(Value::Array(mut items)) if items.len() > 1 => {
                items.reverse();
                states.extend(self.altered(case, "in another order", Value::Array(items)));
            }
            Some(Value::Object(mut fields)) => {
                fields.insert("bystander".to_owned(), json!("x->7*x"));
                states.extend(self.altered(case, "something else defined", Value::Object(fields)));
            }
            _ => {}
        }
        states
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::Evidence;
    use quintain_core::reference::Reference;

    use super::*;

    fn check(declared: &Value) -> Box<dyn Check> {
        let spec = serde_json::from_value(declared.clone()).expect("a declaration");
        FormulasKind.make(&spec).expect("a check")
    }

    fn judged(declared: &Value, document: &Value) -> String {
        let (evidence, reference) = (Evidence::document("kalgebra", document.clone()), Reference::default());
        let case = Case { evidence: &evidence, reference: &reference };
        let check = check(declared);
        let finding = check.judge(case).expect("a finding");
        if !finding.score.is_full() {
            return finding.because;
        }
        let verdict =
            |state: &AlteredState| check.judge(Case { evidence: &state.evidence, ..case }).expect("a finding");
        for state in check.near_misses(case) {
            assert!(!verdict(&state).score.is_full(), "{}: {:?}", state.how, state.evidence);
        }
        for state in check.variations(case) {
            assert!(verdict(&state).score.is_full(), "{}: {}", state.how, verdict(&state).because);
        }
        format!("right, {} near, {} like", check.near_misses(case).len(), check.variations(case).len())
    }

    #[test]
    fn lists_of_curves_are_judged_and_their_near_misses_fail() {
        let declared = json!({
            "name": "f", "kind": "formulas", "selector": "documents/kalgebra/drawn",
            "expect": ["sin(3*x)", "x^2-4"], "options": { "definitions": "documents/kalgebra/variables" },
        });
        let of = |drawn: Value| judged(&declared, &json!({ "drawn": drawn, "variables": { "k": 4.0, "f": "x->x^2" } }));
        let told = [
            of(json!(["x^2-4", "sin(x*3)"])),
            of(json!(["f(x)-k", "x->sin(3*x)"])),
            of(json!(["x^2-4"])),
            of(json!(["x^2-4", "sin(x)*3"])),
            of(json!(["x^2-4", "sin(3*x)", "x"])),
            of(json!("x^2-4")),
        ];
        insta::assert_snapshot!(told.join("\n"), @r#"
        right, 15 near, 11 like
        right, 13 near, 9 like
        documents/kalgebra/drawn: `sin(3*x)` is missing among ["x^2-4"]
        documents/kalgebra/drawn: `sin(3*x)` is missing among ["x^2-4","sin(x)*3"]
        documents/kalgebra/drawn: `x` is one too many
        documents/kalgebra/drawn: `sin(3*x)` is missing among ["x^2-4"]
        "#);
    }

    #[test]
    fn definitions_are_judged_by_name_and_their_near_misses_fail() {
        let declared = json!({
            "name": "f", "kind": "formulas", "selector": "documents/kalgebra/variables",
            "expect": { "f": "x->2*x^3-5", "m": "matrix { matrixrow { 1, 2 }, matrixrow { 3, 4 } }", "k": 2.5 },
            "options": { "names": "any" },
        });
        let matrix = "matrix { matrixrow { 1, 2 }, matrixrow { 3, 4 } }";
        let of = |function: &str| judged(&declared, &json!({ "variables": { "f": function, "m": matrix, "k": 2.5 } }));
        insta::assert_snapshot!([of("u->2*u^3+-5"), of("2*x^3-5"), of("u->2*u^2-5")].join("\n"), @r"
        right, 22 near, 11 like
        documents/kalgebra/variables: `f` is `2*x^3-5`, not `x->2*x^3-5`
        documents/kalgebra/variables: `f` is `u->2*u^2-5`, not `x->2*x^3-5`
        ");
    }
}
