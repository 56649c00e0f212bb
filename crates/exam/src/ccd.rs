//! Astronomy: reduce the frames of a night and measure stars.

mod alterations;
mod fits;
mod night;
mod truth;

use quintain_core::offering::WorldNeed;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, WorkParameters};
use serde_json::{Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::NUMPY;
use night::CcdNight;
use truth::{name, photometry};

/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("ccd/solution.py");
const NAME: &str = "ccd-night";

/// Reduce the frames of a night and measure the stars of a field.
pub(crate) struct CcdReduction;

impl Assignment for CcdReduction {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        2
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_stars = parameters.number("n_stars", 6..=12).map_err(|why| format!("{why}: more do not fit"))?;
        let plan = seeded(rng.next_u64(), [("n_stars", n_stars)]);
        let (night, _) = night_of(&plan)?;
        Ok(PreparedWork::of(plan, json!({ "photometry": photometry(&night) })))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let (night, mut rng) = night_of(plan)?;
        let frames = night.frames(&mut rng).into_iter().enumerate();
        let mut files: InputFiles =
            frames.map(|(at, frame)| (format!("night/n{:04}.fits", 101 + at), frame.written())).collect();
        let stars = night.stars.iter().enumerate();
        let stars: Vec<String> =
            stars.map(|(at, star)| format!("{},{:.2},{:.2}\n", name(at), star.x + 1.0, star.y + 1.0)).collect();
        files.insert("stars.csv".to_owned(), format!("star,x,y\n{}", stars.concat()).into_bytes());
        Ok(files)
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/stars.csv; ls input/night | head -5",
            ("reduce.py", SOLUTION),
            format!("python3 reduce.py {way} && head -3 output/photometry.csv"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &[
            "no-bias",
            "no-flat",
            "all-flats",
            "saturated-flats-kept",
            "flats-mixed",
            "no-dark-of-flats",
            "dark-not-scaled",
            "warm-darks-kept",
            "broken-counted",
            "counted-from-zero",
            "five-pixels",
            "mean-sky",
            "cosmics-kept",
        ]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        alterations::of(left)
    }

    fn needs(&self) -> Vec<WorldNeed> {
        vec![NUMPY.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("ccd")
    }
}

/// What a plan was made of, and the stream that its frames are drawn from.
fn night_of(plan: &Value) -> Result<(CcdNight, Rng), String> {
    let seed = seed_of(plan)?;
    let n_stars = size_of(plan, "n_stars")?;
    let mut rng = Rng::new(seed);
    Ok((CcdNight::drawn(&mut rng, n_stars), rng))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(seed: u64) -> Value {
        json!({ "seed": seed.to_string(), "n_stars": 8 })
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_another_gives_others() {
        let files = |seed| CcdReduction.inputs(&plan(seed)).unwrap();
        assert_eq!(files(3), files(3));
        assert_eq!(files(3).len(), 35);
        let told = |seed| photometry(&night_of(&plan(seed)).unwrap().0).to_string();
        assert_eq!((0..50).map(told).collect::<BTreeSet<String>>().len(), 50);
    }

    #[test]
    fn wrong_plans_are_told() {
        assert!(CcdReduction.inputs(&json!({})).is_err());
        assert!(CcdReduction.inputs(&json!({ "seed": "1" })).is_err());
    }
}
