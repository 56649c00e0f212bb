//! Going somewhere: addresses, the history, tabs.

use quintain_core::world::WorldError;

use super::{ActionResult, SiteWorld};
use crate::cdp::CdpDeadline;
use crate::clock::settle;
use crate::gate::shortened;
use crate::input_devices::ActionRefusal;

/// What the frame can be told to do, by a click or by keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameCommand {
    Back,
    Forward,
    Reload,
    /// To write an address.
    Address,
    NewTab,
    Close(usize),
    Show(usize),
}

impl FrameCommand {
    /// What a browser does on keys that are pressed together, in one of so many tabs.
    pub(super) fn of_keys(chord: &[String], shown: usize, n_tabs: usize) -> Option<Self> {
        let mut sorted: Vec<String> = chord.iter().map(|key| key.to_lowercase()).collect();
        sorted.sort();
        let chord: Vec<&str> = sorted.iter().map(String::as_str).collect();
        match chord.as_slice() {
            ["alt", "arrowleft"] => Some(Self::Back),
            ["alt", "arrowright"] => Some(Self::Forward),
            ["f5"] | ["ctrl", "f5" | "r"] | ["ctrl", "r", "shift"] => Some(Self::Reload),
            ["f6"] | ["ctrl", "l"] | ["alt", "d"] => Some(Self::Address),
            ["ctrl", "t"] => Some(Self::NewTab),
            ["ctrl", "w" | "f4"] => Some(Self::Close(shown)),
            ["ctrl", "tab" | "pagedown"] => Some(Self::Show((shown + 1) % n_tabs)),
            ["ctrl", "shift", "tab"] | ["ctrl", "pageup"] => Some(Self::Show((shown + n_tabs - 1) % n_tabs)),
            ["9", "ctrl"] => Some(Self::Show(n_tabs - 1)),
            [digit, "ctrl"] => {
                digit.parse::<usize>().ok().filter(|n| (1..=n_tabs).contains(n)).map(|n| Self::Show(n - 1))
            }
            _ => None,
        }
    }
}

impl SiteWorld {
    pub(super) fn command(&mut self, command: FrameCommand, deadline: CdpDeadline) -> ActionResult {
        if command != FrameCommand::Address {
            self.frame.field.leave();
        }
        match command {
            FrameCommand::Back => self.travel(-1, deadline),
            FrameCommand::Forward => self.travel(1, deadline),
            FrameCommand::Reload => {
                let page = self.page()?;
                page.load_again(deadline)?;
                settle(page, deadline)?;
                Ok(Ok(()))
            }
            FrameCommand::Address => self.write_address(deadline),
            FrameCommand::NewTab => {
                let home = self.gate()?.home();
                match self.open_tab(&home, deadline)? {
                    Ok(()) => self.write_address(deadline),
                    refused => Ok(refused),
                }
            }
            FrameCommand::Close(idx) => self.close_tab(idx, deadline),
            FrameCommand::Show(idx) => {
                let n_tabs = self.frame.tabs.len();
                if idx >= n_tabs {
                    let why = format!("There is no tab {idx}: the last one is {}.", n_tabs - 1);
                    return Ok(Err(ActionRefusal::Senseless(why)));
                }
                self.show_tab(idx)?;
                settle(self.page()?, deadline)?;
                Ok(Ok(()))
            }
        }
    }

    /// Goes to an address that an agent names.
    pub(super) fn go_to(&mut self, address: &str, deadline: CdpDeadline) -> ActionResult {
        let address = address.trim();
        let home = self.gate()?.home();
        let address = if address == "/" { home.as_str() } else { address };
        self.go_typed(address, deadline)
    }

    /// Goes where a typed text leads: to an address, or to what a search for its words finds.
    pub(super) fn go_typed(&mut self, text: &str, deadline: CdpDeadline) -> ActionResult {
        self.frame.field.leave();
        if text.trim().is_empty() {
            return Ok(Err(ActionRefusal::Senseless("There is no address to go to.".to_owned())));
        }
        match self.gate()?.meant_by(text) {
            Err(what) => Ok(Err(ActionRefusal::OutOfBounds(format!("going to {}", shortened(&what))))),
            Ok(address) => {
                let page = self.page()?;
                page.go(&address, deadline)?;
                settle(page, deadline)?;
                Ok(Ok(()))
            }
        }
    }

    fn travel(&mut self, by: i64, deadline: CdpDeadline) -> ActionResult {
        let page = self.page()?;
        if !page.travel(by, deadline)? {
            return Ok(Err(ActionRefusal::Senseless("There is nothing to go to in the history.".to_owned())));
        }
        settle(page, deadline)?;
        Ok(Ok(()))
    }

    /// Begins to write an address. The page has the keyboard no more.
    fn write_address(&mut self, deadline: CdpDeadline) -> ActionResult {
        self.learn_facts(deadline)?;
        let address = self.frame.shown_tab().map(|tab| tab.address.clone()).unwrap_or_default();
        self.frame.field.begin(&address);
        let page = self.page()?;
        page.evaluate("document.activeElement?.blur()", deadline)?;
        settle(page, deadline)?;
        Ok(Ok(()))
    }

    pub(super) fn open_tab(&mut self, address: &str, deadline: CdpDeadline) -> ActionResult {
        let page = self.page()?;
        let Some(idx) = page.open_tab(address, deadline)? else {
            return Ok(Err(ActionRefusal::Senseless("There are too many tabs; close one first.".to_owned())));
        };
        let facts = page.facts(deadline)?;
        self.frame.tabs.insert(idx, facts);
        self.frame.shown = idx;
        self.frame.field.leave();
        Ok(Ok(()))
    }

    fn close_tab(&mut self, idx: usize, deadline: CdpDeadline) -> ActionResult {
        if self.frame.tabs.len() == 1 {
            return Ok(Err(ActionRefusal::Senseless("The only tab stays open.".to_owned())));
        }
        let page = self.page()?;
        page.close_tab(idx, deadline)?;
        settle(page, deadline)?;
        let (shown, _) = page.tabs();
        self.frame.tabs.remove(idx);
        self.frame.shown = shown;
        Ok(Ok(()))
    }

    pub(super) fn show_tab(&mut self, idx: usize) -> Result<(), WorldError> {
        self.page()?.show_tab(idx);
        self.frame.shown = idx;
        Ok(())
    }

    /// What the frame tells of the shown tab.
    pub(super) fn learn_facts(&mut self, deadline: CdpDeadline) -> Result<(), WorldError> {
        let facts = self.page()?.facts(deadline)?;
        let shown = self.frame.shown;
        if let Some(tab) = self.frame.tabs.get_mut(shown) {
            *tab = facts;
        }
        Ok(())
    }
}
