//! The files of a location, as GRASS keeps them, written without it.

use std::collections::BTreeMap;

use quintain_desktop::HOME;

use super::cell_grid::CellGrid;
use super::land::{CELL_M, Land, N_COLS, N_ROWS, NORTH, USES, WEST};

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
    let whole =
        CellGrid { west: WEST, north: NORTH, cell_m: CELL_M, n_cols: N_COLS, cells: vec![None; N_ROWS * N_COLS] };
    format!("{}top:        1\nbottom:     0\ncols3:      {cells}{resolutions}", bounds(&whole))
}

fn bounds(grid: &CellGrid) -> String {
    let CellGrid { west, north, cell_m, n_cols, .. } = grid;
    let n_rows = grid.n_rows();
    let (south, east) = (north - cell_m * n_rows as f64, west + cell_m * *n_cols as f64);
    format!(
        "proj:       1\nzone:       33\nnorth:      {north}\nsouth:      {south}\neast:       {east}\nwest:       {west}\n\
         cols:       {n_cols}\nrows:       {n_rows}\ne-w resol:  {cell_m}\nn-s resol:  {cell_m}\n"
    )
}

/// The files of a raster map of single precision, by their paths in the home.
pub(super) fn raster_files(name: &str, grid: &CellGrid) -> BTreeMap<String, Vec<u8>> {
    let values = || grid.cells.iter().flatten().copied();
    let (least, greatest) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    // What is no number is no value.
    let cell = |value: &Option<f64>| value.map_or([0xff; 4], |value| (value as f32).to_be_bytes());
    let files = [
        (format!("cellhd/{name}"), format!("{}format:     -1\ncompressed: 0\n", bounds(grid)).into_bytes()),
        (format!("cell_misc/{name}/f_format"), b"type: float\nbyte_order: xdr\nlzw_compression_bits: -1\n".to_vec()),
        (format!("cell_misc/{name}/f_quant"), b"round\n".to_vec()),
        (format!("cell_misc/{name}/f_range"), [least.to_be_bytes(), greatest.to_be_bytes()].concat()),
        (format!("cats/{name}"), categories(name, &[]).into_bytes()),
        (format!("hist/{name}"), history(name).into_bytes()),
        (format!("fcell/{name}"), grid.cells.iter().flat_map(cell).collect()),
        (format!("cell/{name}"), Vec::new()),
    ];
    files.into_iter().map(|(path, bytes)| (format!("{PERMANENT}/{path}"), bytes)).collect()
}

/// All files of the location, by their paths in the home.
pub(super) fn files(land: &Land) -> BTreeMap<String, Vec<u8>> {
    let mut files = raster_files("elevation", &land.elevation);
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
        ("cellhd/landuse", format!("{}format:     3\ncompressed: 0\n", bounds(&land.landuse))),
        ("cell_misc/landuse/range", format!("1 {}\n", USES.len())),
        ("cats/landuse", categories("land use", &USES)),
        ("colr/landuse", "% 1 5\n1:0:110:50 2:150:210:90\n2:150:210:90 3:230:210:80\n3:230:210:80 4:170:100:150\n4:170:100:150 5:220:90:60\n".to_owned()),
        ("hist/landuse", history("landuse")),
    ];
    for (name, text) in texts {
        put(name, text.into_bytes());
    }
    put(
        "cell/landuse",
        land.landuse.cells.iter().flat_map(|cell| (cell.unwrap_or_default() as u32).to_be_bytes()).collect(),
    );
    files
}

fn categories(title: &str, labels: &[&str]) -> String {
    let lines: Vec<String> = labels.iter().enumerate().map(|(n, label)| format!("{}:{label}\n", n + 1)).collect();
    let lines = lines.concat();
    format!("# {} categories\n{title}\n\n0.00 0.00 0.00 0.00\n{lines}", labels.len())
}

fn history(name: &str) -> String {
    format!("Wed Jan  1 00:00:00 2025\n{name}\nPERMANENT\nsurveyor\nraster\n\n\ngenerated\n")
}
