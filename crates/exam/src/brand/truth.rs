//! What is right of a poster: limits of its measures, and the looks of its objects.

use serde_json::{Map, Value, json};

use super::poster::{BrandPoster, PosterObject, PosterPlace};

/// What is forgiven, as the instruction says.
pub(super) const PLACE_TOLERANCE_MM: f64 = 0.5;
const RULE_TOLERANCE_MM: f64 = 0.1;
const PAGE_TOLERANCE_MM: f64 = 0.2;
const SIZE_TOLERANCE_PT: f64 = 0.1;

/// Limits by the names of measures.
struct PosterLimits(Map<String, Value>);

impl PosterLimits {
    fn near(&mut self, name: String, value: f64, tolerance: f64) {
        self.0.insert(name, json!({ "min": rounded(value - tolerance), "max": rounded(value + tolerance) }));
    }

    fn edges(&mut self, id: &str, edges: [(&str, f64); 4]) {
        for (edge, value) in edges {
            self.near(format!("{id}.{edge}"), value, PLACE_TOLERANCE_MM);
        }
    }

    fn at_most(&mut self, name: &str, value: f64) {
        self.0.insert(name.to_owned(), json!({ "max": rounded(value) }));
    }
}

/// Thousandths are enough for millimetres.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The name of a font, as PostScript has it.
pub(super) fn font_name(family: &str, weight: &str) -> String {
    let family: String = family.split(' ').collect();
    if weight == "bold" { family + "-Bold" } else { family }
}

/// Where everything is.
pub(super) fn limits(poster: &BrandPoster) -> Map<String, Value> {
    let mut limits = PosterLimits(Map::new());
    for sheet in ["page", "pdf"] {
        for (side, value) in ["width", "height"].iter().zip(poster.style.page_mm) {
            limits.near(format!("{sheet}.{side}"), value, PAGE_TOLERANCE_MM);
        }
    }
    for object in &poster.objects {
        limit(&mut limits, poster, object);
    }
    limits.at_most("overlaps", 0.0);
    limits.at_most("beyond_margins", PLACE_TOLERANCE_MM);
    let clear = poster.logo_height_mm() * poster.style.clear_share;
    limits.0.insert("logo.clear".to_owned(), json!({ "min": rounded(clear - PLACE_TOLERANCE_MM) }));
    limits.at_most("pdf.letters_moved", PLACE_TOLERANCE_MM);
    limits.at_most("pdf.shapes_moved", PLACE_TOLERANCE_MM);
    limits.0
}

fn limit(limits: &mut PosterLimits, poster: &BrandPoster, object: &PosterObject) {
    let (style, id) = (&poster.style, object.id.as_str());
    let [width, height] = style.page_mm;
    let edges = |left, top, right, bottom| [("left", left), ("top", top), ("right", right), ("bottom", bottom)];
    match object.place {
        PosterPlace::Page => limits.edges(id, edges(0.0, 0.0, width, height)),
        PosterPlace::Block { columns, lines } => limits.edges(
            id,
            edges(style.left_mm(columns.0), style.line_mm(lines.0), style.right_mm(columns.1), style.line_mm(lines.1)),
        ),
        PosterPlace::Hung { columns, line } => {
            let (left, top, right) = (style.left_mm(columns.0), style.line_mm(line), style.right_mm(columns.1));
            // The ornament is a square.
            let is_rule = object.role == "rule";
            let height = if is_rule { style.rule_mm } else { right - left };
            limits.edges(id, edges(left, top, right, top + height));
            if is_rule {
                limits.near(format!("{id}.height"), height, RULE_TOLERANCE_MM);
            }
        }
        PosterPlace::Set { columns, line } => {
            for at in 0..object.words.len() {
                let baseline = style.line_mm(line + at * style.types[object.role].leading_lines);
                limits.near(format!("{id}.{}.left", at + 1), style.left_mm(columns.0), PLACE_TOLERANCE_MM);
                limits.near(format!("{id}.{}.baseline", at + 1), baseline, PLACE_TOLERANCE_MM);
            }
            limits.at_most(&format!("{id}.right"), style.right_mm(columns.1) + PLACE_TOLERANCE_MM);
        }
        PosterPlace::Free { lines: (first, last) } => {
            limits.at_most(&format!("{id}.off_column"), PLACE_TOLERANCE_MM);
            limits.at_most(&format!("{id}.off_line"), PLACE_TOLERANCE_MM);
            limits.0.insert(format!("{id}.line"), json!({ "min": first, "max": last }));
        }
        PosterPlace::Corner => {
            let (right, bottom) = (width - style.margins_mm[1], height - style.margins_mm[2]);
            let (left, top) = (right - style.logo_width_mm, bottom - poster.logo_height_mm());
            limits.edges(id, edges(left, top, right, bottom));
        }
        PosterPlace::Part => {}
    }
}

/// What everything looks like.
pub(super) fn looks(poster: &BrandPoster) -> Value {
    let (mut fields, mut types) = (Map::new(), Map::new());
    for object in poster.objects.iter().filter(|object| object.place != PosterPlace::Corner) {
        let id = &object.id;
        fields.insert(format!("{id}.fill"), json!(poster.style.colour(object.role)));
        if object.words.is_empty() {
            continue;
        }
        let set = poster.style.types[object.role];
        fields.insert(format!("{id}.words"), json!(object.words.join(" ")));
        fields.insert(format!("{id}.font"), json!(font_name(set.family, set.weight)));
        fields.insert(format!("{id}.size_pt"), json!(set.size_pt));
        types.insert(format!("{id}.size_pt"), json!({ "type": "number", "tolerance": SIZE_TOLERANCE_PT }));
    }
    for nothing in ["missing", "added", "out_of_order", "off_palette", "strokes", "effects", "redrawn", "pdf.redrawn"] {
        fields.insert(nothing.to_owned(), json!("none"));
    }
    for same in ["pdf.text", "pdf.fonts", "pdf.colours"] {
        fields.insert(same.to_owned(), json!("same"));
    }
    json!({ "fields": fields, "types": types })
}
