//! Maps that are to be copied, renamed and removed.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileHandle, FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{with_another_map, with_other_region, with_raster, without_raster};
use super::console::{self, CommandPlace, words};
use super::land::Land;
use super::location::PERMANENT;
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
                "land": number,
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

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        let Ok(land) = Land::planned(plan) else { return AlteredFiles::default() };
        let mut wrong = with_another_map(left, &land.elevation);
        for name in plan["judged"]["rasters"].as_object().into_iter().flatten().map(|(name, _)| name) {
            wrong.push((format!("no {name}"), without_raster(left, name)));
            wrong.push((
                format!("{name} turned"),
                with_raster(left, name, &land.elevation.map(|row, col| land.elevation.at(col, row))),
            ));
        }
        let mut with_points = left.clone();
        with_points.insert(format!("{PERMANENT}/vector/stations/head"), FileHandle::held(b"ORGANIZATION:\n".to_vec()));
        wrong.push(("points that were not removed".to_owned(), with_points));
        AlteredFiles { wrong, right: with_other_region(left) }
    }
}
