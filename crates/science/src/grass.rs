//! GRASS GIS: maps of land as grids of cells and as points, lines and areas, with a tool for everything that is done with them.

mod alterations;
mod answers;
mod cell_grid;
mod console;
mod impossible;
mod land;
mod location;
mod make_raster;
mod map_rule;
mod mapset_judge;
mod modules_room;
mod points;
mod regions;
mod sites;
mod upkeep;
mod workspace_file;

use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::Digest;
use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_desktop::{AppLaunch, AppProbe, DesktopApp, DesktopScenario, HOME};
use quintain_machine::{AccessibleElement, OpenWindow};
use quintain_workspace::Software;
use serde_json::{Value, json};

use land::Land;

const NAME: &str = "grass";
const SOFTWARE: Software =
    Software { program: "grass", package: "grass-core", mend: "apt install --no-install-recommends grass" };
/// Where its tools are looked for, the newest first.
const PLACES: [&str; 5] =
    ["/usr/lib/grass84", "/usr/lib/grass83", "/usr/lib/grass82", "/usr/lib64/grass84", "/usr/lib64/grass83"];
/// One window, no questions.
const SETTINGS: &str = r#"{"general": {"singleWindow": {"enabled": true}}, "manager": {"askOnQuit": {"enabled": false}},
 "datacatalog": {"lazyLoading": {"enabled": false, "asked": true}}}"#;
/// Fills the points of the location in, then becomes the program itself. Looking for libraries by compilers takes seconds.
const START: &str = r#"set -e
v.in.ascii input=.grass8/stations.txt output=stations separator=pipe x=1 y=2 cat=3 \
  columns='x double precision, y double precision, cat integer, name varchar(20), sensors integer' --quiet
exec /usr/bin/python3 -c 'import ctypes.util, runpy, sys
ctypes.util.find_library = lambda name: None
sys.argv = [sys.argv[1]]
sys.path.insert(0, sys.argv[0].rsplit("/", 1)[0])
runpy.run_path(sys.argv[0], run_name="__main__")' "$GISBASE/gui/wxpython/wxgui.py"
"#;

/// GRASS GIS.
pub(crate) struct Grass;

/// Where its tools are on this machine.
fn tools() -> &'static str {
    PLACES.into_iter().find(|place| PathBuf::from(place).is_dir()).unwrap_or("/usr/lib/grass82")
}

/// Variables with which its tools run by themselves, with this file saying where maps are.
fn tool_variables(session_file: &str) -> Vec<(String, String)> {
    let tools = tools();
    [
        ("GISBASE", tools.to_owned()),
        ("GISRC", session_file.to_owned()),
        ("PATH", format!("{tools}/bin:{tools}/scripts:/usr/local/bin:/usr/bin:/bin")),
        ("LD_LIBRARY_PATH", format!("{tools}/lib")),
        ("PYTHONPATH", format!("{tools}/etc/python")),
        ("GRASS_PYTHON", "/usr/bin/python3".to_owned()),
        ("GRASS_ADDON_BASE", format!("{HOME}/.grass8/addons")),
        ("GRASS_HTML_BROWSER", "false".to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

impl DesktopApp for Grass {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn launch(&self, plan: &Value) -> Result<AppLaunch, String> {
        let land = Land::planned(plan)?;
        let mut files = location::files(&land);
        files.insert(".grass8/rc".to_owned(), location::session("PERMANENT").into_bytes());
        files.insert(".grass8/wx.json".to_owned(), SETTINGS.as_bytes().to_vec());
        files.insert(".grass8/stations.txt".to_owned(), land.stations_text().into_bytes());
        files.extend(points::given_files(plan));
        Ok(AppLaunch {
            argv: ["sh", "-c", START].map(str::to_owned).into(),
            variables: tool_variables(&format!("{HOME}/.grass8/rc")).into_iter().collect(),
            files,
            folders: Vec::new(),
        })
    }

    fn is_ready(&self, shown: &AppProbe<'_>) -> bool {
        let has_come_up = |window: &OpenWindow| window.is_active && window.title.ends_with("- GRASS GIS");
        let tool = shown.find("toggle button", "Pointer");
        shown.windows.iter().any(has_come_up) && tool.is_some_and(AccessibleElement::is_shown)
    }

    /// Maps are files: the verifier looks at them. The list of layers is not among what it tells.
    fn probe(&self, shown: &AppProbe<'_>) -> Value {
        let titles: Vec<&str> = shown.windows.iter().map(|window| window.title.as_str()).collect();
        json!({ "is_running": shown.is_running, "windows": titles })
    }

    fn has_command_line(&self) -> bool {
        true
    }

    fn scenarios(&self) -> &'static [&'static dyn DesktopScenario] {
        SCENARIOS
    }

    fn needs(&self) -> Vec<WorldNeed> {
        vec![SOFTWARE.need(NAME)]
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(mapset_judge::MapsetJudge)]
    }

    fn code(&self) -> Option<Digest> {
        crate::CODE.of(NAME)
    }
}

const SCENARIOS: &[&dyn DesktopScenario] = &[
    &make_raster::HIGH_GROUND,
    &make_raster::SLOPE,
    &make_raster::SCALED,
    &make_raster::GROUPED,
    &make_raster::SMOOTHED,
    &make_raster::LAKE,
    &make_raster::DISTANCE,
    &make_raster::COARSER,
    &answers::VALUE_AT,
    &answers::LAND_AREA,
    &answers::SUMMIT,
    &answers::LAND_MEAN,
    &answers::LAKE_VOLUME,
    &regions::SET_REGION,
    &regions::SAVED_REGION,
    &upkeep::RENAME_AND_COPY,
    &points::IMPORT,
    &points::HEIGHTS,
    &points::EXTRACT,
    &workspace_file::LAYERS,
    &sites::SITES,
    &impossible::OUTSIDE,
    &impossible::REMOVED,
];
