//! Points with a table: read in, filled from a raster map, and picked out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quintain_core::Rng;
use quintain_desktop::{PlannedStep, PreparedScenario, DesktopScenario};
use serde_json::{Map, Value, json};

use super::console::{self, CommandPlace, CommandWords, words};
use super::land::{EAST, Land, NORTH, SOUTH, Station, WEST};
use super::mapset_judge::{JudgedParts, last_line};
use super::modules_room::{ModulesRoom, in_permanent};
use crate::parameters::{Parameters, text, whole};

const OWNERS: [&str; 9] = ["Adler", "Brandt", "Conti", "Dahl", "Evans", "Fuchs", "Garza", "Hansen", "Ito"];

/// The points of a map with what their table says, one row for each: `east`, `north` and the columns.
pub(super) fn table(room: &mut ModulesRoom, map: &str) -> Result<Value, String> {
    let input = format!("input={}", in_permanent(map));
    let argv =
        ["v.out.ascii", &input, "format=point", "type=point", "columns=*", "-c", "separator=pipe", "precision=6"];
    let report = room.run(&argv)?;
    Ok(if report.succeeded { rows(&report.output).into() } else { json!({ "problem": last_line(&report.errors) }) })
}

fn rows(text: &str) -> Vec<Value> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let head: Vec<String> = lines.next().unwrap_or_default().split('|').map(str::to_lowercase).collect();
    let row = |line: &str| {
        let mut row = Map::new();
        for (name, value) in head.iter().zip(line.split('|')) {
            row.entry(name.clone()).or_insert_with(|| cell(value));
        }
        Value::Object(row)
    };
    lines.map(row).collect()
}

fn cell(value: &str) -> Value {
    let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.map_or_else(|| json!(value.trim()), |number| json!(number))
}

/// Files that tasks give besides the location.
pub(super) fn given_files(plan: &Value) -> BTreeMap<String, Vec<u8>> {
    let files = plan["files"].as_object().into_iter().flatten();
    files.filter_map(|(path, text)| Some((path.clone(), text.as_str()?.as_bytes().to_vec()))).collect()
}

/// A map of points is to be made, or its table to be filled.
pub(super) struct WorkOnPoints {
    name: &'static str,
    place: CommandPlace,
    goal: fn(&Parameters, &Land, &mut Rng) -> Result<PointsGoal, String>,
    wrong_ways: &'static [&'static str],
}

struct PointsGoal {
    map: String,
    files: BTreeMap<String, String>,
    /// What the table has to say: types of columns, and rows.
    columns: Value,
    key: &'static str,
    rows: Vec<Value>,
    words: BTreeMap<String, Value>,
    commands: Vec<CommandWords>,
    wrong: Vec<CommandWords>,
}

impl DesktopScenario for WorkOnPoints {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let number = rng.next_u64() >> 12;
        let goal = (self.goal)(parameters, &Land::of(number), rng)?;
        let judged = JudgedParts { points: Some(goal.map), ..JudgedParts::default() };
        Ok(PreparedScenario {
            plan: json!({
                "land": number,
                "judged": judged.planned(),
                "files": goal.files,
                "commands": console::plan_of(&goal.commands),
                "wrong": console::plan_of(&goal.wrong),
            }),
            expected: json!({ "points": { "columns": goal.columns, "key": [goal.key], "rows": goal.rows } }),
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
}

fn near(tolerance: f64) -> Value {
    json!({ "type": "number", "tolerance": tolerance })
}

/// Points of a file.
pub(super) static IMPORT: WorkOnPoints = WorkOnPoints {
    name: "import-points",
    place: CommandPlace::Shell,
    wrong_ways: &["east-for-north"],
    goal: |parameters, _land, rng| {
        let map = text(parameters, "output")?.to_owned();
        let mut text = "id,owner,northing,easting,depth_m\n".to_owned();
        let mut rows = Vec::new();
        let first = rng.between(100, 800);
        for (n, owner) in OWNERS.iter().enumerate() {
            let id = first + 7 * n as i64;
            let (east, north) =
                (rng.between(WEST as i64 + 20, EAST as i64 - 20), rng.between(SOUTH as i64 + 20, NORTH as i64 - 20));
            let depth = rng.between(61, 990) as f64 / 10.0;
            let _infallible = writeln!(text, "{id},{owner},{north},{east},{depth}");
            rows.push(json!({ "cat": id, "east": east, "north": north, "owner": owner, "depth_m": depth }));
        }
        let columns = "columns=id integer, owner varchar(20), northing double precision, easting double precision, depth_m double precision";
        let command = |x: u32, y: u32| {
            let line = format!("v.in.ascii input=wells.csv output={map} separator=comma skip=1 x={x} y={y} cat=1");
            words(&line).into_iter().chain([columns.to_owned()]).collect::<CommandWords>()
        };
        Ok(PointsGoal {
            files: [("wells.csv".to_owned(), text)].into(),
            columns: json!({ "cat": near(0.0), "east": near(0.01), "north": near(0.01), "owner": "exact", "depth_m": near(0.001) }),
            key: "cat",
            rows,
            words: BTreeMap::new(),
            commands: vec![command(4, 3)],
            wrong: vec![command(3, 4)],
            map,
        })
    },
};

/// The ground below stations.
pub(super) static HEIGHTS: WorkOnPoints = WorkOnPoints {
    name: "point-heights",
    place: CommandPlace::Shell,
    wrong_ways: &["whole-metres"],
    goal: |parameters, land, _rng| {
        let column = text(parameters, "column")?;
        let row = |station: &Station| json!({ "name": station.name, "sensors": station.n_sensors, column: (station.ground_m * 100.0).round() / 100.0 });
        let commands = |kind: &str| {
            let add =
                ["v.db.addcolumn", "map=stations", &format!("columns={column} {kind}")].map(str::to_owned).to_vec();
            vec![add, words(&format!("v.what.rast map=stations raster=elevation column={column}"))]
        };
        Ok(PointsGoal {
            map: "stations".to_owned(),
            files: BTreeMap::new(),
            columns: json!({ "name": "exact", "sensors": near(0.0), column: near(0.006) }),
            key: "name",
            rows: land.stations.iter().map(row).collect(),
            words: BTreeMap::new(),
            commands: commands("double precision"),
            wrong: commands("integer"),
        })
    },
};

/// Stations that have enough.
pub(super) static EXTRACT: WorkOnPoints = WorkOnPoints {
    name: "extract-points",
    place: CommandPlace::Console,
    wrong_ways: &["more-than"],
    goal: |parameters, land, _rng| {
        let map = text(parameters, "output")?.to_owned();
        let nth = whole(parameters, "nth", 4..=9)? as usize;
        let mut counts: Vec<i64> = land.stations.iter().map(|station| station.n_sensors).collect();
        counts.sort_unstable();
        let least = counts[counts.len() - nth];
        let rows = land.stations.iter().filter(|station| station.n_sensors >= least);
        let row = |station: &Station| json!({ "name": station.name, "sensors": station.n_sensors, "east": station.east, "north": station.north });
        let command = |sign: &str| words(&format!("v.extract input=stations output={map} where=sensors{sign}{least}"));
        Ok(PointsGoal {
            files: BTreeMap::new(),
            columns: json!({ "name": "exact", "sensors": near(0.0), "east": near(0.01), "north": near(0.01) }),
            key: "name",
            rows: rows.map(row).collect(),
            words: [("least".to_owned(), json!(least))].into(),
            commands: vec![command(">=")],
            wrong: vec![command(">")],
            map,
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_with_their_table() {
        let text = "east|north|cat|Name|cat|height\n500025|5000035|1|Elm|1|2.5\n500065|5000075|2||2|\n";
        assert_eq!(
            rows(text),
            [
                json!({ "east": 500_025.0, "north": 5_000_035.0, "cat": 1.0, "name": "Elm", "height": 2.5 }),
                json!({ "east": 500_065.0, "north": 5_000_075.0, "cat": 2.0, "name": "", "height": "" }),
            ]
        );
    }
}
