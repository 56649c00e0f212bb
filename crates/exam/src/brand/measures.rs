//! The measures of a poster, as checks know them.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::drawing;
use super::drawn::DrawnLeaf;
use super::inkscape::{MeasuredBox, MeasuredBoxes};
use super::poster::{BrandPoster, PosterObject, PosterPlace};
use super::printed::{PrintedLetter, PrintedPage};
use super::shapes::{self, GivenShape};
use super::truth::{PLACE_TOLERANCE_MM, rounded};
use super::verifier::SeenPoster;

/// Names are told as long as there are not more of them.
const MOST_NAMES: usize = 20;

type ToldMeasures = Map<String, Value>;

/// What there is to tell of a drawing.
pub(super) fn of_drawing(
    poster: &BrandPoster,
    given: &[GivenShape],
    seen: &SeenPoster,
    style: &mut ToldMeasures,
    placement: &mut ToldMeasures,
) {
    inventory(poster, &seen.leaves, style);
    style.insert("redrawn".to_owned(), redrawn(given, &seen.page));
    for (side, value) in ["width", "height"].iter().zip(seen.page.size_mm) {
        placement.insert(format!("page.{side}"), json!(rounded(value)));
    }
    let letters = letters_by_text(&seen.leaves, &seen.page.letters);
    for object in &poster.objects {
        if object.place != PosterPlace::Corner {
            style.insert(format!("{}.fill", object.id), json!(fill(&seen.leaves, &object.id)));
        }
        if let Some(covers) = seen.boxes.get(&object.id) {
            edges(&object.id, covers, placement);
        }
        if !object.words.is_empty() {
            text(poster, object, seen, &letters, style, placement);
        }
    }
    together(poster, &seen.boxes, placement);
}

fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> Value {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let told: Vec<&str> = names.into_iter().take(MOST_NAMES).collect();
    if told.is_empty() { json!("none") } else { json!(told.join(" ")) }
}

/// The shapes of a page whose outline is not the one that was given.
fn redrawn(given: &[GivenShape], page: &PrintedPage) -> Value {
    match shapes::redrawn(given, page) {
        Some(names) => listed(names),
        None => json!(format!("{} shapes are shown instead of {}", page.shapes.len(), given.len())),
    }
}

/// What is missing, what is too much, and what looks as nothing of the house does.
fn inventory(poster: &BrandPoster, leaves: &[DrawnLeaf], style: &mut ToldMeasures) {
    let wanted = drawing::leaves(poster);
    let found: Vec<&str> = leaves.iter().map(|leaf| leaf.id.as_str()).collect();
    let known: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    let missing = wanted.iter().map(String::as_str).filter(|id| !found.contains(id));
    style.insert("missing".to_owned(), listed(missing));
    style.insert(
        "added".to_owned(),
        listed(
            found.iter().copied().filter(|id| !known.contains(id)).map(|id| if id.is_empty() { "unnamed" } else { id }),
        ),
    );
    let kept: Vec<&str> = found.iter().copied().filter(|id| known.contains(id)).collect();
    let right: Vec<&str> = wanted.iter().map(String::as_str).filter(|id| found.contains(id)).collect();
    let moved = kept.iter().zip(&right).filter(|(a, b)| a != b).map(|(a, _)| *a);
    style.insert("out_of_order".to_owned(), listed(moved));
    let palette: BTreeSet<&str> = poster.style.palette.values().map(String::as_str).collect();
    let fills = leaves.iter().flat_map(|leaf| &leaf.fills).map(String::as_str);
    style.insert("off_palette".to_owned(), listed(fills.filter(|fill| !palette.contains(fill))));
    let is_stroked = |leaf: &&DrawnLeaf| leaf.strokes.iter().any(|stroke| stroke != "none");
    style.insert("strokes".to_owned(), listed(leaves.iter().filter(is_stroked).map(|leaf| leaf.id.as_str())));
    let effects = leaves.iter().filter(|leaf| leaf.has_effect).map(|leaf| leaf.id.as_str());
    style.insert("effects".to_owned(), listed(effects));
}

/// The colours of all that belongs to an object.
fn fill(leaves: &[DrawnLeaf], id: &str) -> String {
    let of = leaves.iter().filter(|leaf| leaf.around.iter().any(|around| around == id));
    let fills: BTreeSet<&str> = of.flat_map(|leaf| &leaf.fills).map(String::as_str).collect();
    fills.into_iter().collect::<Vec<_>>().join(" ")
}

fn edges(id: &str, covers: &MeasuredBox, placement: &mut ToldMeasures) {
    let MeasuredBox { left, top, right, bottom } = *covers;
    for (edge, value) in [("left", left), ("top", top), ("right", right), ("bottom", bottom), ("height", bottom - top)]
    {
        placement.insert(format!("{id}.{edge}"), json!(rounded(value)));
    }
}

/// The letters of each text; nothing at all if the page says something else than the drawing.
fn letters_by_text<'a>(leaves: &'a [DrawnLeaf], letters: &'a [PrintedLetter]) -> Vec<(&'a str, &'a [PrintedLetter])> {
    let (mut found, mut rest) = (Vec::new(), letters);
    for leaf in leaves.iter().filter(|leaf| !leaf.words.is_empty()) {
        let wanted: Vec<char> = leaf.words.chars().filter(|letter| !letter.is_whitespace()).collect();
        let Some((own, after)) = rest.split_at_checked(wanted.len()) else { return Vec::new() };
        if !own.iter().map(|letter| letter.letter).eq(wanted) {
            return Vec::new();
        }
        found.push((leaf.id.as_str(), own));
        rest = after;
    }
    if rest.is_empty() { found } else { Vec::new() }
}

fn text(
    poster: &BrandPoster,
    object: &PosterObject,
    seen: &SeenPoster,
    letters: &[(&str, &[PrintedLetter])],
    style: &mut ToldMeasures,
    placement: &mut ToldMeasures,
) {
    let id = &object.id;
    let Some(leaf) = seen.leaves.iter().find(|leaf| leaf.id == *id && leaf.tag == "text") else { return };
    style.insert(format!("{id}.words"), json!(leaf.words));
    let Some(&(_, mut rest)) = letters.iter().find(|(of, _)| of == id) else { return };
    style.insert(format!("{id}.font"), listed(rest.iter().map(|letter| letter.font.as_str())));
    let sizes = || rest.iter().map(|letter| letter.size_pt);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    style.insert(format!("{id}.size_pt"), json!(rounded(if most - least < 0.05 { most } else { 0.0 })));
    if leaf.words != object.words.join(" ") {
        return;
    }
    for (at, words) in object.words.iter().enumerate() {
        let n_letters = words.chars().filter(|letter| !letter.is_whitespace()).count();
        let (line, after) = rest.split_at(n_letters.min(rest.len()));
        rest = after;
        if let (Some(first), Some(last)) = (line.first(), line.last()) {
            stand(poster, object, (at, first, last), placement);
        }
    }
}

/// Where a line of a text stands. Its baseline is that of whichever of its ends is farther off.
fn stand(
    poster: &BrandPoster,
    object: &PosterObject,
    (at, first, last): (usize, &PrintedLetter, &PrintedLetter),
    placement: &mut ToldMeasures,
) {
    let (style, id) = (&poster.style, &object.id);
    let ([left, baseline], end) = (first.pen_mm, last.pen_mm[1]);
    if (baseline - end).abs() > 0.05 || last.pen_mm[0] < left {
        return;
    }
    if !matches!(object.place, PosterPlace::Free { .. }) {
        placement.insert(format!("{id}.{}.left", at + 1), json!(rounded(left)));
        placement.insert(format!("{id}.{}.baseline", at + 1), json!(rounded(baseline)));
        return;
    }
    let offs = (1..=style.n_columns).map(|column| (style.left_mm(column) - left).abs());
    let line = ((baseline - style.line_mm(0)) / style.baseline_mm).round();
    let off_line = (baseline - style.line_mm(0) - line * style.baseline_mm).abs();
    placement.insert(format!("{id}.off_column"), json!(rounded(offs.fold(f64::INFINITY, f64::min))));
    placement.insert(format!("{id}.off_line"), json!(rounded(off_line)));
    placement.insert(format!("{id}.line"), json!(line));
}

/// What objects are to one another and to the margins.
fn together(poster: &BrandPoster, boxes: &MeasuredBoxes, placement: &mut ToldMeasures) {
    let boxes_of = |is_meant: &dyn Fn(PosterPlace) -> bool| -> Option<Vec<(&str, &MeasuredBox)>> {
        let meant = poster.objects.iter().filter(|object| is_meant(object.place));
        meant.map(|object| Some((object.id.as_str(), boxes.get(&object.id)?))).collect()
    };
    let is_ground = |place| matches!(place, PosterPlace::Page | PosterPlace::Block { .. } | PosterPlace::Part);
    let (Some(all), Some(inside)) =
        (boxes_of(&|place| !is_ground(place)), boxes_of(&|place| place != PosterPlace::Page))
    else {
        return;
    };
    let n_after = |at: usize| all[at + 1..].iter().filter(|other| all[at].1.gap(other.1) < -PLACE_TOLERANCE_MM).count();
    placement.insert("overlaps".to_owned(), json!((0..all.len()).map(n_after).sum::<usize>()));
    let ([width, height], [top, right, bottom, left]) = (poster.style.page_mm, poster.style.margins_mm);
    let beyond = inside
        .iter()
        .flat_map(|(_, it)| [left - it.left, top - it.top, it.right - width + right, it.bottom - height + bottom]);
    placement.insert("beyond_margins".to_owned(), json!(rounded(beyond.fold(0.0, f64::max))));
    if let Some((_, logo)) = all.iter().find(|(id, _)| *id == "logo") {
        let gaps = all.iter().filter(|(id, _)| *id != "logo").map(|(_, other)| logo.gap(other));
        placement.insert("logo.clear".to_owned(), json!(rounded(gaps.fold(1000.0, f64::min))));
    }
}

/// Whether a PDF is what the drawing gives.
pub(super) fn of_print(
    given: &[GivenShape],
    right: &PrintedPage,
    left: &PrintedPage,
    style: &mut ToldMeasures,
    placement: &mut ToldMeasures,
) {
    for (side, value) in ["width", "height"].iter().zip(left.size_mm) {
        placement.insert(format!("pdf.{side}"), json!(rounded(value)));
    }
    let same = |is_same: bool| if is_same { json!("same") } else { json!("different") };
    let letters = || right.letters.iter().zip(&left.letters);
    let says_same = right.letters.len() == left.letters.len() && letters().all(|(a, b)| a.letter == b.letter);
    style.insert("pdf.text".to_owned(), same(says_same && !left.letters.is_empty()));
    style.insert("pdf.fonts".to_owned(), same(says_same && letters().all(|(a, b)| a.font == b.font)));
    let shapes = || right.shapes.iter().zip(&left.shapes);
    let has_same = right.shapes.len() == left.shapes.len();
    let are_alike = letters().all(|(a, b)| a.fill == b.fill) && shapes().all(|(a, b)| a.fill == b.fill);
    style.insert("pdf.colours".to_owned(), same(says_same && has_same && are_alike));
    style.insert("pdf.redrawn".to_owned(), redrawn(given, left));
    if says_same {
        let moved = letters().map(|(a, b)| apart(&a.pen_mm, &b.pen_mm));
        placement.insert("pdf.letters_moved".to_owned(), json!(rounded(moved.fold(0.0, f64::max))));
    }
    if has_same {
        let corners = |it: &MeasuredBox| [it.left, it.top, it.right, it.bottom];
        let moved = shapes().map(|(a, b)| apart(&corners(&a.covers), &corners(&b.covers)));
        placement.insert("pdf.shapes_moved".to_owned(), json!(rounded(moved.fold(0.0, f64::max))));
    }
}

/// How far two places are apart, in the direction in which they are farther apart.
fn apart(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
