//! The model as SWMM 5 reads it.

use std::fmt::Write as _;

use super::runoff::{OPEN_ROUGHNESS, OPEN_STORAGE_MM, PAVED_ROUGHNESS, PAVED_STORAGE_MM, SMOOTH_PERCENT};
use super::sewers::{PIPE_ROUGHNESS, SewerNetwork};
use super::storms::{INTERVAL_MIN, TriangularStorm};

/// What all models share: three hours that begin with the storm, dynamic waves, no ponding.
const OPTIONS: &str = "\
FLOW_UNITS           CMS
INFILTRATION         HORTON
FLOW_ROUTING         DYNWAVE
LINK_OFFSETS         DEPTH
MIN_SLOPE            0
ALLOW_PONDING        NO
SKIP_STEADY_STATE    NO
START_DATE           06/01/2024
START_TIME           00:00:00
REPORT_START_DATE    06/01/2024
REPORT_START_TIME    00:00:00
END_DATE             06/01/2024
END_TIME             03:00:00
SWEEP_START          01/01
SWEEP_END            12/31
DRY_DAYS             5
REPORT_STEP          00:05:00
WET_STEP             00:01:00
DRY_STEP             00:05:00
ROUTING_STEP         00:00:05
INERTIAL_DAMPING     PARTIAL
NORMAL_FLOW_LIMITED  BOTH
FORCE_MAIN_EQUATION  H-W
VARIABLE_STEP        0.75
LENGTHENING_STEP     0
MIN_SURFAREA         1.167
MAX_TRIALS           8
HEAD_TOLERANCE       0.0015
THREADS              1
";

/// The model of a network with these diameters in a storm.
pub(super) fn written(network: &SewerNetwork, diameters_mm: &[u32], storm: &TriangularStorm) -> String {
    let sections = [
        ("TITLE", format!(";;Project Title/Notes\n{}, storm sewers, as built\n", network.town)),
        ("OPTIONS", format!(";;Option             Value\n{OPTIONS}")),
        ("EVAPORATION", ";;Data Source    Parameters\nCONSTANT         0.0\nDRY_ONLY         NO\n".to_owned()),
        ("RAINGAGES", rain_gages()),
        ("SUBCATCHMENTS", subcatchments(network)),
        ("SUBAREAS", subareas(network)),
        ("INFILTRATION", infiltration(network)),
        ("JUNCTIONS", junctions(network)),
        ("OUTFALLS", outfalls(network)),
        ("CONDUITS", conduits(network)),
        ("XSECTIONS", cross_sections(network, diameters_mm)),
        ("TIMESERIES", series(storm)),
        (
            "REPORT",
            ";;Reporting Options\nINPUT      NO\nCONTROLS   NO\nSUBCATCHMENTS ALL\nNODES ALL\nLINKS ALL\n".to_owned(),
        ),
        ("COORDINATES", coordinates(network)),
    ];
    sections.map(|(name, text)| format!("[{name}]\n{text}")).join("\n")
}

/// One line for each manhole, those farthest from the outfall first.
fn lines(network: &SewerNetwork, head: &str, line: impl Fn(usize) -> String) -> String {
    let all = (0..network.manholes.len()).rev().map(|at| line(at) + "\n");
    format!("{head}\n{}\n{}", rule(head), all.collect::<String>())
}

/// The line of hyphens below the names of columns.
fn rule(head: &str) -> String {
    let dashes = head.trim_start_matches(';').split_inclusive(' ').map(|piece| {
        let n = piece.trim_end().len();
        format!("{}{}", "-".repeat(n), " ".repeat(piece.len() - n))
    });
    format!(";;{}", dashes.collect::<String>())
}

fn rain_gages() -> String {
    let head = ";;Name           Format    Interval SCF      Source";
    format!("{head}\n{}\nRG1              INTENSITY 0:{INTERVAL_MIN:02}     1.0      TIMESERIES STORM\n", rule(head))
}

fn subcatchments(network: &SewerNetwork) -> String {
    lines(
        network,
        ";;Name           Rain_Gage        Outlet           Area     %Imperv  Width    %Slope   CurbLen",
        |at| {
            let manhole = &network.manholes[at];
            let catchment = manhole.catchment;
            format!(
                "{:<16} {:<16} {:<16} {:<8} {:<8} {:<8} {:<8} {:<8}",
                format!("S{}", manhole.number),
                "RG1",
                format!("J{}", manhole.number),
                catchment.area_ha,
                catchment.paved_percent,
                catchment.width_m,
                catchment.slope_percent,
                0
            )
        },
    )
}

fn subareas(network: &SewerNetwork) -> String {
    lines(network, ";;Subcatchment   N-Imperv   N-Perv     S-Imperv   S-Perv     PctZero    RouteTo", |at| {
        format!(
            "{:<16} {PAVED_ROUGHNESS:<10} {OPEN_ROUGHNESS:<10} {PAVED_STORAGE_MM:<10} {OPEN_STORAGE_MM:<10} {SMOOTH_PERCENT:<10} OUTLET",
            format!("S{}", network.manholes[at].number)
        )
    })
}

fn infiltration(network: &SewerNetwork) -> String {
    let soil = network.soil;
    lines(network, ";;Subcatchment   MaxRate    MinRate    Decay      DryTime    MaxInfil", |at| {
        format!(
            "{:<16} {:<10} {:<10} {:<10} {:<10} {:<10}",
            format!("S{}", network.manholes[at].number),
            soil.first_rate,
            soil.last_rate,
            soil.decay,
            7,
            0
        )
    })
}

fn junctions(network: &SewerNetwork) -> String {
    lines(network, ";;Name           Elevation  MaxDepth   InitDepth  SurDepth   Aponded", |at| {
        let manhole = &network.manholes[at];
        format!(
            "{:<16} {:<10.2} {:<10.2} 0          0          0",
            format!("J{}", manhole.number),
            manhole.invert_m,
            manhole.depth_m
        )
    })
}

fn outfalls(network: &SewerNetwork) -> String {
    let head = ";;Name           Elevation  Type       Stage_Data       Gated";
    format!(
        "{head}\n{}\nOUT1             {:<10.2} FREE                        NO\n",
        rule(head),
        network.outfall_invert_m
    )
}

fn conduits(network: &SewerNetwork) -> String {
    lines(
        network,
        ";;Name           From_Node        To_Node          Length     Roughness  InOffset   OutOffset  InitFlow   MaxFlow",
        |at| {
            let manhole = &network.manholes[at];
            let end =
                manhole.next.map_or_else(|| "OUT1".to_owned(), |next| format!("J{}", network.manholes[next].number));
            format!(
                "{:<16} {:<16} {end:<16} {:<10} {PIPE_ROUGHNESS:<10} 0          0          0          0",
                manhole.pipe(),
                format!("J{}", manhole.number),
                manhole.length_m
            )
        },
    )
}

fn cross_sections(network: &SewerNetwork, diameters_mm: &[u32]) -> String {
    lines(network, ";;Link           Shape        Geom1            Geom2      Geom3      Geom4      Barrels", |at| {
        let metres = f64::from(diameters_mm[at]) / 1000.0;
        format!("{:<16} CIRCULAR     {metres:<16} 0          0          0          1", network.manholes[at].pipe())
    })
}

fn series(storm: &TriangularStorm) -> String {
    let mut out =
        ";;Name           Date       Time       Value\n;;-------------- ---------- ---------- ----------\n".to_owned();
    for (at, intensity) in storm.intensities().iter().enumerate() {
        let minutes = at * INTERVAL_MIN;
        writeln!(out, "STORM                       {}:{:02}       {intensity:.2}", minutes / 60, minutes % 60).ok();
    }
    out
}

fn coordinates(network: &SewerNetwork) -> String {
    let all = lines(network, ";;Node           X-Coord            Y-Coord", |at| {
        let manhole = &network.manholes[at];
        format!("{:<16} {:<18.1} {:.1}", format!("J{}", manhole.number), manhole.place.0, manhole.place.1)
    });
    format!("{all}OUT1             {:<18.1} {:.1}\n", network.outfall.0, network.outfall.1)
}
