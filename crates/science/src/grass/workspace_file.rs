//! What is displayed, as GRASS keeps it in a workspace file. What it displays at the moment is not to be had from outside
//! of its process, and inside of it nothing is out of the agent's reach.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use quintain_core::action::Action;
use quintain_core::{FileHandle, Rng};
use quintain_desktop::{HOME, PlannedStep, PreparedScenario, DesktopScenario};
use serde_json::{Value, json};

use super::console::{self, CommandPlace, words};
use super::mapset_judge::JudgedParts;
use crate::parameters::{Parameters, text};

/// The largest workspace file that is read.
const LARGEST: u64 = 1 << 20;
/// Where the button is that saves a workspace, on a screen of 1280 by 720.
const SAVE: (f64, f64) = (92.0, 43.0);

/// The layers of a workspace file that was left, from the top.
pub(super) fn left(file: Option<&FileHandle>) -> Value {
    let Some(file) = file else { return json!({ "problem": "it was not left" }) };
    let bytes = match file.whole(LARGEST) {
        Ok(bytes) => bytes,
        Err(why) => return json!({ "problem": why.to_string() }),
    };
    match layers(&String::from_utf8_lossy(&bytes)) {
        Ok(layers) => json!({ "layers": layers }),
        Err(problem) => json!({ "problem": problem }),
    }
}

fn layers(text: &str) -> Result<Vec<Value>, String> {
    let mut reader = Reader::from_str(text);
    let mut layers = Vec::new();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) | Event::Empty(element) if element.name().as_ref() == b"layer" => {
                layers.push(layer(&element)?);
            }
            Event::Eof => return Ok(layers),
            _ => {}
        }
    }
}

fn layer(element: &BytesStart<'_>) -> Result<Value, String> {
    let word = |name: &str| -> Result<String, String> {
        let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
        Ok(found.map(|found| String::from_utf8_lossy(&found.value).into_owned()).unwrap_or_default())
    };
    let map = word("name")?;
    let map = map.strip_suffix("@PERMANENT").unwrap_or(&map).to_owned();
    let opacity = word("opacity")?.parse::<f64>().map_or(Value::Null, |opacity| json!((opacity * 100.0).round()));
    Ok(json!({ "kind": word("type")?, "map": map, "is_shown": word("checked")? == "1", "opacity_percent": opacity }))
}

/// Layers are to be displayed, and to be kept in a workspace file.
pub(super) struct KeepLayers;

/// Layers are to be displayed, and to be kept in a workspace file.
pub(super) static LAYERS: KeepLayers = KeepLayers;

impl DesktopScenario for KeepLayers {
    fn name(&self) -> &'static str {
        "keep-layers"
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let number = rng.next_u64() >> 12;
        let file = format!("{}.gxw", text(parameters, "file")?);
        let below = text(parameters, "below")?;
        if !matches!(below, "elevation" | "landuse") {
            return Err("`below` must be `elevation` or `landuse`".to_owned());
        }
        let judged = JudgedParts { workspace: Some(file.clone()), ..JudgedParts::default() };
        let layer =
            |kind: &str, map: &str| json!({ "kind": kind, "map": map, "is_shown": true, "opacity_percent": 100 });
        Ok(PreparedScenario {
            plan: json!({ "land": number, "judged": judged.planned(), "below": below, "file": file }),
            expected: json!({ "layers": [layer("vector", "stations"), layer("raster", below)] }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let below = format!("d.rast {}", plan["below"].as_str().ok_or("no raster map")?);
        let file = plan["file"].as_str().ok_or("no file")?;
        let mut lines = [words(&below), words("d.vect stations")];
        if wrong_way == Some("points-below") {
            lines.reverse();
        }
        let mut steps = console::given(&lines, CommandPlace::Console);
        steps.extend([
            console::click(SAVE),
            PlannedStep::Await("button/Cancel".to_owned()),
            PlannedStep::text(format!("{HOME}/{file}")),
            PlannedStep::keys(["Enter"]),
            PlannedStep::keys(["Enter"]),
            PlannedStep::Act(Action::Wait { ms: 1000 }),
        ]);
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["points-below"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_read_from_the_top() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE gxw SYSTEM "grass-gxw.dtd"><gxw>
            <display name="Map Display 1"><layer type="vector" name="stations@PERMANENT" checked="1" opacity="0.500000">
            <task name="d.vect"><parameter name="map"><value>stations@PERMANENT</value></parameter></task></layer>
            <layer type="raster" name="elevation@other" checked="0" opacity="1.000000"></layer></display></gxw>"#;
        assert_eq!(
            layers(text).unwrap(),
            [
                json!({ "kind": "vector", "map": "stations", "is_shown": true, "opacity_percent": 50.0 }),
                json!({ "kind": "raster", "map": "elevation@other", "is_shown": false, "opacity_percent": 100.0 }),
            ]
        );
        assert!(layers("<gxw><layer name='a></gxw>").is_err());
    }
}
