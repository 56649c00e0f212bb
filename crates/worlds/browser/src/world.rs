//! An app as a world.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::files::held;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::world::{Collected, World, WorldError};
use quintain_core::{Evidence, Feedback, Observation, ObservationPart};
use quintain_screen::{ElementTree, ShownScreen};
use serde_json::Value;

use crate::cdp::CdpDeadline;
use crate::clock::wait_until_ready;
use crate::gate::shortened;
use crate::input_devices::{ActionRefusal, InputDevices, InputResult, ScreenField};
use crate::page::{Page, PageCrash, PageError, PageOpening};
use crate::pool::BrowserPool;
use crate::tree;

/// The longest that an app may take until it can be used.
const OPEN_LIMIT: Duration = Duration::from_mins(1);

/// An app that is open in a browser.
pub(crate) struct BrowserWorld {
    app: &'static str,
    viewport: (u32, u32),
    pool: Arc<BrowserPool>,
    n_pages: u32,
    page: Option<Page>,
    hand: InputDevices,
    shown: ShownScreen,
}

impl From<PageError> for WorldError {
    /// A page that breaks down was broken by what was done in it; one that was killed, or a browser that is gone, was not.
    fn from(error: PageError) -> Self {
        match error {
            PageError::Crashed(PageCrash::BrokeDown) => Self::Exhausted(error.to_string()),
            PageError::Crashed(PageCrash::Killed) | PageError::Browser(_) | PageError::Stuck | PageError::App(_) => {
                Self::world(error.to_string())
            }
        }
    }
}

impl BrowserWorld {
    /// Opens an app in a warm browser, or in a new one where the warm one turns out to be gone.
    pub(crate) fn open(
        app: &'static str,
        pool: &Arc<BrowserPool>,
        opening: impl Fn() -> PageOpening,
    ) -> Result<Self, WorldError> {
        match Self::try_open(app, pool, opening()) {
            Err(WorldError::Fault { .. }) => Self::try_open(app, pool, opening()),
            opened => opened,
        }
    }

    fn try_open(app: &'static str, pool: &Arc<BrowserPool>, opening: PageOpening) -> Result<Self, WorldError> {
        let deadline = CdpDeadline::after(OPEN_LIMIT);
        let viewport = opening.viewport;
        let (chromium, n_pages) = pool.take().map_err(|error| WorldError::setup(error.to_string()))?.into_parts();
        let mut page = Page::open(chromium, opening, deadline)?;
        wait_until_ready(&mut page, deadline)?;
        let shown = ShownScreen::new(viewport, page.picture(deadline)?.into());
        Ok(Self {
            app,
            viewport,
            pool: Arc::clone(pool),
            n_pages,
            page: Some(page),
            hand: InputDevices::default(),
            shown,
        })
    }

    fn page(&mut self) -> Result<&mut Page, WorldError> {
        self.page.as_mut().ok_or_else(|| WorldError::world("the page is closed"))
    }

    /// Carries out one action, or the actions of a sequence up to the first that is refused.
    fn carry_out(&mut self, action: &Action, deadline: CdpDeadline) -> Result<Result<(), ActionRefusal>, WorldError> {
        match action {
            Action::Sequence { actions } => {
                for action in actions {
                    if let Err(refusal) = self.carry_out(action, deadline)? {
                        return Ok(Err(refusal));
                    }
                }
                Ok(Ok(()))
            }
            Action::Goto { url } => self.go_to(url, deadline),
            Action::Back | Action::Forward => {
                Ok(Err(ActionRefusal::Senseless("There is nothing to go to in the history.".to_owned())))
            }
            Action::Tab { index: 0 } => Ok(Ok(())),
            Action::Tab { .. } => Ok(Err(ActionRefusal::Senseless("There is one tab only.".to_owned()))),
            Action::Zoom { from, to } => Ok(self.shown.zoom(*from, *to).map_err(ActionRefusal::Senseless)),
            action => Ok(self.by_hand(action, deadline)?),
        }
    }

    fn by_hand(&mut self, action: &Action, deadline: CdpDeadline) -> InputResult {
        let field = ScreenField { viewport: self.viewport, marks: self.shown.marks() };
        match self.page.as_mut() {
            Some(page) => self.hand.act(page, action, field, deadline),
            None => Err(PageError::App("the page is closed".to_owned())),
        }
    }

    fn go_to(&mut self, address: &str, deadline: CdpDeadline) -> Result<Result<(), ActionRefusal>, WorldError> {
        let page = self.page()?;
        if !page.gate.leads_home(address) {
            return Ok(Err(ActionRefusal::OutOfBounds(format!("going to {}", shortened(address)))));
        }
        page.reload(deadline)?;
        wait_until_ready(page, deadline)?;
        Ok(Ok(()))
    }

    fn tree(&mut self, deadline: CdpDeadline) -> Result<&ElementTree, WorldError> {
        if !self.shown.has_tree() {
            let viewport = self.viewport;
            let tree = tree::read(self.page()?, viewport, deadline)?;
            self.shown.learn(tree);
        }
        Ok(self.shown.tree().expect("it was read just now"))
    }

    fn evidence(&mut self) -> Result<Evidence, WorldError> {
        let app = self.app;
        let page = self.page()?;
        let mut evidence = Evidence::document(app, page.inbox.document.clone());
        evidence.refused = page.gate.refused().to_vec();
        Ok(evidence)
    }
}

impl World for BrowserWorld {
    fn surface(&self) -> Surface {
        Surface {
            groups: [ActionGroup::Gui, ActionGroup::Browser].into(),
            parts: [ObservationPart::Screen, ObservationPart::Tree, ObservationPart::Marks].into(),
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
        if wanted.contains(&ObservationPart::Geometry) {
            observation = observation.with_text(ObservationPart::Geometry, self.page()?.geometry(deadline)?);
        }
        Ok(observation)
    }

    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        let deadline = CdpDeadline::after(within);
        let was_zoomed = self.shown.unzoom();
        let n_changes = self.page()?.inbox.n_changes;
        let done = self.carry_out(action, deadline)?;
        let page = self.page()?;
        let has_changed = page.inbox.n_changes != n_changes;
        let screen: Arc<[u8]> = page.picture(deadline)?.into();
        let looks_different = was_zoomed || screen != *self.shown.screen();
        if looks_different || has_changed {
            self.shown.replace(screen);
        }
        Ok(match done {
            Err(ActionRefusal::OutOfBounds(what)) => {
                let told = format!("Refused: {what}. There is nothing outside of the app.");
                self.page()?.gate.refuse(what);
                if looks_different { Feedback::changed(told) } else { Feedback::refused(told) }
            }
            Err(ActionRefusal::Senseless(why)) if has_changed || looks_different => Feedback::changed(why),
            Err(ActionRefusal::Senseless(why)) => Feedback::refused(why),
            Ok(()) if self.shown.is_zoomed() => Feedback::changed("This is a part of the screen, enlarged."),
            Ok(()) if has_changed || looks_different => Feedback::changed("Done."),
            Ok(()) => Feedback::unchanged("Done; nothing looks different."),
        })
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        self.evidence()
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        let deadline = CdpDeadline::after(within);
        let tree = self.tree(deadline)?.text.clone();
        let mut evidence = self.evidence()?;
        evidence.documents.insert("tree".to_owned(), Value::String(tree));
        let files = std::mem::take(&mut self.page()?.inbox.files);
        let files = files.into_iter().map(|(name, text)| (name, held(text.into_bytes()))).collect();
        Ok(Collected { evidence, screen: Some(self.shown.last()), files })
    }
}

impl Drop for BrowserWorld {
    /// The browser goes back to the pool unless its page cannot be closed.
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
