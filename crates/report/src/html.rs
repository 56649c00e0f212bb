//! One self-contained HTML file that shows a run: numbers, plots, every trial, step by step.
//!
//! The file needs no network and no server. What agents said is data: it travels as JSON that cannot leave its script
//! element, the page puts it in place as text only, and a content policy with a nonce made from the data itself keeps
//! any other script from running.

mod chains;
mod data;
pub(crate) mod escape;
mod parts;
mod plots;

use std::collections::BTreeMap;

use quintain_core::digest::Digest;
use quintain_core::trajectory::Step;
use quintain_core::words::count;

use crate::isolation::noted_line;
use crate::row::{TrialRow, UnplayedTrial};
use crate::summary::{Summary, summary};
use data::PictureNumbers;
pub use data::{listed_size, step_size};
use escape::{escape, fill};

/// The look of every page.
pub(crate) const STYLE: &str = include_str!("html/style.css");

/// Everything an HTML report shows.
#[derive(Clone, Debug, Default)]
pub struct HtmlReport {
    /// The run's name.
    pub name: String,
    /// What the run was made with, as names and values: binary, world digests, limits, settings.
    pub fingerprint: Vec<(String, String)>,
    /// The trials that are listed, in their order.
    pub trials: Vec<HtmlTrial>,
    /// The pictures that steps name. Those that are not here are shown as not kept.
    pub pictures: BTreeMap<Digest, PagePicture>,
    /// How pictures differ from those that were shown, where they do.
    pub pictures_note: Option<String>,
}

/// A picture as a page holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePicture {
    /// What it is packed as: `image/webp`, `image/jpeg`, `image/png`.
    pub media: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
    /// How wide it was when it was shown: the page may hold it smaller.
    pub width: u32,
}

/// One trial of a report.
#[derive(Clone, Debug)]
pub struct HtmlTrial {
    /// What it came to.
    pub row: TrialRow,
    /// What the agent was asked to do.
    pub instruction: Option<String>,
    /// Its steps; nothing if the report leaves them out.
    pub steps: Option<Vec<Step>>,
    /// The last screen, after the agent had stopped.
    pub last_screen: Option<Digest>,
}

/// Draws the report of a run whose trials came to `rows`, or were not played. All of them count in the figures, and those
/// of the report's trials are listed: a page with a million of them would not open.
pub fn html(report: &HtmlReport, rows: &[TrialRow], unplayed: &[UnplayedTrial]) -> String {
    let summary = summary(rows, unplayed);
    let pictures = PictureNumbers::number(report);
    let trials = data::trials(report, &pictures);
    let steps = data::steps(report, &pictures);
    let images = data::pictures(report, &pictures);
    let nonce = Digest::of(format!("{trials}{steps}").as_bytes()).to_string();
    fill(
        include_str!("html/page.html"),
        &[
            ("nonce", &nonce),
            ("style", STYLE),
            ("script", concat!(include_str!("html/table.js"), include_str!("html/viewer.js"))),
            ("name", &escape(&report.name)),
            ("about", &about(&summary)),
            ("fingerprint", &parts::fingerprint(&report.fingerprint)),
            ("headlines", &parts::headlines(&summary)),
            ("plots", &(plots::plots(&summary, rows) + &chains::chain_plots(&summary))),
            ("tables", &parts::tables(&summary)),
            ("notice", &notice(report, &summary, rows.len())),
            ("trials", &trials),
            ("steps", &steps),
            ("pictures", &images),
        ],
    )
}

fn about(summary: &Summary) -> String {
    let agents = summary.by_agent.iter().map(|group| &group.name);
    let agents = noted_line(agents.map(|agent| (agent.as_str(), summary.isolation.get(agent).copied())));
    let agents = if agents.is_empty() { "no agent".to_owned() } else { agents };
    let trials = count(summary.total.n, "trial");
    let tasks = count(summary.total.n_tasks, "task");
    escape(&format!("{agents} · {trials} over {tasks} · {}", count(summary.total.n_faulted, "fault")))
}

/// Says so where a program ran without isolation, where not every trial is listed, or can be stepped through with its
/// pictures.
fn notice(report: &HtmlReport, summary: &Summary, n_rows: usize) -> String {
    let kept = |digest: &Digest| report.pictures.contains_key(digest);
    let complete = |steps: &[Step]| steps.iter().flat_map(|step| step.shown.pictures.values()).all(kept);
    let with_steps = report.trials.iter().filter(|trial| trial.steps.is_some()).count();
    let with_pictures = report.trials.iter().filter(|trial| trial.steps.as_deref().is_some_and(complete)).count();
    let n = report.trials.len();
    let mut lines: Vec<String> =
        summary.isolation_warning().map(|warning| format!("Agents {warning}.")).into_iter().collect();
    let pointers = [summary.trails.same_words(), summary.trails.uncompared_words()];
    lines.extend(pointers.into_iter().flatten().map(|words| format!("Pointers: {words}.")));
    if n < n_rows {
        lines.push(format!("{n} of {n_rows} trials are listed, what went wrong before what went right."));
    }
    if with_steps < n {
        lines.push(format!("Steps are included for {with_steps} of {n} trials."));
    }
    lines.extend(report.pictures_note.clone());
    if with_pictures < with_steps {
        lines.push(format!("All pictures are included for {with_pictures} of the {with_steps} trials with steps."));
    }
    if lines.is_empty() { String::new() } else { format!("<p class=\"notice\">{}</p>", escape(&lines.join(" "))) }
}
