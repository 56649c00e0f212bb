//! What the commands of a fleet take.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use quintain_core::variables;

/// The heading under which help lists how a fleet is reached.
const REACHED: &str = "How the fleet is reached";
/// What a fleet is called unless somebody says otherwise.
pub(crate) const DEFAULT_FLEET: &str = "quintain";

/// How a fleet is reached.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct FleetArgs {
    /// The NATS server, or several with commas between: `nats://127.0.0.1:4222`, `tls://host:4222`.
    #[arg(long, help_heading = REACHED, env = variables::NATS, value_name = "URL")]
    pub(crate) nats: Option<String>,
    /// The archive: a folder that all hosts see, or `s3://bucket/prefix` with the usual AWS variables.
    #[arg(long, help_heading = REACHED, env = variables::STORE, value_name = "URL")]
    pub(crate) store: Option<String>,
    /// The fleet's name. Several fleets may share a server.
    #[arg(long, help_heading = REACHED, env = variables::FLEET, value_name = "NAME", default_value = DEFAULT_FLEET)]
    pub(crate) fleet: String,
    /// A file with a seed of a NATS key, or a .creds file.
    #[arg(long, help_heading = REACHED, env = variables::CREDENTIALS, value_name = "FILE")]
    pub(crate) credentials: Option<PathBuf>,
    /// A file with the certificates of those who vouch for the server.
    #[arg(long, help_heading = REACHED, env = variables::CA, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    /// Seconds after which the trials of a silent worker are given to others; the same for everyone in a fleet.
    #[arg(long, help_heading = REACHED, env = variables::LEASE, value_name = "SECONDS", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u16).range(3..=3600))]
    pub(crate) lease: u16,
    /// On how many servers of a cluster everything is kept; whoever comes to a new fleet first decides.
    #[arg(long, help_heading = REACHED, env = variables::REPLICAS, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) replicas: u8,
}

/// How a run is played on a fleet.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct OnFleetArgs {
    #[command(flatten)]
    pub(crate) reached: FleetArgs,
    /// Play on this machine, though the environment names a fleet.
    #[arg(long)]
    pub(crate) here: bool,
    /// On a fleet: how the run stands to others.
    #[arg(long, value_enum, value_name = "PRIORITY")]
    pub(crate) priority: Option<PriorityArg>,
    /// On a fleet: how many trials travel together; 16 for puzzles without models, else 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) chunk: Option<u32>,
    /// On a fleet: hand the run in and leave.
    #[arg(long)]
    pub(crate) detach: bool,
    /// On a fleet: leave records and pictures in the archive; `quintain pull` brings them later.
    #[arg(long)]
    pub(crate) no_pull: bool,
}

/// How a run stands to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PriorityArg {
    /// It gets what others leave, and a little more.
    Low,
    /// As usual.
    Normal,
    /// It gets most of the workers.
    High,
}

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) reached: FleetArgs,
    /// The kinds of worlds it takes, the scarcest first; whatever this host can do if not given.
    #[arg(long, value_delimiter = ',', value_name = "WORLDS")]
    pub(crate) can: Option<Vec<String>>,
    /// Trials at once; by cores and memory if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) slots: Option<u16>,
    /// Its name in the fleet; the host's if not given.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Where records are kept until they are in the archive.
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
    /// Attempts a trial has when faults strike.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) attempts: u32,
    /// Serve metrics for Prometheus at this port or address.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics: Option<String>,
    /// Append every event of its trials to this file, as a line of JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct StewardArgs {
    #[command(flatten)]
    pub(crate) reached: FleetArgs,
    /// Serve metrics for Prometheus at this port or address.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FleetCommandArgs {
    #[command(subcommand)]
    pub(crate) what: FleetCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// Show hosts, runs and limits.
    Status(StatusArgs),
    /// Let a host finish what it plays and end.
    Drain(DrainArgs),
    /// Hand out no more trials of a run; those being played are finished.
    Pause(RunOfFleetArgs),
    /// Hand out the trials of a run again.
    Resume(RunOfFleetArgs),
    /// Stop a run: trials being played are put down, the others never begin.
    Cancel(RunOfFleetArgs),
    /// Set, lift or list what all hosts together may ask of models.
    Limit(LimitArgs),
    /// Make a key for somebody, and print what the server's configuration needs to know of it.
    Credentials(CredentialsArgs),
    /// Take a cancelled or complete run off the server. What the archive has of it stays.
    Forget(RunOfFleetArgs),
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) reached: FleetArgs,
    /// Show it again every second until interrupted.
    #[arg(long, short)]
    pub(crate) watch: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DrainArgs {
    #[command(flatten)]
    pub(crate) reached: FleetArgs,
    /// The host, as `quintain fleet status` names it.
    pub(crate) host: String,
    /// Let it, or the next worker of that name, take work again.
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunOfFleetArgs {
    #[command(flatten)]
    pub(crate) reached: FleetArgs,
    /// The run, as `quintain fleet status` names it.
    pub(crate) run: String,
}

#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub(crate) reached: FleetArgs,
    /// The model: `anthropic/claude-opus-4-6`. Nothing lists all limits.
    pub(crate) model: Option<String>,
    /// Requests in a minute.
    #[arg(long, value_name = "N", requires = "model", value_parser = super::amount)]
    pub(crate) requests: Option<f64>,
    /// Tokens in a minute, in and out.
    #[arg(long, value_name = "N", requires = "model", value_parser = super::amount)]
    pub(crate) tokens: Option<f64>,
    /// Lift the model's limits.
    #[arg(long, requires = "model", conflicts_with_all = ["requests", "tokens"])]
    pub(crate) lift: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CredentialsArgs {
    /// Whose key.
    #[arg(value_enum)]
    pub(crate) whose: KeyOwner,
    /// The new file that gets the secret half.
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The worker's name in the fleet.
    #[arg(long, value_name = "NAME", required_if_eq("whose", "worker"))]
    pub(crate) name: Option<String>,
    /// The kinds of worlds that the worker is given.
    #[arg(long, value_delimiter = ',', value_name = "WORLDS", required_if_eq("whose", "worker"))]
    pub(crate) can: Vec<String>,
    /// The fleet's name.
    #[arg(long, env = variables::FLEET, value_name = "NAME", default_value = DEFAULT_FLEET)]
    pub(crate) fleet: String,
}

/// Whose key is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyOwner {
    /// A steward's, or an operator's: everything of this fleet.
    Steward,
    /// Of one who hands in runs, follows and stops them.
    Submitter,
    /// A worker's: work of its kinds, its own outcomes, and nothing to read.
    Worker,
}

#[derive(Debug, Args)]
pub(crate) struct PullArgs {
    #[command(flatten)]
    pub(crate) reached: FleetArgs,
    /// The run: its name in the archive.
    pub(crate) run: String,
}
