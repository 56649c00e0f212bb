//! What newspapers say: of their own items, and of what the items are about.

use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::news::{NewsMatter, Outlet};
use quintain_atlas::people::Post;
use quintain_atlas::provenance::{FactKind, Source};
use quintain_atlas::{
    Atlas, CompanyId, CountryId, Date, Entity, IndicatorId, MeasureUnit, NewsId, NoticeId, Number, PaperId, Value,
};

use super::{count, entity, number, year};
use crate::voice::Voice;

/// What a newspaper says of an item, or of what an item is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NewsAspect {
    /// The day of the issue in which an item was printed.
    Printed,
    /// The paper that printed it.
    PrintedIn,
    /// The year of which an item gives a figure.
    YearReported,
    /// The post that somebody was given.
    PostGiven,
    /// What happened in a place.
    Theme,
    /// A company's revenue of a year, as the Herald had it before the accounts were filed.
    PressRevenue(i32),
    /// The first of the years whose accounts a company filed again.
    RestatedFrom,
    /// The last of them.
    RestatedTo,
    /// The first estimate of an indicator for a country and a year.
    FirstEstimate(IndicatorId, i32),
    /// The value that rules: the settled one, once it is out.
    SettledValue(IndicatorId, i32),
    /// The unit of an indicator, as prose has it.
    UnitOf,
    /// The day on which a notice was issued.
    Issued,
    /// The day of the notice that held before.
    IssuedBefore,
    /// The policy rate that was decided on.
    Rate,
    /// The rate that held before.
    RateBefore,
    /// By how many points it was changed.
    RateChange,
    /// What an ordinance is about.
    Matter,
    /// The fee of an ordinance.
    Fee,
    /// The fee before it was amended.
    FeeBefore,
    /// By how much emissions are to fall.
    Target,
    /// The target before it was amended.
    TargetBefore,
    /// By which year.
    TargetYear,
    /// What a licence lets a bank do.
    LicenceScope,
    /// The journal in which a paper appeared.
    Journal,
    /// The day on which it appeared.
    Appeared,
    /// The day on which it was retracted.
    Withdrawn,
    /// The topic of a paper.
    Subject,
    /// The field of a paper.
    Field,
    /// How many people wrote it.
    TeamSize,
    /// The institution that the paper gives.
    Institution,
}

impl NewsAspect {
    /// What kind of fact it is.
    pub(super) const fn kind(self) -> FactKind {
        match self {
            Self::PressRevenue(_) | Self::RestatedFrom | Self::RestatedTo => FactKind::Accounts,
            Self::FirstEstimate(..) | Self::SettledValue(..) | Self::UnitOf => FactKind::Statistic,
            Self::Rate | Self::RateBefore | Self::RateChange => FactKind::RateDecision,
            Self::LicenceScope => FactKind::Licence,
            Self::Journal
            | Self::Appeared
            | Self::Withdrawn
            | Self::Subject
            | Self::Field
            | Self::TeamSize
            | Self::Institution => FactKind::Publication,
            Self::Issued
            | Self::IssuedBefore
            | Self::Matter
            | Self::Fee
            | Self::FeeBefore
            | Self::Target
            | Self::TargetBefore
            | Self::TargetYear => FactKind::Regulation,
            // What papers say of themselves nobody disputes.
            Self::Printed | Self::PrintedIn | Self::YearReported | Self::PostGiven | Self::Theme => FactKind::Geography,
        }
    }

    /// Figures as newspapers write them, where that is not how tables have them.
    pub(crate) fn shown(self, voice: Voice, value: &Value) -> Option<String> {
        let Value::Number(number) = value else { return None };
        match self {
            Self::PressRevenue(_) => Some(in_millions(voice, number.scaled)),
            Self::Fee | Self::FeeBefore => Some(voice.decimal(Number { digits: 2, ..*number })),
            Self::TeamSize => SMALL_NUMBERS.get(number.scaled as usize).map(|word| (*word).to_owned()),
            _ => None,
        }
    }
}

const SMALL_NUMBERS: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// An amount of thousands in words: `1.23 billion`, `34 million`, `345,000`. No digit is lost.
fn in_millions(voice: Voice, amount_k: i64) -> String {
    let (unit, n_digits, word) = match amount_k {
        1_000_000.. => (1_000_000, 6, " billion"),
        1_000.. => (1_000, 3, " million"),
        _ => return voice.whole(amount_k * 1000),
    };
    let whole = voice.whole(amount_k / unit);
    let rest = format!("{:0n_digits$}", amount_k % unit);
    let rest = rest.trim_end_matches('0');
    if rest.is_empty() { format!("{whole}{word}") } else { format!("{whole}.{rest}{word}") }
}

pub(super) fn told(atlas: &Atlas, about: Entity, aspect: NewsAspect, source: Source, as_of: Date) -> Option<Value> {
    match about {
        Entity::News(news) => of_item(atlas, news, aspect),
        Entity::Company(company) => of_company(atlas, company, aspect, source),
        Entity::Country(country) => of_country(atlas, country, aspect),
        Entity::Indicator(indicator) if aspect == NewsAspect::UnitOf => {
            Some(Value::Term(unit_in_prose(atlas.indicators[indicator].unit)))
        }
        Entity::Notice(notice) => of_notice(atlas, notice, aspect),
        Entity::Paper(paper) => of_paper(atlas, paper, aspect, as_of),
        _ => None,
    }
}

fn of_item(atlas: &Atlas, news: NewsId, aspect: NewsAspect) -> Option<Value> {
    match (aspect, atlas.news.matter[news]) {
        (NewsAspect::Printed, _) => Some(Value::Date(atlas.news.date[news])),
        (NewsAspect::PrintedIn, _) => Some(Value::Term(outlet_label(atlas.news.outlet[news]))),
        (NewsAspect::YearReported, NewsMatter::Results { year: of, .. } | NewsMatter::Estimate { year: of, .. }) => {
            Some(year(of))
        }
        (NewsAspect::PostGiven, NewsMatter::Appointed { post, .. }) => Some(Value::Term(post_label(post))),
        (NewsAspect::Theme, NewsMatter::Local { theme, .. }) => Some(Value::Term(
            quintain_atlas::news::LOCAL_THEMES[usize::from(theme) % quintain_atlas::news::LOCAL_THEMES.len()],
        )),
        _ => None,
    }
}

/// What a paper is called.
pub(crate) const fn outlet_label(outlet: Outlet) -> &'static str {
    match outlet {
        Outlet::Herald => "The Herald",
        Outlet::Courier => "The Courier",
    }
}

const fn post_label(post: Post) -> &'static str {
    match post {
        Post::Chair(_) => "chair",
        Post::ChiefExecutive(_) => "chief executive",
        Post::HeadOfGovernment(_) => "head of government",
        Post::Minister(..) => "minister",
        Post::Rector(_) => "director",
    }
}

fn of_company(atlas: &Atlas, company: CompanyId, aspect: NewsAspect, source: Source) -> Option<Value> {
    match aspect {
        NewsAspect::PressRevenue(year) if source == Source::Herald => {
            let figure = atlas.press_figure(company, year)?;
            Some(number(figure.revenue_k, MeasureUnit::Thousands(atlas.companies.country[company])))
        }
        NewsAspect::RestatedFrom => Some(year(atlas.restatement(company)?.first_year)),
        NewsAspect::RestatedTo => Some(year(atlas.restatement(company)?.last_year)),
        _ => None,
    }
}

fn of_country(atlas: &Atlas, country: CountryId, aspect: NewsAspect) -> Option<Value> {
    let (NewsAspect::FirstEstimate(indicator, year) | NewsAspect::SettledValue(indicator, year)) = aspect else {
        return None;
    };
    let seen = atlas.observed(indicator, country, year);
    let is_first = matches!(aspect, NewsAspect::FirstEstimate(..));
    let scaled = if is_first { seen.provisional } else { seen.ruling() };
    Some(Value::Number(Number { scaled, digits: seen.digits, unit: MeasureUnit::Of(indicator) }))
}

/// A unit such as the tables of the statistics portal have it, as part of a sentence.
fn unit_in_prose(unit: &'static str) -> &'static str {
    match unit {
        "index" => "points on the index",
        "national currency" => "units of the national currency",
        "million of national currency" => "million units of the national currency",
        "national currency for one clearing unit" => "units of the national currency to the clearing unit",
        "hundredths of a clearing unit for a kilowatt-hour" => "hundredths of a clearing unit a kilowatt-hour",
        unit => unit,
    }
}

fn of_notice(atlas: &Atlas, notice: NoticeId, aspect: NewsAspect) -> Option<Value> {
    let notices = &atlas.notices;
    let before = before(atlas, notice);
    let hundredths = |scaled| Value::Number(Number { scaled, digits: 2, unit: MeasureUnit::Percent });
    match (aspect, notices.matter[notice]) {
        (NewsAspect::Issued, _) => Some(Value::Date(notices.date[notice])),
        (NewsAspect::IssuedBefore, _) => Some(Value::Date(notices.date[before?])),
        (NewsAspect::Rate, NoticeMatter::RateDecision { rate_bp, .. }) => Some(hundredths(i64::from(rate_bp))),
        (NewsAspect::RateBefore, NoticeMatter::RateDecision { rate_bp, change_bp }) => {
            before.map(|_| hundredths(i64::from(rate_bp - change_bp)))
        }
        (NewsAspect::RateChange, NoticeMatter::RateDecision { change_bp, .. }) => {
            let scaled = i64::from(change_bp.abs());
            (scaled > 0).then_some(Value::Number(Number { scaled, digits: 2, unit: MeasureUnit::Points }))
        }
        (NewsAspect::Matter, NoticeMatter::Ordinance { matter, .. } | NoticeMatter::Repeal { matter }) => {
            Some(Value::Term(matter.label()))
        }
        (NewsAspect::Fee, _) => fee(atlas, notice),
        (NewsAspect::FeeBefore, _) => fee(atlas, before?),
        (NewsAspect::Target, _) => target(atlas, notice),
        (NewsAspect::TargetBefore, _) => target(atlas, before?),
        (NewsAspect::TargetYear, NoticeMatter::ClimatePlan { by_year, .. }) => Some(year(by_year)),
        (
            NewsAspect::LicenceScope,
            NoticeMatter::LicenceGranted { kind, .. } | NoticeMatter::LicenceWithdrawn { kind, .. },
        ) => Some(Value::Term(kind.label())),
        _ => None,
    }
}

/// The notice that held before: the version that is amended, or the last decision on the rate.
fn before(atlas: &Atlas, notice: NoticeId) -> Option<NoticeId> {
    let notices = &atlas.notices;
    match notices.matter[notice] {
        NoticeMatter::RateDecision { .. } => {
            let decisions = notices.rate_decisions.of(notices.country[notice]);
            let at = decisions.iter().position(|&other| other == notice)?;
            decisions.get(at.checked_sub(1)?).copied()
        }
        _ => notices.amends[notice],
    }
}

fn fee(atlas: &Atlas, notice: NoticeId) -> Option<Value> {
    let NoticeMatter::Ordinance { fee_minor, .. } = atlas.notices.matter[notice] else { return None };
    Some(number(fee_minor, MeasureUnit::Hundredths(atlas.notices.country[notice])))
}

fn target(atlas: &Atlas, notice: NoticeId) -> Option<Value> {
    let NoticeMatter::ClimatePlan { target_pm, .. } = atlas.notices.matter[notice] else { return None };
    Some(Value::Number(Number { scaled: i64::from(target_pm), digits: 1, unit: MeasureUnit::Percent }))
}

fn of_paper(atlas: &Atlas, paper: PaperId, aspect: NewsAspect, as_of: Date) -> Option<Value> {
    let papers = &atlas.papers;
    match aspect {
        NewsAspect::Journal => Some(entity(papers.venue[paper])),
        NewsAspect::Appeared => Some(Value::Date(papers.date[paper])),
        NewsAspect::Withdrawn => papers.retracted[paper].filter(|&day| day <= as_of).map(Value::Date),
        NewsAspect::Subject => Some(Value::Text(atlas.title(papers.topic[paper].into()).to_lowercase())),
        NewsAspect::Field => Some(Value::Term(atlas.topics.field[papers.topic[paper]].label())),
        NewsAspect::TeamSize => Some(count(papers.authors.of(paper).len())),
        NewsAspect::Institution => Some(entity(papers.institution[paper])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Draw;

    #[test]
    fn amounts_are_written_in_words_and_lose_no_digit() {
        let voice = Voice::of_prose(Draw::of_world(1, "voice"));
        let written = [345, 1_000, 34_000, 1_230, 1_230_000, 120_500_000].map(|amount_k| in_millions(voice, amount_k));
        assert_eq!(written[1..5], ["1 million", "34 million", "1.23 million", "1.23 billion"]);
        assert!(written[0].starts_with("345") && written[0].ends_with("000"), "{}", written[0]);
        assert_eq!(written[5], "120.5 billion");
    }
}
