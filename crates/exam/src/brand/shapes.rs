//! The outlines that the shapes of a poster keep: those of the poster that came in, wherever they are moved to.

use std::collections::BTreeMap;

use super::drawing;
use super::inkscape::MeasuredBox;
use super::outline::{FillRule, ShapeOutline};
use super::poster::BrandPoster;
use super::printed::{PrintedPage, transform};
use super::xml_tree::{XmlElement, XmlTree};

/// A quarter of a disc of radius 1 as a curve: how far its handles reach.
const HANDLE: f64 = 0.552_285;
/// A disc as four such curves.
const DISC: [[f64; 2]; 13] = [
    [1.0, 0.0],
    [1.0, HANDLE],
    [HANDLE, 1.0],
    [0.0, 1.0],
    [-HANDLE, 1.0],
    [-1.0, HANDLE],
    [-1.0, 0.0],
    [-1.0, -HANDLE],
    [-HANDLE, -1.0],
    [0.0, -1.0],
    [HANDLE, -1.0],
    [1.0, -HANDLE],
    [1.0, 0.0],
];

/// A shape of the poster that came in.
pub(super) struct GivenShape {
    pub(super) id: String,
    /// The object that it keeps its place in.
    object: String,
    outline: ShapeOutline,
}

/// All shapes of a poster, from back to front.
pub(super) fn given(poster: &BrandPoster, seed: u64) -> Result<Vec<GivenShape>, String> {
    let tree = XmlTree::read(drawing::before(poster, seed).as_bytes())?;
    let is_text = |id: &String| poster.objects.iter().any(|object| object.id == *id && !object.words.is_empty());
    let shape = |id: String| {
        let at = tree.nodes.iter().position(|node| node.id() == id);
        let data = at.and_then(|at| data_of(&tree.nodes[at]).zip(Some(transform(&tree, at))));
        let outline = data.and_then(|(data, place)| ShapeOutline::read(&data, place, FillRule::NonZero));
        let outline = outline.ok_or_else(|| format!("the poster has no outline of `{id}`"))?;
        Ok(GivenShape { object: object_of(&id).to_owned(), id, outline })
    };
    drawing::leaves(poster).into_iter().filter(|id| !is_text(id)).map(shape).collect()
}

/// The shapes that a page shows otherwise; nothing if it has not as many.
pub(super) fn redrawn<'a>(given: &'a [GivenShape], page: &PrintedPage) -> Option<Vec<&'a str>> {
    if given.len() != page.shapes.len() {
        return None;
    }
    let pairs = || given.iter().zip(page.shapes.iter().map(|shape| shape.outline.as_ref()));
    let given_boxes = boxes(given.iter().map(|shape| (shape, Some(&shape.outline))));
    let page_boxes = boxes(pairs());
    let is_kept = |shape: &GivenShape, found: Option<&ShapeOutline>| {
        let (Some(from), Some(to)) = (given_boxes.get(shape.object.as_str()), page_boxes.get(shape.object.as_str()))
        else {
            return false;
        };
        found.is_some_and(|found| shape.outline.fitted(from, to).is_like(found))
    };
    Some(pairs().filter(|(shape, found)| !is_kept(shape, *found)).map(|(shape, _)| shape.id.as_str()).collect())
}

/// The box of each object around all its shapes.
fn boxes<'a>(
    shapes: impl Iterator<Item = (&'a GivenShape, Option<&'a ShapeOutline>)>,
) -> BTreeMap<&'a str, MeasuredBox> {
    let mut boxes: BTreeMap<&str, MeasuredBox> = BTreeMap::new();
    for (shape, outline) in shapes.filter_map(|(shape, outline)| Some((shape, outline?))) {
        let own = outline.covers();
        let all = boxes.entry(&shape.object).or_insert(own);
        *all = MeasuredBox {
            left: all.left.min(own.left),
            top: all.top.min(own.top),
            right: all.right.max(own.right),
            bottom: all.bottom.max(own.bottom),
        };
    }
    boxes
}

fn object_of(id: &str) -> &str {
    match id.split_once('-') {
        Some(("tile", _)) => "ornament",
        Some(("logo", _)) => "logo",
        _ => id,
    }
}

/// What an element of our drawings is as data of a path.
fn data_of(node: &XmlElement) -> Option<String> {
    let number = |name: &str| node.attribute(name)?.parse::<f64>().ok();
    match node.tag.as_str() {
        "path" => node.attribute("d").map(str::to_owned),
        "use" => {
            let (side, handle) = (drawing::TILE, drawing::TILE * HANDLE);
            Some(format!("M 0,0 H {side} C {side},{handle} {handle},{side} 0,{side} Z"))
        }
        "rect" => {
            let (x, y, width, height) = (number("x")?, number("y")?, number("width")?, number("height")?);
            Some(format!("M {x},{y} h {width} v {height} h {} Z", -width))
        }
        "circle" => {
            let (x, y, r) = (number("cx")?, number("cy")?, number("r")?);
            let points = DISC.map(|[across, down]| format!("{},{}", x + r * across, y + r * down));
            Some(format!("M {} C {} Z", points[0], points[1..].join(" ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::printed::PrintedShape;
    use super::*;

    /// A page that shows shapes as they were given.
    fn shown(given: &[GivenShape]) -> PrintedPage {
        let shape = |given: &GivenShape| PrintedShape {
            fill: String::new(),
            covers: given.outline.covers(),
            outline: Some(given.outline.clone()),
        };
        PrintedPage { shapes: given.iter().map(shape).collect(), ..PrintedPage::default() }
    }

    #[test]
    fn shapes_are_kept_or_told() {
        for seed in 0..20 {
            let poster = BrandPoster::drawn(seed, 3);
            let given = given(&poster, seed).unwrap();
            assert_eq!(given.len(), 2 + 16 + 3 + 3 + poster.style.house.len(), "seed {seed}");
            let mut page = shown(&given);
            assert_eq!(redrawn(&given, &page), Some(vec![]), "seed {seed}");
            let at = |id: &str| given.iter().position(|shape| shape.id == id).unwrap();
            let (disc, panel) = (at("logo-mark-1"), at("panel"));
            let around = page.shapes[panel].covers;
            page.shapes[panel].outline = Some(given[disc].outline.fitted(&given[disc].outline.covers(), &around));
            page.shapes[disc].outline = None;
            assert_eq!(redrawn(&given, &page), Some(vec!["panel", "logo-mark-1"]), "seed {seed}");
            page.shapes.pop();
            assert_eq!(redrawn(&given, &page), None);
        }
    }

    #[test]
    fn parts_keep_their_places() {
        let poster = BrandPoster::drawn(1, 3);
        let given = given(&poster, 1).unwrap();
        let mut page = shown(&given);
        let at = |id: &str| given.iter().position(|shape| shape.id == id).unwrap();
        let (from, to) = (given[at("logo-mark-2")].outline.covers(), given[at("logo-mark-1")].outline.covers());
        page.shapes[at("logo-mark-2")].outline = Some(given[at("logo-mark-2")].outline.fitted(&from, &to));
        assert!(redrawn(&given, &page).unwrap().contains(&"logo-mark-2"));
    }
}
