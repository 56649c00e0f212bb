//! The screen of a computer as a world has it: what is shown of it, and what somebody does at it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::{Feedback, Observation, ObservationPart, Screen};
use quintain_screen::ShownScreen;
use serde_json::json;

use crate::accessibility::AccessibleElement;
use crate::display::{Display, OpenWindow};
use crate::hand::{DesktopHand, HandRefusal};
use crate::machine::MachineFault;
use crate::{geometry, told_tree};

/// How long the screen may take to become quiet after an action.
const SETTLE_LIMIT: Duration = Duration::from_secs(3);
/// How long programs may take to tell what they show.
const TREE_LIMIT: Duration = Duration::from_secs(30);

/// The screen of a computer, with somebody in front of it.
pub struct MachineScreen {
    display: Box<dyn Display>,
    hand: DesktopHand,
    shown: ShownScreen,
    /// What programs tell, as long as nobody has done anything.
    elements: Option<Vec<AccessibleElement>>,
    /// Whether the action that is going on began with a part enlarged.
    was_zoomed: bool,
}

impl MachineScreen {
    /// The screen as it is now.
    pub fn new(mut display: Box<dyn Display>) -> Result<Self, MachineFault> {
        let size = display.size();
        let picture = display.capture()?.to_png().map_err(MachineFault::Display)?;
        let shown = ShownScreen::new(size, picture.into());
        Ok(Self { display, hand: DesktopHand::new(size), shown, elements: None, was_zoomed: false })
    }

    /// Adds what it offers.
    pub fn offer(&self, surface: &mut Surface) {
        surface.groups.insert(ActionGroup::Gui);
        surface.parts.extend([ObservationPart::Screen, ObservationPart::Tree, ObservationPart::Marks]);
        surface.screen = Some(self.display.size());
    }

    /// Adds what is wanted of screen, tree, marks and the places of everything.
    pub fn observe(
        &mut self,
        wanted: &BTreeSet<ObservationPart>,
        observation: &mut Observation,
    ) -> Result<(), MachineFault> {
        let wants_tree = wanted.contains(&ObservationPart::Tree) || wanted.contains(&ObservationPart::Marks);
        if wants_tree && !self.shown.has_tree() {
            let size = self.display.size();
            let tree = told_tree::told(self.elements()?, size);
            self.shown.learn(tree);
        }
        self.shown.show(wanted, observation).map_err(MachineFault::Display)?;
        if wanted.contains(&ObservationPart::Geometry) {
            let places = json!(geometry::places(self.elements()?));
            observation.texts.insert(ObservationPart::Geometry, places.to_string());
        }
        Ok(())
    }

    /// Carries out one action of mouse or keyboard, or enlarges a part. Nobody has looked at what came of it yet.
    pub fn carry_out(&mut self, action: &Action) -> Result<Feedback, MachineFault> {
        if let Action::Zoom { from, to } = action {
            return Ok(match self.shown.zoom(*from, *to) {
                Ok(()) => Feedback::changed("This is a part of the screen, enlarged."),
                Err(why) => Feedback::refused(why),
            });
        }
        match self.hand.events(action, self.shown.marks()) {
            Ok(events) => self.display.send(&events).map(|()| Feedback::unchanged("Done.")),
            Err(HandRefusal(why)) => Ok(Feedback::refused(why)),
        }
    }

    /// An action begins: the whole screen is shown again.
    pub fn begin(&mut self) {
        self.was_zoomed = self.shown.unzoom();
    }

    /// Waits for the screen, and says whether it looks different.
    pub fn look_again(&mut self) -> Result<bool, MachineFault> {
        self.display.settle(SETTLE_LIMIT)?;
        let screen: Arc<[u8]> = self.display.capture()?.to_png().map_err(MachineFault::Display)?.into();
        let looks_different = self.was_zoomed || screen != *self.shown.screen();
        // What programs tell may be different where nothing looks different: text that is out of sight.
        self.elements = None;
        self.shown.replace(screen);
        Ok(looks_different)
    }

    /// The windows that are open, those on top last.
    pub fn windows(&mut self) -> Result<Vec<OpenWindow>, MachineFault> {
        self.display.windows()
    }

    /// What programs tell of what they show, a tree for each.
    pub fn elements(&mut self) -> Result<&[AccessibleElement], MachineFault> {
        if self.elements.is_none() {
            self.elements = Some(self.display.elements(TREE_LIMIT)?.unwrap_or_default());
        }
        Ok(self.elements.as_deref().unwrap_or_default())
    }

    /// The tree of everything that is shown, as text.
    pub fn tree(&mut self) -> Result<String, MachineFault> {
        let size = self.display.size();
        Ok(told_tree::told(self.elements()?, size).text)
    }

    /// The screen as it was last looked at.
    pub fn last(&self) -> Screen {
        self.shown.last()
    }
}
