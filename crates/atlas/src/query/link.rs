//! How entities are related.

use serde::{Deserialize, Serialize};

use crate::date::Date;
use crate::government::Ministry;

/// A relation from one entity to others. Relations that change with time name a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Link {
    /// Of a company or institution: the place where it sits.
    Seat,
    /// Of a place, company or institution: its region.
    Region,
    /// Of anything that has one: its country.
    Country,
    /// Of a company: its sector.
    Sector,
    /// Of a company: who owned it on a day.
    Parent(Date),
    /// Of a company: who chaired it on a day.
    Chair(Date),
    /// Of a company: who led it on a day.
    ChiefExecutive(Date),
    /// Of a country: who headed its government on a day.
    HeadOfGovernment(Date),
    /// Of a country: who led a ministry on a day.
    Minister(Ministry, Date),
    /// Of an institution: who led it on a day.
    Rector(Date),
    /// Of a company: who audited its accounts of a year.
    Auditor(i32),
    /// Of a company: who audited the first year that was restated.
    AuditorOfRestatedYear,
    /// Of a paper: its topic.
    Topic,
    /// Of a paper: where it appeared.
    Venue,
    /// Of a paper: who wrote it.
    Authors,
    /// Of a paper: who takes letters.
    CorrespondingAuthor,
    /// Of a paper: the institution given for that author.
    GivenInstitution,
    /// Of a paper: what it cites.
    Cites,
    /// Of a paper: what cites it.
    CitedBy,
    /// Of a person: the papers.
    Papers,
    /// Of a person: the place of birth.
    Birthplace,
    /// Of a person: the employer on a day.
    Employer(Date),
    /// Of a person: all who bear the same name, the person included.
    Namesakes,
    /// Of a bloc: its members on a day.
    Members(Date),
    /// Of a country: the version in force on a day of the latest climate plan issued by then.
    LatestPlan(Date),
    /// Of a notice: the version before it.
    VersionBefore,
    /// Of a country: the rate decision in force on a day.
    RateDecision(Date),
}
