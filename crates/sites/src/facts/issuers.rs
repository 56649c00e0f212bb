//! The bodies that issue notices, and who signs for them.

use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::government::Ministry;
use quintain_atlas::names::Capitals;
use quintain_atlas::people::{Post, Term};
use quintain_atlas::{Atlas, CountryId, Date, NoticeId, PersonId, Value};

use super::entity;
use super::fees::FeeRule;
use crate::draw::Draw;

/// One of so many styles, the same one for a country always.
pub(super) fn style(atlas: &Atlas, purpose: &str, country: CountryId, n: usize) -> usize {
    Draw::of_world(atlas.seed, "gazettes").fork_text(purpose).fork(u64::from(country.0)).below(n)
}

/// What a country calls the clauses of its acts.
pub(super) fn clause_word(atlas: &Atlas, country: CountryId) -> &'static str {
    ["Article", "Section", "Article", "Clause"][style(atlas, "clauses", country, 4)]
}

/// What a country's central bank is called.
pub(super) fn central_bank(atlas: &Atlas, country: CountryId) -> String {
    let name = atlas.title(country.into());
    match style(atlas, "central banks", country, 4) {
        0 => format!("Central Bank of {name}"),
        1 => format!("National Bank of {name}"),
        2 => format!("State Bank of {name}"),
        _ => {
            let adjective = atlas.geography.countries.adjective[country];
            format!("{} Reserve Bank", atlas.words.written(&[adjective], Capitals::Each))
        }
    }
}

/// What a country's supervisor of banks is called.
pub(super) fn supervisor(atlas: &Atlas, country: CountryId) -> String {
    let names = [
        "Banking Supervision Authority",
        "Office for the Supervision of Banks",
        "Superintendency of Banks",
        "Financial Supervision Authority",
    ];
    format!("{} of {}", names[style(atlas, "supervisors", country, 4)], atlas.title(country.into()))
}

/// Who issued a notice.
pub(super) fn issuer(atlas: &Atlas, notice: NoticeId) -> String {
    let country = atlas.notices.country[notice];
    match atlas.notices.matter[notice] {
        NoticeMatter::Ordinance { .. } | NoticeMatter::Repeal { .. } => {
            let names = ["Regional Council of", "Provincial Assembly of", "Regional Government of", "Council of"];
            let region = atlas.notices.region[notice].map_or_else(String::new, |region| atlas.title(region.into()));
            format!("{} {region}", names[style(atlas, "councils", country, 4)])
        }
        NoticeMatter::ClimatePlan { .. } => ministry_name(Ministry::Environment),
        NoticeMatter::LicenceGranted { .. } | NoticeMatter::LicenceWithdrawn { .. } => supervisor(atlas, country),
        NoticeMatter::RateDecision { .. } => central_bank(atlas, country),
        NoticeMatter::Appointment { post: Post::Rector(_), .. } => ministry_name(Ministry::Education),
        NoticeMatter::Appointment { .. } => {
            let names = ["State Chancellery", "Cabinet Office", "Office of the Council of State", "Chancellery"];
            format!("{} of {}", names[style(atlas, "chancelleries", country, 4)], atlas.title(country.into()))
        }
    }
}

/// The town in which a notice was given.
pub(super) fn given_at(atlas: &Atlas, notice: NoticeId) -> Value {
    let geography = &atlas.geography;
    let region = atlas.notices.region[notice].and_then(|region| geography.places_of.of(region).first().copied());
    entity(region.unwrap_or(geography.countries.capital[atlas.notices.country[notice]]))
}

/// The post whose holder signs a notice; central banks and appointments of heads of government bear no name.
pub(super) fn signing_post(atlas: &Atlas, notice: NoticeId) -> Option<Post> {
    let country = atlas.notices.country[notice];
    match atlas.notices.matter[notice] {
        NoticeMatter::Ordinance { matter, .. } | NoticeMatter::Repeal { matter } => {
            Some(Post::Minister(country, FeeRule::of(matter).ministry))
        }
        NoticeMatter::LicenceGranted { .. } | NoticeMatter::LicenceWithdrawn { .. } => {
            Some(Post::Minister(country, Ministry::Finance))
        }
        NoticeMatter::Appointment { post: Post::Minister(..), .. } => Some(Post::HeadOfGovernment(country)),
        NoticeMatter::Appointment { post: Post::Rector(_), .. } => Some(Post::Minister(country, Ministry::Education)),
        // Who was minister is told by appointments; plans are of the ministry.
        NoticeMatter::Appointment { .. } | NoticeMatter::RateDecision { .. } | NoticeMatter::ClimatePlan { .. } => None,
    }
}

fn terms(atlas: &Atlas, post: Post) -> &[Term] {
    match post {
        Post::HeadOfGovernment(country) => atlas.governments.heads.of(country),
        Post::Minister(country, ministry) => atlas.governments.ministers(ministry).of(country),
        Post::Rector(institution) => atlas.institutions.rectors.of(institution),
        Post::Chair(company) => atlas.companies.chairs.of(company),
        Post::ChiefExecutive(company) => atlas.companies.chief_executives.of(company),
    }
}

/// The term that covers a day.
pub(super) fn holder_at(atlas: &Atlas, post: Post, day: Date) -> Option<&Term> {
    terms(atlas, post).iter().find(|term| term.covers(day))
}

/// Who held a post before whoever took it up on a day.
pub(super) fn predecessor(atlas: &Atlas, post: Post, day: Date) -> Option<PersonId> {
    let terms = terms(atlas, post);
    let at = terms.iter().position(|term| term.from == day)?;
    let (before, now) = (terms.get(at.checked_sub(1)?)?.person, terms[at].person);
    (before != now).then_some(before)
}

fn ministry_name(ministry: Ministry) -> String {
    format!("Ministry {}", portfolio(ministry))
}

fn portfolio(ministry: Ministry) -> &'static str {
    match ministry {
        Ministry::Finance => "of Finance",
        Ministry::Interior => "of the Interior",
        Ministry::ForeignAffairs => "of Foreign Affairs",
        Ministry::Environment => "of the Environment",
        Ministry::Education => "of Education and Science",
        Ministry::Health => "of Health",
        Ministry::Transport => "of Transport",
        Ministry::Labour => "of Labour and Social Affairs",
    }
}

/// What a post is called in a notice.
pub(super) fn office_name(atlas: &Atlas, post: Post) -> String {
    match post {
        Post::HeadOfGovernment(_) => "Head of the Government".to_owned(),
        Post::Minister(_, ministry) => format!("Minister {}", portfolio(ministry)),
        Post::Rector(institution) => format!("Rector of {}", atlas.title(institution.into())),
        Post::Chair(_) | Post::ChiefExecutive(_) => atlas.post_label(post),
    }
}
