//! What a model that was left has of the given one, and which diameters it gives the pipes.

use serde_json::{Map, Value, json};

use super::design::COVER_M;
use super::model;
use super::prices::DIAMETERS_MM;
use super::reading::ModelSections;
use super::scheme::SewerScheme;

/// The sections that have to say what they said.
const SECTIONS: [&str; 11] = [
    "OPTIONS",
    "EVAPORATION",
    "RAINGAGES",
    "SUBCATCHMENTS",
    "SUBAREAS",
    "INFILTRATION",
    "JUNCTIONS",
    "OUTFALLS",
    "CONDUITS",
    "XSECTIONS",
    "TIMESERIES",
];
/// A diameter this near to a listed one is that.
const SAME_MM: f64 = 1e-3;
/// What a part is that keeps to the rules.
const AS_ASKED: &str = "as asked";

/// What is right of every part.
pub(super) fn right() -> Map<String, Value> {
    let sections = SECTIONS.iter().map(|name| format!("section {name}"));
    let rules = ["other sections", "diameters", "kept pipes", "cover", "no narrowing"].map(str::to_owned);
    sections.chain(rules).map(|name| (name, json!(AS_ASKED))).collect()
}

/// What was found in a model that was left.
pub(super) struct DesignReview {
    /// What each part is.
    pub(super) parts: Map<String, Value>,
    /// The diameter of every pipe, if each has one that can be bought or had it before.
    pub(super) diameters_mm: Option<Vec<u32>>,
}

impl DesignReview {
    /// Looks at a model; whatever is no model is told.
    pub(super) fn of(scheme: &SewerScheme, bytes: &[u8]) -> Result<Self, String> {
        let (given, left) = (given(scheme)?, ModelSections::read(bytes)?);
        let (_, given) = given.without_diameters();
        let (found, left) = left.without_diameters();
        let told = |is_right: bool| json!(if is_right { AS_ASKED } else { "otherwise" });
        let mut parts: Map<String, Value> =
            SECTIONS.iter().map(|name| (format!("section {name}"), told(given.agrees(&left, name)))).collect();
        parts.insert("other sections".to_owned(), told(left.names().all(|name| SECTIONS.contains(&name))));
        let pipes = scheme.network.manholes.iter().zip(&scheme.given_mm);
        let diameters_mm: Option<Vec<u32>> =
            pipes.map(|(manhole, given)| permitted(*found.get(&manhole.pipe())?, *given)).collect();
        parts.insert("diameters".to_owned(), told(diameters_mm.is_some()));
        if let Some(diameters_mm) = &diameters_mm {
            let rules = rules(scheme, diameters_mm);
            parts.extend(rules.map(|(name, is_kept)| (name.to_owned(), told(is_kept))));
        }
        Ok(Self { parts, diameters_mm })
    }
}

fn given(scheme: &SewerScheme) -> Result<ModelSections, String> {
    ModelSections::read(model::written(&scheme.network, &scheme.given_mm, &scheme.family.given()).as_bytes())
}

/// The diameter that is meant: the given one, or a larger one that can be bought.
fn permitted(found_mm: f64, given_mm: u32) -> Option<u32> {
    let mut all = [given_mm].into_iter().chain(DIAMETERS_MM.into_iter().filter(|mm| *mm > given_mm));
    all.find(|mm| (f64::from(*mm) - found_mm).abs() < SAME_MM)
}

/// The rules for diameters, and whether a design keeps to each.
fn rules(scheme: &SewerScheme, diameters_mm: &[u32]) -> [(&'static str, bool); 3] {
    let changed = |pipe: &usize| diameters_mm[*pipe] != scheme.given_mm[*pipe];
    let n = diameters_mm.len();
    let widest = scheme.network.widest_above(diameters_mm);
    [
        ("kept pipes", !(0..n).filter(changed).any(|pipe| scheme.is_kept[pipe])),
        ("cover", (0..n).filter(changed).all(|pipe| diameters_mm[pipe] <= scheme.network.most_mm(pipe, COVER_M))),
        ("no narrowing", diameters_mm.iter().zip(&widest).all(|(own, above)| own >= above)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reviewed(scheme: &SewerScheme, text: &str) -> (Vec<String>, bool) {
        let review = DesignReview::of(scheme, text.as_bytes()).unwrap();
        let right = right();
        let wrong = right.keys().filter(|name| review.parts.get(*name) != Some(&json!(AS_ASKED))).cloned();
        (wrong.collect(), review.diameters_mm.is_some())
    }

    #[test]
    fn a_design_is_reviewed() {
        let scheme = SewerScheme::drawn(1, 12);
        let text = |diameters: &[u32]| model::written(&scheme.network, diameters, &scheme.family.given());
        let right = text(&scheme.reference_mm);
        assert_eq!(reviewed(&scheme, &right), (vec![], true));
        assert_eq!(reviewed(&scheme, &right.replace('\n', "\r\n").replace(" 0.2 ", " .20 ")), (vec![], true));
        let of = |change: &dyn Fn(&mut Vec<u32>)| {
            let mut diameters = scheme.reference_mm.clone();
            change(&mut diameters);
            reviewed(&scheme, &text(&diameters))
        };
        assert_eq!(of(&|all| all[3] = 650).0, ["cover", "diameters", "kept pipes", "no narrowing"]);
        assert!(of(&|all| all[0] = 1600).0.contains(&"kept pipes".to_owned()));
        assert!(of(&|all| all[11] = 1600).0.contains(&"no narrowing".to_owned()));
        assert!(!of(&|all| all[4] = 100).1, "smaller than before");
        let less = right.replace("CONSTANT         0.0", "CONSTANT         9.0");
        assert_eq!(reviewed(&scheme, &less).0, ["section EVAPORATION"]);
        assert_eq!(reviewed(&scheme, &format!("{right}[CONTROLS]\nRULE 1\n")).0, ["other sections"]);
    }
}
