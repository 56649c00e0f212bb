//! The arguments of `quintain data`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use quintain_core::variables;

#[derive(Debug, Args)]
pub(crate) struct DataArgs {
    #[command(subcommand)]
    pub(crate) what: DataWhat,
    /// Another list of data, instead of the built-in one: docs/data.md.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,
    /// The folder that data is kept in; `quintain` in the user's folder of data if not given.
    #[arg(long, global = true, env = variables::DATA, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DataWhat {
    /// List what there is, under which licence, and what is here already.
    List,
    /// Fetch sets from where they are published. What is not as listed is refused.
    Fetch {
        /// The sets; all if none is named.
        #[arg(value_name = "SET")]
        sets: Vec<String>,
    },
    /// Check what is here byte by byte.
    Verify {
        /// The sets; those that are here if none is named.
        #[arg(value_name = "SET")]
        sets: Vec<String>,
    },
}
