//! The arguments of `quintain tree`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use quintain_core::variables;

#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    #[command(subcommand)]
    pub(crate) what: TreeWhat,
    /// The folder that trees are kept in; `quintain/trees` in the user's folder of data if not given.
    #[arg(long, global = true, env = variables::TREES, value_name = "DIR")]
    pub(crate) trees: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TreeWhat {
    /// Build a tree of a recipe. One that is there already is not built again.
    #[command(group(ArgGroup::new("recipe").required(true).args(["dockerfile", "packages"])))]
    Build(TreeBuildArgs),
    /// List the trees that are here.
    List,
    /// Remove a tree.
    Remove {
        /// Its name, or the name of its folder.
        #[arg(value_name = "NAME")]
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TreeBuildArgs {
    /// What it is to be called: small letters, digits, `.`, `_` and `-`.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// A Dockerfile, as far as docs/trees.md says.
    #[arg(long, value_name = "FILE")]
    pub(crate) dockerfile: Option<PathBuf>,
    /// The folder that the Dockerfile copies from; the one it lies in if not given.
    #[arg(long, value_name = "DIR", requires = "dockerfile")]
    pub(crate) context: Option<PathBuf>,
    /// Packages of Debian to be put on the base.
    #[arg(long = "package", value_name = "PACKAGE", num_args = 1..)]
    pub(crate) packages: Vec<String>,
    /// How many minutes the build may take.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=1440))]
    pub(crate) minutes: u64,
}
