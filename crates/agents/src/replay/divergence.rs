//! Where a replay stops looking like its recording.

use std::collections::BTreeMap;
use std::fmt;

use quintain_core::observation::Shown;
use quintain_core::{Digest, ObservationPart};

/// The first difference between a recording and its replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The turn, from 0.
    pub step_idx: u32,
    /// What differs.
    pub what: DivergenceKind,
}

/// What differs between a recording and its replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DivergenceKind {
    /// A picture; nothing means that the part was not shown.
    Picture {
        /// Which part.
        part: ObservationPart,
        /// What was recorded.
        recorded: Option<Digest>,
        /// What is shown now.
        shown: Option<Digest>,
    },
    /// A text; nothing means that the part was not shown.
    Text {
        /// Which part.
        part: ObservationPart,
        /// What was recorded.
        recorded: Option<String>,
        /// What is shown now.
        shown: Option<String>,
    },
    /// The recording ends here and the trial does not.
    WentOn,
    /// The trial ends here and the recording does not.
    EndedEarly {
        /// How many turns were recorded.
        n_recorded: u32,
    },
}

impl Divergence {
    /// Compares one turn with its recording. What is left of the limits may differ.
    pub(super) fn between(step_idx: u32, recorded: Option<&Shown>, shown: &Shown) -> Option<Self> {
        let what = match recorded {
            None => Some(DivergenceKind::WentOn),
            Some(recorded) => texts(recorded, shown).or_else(|| pictures(recorded, shown)),
        };
        what.map(|what| Self { step_idx, what })
    }
}

fn texts(recorded: &Shown, shown: &Shown) -> Option<DivergenceKind> {
    let (part, recorded, shown) = first_difference(&recorded.texts, &shown.texts)?;
    Some(DivergenceKind::Text { part, recorded, shown })
}

fn pictures(recorded: &Shown, shown: &Shown) -> Option<DivergenceKind> {
    let (part, recorded, shown) = first_difference(&recorded.pictures, &shown.pictures)?;
    Some(DivergenceKind::Picture { part, recorded, shown })
}

/// The first part that is not the same on both sides.
fn first_difference<T: Clone + PartialEq>(
    recorded: &BTreeMap<ObservationPart, T>,
    shown: &BTreeMap<ObservationPart, T>,
) -> Option<(ObservationPart, Option<T>, Option<T>)> {
    let part = recorded
        .keys()
        .chain(shown.keys())
        .filter(|part| **part != ObservationPart::Remaining && recorded.get(part) != shown.get(part))
        .min()?;
    Some((*part, recorded.get(part).cloned(), shown.get(part).cloned()))
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}: {}", self.step_idx, self.what)
    }
}

impl fmt::Display for DivergenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture { part, recorded, shown } => {
                let name = |digest: &Option<Digest>| digest.map_or("nothing".to_owned(), |digest| digest.short());
                write!(f, "`{part}` was {}, is {}", name(recorded), name(shown))
            }
            Self::Text { part, recorded, shown } => write_text(f, *part, recorded.as_deref(), shown.as_deref()),
            Self::WentOn => f.write_str("the recording ends here, the trial goes on"),
            Self::EndedEarly { n_recorded } => write!(f, "the trial ends here, the recording has {n_recorded} turns"),
        }
    }
}

/// The first line that differs, with its number.
fn write_text(
    f: &mut fmt::Formatter<'_>,
    part: ObservationPart,
    recorded: Option<&str>,
    shown: Option<&str>,
) -> fmt::Result {
    let (Some(recorded), Some(shown)) = (recorded, shown) else {
        let said = |text: Option<&str>| if text.is_some() { "shown" } else { "not shown" };
        return write!(f, "`{part}` was {}, is {}", said(recorded), said(shown));
    };
    let mut lines = (recorded.lines(), shown.lines());
    let mut line_no = 1;
    loop {
        match (lines.0.next(), lines.1.next()) {
            (Some(was), Some(is)) if was == is => line_no += 1,
            (None, None) => return write!(f, "`{part}` differs in its line ends"),
            (was, is) => {
                write!(f, "`{part}` differs in line {line_no}")?;
                was.map_or(Ok(()), |was| write!(f, "\n- {was}"))?;
                return is.map_or(Ok(()), |is| write!(f, "\n+ {is}"));
            }
        }
    }
}
