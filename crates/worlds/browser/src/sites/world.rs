//! A web of sites as a world.

mod acting;
mod going;
mod pointing;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::{Action, Point};
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::world::{Collected, World, WorldError};
use quintain_core::{Evidence, Feedback, Observation, ObservationPart};
use quintain_screen::{ElementTree, Pixels, ShownScreen};
use serde_json::{Value, json};

use super::SiteGate;
use super::dom;
use super::frame::{BrowserFrame, FRAME_HEIGHT};
use crate::cdp::CdpDeadline;
use crate::clock::settle;
use crate::input_devices::{ActionRefusal, InputDevices};
use crate::page::{Page, TabFacts};
use crate::pool::BrowserPool;
use crate::tree;
use acting::CopiedText;

/// The longest that a web may take until it can be used.
const OPEN_LIMIT: Duration = Duration::from_mins(1);
/// The fewest pixels that a page must have below the frame.
const LEAST_PAGE: u32 = 100;

/// A web of sites that is open in a browser.
pub(crate) struct SiteWorld {
    /// The whole screen: the frame and the page below it.
    viewport: (u32, u32),
    pool: Arc<BrowserPool>,
    n_pages: u32,
    page: Option<Page>,
    hand: InputDevices,
    /// Where the pointer is on the screen.
    pointer: Option<Point>,
    copied: Option<CopiedText>,
    frame: BrowserFrame,
    /// What the screen was made of.
    drawn: DrawnScreen,
    shown: ShownScreen,
}

/// A screen, by what it is made of.
struct DrawnScreen {
    /// The picture of the page.
    below: Vec<u8>,
    frame: BrowserFrame,
    /// The frame as pixels.
    above: Vec<u8>,
}

/// What a web is opened with.
pub(crate) struct SitesOpening {
    pub(crate) gate: SiteGate,
    pub(crate) viewport: (u32, u32),
}

/// What came of trying an action.
type ActionResult = Result<Result<(), ActionRefusal>, WorldError>;

impl SiteWorld {
    /// Opens a web at its home in a warm browser, or in a new one where the warm one turns out to be gone.
    pub(crate) fn open(
        pool: &Arc<BrowserPool>,
        opening: impl Fn() -> Result<SitesOpening, WorldError>,
    ) -> Result<Self, WorldError> {
        match Self::try_open(pool, opening()?) {
            Err(WorldError::Fault { .. }) => Self::try_open(pool, opening()?),
            opened => opened,
        }
    }

    fn try_open(pool: &Arc<BrowserPool>, opening: SitesOpening) -> Result<Self, WorldError> {
        let deadline = CdpDeadline::after(OPEN_LIMIT);
        let (width, height) = opening.viewport;
        if height < FRAME_HEIGHT + LEAST_PAGE {
            return Err(WorldError::setup(format!(
                "a screen of {height} rows is too low for a browser's frame and a page"
            )));
        }
        let (chromium, n_pages) = pool.take().map_err(|error| WorldError::setup(error.to_string()))?.into_parts();
        let mut page = Page::open_sites(chromium, opening.gate, (width, height - FRAME_HEIGHT), deadline)?;
        settle(&mut page, deadline)?;
        let tabs = vec![page.facts(deadline)?];
        let frame = BrowserFrame { width, tabs, ..BrowserFrame::default() };
        let drawn = DrawnScreen { below: page.picture(deadline)?, above: frame.painted(), frame };
        let screen = drawn.screen()?;
        Ok(Self {
            viewport: opening.viewport,
            pool: Arc::clone(pool),
            n_pages,
            page: Some(page),
            hand: InputDevices::default(),
            pointer: None,
            copied: None,
            frame: drawn.frame.clone(),
            drawn,
            shown: ShownScreen::new(opening.viewport, screen),
        })
    }

    fn page(&mut self) -> Result<&mut Page, WorldError> {
        self.page.as_mut().ok_or_else(|| WorldError::world("the page is closed"))
    }

    fn gate(&mut self) -> Result<&mut SiteGate, WorldError> {
        self.page()?.gate.sites_mut().ok_or_else(|| WorldError::world("there are no sites here"))
    }

    /// The size of the page below the frame.
    fn page_size(&self) -> (u32, u32) {
        (self.viewport.0, self.viewport.1 - FRAME_HEIGHT)
    }

    /// The screen as it is now.
    fn draw(&mut self, deadline: CdpDeadline) -> Result<Arc<[u8]>, WorldError> {
        let below = self.page()?.picture(deadline)?;
        let is_same_frame = self.frame == self.drawn.frame;
        if is_same_frame && below == self.drawn.below {
            return Ok(Arc::clone(self.shown.screen()));
        }
        if !is_same_frame {
            self.drawn.above = self.frame.painted();
            self.drawn.frame = self.frame.clone();
        }
        self.drawn.below = below;
        self.drawn.screen()
    }

    fn tree(&mut self, deadline: CdpDeadline) -> Result<&ElementTree, WorldError> {
        if !self.shown.has_tree() {
            let (above, size) = (self.frame.tree(), self.page_size());
            let tree = tree::read_below(above, f64::from(FRAME_HEIGHT), self.page()?, size, deadline)?;
            self.shown.learn(tree);
        }
        Ok(self.shown.tree().expect("it was read just now"))
    }

    /// Where everything is, in the frame and in the page, also below and above the screen.
    fn geometry(&mut self, deadline: CdpDeadline) -> Result<String, WorldError> {
        let told = self.page()?.geometry(deadline)?;
        let unreadable = |error| WorldError::world(format!("the page does not say where things are: {error}"));
        let mut places: BTreeMap<String, [f64; 4]> = serde_json::from_str(&told).map_err(unreadable)?;
        for [_, y, ..] in places.values_mut() {
            *y += f64::from(FRAME_HEIGHT);
        }
        places.extend(self.frame.places());
        Ok(serde_json::to_string(&places).expect("places are JSON"))
    }

    fn evidence(&mut self) -> Result<Evidence, WorldError> {
        let tab = |facts: &TabFacts| json!({ "title": facts.title, "address": facts.address });
        let tabs: Vec<Value> = self.frame.tabs.iter().map(tab).collect();
        let tabs = json!({ "shown": self.frame.shown, "tabs": tabs });
        let gate = self.gate()?;
        let mut evidence = Evidence::document("sites", gate.state());
        evidence.refused = gate.refused().to_vec();
        evidence.documents.insert("tabs".to_owned(), tabs);
        Ok(evidence)
    }

    fn feedback(&mut self, done: Result<(), ActionRefusal>, is_different: bool) -> Result<Feedback, WorldError> {
        Ok(match done {
            Err(ActionRefusal::OutOfBounds(what)) => {
                let told = format!("Refused: {what}. There is nothing outside of these sites.");
                self.gate()?.refuse(what);
                if is_different { Feedback::changed(told) } else { Feedback::refused(told) }
            }
            Err(ActionRefusal::Senseless(why)) if is_different => Feedback::changed(why),
            Err(ActionRefusal::Senseless(why)) => Feedback::refused(why),
            Ok(()) if self.shown.is_zoomed() => Feedback::changed("This is a part of the screen, enlarged."),
            Ok(()) if is_different => Feedback::changed("Done."),
            Ok(()) => Feedback::unchanged("Done; nothing looks different."),
        })
    }
}

impl DrawnScreen {
    /// The frame, and the picture of the page below it, as a PNG.
    fn screen(&self) -> Result<Arc<[u8]>, WorldError> {
        let screen = Pixels::from_png(&self.below).and_then(|page| page.below(&self.above).to_png());
        screen.map(Arc::from).map_err(WorldError::world)
    }
}

impl World for SiteWorld {
    fn surface(&self) -> Surface {
        let parts = [ObservationPart::Screen, ObservationPart::Tree, ObservationPart::Marks, ObservationPart::Dom];
        Surface {
            groups: [ActionGroup::Gui, ActionGroup::Browser].into(),
            parts: parts.into(),
            screen: Some(self.viewport),
            ..Surface::default()
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, within: Duration) -> Result<Observation, WorldError> {
        let deadline = CdpDeadline::after(within);
        let mut observation = Observation::default();
        if wanted.contains(&ObservationPart::Tree) || wanted.contains(&ObservationPart::Marks) {
            self.tree(deadline)?;
        }
        self.shown.show(wanted, &mut observation).map_err(WorldError::world)?;
        if wanted.contains(&ObservationPart::Dom) {
            observation = observation.with_text(ObservationPart::Dom, dom::read(self.page()?, deadline)?);
        }
        if wanted.contains(&ObservationPart::Geometry) {
            observation = observation.with_text(ObservationPart::Geometry, self.geometry(deadline)?);
        }
        Ok(observation)
    }

    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        let deadline = CdpDeadline::after(within);
        let was_zoomed = self.shown.unzoom();
        let gate = self.gate()?;
        gate.begin_step();
        let n_changes = gate.n_changes();
        let done = self.carry_out(action, deadline)?;
        let screen = self.draw(deadline)?;
        let has_changed = self.gate()?.n_changes() != n_changes;
        let is_different = was_zoomed || has_changed || screen != *self.shown.screen();
        if is_different {
            self.shown.replace(screen);
        }
        self.feedback(done, is_different)
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        self.evidence()
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        let deadline = CdpDeadline::after(within);
        let tree = self.tree(deadline)?.text.clone();
        let mut evidence = self.evidence()?;
        let gate = self.gate()?;
        let told = [("tree", Value::String(tree)), ("visits", gate.visits()), ("writes", gate.writes())];
        evidence.documents.extend(told.map(|(name, document)| (name.to_owned(), document)));
        Ok(Collected { evidence, screen: Some(self.shown.last()), ..Collected::default() })
    }
}

impl Drop for SiteWorld {
    /// The browser goes back to the pool unless its pages cannot be closed.
    fn drop(&mut self) {
        if let Some(page) = self.page.take()
            && let Ok(chromium) = page.close()
        {
            self.pool.give_back(chromium, self.n_pages);
        }
    }
}

#[cfg(test)]
mod tests;
