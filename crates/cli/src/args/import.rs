//! The arguments of `quintain import`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    pub(crate) what: ImportWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportWhat {
    /// Tasks in Harbor's format: which of them can run here and why others cannot, and a suite of those that can.
    Harbor {
        /// A folder of tasks, or the folder of one.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// The folder of the suite to write, whose last part names it: `suites/terminal`.
        #[arg(long, value_name = "DIR")]
        into: Option<PathBuf>,
        /// Build the trees that the tasks are played in. Takes minutes, a network and root.
        #[arg(long)]
        build: bool,
        /// List every task, not only the first forty.
        #[arg(long)]
        all: bool,
    },
}
