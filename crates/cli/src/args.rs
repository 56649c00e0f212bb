//! The command line as it is typed.

mod bridge;
mod data;
mod demos;
mod fleet;
mod import;
mod models;
mod records;
mod run;
mod tree;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use quintain_core::variables;

pub(crate) use bridge::*;
pub(crate) use data::*;
pub(crate) use demos::*;
pub(crate) use fleet::*;
pub(crate) use import::*;
pub(crate) use models::*;
pub(crate) use records::*;
pub(crate) use run::*;
pub(crate) use tree::*;

/// The heading under which help lists the options that every command takes.
const EVERYWHERE: &str = "Options of every command";

/// Puts any computer-use agent in front of any kind of world and tells, with proof, how good it is.
#[derive(Debug, Parser)]
#[command(name = "quintain", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Print data as JSON.
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,
    /// Print no words, only data and errors.
    #[arg(long, short, global = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// A folder of suites to use instead of the built-in ones.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = variables::SUITES, value_name = "DIR")]
    pub(crate) suites: Option<PathBuf>,
    /// A folder of photographs for the puzzles that show some, instead of generated scenes.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = variables::PHOTOS, value_name = "DIR")]
    pub(crate) photos: Option<PathBuf>,
    /// A label file in COCO or LVIS format for the puzzles that ask about things, its photographs beside it or in `images`
    /// beside it, instead of generated pictures.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = variables::LABELS, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// A folder of OBJ or glTF files for the puzzle that shows objects, instead of generated toys.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = variables::MESHES, value_name = "DIR")]
    pub(crate) meshes: Option<PathBuf>,
    /// A folder of clips for the puzzle that mixes frames, instead of generated happenings: each must show something that
    /// happens one way only. Needs the program ffmpeg.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = variables::CLIPS, value_name = "DIR")]
    pub(crate) clips: Option<PathBuf>,
    /// A file that says what is known of models, before what is built in: docs/models.md.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = variables::MODELS, value_name = "FILE")]
    pub(crate) models: Option<PathBuf>,
    /// Where runs are kept.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = variables::RUNS, value_name = "DIR", default_value = quintain_workshop::RUNS)]
    pub(crate) runs: PathBuf,
    /// Run browsers without Chromium's own sandbox, on hosts that do not allow it.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = variables::NO_SANDBOX, value_parser = clap::builder::FalseyValueParser::new())]
    pub(crate) no_sandbox: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Let agents play instances of tasks.
    Run(RunArgs),
    /// Go on with a run that was interrupted or killed.
    Resume(ResumeArgs),
    /// Tell what came of a run, as a table and as one HTML file.
    Report(ReportArgs),
    /// Ask a model how the unsolved trials of a run went wrong, with evidence for each label.
    Label(LabelArgs),
    /// Compare agents of a run or of several, instance by instance.
    Compare(CompareArgs),
    /// Find out what an agent's success depends on: the same instances under settings that differ in one thing.
    Diagnose(DiagnoseArgs),
    /// Show a recorded run again, or play a trial's actions again and find the first divergence.
    Replay(ReplayArgs),
    /// Judge a run again from its evidence alone.
    Rescore(RescoreArgs),
    /// Prove tasks sound: make their certificates.
    Check(CheckArgs),
    /// Make the folder of a new task.
    New(NewArgs),
    /// Make tasks of ours of tasks in another format.
    Import(ImportArgs),
    /// Make a key of private seeds, for instances that nobody else can draw.
    Seeds(SeedsArgs),
    /// Play a trial yourself, from the terminal.
    Play(PlayArgs),
    /// Let agents play that we do not run: over MCP, or OpenEnv for trainers.
    Bridge(BridgeArgs),
    /// Serve an app at an address of its own, for an agent that brings its own browser.
    Open(OpenArgs),
    /// Judge what was made elsewhere, or say that an opened trial is done.
    Submit(SubmitArgs),
    /// Run a provider on this machine that speaks the real wire formats, to try set-ups without a key or a bill.
    ProviderSim(ProviderSimArgs),
    /// Browse the sites of a world that is made from a seed, read-only, at an address of this machine.
    Web(WebArgs),
    /// Play for a fleet: take trials from its server, bring their records to its archive.
    Worker(WorkerArgs),
    /// See to it that a fleet's trials are on offer and its outcomes reach the archive.
    Steward(StewardArgs),
    /// Look after a fleet: its hosts, its runs, what it may use.
    Fleet(FleetCommandArgs),
    /// Bring the record of a fleet's run from its archive.
    Pull(PullArgs),
    /// List suites, tasks, puzzles, checks, agents, models or runs.
    List(ListArgs),
    /// Show a task, a run or a trial.
    Show(ShowArgs),
    /// Write recorded trials in a form other tools read.
    Export(ExportArgs),
    /// Make demonstrations by the thousand, to train models with.
    Demos(DemosArgs),
    /// List, fetch and check data that puzzles can be made of.
    Data(DataArgs),
    /// Build, list and remove whole systems that agents can work in as root.
    Tree(TreeArgs),
    /// Tell what is known of models, and bring their prices up to date.
    Models(ModelsArgs),
    /// Check that everything needed is here, and say how to get what is not.
    Doctor(DoctorArgs),
    /// Keep fewer pictures of a run that is over; verdicts, replies and evidence stay.
    Prune(PruneArgs),
    /// See it work: a small run, a table and a report, within a minute.
    Demo(DemoArgs),
    /// Print completions for a shell.
    Completions(CompletionsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// What to certify: a suite, a task, a folder.
    #[arg(required_unless_present_any = ["kept", "states"], value_name = "TASK")]
    pub(crate) tasks: Vec<String>,
    /// Which seeds.
    #[arg(long, short, default_value = "20", value_name = "SEEDS")]
    pub(crate) seeds: String,
    /// The quick form: fewer repeats and fewer random trials.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Where whole certificates are written: DIR/<suite>/<task>.whole.json.
    #[arg(long, default_value = "certificates", value_name = "DIR")]
    pub(crate) certificates: PathBuf,
    /// Prove again even where a valid certificate is kept.
    #[arg(long)]
    pub(crate) again: bool,
    /// Keep a small file of each sound certificate in this folder, and leave out tasks whose file there still fits.
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) along: AlongArgs,
    #[command(flatten)]
    pub(crate) instead: InsteadArgs,
}

/// For whoever waits for certificates, or works on the tasks meanwhile.
#[derive(Debug, Args)]
pub(crate) struct AlongArgs {
    /// Tell which part of which instance is being examined, also where there is no terminal to draw a bar on.
    #[arg(long)]
    pub(crate) progress: bool,
    /// Examine again whenever a file of the tasks changes, until Ctrl-C.
    #[arg(long, conflicts_with_all = ["kept", "states", "mutate", "twins", "dry", "keep"])]
    pub(crate) watch: bool,
}

/// What is done instead of making certificates: one of these.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct InsteadArgs {
    /// Play nothing: tell which of the small files in this folder no longer fit, of all tasks or of those named.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["keep", "again", "quick"])]
    pub(crate) kept: Option<PathBuf>,
    /// Play nothing: judge the end states in this folder, of all tasks or of those named, each of which somebody says is
    /// right or wrong: docs/red-team.md.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["keep", "again", "quick"])]
    pub(crate) states: Option<PathBuf>,
    /// Forget each clause of the tasks' checks in turn, and tell which of them no near miss needs.
    #[arg(long, conflicts_with_all = ["keep", "again", "quick"])]
    pub(crate) mutate: bool,
    /// Play nothing and prove nothing: tell how many of 1,000 seeds of each task give different instances.
    #[arg(long, conflicts_with_all = ["keep", "again", "quick"])]
    pub(crate) twins: bool,
    /// Play nothing: prove instances of tasks whose world can be proven without playing, seed 1 of each preset and as many
    /// twins as there are seeds, and tell what was found.
    #[arg(long, conflicts_with_all = ["keep", "again", "quick"])]
    pub(crate) dry: bool,
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The task's name: `suite/task`.
    pub(crate) id: String,
    /// The task it is modelled on.
    #[arg(long, default_value = "puzzles/maze-2d", value_name = "TASK")]
    pub(crate) like: String,
    /// Its title.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The folder of suites to put it in.
    #[arg(long, default_value = "suites", value_name = "DIR")]
    pub(crate) into: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SeedsArgs {
    #[command(subcommand)]
    pub(crate) command: SeedsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SeedsCommand {
    /// Make a key in a file that is not there yet, for its owner's eyes alone, and tell its id.
    New {
        /// The file.
        file: PathBuf,
    },
    /// Make an edition of an exam: a file that says which tasks are played with which instances of a key. It may be published;
    /// the key is kept.
    Edition {
        /// The file, which must not be there yet.
        file: PathBuf,
        /// The key.
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
        /// What it is called, for example `2026-11`.
        #[arg(long, value_name = "NAME")]
        name: String,
        /// What is played: `exam`, `exam/mail-threads@hard`.
        #[arg(long, required = true, num_args = 1.., value_name = "TASK")]
        tasks: Vec<String>,
        /// How many instances of each.
        #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
        count: u64,
    },
    /// Publish the key of an edition in its file, so that anybody can make its instances again.
    Retire {
        /// The file.
        file: PathBuf,
        /// The key.
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
    },
    /// Tell the id of a key, which runs are recorded with.
    Id {
        /// The file.
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The instance: `puzzles/maze-2d@easy#7`. Preset and seed may be left out.
    pub(crate) task: String,
    /// Where the screen is written.
    #[arg(long, default_value = crate::player::SCREEN, value_name = "FILE")]
    pub(crate) screen: PathBuf,
    /// Let time pass in an app while you look at it, instead of with your actions only.
    #[arg(long)]
    pub(crate) wall: bool,
    /// Keep what solved the task as `oracle.txt` in its folder: places by the names of what is there, parameters as such.
    #[arg(long, conflicts_with = "wall")]
    pub(crate) record_oracle: bool,
    #[command(flatten)]
    pub(crate) how: HowArgs,
    /// The name of the run that keeps the trial.
    #[arg(long, short = 'o', value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// What to list.
    #[arg(default_value = "tasks")]
    pub(crate) what: ListedThing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListedThing {
    /// The suites.
    Suites,
    /// The tasks.
    Tasks,
    /// The puzzles and their solvers' strategies.
    Puzzles,
    /// The kinds of checks.
    Checks,
    /// The agents.
    Agents,
    /// The models that are known, with their prices.
    Models,
    /// The runs.
    Runs,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The name of the run it makes.
    #[arg(long, short = 'o', default_value = "demo", value_name = "NAME")]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

/// A limit that is a number and not nothing.
fn amount(text: &str) -> Result<f64, String> {
    let amount: f64 = text.parse().map_err(|_cause| "a number is wanted".to_owned())?;
    let sensible = amount.is_finite() && amount > 0.0;
    sensible.then_some(amount).ok_or_else(|| "a number above 0 is wanted".to_owned())
}
