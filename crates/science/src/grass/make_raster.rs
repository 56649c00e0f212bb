//! A raster map that is to be made.

use std::collections::BTreeMap;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::altered_raster;
use super::console::{self, CommandPlace, ToolWords, words};
use super::land::{Land, USES};
use super::map_rule::MapRule;
use super::mapset_judge::{JudgedParts, all_right};
use super::regions;
use crate::parameters::{Parameters, text, whole};

/// A raster map is to be made.
pub(super) struct MakeRaster {
    name: &'static str,
    place: CommandPlace,
    goal: fn(&RasterOrder<'_>) -> Result<RasterGoal, String>,
    /// The way that looks right and is not.
    wrong_ways: &'static [&'static str],
}

/// What a map is ordered with.
struct RasterOrder<'a> {
    parameters: &'a Parameters,
    land: &'a Land,
    output: &'a str,
}

/// What is to be made, and how it is made well and badly.
struct RasterGoal {
    rule: MapRule,
    words: BTreeMap<String, Value>,
    commands: Vec<ToolWords>,
    wrong: Vec<ToolWords>,
}

impl DesktopScenario for MakeRaster {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let number = rng.next_u64() >> 12;
        let land = Land::of(number);
        let output = text(parameters, "output")?;
        let goal = (self.goal)(&RasterOrder { parameters, land: &land, output })?;
        let judged = JudgedParts { region: true, ..JudgedParts::raster(output, goal.rule) };
        Ok(PreparedScenario {
            expected: json!({
                "land": number,
                "made": all_right(&judged.rasters, &land),
                "given": { "elevation": true, "landuse": true },
                "region": regions::whole(),
            }),
            plan: json!({
                "land": number,
                "judged": judged.planned(),
                "commands": console::plan_of(&goal.commands),
                "wrong": console::plan_of(&goal.wrong),
            }),
            words: goal.words,
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let commands = console::planned(&plan[if wrong_way.is_some() { "wrong" } else { "commands" }])?;
        Ok(console::given(&commands, self.place))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        self.wrong_ways
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        altered_raster(plan, left).unwrap_or_default()
    }
}

fn told<const N: usize>(words: [(&str, Value); N]) -> BTreeMap<String, Value> {
    words.map(|(name, value)| (name.to_owned(), value)).into()
}

fn formula(output: &str, formula: &str) -> ToolWords {
    vec!["r.mapcalc".to_owned(), format!("expression={output}={formula}")]
}

/// The number of a land use.
pub(super) fn use_number(parameters: &Parameters) -> Result<i64, String> {
    let name = text(parameters, "use")?;
    let at = USES.iter().position(|known| *known == name);
    at.map(|at| at as i64 + 1).ok_or_else(|| format!("`use` must be one of {}", USES.join(", ")))
}

/// Ground above a limit.
pub(super) static HIGH_GROUND: MakeRaster = MakeRaster {
    name: "high-ground",
    place: CommandPlace::Console,
    wrong_ways: &["zero-for-null"],
    goal: |order| {
        let share = whole(order.parameters, "percent_below", 40..=95)? as f64 / 100.0;
        let limit = order.land.share_below(share);
        Ok(RasterGoal {
            rule: MapRule::Above { limit },
            words: told([("limit", json!(limit as i64))]),
            commands: vec![formula(order.output, &format!("if(elevation>{limit},1,null())"))],
            wrong: vec![formula(order.output, &format!("elevation>{limit}"))],
        })
    },
};

/// How steep it is.
pub(super) static SLOPE: MakeRaster = MakeRaster {
    name: "slope",
    place: CommandPlace::Console,
    wrong_ways: &["percent"],
    goal: |order| {
        let line = format!("r.slope.aspect elevation=elevation slope={}", order.output);
        Ok(RasterGoal {
            rule: MapRule::Slope,
            words: BTreeMap::new(),
            wrong: vec![words(&format!("{line} format=percent"))],
            commands: vec![words(&line)],
        })
    },
};

/// Height above a datum in another unit.
pub(super) static SCALED: MakeRaster = MakeRaster {
    name: "scaled",
    place: CommandPlace::Console,
    wrong_ways: &["factor-first"],
    goal: |order| {
        let less = whole(order.parameters, "datum", 1..=300)?;
        Ok(RasterGoal {
            rule: MapRule::Scaled { less: less as f64, factor: 3.28084 },
            words: BTreeMap::new(),
            commands: vec![formula(order.output, &format!("(elevation-{less})*3.28084"))],
            wrong: vec![formula(order.output, &format!("elevation*3.28084-{less}"))],
        })
    },
};

/// Land uses put together.
pub(super) static GROUPED: MakeRaster = MakeRaster {
    name: "grouped",
    place: CommandPlace::Shell,
    wrong_ways: &["two-swapped"],
    goal: |order| {
        let groups = USES.map(|name| whole(order.parameters, name, 1..=99));
        let groups: Vec<i64> = groups.into_iter().collect::<Result<_, _>>()?;
        let command = |groups: &[i64]| {
            let rules: Vec<String> =
                groups.iter().enumerate().map(|(n, group)| format!("{} = {group}\\n", n + 1)).collect();
            let rules = rules.concat();
            let line = format!("printf '{rules}' | r.reclass input=landuse output={} rules=-", order.output);
            ["sh", "-c", &line].map(str::to_owned).to_vec()
        };
        let mut swapped = groups.clone();
        swapped.swap(0, 1);
        Ok(RasterGoal {
            words: BTreeMap::new(),
            commands: vec![command(&groups)],
            wrong: vec![command(&swapped)],
            rule: MapRule::Grouped { groups },
        })
    },
};

/// Means of squares.
pub(super) static SMOOTHED: MakeRaster = MakeRaster {
    name: "smoothed",
    place: CommandPlace::Shell,
    wrong_ways: &["median"],
    goal: |order| {
        let reach = whole(order.parameters, "reach", 1..=6)?;
        let n_across = 2 * reach + 1;
        let line = |method: &str| {
            words(&format!("r.neighbors input=elevation output={} size={n_across} method={method}", order.output))
        };
        Ok(RasterGoal {
            rule: MapRule::Smoothed { n_across },
            words: told([("n_across", json!(n_across))]),
            commands: vec![line("average")],
            wrong: vec![line("median")],
        })
    },
};

/// Water at a level.
pub(super) static LAKE: MakeRaster = MakeRaster {
    name: "lake",
    place: CommandPlace::Console,
    wrong_ways: &["every-low-cell"],
    goal: |order| {
        let rise = whole(order.parameters, "rise", 5..=60)?;
        let (row, col) = order.land.lowest(6);
        let (east, north) = order.land.elevation.middle(row, col);
        let lowest = order.land.elevation.at(row as i64, col as i64).ok_or("the land has no lowest cell")?;
        let level = lowest.round() + rise as f64;
        let low = format!("if(elevation<{level},{level}-elevation,null())");
        let all_low = order.land.elevation.cells.iter().flatten().filter(|z| **z < level).count();
        let rule = MapRule::Lake { row: row as i64, col: col as i64, level };
        let wet = rule.grid(order.land).cells.iter().flatten().count();
        // Where all low land hangs together, the water stands one metre too high instead.
        let wrong =
            if all_low > wet { formula(order.output, &low) } else { lake(order.output, level + 1.0, (east, north)) };
        Ok(RasterGoal {
            words: told([("east", json!(east)), ("north", json!(north)), ("level", json!(level as i64))]),
            commands: vec![lake(order.output, level, (east, north))],
            wrong: vec![wrong],
            rule,
        })
    },
};

fn lake(output: &str, level: f64, (east, north): (f64, f64)) -> ToolWords {
    words(&format!("r.lake elevation=elevation water_level={level} lake={output} coordinates={east},{north}"))
}

/// How far it is to a land use.
pub(super) static DISTANCE: MakeRaster = MakeRaster {
    name: "distance",
    place: CommandPlace::Shell,
    wrong_ways: &["corner-to-corner"],
    goal: |order| {
        let to = use_number(order.parameters)?;
        let source = formula("source_cells", &format!("if(landuse=={to},1,null())"));
        let line = |metric: &str| {
            words(&format!("r.grow.distance input=source_cells distance={} metric={metric}", order.output))
        };
        let gone = words("g.remove -f type=raster name=source_cells");
        Ok(RasterGoal {
            rule: MapRule::Distance { to },
            words: BTreeMap::new(),
            commands: vec![source.clone(), line("euclidean"), gone.clone()],
            wrong: vec![source, line("manhattan"), gone],
        })
    },
};

/// Larger cells.
pub(super) static COARSER: MakeRaster = MakeRaster {
    name: "coarser",
    place: CommandPlace::Shell,
    wrong_ways: &["nearest"],
    goal: |order| {
        let times = whole(order.parameters, "times", 2..=10)?;
        if !matches!(times, 2 | 4 | 5 | 10) {
            return Err("`times` must divide the map: 2, 4, 5 or 10".to_owned());
        }
        let size = times * 10;
        let region = |line: &str| words(&format!("g.region {line}"));
        let back = region("-d");
        Ok(RasterGoal {
            rule: MapRule::Coarser { times },
            words: told([("size", json!(size))]),
            commands: vec![
                region(&format!("raster=elevation res={size}")),
                words(&format!("r.resamp.stats input=elevation output={} method=average", order.output)),
                back.clone(),
            ],
            wrong: vec![region(&format!("raster=elevation res={size}")), formula(order.output, "elevation"), back],
        })
    },
};
