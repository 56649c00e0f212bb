//! Maps that are to be copied, renamed and removed.

use quintain_core::Rng;
use quintain_desktop::{PlannedStep, PreparedScenario, DesktopScenario};
use serde_json::{Value, json};

use super::console::{self, CommandPlace, words};
use super::land::Land;
use super::map_rule::MapRule;
use super::mapset_judge::{JudgedParts, all_right};
use crate::parameters::{Parameters, text};

/// One map is to be copied, one to be renamed, one to be removed.
pub(super) struct TidyUp;

/// One map is to be copied, one to be renamed, one to be removed.
pub(super) static RENAME_AND_COPY: TidyUp = TidyUp;

impl DesktopScenario for TidyUp {
    fn name(&self) -> &'static str {
        "tidy-up"
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let number = rng.next_u64() >> 12;
        let (copy, renamed) = (text(parameters, "copy")?, text(parameters, "renamed")?);
        let rules = [("elevation", MapRule::Elevation), (copy, MapRule::Elevation), (renamed, MapRule::Landuse)];
        let rasters = rules.map(|(name, rule)| (name.to_owned(), rule)).into();
        let judged = JudgedParts { rasters, ..JudgedParts::default() };
        let lines = [
            format!("g.copy raster=elevation,{copy}"),
            format!("g.rename raster=landuse,{renamed}"),
            "g.remove -f type=vector name=stations".to_owned(),
        ];
        let copied_both = [lines[0].clone(), format!("g.copy raster=landuse,{renamed}"), lines[2].clone()];
        let commands = |lines: &[String]| console::plan_of(&lines.iter().map(|line| words(line)).collect::<Vec<_>>());
        Ok(PreparedScenario {
            expected: json!({
                "made": all_right(&judged.rasters, &Land::of(number)),
                "rasters": judged.rasters.keys().collect::<Vec<_>>(),
            }),
            plan: json!({
                "land": number,
                "judged": judged.planned(),
                "commands": commands(&lines),
                "wrong": commands(&copied_both),
            }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let commands = console::planned(&plan[if wrong_way.is_some() { "wrong" } else { "commands" }])?;
        Ok(console::given(&commands, CommandPlace::Console))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["copied-not-renamed"]
    }
}
