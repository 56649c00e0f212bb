//! The check `surface`: places lie on the surface of a function of `x` and `y`.

use quintain_checks::options;
use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Finding};
use quintain_core::task::CheckSpec;
use serde_json::{Value, json};

use crate::kalgebra::formula::{Definitions, TermScope, term_of};

/// So many places have to be there, and they have to reach so far from the middle, in every direction.
const LEAST_PLACES: usize = 100;
const LEAST_REACH: f64 = 3.0;
/// How far off a height may be, as a share of it where it is large: files hold six digits.
const TOLERANCE: f64 = 1e-4;

/// The kind `surface`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceKind;

impl CheckKind for SurfaceKind {
    fn kind(&self) -> &'static str {
        "surface"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "A list of places, each `[x, y, z]`, lies on a surface and covers it.",
            selector: Some("Where the places are: `derived/surface/points`."),
            expect: Some("The height `z` as a formula of `x` and `y` in KAlgebra's language."),
            ..CheckManual::default()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        Ok(Box::new(SurfaceCheck {
            name: spec.name.clone(),
            selector: options::selector(spec)?,
            expect: options::expected(spec)?,
        }))
    }
}

struct SurfaceCheck {
    name: String,
    selector: String,
    expect: Value,
}

type SurfacePlaces = Vec<[f64; 3]>;

impl SurfaceCheck {
    fn places(&self, case: Case<'_>) -> SurfacePlaces {
        let found = case.evidence.select(&self.selector).unwrap_or_default();
        serde_json::from_value(found).unwrap_or_default()
    }

    fn fault(&self, case: Case<'_>) -> Result<Option<String>, BrokenJudge> {
        let broken = |why: String| BrokenJudge { check: self.name.clone(), why };
        let expected = case.reference.resolve(&self.expect).map_err(|error| broken(error.to_string()))?;
        let height = term_of(expected.as_str().unwrap_or_default()).map_err(broken)?;
        let places = self.places(case);
        if places.len() < LEAST_PLACES {
            return Ok(Some(format!("{} places are there, at least {LEAST_PLACES} have to be", places.len())));
        }
        for (axis, name) in ["x", "y"].into_iter().enumerate() {
            let reaches = |sign: f64| places.iter().any(|place| place[axis] * sign >= LEAST_REACH);
            if !reaches(1.0) || !reaches(-1.0) {
                return Ok(Some(format!("it does not reach {LEAST_REACH} both ways along {name}")));
            }
        }
        let definitions = Definitions::new();
        for [x, y, z] in places {
            let mut scope = TermScope::new(&definitions, &[("x", x), ("y", y)]);
            let wanted = scope.number(&height).ok_or_else(|| broken(format!("`{height}` has no value")))?;
            if (wanted - z).abs() > TOLERANCE * wanted.abs().max(1.0) {
                return Ok(Some(format!("at ({x}, {y}) it is at {z}, not at {wanted}")));
            }
        }
        Ok(None)
    }

    fn altered(&self, case: Case<'_>, how: &str, places: impl IntoIterator<Item = [f64; 3]>) -> Option<AlteredState> {
        let places: SurfacePlaces = places.into_iter().collect();
        let evidence = case.evidence.with(&self.selector, json!(places))?;
        Some(AlteredState { how: format!("{}: {how}", self.selector), evidence })
    }
}

impl Check for SurfaceCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        let fault = self.fault(case)?;
        let because = fault.clone().unwrap_or_else(|| "as wanted".to_owned());
        Ok(Finding::of(&self.name, fault.is_none(), format!("{}: {because}", self.selector)))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let places = self.places(case);
        let all = || places.iter().copied();
        let one_moved =
            all().enumerate().map(|(idx, [x, y, z])| [x, y, if idx == 7 { z + 0.5 + z.abs() / 100.0 } else { z }]);
        let raised = all().map(|[x, y, z]| [x, y, z + 0.02 + z.abs() / 1000.0]);
        let states = [
            self.altered(case, "raised a little", raised),
            self.altered(case, "one place moved", one_moved),
            self.altered(case, "left half alone", all().filter(|place| place[0] < 0.0)),
            self.altered(case, "lower half alone", all().filter(|place| place[1] < 0.0)),
            self.altered(case, "few places", all().step_by(10)),
            self.altered(case, "no places", []),
        ];
        states.into_iter().flatten().collect()
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        let places = self.places(case);
        let rounded = places.iter().map(|[x, y, z]| [*x, *y, z + 1e-6]);
        let states = [
            self.altered(case, "in another order", places.iter().rev().copied()),
            self.altered(case, "rounded otherwise", rounded),
        ];
        states.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::Evidence;
    use quintain_core::reference::Reference;

    use super::*;

    #[test]
    fn places_of_a_surface_are_judged_and_near_misses_fail() {
        let spec = json!({ "name": "s", "kind": "surface", "selector": "documents/points", "expect": "x^2/4-y+1" });
        let check = SurfaceKind.make(&serde_json::from_value(spec).expect("a declaration")).expect("a check");
        let axis = || (0..16).map(|idx| f64::from(idx) / 2.0 - 4.0);
        let places: SurfacePlaces = axis().flat_map(|x| axis().map(move |y| [x, y, x * x / 4.0 - y + 1.0])).collect();
        let (evidence, reference) = (Evidence::document("points", json!(places)), Reference::default());
        let case = Case { evidence: &evidence, reference: &reference };
        let holds = |evidence: &Evidence| check.judge(Case { evidence, ..case }).expect("a finding").score.is_full();
        assert!(holds(&evidence));
        assert_eq!(check.near_misses(case).iter().filter(|state| holds(&state.evidence)).count(), 0);
        assert!(check.variations(case).iter().all(|state| holds(&state.evidence)));
        assert_eq!((check.near_misses(case).len(), check.variations(case).len()), (6, 2));
    }
}
