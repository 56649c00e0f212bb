//! What a right solution left, altered.

use quintain_core::FileSet;
use quintain_core::world::AlteredFiles;
use quintain_workspace::alterations::{text_of, usual, with};

use super::house::{channels, hex};
use super::poster::BrandPoster;
use super::{PDF, SVG};

/// What must fail and what must pass of files that were right.
pub(super) fn of(poster: &BrandPoster, left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    let Some(drawing) = text_of(left, SVG) else { return altered };
    let changed = |(how, drawing): (&str, String)| with(left, SVG, how, drawing.into_bytes());
    altered.wrong.extend(wrong(poster, &drawing).into_iter().map(changed));
    altered.right.extend(right(poster, &drawing).into_iter().map(changed));
    if let Some(file) = left.get(SVG) {
        let mut same = left.clone();
        same.insert(PDF.to_owned(), file.clone());
        altered.wrong.push((format!("{PDF}: the drawing under the name of a PDF"), same));
    }
    altered
}

/// The first element with an id, from its beginning to the end of its tag, and what it becomes.
fn edited(drawing: &str, id: &str, edit: impl Fn(&str) -> String) -> String {
    let Some(at) = drawing.find(&format!("id=\"{id}\"")) else { return drawing.to_owned() };
    let from = drawing[..at].rfind('<').unwrap_or(at);
    let to = drawing[at..].find('>').map_or(drawing.len(), |end| at + end);
    format!("{}{}{}", &drawing[..from], edit(&drawing[from..to]), &drawing[to..])
}

/// A whole element with an id, where it holds none of its kind.
fn element<'a>(drawing: &'a str, id: &str, tag: &str) -> &'a str {
    let Some(at) = drawing.find(&format!("id=\"{id}\"")) else { return "" };
    let from = drawing[..at].rfind('<').unwrap_or(at);
    let end = format!("</{tag}>");
    let to = drawing[at..].find(&end).map_or(at, |to| at + to + end.len());
    &drawing[from..to]
}

/// The address has its colour by a class of these rules.
fn by_class(drawing: &str, ink: &str, rules: &str) -> String {
    let class = |tag: &str| tag.replacen(&format!("fill:{ink}"), "fill-opacity:1.0", 1) + " class=\"more\"";
    let sheet = format!("<style id=\"more\">{rules}</style></svg>");
    edited(drawing, "address", class).replacen("</svg>", &sheet, 1)
}

fn wrong(poster: &BrandPoster, drawing: &str) -> Vec<(&'static str, String)> {
    let style = &poster.style;
    let ink = style.colour("address");
    let mut near = channels(ink);
    near[2] = near[2].wrapping_add(1);
    let title =
        &poster.objects.iter().find(|object| object.id == "title").map(|it| it.words.concat()).unwrap_or_default();
    let last = title.chars().last().unwrap_or('e');
    let with_style =
        |id: &str, more: &str| edited(drawing, id, |tag| tag.replacen("style=\"", &format!("style=\"{more};"), 1));
    let date = element(drawing, "date", "text");
    let shape = "<rect id=\"sticker\" x=\"1\" y=\"1\" width=\"1\" height=\"1\" style=\"fill:none\"/></svg>";
    vec![
        ("a colour that is nearly right", edited(drawing, "address", |tag| tag.replace(ink, &hex(near)))),
        ("a word without its last letter", drawing.replacen(&format!("{last}</tspan>"), "</tspan>", 1)),
        ("a text is missing", drawing.replacen(date, "", 1)),
        (
            "a text is there twice",
            drawing.replacen(date, &format!("{date}{}", date.replace("id=\"", "id=\"again-")), 1),
        ),
        ("a shape more", drawing.replacen("</svg>", shape, 1)),
        ("a text is half seen through", with_style("title", "opacity:0.9")),
        ("a text is not shown", with_style("kicker", "visibility:hidden")),
        ("a line round a text", edited(drawing, "kicker", |tag| tag.replacen("stroke:none", "stroke:#000000", 1))),
        ("another name", drawing.replacen("id=\"subtitle\"", "id=\"sub-title\"", 1)),
        ("the logo is stretched", edited(drawing, "logo", |tag| tag.replacen("matrix(", "scale(1,1.2) matrix(", 1))),
        ("a page of another size", drawing.replacen("mm\"", ".5mm\"", 1)),
        (
            "a picture from elsewhere",
            drawing.replacen("</svg>", "<image id=\"i\" href=\"file:///etc/motd\"/></svg>", 1),
        ),
        (
            "the logo is off its corner",
            edited(drawing, "logo", |tag| tag.replacen("matrix(", "scale(1.01) matrix(", 1)),
        ),
        ("a panel with round corners", edited(drawing, "panel", |tag| tag.replacen("<rect", "<rect rx=\"30\"", 1))),
        ("petals that are squares", drawing.replacen("A 20,20 0 0 1 0,20", "V 20 H 0", 1)),
        (
            "a petal that is turned",
            edited(drawing, "tile-3", |tag| tag.replacen("translate(", "rotate(90,50,10) translate(", 1)),
        ),
        ("letters that are spaced", with_style("title", "letter-spacing:1px")),
        ("two rules for one colour", by_class(drawing, ink, &format!(".more{{fill:{ink}}} text.more{{fill:{ink}}}"))),
        ("an entity", drawing.replacen("<svg", "<!DOCTYPE svg [<!ENTITY a \"b\">]><svg", 1)),
    ]
}

fn right(poster: &BrandPoster, drawing: &str) -> Vec<(&'static str, String)> {
    let ink = poster.style.colour("address");
    let [r, g, b] = channels(ink);
    vec![
        ("a colour in another form", edited(drawing, "address", |tag| tag.replace(ink, &format!("rgb({r}, {g},{b})")))),
        ("a colour in capitals", edited(drawing, "address", |tag| tag.replace(ink, &ink.to_ascii_uppercase()))),
        ("a colour by a class", by_class(drawing, ink, &format!(".more{{fill:{ink}}}"))),
        ("a comment more", drawing.replacen("</svg>", "<!-- <rect/> --></svg>", 1)),
        ("a group around", drawing.replacen("</svg>", "<g id=\"empty\"/></svg>", 1)),
    ]
}
