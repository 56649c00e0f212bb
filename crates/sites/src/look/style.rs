//! Style sheets.

use super::{LookFamily, SiteColours};
use crate::draw::Draw;

const SANS: &str = "\"Liberation Sans\", Arial, Helvetica, sans-serif";
const WIDE_SANS: &str = "\"DejaVu Sans\", Verdana, sans-serif";
const NARROW: &str = "\"DejaVu Sans Condensed\", \"DejaVu Sans\", Tahoma, sans-serif";
const SERIF: &str = "\"Liberation Serif\", \"Times New Roman\", serif";
const BOOK: &str = "\"DejaVu Serif\", Georgia, serif";

/// What all sites share.
const BASE: &str = include_str!("base.css");

/// The style sheet of a site.
pub(super) fn css(family: LookFamily, colours: &SiteColours, mut draw: Draw) -> String {
    let (body, head, size, radius, width) = measures(family, &mut draw);
    let SiteColours { paper, panel, ink, muted, line, accent, accent_ink, tint, link } = colours;
    let own = match family {
        LookFamily::Broadsheet => include_str!("broadsheet.css"),
        LookFamily::Bureau => include_str!("bureau.css"),
        LookFamily::Commons => include_str!("commons.css"),
        LookFamily::Cards => include_str!("cards.css"),
        LookFamily::Ledger => include_str!("ledger.css"),
        LookFamily::College => include_str!("college.css"),
        LookFamily::Poster => include_str!("poster.css"),
        LookFamily::Almanac => include_str!("almanac.css"),
    };
    let table = *draw.choose(&[
        "table.grid tbody tr:nth-child(even){background:var(--panel)}",
        "table.grid td,table.grid th{border-bottom:1px solid var(--line)}",
        "table.grid{border:1px solid var(--line)}table.grid td,table.grid th{border:1px solid var(--line)}",
    ]);
    let order = if draw.chance(25) { ".aside{order:-1}" } else { "" };
    format!(
        ":root{{--paper:{paper};--panel:{panel};--ink:{ink};--muted:{muted};--line:{line};--accent:{accent};\
         --accent-ink:{accent_ink};--tint:{tint};--link:{link};--body:{body};--head:{head};--size:{size}px;\
         --radius:{radius}px;--width:{width}px}}\n{BASE}{own}{table}{order}"
    )
}

/// Type and measures: the type of the body and of headings, the size of type, the roundness of corners, the width.
fn measures(family: LookFamily, draw: &mut Draw) -> (&'static str, &'static str, usize, usize, usize) {
    let width = 1000 + 60 * draw.below(4);
    match family {
        LookFamily::Broadsheet => (*draw.choose(&[SERIF, BOOK]), *draw.choose(&[SERIF, BOOK]), 16, 0, width.min(1060)),
        LookFamily::Bureau => (SANS, *draw.choose(&[SANS, NARROW]), 15, 0, width),
        LookFamily::Commons => (*draw.choose(&[SANS, NARROW]), *draw.choose(&[SERIF, BOOK]), 14, 2, 1240),
        LookFamily::Cards => (*draw.choose(&[SANS, WIDE_SANS]), SANS, 15, 8 + draw.below(6), width),
        LookFamily::Ledger => (NARROW, NARROW, 13, 0, 1220),
        LookFamily::College => (*draw.choose(&[SANS, BOOK]), BOOK, 15, 3, width.min(1120)),
        LookFamily::Poster => (SANS, *draw.choose(&[NARROW, SANS]), 16, 4, 1120),
        LookFamily::Almanac => (BOOK, BOOK, 15, 0, 1040),
    }
}
