//! The mouse: above the page it operates the frame.

use quintain_core::action::{Action, Button, Place, Point};

use super::going::FrameCommand;
use super::{ActionResult, SiteWorld};
use crate::cdp::CdpDeadline;
use crate::input_devices::{ActionRefusal, ScreenField, point_of};
use crate::sites::frame::{FRAME_HEIGHT, FramePart};

impl SiteWorld {
    /// Carries out an action of the mouse where it points to.
    pub(super) fn point(&mut self, action: &Action, deadline: CdpDeadline) -> ActionResult {
        let field = ScreenField { viewport: self.viewport, marks: self.shown.marks() };
        let points = action.places().into_iter().map(|place| point_of(place, field)).collect::<Result<Vec<_>, _>>();
        let points = match points {
            Ok(points) => points,
            Err(why) => return Ok(Err(ActionRefusal::Senseless(why))),
        };
        let begins_at = points.first().copied().or(self.pointer);
        self.pointer = points.last().copied().or(self.pointer);
        match begins_at {
            // A button may have been pressed in the page, and it is let go wherever the pointer is by now.
            Some(point) if point.y < f64::from(FRAME_HEIGHT) && !matches!(action, Action::Release { .. }) => {
                self.point_at_frame(action, point, deadline)
            }
            _ => {
                if !matches!(action, Action::Move { .. } | Action::Scroll { .. }) {
                    self.frame.field.leave();
                }
                self.by_hand(&in_page(action, &points), deadline)
            }
        }
    }

    fn point_at_frame(&mut self, action: &Action, point: Point, deadline: CdpDeadline) -> ActionResult {
        let Some(part) = self.frame.part_at(point) else { return Ok(Ok(())) };
        match action {
            Action::Click { button: Button::Middle, .. } => match part {
                FramePart::Tab(idx) | FramePart::TabCross(idx) => self.command(FrameCommand::Close(idx), deadline),
                _ => Ok(Ok(())),
            },
            Action::DoubleClick { button: Button::Left, .. } | Action::TripleClick { button: Button::Left, .. } => {
                let done = self.press_part(part, point, deadline)?;
                if part == FramePart::Address {
                    self.frame.field.select_all();
                }
                Ok(done)
            }
            Action::Click { button: Button::Left, .. }
            | Action::Press { button: Button::Left, .. }
            | Action::Drag { button: Button::Left, .. } => self.press_part(part, point, deadline),
            _ => Ok(Ok(())),
        }
    }

    fn press_part(&mut self, part: FramePart, point: Point, deadline: CdpDeadline) -> ActionResult {
        let command = match part {
            FramePart::TabCross(idx) => FrameCommand::Close(idx),
            FramePart::Tab(idx) => FrameCommand::Show(idx),
            FramePart::NewTab => FrameCommand::NewTab,
            FramePart::Back => FrameCommand::Back,
            FramePart::Forward => FrameCommand::Forward,
            FramePart::Reload => FrameCommand::Reload,
            FramePart::Address if self.frame.field.is_active() => {
                let idx = self.frame.character_at(point);
                self.frame.field.put_caret(idx);
                return Ok(Ok(()));
            }
            FramePart::Address => FrameCommand::Address,
        };
        self.command(command, deadline)
    }
}

/// The action at the page's own places. What is dragged out of the page stays at its upper edge.
fn in_page(action: &Action, points: &[Point]) -> Action {
    let lowered = |point: &Point| Place::Point(Point { x: point.x, y: (point.y - f64::from(FRAME_HEIGHT)).max(0.0) });
    let first = points.first().map(lowered);
    let mut action = action.clone();
    match &mut action {
        Action::Move { to } => *to = first.unwrap_or(*to),
        Action::Click { at, .. }
        | Action::DoubleClick { at, .. }
        | Action::TripleClick { at, .. }
        | Action::Press { at, .. }
        | Action::Release { at, .. }
        | Action::Scroll { at, .. } => *at = first,
        Action::Drag { path, .. } => *path = points.iter().map(lowered).collect(),
        _ => {}
    }
    action
}
