//! A diagnosis as a plot: for each level the share solved, and the paired difference to the run's own setting.

use std::fmt::Write as _;

use quintain_core::words::count;

use super::{Diagnosed, LevelResult, SettingEffect};
use crate::html::escape::escape;
use crate::stats::Interval;
use crate::text::{interval, percent, signed};
use crate::told_apart::Lean;

/// The look of the plot, light or dark as the reader prefers.
pub(super) const STYLE: &str = include_str!("plot.css");

const WIDTH: f64 = 860.0;
/// How high one level is.
const ROW: f64 = 20.0;
/// Where the first setting begins.
const TOP: f64 = 44.0;

/// A strip of the plot along which values lie.
struct PlotAxis {
    from_px: f64,
    to_px: f64,
    least: f64,
    ticks: &'static [f64],
}

const SHARE: PlotAxis = PlotAxis { from_px: 240.0, to_px: 450.0, least: 0.0, ticks: &[0.0, 0.25, 0.5, 0.75, 1.0] };
const DIFFERENCE: PlotAxis =
    PlotAxis { from_px: 540.0, to_px: 770.0, least: -1.0, ticks: &[-1.0, -0.5, 0.0, 0.5, 1.0] };

impl PlotAxis {
    fn px(&self, value: f64) -> f64 {
        self.from_px + (self.to_px - self.from_px) * (value - self.least) / (1.0 - self.least)
    }
}

/// The plot of one agent as an SVG file that needs nothing else.
pub fn svg(agent: &Diagnosed) -> String {
    let (marks, bottom) = marks(agent);
    let height = bottom + 26.0;
    let about = escape(&format!("what the success of {} depends on", agent.agent));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"diagnosis\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" \
         role=\"img\" aria-label=\"{about}\"><style>{STYLE}</style>{}</svg>\n",
        drawn(&marks, bottom, height)
    )
}

/// The same as a part of a page that has the style already.
pub(super) fn figure(agent: &Diagnosed) -> String {
    let (marks, bottom) = marks(agent);
    let height = bottom + 26.0;
    let content = drawn(&marks, bottom, height);
    format!("<svg class=\"diagnosis\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\">{content}</svg>")
}

fn drawn(marks: &str, bottom: f64, height: f64) -> String {
    let back = format!("<rect class=\"back\" width=\"{WIDTH:.0}\" height=\"{height:.0}\"/>");
    let titles = text(SHARE.from_px, 16.0, "title", "solved, with Wilson's interval")
        + &text(DIFFERENCE.from_px, 16.0, "title", "difference, same instances, paired interval");
    let grids =
        grid(&SHARE, bottom, |value| format!("{:.0} %", 100.0 * value))
            + &grid(&DIFFERENCE, bottom, |value| {
                if value == 0.0 { "0 %".to_owned() } else { format!("{:+.0} %", 100.0 * value) }
            });
    back + &titles + &grids + marks
}

fn text(x: f64, y: f64, class: &str, words: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(words))
}

fn grid(axis: &PlotAxis, bottom: f64, name: impl Fn(f64) -> String) -> String {
    let line = |value: &f64| {
        let x = axis.px(*value);
        let class = if *value == 0.0 && axis.least < 0.0 { "zero" } else { "grid" };
        let path = format!("<path class=\"{class}\" d=\"M{x:.1} {:.1}V{bottom:.1}\"/>", TOP - 18.0);
        path + &text(x, bottom + 16.0, "tick", &name(*value))
    };
    axis.ticks.iter().map(line).collect()
}

/// Everything that is drawn of the settings, and where it ends.
fn marks(agent: &Diagnosed) -> (String, f64) {
    let (mut marks, mut y) = (String::new(), TOP);
    for effect in &agent.factors {
        if y > TOP {
            let _infallible = write!(marks, "<path class=\"rule\" d=\"M12 {:.1}H{:.1}\"/>", y - 12.0, WIDTH - 12.0);
        }
        marks += &heading(effect, y);
        for level in &effect.levels {
            y += ROW;
            marks += &row(level, y);
        }
        y += ROW + 10.0;
    }
    (marks, y - ROW)
}

fn heading(effect: &SettingEffect, y: f64) -> String {
    let most = |count: fn(&LevelResult) -> usize| effect.levels.iter().map(count).max().unwrap_or(0);
    let (instances, tasks) = (most(|level| level.n_instances), most(|level| level.n_tasks));
    let over = format!("{} of {}", count(instances, "instance"), count(tasks, "task"));
    text(12.0, y + 4.0, "factor", &effect.factor) + &text(90.0, y + 4.0, "count", &over)
}

fn row(level: &LevelResult, y: f64) -> String {
    let name = text(SHARE.from_px - 14.0, y + 4.0, "level", &level.level);
    let share = level.success.zip(level.wilson).map_or_else(String::new, |(value, wilson)| {
        let told = format!("{} of {} solved, {}", level.n_solved, level.n_played, interval(Some(wilson)));
        whisker(if level.is_base { "base" } else { "same" }, &SHARE, value, Some(wilson), y, &told)
    });
    let difference = level.difference().map_or_else(String::new, |(value, paired)| {
        let class = match level.is_shown() {
            Some(Lean::More) => "more",
            Some(Lean::Fewer) => "fewer",
            None => "same",
        };
        let told = format!("{} {}", signed(Some(value)), interval(paired));
        whisker(class, &DIFFERENCE, value, paired, y, &told)
            + &text(WIDTH - 12.0, y + 4.0, "told", &signed(Some(value)))
    });
    let solved = text(SHARE.to_px + 56.0, y + 4.0, "told", &percent(level.success));
    name + &share + &solved + &difference
}

fn whisker(class: &str, axis: &PlotAxis, value: f64, range: Option<Interval>, y: f64, told: &str) -> String {
    let line = range.map_or_else(String::new, |Interval { low, high }| {
        let (low, high, top) = (axis.px(low), axis.px(high), y - 3.0);
        format!("<path class=\"whisker\" d=\"M{low:.1} {y:.1}H{high:.1}M{low:.1} {top:.1}v6M{high:.1} {top:.1}v6\"/>")
    });
    format!(
        "<g class=\"{class}\"><title>{}</title>{line}<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"/></g>",
        escape(told),
        axis.px(value)
    )
}
