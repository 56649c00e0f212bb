//! Flags of countries.

use crate::draw::Draw;
use crate::html::Html;

const FIELDS: [&str; 10] =
    ["#b3202c", "#1d4e9e", "#19733f", "#f2c230", "#ffffff", "#16181d", "#6fb4e0", "#e27a1f", "#5d2a74", "#8c1d2f"];

/// A flag, three by two.
pub(crate) fn flag(mut draw: Draw, width: usize) -> Html {
    let first = draw.below(FIELDS.len());
    let second = (first + 1 + draw.below(FIELDS.len() - 1)) % FIELDS.len();
    let third = (second + 1 + draw.below(FIELDS.len() - 1)) % FIELDS.len();
    let colours = [FIELDS[first], FIELDS[second], FIELDS[third]];
    let (width, height) = (width.to_string(), (width * 2 / 3).to_string());
    let mut html = Html::new();
    let open = [("width", width.as_str()), ("height", &height), ("viewBox", "0 0 90 60"), ("aria-hidden", "true")];
    html.element("svg", &open, |html| {
        let mut area = |path: &'static str, colour: &str| {
            html.leaf("path", &[("d", path), ("fill", colour)], "");
        };
        area("M0 0h90v60H0z", colours[0]);
        match draw.below(6) {
            0 => ["M0 20h90v20H0z", "M0 40h90v20H0z"].into_iter().zip(&colours[1..]).for_each(|(d, c)| area(d, c)),
            1 => ["M30 0h30v60H30z", "M60 0h30v60H60z"].into_iter().zip(&colours[1..]).for_each(|(d, c)| area(d, c)),
            2 => ["M0 22h90v16H0zM26 0h16v60H26z", "M0 26h90v8H0zM30 0h8v60H30z"]
                .into_iter()
                .zip(&colours[1..])
                .for_each(|(d, c)| area(d, c)),
            3 => ["M0 30h90v30H0z", "M0 0 40 30 0 60z"].into_iter().zip(&colours[1..]).for_each(|(d, c)| area(d, c)),
            4 => ["M45 14a16 16 0 1 0 .1 0z", "M45 22a8 8 0 1 0 .1 0z"]
                .into_iter()
                .zip(&colours[1..])
                .for_each(|(d, c)| area(d, c)),
            _ => ["M0 60 90 0v14L21 60zM0 46 69 0H90L0 60z", "M18 8l3 8h8l-6 5 2 8-7-5-7 5 2-8-6-5h8z"]
                .into_iter()
                .zip(&colours[1..])
                .for_each(|(d, c)| area(d, c)),
        }
        area("M0 0h90v60H0zM1 1v58h88V1z", "#0005");
    });
    html
}
