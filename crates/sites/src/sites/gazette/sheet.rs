//! How the text of a notice is shown: typed, or as a scan of the printed issue.

use super::deed::DeedPart;
use crate::html::Html;
use crate::page::PageWriter;
use crate::pictures::ScanSheet;

/// The text as it is typed today.
pub(super) fn typed(parts: &[DeedPart]) -> Html {
    let mut html = Html::new();
    html.element("div", &[("class", "sheet typed deed")], |html| {
        for part in parts {
            match part {
                DeedPart::Mast(text) => html.leaf("div", &[("class", "mast")], text),
                DeedPart::Line(text) => html.leaf("div", &[("class", "line")], text),
                DeedPart::Title(text) => html.leaf("h2", &[], text),
                DeedPart::Heading(text) => html.leaf("h3", &[], text),
                DeedPart::Text(text) => html.piece(text),
                DeedPart::Signature(name, office) => html.element("p", &[("class", "sign")], |html| {
                    if !name.is_empty() {
                        html.leaf("b", &[], name).text(" ");
                    }
                    html.leaf("span", &[], office);
                }),
            };
        }
    });
    html
}

/// The text as it was printed: strokes that no tree of elements holds.
pub(super) fn scanned(page: &PageWriter, parts: &[DeedPart]) -> Html {
    let mut sheet = ScanSheet::new(page.draw.fork(5));
    for part in parts {
        match part {
            DeedPart::Mast(text) => sheet.middle(text, fitting(text, 13.0)).rule().space(8.0),
            DeedPart::Line(text) => sheet.middle(text, fitting(text, 10.0)).space(16.0),
            DeedPart::Title(text) => sheet.middle(text, fitting(text, 13.0)).space(16.0),
            DeedPart::Heading(text) => sheet.space(10.0).middle(text, fitting(text, 11.0)),
            DeedPart::Text(text) => sheet.paragraph(text.visible_text().trim(), 10.0).space(4.0),
            DeedPart::Signature(name, office) => {
                let sheet = sheet.space(22.0);
                sheet.entry("", name, fitting(name, 11.0)).entry("", office, fitting(office, 8.5))
            }
        };
    }
    sheet.into_html()
}

/// A size of type in which a line fits between the margins.
fn fitting(text: &str, wanted: f64) -> f64 {
    wanted.min(600.0 / text.chars().count().max(1) as f64)
}
