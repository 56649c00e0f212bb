//! Larger charts with a fine grid: several lines, columns, and bars in a list. Values have no text of their own.

use std::fmt::Write;

use super::ChartPoint;
use super::chart::round_step;
use super::in_words::{describe, listed, rough};
use crate::html::Html;

/// Colours of lines, in the order in which they are drawn.
pub(crate) const PLOT_COLOURS: [&str; 6] = ["#1b6ca8", "#c8553d", "#3a7d44", "#7a4e9e", "#b8860b", "#37474f"];

/// One line of a chart: values by year.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlotLine {
    pub(crate) points: Vec<(i32, f64)>,
}

/// The scale of a chart: from where to where, and how far lines of the grid are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlotScale {
    low: f64,
    high: f64,
    /// How far two lines of the grid are apart.
    pub(crate) step: f64,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 84.0;
const BOTTOM: f64 = 366.0;
const TOP: f64 = 16.0;

impl PlotScale {
    /// A scale of about ten steps that holds all values and, for columns, nought.
    pub(crate) fn around(values: impl Iterator<Item = f64> + Clone, base: Option<f64>) -> Self {
        let all = values.filter(|value| value.is_finite()).chain(base);
        let low = all.clone().reduce(f64::min).unwrap_or(0.0);
        let high = all.reduce(f64::max).unwrap_or(1.0);
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / 10.0);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    fn share(self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low).max(1e-9)
    }

    fn lines(self) -> impl Iterator<Item = f64> {
        let n_lines = ((self.high - self.low) / self.step).round().clamp(1.0, 24.0) as usize;
        (0..=n_lines).map(move |nth| self.low + self.step * nth as f64)
    }

    fn label(self, value: f64) -> String {
        let digits = (0..4).find(|digits| self.step * 10_f64.powi(*digits) >= 0.999).unwrap_or(4) as usize;
        let text = format!("{value:.digits$}");
        let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
        let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("\u{2212}", whole));
        let mut grouped = String::from(sign);
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push('\u{a0}');
            }
            grouped.push(digit);
        }
        grouped + rest
    }
}

/// Lines by year. From a year on values are provisional; in a year the definition was changed.
pub(crate) fn line_plot(lines: &[PlotLine], break_at: Option<i32>, open_from: Option<i32>) -> Html {
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let scale = PlotScale::around(points().map(|(_, value)| value).collect::<Vec<_>>().into_iter(), None);
    let first = points().map(|(year, _)| year).min().unwrap_or(0);
    let last = points().map(|(year, _)| year).max().unwrap_or(1);
    let wide = (WIDTH - LEFT - 24.0) / f64::from((last - first).max(1));
    let place = |year: i32, value: f64| (LEFT + 8.0 + f64::from(year - first) * wide, height_of(scale, value));
    framed(HEIGHT, |html| {
        describe(html, &lines_in_words(lines));
        grid(html, scale);
        let every = ((last - first) / 12 + 1) as usize;
        for year in (first..=last).step_by(every) {
            label(html, (place(year, scale.low).0, BOTTOM + 20.0), "middle", &year.to_string());
        }
        if let Some(year) = break_at.filter(|year| (first + 1..=last).contains(year)) {
            let x = place(year, scale.low).0 - wide / 2.0;
            let path = format!("M{x:.1} {TOP}V{BOTTOM}");
            html.leaf("path", &[("d", &path), ("stroke", "#999"), ("stroke-dasharray", "5 4"), ("fill", "none")], "");
        }
        for (line, colour) in lines.iter().zip(PLOT_COLOURS.into_iter().cycle()) {
            line_of(html, line, colour, open_from, &place);
        }
    })
}

/// Lines in the order of the legend.
fn lines_in_words(lines: &[PlotLine]) -> String {
    let points = |line: &PlotLine| {
        let told = line.points.iter().map(|(year, value)| format!("{year}: {}", rough(*value)));
        told.collect::<Vec<_>>().join("; ")
    };
    let told = lines.iter().enumerate().map(|(nth, line)| format!("line {}: {}", nth + 1, points(line)));
    told.collect::<Vec<_>>().join(". ")
}

fn line_of(
    html: &mut Html,
    line: &PlotLine,
    colour: &str,
    open_from: Option<i32>,
    place: &impl Fn(i32, f64) -> (f64, f64),
) {
    let mut path = String::new();
    for (nth, &(year, value)) in line.points.iter().enumerate() {
        let (x, y) = place(year, value);
        write!(path, "{}{x:.1} {y:.1}", if nth == 0 { "M" } else { "L" }).expect("a string takes everything");
    }
    html.leaf("path", &[("d", &path), ("fill", "none"), ("stroke", colour), ("stroke-width", "2")], "");
    for &(year, value) in &line.points {
        let (x, y) = place(year, value);
        let at = [format!("{x:.1}"), format!("{y:.1}")];
        let fill = if open_from.is_some_and(|from| year >= from) { "#fff" } else { colour };
        html.leaf("circle", &[("cx", &at[0]), ("cy", &at[1]), ("r", "3"), ("fill", fill), ("stroke", colour)], "");
    }
}

/// One column for each value, from nought.
pub(crate) fn column_plot(points: &[ChartPoint], colour: &str) -> Html {
    let scale = column_scale(points);
    let gap = (WIDTH - LEFT) / points.len().max(1) as f64;
    let wide = (gap * 0.6).min(52.0);
    framed(HEIGHT, |html| {
        describe(html, &listed(points.iter().map(|point| (point.label.as_str(), point.value))));
        grid(html, scale);
        for (nth, point) in points.iter().enumerate() {
            let x = LEFT + gap * (nth as f64 + 0.5);
            let (y, base) = (height_of(scale, point.value), height_of(scale, 0.0));
            let path =
                format!("M{:.1} {:.1}h{wide:.1}v{:.1}h-{wide:.1}z", x - wide / 2.0, y.min(base), (base - y).abs());
            html.leaf("path", &[("d", &path), ("fill", colour)], "");
            label(html, (x, BOTTOM + 20.0), "middle", &point.label);
        }
    })
}

/// The scale of a chart of columns.
pub(crate) fn column_scale(points: &[ChartPoint]) -> PlotScale {
    PlotScale::around(points.iter().map(|point| point.value), Some(0.0))
}

/// One bar for each value, below each other.
pub(crate) fn bar_list(points: &[ChartPoint], colour: &str) -> Html {
    const ROW: f64 = 19.0;
    const START: f64 = 150.0;
    let scale = column_scale(points);
    let bottom = 10.0 + ROW * points.len() as f64;
    let place = |value: f64| START + scale.share(value) * (WIDTH - START - 50.0);
    framed(bottom + 26.0, |html| {
        describe(html, &listed(points.iter().map(|point| (point.label.as_str(), point.value))));
        for value in scale.lines() {
            let path = format!("M{:.1} 6V{bottom:.1}", place(value));
            html.leaf("path", &[("d", &path), ("stroke", "#ddd"), ("fill", "none")], "");
        }
        for value in scale.lines().step_by(2) {
            label(html, (place(value), bottom + 18.0), "middle", &scale.label(value));
        }
        for (nth, point) in points.iter().enumerate() {
            let (y, base, end) = (10.0 + ROW * nth as f64, place(0.0_f64.max(scale.low)), place(point.value));
            let path =
                format!("M{:.1} {:.1}h{:.1}v12h-{:.1}z", base.min(end), y, (end - base).abs(), (end - base).abs());
            html.leaf("path", &[("d", &path), ("fill", colour)], "");
            label(html, (START - 8.0, y + 10.0), "end", &point.label);
        }
    })
}

fn framed(height: f64, inside: impl FnOnce(&mut Html)) -> Html {
    let size = format!("0 0 {WIDTH} {height:.0}");
    let mut html = Html::new();
    let open = [("class", "plot"), ("viewBox", size.as_str()), ("font-size", "12"), ("fill", "#444")];
    html.element("svg", &open, inside);
    html
}

fn height_of(scale: PlotScale, value: f64) -> f64 {
    BOTTOM - scale.share(value) * (BOTTOM - TOP)
}

fn grid(html: &mut Html, scale: PlotScale) {
    for value in scale.lines() {
        let y = height_of(scale, value);
        let path = format!("M{LEFT} {y:.1}H{WIDTH}");
        html.leaf("path", &[("d", &path), ("stroke", "#d5d5d5"), ("fill", "none")], "");
        label(html, (LEFT - 8.0, y + 4.0), "end", &scale.label(value));
    }
}

fn label(html: &mut Html, (x, y): (f64, f64), anchor: &'static str, text: &str) {
    let at = [format!("{x:.1}"), format!("{y:.1}")];
    html.leaf("text", &[("x", &at[0]), ("y", &at[1]), ("text-anchor", anchor)], text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_five_to_twelve_round_steps_and_hold_all_values() {
        for (low, high) in [(0.0, 4100.0), (0.0, 37.0), (-2.4, 6.1), (0.71, 0.94), (81_000.0, 83_000.0), (5.0, 5.0)] {
            let scale = PlotScale::around([low, high].into_iter(), None);
            assert!((4..=14).contains(&scale.lines().count()), "{scale:?}");
            assert!(scale.low <= low && scale.high >= high - 1e-9, "{scale:?}");
        }
        let scale = PlotScale::around([0.0, 41_000.0].into_iter(), None);
        assert_eq!((scale.step, scale.label(35_000.0)), (5_000.0, "35\u{a0}000".to_owned()));
        let scale = PlotScale::around([-2.0, 3.1].into_iter(), None);
        assert_eq!((scale.label(-1.0), scale.label(2.0)), ("\u{2212}1".to_owned(), "2".to_owned()));
    }
}
