//! What every front works with: suites, worlds, judges and runs, from typed settings.
//!
//! A front (the command line, the Python package) turns its own arguments into a [`Setup`] and [`RunSettings`], opens a
//! [`Workshop`] with them once, and tells what came of it. Nothing here reads a command line or prints.

mod browsed_world;
pub mod compose;
mod edition;
pub mod fingerprint;
pub mod guest;
mod handed_agent;
mod harbor_export;
mod harbor_import;
mod host_trees;
mod isolation;
mod kept;
pub mod models;
pub mod offers;
pub mod opinions;
mod oracle_lengths;
mod oracle_trails;
pub mod outside_services;
mod plan;
mod play_surface;
mod playable;
mod private_seeds;
mod program_parts;
mod rows;
mod run_settings;
mod runs;
mod setup;
pub mod words;
mod workshop;
pub mod worlds;
mod written_files;
mod wrong_word;

pub use browsed_world::{BrowsedWorld, WorldSize};
pub use edition::ExamEdition;
pub use handed_agent::{HandedAgent, RunWatch};
pub use harbor_export::HarborExport;
pub use harbor_import::{HarborImport, ImportReport, ImportedTask};
pub use host_trees::{BuildProgress, HostTrees, ListedTree, ReadRecipe};
pub use isolation::{agents_line, check_sandbox, unconfined};
pub use kept::KeptState;
pub use plan::{N_USUAL_SEEDS, agent_used, is_program, now, suites_used};
pub use play_surface::{PlaySurface, VIEWS};
pub use private_seeds::{PrivateSeeds, make_seed_key, read_seed_key};
pub use program_parts::ProgramParts;
pub use rows::{record_of, rows_of};
pub use run_settings::{RunSettings, SeedChoice, WorkSettings, Workplace};
pub use runs::{check_name, progress};
pub use setup::{RUNS, Setup};
pub use workshop::Workshop;
pub use worlds::{OfferWorlds, WorldSettings};
pub use wrong_word::WrongWord;

pub use quintain_process::sandbox::ProgramAccess;
pub use quintain_store::BuiltInFiles;

/// Who plays at a terminal, in a run's records.
pub const PLAYER: &str = "human";
