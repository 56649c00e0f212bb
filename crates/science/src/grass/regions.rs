//! The region in which maps are computed: its bounds, and the size of its cells.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Map, Value, json};

use super::alterations::{with_other_bounds, without};
use super::console::{self, CommandPlace, words};
use super::land::{CELL_M, EAST, NORTH, SOUTH, WEST};
use super::location::PERMANENT;
use super::mapset_judge::JudgedParts;
use super::modules_room::ModulesRoom;
use crate::parameters::{Parameters, text};

/// What is told of a region.
const TOLD: [(&str, &str); 8] = [
    ("n", "north"),
    ("s", "south"),
    ("e", "east"),
    ("w", "west"),
    ("nsres", "cell_height"),
    ("ewres", "cell_width"),
    ("rows", "rows"),
    ("cols", "cols"),
];

/// The region of the mapset that was left.
pub(super) fn current(room: &mut ModulesRoom) -> Result<Value, String> {
    Ok(region_of(&room.run_inside(&["g.region", "-g"])?.output))
}

/// A region that was saved there under a name.
pub(super) fn saved(room: &mut ModulesRoom, name: &str) -> Result<Value, String> {
    let report = room.run(&["g.region", "-gu", &format!("region={name}@PERMANENT")])?;
    Ok(if report.succeeded { region_of(&report.output) } else { Value::Null })
}

fn region_of(lines: &str) -> Value {
    let number = |key: &str| {
        let line = lines.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.and_then(|value| value.parse::<f64>().ok()).map_or(Value::Null, |number| json!(number))
    };
    Value::Object(TOLD.iter().map(|(key, name)| ((*name).to_owned(), number(key))).collect::<Map<_, _>>())
}

/// The region that covers all of the land.
pub(super) fn whole() -> Value {
    RegionBounds::WHOLE.told()
}

/// A region is to be set, or saved.
pub(super) struct ChangeRegion {
    name: &'static str,
    place: CommandPlace,
    /// Whether it is saved under a name, and the current one stays as it is.
    is_saved: bool,
    wrong_ways: &'static [&'static str],
}

/// The region is to be set.
pub(super) static SET_REGION: ChangeRegion =
    ChangeRegion { name: "set-region", place: CommandPlace::Console, is_saved: false, wrong_ways: &["old-cells"] };
/// A region is to be saved, and not to be gone to.
pub(super) static SAVED_REGION: ChangeRegion =
    ChangeRegion { name: "saved-region", place: CommandPlace::Shell, is_saved: true, wrong_ways: &["gone-to"] };

/// Whole cells of another size, with bounds that fit them.
#[derive(Clone, Copy, Debug)]
struct RegionBounds {
    north: f64,
    south: f64,
    east: f64,
    west: f64,
    cell_m: f64,
}

impl RegionBounds {
    const WHOLE: Self = Self { north: NORTH, south: SOUTH, east: EAST, west: WEST, cell_m: CELL_M };

    fn drawn(rng: &mut Rng) -> Self {
        let cell_m = *rng.choose(&[5.0, 20.0, 25.0]);
        let mut cells = |from_m: f64, to_m: f64| {
            let n_cells = rng.between((from_m / cell_m).ceil() as i64, (to_m / cell_m).floor() as i64);
            n_cells as f64 * cell_m
        };
        let (west, south) = (WEST + cells(0.0, 300.0), SOUTH + cells(0.0, 200.0));
        Self { north: south + cells(150.0, 400.0), south, east: west + cells(150.0, 500.0), west, cell_m }
    }

    fn told(&self) -> Value {
        let Self { north, south, east, west, cell_m } = self;
        json!({
            "north": north, "south": south, "east": east, "west": west,
            "cell_height": cell_m, "cell_width": cell_m,
            "rows": ((north - south) / cell_m).round(), "cols": ((east - west) / cell_m).round(),
        })
    }

    fn line(&self) -> String {
        let Self { north, south, east, west, .. } = self;
        format!("g.region n={north} s={south} e={east} w={west}")
    }
}

impl DesktopScenario for ChangeRegion {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let number = rng.next_u64() >> 12;
        let bounds = RegionBounds::drawn(rng);
        let size = bounds.cell_m;
        let line = bounds.line();
        let (judged, commands, wrong, expected);
        if self.is_saved {
            let name = text(parameters, "region_name")?;
            judged = JudgedParts { region: true, saved_region: Some(name.to_owned()), ..JudgedParts::default() };
            commands = format!("{line} res={size} -u save={name}");
            wrong = vec![words(&format!("{line} res={size}")), words(&format!("g.region save={name}"))];
            expected = json!({ "region": whole(), "saved": bounds.told() });
        } else {
            judged = JudgedParts { region: true, ..JudgedParts::default() };
            commands = format!("{line} res={size}");
            wrong = vec![words(&line)];
            expected = json!({ "region": bounds.told() });
        }
        let told = bounds.told();
        let told = ["north", "south", "east", "west"]
            .map(|name| (name.to_owned(), json!(told[name].as_f64().unwrap_or(0.0) as i64)));
        Ok(PreparedScenario {
            plan: json!({
                "land": number,
                "judged": judged.planned(),
                "commands": console::plan_of(&[words(&commands)]),
                "wrong": console::plan_of(&wrong),
            }),
            expected,
            words: told.into_iter().chain([("size".to_owned(), json!(size as i64))]).collect(),
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
        let saved = plan["judged"]["saved_region"].as_str().map(|name| format!("{PERMANENT}/windows/{name}"));
        let current = format!("{PERMANENT}/WIND");
        let mut altered = with_other_bounds(left, saved.as_ref().unwrap_or(&current));
        if let Some(saved) = saved {
            altered.wrong.extend(with_other_bounds(left, &current).wrong);
            altered.wrong.push(("no region of that name".to_owned(), without(left, &saved)));
        }
        altered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_read_from_what_the_tool_prints() {
        let lines =
            "projection=1\nzone=33\nn=5000600\ns=5000000\nw=500000\ne=500800\nnsres=10\newres=10\nrows=60\ncols=80\n";
        let expected = json!({
            "north": 5_000_600.0, "south": 5_000_000.0, "east": 500_800.0, "west": 500_000.0,
            "cell_height": 10.0, "cell_width": 10.0, "rows": 60.0, "cols": 80.0,
        });
        assert_eq!(region_of(lines), expected);
        assert_eq!(region_of("")["north"], Value::Null);
    }

    #[test]
    fn drawn_regions_lie_within_the_land_in_whole_cells() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let RegionBounds { north, south, east, west, cell_m } = RegionBounds::drawn(&mut rng);
            assert!(WEST <= west && west < east && east <= EAST && SOUTH <= south && south < north && north <= NORTH);
            assert!((north - south) % cell_m == 0.0 && (east - west) % cell_m == 0.0);
        }
    }
}
