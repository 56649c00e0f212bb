//! The pages of the register.

use quintain_atlas::companies::Sector;
use quintain_atlas::{CompanyId, CountryId, Entity, InstitutionId, Kind};

use crate::address::SitePage;
use crate::facts::FilingVersion;
use crate::host::SiteHost;
use crate::web::Web;

/// A page of the register that is about something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistryPage {
    /// A company: overview.
    Company(CompanyId),
    /// Its officers, now and before.
    Officers(CompanyId),
    /// Its filings by year.
    Filings(CompanyId),
    /// Its names.
    Names(CompanyId),
    /// A bank's licences.
    Licences(CompanyId),
    /// One document.
    Filing(CompanyId, i32, FilingVersion),
    /// An institution.
    Institution(InstitutionId),
    /// The banks of a country and their licences.
    Banks(CountryId),
    /// The form by which a company is followed.
    Follow(CompanyId),
}

impl RegistryPage {
    /// The whole address of the page.
    pub fn address(self, web: &Web) -> String {
        SitePage::address(self, web)
    }

    /// The main page of an entity.
    pub(crate) fn of_entity(entity: Entity) -> Option<Self> {
        match entity {
            Entity::Company(company) => Some(Self::Company(company)),
            Entity::Institution(institution) => Some(Self::Institution(institution)),
            _ => None,
        }
    }

    /// The tabs of a company's entry.
    pub(crate) fn tabs(web: &Web, company: CompanyId) -> Vec<(&'static str, Self)> {
        let mut tabs = vec![
            ("Overview", Self::Company(company)),
            ("Officers", Self::Officers(company)),
            ("Filings", Self::Filings(company)),
            ("Names", Self::Names(company)),
        ];
        if web.atlas.companies.sector[company] == Sector::Banking {
            tabs.push(("Licences", Self::Licences(company)));
        }
        tabs
    }
}

impl SitePage for RegistryPage {
    const HOST: SiteHost = SiteHost::Registry;

    fn key(self) -> (u32, u32) {
        match self {
            Self::Company(company) => (0, company.0),
            Self::Officers(company) => (1, company.0),
            Self::Filings(company) => (2, company.0),
            Self::Names(company) => (3, company.0),
            Self::Licences(company) => (4, company.0),
            Self::Institution(institution) => (5, institution.0),
            Self::Banks(country) => (6, country.0),
            Self::Follow(company) => (7, company.0),
            Self::Filing(company, year, version) => {
                let again = u32::from(version == FilingVersion::Restated);
                (8, company.0 * 128 + (year - 2000).clamp(0, 63) as u32 * 2 + again)
            }
        }
    }

    fn of_key(web: &Web, kind: u32, subject: u32) -> Option<Self> {
        let is_below = |of: Kind, number: u32| (number as usize) < web.atlas.count(of);
        let company = CompanyId(if kind == 8 { subject / 128 } else { subject });
        match kind {
            0..=4 | 7 | 8 if !is_below(Kind::Company, company.0) => None,
            0 => Some(Self::Company(company)),
            1 => Some(Self::Officers(company)),
            2 => Some(Self::Filings(company)),
            3 => Some(Self::Names(company)),
            4 => (web.atlas.companies.sector[company] == Sector::Banking).then_some(Self::Licences(company)),
            5 => is_below(Kind::Institution, subject).then_some(Self::Institution(InstitutionId(subject))),
            6 => is_below(Kind::Country, subject).then_some(Self::Banks(CountryId(subject))),
            7 => Some(Self::Follow(company)),
            8 => {
                let version = if subject % 2 == 1 { FilingVersion::Restated } else { FilingVersion::First };
                Some(Self::Filing(company, 2000 + (subject % 128 / 2) as i32, version))
            }
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Company(_) => "company",
            Self::Officers(_) => "officers",
            Self::Filings(_) => "filings",
            Self::Names(_) => "names",
            Self::Licences(_) => "licences",
            Self::Filing(..) => "document",
            Self::Institution(_) => "institution",
            Self::Banks(_) => "banks",
            Self::Follow(_) => "follow",
        }
    }

    fn title(self, web: &Web) -> String {
        web.atlas.title(match self {
            Self::Institution(institution) => institution.into(),
            Self::Banks(country) => country.into(),
            Self::Company(company)
            | Self::Officers(company)
            | Self::Filings(company)
            | Self::Names(company)
            | Self::Licences(company)
            | Self::Follow(company)
            | Self::Filing(company, ..) => company.into(),
        })
    }
}
