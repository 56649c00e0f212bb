//! The arguments of `quintain demos`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quintain_store::demos::PicturePacking;

#[derive(Debug, Args)]
pub(crate) struct DemosArgs {
    /// What is demonstrated, in turn: `puzzles`, `puzzles/maze-2d`, `puzzles/maze-*@easy`, a folder.
    #[arg(required = true, value_name = "TASK")]
    pub(crate) tasks: Vec<String>,
    /// How many demonstrations.
    #[arg(long = "n", short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(required_unless_present = "per_task", conflicts_with = "per_task")]
    pub(crate) n: Option<u64>,
    /// How many of each task, in equal parts of its presets, instead of how many in all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) per_task: Option<u64>,
    /// What each is of: whole instances, or one subtask (a milestone of its task) of an instance. With `subtask` every
    /// subtask that a world can begin at takes its turn.
    #[arg(long, value_enum, default_value = "instance", value_name = "PART")]
    pub(crate) by: DemosPart,
    /// The folder to write to. The same command goes on where it was left.
    #[arg(long, short = 'o', value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The solver's strategy: `usual`, `all` (one drawn for each), or names, of which each task's are drawn. `quintain
    /// list puzzles` shows them.
    #[arg(long, value_delimiter = ',', default_value = "usual", value_name = "NAMES")]
    pub(crate) strategy: Vec<String>,
    /// Only these presets.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) preset: Option<Vec<String>>,
    /// At least so many actions, drawn for each, never more than its steps: `8..14`, or `10`.
    #[arg(long, value_name = "MIN..MAX", value_parser = lengths)]
    pub(crate) length: Option<RangeInclusive<u32>>,
    /// Which seeds: those to train with, or those to watch a training with. Agents are tested with neither.
    #[arg(long, value_enum, default_value = "train", value_name = "SPACE")]
    pub(crate) seed_space: PointSpace,
    /// How many evaluation seeds of each task and preset, from 0 on, no demonstration may begin like.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub(crate) evaluation: u64,
    /// The formats.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "sharegpt", value_name = "FORMATS")]
    pub(crate) format: Vec<DemosFormat>,
    /// Put pictures into OpenAI messages as data URLs, instead of naming their files.
    #[arg(long)]
    pub(crate) inline: bool,
    /// How pictures are packed: `png`, `webp` (without loss too), `jpeg`, or `jpeg:85` with a quality from 1 to 100.
    #[arg(long, default_value = "png", value_name = "FORM")]
    pub(crate) picture: PicturePacking,
    /// Tell beside the conversation why the solver does what it does, where it says so.
    #[arg(long)]
    pub(crate) reasons: bool,
    /// Demonstrations a shard.
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) shard: u64,
    /// The parts shown, of those the task allows: screen, ascii, goal, feedback, remaining, ...
    #[arg(long, value_delimiter = ',', value_name = "PARTS")]
    pub(crate) show: Option<Vec<String>>,
    /// The longest side in pixels of the pictures; larger ones are made smaller.
    #[arg(long, visible_alias = "max-side", value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..))]
    pub(crate) resolution: Option<u32>,
    /// Steps a demonstration may take, instead of the task's own limit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) steps: Option<u32>,
    /// Demonstrations made at once; as many as there are cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) workers: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PointSpace {
    /// To train with.
    Train,
    /// To watch a training with.
    Validation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DemosPart {
    /// Whole instances.
    Instance,
    /// One subtask each.
    Subtask,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DemosFormat {
    /// ShareGPT conversations with images, as LLaMA-Factory takes them.
    Sharegpt,
    /// OpenAI chat messages with images, one line a demonstration.
    Openai,
    /// Agent Trajectory Interchange Format 1.7, one line a demonstration.
    Atif,
    /// Parquet with the images in it, as Hugging Face datasets and TRL take it.
    Parquet,
}

fn lengths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let wrong = |_cause| "`8..14` or a number is wanted".to_owned();
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let (least, most): (u32, u32) = (least.parse().map_err(wrong)?, most.parse().map_err(wrong)?);
    if least == 0 || least > most {
        return Err("the least must be above 0 and not above the most".to_owned());
    }
    Ok(least..=most)
}
