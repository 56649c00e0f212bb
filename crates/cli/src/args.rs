//! The command line as it is typed.

mod data;
mod demos;
mod fleet;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use data::*;
pub(crate) use demos::*;
pub(crate) use fleet::*;

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
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "QUINTAIN_SUITES", value_name = "DIR")]
    pub(crate) suites: Option<PathBuf>,
    /// A folder of photographs for the puzzles that show some, instead of generated scenes.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "QUINTAIN_PHOTOS", value_name = "DIR")]
    pub(crate) photos: Option<PathBuf>,
    /// A label file in COCO or LVIS format for the puzzles that ask about things, its photographs beside it or in `images`
    /// beside it, instead of generated pictures.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "QUINTAIN_LABELS", value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// A folder of OBJ or glTF files for the puzzle that shows objects, instead of generated toys.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "QUINTAIN_MESHES", value_name = "DIR")]
    pub(crate) meshes: Option<PathBuf>,
    /// A folder of clips for the puzzle that mixes frames, instead of generated happenings: each must show something that
    /// happens one way only. Needs the program ffmpeg.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "QUINTAIN_CLIPS", value_name = "DIR")]
    pub(crate) clips: Option<PathBuf>,
    /// A file that says what is known of models, before what is built in: docs/models.md.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "QUINTAIN_MODELS", value_name = "FILE")]
    pub(crate) models: Option<PathBuf>,
    /// Where runs are kept.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "QUINTAIN_RUNS", value_name = "DIR", default_value = "runs")]
    pub(crate) runs: PathBuf,
    /// Run browsers without Chromium's own sandbox, on hosts that do not allow it.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "QUINTAIN_NO_SANDBOX", value_parser = clap::builder::FalseyValueParser::new())]
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
    /// Compare two runs, instance by instance.
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
    /// Check that everything needed is here, and say how to get what is not.
    Doctor,
    /// See it work: a small run, a table and a report, within a minute.
    Demo(DemoArgs),
    /// Print completions for a shell.
    Completions(CompletionsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// What to play: `puzzles`, `puzzles/maze-2d`, `puzzles/maze-2d@easy`, `puzzles/maze-2d@easy#7`, a folder.
    #[arg(required = true, value_name = "TASK")]
    pub(crate) tasks: Vec<String>,
    /// Who plays: `oracle`, `idle`, `random`, `replay:RUN`, `replay:RUN@AGENT`, `cmd:python3 agent.py`, `outside:PROGRAM {instruction}`, or a model in a
    /// loop: `react:anthropic/claude-opus-4-6`, `turns:...`, `generalist:...`, `planner:...,grounder=...`. May be
    /// repeated.
    #[arg(long, short, required = true, value_name = "AGENT")]
    pub(crate) agent: Vec<String>,
    /// Which seeds: `5` (0 to 4), `10..20`, `3,7,11`, or `canonical`. Unless given: the canonical instances where every
    /// task has one, else 5.
    #[arg(long, short, value_name = "SEEDS")]
    pub(crate) seeds: Option<String>,
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
    /// What is varied, one at a time: history, view, feedback, goal, groups, resolution, effort; with levels of your own
    /// as in `history=1,8,all` or `groups=gui,gui+browser`. Unless given: history,view,feedback,goal.
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

/// A limit that is a number and not nothing.
fn amount(text: &str) -> Result<f64, String> {
    let amount: f64 = text.parse().map_err(|_cause| "a number is wanted".to_owned())?;
    let sensible = amount.is_finite() && amount > 0.0;
    sensible.then_some(amount).ok_or_else(|| "a number above 0 is wanted".to_owned())
}

/// How the work is done.
#[derive(Debug, Args)]
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
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) working: WorkingArgs,
    #[command(flatten)]
    pub(crate) on_fleet: OnFleetArgs,
}

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
    /// The run before.
    pub(crate) a: String,
    /// The run after.
    pub(crate) b: String,
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
pub(crate) struct CheckArgs {
    /// What to certify: a suite, a task, a folder.
    #[arg(required = true, value_name = "TASK")]
    pub(crate) tasks: Vec<String>,
    /// Which seeds.
    #[arg(long, short, default_value = "20", value_name = "SEEDS")]
    pub(crate) seeds: String,
    /// The quick form: fewer repeats and fewer random trials.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Where certificates are kept.
    #[arg(long, default_value = "certificates", value_name = "DIR")]
    pub(crate) certificates: PathBuf,
    /// Prove again even where a valid certificate is kept.
    #[arg(long)]
    pub(crate) again: bool,
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
pub(crate) struct PlayArgs {
    /// The instance: `puzzles/maze-2d@easy#7`. Preset and seed may be left out.
    pub(crate) task: String,
    /// Where the screen is written.
    #[arg(long, default_value = crate::player::SCREEN, value_name = "FILE")]
    pub(crate) screen: PathBuf,
    /// Let time pass in an app while you look at it, instead of with your actions only.
    #[arg(long)]
    pub(crate) wall: bool,
    #[command(flatten)]
    pub(crate) how: HowArgs,
    /// The name of the run that keeps the trial.
    #[arg(long, short = 'o', value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ProviderSimArgs {
    /// A run whose solved trials it says again, each to whoever names its instance in the base URL. May be repeated.
    #[arg(long, value_name = "RUN", conflicts_with = "script")]
    pub(crate) mind: Vec<String>,
    /// A file of what to say: a line of JSON an answer.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// How often it speaks out of turn: `prose=0.1,several=0.1,plan=0.1`. Once corrected, it complies.
    #[arg(long, value_name = "SHARES")]
    pub(crate) habit: Option<String>,
    /// What it cannot do without, and on which share of instances: `feedback=0.6,history=0.5,goal,screen,ascii`. Where it
    /// is missing, it gives up.
    #[arg(long, value_name = "SHARES")]
    pub(crate) needs: Option<String>,
    /// How often it goes wrong: `429=0.2,5xx=0.05,hang=0.02,cut=0.02,malformed=0.01`.
    #[arg(long, value_name = "SHARES")]
    pub(crate) chaos: Option<quintain_agents::sim::Chaos>,
    /// US dollars for a call, drawn between two amounts, instead of by tokens: `0.01..0.30`.
    #[arg(long, value_name = "USD")]
    pub(crate) bill: Option<quintain_agents::sim::Billing>,
    /// Milliseconds that it thinks.
    #[arg(long, default_value_t = 0, value_name = "MS")]
    pub(crate) latency: u64,
    /// Requests that it takes in a minute; more are refused.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// The port; 0 takes any that is free.
    #[arg(long, default_value_t = 8787, value_name = "PORT")]
    pub(crate) port: u16,
    /// What its draws depend on.
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct BridgeArgs {
    #[command(subcommand)]
    pub(crate) way: BridgeWay,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BridgeWay {
    /// Serve one trial as an MCP server on standard input and output.
    Mcp(BridgeMcpArgs),
    /// Serve trials over HTTP: MCP at an address for each of them, OpenEnv for trainers.
    Serve(BridgeServeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BridgeMcpArgs {
    /// The instance: `puzzles/maze-2d@easy#7`. Preset and seed may be left out.
    pub(crate) task: String,
    #[command(flatten)]
    pub(crate) guest: GuestArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BridgeServeArgs {
    /// What may be played: `puzzles`, `puzzles/maze-2d@easy`, a folder.
    #[arg(required = true, value_name = "TASK")]
    pub(crate) tasks: Vec<String>,
    /// Which seeds have an address for MCP; the canonical instance, or seed 0, if not given.
    #[arg(long, short, value_name = "SEEDS")]
    pub(crate) seeds: Option<String>,
    /// How many addresses each instance has for MCP.
    #[arg(long, short = 'k', default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeats: u32,
    /// The port; any that is free if not given.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub(crate) port: u16,
    /// The address to listen on. Whoever reaches it can play.
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub(crate) address: String,
    /// OpenEnv sessions at once.
    #[arg(long, default_value_t = 1024, value_name = "N")]
    pub(crate) capacity: usize,
    #[command(flatten)]
    pub(crate) guest: GuestArgs,
}

/// How agents that we do not run are let to play.
#[derive(Debug, Args)]
pub(crate) struct GuestArgs {
    /// The agent's name in the records.
    #[arg(long = "as", default_value = "guest", value_name = "NAME")]
    pub(crate) label: String,
    /// Seconds that it may be silent before its trial ends as out of time.
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS", value_parser = amount)]
    pub(crate) idle: f64,
    #[command(flatten)]
    pub(crate) how: HowArgs,
    /// The name of the run that keeps the trials.
    #[arg(long, short = 'o', value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct OpenArgs {
    /// The instance: `gauntlet/workflow-insert-wait#3`. Preset and seed may be left out.
    pub(crate) task: String,
    /// The port; any that is free if not given.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub(crate) port: u16,
    /// Minutes until the trial ends by itself.
    #[arg(long, value_name = "MINUTES", value_parser = amount)]
    pub(crate) minutes: Option<f64>,
    /// The name of the run that keeps the trial.
    #[arg(long, short = 'o', value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SubmitArgs {
    /// The instance that it is a solution of, or the address that `quintain open` gave.
    #[arg(value_name = "TASK|URL")]
    pub(crate) what: String,
    /// The app's document, as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) document: Option<PathBuf>,
    /// The answer, as JSON, where the task asks for one.
    #[arg(long, value_name = "JSON", conflicts_with = "give_up")]
    pub(crate) answer: Option<String>,
    /// Say that it cannot be done, and why.
    #[arg(long, value_name = "REASON", num_args = 0..=1, default_missing_value = "")]
    pub(crate) give_up: Option<String>,
    /// The name of the run that keeps the verdict.
    #[arg(long, short = 'o', value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// What to list.
    #[arg(default_value = "tasks")]
    pub(crate) what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
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
pub(crate) struct ShowArgs {
    /// A task (`puzzles/maze-2d`), an instance (`puzzles/maze-2d@easy#7`), a run, or a trial of a run.
    pub(crate) what: String,
    /// A trial of the run.
    pub(crate) trial: Option<String>,
    /// For an instance: write its first screen here.
    #[arg(long, value_name = "FILE")]
    pub(crate) screen: Option<PathBuf>,
    /// For an instance: write the picture of its goal here.
    #[arg(long, value_name = "FILE")]
    pub(crate) goal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The run: its name or its folder.
    pub(crate) run: String,
    /// The form.
    #[arg(long, short, value_enum)]
    pub(crate) format: ExportFormat,
    /// The folder to write to.
    #[arg(long, short = 'o', value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Which trials.
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) only: Only,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Agent Trajectory Interchange Format 1.7, one file a trial.
    Atif,
    /// ShareGPT conversations with images, all in one array.
    Sharegpt,
    /// OpenAI chat messages with images, one line a trial.
    Openai,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// Every trial.
    All,
    /// Solved ones.
    Success,
    /// Unsolved ones; faults are left out.
    Failure,
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
