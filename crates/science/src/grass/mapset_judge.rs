//! The verifier `grass-mapset`: the tools of GRASS read the maps that were left, in a room of their own, and raster maps are
//! compared with what plain arithmetic makes of the land.

use std::collections::BTreeMap;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{VerifierCase, VerifierRunner};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::cell_grid::CellGrid;
use super::land::Land;
use super::map_rule::MapRule;
use super::modules_room::{ModulesRoom, in_permanent};
use super::{points, regions, workspace_file};

const KIND: &str = "grass-mapset";

/// What a verifier looks at besides the list of maps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct JudgedParts {
    /// Raster maps, and what they have to hold.
    #[serde(default)]
    pub(super) rasters: BTreeMap<String, MapRule>,
    /// A vector map of points whose table is read.
    #[serde(default)]
    pub(super) points: Option<String>,
    /// Whether the region is read, and that which was saved under a name.
    #[serde(default)]
    pub(super) region: bool,
    #[serde(default)]
    pub(super) saved_region: Option<String>,
    /// A file in which what is displayed was kept.
    #[serde(default)]
    pub(super) workspace: Option<String>,
}

impl JudgedParts {
    /// One raster map.
    pub(super) fn raster(name: &str, rule: MapRule) -> Self {
        Self { rasters: [(name.to_owned(), rule)].into(), ..Self::default() }
    }

    /// As it stands in a plan.
    pub(super) fn planned(&self) -> Value {
        json!(self)
    }
}

/// What is found of raster maps that are right, by their names.
pub(super) fn all_right(rasters: &BTreeMap<String, MapRule>, land: &Land) -> Value {
    let one = |(name, rule): (&String, &MapRule)| {
        let n_cells = rule.n_cells(land);
        (name.clone(), json!({ "n_cells": n_cells, "n_right": n_cells }))
    };
    Value::Object(rasters.iter().map(one).collect())
}

/// The kind `grass-mapset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct MapsetJudge;

struct MapsetJudgeRun(String);

impl VerifierKind for MapsetJudge {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().next() {
            Some(option) => Err(format!("a verifier of kind `{KIND}` has no option `{option}`")),
            None => Ok(Box::new(MapsetJudgeRun(spec.name.clone()))),
        }
    }
}

impl VerifierRunner for MapsetJudgeRun {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let plan = &case.reference.start["plan"];
        let land = Land::planned(plan)?;
        let parts: JudgedParts = serde_json::from_value(plan["judged"].clone()).map_err(|error| error.to_string())?;
        let mut room = ModulesRoom::with(case.files)?;
        let mut found = Map::new();
        found.insert("rasters".to_owned(), room.maps("raster")?.into());
        found.insert("vectors".to_owned(), room.maps("vector")?.into());
        let mut made = Map::new();
        for (name, rule) in &parts.rasters {
            made.insert(name.clone(), compared(&mut room, name, rule, &land)?);
        }
        found.insert("made".to_owned(), made.into());
        found.insert("given".to_owned(), given(&mut room, &land)?);
        if let Some(map) = &parts.points {
            found.insert("points".to_owned(), points::left(&mut room, map)?);
            found.insert("stations".to_owned(), points::left(&mut room, points::STATIONS)?);
        }
        if parts.region {
            found.insert("region".to_owned(), regions::current(&mut room)?);
        }
        if let Some(name) = &parts.saved_region {
            found.insert("saved_region".to_owned(), regions::saved(&mut room, name)?);
        }
        if let Some(path) = &parts.workspace {
            found.insert("workspace".to_owned(), workspace_file::left(case.files.get(path)));
        }
        Ok(vec![(self.0.clone(), found.into())])
    }
}

/// Whether the maps that were there at the start hold what they held.
fn given(room: &mut ModulesRoom, land: &Land) -> Result<Value, String> {
    let mut told = Map::new();
    for (name, rule) in [("elevation", MapRule::Elevation), ("landuse", MapRule::Landuse)] {
        let found = compared(room, name, &rule, land)?;
        told.insert(name.to_owned(), (found["n_cells"] == found["n_right"]).into());
    }
    Ok(told.into())
}

/// How many cells of a map are as they should be.
fn compared(room: &mut ModulesRoom, name: &str, rule: &MapRule, land: &Land) -> Result<Value, String> {
    let expected = rule.grid(land);
    let n_cells = expected.cells.len();
    Ok(match read(room, name)? {
        Ok(grid) => json!({ "n_cells": n_cells, "n_right": expected.n_equal(&grid, |value| rule.tolerance(value)) }),
        Err(problem) => json!({ "n_cells": n_cells, "n_right": 0, "problem": problem }),
    })
}

/// A raster map with the cells that it has itself; or why there is none. An outer error is ours.
fn read(room: &mut ModulesRoom, name: &str) -> Result<Result<CellGrid, String>, String> {
    let map = in_permanent(name);
    let region = room.run(&["g.region", &format!("raster={map}")])?;
    if !region.succeeded {
        return Ok(Err(last_line(&region.errors)));
    }
    let report = room.run(&["r.out.ascii", &format!("input={map}"), "output=-", "null_value=*", "precision=10"])?;
    Ok(if report.succeeded { CellGrid::read(&report.output) } else { Err(last_line(&report.errors)) })
}

/// The last line that a tool wrote of what went wrong.
pub(super) fn last_line(errors: &str) -> String {
    errors.trim().lines().last().unwrap_or_default().chars().take(300).collect()
}
