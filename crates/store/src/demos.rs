//! Demonstrations on disk: a folder of shards in the formats that trainers read, written so that it can be left at any
//! moment and gone on with.
//!
//! A shard is written under names that end in `.part` and renamed file by file; the file in `shards/` is last, and only
//! then does the shard count. Pictures are stored once under the hash of their pixels. `docs/demos.md` describes the
//! files.

mod columns;
mod dir;
mod facts;
mod packing;
mod shard;
mod talk;

use std::fmt;
use std::sync::Arc;

use quintain_core::{Digest, InstanceId};
use serde::{Deserialize, Serialize};

use crate::export::ProsePiece;
use crate::run::AttemptRecord;

pub use dir::{DEMOS_FORMAT, DemoDir, ShardMark};
pub use packing::PicturePacking;
pub use shard::ShardWriter;

/// A format that demonstrations are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DemoFormat {
    /// Conversations with `<image>` marks and paths, as LLaMA-Factory takes them: an array a shard.
    ShareGpt,
    /// Chat messages with image parts: a line a demonstration.
    OpenAi,
    /// The Agent Trajectory Interchange Format: a line a demonstration.
    Atif,
    /// Rows with the pictures in them, as Hugging Face `datasets` takes them.
    Parquet,
}

/// Whose words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// Who shows and asks.
    User,
    /// Who acts.
    Assistant,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoMessage {
    /// Whose.
    pub speaker: Speaker,
    /// What it is made of.
    pub pieces: Vec<ProsePiece>,
}

/// What is known of a demonstration: its line in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DemoFacts {
    /// Its number, from 0.
    pub n: u64,
    /// The instance.
    pub instance: InstanceId,
    /// The hash of the start state.
    pub start: Digest,
    /// The hash of the start state and of what is right at the end. No two demonstrations have the same.
    pub problem: Digest,
    /// The solver's strategy, where it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// How many actions were asked for at least, where that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u32>,
    /// How many turns it has.
    pub turns: u32,
    /// Why the solver did what it did, where that was asked for and it says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<SolverReason>,
    /// Which turns belong to which subtask, where the task has milestones. Turns behind the last one belong to none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<DemoSegment>,
}

/// The turns in which a milestone was reached, since the one before it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DemoSegment {
    /// The milestone.
    pub subtask: String,
    /// The first turn, from 0.
    pub from: u32,
    /// The turn behind the last one: as `from` where it was reached together with the one before it.
    pub to: u32,
}

/// Why something was done in a turn, in the words of whoever did it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverReason {
    /// The turn, from 0.
    pub turn: u32,
    /// The reason.
    pub reason: String,
    /// Whose words these are. No model said them and no model was shown them.
    pub origin: ReasonOrigin,
}

/// Whose words a reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonOrigin {
    /// The world's own solver, which knows the solution.
    Solver,
}

/// How chat messages hold their pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureForm {
    /// By the names of their files.
    Linked,
    /// Themselves, as data URLs.
    Inline,
}

/// A demonstration: a conversation in which a task is solved.
#[derive(Clone, Debug)]
pub struct Demonstration {
    /// What is known of it.
    pub facts: DemoFacts,
    /// What is told before everything else.
    pub system: String,
    /// What is shown and said.
    pub messages: Vec<DemoMessage>,
    /// Every picture that is shown, once, as a file.
    pub pictures: Vec<(Digest, PackedPicture)>,
    /// How they are packed.
    pub packing: PicturePacking,
    /// The trial as it was recorded.
    pub record: AttemptRecord,
}

/// The file of a picture.
pub type PackedPicture = Arc<[u8]>;

impl DemoFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::ShareGpt, Self::OpenAi, Self::Atif, Self::Parquet];

    /// Its name, which is that of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::ShareGpt => "sharegpt",
            Self::OpenAi => "openai",
            Self::Atif => "atif",
            Self::Parquet => "parquet",
        }
    }

    /// How its files end.
    fn ending(self) -> &'static str {
        match self {
            Self::ShareGpt => "json",
            Self::OpenAi | Self::Atif => "jsonl",
            Self::Parquet => "parquet",
        }
    }

    /// Whether it names pictures by their path.
    fn links(self, pictures: PictureForm) -> bool {
        match self {
            Self::ShareGpt | Self::Atif => true,
            Self::OpenAi => pictures == PictureForm::Linked,
            Self::Parquet => false,
        }
    }
}

impl fmt::Display for DemoFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
