//! What a right design becomes: nearly right ones, and ones that are right in another way.

use quintain_core::FileSet;
use quintain_core::world::AlteredFiles;
use quintain_workspace::alterations::{text_of, usual, with};

use super::MODEL;
use super::prices::DIAMETERS_MM;
use super::reading::ModelSections;
use super::scheme::SewerScheme;

/// The usual alterations, and those of a model.
pub(super) fn of(scheme: &SewerScheme, left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    let Some(text) = text_of(left, MODEL) else { return altered };
    let changed = |(how, from, to): (&str, &str, &str)| with(left, MODEL, how, text.replacen(from, to, 1).into_bytes());
    altered.wrong.extend(NEAR_MISSES.map(changed));
    let written = |(how, lines): (&str, String)| with(left, MODEL, how, lines.into_bytes());
    altered.wrong.extend(pipes(scheme, &text).map(written));
    altered.right.extend(rewritten(&text).map(written));
    altered
}

/// What is put in the place of what, and is wrong then.
const NEAR_MISSES: [(&str, &str, &str); 7] = [
    ("streets that hold water", "ALLOW_PONDING        NO", "ALLOW_PONDING        YES"),
    ("kinematic waves", "DYNWAVE", "KINWAVE"),
    ("rain by half", "0:05     1.0      TIMESERIES", "0:05     0.5      TIMESERIES"),
    ("a shorter look", "END_TIME             03:00:00", "END_TIME             00:10:00"),
    ("smoother pipes", "0.013      0          0", "0.009      0          0"),
    ("a street made higher", "0          0          0\n", "0          9          0\n"),
    ("a section more", "[COORDINATES]", "[INFLOWS]\nJ10  FLOW  \"\"  FLOW  1.0  1.0  -0.5\n[COORDINATES]"),
];

/// Right designs with other diameters: all that was done for the widest new pipe undone, a size that nobody sells, a pipe
/// that has to stay as it is, and inches.
fn pipes(scheme: &SewerScheme, text: &str) -> [(&'static str, String); 4] {
    let found = ModelSections::read(text.as_bytes()).map(|sections| sections.without_diameters().0).unwrap_or_default();
    let manholes = scheme.network.manholes.iter();
    let names: Vec<String> = manholes.map(super::sewers::Manhole::pipe).collect();
    let mm = |pipe: usize| found.get(&names[pipe]).map_or(0, |mm| mm.round() as u32);
    let is_new = |pipe: &usize| mm(*pipe) != scheme.given_mm[*pipe];
    let new = (0..names.len()).filter(is_new).max_by_key(|pipe| mm(*pipe)).unwrap_or(0);
    let kept = (0..names.len()).find(|pipe| scheme.is_kept[*pipe]).unwrap_or(0);
    let next = DIAMETERS_MM.into_iter().find(|next| *next > mm(kept)).unwrap_or(2000);
    let all_given = (0..names.len()).fold(text.to_owned(), |text, pipe| {
        with_diameter(&text, &names[pipe], f64::from(scheme.given_mm[pipe]) / 1000.0)
    });
    let inches = (0..names.len())
        .fold(text.to_owned(), |text, pipe| with_diameter(&text, &names[pipe], f64::from(mm(pipe)) / 25.4));
    [
        ("nothing done", all_given),
        ("a size that nobody sells", with_diameter(text, &names[new], f64::from(mm(new)) / 1000.0 + 0.05)),
        ("a pipe that has to stay made wider", with_diameter(text, &names[kept], f64::from(next) / 1000.0)),
        ("inches", inches),
    ]
}

/// A model in which one pipe has another diameter.
fn with_diameter(text: &str, pipe: &str, metres: f64) -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [name, "CIRCULAR", _, rest @ ..] if *name == pipe => {
                format!("{name} CIRCULAR {metres} {}\n", rest.join(" "))
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// The same model, written otherwise.
fn rewritten(text: &str) -> [(&'static str, String); 5] {
    let mut sections: Vec<&str> = text.split("\n[").collect();
    let first = sections.remove(0).trim_start_matches('[');
    sections.insert(0, first);
    let turned: Vec<String> = sections.iter().rev().map(|section| format!("[{section}\n")).collect();
    let bare: Vec<&str> = text.lines().filter(|line| !line.starts_with(';') && !line.is_empty()).collect();
    [
        ("lines that end in CRLF", text.replace('\n', "\r\n")),
        ("the sections the other way round", turned.concat()),
        ("no comments", bare.join("\n") + "\n"),
        ("tabs", text.replace("          ", "\t")),
        ("another title", text.replacen("as built", "as planned", 1)),
    ]
}
