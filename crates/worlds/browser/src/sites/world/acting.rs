//! Who carries out an action: the page, or the frame around it.

use quintain_core::action::{Action, Button, keys};
use quintain_core::world::WorldError;

use super::super::frame::FieldOutcome;
use super::going::FrameCommand;
use super::{ActionResult, SiteWorld};
use crate::cdp::CdpDeadline;
use crate::input_devices::{ActionRefusal, MAX_TEXT, ScreenField};
use crate::page::{PageError, TabPlace, TabWish};

/// What was copied last, and where. The browser keeps what was copied in a page by itself.
pub(super) struct CopiedText {
    text: String,
    source: CopySource,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CopySource {
    Page,
    AddressField,
}

impl SiteWorld {
    /// Carries out one action, or the actions of a sequence up to the first that is refused.
    pub(super) fn carry_out(&mut self, action: &Action, deadline: CdpDeadline) -> ActionResult {
        if let Action::Sequence { actions } = action {
            for action in actions {
                if let Err(refusal) = self.carry_out(action, deadline)? {
                    return Ok(Err(refusal));
                }
            }
            return Ok(Ok(()));
        }
        let done = self.route(action, deadline)?;
        let opened = self.open_wished_tabs(deadline)?;
        self.learn_facts(deadline)?;
        Ok(done.and(opened))
    }

    fn route(&mut self, action: &Action, deadline: CdpDeadline) -> ActionResult {
        match action {
            Action::Goto { url } => self.go_to(url, deadline),
            Action::Back | Action::Click { button: Button::Back, .. } => self.command(FrameCommand::Back, deadline),
            Action::Forward | Action::Click { button: Button::Forward, .. } => {
                self.command(FrameCommand::Forward, deadline)
            }
            Action::Tab { index } => self.command(FrameCommand::Show(*index as usize), deadline),
            Action::Zoom { from, to } => Ok(self.shown.zoom(*from, *to).map_err(ActionRefusal::Senseless)),
            Action::Move { .. }
            | Action::Click { .. }
            | Action::DoubleClick { .. }
            | Action::TripleClick { .. }
            | Action::Press { .. }
            | Action::Release { .. }
            | Action::Scroll { .. }
            | Action::Drag { .. } => self.point(action, deadline),
            Action::Key { keys } | Action::HoldKey { keys, .. } | Action::KeyDown { keys } => {
                self.press_keys(keys, action, deadline)
            }
            Action::Type { text } if self.frame.field.is_active() => self.write(text, deadline),
            other => self.by_hand(other, deadline),
        }
    }

    /// Hands an action to the page, whose places are already the page's own.
    pub(super) fn by_hand(&mut self, action: &Action, deadline: CdpDeadline) -> ActionResult {
        let field = ScreenField { viewport: self.page_size(), marks: &[] };
        match self.page.as_mut() {
            Some(page) => Ok(self.hand.act(page, action, field, deadline)?),
            None => Err(PageError::App("the page is closed".to_owned()).into()),
        }
    }

    fn press_keys(&mut self, names: &[String], action: &Action, deadline: CdpDeadline) -> ActionResult {
        let Ok(chord) = keys::spell(names.iter().map(String::as_str)) else { return self.by_hand(action, deadline) };
        if let Some(command) = FrameCommand::of_keys(&chord, self.frame.shown, self.frame.tabs.len()) {
            return self.command(command, deadline);
        }
        if self.frame.field.is_active() {
            return self.press_in_field(&chord, deadline);
        }
        match chord.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["ctrl", "c" | "x"] => self.copy_from_page(deadline)?,
            ["ctrl", "v"] => {
                let from_field = self.copied.as_ref().filter(|copied| copied.source == CopySource::AddressField);
                if let Some(text) = from_field.map(|copied| copied.text.clone()) {
                    return self.by_hand(&Action::Type { text }, deadline);
                }
            }
            _ => {}
        }
        self.by_hand(action, deadline)
    }

    fn copy_from_page(&mut self, deadline: CdpDeadline) -> Result<(), WorldError> {
        let selected = self.page()?.evaluate("quintain.selection()", deadline)?;
        if let Some(text) = selected.filter(|text| !text.is_empty()) {
            self.copied = Some(CopiedText { text, source: CopySource::Page });
        }
        Ok(())
    }

    fn press_in_field(&mut self, chord: &[String], deadline: CdpDeadline) -> ActionResult {
        match self.frame.field.press(chord) {
            FieldOutcome::Stayed => {}
            FieldOutcome::Submitted(text) => return self.go_typed(&text, deadline),
            FieldOutcome::Left => self.frame.field.leave(),
            FieldOutcome::Copied(text) => {
                self.copied = Some(CopiedText { text, source: CopySource::AddressField });
            }
            FieldOutcome::Pasting => match &self.copied {
                Some(copied) => self.frame.field.write(&copied.text),
                None => return Ok(Err(ActionRefusal::Senseless("Nothing has been copied yet.".to_owned()))),
            },
        }
        Ok(Ok(()))
    }

    /// Writes into the address field. What follows the end of a line goes to the page that was gone to.
    fn write(&mut self, text: &str, deadline: CdpDeadline) -> ActionResult {
        let n_chars = text.chars().count();
        if n_chars > MAX_TEXT {
            return Ok(Err(ActionRefusal::OutOfBounds(format!("typing {n_chars} characters at once"))));
        }
        let (line, rest) = text.split_once('\n').map_or((text, None), |(line, rest)| (line, Some(rest)));
        self.frame.field.write(line);
        let Some(rest) = rest else { return Ok(Ok(())) };
        let typed = self.frame.field.text().unwrap_or_default();
        match self.go_typed(&typed, deadline)? {
            Ok(()) if !rest.is_empty() => self.by_hand(&Action::Type { text: rest.to_owned() }, deadline),
            done => Ok(done),
        }
    }

    /// Opens the tabs that links asked for.
    fn open_wished_tabs(&mut self, deadline: CdpDeadline) -> ActionResult {
        for wish in self.page()?.take_wishes() {
            let TabWish::Tab { address, place } = wish else { continue };
            let opener = self.frame.shown;
            if let Err(refusal) = self.open_tab(&address, deadline)? {
                return Ok(Err(refusal));
            }
            if place == TabPlace::Back {
                self.show_tab(opener)?;
            }
        }
        Ok(Ok(()))
    }
}
