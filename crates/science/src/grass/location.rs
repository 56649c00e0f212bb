//! The files of a location, as GRASS keeps them, written without it.

use std::collections::BTreeMap;

use quintain_desktop::HOME;

use super::cell_grid::CellGrid;
use super::land::{CELL_M, EAST, Land, N_COLS, N_ROWS, NORTH, SOUTH, USES, WEST};

/// Where the maps are, in the home.
pub(super) const PERMANENT: &str = "gis/hills/PERMANENT";

/// What a session says of where it is.
pub(super) fn session(mapset: &str) -> String {
    format!("GISDBASE: {HOME}/gis\nLOCATION_NAME: hills\nMAPSET: {mapset}\nGUI: wxpython\n")
}

/// The region that covers everything.
pub(super) fn whole_region() -> String {
    let cells = format!("{N_COLS}\nrows3:      {N_ROWS}\ndepths:     1\n");
    let resolutions = format!("e-w resol3: {CELL_M}\nn-s resol3: {CELL_M}\nt-b resol:  1\n");
    format!("{}top:        1\nbottom:     0\ncols3:      {cells}{resolutions}", bounds())
}

fn bounds() -> String {
    format!(
        "proj:       1\nzone:       33\nnorth:      {NORTH}\nsouth:      {SOUTH}\neast:       {EAST}\nwest:       {WEST}\n\
         cols:       {N_COLS}\nrows:       {N_ROWS}\ne-w resol:  {CELL_M}\nn-s resol:  {CELL_M}\n"
    )
}

/// All files of the location, by their paths in the home.
pub(super) fn files(land: &Land) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut put = |name: &str, bytes: Vec<u8>| {
        files.insert(format!("{PERMANENT}/{name}"), bytes);
    };
    let texts = [
        ("DEFAULT_WIND", whole_region()),
        ("WIND", whole_region()),
        ("MYNAME", "hills\n".to_owned()),
        ("PROJ_INFO", "name: WGS 84 / UTM zone 33N\ndatum: wgs84\nellps: wgs84\nproj: utm\nzone: 33\nno_defs: defined\n".to_owned()),
        ("PROJ_UNITS", "unit: meter\nunits: meters\nmeters: 1\n".to_owned()),
        ("PROJ_SRID", "EPSG:32633\n".to_owned()),
        ("VAR", "DB_DRIVER: sqlite\nDB_DATABASE: $GISDBASE/$LOCATION_NAME/$MAPSET/sqlite/sqlite.db\n".to_owned()),
        ("cellhd/elevation", format!("{}format:     -1\ncompressed: 0\n", bounds())),
        ("cell_misc/elevation/f_format", "type: float\nbyte_order: xdr\nlzw_compression_bits: -1\n".to_owned()),
        ("cell_misc/elevation/f_quant", "round\n".to_owned()),
        ("cats/elevation", categories("elevation in metres", &[])),
        ("hist/elevation", history("elevation")),
        ("cellhd/landuse", format!("{}format:     3\ncompressed: 0\n", bounds())),
        ("cell_misc/landuse/range", format!("1 {}\n", USES.len())),
        ("cats/landuse", categories("land use", &USES)),
        ("colr/landuse", "% 1 5\n1:0:110:50 2:150:210:90\n2:150:210:90 3:230:210:80\n3:230:210:80 4:170:100:150\n4:170:100:150 5:220:90:60\n".to_owned()),
        ("hist/landuse", history("landuse")),
    ];
    for (name, text) in texts {
        put(name, text.into_bytes());
    }
    let (least, greatest) = land.span();
    put("cell_misc/elevation/f_range", [least.to_be_bytes(), greatest.to_be_bytes()].concat());
    put("fcell/elevation", cells(&land.elevation, |value| (value as f32).to_be_bytes()));
    put("cell/elevation", Vec::new());
    put("cell/landuse", cells(&land.landuse, |value| (value as u32).to_be_bytes()));
    files
}

fn cells(grid: &CellGrid, bytes: impl Fn(f64) -> [u8; 4]) -> Vec<u8> {
    grid.cells.iter().flat_map(|value| bytes(value.unwrap_or_default())).collect()
}

fn categories(title: &str, labels: &[&str]) -> String {
    let lines: String = labels.iter().enumerate().map(|(n, label)| format!("{}:{label}\n", n + 1)).collect();
    format!("# {} categories\n{title}\n\n0.00 0.00 0.00 0.00\n{lines}", labels.len())
}

fn history(name: &str) -> String {
    format!("Wed Jan  1 00:00:00 2025\n{name}\nPERMANENT\nsurveyor\nraster\n\n\ngenerated\n")
}
