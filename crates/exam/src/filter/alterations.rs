//! What a right filter is altered to: nearly right, or right in another way.

use quintain_core::FileSet;
use quintain_core::world::AlteredFiles;
use quintain_workspace::alterations::{text_of, usual, with};
use serde_json::Value;

use super::order::FilterOrder;
use super::parts::spice_number;
use super::planned;
use super::verifier::NETLIST;

/// All of them.
pub(super) fn of(plan: &Value, left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    let (Ok((_, order)), Some(text)) = (planned(plan), text_of(left, NETLIST)) else { return altered };
    let changed = |(how, text): (&str, String)| with(left, NETLIST, how, text.into_bytes());
    altered.wrong.extend(near_misses(&text, &order).into_iter().map(changed));
    altered.wrong.extend(tricks(&text, &order).into_iter().map(changed));
    altered.right.extend(variations(&text).into_iter().map(changed));
    altered
}

/// One thing in it is not as it should be.
fn near_misses(text: &str, order: &FilterOrder) -> Vec<(&'static str, String)> {
    let resistors = order.resistors.values();
    let next = |value: f64| resistors.iter().copied().find(|known| *known > value * 1.15).unwrap_or(value / 2.0);
    let swapped = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with("X1 ") {
            [words[0], words[2], words[1], words[3], words[4]].join(" ")
        } else {
            line.to_owned()
        }
    };
    vec![
        ("the inputs of an op-amp exchanged", by_line(text, swapped)),
        ("a resistor two steps higher", by_value(text, "R22", |value| format!("{:e}", next(value)))),
        ("a resistor between the steps", by_value(text, "R11", |value| format!("{:e}", value * 1.01))),
        ("a resistor beyond the range", by_value(text, "R11", |value| format!("{:e}", value * 1000.0))),
        ("a capacitor ten times as large", by_value(text, "C11", |value| format!("{:e}", value * 10.0))),
        ("all capacitors of half the size", by_value(text, "C", |value| format!("{:e}", value / 2.0))),
        (
            "the capacitors of one stage forgotten",
            by_line(text, |line| if line.starts_with("C2") { "*".to_owned() } else { line.to_owned() }),
        ),
        ("another name", text.replace(".subckt filter", ".subckt lowpass")),
        ("the ends exchanged", text.replace("filter in out", "filter out in")),
    ]
}

/// What a simulator would take, and a board would not.
fn tricks(text: &str, order: &FilterOrder) -> Vec<(&'static str, String)> {
    let name = &order.opamp.name;
    let more = |line: &str| text.replacen(".ends", &format!("{line}\n.ends"), 1);
    let own = format!("{text}.subckt {name} p n o\nE1 o 0 p n 1e6\n.ends\n");
    vec![
        ("a source of its own", more("E1 out 0 in 0 2")),
        ("a behavioural source", more("B1 out 0 V=2*v(in)")),
        ("an inductor", more("L1 out 0 1m")),
        ("a capacitor that ends nowhere", more("C99 out nowhere 1n")),
        ("one op-amp more", more(&format!("X9 out q q {name}"))),
        ("an op-amp of its own", own),
        ("an ideal op-amp", text.replacen(name.as_str(), "ideal", 1)),
        ("another file included", format!(".include ../input/opamp.lib\n{text}")),
        ("a parameter", more(".param tolerance=0")),
        ("commands", format!("{text}.control\nalter r.x1.r11 = 1k\n.endc\n")),
        ("a value that is an expression", by_value(text, "R11", |value| format!("{{{value}}}"))),
    ]
}

/// Right in another way.
fn variations(text: &str) -> Vec<(&'static str, String)> {
    let mut lines: Vec<&str> = text.lines().collect();
    let is_element = |line: &&str| line.starts_with(['R', 'C', 'X']);
    if let (Some(first), Some(last)) = (lines.iter().position(is_element), lines.iter().rposition(is_element)) {
        lines[first..=last].reverse();
    }
    vec![
        ("lines that end in CRLF", text.replace('\n', "\r\n")),
        ("capital letters", text.to_ascii_uppercase()),
        ("elements the other way round", lines.join("\n")),
        ("plain numbers", by_value(text, "", |value| format!("{value:e}"))),
        (
            "units",
            by_line(text, |line| if line.starts_with('C') { format!("{line}F ; film") } else { line.to_owned() }),
        ),
        ("nodes of other names", text.replace(" a1", " front_1").replace(" m1", " 17")),
        ("an end", format!("{text}\n* that is all\n.end\n")),
        ("lines that continue", text.replace(" a1 ", "\n+ a1 ")),
    ]
}

fn by_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

/// Other values for the parts whose names begin so.
fn by_value(text: &str, name: &str, change: impl Fn(f64) -> String) -> String {
    by_line(text, |line| {
        let value = line.split_whitespace().last().and_then(spice_number);
        match value.filter(|_| line.starts_with(name) && line.starts_with(['R', 'C'])) {
            Some(value) => {
                let kept = line.rsplit_once(' ').map_or(line, |(kept, _)| kept);
                format!("{kept} {}", change(value))
            }
            None => line.to_owned(),
        }
    })
}
