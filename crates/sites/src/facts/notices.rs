//! What is said of official notices, and of the bodies that issue them.

use quintain_atlas::gazette::{NoticeMatter, NoticeTable};
use quintain_atlas::provenance::FactKind;
use quintain_atlas::{Atlas, CompanyId, Date, Entity, MeasureUnit, NoticeId, Number, RowId, Value};

use super::fees::FeeRule;
use super::issuers::{
    central_bank, clause_word, given_at, holder_at, issuer, office_name, predecessor, signing_post, style, supervisor,
};
use super::{Aspect, Fact, entity, number, year};

/// What is said of a notice. The last two are said of a country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoticeAspect {
    /// The day of issue, from which it holds.
    Date,
    /// The decade of issue.
    Decade,
    /// Its number in the gazette of its country and year.
    Number,
    /// Who issued it.
    Issuer,
    /// The town in which it was given.
    Place,
    /// Who signed it, where somebody did whom the world knows.
    SignedBy,
    /// The office in which that person signed.
    SignedAs,
    /// The heading of one of its clauses, such as `Article 3`.
    Clause(u8),
    /// What an ordinance is about.
    Matter,
    /// What an ordinance charges for.
    Conduct,
    /// How its fee is counted.
    FeeUnit,
    /// The fee of an ordinance, in hundredths of the currency.
    Fee,
    /// The target of a climate plan, in percent.
    Target,
    /// The year by which it is to be met.
    TargetYear,
    /// The year against which it is measured.
    BaseYear,
    /// The policy rate that was decided, in percent.
    Rate,
    /// The change of the rate, in percentage points.
    RateChange,
    /// The bank whose licence was granted or withdrawn.
    Bank,
    /// What the licence lets it do.
    LicenceKind,
    /// Who was appointed.
    Appointee,
    /// To which post.
    Post,
    /// Who held the post before.
    Predecessor,
    /// The rate decision before, or the last text of the climate plan before.
    Replaces,
    /// The how-manieth version of an act it is.
    Version,
    /// The first version of the act.
    Act,
    /// The version before it.
    Amends,
    /// The version after it.
    AmendedBy,
    /// Whether a version holds.
    Force,
    /// What a country's central bank is called.
    CentralBank,
    /// What a country's supervisor of banks is called.
    Supervisor,
}

/// The year against which emissions are measured.
const BASE_YEAR: i32 = 1990;

/// What kind of fact it is.
pub(super) const fn kind(aspect: NoticeAspect) -> FactKind {
    match aspect {
        NoticeAspect::Rate | NoticeAspect::RateChange | NoticeAspect::CentralBank => FactKind::RateDecision,
        NoticeAspect::Bank | NoticeAspect::LicenceKind | NoticeAspect::Supervisor => FactKind::Licence,
        NoticeAspect::Appointee | NoticeAspect::Post | NoticeAspect::Predecessor => FactKind::PublicOffice,
        _ => FactKind::Regulation,
    }
}

/// The fact that rules where an act has several versions: that of the last one.
pub(super) fn ruling_form(atlas: &Atlas, fact: Fact) -> Fact {
    match (fact.about, fact.aspect) {
        (Entity::Notice(notice), Aspect::Gazette(NoticeAspect::Fee | NoticeAspect::Target)) => {
            let last = std::iter::successors(Some(notice), |&notice| atlas.notices.amended_by[notice]).last();
            Fact::new(last.unwrap_or(notice), fact.aspect)
        }
        _ => fact,
    }
}

/// What is said of a notice as of other things: its kind, its country, its region.
pub(super) fn told_plainly(atlas: &Atlas, notice: NoticeId, aspect: Aspect) -> Option<Value> {
    match aspect {
        Aspect::Kind => Some(Value::Term(kind_label(&atlas.notices, notice))),
        Aspect::Country => Some(entity(atlas.notices.country[notice])),
        Aspect::Region => atlas.notices.region[notice].map(entity),
        _ => None,
    }
}

fn kind_label(notices: &NoticeTable, notice: NoticeId) -> &'static str {
    match (notices.matter[notice], notices.version[notice]) {
        (NoticeMatter::Ordinance { .. }, 1) => "ordinance",
        (NoticeMatter::Ordinance { .. }, _) => "amending ordinance",
        (NoticeMatter::Repeal { .. }, _) => "repeal",
        (NoticeMatter::ClimatePlan { .. }, 1) => "climate plan",
        (NoticeMatter::ClimatePlan { .. }, _) => "amendment of a climate plan",
        (NoticeMatter::LicenceGranted { .. }, _) => "grant of a licence",
        (NoticeMatter::LicenceWithdrawn { .. }, _) => "withdrawal of a licence",
        (NoticeMatter::RateDecision { .. }, _) => "rate decision",
        (NoticeMatter::Appointment { .. }, _) => "appointment",
    }
}

/// What the gazette says of a notice, or of a body that issues notices.
pub(super) fn told(atlas: &Atlas, about: Entity, aspect: NoticeAspect, as_of: Date) -> Option<Value> {
    match (about, aspect) {
        (Entity::Notice(notice), aspect) if atlas.notices.date[notice] <= as_of => {
            told_of_notice(atlas, notice, aspect, as_of)
        }
        (Entity::Country(country), NoticeAspect::CentralBank) => Some(Value::Text(central_bank(atlas, country))),
        (Entity::Country(country), NoticeAspect::Supervisor) => Some(Value::Text(supervisor(atlas, country))),
        _ => None,
    }
}

fn told_of_notice(atlas: &Atlas, notice: NoticeId, aspect: NoticeAspect, as_of: Date) -> Option<Value> {
    let notices = &atlas.notices;
    let date = notices.date[notice];
    match aspect {
        NoticeAspect::Date => Some(Value::Date(date)),
        NoticeAspect::Decade => Some(Value::Text(format!("{}s", date.year() / 10 * 10))),
        NoticeAspect::Number => Some(Value::Text(gazette_number(atlas, notice))),
        NoticeAspect::Issuer => Some(Value::Text(issuer(atlas, notice))),
        NoticeAspect::Place => Some(given_at(atlas, notice)),
        NoticeAspect::SignedBy => Some(entity(holder_at(atlas, signing_post(atlas, notice)?, date)?.person)),
        NoticeAspect::SignedAs => {
            let post = signing_post(atlas, notice)?;
            holder_at(atlas, post, date).map(|_| Value::Text(office_name(atlas, post)))
        }
        NoticeAspect::Clause(nth) => {
            Some(Value::Text(format!("{} {nth}", clause_word(atlas, notices.country[notice]))))
        }
        NoticeAspect::Version => Some(number(i64::from(notices.version[notice]), MeasureUnit::Rank)),
        NoticeAspect::Act => {
            is_act(notices, notice).then(|| entity(notices.versions(notice).first().copied().unwrap_or(notice)))
        }
        NoticeAspect::Amends => notices.amends[notice].map(entity),
        NoticeAspect::AmendedBy => notices.amended_by[notice].filter(|&after| notices.date[after] <= as_of).map(entity),
        NoticeAspect::Replaces => replaced(notices, notice).map(entity),
        NoticeAspect::Force => force(notices, notice, as_of).map(Value::Term),
        _ => decided(atlas, notice, aspect),
    }
}

/// What a notice decides.
fn decided(atlas: &Atlas, notice: NoticeId, aspect: NoticeAspect) -> Option<Value> {
    let scaled = |scaled: i32, digits, unit| Value::Number(Number { scaled: i64::from(scaled), digits, unit });
    match (atlas.notices.matter[notice], aspect) {
        (NoticeMatter::Ordinance { fee_minor, .. }, NoticeAspect::Fee) => {
            Some(number(fee_minor, MeasureUnit::Hundredths(atlas.notices.country[notice])))
        }
        (NoticeMatter::Ordinance { matter, .. } | NoticeMatter::Repeal { matter }, aspect) => match aspect {
            NoticeAspect::Matter => Some(Value::Term(matter.label())),
            NoticeAspect::Conduct => Some(Value::Term(FeeRule::of(matter).conduct)),
            NoticeAspect::FeeUnit => Some(Value::Term(FeeRule::of(matter).unit)),
            _ => None,
        },
        (NoticeMatter::ClimatePlan { target_pm, .. }, NoticeAspect::Target) => {
            Some(scaled(target_pm, 1, MeasureUnit::Percent))
        }
        (NoticeMatter::ClimatePlan { by_year, .. }, NoticeAspect::TargetYear) => Some(year(by_year)),
        (NoticeMatter::ClimatePlan { .. }, NoticeAspect::BaseYear) => Some(year(BASE_YEAR)),
        (NoticeMatter::RateDecision { rate_bp, .. }, NoticeAspect::Rate) => {
            Some(scaled(rate_bp, 2, MeasureUnit::Percent))
        }
        (NoticeMatter::RateDecision { change_bp, .. }, NoticeAspect::RateChange) => {
            Some(scaled(change_bp, 2, MeasureUnit::Points))
        }
        (
            NoticeMatter::LicenceGranted { bank, kind } | NoticeMatter::LicenceWithdrawn { bank, kind },
            NoticeAspect::Bank | NoticeAspect::LicenceKind,
        ) => Some(if aspect == NoticeAspect::Bank { entity(bank) } else { Value::Term(kind.label()) }),
        (NoticeMatter::Appointment { person, .. }, NoticeAspect::Appointee) => Some(entity(person)),
        (NoticeMatter::Appointment { post, .. }, NoticeAspect::Post) => Some(Value::Text(office_name(atlas, post))),
        (NoticeMatter::Appointment { post, .. }, NoticeAspect::Predecessor) => {
            predecessor(atlas, post, atlas.notices.date[notice]).map(entity)
        }
        _ => None,
    }
}

/// Whether a notice is a version of an act that can be amended.
pub(crate) fn is_act(notices: &NoticeTable, notice: NoticeId) -> bool {
    matches!(
        notices.matter[notice],
        NoticeMatter::Ordinance { .. } | NoticeMatter::Repeal { .. } | NoticeMatter::ClimatePlan { .. }
    )
}

/// Whether a version holds on a day, or why it does not.
fn force(notices: &NoticeTable, notice: NoticeId, as_of: Date) -> Option<&'static str> {
    let matter = notices.matter[notice];
    if !is_act(notices, notice) || matches!(matter, NoticeMatter::Repeal { .. }) {
        return None;
    }
    let after = notices.amended_by[notice].filter(|&after| notices.date[after] <= as_of);
    match after.map(|after| notices.matter[after]) {
        Some(NoticeMatter::Repeal { .. }) => Some("repealed"),
        Some(_) => Some("superseded"),
        None if has_later_plan(notices, notice, as_of) => Some("replaced by a later plan"),
        None => Some("in force"),
    }
}

fn has_later_plan(notices: &NoticeTable, notice: NoticeId, as_of: Date) -> bool {
    let NoticeMatter::ClimatePlan { plan, .. } = notices.matter[notice] else { return false };
    let plans = notices.climate_plans.of(notices.country[notice]);
    plans.get(usize::from(plan)).is_some_and(|&next| notices.date[next] <= as_of)
}

/// The decision or plan that ends with this one.
fn replaced(notices: &NoticeTable, notice: NoticeId) -> Option<NoticeId> {
    let country = notices.country[notice];
    match notices.matter[notice] {
        NoticeMatter::RateDecision { .. } => {
            let decisions = notices.rate_decisions.of(country);
            let at = decisions.binary_search(&notice).ok()?;
            decisions.get(at.checked_sub(1)?).copied()
        }
        NoticeMatter::ClimatePlan { plan, .. } => {
            let before = notices.climate_plans.of(country).get(usize::from(plan).checked_sub(2)?)?;
            notices.versions(*before).last().copied()
        }
        _ => None,
    }
}

/// Notices are counted by country and year, and each country writes the number in its own way.
fn gazette_number(atlas: &Atlas, notice: NoticeId) -> String {
    let notices = &atlas.notices;
    let (country, year) = (notices.country[notice], notices.date[notice].year());
    let of_year = (first_since(notices, Date::year_start(year))..=notice.index()).map(NoticeId::from_index);
    let nth = of_year.filter(|&other| notices.country[other] == country).count();
    match style(atlas, "numbers", country, 4) {
        0 => format!("{nth}/{year}"),
        1 => format!("{year}/{nth:03}"),
        2 => format!("{nth} of {year}"),
        _ => format!("{year}-{nth}"),
    }
}

/// The notices on a bank's licences, the oldest first.
pub fn licence_notices(atlas: &Atlas, wanted: CompanyId) -> Vec<NoticeId> {
    let licences = atlas.companies.licences.of(wanted).iter();
    let mut days: Vec<Date> =
        licences.flat_map(|licence| [Some(licence.granted), licence.withdrawn]).flatten().collect();
    days.sort_unstable();
    days.dedup();
    days.into_iter()
        .flat_map(|day| notices_of_day(&atlas.notices, day))
        .filter(|&notice| bank_of(&atlas.notices, notice) == Some(wanted))
        .collect()
}

/// The bank that a notice on a licence is about.
pub(crate) fn bank_of(notices: &NoticeTable, notice: NoticeId) -> Option<CompanyId> {
    match notices.matter[notice] {
        NoticeMatter::LicenceGranted { bank, .. } | NoticeMatter::LicenceWithdrawn { bank, .. } => Some(bank),
        _ => None,
    }
}

/// All notices of one day, in all gazettes.
fn notices_of_day(notices: &NoticeTable, day: Date) -> impl Iterator<Item = NoticeId> {
    (first_since(notices, day)..first_since(notices, day.plus_days(1))).map(NoticeId::from_index)
}

/// The place in the table of the first notice of a day or later.
pub(crate) fn first_since(notices: &NoticeTable, day: Date) -> usize {
    let (mut low, mut high) = (0, notices.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if notices.date[NoticeId::from_index(middle)] < day { low = middle + 1 } else { high = middle }
    }
    low
}
