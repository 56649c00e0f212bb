//! Notices of what happened elsewhere in the world, before they are put in order.

use super::climate::add_plans;
use super::ordinances::add_ordinances;
use super::{NoticeDraft, NoticeMatter};
use crate::companies::CompanyTable;
use crate::date::Date;
use crate::dice::WorldKey;
use crate::geography::Geography;
use crate::government::GovernmentTable;
use crate::ids::CountryId;
use crate::institutions::InstitutionTable;
use crate::people::{Post, Term};
use crate::statistics::Economy;

/// What the gazettes are made from.
pub(crate) struct GazetteSources<'a> {
    pub(crate) key: WorldKey,
    pub(crate) n_notices: usize,
    pub(crate) geography: &'a Geography,
    pub(crate) companies: &'a CompanyTable,
    pub(crate) institutions: &'a InstitutionTable,
    pub(crate) governments: &'a GovernmentTable,
    pub(crate) economy: &'a Economy,
}

pub(super) fn drafts(from: &GazetteSources) -> Vec<NoticeDraft> {
    let mut drafts = Vec::with_capacity(from.n_notices + 8);
    for country in from.geography.countries.name.ids() {
        add_plans(from.key, country, &mut drafts);
        for decision in from.economy.rate_decisions.of(country) {
            let matter = NoticeMatter::RateDecision { rate_bp: decision.rate_bp, change_bp: decision.change_bp };
            drafts.push(plain(decision.date, country, matter));
        }
    }
    add_licences(from, &mut drafts);
    let posts = from.governments.posts().chain(from.institutions.posts());
    drafts.extend(posts.map(|(post, term)| appointment(from, post, term)));
    add_ordinances(from, &mut drafts);
    drafts
}

fn plain(date: Date, country: CountryId, matter: NoticeMatter) -> NoticeDraft {
    NoticeDraft { date, country, region: None, matter, amends: None, version: 1 }
}

fn add_licences(from: &GazetteSources, drafts: &mut Vec<NoticeDraft>) {
    for &bank in &from.companies.banks {
        let country = from.companies.country[bank];
        for licence in from.companies.licences.of(bank) {
            let kind = licence.kind;
            drafts.push(plain(licence.granted, country, NoticeMatter::LicenceGranted { bank, kind }));
            if let Some(withdrawn) = licence.withdrawn {
                drafts.push(plain(withdrawn, country, NoticeMatter::LicenceWithdrawn { bank, kind }));
            }
        }
    }
}

fn appointment(from: &GazetteSources, post: Post, term: &Term) -> NoticeDraft {
    let country = match post {
        Post::HeadOfGovernment(country) | Post::Minister(country, _) => country,
        Post::Rector(institution) => from.institutions.country[institution],
        Post::Chair(company) | Post::ChiefExecutive(company) => from.companies.country[company],
    };
    plain(term.from, country, NoticeMatter::Appointment { person: term.person, post })
}
