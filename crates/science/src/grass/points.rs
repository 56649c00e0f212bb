//! Points with a table: read in, filled from a raster map, and picked out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Map, Value, json};

use super::alterations::{with_another_map, with_bytes, with_other_region, without};
use super::console::{self, CommandPlace, ToolWords, words};
use super::land::{EAST, Land, NORTH, SOUTH, Station, WEST};
use super::location::PERMANENT;
use super::mapset_judge::{JudgedParts, last_line};
use super::modules_room::{ModulesRoom, in_permanent};
use crate::parameters::{Parameters, text, whole};

const OWNERS: [&str; 9] = ["Adler", "Brandt", "Conti", "Dahl", "Evans", "Fuchs", "Garza", "Hansen", "Ito"];

/// The points that every location begins with.
pub(super) const STATIONS: &str = "stations";

/// What was left of a map of points: `rows`, and `shape`, which says what it consists of.
pub(super) fn left(room: &mut ModulesRoom, map: &str) -> Result<Value, String> {
    let map_word = format!("map={}", in_permanent(map));
    let counted = room.run(&["v.info", "-t", &map_word])?;
    if !counted.succeeded {
        return Ok(json!({ "problem": last_line(&counted.errors) }));
    }
    let columns = room.run(&["v.info", "-c", &map_word])?;
    Ok(json!({ "rows": table(room, map)?, "shape": shape(&counted.output, &columns.output) }))
}

/// How many points and other things there are, and the types of the columns of their table.
fn shape(counted: &str, columns: &str) -> Value {
    let count = |key: &str| {
        let line = counted.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.and_then(|value| value.trim().parse::<u64>().ok()).unwrap_or_default()
    };
    let n_points = count("points");
    let mut shape = Map::new();
    shape.insert("points".to_owned(), n_points.into());
    shape.insert("others".to_owned(), count("primitives").saturating_sub(n_points).into());
    for (kind, name) in columns.lines().filter_map(|line| line.split_once('|')) {
        let kind = match kind {
            "INTEGER" => WHOLE,
            "DOUBLE PRECISION" | "REAL" => NUMBER,
            "CHARACTER" | "TEXT" => TEXT,
            other => other,
        };
        shape.insert(column_word(name), kind.into());
    }
    shape.into()
}

const WHOLE: &str = "whole number";
const NUMBER: &str = "number";
const TEXT: &str = "text";

fn column_word(name: &str) -> String {
    format!("column {}", name.to_lowercase())
}

/// The shape of a map with this many points and nothing else, and these columns.
fn shape_of(n_points: usize, columns: &[(&str, &str)]) -> Value {
    let mut shape = Map::new();
    shape.insert("points".to_owned(), n_points.into());
    shape.insert("others".to_owned(), 0.into());
    shape.extend(columns.iter().map(|(name, kind)| (column_word(name), (*kind).into())));
    shape.into()
}

/// The columns that the table of stations has from the start.
const STATION_COLUMNS: [(&str, &str); 5] =
    [("x", NUMBER), ("y", NUMBER), ("cat", WHOLE), ("name", TEXT), ("sensors", WHOLE)];

/// What is told of stations, as a table of this sort says it.
fn station_row(station: &Station) -> Value {
    let Station { number, name, east, north, n_sensors, .. } = station;
    json!({ "cat": number, "name": name, "sensors": n_sensors, "east": east, "north": north, "x": east, "y": north })
}

fn station_columns() -> Value {
    let place = near(0.01);
    json!({ "cat": near(0.0), "name": "exact", "sensors": near(0.0), "east": place, "north": place, "x": place, "y": place })
}

/// The points of a map with what their table says, one row for each: `east`, `north` and the columns.
fn table(room: &mut ModulesRoom, map: &str) -> Result<Value, String> {
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
    /// The column with the names of the points.
    name: &'static str,
    rows: Vec<Value>,
    shape: Value,
    words: BTreeMap<String, Value>,
    commands: Vec<ToolWords>,
    wrong: Vec<ToolWords>,
}

impl DesktopScenario for WorkOnPoints {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let number = rng.next_u64() >> 12;
        let land = Land::of(number);
        let goal = (self.goal)(parameters, &land, rng)?;
        let stations: Vec<Value> = land.stations.iter().map(station_row).collect();
        let judged = JudgedParts { points: Some(goal.map), ..JudgedParts::default() };
        Ok(PreparedScenario {
            plan: json!({
                "land": number,
                "judged": judged.planned(),
                "files": goal.files,
                "moved": { "east": goal.rows[0]["east"], "name": goal.rows[0][goal.name] },
                "commands": console::plan_of(&goal.commands),
                "wrong": console::plan_of(&goal.wrong),
            }),
            expected: json!({
                "points": { "columns": goal.columns, "key": [goal.key], "rows": goal.rows },
                "shape": goal.shape,
                "stations": { "columns": station_columns(), "key": ["name"], "rows": stations },
                "stations_shape": shape_of(stations.len(), &STATION_COLUMNS),
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
        altered_points(plan, left).unwrap_or_default()
    }
}

/// Maps of points that are nearly right, and others that are right.
fn altered_points(plan: &Value, left: &FileSet) -> Option<AlteredFiles> {
    let land = Land::planned(plan).ok()?;
    let map = plan["judged"]["points"].as_str()?;
    let place = format!("{PERMANENT}/vector/{map}/");
    let mut wrong = vec![
        ("no map".to_owned(), without(left, &place)),
        ("no table".to_owned(), without(left, &format!("{place}dbln"))),
        ("no tables at all".to_owned(), without(left, &format!("{PERMANENT}/sqlite/"))),
    ];
    let (east, beside) = (plan["moved"]["east"].as_f64()?, plan["moved"]["east"].as_f64()? + 10.0);
    let moved = with_bytes(left, &format!("{place}coor"), (&east.to_le_bytes(), &beside.to_le_bytes()));
    wrong.extend(moved.into_iter().map(|files| ("a point that was moved".to_owned(), files)));
    let name = plan["moved"]["name"].as_str()?;
    let misspelled = format!("{}x", &name[..name.len() - 1]);
    let misspelled =
        with_bytes(left, &format!("{PERMANENT}/sqlite/sqlite.db"), (name.as_bytes(), misspelled.as_bytes()));
    wrong.extend(misspelled.into_iter().map(|files| ("a name that was changed".to_owned(), files)));
    let mut right = with_another_map(left, &land.elevation);
    right.extend(with_other_region(left));
    Some(AlteredFiles { wrong, right })
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
            words(&line).into_iter().chain([columns.to_owned()]).collect::<ToolWords>()
        };
        Ok(PointsGoal {
            files: [("wells.csv".to_owned(), text)].into(),
            columns: json!({ "cat": near(0.0), "east": near(0.01), "north": near(0.01), "owner": "exact", "depth_m": near(0.001) }),
            key: "cat",
            name: "owner",
            shape: json!({ "fields": shape_of(rows.len(), &[("owner", TEXT), ("depth_m", NUMBER)]) }),
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
        let row = |station: &Station| {
            let mut row = station_row(station);
            row[column] = json!((station.ground_m * 100.0).round() / 100.0);
            row
        };
        let mut columns = station_columns();
        columns[column] = near(0.006);
        let commands = |kind: &str| {
            let add =
                ["v.db.addcolumn", "map=stations", &format!("columns={column} {kind}")].map(str::to_owned).to_vec();
            vec![add, words(&format!("v.what.rast map=stations raster=elevation column={column}"))]
        };
        Ok(PointsGoal {
            map: STATIONS.to_owned(),
            files: BTreeMap::new(),
            columns,
            key: "name",
            name: "name",
            shape: shape_of(land.stations.len(), &[&STATION_COLUMNS[..], &[(column, NUMBER)]].concat()),
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
        let rows: Vec<Value> =
            land.stations.iter().filter(|station| station.n_sensors >= least).map(station_row).collect();
        let command = |sign: &str| words(&format!("v.extract input=stations output={map} where=sensors{sign}{least}"));
        Ok(PointsGoal {
            files: BTreeMap::new(),
            columns: station_columns(),
            key: "name",
            name: "name",
            shape: shape_of(rows.len(), &STATION_COLUMNS),
            rows,
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
    fn a_map_is_told_by_what_it_consists_of() {
        let counted = "nodes=0\npoints=9\nlines=1\nboundaries=0\ncentroids=0\nareas=0\nprimitives=10\nmap3d=0\n";
        let columns = "INTEGER|cat\nCHARACTER|Owner\nREAL|depth_m\nDATE|dug\n";
        let expected = json!({
            "points": 9, "others": 1,
            "column cat": "whole number", "column owner": "text", "column depth_m": "number", "column dug": "DATE",
        });
        assert_eq!(shape(counted, columns), expected);
        assert_eq!(shape("points=2\nprimitives=2\n", "TEXT|a\n"), shape_of(2, &[("a", TEXT)]));
    }

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
