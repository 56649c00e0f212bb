//! A clean room in which the tools of GRASS look at the maps that were left.

use std::time::Duration;

use quintain_core::FileSet;
use quintain_workspace::{RoomReport, VerifierRoom};

use super::location;
use super::tool_variables;

/// The largest file of a location that is read, and how many there may be.
const LARGEST_FILE: u64 = 8 << 20;
const MOST_FILES: usize = 3000;
/// How long one tool may take, on a host that is busy.
const WITHIN: Duration = Duration::from_mins(1);
/// The mapset from which maps are looked at: a mask or a region that were left do not count there.
const OWN_MAPSET: &str = "quintain_judge";
/// Where all mapsets are, in the home.
const LOCATION: &str = "gis/hills/";

/// A clean room with the location that was left.
pub(super) struct ModulesRoom(VerifierRoom);

impl ModulesRoom {
    /// A room with these files in it.
    pub(super) fn with(files: &FileSet) -> Result<Self, String> {
        let mut room = VerifierRoom::open()?;
        let own = format!("{LOCATION}{OWN_MAPSET}");
        let left = files.iter().filter(|(path, _)| path.starts_with(LOCATION) && !path.starts_with(&own));
        for (path, file) in left.take(MOST_FILES) {
            // What is too large is missing there, and is found missing.
            let _is_there = room.put_left(path, file, LARGEST_FILE)?;
        }
        room.put(&format!("{own}/WIND"), location::whole_region().as_bytes())?;
        room.put(&format!("{own}/SEARCH_PATH"), format!("{OWN_MAPSET}\nPERMANENT\n").as_bytes())?;
        room.put("own.rc", location::session(OWN_MAPSET).as_bytes())?;
        room.put("left.rc", location::session("PERMANENT").as_bytes())?;
        Ok(Self(room))
    }

    /// Runs a tool in a mapset of our own.
    pub(super) fn run(&mut self, words: &[&str]) -> Result<RoomReport, String> {
        self.run_by("own.rc", words)
    }

    /// Runs a tool in the mapset that was left, with its region.
    pub(super) fn run_inside(&mut self, words: &[&str]) -> Result<RoomReport, String> {
        self.run_by("left.rc", words)
    }

    fn run_by(&mut self, session: &str, words: &[&str]) -> Result<RoomReport, String> {
        let variables = tool_variables(&format!("/work/{session}"));
        let variables: Vec<String> = variables.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        let argv = ["env"].into_iter().chain(variables.iter().map(String::as_str)).chain(words.iter().copied());
        self.0.run(&argv.collect::<Vec<_>>(), WITHIN)
    }

    /// The maps of a kind in the mapset that was left.
    pub(super) fn maps(&mut self, kind: &str) -> Result<Vec<String>, String> {
        let report = self.run(&["g.list", &format!("type={kind}"), "mapset=PERMANENT"])?;
        let mut names: Vec<String> = report.output.split_whitespace().map(str::to_owned).collect();
        names.sort();
        Ok(names)
    }
}

/// A map of the mapset that was left, as tools elsewhere name it.
pub(super) fn in_permanent(map: &str) -> String {
    format!("{map}@PERMANENT")
}
