//! What is said of companies.

use quintain_atlas::companies::{Accounts, LicenceKind};
use quintain_atlas::people::TermTable;
use quintain_atlas::{Atlas, CompanyId, Date, MeasureUnit, Number, RowId, Value};

use super::{Aspect, FilingVersion, Office, entity, number};

pub(super) fn told(atlas: &Atlas, company: CompanyId, aspect: Aspect, as_of: Date) -> Option<Value> {
    let table = &atlas.companies;
    match aspect {
        Aspect::Country => Some(entity(table.country[company])),
        Aspect::Region => Some(entity(atlas.region_of_company(company))),
        Aspect::Seat => Some(entity(table.seat[company])),
        Aspect::Sector => Some(entity(table.sector[company])),
        Aspect::LegalForm => Some(Value::Text(atlas.legal_form(company).to_owned())),
        Aspect::Founded => Some(Value::Date(table.founded[company])),
        Aspect::Parent => Some(entity(table.parent[company].filter(|parent| parent.since <= as_of)?.company)),
        Aspect::ParentSince => {
            table.parent[company].filter(|parent| parent.since <= as_of).map(|parent| Value::Date(parent.since))
        }
        Aspect::FormerName(nth) => former_name(atlas, company, nth, as_of),
        Aspect::FormerNameUntil(nth) => {
            let former = table.former_names.of(company).get(nth as usize)?;
            (former.until < as_of).then_some(Value::Date(former.until))
        }
        Aspect::LicenceKind(_) | Aspect::LicenceGranted(_) | Aspect::LicenceWithdrawn(_) => {
            licence(atlas, company, aspect)
        }
        Aspect::Auditor(year) => atlas.accounts(company, year).map(|_| entity(atlas.auditor(company, year))),
        Aspect::RestatementReason => Some(Value::Term(atlas.restatement(company)?.reason.label())),
        Aspect::Filed(year, version) => filed(atlas, company, year, version),
        Aspect::Revenue(year, version) => {
            Some(money(atlas, company, accounts(atlas, company, year, version)?.revenue_k))
        }
        Aspect::TotalAssets(year, version) => {
            Some(money(atlas, company, accounts(atlas, company, year, version)?.total_assets_k))
        }
        Aspect::InterestMargin(year) => {
            let scaled = i64::from(accounts(atlas, company, year, FilingVersion::First)?.interest_margin_bp?);
            Some(Value::Number(Number { scaled, digits: 2, unit: MeasureUnit::Percent }))
        }
        Aspect::Holder(office) => Some(entity(terms(atlas, office)?.at(company, as_of)?.person)),
        Aspect::PastHolder(office, nth) => past(terms(atlas, office)?, company, nth, as_of, TermPart::Holder),
        Aspect::HolderFrom(office, nth) => past(terms(atlas, office)?, company, nth, as_of, TermPart::From),
        Aspect::HolderTo(office, nth) => past(terms(atlas, office)?, company, nth, as_of, TermPart::To),
        _ => None,
    }
}

fn former_name(atlas: &Atlas, company: CompanyId, nth: u32, as_of: Date) -> Option<Value> {
    let former = atlas.companies.former_names.of(company).get(nth as usize)?;
    (former.until < as_of).then(|| Value::Text(atlas.company_name(company, former.until)))
}

fn licence(atlas: &Atlas, company: CompanyId, aspect: Aspect) -> Option<Value> {
    let licences = atlas.companies.licences.of(company);
    match aspect {
        Aspect::LicenceKind(nth) => Some(Value::Term(match licences.get(nth as usize)?.kind {
            LicenceKind::Full => "full licence",
            LicenceKind::Limited => "limited licence",
        })),
        Aspect::LicenceGranted(nth) => Some(Value::Date(licences.get(nth as usize)?.granted)),
        Aspect::LicenceWithdrawn(nth) => licences.get(nth as usize)?.withdrawn.map(Value::Date),
        _ => None,
    }
}

fn accounts(atlas: &Atlas, company: CompanyId, year: i32, version: FilingVersion) -> Option<Accounts> {
    let filed = atlas.accounts(company, year)?;
    match version {
        FilingVersion::First => Some(filed.first),
        FilingVersion::Restated => filed.restated,
        FilingVersion::Last => Some(filed.ruling()),
    }
}

fn filed(atlas: &Atlas, company: CompanyId, year: i32, version: FilingVersion) -> Option<Value> {
    let filed = atlas.accounts(company, year)?;
    let again = atlas.restatement(company).filter(|_| filed.restated.is_some()).map(|restatement| restatement.filed);
    let date = match version {
        FilingVersion::First => Some(atlas.filed(company, year)),
        FilingVersion::Restated => again,
        FilingVersion::Last => again.or(Some(atlas.filed(company, year))),
    };
    date.map(Value::Date)
}

fn money(atlas: &Atlas, company: CompanyId, amount_k: i64) -> Value {
    number(amount_k, MeasureUnit::Thousands(atlas.companies.country[company]))
}

fn terms(atlas: &Atlas, office: Office) -> Option<&TermTable<CompanyId>> {
    match office {
        Office::Chair => Some(&atlas.companies.chairs),
        Office::ChiefExecutive => Some(&atlas.companies.chief_executives),
        _ => None,
    }
}

/// Which part of a term is told.
#[derive(Clone, Copy)]
pub(super) enum TermPart {
    Holder,
    From,
    To,
}

/// A part of the n-th term as it was known on a day: terms that began later are not known, ends that came later neither.
pub(super) fn past<I: RowId>(table: &TermTable<I>, id: I, nth: u32, as_of: Date, part: TermPart) -> Option<Value> {
    let term = table.of(id).get(nth as usize).filter(|term| term.from <= as_of)?;
    match part {
        TermPart::Holder => Some(entity(term.person)),
        TermPart::From => Some(Value::Date(term.from)),
        TermPart::To => term.to.filter(|&to| to < as_of).map(Value::Date),
    }
}
