//! Where something lies: a small map from the atlas's geography.

use std::fmt::Write;

use quintain_atlas::geography::MapPoint;
use quintain_atlas::{Atlas, CountryId};

use crate::draw::Draw;
use crate::html::Html;

/// A map of a country with its places as dots and one of them marked.
pub(crate) fn locator_map(atlas: &Atlas, country: CountryId, marked: Option<MapPoint>, draw: Draw) -> Html {
    let geography = &atlas.geography;
    let middle = geography.countries.middle[country];
    let at = |point: MapPoint| {
        let scale = 0.135;
        (120.0 + f64::from(point.x_km - middle.x_km) * scale, 90.0 + f64::from(point.y_km - middle.y_km) * scale)
    };
    let mut html = Html::new();
    let open = [("width", "240"), ("height", "180"), ("viewBox", "0 0 240 180"), ("aria-hidden", "true")];
    html.element("svg", &open, |html| {
        html.leaf("path", &[("d", "M0 0h240v180H0z"), ("fill", "#cfe2ee")], "");
        html.leaf("path", &[("d", coast(draw).as_str()), ("fill", "#f4f0e3"), ("stroke", "#b6ad94")], "");
        for &region in geography.regions_of.of(country) {
            for &place in geography.places_of.of(region).iter().take(3) {
                dot(html, at(geography.places.point[place]), "1.8", "#8d8877");
            }
        }
        if let Some(point) = marked {
            dot(html, at(point), "5", "#c0262d");
        }
    });
    html
}

fn dot(html: &mut Html, (x, y): (f64, f64), radius: &str, colour: &str) {
    let (x, y) = (format!("{:.1}", x.clamp(4.0, 236.0)), format!("{:.1}", y.clamp(4.0, 176.0)));
    html.leaf("circle", &[("cx", &x), ("cy", &y), ("r", radius), ("fill", colour)], "");
}

/// An uneven outline around the middle.
fn coast(mut draw: Draw) -> String {
    const DIRECTIONS: [(f64, f64); 16] = [
        (1.0, 0.0),
        (0.92, 0.38),
        (0.71, 0.71),
        (0.38, 0.92),
        (0.0, 1.0),
        (-0.38, 0.92),
        (-0.71, 0.71),
        (-0.92, 0.38),
        (-1.0, 0.0),
        (-0.92, -0.38),
        (-0.71, -0.71),
        (-0.38, -0.92),
        (0.0, -1.0),
        (0.38, -0.92),
        (0.71, -0.71),
        (0.92, -0.38),
    ];
    let mut path = String::new();
    for (nth, (x, y)) in DIRECTIONS.into_iter().enumerate() {
        let reach = 0.86 + draw.below(40) as f64 / 100.0;
        let (x, y) = (120.0 + x * 92.0 * reach, 90.0 + y * 72.0 * reach);
        write!(path, "{}{x:.0} {y:.0}", if nth == 0 { "M" } else { "L" }).expect("a string takes everything");
    }
    path + "z"
}
