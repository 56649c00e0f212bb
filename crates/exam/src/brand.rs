//! Graphic design: apply a house's style to a poster: its grid, its colours, its type, its logo.

mod cascade;
mod drawing;
mod drawn;
mod house;
mod inkscape;
mod logo;
mod matrix;
mod measures;
mod near_misses;
mod outline;
mod poster;
mod printed;
mod shapes;
mod svg_node;
mod truth;
mod verifier;
mod wording;
mod xml_tree;

use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters};
use serde_json::{Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::PYTHON;
use crate::texts::texts;
use poster::BrandPoster;
use verifier::BrandReview;

/// The name of the task's work and of its verifier.
const NAME: &str = "apply-brand";
/// The deliverables.
const SVG: &str = "poster.svg";
const PDF: &str = "poster.pdf";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("brand/solution.py");

/// Apply a house's style to a poster.
pub(crate) struct ApplyBrand;

/// What a plan says: the poster, and the seed for the rest.
fn planned(plan: &Value) -> Result<(BrandPoster, u64), String> {
    let seed = seed_of(plan)?;
    Ok((BrandPoster::drawn(seed, size_of(plan, "n_sessions")?), seed))
}

impl Assignment for ApplyBrand {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_sessions = parameters.number("n_sessions", 3..=7)?;
        let plan = seeded(rng.next_u64(), [("n_sessions", n_sessions)]);
        let (poster, _) = planned(&plan)?;
        let expected = json!({ "style": truth::looks(&poster), "placement": { "limits": truth::limits(&poster) } });
        Ok(PreparedWork::of(plan, expected))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let (poster, seed) = planned(plan)?;
        let files = [
            ("poster.svg", drawing::before(&poster, seed)),
            ("brand.json", poster.style.tokens()),
            ("layout.csv", poster.layout()),
        ];
        Ok(texts(files))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/brand.json input/layout.csv; inkscape --query-all input/poster.svg 2>/dev/null | head -20",
            ("apply_brand.py", SOLUTION),
            format!("python3 apply_brand.py {way} && ls -l output"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["nearest-colour", "attributes-only", "transforms-ignored", "units-as-mm", "outlined"]
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        planned(plan).map_or_else(|_| AlteredFiles::default(), |(poster, _)| near_misses::of(&poster, left))
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(BrandReview)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let inkscape = Software { program: "inkscape", package: "inkscape", mend: "apt install inkscape" };
        let fonts =
            Software { program: "inkscape", package: "fonts-dejavu-core", mend: "apt install fonts-dejavu-core" };
        vec![inkscape.need(NAME), fonts.need(NAME), PYTHON.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("brand")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::house::channels;
    use super::xml_tree::XmlTree;
    use super::*;

    fn plan(seed: u64) -> Value {
        json!({ "seed": seed.to_string(), "n_sessions": 3 + seed % 5 })
    }

    fn drawn_before(seed: u64) -> (BrandPoster, Vec<drawn::DrawnLeaf>) {
        let (poster, seed) = planned(&plan(seed)).unwrap();
        let tree = XmlTree::read(drawing::before(&poster, seed).as_bytes()).unwrap();
        (poster, drawn::leaves(&tree).unwrap())
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_another_gives_others() {
        let files = |seed| ApplyBrand.inputs(&plan(seed)).unwrap();
        assert_eq!(files(3), files(3));
        let told = |seed| {
            let (poster, _) = planned(&plan(seed)).unwrap();
            format!("{} {}", truth::looks(&poster), Value::Object(truth::limits(&poster)))
        };
        assert_eq!((0..50).map(told).collect::<BTreeSet<_>>().len(), 50);
    }

    #[test]
    fn wrong_plans_are_told() {
        assert!(ApplyBrand.inputs(&json!({})).is_err());
        assert!(ApplyBrand.inputs(&json!({ "seed": "1" })).is_err());
    }

    /// Everything is there from the beginning, in its order, with its words and with no right colour.
    #[test]
    fn the_poster_that_comes_in_is_whole_and_off() {
        for seed in 0..50 {
            let (poster, leaves) = drawn_before(seed);
            let ids: Vec<String> = leaves.iter().map(|leaf| leaf.id.clone()).collect();
            assert_eq!(ids, drawing::leaves(&poster), "seed {seed}");
            for leaf in &leaves {
                let is_right = |fill: &String| poster.style.palette.values().any(|colour| colour == fill);
                assert!(!leaf.fills.iter().any(is_right), "seed {seed}: {}", leaf.id);
                if let Some(object) = poster.objects.iter().find(|object| object.id == leaf.id) {
                    assert_eq!(leaf.words, object.words.join(" "), "seed {seed}");
                }
            }
        }
    }

    /// Whoever takes the closest colour of the palette goes wrong.
    #[test]
    fn the_closest_colour_is_another_one() {
        for seed in 0..50 {
            let (poster, leaves) = drawn_before(seed);
            let title = leaves.iter().find(|leaf| leaf.id == "title").unwrap();
            let old = channels(title.fills.first().unwrap());
            let apart = |name: &&str| {
                let colour = channels(&poster.style.palette[*name]);
                colour.iter().zip(old).map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2)).sum::<i32>()
            };
            let closest = house::COLOURS.iter().copied().min_by_key(apart).unwrap();
            assert_ne!(closest, poster.style.paints["title"], "seed {seed}");
        }
    }

    /// Colours are told in every way, so that whoever changes one of them alone goes wrong.
    #[test]
    fn colours_are_told_in_every_way() {
        for seed in 0..50 {
            let (poster, seed) = planned(&plan(seed)).unwrap();
            let drawing = drawing::before(&poster, seed);
            for way in ["class=\"", "style=\"fill:#", "fill=\"#", ".logo-letter{fill:#"] {
                assert!(drawing.contains(way), "seed {seed}: {way}");
            }
        }
    }

    /// What stands above the foot keeps clear of the logo, and leaves the note a place.
    #[test]
    fn the_foot_has_room() {
        for seed in 0..200 {
            let (poster, _) = planned(&plan(seed)).unwrap();
            let style = &poster.style;
            let line = |object: &poster::PosterObject| match object.place {
                poster::PosterPlace::Set { line, .. } if object.role == "speaker" => line,
                _ => 0,
            };
            let lowest = poster.objects.iter().map(line).max().unwrap();
            let logo_mm = poster.logo_height_mm() * (1.0 + style.clear_share);
            let clear_from = style.page_mm[1] - style.margins_mm[2] - logo_mm;
            assert!(style.line_mm(lowest + 1) < clear_from, "seed {seed}");
            assert!(lowest + 2 < style.last_line() - 5, "seed {seed}");
        }
    }
}
