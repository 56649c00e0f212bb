//! A script whose places are found again in every turn by their names, where the world tells where things are.
//!
//! `@{node/n4}` in a line stands for the middle of the thing of that name, `@{canvas+120+40}` for a point so many pixels
//! to the right of its upper left corner and below it.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::{Agent, AgentError, Briefing, ObservationPart, Point, Reply, Turn, suggest};

use crate::script::Script;

/// What a named place begins with.
const MARK: &str = "@{";

/// Left, top, width and height of everything that can be seen, by name.
pub(crate) type PlacesByName = BTreeMap<String, [f64; 4]>;

/// Says the lines of a script, with points in place of names.
pub(crate) struct PlacedScript {
    script: Script,
}

impl PlacedScript {
    /// The lines of a text as an agent: one that is shown where things are only if a line names a place.
    pub(crate) fn of_lines(text: &str) -> Box<dyn Agent + Send> {
        let script = Script::of_lines(text);
        if script.says(MARK) { Box::new(Self { script }) } else { Box::new(script) }
    }
}

impl Agent for PlacedScript {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.script.begin(briefing)
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let reply = self.script.act(turn, within)?;
        let places = places_of(turn).ok_or_else(|| AgentError::harness("nobody told where things are"))?;
        let raw = filled(&reply.raw, &places).map_err(|why| AgentError::harness(format!("oracle.txt: {why}")))?;
        Ok(Reply { raw, ..reply })
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}

    fn wants_geometry(&self) -> bool {
        true
    }
}

/// Where everything is in this turn, where the world tells it.
pub(crate) fn places_of(turn: &Turn<'_>) -> Option<PlacesByName> {
    serde_json::from_str(turn.observation.texts.get(&ObservationPart::Geometry)?).ok()
}

/// A line with `x, y` in place of every name.
fn filled(line: &str, places: &PlacesByName) -> Result<String, String> {
    let mut parts = line.split(MARK);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').ok_or_else(|| format!("`{MARK}{part}` has no end"))?;
        let Point { x, y } = point_of(name, places)?;
        text = format!("{text}{x}, {y}{rest}");
    }
    Ok(text)
}

fn point_of(written: &str, places: &PlacesByName) -> Result<Point, String> {
    let (name, offset) = name_and_offset(written);
    let [left, top, width, height] = *places.get(name).ok_or_else(|| {
        format!(
            "nothing called `{name}` can be seen; {}",
            suggest::hint_of_many(name, places.keys().map(String::as_str))
        )
    })?;
    let (x, y) = offset.unwrap_or((width / 2.0, height / 2.0));
    Ok(Point { x: (left + x).round(), y: (top + y).round() })
}

fn name_and_offset(written: &str) -> (&str, Option<(f64, f64)>) {
    let parts = || {
        let (rest, y) = written.rsplit_once('+')?;
        let (name, x) = rest.rsplit_once('+')?;
        Some((name, (x.parse().ok()?, y.parse().ok()?)))
    };
    parts().map_or((written, None), |(name, offset)| (name, Some(offset)))
}

/// A point as a script names it: by the smallest thing that it lies in. Nothing where it lies in none.
pub(crate) fn named(point: Point, places: &PlacesByName) -> Option<(&str, Option<(f64, f64)>)> {
    let within = |[left, top, width, height]: &[f64; 4]| {
        (*left..=left + width).contains(&point.x) && (*top..=top + height).contains(&point.y)
    };
    let size = |[_, _, width, height]: &[f64; 4]| width * height;
    let found = places.iter().filter(|(_, area)| within(area)).min_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)));
    let (name, [left, top, width, height]) = found?;
    let (x, y) = ((point.x - left).round(), (point.y - top).round());
    let is_middle = (x - width / 2.0).abs() <= 2.0 && (y - height / 2.0).abs() <= 2.0;
    Some((name, (!is_middle).then_some((x, y))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> PlacesByName {
        [("canvas", [0.0, 0.0, 1000.0, 600.0]), ("node/n4", [100.0, 50.0, 60.0, 20.0])]
            .map(|(name, area)| (name.to_owned(), area))
            .into()
    }

    #[test]
    fn names_become_points_and_points_become_names() {
        let lines = ["click(@{node/n4})", "drag(@{node/n4}, @{canvas+7+9})", "stop()", "click(@{node/n5})", "move(@{x"];
        let told: Vec<String> =
            lines.iter().map(|line| filled(line, &places()).unwrap_or_else(|why| format!("? {why}"))).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        click(130, 60)
        drag(130, 60, 7, 9)
        stop()
        ? nothing called `node/n5` can be seen; did you mean `node/n4`?
        ? `@{x` has no end
        ");
        let places = places();
        let name = |x, y| named(Point { x, y }, &places);
        assert_eq!(name(131.0, 59.0), Some(("node/n4", None)));
        assert_eq!(name(101.0, 59.0), Some(("node/n4", Some((1.0, 9.0)))));
        assert_eq!(name(300.0, 40.0), Some(("canvas", Some((300.0, 40.0)))));
        assert_eq!(name(1300.0, 40.0), None);
    }
}
