//! Pictures as SVG: marks, flags, maps, charts, scans. Shared by all sites.

mod chart;
mod flag;
mod in_words;
mod mark;
mod plot;
mod scan;
mod site_map;

pub(crate) use chart::{ChartPoint, bar_chart, line_chart};
pub(crate) use flag::flag;
pub(crate) use in_words::remove_picture_words;
pub(crate) use mark::{logo, mark};
pub(crate) use plot::{PLOT_COLOURS, PlotLine, bar_list, column_plot, column_scale, line_plot};
pub(crate) use scan::ScanSheet;
pub(crate) use site_map::locator_map;
