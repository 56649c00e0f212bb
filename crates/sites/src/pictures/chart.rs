//! Line and bar charts with axes.

use std::fmt::Write;

use super::in_words::{describe, listed};
use crate::html::Html;

/// One value of a chart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChartPoint {
    /// What stands below it.
    pub(crate) label: String,
    /// The value.
    pub(crate) value: f64,
}

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 232.0;
const TOP: f64 = 14.0;

/// A line through the values, with a grid of round steps.
pub(crate) fn line_chart(points: &[ChartPoint], colour: &str) -> Html {
    frame(points, Baseline::Free, |html, points, place| {
        let mut path = String::new();
        for (nth, point) in points.iter().enumerate() {
            let (x, y) = place(nth, point.value);
            write!(path, "{}{x:.1} {y:.1}", if nth == 0 { "M" } else { "L" }).expect("a string takes everything");
        }
        let line = [("d", path.as_str()), ("fill", "none"), ("stroke", colour), ("stroke-width", "2")];
        html.leaf("path", &line, "");
    })
}

/// One bar for each value.
pub(crate) fn bar_chart(points: &[ChartPoint], colour: &str) -> Html {
    frame(points, Baseline::Nought, |html, points, place| {
        let wide = ((WIDTH - LEFT) / points.len().max(1) as f64 * 0.6).min(46.0);
        let (_, base) = place(0, 0.0);
        for (nth, point) in points.iter().enumerate() {
            let (x, y) = place(nth, point.value);
            let (top, tall) = (y.min(base), (base - y).abs());
            let path = format!("M{:.1} {top:.1}h{wide:.1}v{tall:.1}h-{wide:.1}z", x - wide / 2.0);
            html.leaf("path", &[("d", path.as_str()), ("fill", colour)], "");
        }
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Baseline {
    Nought,
    Free,
}

fn frame(
    points: &[ChartPoint],
    baseline: Baseline,
    draw: impl FnOnce(&mut Html, &[ChartPoint], &dyn Fn(usize, f64) -> (f64, f64)),
) -> Html {
    let values = || points.iter().map(|point| point.value).filter(|value| value.is_finite());
    let from_nought = (baseline == Baseline::Nought).then_some(0.0);
    let low = values().chain(from_nought).reduce(f64::min).unwrap_or(0.0);
    let high = values().chain(from_nought).reduce(f64::max).unwrap_or(1.0);
    let high = if high > low { high } else { low + 1.0 };
    // Things that are counted need no finer grid than one.
    let finest = if values().all(|value| value.fract() == 0.0) { 1.0 } else { 0.0 };
    let step = round_step((high - low) / 5.0).max(finest);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let gap = (WIDTH - LEFT) / points.len().max(1) as f64;
    let place = |nth: usize, value: f64| {
        (LEFT + gap * (nth as f64 + 0.5), BOTTOM - (value - low) / (high - low).max(1e-9) * (BOTTOM - TOP))
    };
    let mut html = Html::new();
    let size = format!("0 0 {WIDTH} {HEIGHT}");
    let open =
        [("class", "chart"), ("viewBox", size.as_str()), ("width", "100%"), ("font-size", "11"), ("fill", "#444")];
    html.element("svg", &open, |html| {
        describe(html, &listed(points.iter().map(|point| (point.label.as_str(), point.value))));
        let n_lines = ((high - low) / step).round().clamp(1.0, 12.0) as usize;
        (0..=n_lines)
            .for_each(|nth| grid_line(html, low + step * nth as f64, step, place(0, low + step * nth as f64).1));
        let every = points.len().div_ceil(13).max(1);
        for (nth, point) in points.iter().enumerate().step_by(every) {
            let x = format!("{:.1}", place(nth, low).0);
            html.leaf("text", &[("x", &x), ("y", "248"), ("text-anchor", "middle")], &point.label);
        }
        draw(html, points, &place);
    });
    html
}

fn grid_line(html: &mut Html, value: f64, step: f64, y: f64) {
    let path = format!("M{LEFT} {y:.1}H{WIDTH}");
    html.leaf("path", &[("d", path.as_str()), ("stroke", "#ddd"), ("fill", "none")], "");
    let digits = if step >= 1.0 {
        0
    } else if step >= 0.1 {
        1
    } else {
        2
    };
    let at = format!("{:.1}", y + 4.0);
    html.leaf("text", &[("x", "58"), ("y", &at), ("text-anchor", "end")], &format!("{value:.digits$}"));
}

/// The nearest of 1, 2 and 5 times a power of ten that is not smaller.
pub(super) fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powi(rough.max(1e-6).log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough).unwrap_or(power * 10.0)
}
