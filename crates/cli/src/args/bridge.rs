//! What the commands take that let in agents which we do not run, and the provider simulator.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{HowArgs, amount};

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
    /// How often a note of it is wrong, with all that follow, or left out: `errs=0.1,forgets=0.05`.
    #[arg(long, value_name = "SHARES", requires = "mind")]
    pub(crate) slips: Option<String>,
    /// How often it goes wrong: `429=0.2,5xx=0.05,hang=0.02,cut=0.02,malformed=0.01`.
    #[arg(long, value_name = "SHARES")]
    pub(crate) chaos: Option<quintain_provider_sim::Chaos>,
    /// US dollars for a call, drawn between two amounts, instead of by tokens: `0.01..0.30`.
    #[arg(long, value_name = "USD")]
    pub(crate) bill: Option<quintain_provider_sim::Billing>,
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
    /// A key from which each task's seeds are derived: guests play those instances and no others; --seeds then says which
    /// numbers. `quintain seeds new FILE` makes one.
    #[arg(long, value_name = "FILE")]
    pub(crate) private: Option<PathBuf>,
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
    /// The folder with what would lie in `output/`, of a task that is worked on in files.
    #[arg(long, value_name = "DIR", conflicts_with = "document")]
    pub(crate) files: Option<PathBuf>,
    /// Where to write the score for Harbor: {"reward": 1.0}. Nothing is written after a fault.
    #[arg(long, value_name = "FILE")]
    pub(crate) reward: Option<PathBuf>,
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
pub(crate) struct WebArgs {
    /// The seed of the world: the same seed gives the same pages, on every machine.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
    /// How large the world is.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) size: WebSize,
    /// The port to listen on; 0 means any that is free.
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
}

/// How large a world is.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum WebSize {
    /// Some 30,000 entities.
    Small,
    /// Some 325,000.
    #[default]
    Standard,
    /// Four times as many.
    Large,
}
