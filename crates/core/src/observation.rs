//! What an agent is shown: named parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::picture::Picture;

/// The name of a part of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Part")]
pub enum ObservationPart {
    /// The screen as a picture.
    Screen,
    /// The filtered accessibility tree, as text.
    Tree,
    /// The screen with numbered boxes.
    Marks,
    /// The document tree of a page.
    Dom,
    /// The screen drawn in characters.
    Ascii,
    /// Free text.
    Text,
    /// A picture of the state to reach.
    Goal,
    /// What came of the last action, in words.
    Feedback,
    /// What is left of each limit.
    Remaining,
    /// Where everything on the screen is, by name. Shown to oracles alone: no task can allow it, no file holds it.
    #[serde(skip)]
    Geometry,
}

impl ObservationPart {
    /// Whether a task may allow it to agents.
    pub fn is_for_agents(self) -> bool {
        self != Self::Geometry
    }
}

/// The name, as task files and recordings write it.
impl std::fmt::Display for ObservationPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Screen => "screen",
            Self::Tree => "tree",
            Self::Marks => "marks",
            Self::Dom => "dom",
            Self::Ascii => "ascii",
            Self::Text => "text",
            Self::Goal => "goal",
            Self::Feedback => "feedback",
            Self::Remaining => "remaining",
            Self::Geometry => "geometry",
        })
    }
}

/// A picture that is shown: raw pixels, or already encoded by the world that took it.
#[derive(Clone, Debug)]
pub enum Screen {
    /// Raw pixels.
    Raw(Arc<Picture>),
    /// A PNG file.
    Png {
        /// The file.
        bytes: Arc<[u8]>,
        /// Pixels across and down.
        size: (u32, u32),
    },
}

impl Screen {
    /// The name of this picture in a store: the hash of the pixels, or of the file where there are no raw pixels.
    pub fn digest(&self) -> Digest {
        match self {
            Self::Raw(picture) => picture.digest(),
            Self::Png { bytes, .. } => Digest::of(bytes),
        }
    }

    /// Pixels across and down.
    pub fn size(&self) -> (u32, u32) {
        match self {
            Self::Raw(picture) => (picture.width(), picture.height()),
            Self::Png { size, .. } => *size,
        }
    }
}

/// What an agent is shown in one turn.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// The parts that are pictures.
    pub pictures: BTreeMap<ObservationPart, Screen>,
    /// The parts that are text.
    pub texts: BTreeMap<ObservationPart, String>,
}

impl Observation {
    /// Adds a picture.
    #[must_use]
    pub fn with_picture(mut self, part: ObservationPart, picture: Arc<Picture>) -> Self {
        self.pictures.insert(part, Screen::Raw(picture));
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn with_text(mut self, part: ObservationPart, text: impl Into<String>) -> Self {
        self.texts.insert(part, text.into());
        self
    }

    /// What is recorded of it: texts as they are, pictures by name, and nothing of what only oracles see.
    pub fn record(&self) -> Shown {
        let texts = self.texts.iter().filter(|(part, _)| part.is_for_agents());
        Shown {
            pictures: self.pictures.iter().map(|(part, screen)| (*part, screen.digest())).collect(),
            texts: texts.map(|(part, text)| (*part, text.clone())).collect(),
        }
    }
}

/// The record of an observation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The pictures, by the name they are stored under.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pictures: BTreeMap<ObservationPart, Digest>,
    /// The texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<ObservationPart, String>,
}

impl Shown {
    /// What is known of it without its pictures.
    pub fn as_observation(&self) -> Observation {
        Observation { pictures: BTreeMap::new(), texts: self.texts.clone() }
    }

    /// Whether the same was shown, whatever time was left: `remaining` may differ between a trial and its replay.
    pub fn same_as(&self, other: &Self) -> bool {
        let texts = |shown: &Self| {
            let mut texts = shown.texts.clone();
            texts.remove(&ObservationPart::Remaining);
            texts
        };
        self.pictures == other.pictures && texts(self) == texts(other)
    }
}
