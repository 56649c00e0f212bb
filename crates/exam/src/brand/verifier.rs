//! The verifier `apply-brand`: looks at the drawing itself, and at what Inkscape makes of it and of the PDF in a room of its own.

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_workspace::{VerifierRoom, complaints};
use serde_json::{Map, Value, json};

use super::drawn::{self, DrawnLeaf};
use super::inkscape::{MeasuredBoxes, measured};
use super::measures;
use super::poster::BrandPoster;
use super::printed::PrintedPage;
use super::shapes::{self, GivenShape};
use super::xml_tree::XmlTree;
use super::{NAME, PDF, SVG, planned};

/// The largest files that are read.
const MOST_SVG_BYTES: u64 = 4 << 20;
const MOST_PDF_BYTES: u64 = 16 << 20;

/// The kind `apply-brand`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BrandReview;

struct BrandReviewRun(String);

/// What there is to see of a drawing.
pub(super) struct SeenPoster {
    pub(super) leaves: Vec<DrawnLeaf>,
    pub(super) boxes: MeasuredBoxes,
    /// As Inkscape prints it.
    pub(super) page: PrintedPage,
}

impl VerifierKind for BrandReview {
    fn kind(&self) -> &'static str {
        NAME
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().next() {
            Some(option) => Err(format!("a verifier of kind `{NAME}` has no option `{option}`")),
            None => Ok(Box::new(BrandReviewRun(spec.name.clone()))),
        }
    }
}

impl VerifierRunner for BrandReviewRun {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let (poster, seed) = planned(&case.reference.start["plan"])?;
        let given = shapes::given(&poster, seed)?;
        Ok(vec![(self.0.clone(), reviewed(&poster, &given, case.files.get(SVG), case.files.get(PDF))?)])
    }
}

/// What is found out about both files; problems are the agent's.
fn reviewed(
    poster: &BrandPoster,
    given: &[GivenShape],
    svg: Option<&FileHandle>,
    pdf: Option<&FileHandle>,
) -> Result<Value, String> {
    let mut room = VerifierRoom::open()?;
    let seen = match seen(&mut room, svg)? {
        Ok(seen) => seen,
        Err(complaint) => {
            let problem = complaints::problem(complaint);
            return Ok(json!({ "style": problem, "placement": problem }));
        }
    };
    let (mut style, mut placement) = (Map::new(), Map::new());
    measures::of_drawing(poster, given, &seen, &mut style, &mut placement);
    match printed(&mut room, pdf)? {
        Ok(page) => measures::of_print(given, &seen.page, &page, &mut style, &mut placement),
        Err(complaint) => {
            for told in [&mut style, &mut placement] {
                told.insert("problem".to_owned(), json!(complaint));
            }
        }
    }
    Ok(json!({ "style": style, "placement": placement }))
}

/// Looks at the drawing; inside, a complaint. An outer error is ours.
fn seen(room: &mut VerifierRoom, svg: Option<&FileHandle>) -> Result<Result<SeenPoster, String>, String> {
    let faulty = |why: String| complaints::faulty(SVG, why);
    let read = complaints::bytes_left(SVG, svg, MOST_SVG_BYTES).and_then(|bytes| {
        let leaves = XmlTree::read(&bytes).and_then(|tree| drawn::leaves(&tree)).map_err(faulty)?;
        Ok((bytes, leaves))
    });
    let (bytes, leaves) = match read {
        Ok(read) => read,
        Err(complaint) => return Ok(Err(complaint)),
    };
    room.put("drawing.svg", &bytes)?;
    let (boxes, pdf) = match measured(room, "drawing.svg", "drawing.pdf")? {
        Ok(found) => found,
        Err(why) => return Ok(Err(faulty(why))),
    };
    let page = page_of(room, &pdf, "drawing")?;
    Ok(page.map(|page| SeenPoster { leaves, boxes, page }).map_err(faulty))
}

/// Looks at the PDF that was left; inside, a complaint.
fn printed(room: &mut VerifierRoom, pdf: Option<&FileHandle>) -> Result<Result<PrintedPage, String>, String> {
    let page = match complaints::bytes_left(PDF, pdf, MOST_PDF_BYTES) {
        // Inkscape would open anything else by what it is.
        Ok(bytes) if !bytes.starts_with(b"%PDF-") => Err("it is no PDF".to_owned()),
        Ok(bytes) => page_of(room, &bytes, "left")?,
        Err(complaint) => return Ok(Err(complaint)),
    };
    Ok(page.map_err(|why| complaints::faulty(PDF, why)))
}

fn page_of(room: &mut VerifierRoom, pdf: &[u8], name: &str) -> Result<Result<PrintedPage, String>, String> {
    let file = format!("{name}-print.pdf");
    room.put(&file, pdf)?;
    let found = measured(room, &file, &format!("{name}-print.svg"))?;
    Ok(found.and_then(|(boxes, drawing)| PrintedPage::read(&drawing, &boxes)))
}
