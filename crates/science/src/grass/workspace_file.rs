//! What is displayed, as GRASS keeps it in a workspace file. What it displays at the moment is not to be had from outside
//! of its process, and inside of it nothing is out of the agent's reach.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use quintain_core::world::AlteredFiles;
use quintain_core::{FileHandle, FileSet, Rng};
use quintain_desktop::{DesktopScenario, HOME, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{with_texts, without};
use super::console::{self, CommandPlace, words};
use super::mapset_judge::JudgedParts;
use crate::parameters::{Parameters, text, whole};

/// The largest workspace file that is read.
const LARGEST: u64 = 1 << 20;

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
    let mut layers: Vec<Value> = Vec::new();
    let mut is_size = false;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) | Event::Empty(element) if element.name().as_ref() == b"layer" => {
                layers.push(layer(&element)?);
                is_size = false;
            }
            Event::Start(element) if element.name().as_ref() == b"parameter" => {
                is_size = attribute(&element, "name")? == "size";
            }
            Event::Text(text) if is_size => {
                let size = String::from_utf8_lossy(&text).trim().parse::<f64>();
                if let (Ok(size), Some(layer)) = (size, layers.last_mut()) {
                    layer["symbol_size"] = json!(size);
                }
            }
            Event::Eof => return Ok(layers),
            _ => {}
        }
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<String, String> {
    let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
    Ok(found.map(|found| String::from_utf8_lossy(&found.value).into_owned()).unwrap_or_default())
}

fn layer(element: &BytesStart<'_>) -> Result<Value, String> {
    let word = |name: &str| attribute(element, name);
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
        let file = format!("sheet{}.gxw", whole(parameters, "sheet", 10..=999)?);
        let size = whole(parameters, "size", 8..=40)?;
        let below = text(parameters, "below")?;
        if !matches!(below, "elevation" | "landuse") {
            return Err("`below` must be `elevation` or `landuse`".to_owned());
        }
        let judged = JudgedParts { workspace: Some(file.clone()), ..JudgedParts::default() };
        let layer =
            |kind: &str, map: &str| json!({ "kind": kind, "map": map, "is_shown": true, "opacity_percent": 100 });
        let mut points = layer("vector", "stations");
        points["symbol_size"] = json!(size);
        Ok(PreparedScenario {
            plan: json!({ "land": number, "judged": judged.planned(), "below": below, "file": file, "size": size }),
            expected: json!({ "file": file, "layers": [points, layer("raster", below)] }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let below = format!("d.rast {}", plan["below"].as_str().ok_or("no raster map")?);
        let file = plan["file"].as_str().ok_or("no file")?;
        let points = format!("d.vect map=stations size={}", plan["size"]);
        let mut lines = [words(&below), words(&points)];
        match wrong_way {
            Some("points-below") => lines.reverse(),
            Some("usual-size") => lines[1] = words("d.vect map=stations"),
            _ => {}
        }
        let mut steps = console::given(&lines, CommandPlace::Console);
        steps.extend([
            PlannedStep::Click("menu/File".to_owned()),
            PlannedStep::Await("menu/Workspace".to_owned()),
            PlannedStep::keys(["ArrowDown"]),
            PlannedStep::keys(["ArrowRight"]),
            PlannedStep::Click("menu item/Save as".to_owned()),
            PlannedStep::Await("button/Cancel".to_owned()),
            PlannedStep::text(format!("{HOME}/{file}")),
            // The first takes the name that is offered.
            PlannedStep::keys(["Enter"]),
            PlannedStep::keys(["Enter"]),
            PlannedStep::AwaitGone("button/Cancel".to_owned()),
        ]);
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["points-below", "usual-size"]
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        let (Some(file), Some(below)) = (plan["file"].as_str(), plan["below"].as_str()) else {
            return AlteredFiles::default();
        };
        let size = plan["size"].as_i64().unwrap_or_default();
        let (raster, other) = (format!("name=\"{below}@"), if below == "landuse" { "elevation" } else { "landuse" });
        let one_more = format!(
            "<layer type=\"raster\" name=\"{other}@PERMANENT\" checked=\"1\" opacity=\"1.000000\"></layer></display>"
        );
        let mut wrong = vec![("no file".to_owned(), without(left, file))];
        wrong.extend(with_texts(
            left,
            file,
            &[
                ("a layer that is switched off", "checked=\"1\"", "checked=\"0\""),
                ("a layer that is seen through", "opacity=\"1.000000\"", "opacity=\"0.800000\""),
                ("another raster map", &raster, &format!("name=\"{other}@")),
                ("another mapset", "name=\"stations@PERMANENT", "name=\"stations@other"),
                ("a map of another kind", "type=\"vector\"", "type=\"raster\""),
                ("symbols a little larger", &format!("<value>{size}</value>"), &format!("<value>{}</value>", size + 1)),
                ("one layer more", "</display>", &one_more),
                ("half a file", "</display>", "<layer "),
            ],
        ));
        let right = with_texts(
            left,
            file,
            &[
                ("a map without its mapset", "name=\"stations@PERMANENT\"", "name=\"stations\""),
                ("another name of the window", "<display", "<display  "),
                ("a comment", "</display>", "<!-- <layer type=\"raster\"/> --></display>"),
            ],
        );
        AlteredFiles { wrong, right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_read_from_the_top() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE gxw SYSTEM "grass-gxw.dtd"><gxw>
            <display name="Map Display 1"><layer type="vector" name="stations@PERMANENT" checked="1" opacity="0.500000">
            <task name="d.vect"><parameter name="map"><value>stations@PERMANENT</value></parameter>
            <parameter name="size"><value>17</value></parameter></task></layer>
            <layer type="raster" name="elevation@other" checked="0" opacity="1.000000"></layer></display></gxw>"#;
        assert_eq!(
            layers(text).unwrap(),
            [
                json!({ "kind": "vector", "map": "stations", "is_shown": true, "opacity_percent": 50.0, "symbol_size": 17.0 }),
                json!({ "kind": "raster", "map": "elevation@other", "is_shown": false, "opacity_percent": 100.0 }),
            ]
        );
        assert!(layers("<gxw><layer name='a></gxw>").is_err());
    }
}
