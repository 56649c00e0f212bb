//! The wrong ways of reading the world that are modelled.

use serde::{Deserialize, Serialize};

/// A wrong reading: what somebody comes to who takes the wrong source, version, unit or person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Misreading {
    /// Accounts as they were filed first.
    Unrestated,
    /// Revenue as the press printed it, where it did.
    PressFigure,
    /// First estimates of indicators.
    Provisional,
    /// Values before the break by the old definition.
    BeforeBreak,
    /// Output at current prices for output at constant ones.
    NominalForReal,
    /// Another person of the same name.
    Homonym,
    /// What the encyclopaedia says, as of the day on which the article was last checked.
    OutdatedEncyclopaedia,
    /// Exchange rates of the end of the year before.
    OtherYearRate,
    /// Bounds counted in that are not, and the other way round.
    OtherBounds,
    /// Retracted papers counted.
    RetractedCounted,
    /// Licences counted that were held on some days of the year only.
    WithdrawnLicenceCounted,
    /// The first version of a plan, as if it had not been amended.
    SupersededAmendment,
}

impl Misreading {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Unrestated,
        Self::PressFigure,
        Self::Provisional,
        Self::BeforeBreak,
        Self::NominalForReal,
        Self::Homonym,
        Self::OutdatedEncyclopaedia,
        Self::OtherYearRate,
        Self::OtherBounds,
        Self::RetractedCounted,
        Self::WithdrawnLicenceCounted,
        Self::SupersededAmendment,
    ];
}
