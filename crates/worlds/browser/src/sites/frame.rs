//! The frame around the pages: tabs, back, forward, reload and the address field, drawn and operated by the driver, so that
//! mouse and keyboard alone go anywhere.

mod address_field;
mod letters;
mod painting;

pub(super) use address_field::{AddressField, FieldOutcome};

use quintain_core::action::Point;

use crate::page::TabFacts;
use quintain_screen::ElementTree;

/// The rows above the page.
pub(super) const FRAME_HEIGHT: u32 = 56;
/// The upper rows of them hold the tabs.
const STRIP_HEIGHT: f64 = 27.0;
const TAB_LEFT: f64 = 8.0;
const WIDEST_TAB: f64 = 220.0;
/// What is kept free to the right of the tabs.
const STRIP_REST: f64 = 48.0;

/// The frame as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct BrowserFrame {
    pub(super) width: u32,
    pub(super) tabs: Vec<TabFacts>,
    /// Which tab is shown.
    pub(super) shown: usize,
    pub(super) field: AddressField,
}

/// Something in the frame that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FramePart {
    /// The cross on a tab.
    TabCross(usize),
    Tab(usize),
    NewTab,
    Back,
    Forward,
    Reload,
    Address,
}

impl BrowserFrame {
    /// Everything that can be clicked, what lies on top first.
    pub(super) fn parts(&self) -> Vec<(FramePart, [f64; 4])> {
        let n_tabs = self.tabs.len();
        let mut parts = Vec::new();
        if n_tabs > 1 {
            parts.extend((0..n_tabs).map(|idx| (FramePart::TabCross(idx), self.cross(idx))));
        }
        parts.extend((0..n_tabs).map(|idx| (FramePart::Tab(idx), self.tab_box(idx))));
        let strip_end = TAB_LEFT + n_tabs as f64 * self.tab_width();
        parts.push((FramePart::NewTab, [strip_end + 6.0, 4.0, 22.0, 20.0]));
        parts.push((FramePart::Back, [6.0, 29.0, 28.0, 24.0]));
        parts.push((FramePart::Forward, [36.0, 29.0, 28.0, 24.0]));
        parts.push((FramePart::Reload, [66.0, 29.0, 28.0, 24.0]));
        parts.push((FramePart::Address, [102.0, 29.0, f64::from(self.width) - 102.0 - 12.0, 24.0]));
        parts
    }

    /// What lies at a point of the screen.
    pub(super) fn part_at(&self, point: Point) -> Option<FramePart> {
        let is_in = |[x, y, width, height]: [f64; 4]| {
            point.x >= x && point.y >= y && point.x < x + width && point.y < y + height
        };
        self.parts().into_iter().find(|(_, found)| is_in(*found)).map(|(part, _)| part)
    }

    /// Where a part is.
    fn box_of(&self, wanted: FramePart) -> [f64; 4] {
        self.parts().into_iter().find(|(part, _)| *part == wanted).map(|(_, found)| found).unwrap_or_default()
    }

    /// The tab that is shown.
    pub(super) fn shown_tab(&self) -> Option<&TabFacts> {
        self.tabs.get(self.shown)
    }

    /// The frame as the first lines of the tree, with numbers on everything that can be clicked.
    pub(super) fn tree(&self) -> ElementTree {
        let mut tree = ElementTree { text: "Browser\n".to_owned(), marks: Vec::new() };
        for (idx, _) in self.tabs.iter().enumerate() {
            self.tell(FramePart::Tab(idx), &mut tree);
            if self.tabs.len() > 1 {
                self.tell(FramePart::TabCross(idx), &mut tree);
            }
        }
        for part in [FramePart::NewTab, FramePart::Back, FramePart::Forward, FramePart::Reload, FramePart::Address] {
            self.tell(part, &mut tree);
        }
        tree
    }

    fn tell(&self, part: FramePart, tree: &mut ElementTree) {
        let number = tree.marks.len() as u32 + 1;
        tree.marks.push((number, self.box_of(part)));
        tree.text.extend(["  [", &number.to_string(), "] ", &self.line(part), "\n"]);
    }

    fn line(&self, part: FramePart) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let facts = self.shown_tab().cloned().unwrap_or_default();
        let unless = |can: bool| if can { "" } else { " disabled" };
        match part {
            FramePart::Tab(idx) => {
                let selected = if idx == self.shown { " selected" } else { "" };
                format!("tab {}{selected}", quoted(self.title(idx)))
            }
            FramePart::TabCross(idx) => format!("button {}", quoted(&format!("Close tab {}", idx + 1))),
            FramePart::NewTab => "button \"New tab\"".to_owned(),
            FramePart::Back => format!("button \"Back\"{}", unless(facts.can_go_back)),
            FramePart::Forward => format!("button \"Forward\"{}", unless(facts.can_go_forward)),
            FramePart::Reload => "button \"Reload\"".to_owned(),
            FramePart::Address => match self.field.text() {
                Some(text) => format!("textbox \"Address\" value={} focused", quoted(&text)),
                None => format!("textbox \"Address\" value={}", quoted(&facts.address)),
            },
        }
    }

    /// What stands on a tab.
    fn title(&self, idx: usize) -> &str {
        let facts = &self.tabs[idx];
        if facts.title.is_empty() { &facts.address } else { &facts.title }
    }

    /// The parts by names for those who are told where things are.
    pub(super) fn places(&self) -> Vec<(String, [f64; 4])> {
        let name = |part: FramePart| match part {
            FramePart::Tab(idx) => format!("frame:tab {idx}"),
            FramePart::TabCross(idx) => format!("frame:close tab {idx}"),
            FramePart::NewTab => "frame:new tab".to_owned(),
            FramePart::Back => "frame:back".to_owned(),
            FramePart::Forward => "frame:forward".to_owned(),
            FramePart::Reload => "frame:reload".to_owned(),
            FramePart::Address => "frame:address".to_owned(),
        };
        self.parts().into_iter().map(|(part, found)| (name(part), found)).collect()
    }

    /// The character of the address field before which a click puts the caret.
    pub(super) fn character_at(&self, point: Point) -> usize {
        painting::character_at(self, point.x)
    }

    /// The frame as pixels: red, green, blue and full opacity, row by row.
    pub(super) fn painted(&self) -> Vec<u8> {
        painting::painted(self)
    }

    fn tab_width(&self) -> f64 {
        let room = f64::from(self.width) - TAB_LEFT - STRIP_REST;
        (room / self.tabs.len().max(1) as f64).floor().min(WIDEST_TAB)
    }

    fn tab_box(&self, idx: usize) -> [f64; 4] {
        let width = self.tab_width();
        [TAB_LEFT + idx as f64 * width, 3.0, width, STRIP_HEIGHT - 3.0]
    }

    fn cross(&self, idx: usize) -> [f64; 4] {
        let [x, _, width, _] = self.tab_box(idx);
        [x + width - 24.0, 7.0, 16.0, 16.0]
    }
}
