//! What the commands take that read, judge again or hand on what was recorded.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::amount;

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The run: its name or its folder.
    pub(crate) run: String,
    /// Where to write the HTML report; `report.html` in the run's folder if not given.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write no HTML.
    #[arg(long)]
    pub(crate) no_html: bool,
    /// Trials whose pictures go into the HTML file.
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) pictures: usize,
    /// How large the HTML file may become, in megabytes. Photographs are made smaller until all fit; the record has them as
    /// they were shown.
    #[arg(long, default_value_t = 8.0, value_name = "MB", value_parser = amount)]
    pub(crate) page_size: f64,
    /// A run in which the oracle played the same instances: pointers are held against it. The run's own counts always.
    #[arg(long, value_name = "RUN")]
    pub(crate) oracle: Vec<String>,
}

/// Which pictures of a trial are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureChoice {
    /// Every one.
    All,
    /// The first, the last, and those in between that differ much from the one before.
    Key,
    /// The first and the last.
    Ends,
}

#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    /// The run: its name or its folder.
    pub(crate) run: String,
    /// Which pictures stay.
    #[arg(long, value_name = "WHICH")]
    pub(crate) pictures: PictureChoice,
    /// Say what would go and stop.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// A run to look at instead of this machine: its name or its folder. Every line, picture and file of it is checked.
    pub(crate) run: Option<String>,
    /// Mend what can be mended of the run. Nothing is thrown away: what is broken is moved aside.
    #[arg(long, requires = "run")]
    pub(crate) mend: bool,
    /// Ask a model once, for a few cents at most, before much is paid: whether it is reached, reads a number off a picture,
    /// and clicks where it means to. `anthropic/NAME`, or with an agent's options: `chat/NAME,base_url=URL,points=unit`.
    #[arg(long, value_name = "MODEL", conflicts_with = "run")]
    pub(crate) ask: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct LabelArgs {
    /// The run: its name or its folder.
    pub(crate) run: String,
    /// Who is asked: `anthropic/NAME`, `openai/NAME`, `google/NAME`, `chat/NAME,base_url=URL`.
    #[arg(long, short, value_name = "MODEL")]
    pub(crate) model: String,
    /// Ask about this many trials at most.
    #[arg(long, value_name = "N")]
    pub(crate) max: Option<usize>,
    /// Ask again about trials that this model was asked about before.
    #[arg(long)]
    pub(crate) again: bool,
    /// US dollars that the run and its labels together may cost; what the run may cost if not given.
    #[arg(long, value_name = "USD", value_parser = amount)]
    pub(crate) run_cost: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// A run, or one agent of a run. One run alone: its agents against each other. Two runs with the same agents: each
    /// agent with its namesake. Else one agent with another, or several, each with each, or with the first where there
    /// are more than five.
    #[arg(required = true, value_name = "RUN[@AGENT]")]
    pub(crate) sides: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The run: its name or its folder.
    pub(crate) run: String,
    /// One trial: play its recorded replies again and report the first divergence.
    #[arg(long, value_name = "TRIAL")]
    pub(crate) trial: Option<String>,
    /// Play the recorded replies of every trial again.
    #[arg(long, conflicts_with = "trial")]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RescoreArgs {
    /// The run: its name or its folder.
    pub(crate) run: String,
    /// Keep the new verdicts beside the old ones.
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A task (`puzzles/maze-2d`), an instance (`puzzles/maze-2d@easy#7`), a run, or a trial of a run.
    pub(crate) what: String,
    /// A trial of the run.
    pub(crate) trial: Option<String>,
    /// For a trial: what the model was sent in this turn; of an outside agent, in its call of this number. Both count from 0.
    #[arg(long, value_name = "N", requires = "trial")]
    pub(crate) sent: Option<usize>,
    /// For a trial: write the files that the agent left into this folder.
    #[arg(long, value_name = "DIR", requires = "trial", conflicts_with = "sent")]
    pub(crate) files: Option<PathBuf>,
    /// For an instance: write its first screen here.
    #[arg(long, value_name = "FILE")]
    pub(crate) screen: Option<PathBuf>,
    /// For an instance: write the picture of its goal here.
    #[arg(long, value_name = "FILE")]
    pub(crate) goal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The run: its name or its folder; with `--harbor` the tasks.
    #[arg(value_name = "RUN|TASK")]
    pub(crate) what: String,
    /// The form.
    #[arg(long, short, value_enum, required_unless_present = "harbor")]
    pub(crate) format: Option<FormatChoice>,
    /// The folder to write to.
    #[arg(long, short = 'o', value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Which trials.
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) only: ExportFilter,
    #[command(flatten)]
    pub(crate) harbor: HarborExportArgs,
}

/// Tasks for Harbor instead of trials.
#[derive(Debug, Args)]
pub(crate) struct HarborExportArgs {
    /// Write instances of tasks that are worked on in files as folders of Harbor's, one each: docs/harbor.md.
    #[arg(long, conflicts_with_all = ["format", "only"])]
    pub(crate) harbor: bool,
    /// The program `quintain` for Harbor's machine, to be put into each folder: it judges there.
    #[arg(long, value_name = "FILE", requires = "harbor")]
    pub(crate) program: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    /// Agent Trajectory Interchange Format 1.7, one file a trial.
    Atif,
    /// ShareGPT conversations with images, all in one array.
    Sharegpt,
    /// OpenAI chat messages with images, one line a trial.
    Openai,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFilter {
    /// Every trial.
    All,
    /// Solved ones.
    Success,
    /// Unsolved ones; faults are left out.
    Failure,
}
