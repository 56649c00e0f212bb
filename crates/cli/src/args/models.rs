//! The arguments of `quintain models`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) what: ModelsWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsWhat {
    /// Tell what is known of models: tool, scale, context, price, and until when they are offered.
    Check {
        /// The models; all of the file that `--models` names if none is given.
        #[arg(value_name = "PROVIDER/NAME")]
        names: Vec<String>,
    },
    /// Read litellm's public table of prices into a file of models of your own.
    Import {
        /// The table: `model_prices_and_context_window.json`.
        #[arg(value_name = "FILE")]
        table: PathBuf,
        /// Whose models to read, as the table names them; those of Anthropic, OpenAI and Google if none is given. Models of
        /// others become `chat/NAME`.
        #[arg(long, value_name = "PROVIDER")]
        from: Vec<String>,
        /// The file to write, which is the one that `--models` names if not given. What you wrote in it yourself stays.
        /// Without either, what was read is printed.
        #[arg(long, value_name = "FILE")]
        into: Option<PathBuf>,
    },
}
