//! Bringing into view what cannot be seen: scrolling panels, moving and scaling the canvas.

use std::collections::BTreeMap;

use quintain_core::action::{Action, Button};

use crate::oracle::{PlaceTable, Rectangle};
use crate::workflow::model::Document;

/// So often something is looked for before it is given up.
const MAX_TRIES: u32 = 16;
/// Panels are scrolled down so often before they are scrolled up again.
const DOWN_TRIES: u32 = 8;
/// One scroll of a panel, in pixels.
const PANEL_SCROLL: f64 = 160.0;
/// One move of the canvas, as a share of its size at most.
const CANVAS_SHARE: f64 = 0.3;
/// Where to look for what has no known place: right, down, then back over where it began, to the left and up.
const ROUND: [(f64, f64); 8] =
    [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, -1.0), (1.0, 0.0), (1.0, 0.0)];

/// Looks for things, one try after another.
pub(super) struct Reveal {
    /// Where nodes and edges are on the canvas, by the names they have in the table: those of the start from its
    /// document, new nodes from where they were seen among the others.
    places: BTreeMap<String, (f64, f64)>,
    /// The names of the two nodes of an edge, by the edge's name.
    ends: BTreeMap<String, [String; 2]>,
    /// How much of the canvas one pixel is.
    scale: f64,
    n_tries: u32,
}

impl Reveal {
    /// Knows where the nodes of a document are.
    pub(super) fn new(document: &Document) -> Self {
        let mut places = BTreeMap::new();
        let mut ends = BTreeMap::new();
        for workflow in &document.workflows {
            for node in &workflow.nodes {
                places.insert(format!("node/{}", node.id), (node.position.x as f64, node.position.y as f64));
            }
            for edge in &workflow.edges {
                let nodes = [format!("node/{}", edge.source), format!("node/{}", edge.target)];
                if let [Some(source), Some(target)] = nodes.each_ref().map(|name| places.get(name).copied()) {
                    places.insert(format!("edge/{}", edge.id), middle_of(&[source, target]));
                }
                ends.insert(format!("edge/{}", edge.id), nodes);
            }
        }
        Self { places, ends, scale: 1.0, n_tries: 0 }
    }

    /// Takes down where the nodes that show are, as far as that was not known.
    pub(super) fn look_round(&mut self, table: &PlaceTable) {
        let is_node = |name: &&str| name.starts_with("node/") && name.matches('/').count() == 1;
        let nodes = table.names().filter(is_node).filter_map(|name| Some((name, table.place(name)?)));
        let (known, new): (Vec<_>, Vec<_>) = nodes.partition(|(name, _)| self.places.contains_key(*name));
        let seen: Vec<((f64, f64), Rectangle)> = known.iter().map(|(name, box_)| (self.places[*name], *box_)).collect();
        let leftmost = seen.iter().min_by(|one, other| one.0.0.total_cmp(&other.0.0));
        let rightmost = seen.iter().max_by(|one, other| one.0.0.total_cmp(&other.0.0));
        if let (Some((from, left)), Some((to, right))) = (leftmost, rightmost)
            && to.0 > from.0
            && right[0] > left[0]
        {
            self.scale = (to.0 - from.0) / (right[0] - left[0]);
        }
        let (origin, corner) = leftmost.copied().unwrap_or_default();
        for (name, [left, top, ..]) in new {
            let place = (origin.0 + (left - corner[0]) * self.scale, origin.1 + (top - corner[1]) * self.scale);
            self.places.insert(name.to_owned(), place);
        }
    }

    /// What was looked for has been found: the next search starts afresh.
    pub(super) fn found(&mut self) {
        self.n_tries = 0;
    }

    /// The next thing to try so that all of these show.
    pub(super) fn show(&mut self, names: &[&str], table: &PlaceTable) -> Result<Action, String> {
        let Some(missing) = names.iter().find(|name| !table.shows(name)) else { return Ok(Action::Wait { ms: 50 }) };
        self.n_tries += 1;
        if self.n_tries > MAX_TRIES {
            return Err(format!("`{missing}` is nowhere to be seen"));
        }
        let scroller = ["panel", "library", "hub"].into_iter().find(|panel| missing.starts_with(panel));
        let action = match scroller {
            Some(panel) => self.scroll(&format!("{panel}/scroll"), table),
            None if missing.starts_with("node/") || missing.starts_with("edge/") => self.move_canvas(names, table),
            None => None,
        };
        // What has just been opened may take a moment to be drawn.
        Ok(action.unwrap_or(Action::Wait { ms: 50 }))
    }

    fn scroll(&self, area: &str, table: &PlaceTable) -> Option<Action> {
        let way = if self.n_tries <= DOWN_TRIES { 1.0 } else { -1.0 };
        Some(Action::Scroll { at: Some(table.middle(area)?), dx: 0.0, dy: way * PANEL_SCROLL })
    }

    /// First shows as much as possible; an edge that lies hidden between its nodes is then looked at closer; else the
    /// canvas is moved towards where the things should be.
    fn move_canvas(&self, names: &[&str], table: &PlaceTable) -> Option<Action> {
        if self.n_tries == 1 {
            return press("zoom/fit", table);
        }
        let is_hidden = |name: &&str| self.ends.get(*name).is_some_and(|ends| ends.iter().all(|end| table.shows(end)));
        if names.iter().all(is_hidden)
            && let Some(closer) = press("zoom/in", table)
        {
            return Some(closer);
        }
        let [_, _, width, height] = table.place("canvas")?;
        let (right, down) = self.way_to(names, table);
        let reach = |way: f64, size: f64| (way / self.scale).clamp(-CANVAS_SHARE * size, CANVAS_SHARE * size).round();
        Some(Action::Scroll { at: table.middle("canvas"), dx: reach(right, width), dy: reach(down, height) })
    }

    /// The way from the middle of what shows to the middle of where the things should be, in units of the canvas. What
    /// was never seen is looked for all round.
    fn way_to(&self, names: &[&str], table: &PlaceTable) -> (f64, f64) {
        let (right, down) = ROUND[(self.n_tries as usize).saturating_sub(2) % ROUND.len()];
        let wanted: Option<Vec<(f64, f64)>> = names.iter().map(|name| self.place_of(name)).collect();
        let seen: Vec<(f64, f64)> = table.names().filter_map(|name| self.places.get(name).copied()).collect();
        match wanted {
            Some(wanted) if !seen.is_empty() => {
                let (here, there) = (middle_of(&seen), middle_of(&wanted));
                (there.0 - here.0, there.1 - here.1)
            }
            _ => (right * f64::from(u16::MAX), down * f64::from(u16::MAX)),
        }
    }

    /// The place of a node, of a port by its node, or of an edge.
    fn place_of(&self, name: &str) -> Option<(f64, f64)> {
        let whole = name.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
        self.places.get(&whole).copied()
    }
}

/// The middle of several places; there must be one at least.
fn middle_of(places: &[(f64, f64)]) -> (f64, f64) {
    let n = places.len() as f64;
    let sum = places.iter().fold((0.0, 0.0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
    (sum.0 / n, sum.1 / n)
}

fn press(button: &str, table: &PlaceTable) -> Option<Action> {
    Some(Action::Click { at: Some(table.middle(button)?), button: Button::Left, held: Vec::new() })
}
