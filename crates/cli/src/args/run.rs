//! What `run`, `resume` and `diagnose` take, and what every command takes that plays trials.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quintain_core::StartChoice;

use super::{OnFleetArgs, PictureChoice, amount};

/// What agents' own programs may see of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AgentAccess {
    /// Themselves, what interprets them, and what they are granted.
    Sandbox,
    /// All that we see.
    Host,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// What to play: `puzzles`, `puzzles/maze-2d`, `puzzles/maze-2d@easy`, `puzzles/maze-2d@easy#7`, a folder; with `+2`
    /// behind it, what is left of it after its first two milestones, and with `+2..3` its third milestone alone.
    #[arg(required_unless_present = "edition", value_name = "TASK")]
    pub(crate) tasks: Vec<String>,
    /// Who plays: `oracle`, `idle`, `random`, `replay:RUN`, `replay:RUN@AGENT`, `cmd:python3 agent.py`, `outside:PROGRAM {instruction}`, or a model in a
    /// loop: `react:anthropic/claude-opus-4-6`, `turns:...`, `generalist:...`, `planner:...,grounder=...`. With a name of
    /// your own before it, as in `fast=turns:chat/x`, it goes by that in trials and tables. May be repeated.
    #[arg(long, short, required = true, value_name = "AGENT")]
    pub(crate) agent: Vec<String>,
    /// A file or folder that agents' own programs (`cmd:`, `outside:`) see in their sandbox, read-only, besides themselves,
    /// what interprets them and the files that their command lines name. May be repeated.
    #[arg(long, value_name = "PATH")]
    pub(crate) agent_files: Vec<PathBuf>,
    /// What agents' own programs may see of this host: `sandbox`, or `host` for all that you see. A program without a
    /// sandbox can look up solutions; reports say so.
    #[arg(long, value_name = "ACCESS", default_value = "sandbox", conflicts_with = "agent_files")]
    pub(crate) agent_access: AgentAccess,
    /// Which seeds: `5` (0 to 4), `10..20`, `3,7,11`, or `canonical`. Unless given: the canonical instances where every
    /// task has one, else 5.
    #[arg(long, short, value_name = "SEEDS")]
    pub(crate) seeds: Option<String>,
    /// A key from which each task's seeds are derived, so that nobody without it knows the instances; --seeds then says
    /// which numbers. `quintain seeds new FILE` makes one.
    #[arg(long, value_name = "FILE")]
    pub(crate) private: Option<PathBuf>,
    /// An edition of an exam: its tasks with its instances. It takes its key too (--private), unless that is published.
    /// `quintain seeds edition` makes one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tasks", "seeds"])]
    pub(crate) edition: Option<PathBuf>,
    /// After how many milestones each instance begins, one or several: `0,2`, `1..2` for the second alone, `all` for every
    /// start that a task has. Unless given: at the start.
    #[arg(long, value_delimiter = ',', value_name = "MILESTONES")]
    pub(crate) after: Vec<StartChoice>,
    /// How often each instance is played.
    #[arg(long, short = 'k', default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeats: u32,
    /// The name of the run; made up from what is played if not given.
    #[arg(long, short = 'o', value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) how: HowArgs,
    /// A folder where answers of models are kept, so that the same question is paid for once.
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Which pictures are kept; agents are shown all of them. Without them a trial cannot be exported for training.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub(crate) pictures: PictureChoice,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) working: WorkingArgs,
    #[command(flatten)]
    pub(crate) on_fleet: OnFleetArgs,
    /// Say what would be run and stop.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// With --dry-run: a run of the same agents whose trials tell what this one will use up.
    #[arg(long, value_name = "RUN", requires = "dry_run")]
    pub(crate) pilot: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DiagnoseArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// What is varied, one at a time: history, view, feedback, goal, groups, surface, resolution, effort; with levels of
    /// your own as in `history=1,8,all` or `groups=gui,gui+browser`. Unless given: history,view,feedback,goal.
    #[arg(long, value_delimiter = ',', value_name = "SETTINGS")]
    pub(crate) vary: Vec<String>,
}

/// What a whole run may use up. When it is spent, the run stops, keeps what is done, and can be resumed with more.
#[derive(Debug, Default, Clone, Copy, Args)]
pub(crate) struct BudgetArgs {
    /// US dollars the whole run may cost.
    #[arg(id = "run_cost", long = "run-cost", value_name = "USD", value_parser = amount)]
    pub(crate) cost: Option<f64>,
    /// Tokens the whole run may use.
    #[arg(id = "run_tokens", long = "run-tokens", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tokens: Option<u64>,
    /// Minutes the whole run may take.
    #[arg(id = "run_minutes", long = "run-minutes", value_name = "MINUTES", value_parser = amount)]
    pub(crate) minutes: Option<f64>,
    /// Steps all trials of the run may take together.
    #[arg(id = "run_steps", long = "run-steps", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) steps: Option<u64>,
}

/// How agents are let to play.
#[derive(Debug, Default, Args)]
pub(crate) struct HowArgs {
    /// The parts shown, of those the task allows: screen, ascii, goal, feedback, remaining, ...
    #[arg(long, value_delimiter = ',', value_name = "PARTS")]
    pub(crate) show: Option<Vec<String>>,
    /// How many earlier turns an agent with a memory window keeps.
    #[arg(long, value_name = "N")]
    pub(crate) history: Option<u32>,
    /// The groups of actions that agents may use, of those the task allows: call, gui, browser, shell, code, api.
    #[arg(long, value_delimiter = ',', value_name = "GROUPS")]
    pub(crate) groups: Option<Vec<String>>,
    /// How agents meet a web, instead of --show and --groups: gui (screen, mouse and keyboard), elements (tree, mouse and
    /// keyboard) or text (pages as text, calls, no browser).
    #[arg(long, value_name = "SURFACE", conflicts_with_all = ["show", "groups"])]
    pub(crate) surface: Option<String>,
    /// How hard models should think: none, low, medium or high.
    #[arg(long, value_name = "EFFORT")]
    pub(crate) effort: Option<String>,
    /// The longest side in pixels of the pictures that agents are shown; larger ones are made smaller.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..))]
    pub(crate) resolution: Option<u32>,
    /// Steps a trial may take, instead of the task's own limit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) steps: Option<u32>,
    /// Minutes a trial may take.
    #[arg(long, value_name = "MINUTES", value_parser = amount)]
    pub(crate) minutes: Option<f64>,
    /// Tokens a trial may use.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tokens: Option<u64>,
    /// US dollars a trial may cost.
    #[arg(long, value_name = "USD", value_parser = amount)]
    pub(crate) cost: Option<f64>,
}

/// How the work is done.
#[derive(Clone, Debug, Args)]
pub(crate) struct WorkingArgs {
    /// Trials at once; as many as there are cores if not given.
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) workers: Option<usize>,
    /// Attempts a trial has when faults strike.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) attempts: u32,
    /// Append every event of the run to this file, as a line of JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run: its name or its folder.
    pub(crate) run: String,
    /// For a game that was left with `quit`: where the screen is written, `screen.png` if not given.
    #[arg(long, value_name = "FILE")]
    pub(crate) screen: Option<PathBuf>,
    /// For a game that was left with `quit`: let time pass in an app while you look at it.
    #[arg(long)]
    pub(crate) wall: bool,
    /// Play trials that ended in faults again, with as many attempts as before.
    #[arg(long)]
    pub(crate) faults: bool,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) working: WorkingArgs,
    #[command(flatten)]
    pub(crate) on_fleet: OnFleetArgs,
}
