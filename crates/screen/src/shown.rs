//! The screen as it was last drawn, and everything that is made of it: a part enlarged, numbers on it, its tree.

use std::collections::BTreeSet;
use std::sync::Arc;

use quintain_core::action::Point;
use quintain_core::{Observation, ObservationPart, Screen};

use crate::element_tree::{ElementTree, MarkPlaces};
use crate::pixels;

/// What is shown of a world as long as nothing changes in it.
pub struct ShownScreen {
    size: (u32, u32),
    screen: Arc<[u8]>,
    zoomed: Option<Arc<[u8]>>,
    tree: Option<ElementTree>,
    /// Where the elements are whose numbers were shown last.
    marks: Vec<(u32, [f64; 4])>,
    /// The screen with these numbers, as long as nothing has changed.
    marked: Option<Arc<[u8]>>,
}

impl ShownScreen {
    /// A screen of this size, as a PNG.
    pub fn new(size: (u32, u32), screen: Arc<[u8]>) -> Self {
        Self { size, screen, zoomed: None, tree: None, marks: Vec::new(), marked: None }
    }

    /// The screen as a PNG.
    pub fn screen(&self) -> &Arc<[u8]> {
        &self.screen
    }

    /// Something has changed: another screen, and nothing known of it.
    pub fn replace(&mut self, screen: Arc<[u8]>) {
        self.tree = None;
        self.marked = None;
        self.screen = screen;
    }

    /// Shows a part of the screen, enlarged.
    pub fn zoom(&mut self, from: Point, to: Point) -> Result<(), String> {
        let enlarged = pixels::enlarge(&self.screen, [from.x, from.y, to.x, to.y])?;
        self.zoomed = Some(enlarged.into());
        Ok(())
    }

    /// Shows the whole screen again; says whether it did not.
    pub fn unzoom(&mut self) -> bool {
        self.zoomed.take().is_some()
    }

    /// Whether a part of it is shown.
    pub fn is_zoomed(&self) -> bool {
        self.zoomed.is_some()
    }

    /// Whether its tree has been read.
    pub fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// Its tree, if it has been read.
    pub fn tree(&self) -> Option<&ElementTree> {
        self.tree.as_ref()
    }

    /// The tree of the screen, read by somebody.
    pub fn learn(&mut self, tree: ElementTree) {
        self.tree = Some(tree);
    }

    /// Where the elements are whose numbers were shown last.
    pub fn marks(&self) -> &MarkPlaces {
        &self.marks
    }

    /// Adds the wanted ones of screen, tree and marks. The tree must have been read where it is wanted.
    pub fn show(&mut self, wanted: &BTreeSet<ObservationPart>, observation: &mut Observation) -> Result<(), String> {
        if wanted.contains(&ObservationPart::Screen) {
            let shown = self.zoomed.as_ref().unwrap_or(&self.screen);
            observation.pictures.insert(ObservationPart::Screen, self.picture(shown));
        }
        let Some(tree) = &self.tree else { return Ok(()) };
        if wanted.contains(&ObservationPart::Tree) || wanted.contains(&ObservationPart::Marks) {
            self.marks.clone_from(&tree.marks);
        }
        if wanted.contains(&ObservationPart::Tree) {
            observation.texts.insert(ObservationPart::Tree, tree.text.clone());
        }
        if wanted.contains(&ObservationPart::Marks) {
            let marked = self.marked()?;
            observation.pictures.insert(ObservationPart::Marks, self.picture(&marked));
        }
        Ok(())
    }

    /// The last screen.
    pub fn last(&self) -> Screen {
        self.picture(&self.screen)
    }

    /// The screen with the numbers of what can be acted on. Drawing and packing it takes longer than a step.
    fn marked(&mut self) -> Result<Arc<[u8]>, String> {
        let marked = match self.marked.take() {
            Some(marked) => marked,
            None => pixels::mark(&self.screen, &self.marks)?.into(),
        };
        Ok(Arc::clone(self.marked.insert(marked)))
    }

    fn picture(&self, bytes: &Arc<[u8]>) -> Screen {
        Screen::Png { bytes: Arc::clone(bytes), size: self.size }
    }
}
