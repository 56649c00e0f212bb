//! What can be said of something, and what each source says of it.

mod companies;
mod fees;
mod geography;
mod indicator_notes;
mod institutions;
mod issuers;
mod news;
mod notices;
mod papers;
mod people;
mod statistics;

pub use indicator_notes::StatisticTheme;
pub(crate) use indicator_notes::notes_on;
pub use news::NewsAspect;
pub use notices::{NoticeAspect, licence_notices};
pub(crate) use notices::{bank_of, first_since, is_act};
pub use papers::PaperAspect;
pub(crate) use papers::papers_of;
pub use statistics::SeriesVersion;
pub(crate) use statistics::is_revised;

use quintain_atlas::provenance::{FactKind, Source};
use quintain_atlas::{Atlas, Date, Entity, MeasureUnit, Number, Value};

use crate::response::Standing;

/// Which filing of a year's accounts is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FilingVersion {
    /// The accounts as they were filed first.
    First,
    /// The accounts as they were filed again.
    Restated,
    /// The last filing, which rules.
    Last,
}

/// A post of a company, an institution or a country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Office {
    /// Chairs a company.
    Chair,
    /// Leads a company.
    ChiefExecutive,
    /// Leads an institution.
    Rector,
    /// Heads a government.
    HeadOfGovernment,
    /// Leads a ministry.
    Minister(quintain_atlas::government::Ministry),
}

/// What is said of an entity. Numbers count from 0 in the order of the world's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// What it is called.
    Name,
    /// What it is called besides.
    OtherName,
    /// What kind of thing it is: the kind of an institution, the calling of a person.
    Kind,
    /// The country it belongs to.
    Country,
    /// The region it lies in.
    Region,
    /// The place where it sits.
    Seat,
    /// The day or year of its foundation.
    Founded,
    /// The seat of a country's government.
    Capital,
    /// What a country calls itself.
    StateForm,
    /// The currency's name.
    Currency,
    /// The currency's code.
    CurrencyCode,
    /// Land in square kilometres.
    Area,
    /// People.
    Population,
    /// People of a country in a year.
    PopulationIn(i32),
    /// The year in which a place is first named.
    FirstNamed,
    /// What a region is known for.
    Speciality(u8),
    /// The largest place of a region.
    LargestPlace,
    /// How many regions, places, members or the like there are.
    Count(Counted),
    /// What a company does.
    Sector,
    /// Public or private, as its country writes it.
    LegalForm,
    /// The owner of a company.
    Parent,
    /// Since when.
    ParentSince,
    /// A name that a company had.
    FormerName(u32),
    /// The last day of that name.
    FormerNameUntil(u32),
    /// What a company took in a year.
    Revenue(i32, FilingVersion),
    /// What a company owned at the end of a year.
    TotalAssets(i32, FilingVersion),
    /// A bank's net interest margin of a year.
    InterestMargin(i32),
    /// The day on which accounts of a year were filed.
    Filed(i32, FilingVersion),
    /// Who audited the accounts of a year.
    Auditor(i32),
    /// Why accounts were filed again.
    RestatementReason,
    /// What the n-th licence lets a bank do.
    LicenceKind(u32),
    /// The first day of the n-th licence.
    LicenceGranted(u32),
    /// The first day without it.
    LicenceWithdrawn(u32),
    /// Who holds a post.
    Holder(Office),
    /// Who held a post as the n-th.
    PastHolder(Office, u32),
    /// The first day of the n-th holder.
    HolderFrom(Office, u32),
    /// The last day of the n-th holder.
    HolderTo(Office, u32),
    /// The day of birth.
    Born,
    /// The decade of birth.
    BornDecade,
    /// The day of death.
    Died,
    /// Where a person was born.
    Birthplace,
    /// Where a scholar works.
    Employer,
    /// The n-th employer of a scholar.
    PastEmployer(u32),
    /// The first day there.
    EmployedFrom(u32),
    /// The last day of the nth employment: the day before the next begins, or that of death.
    EmployedTo(u32),
    /// Whose post the n-th of a person is.
    TenureAt(u32),
    /// What that post is.
    TenurePost(u32),
    /// Its first day.
    TenureFrom(u32),
    /// Its last day.
    TenureTo(u32),
    /// The n-th member that a bloc ever had.
    Member(u32),
    /// The day on which that member joined.
    MemberJoined(u32),
    /// The day on which it left.
    MemberLeft(u32),
    /// The day on which the article was last checked.
    Checked,
    /// What the index of papers tells.
    Paper(PaperAspect),
    /// What is said of a notice, or of a body that issues notices.
    Gazette(NoticeAspect),
    // Statistics.
    /// The value of an indicator for a country and a year.
    Statistic(quintain_atlas::IndicatorId, i32, SeriesVersion),
    /// What an indicator counts.
    Definition,
    /// What an indicator belongs to.
    Theme,
    /// What an indicator is told in.
    Unit,
    /// The first year that is counted by today's definition alone.
    BreakYear,
    /// What was changed then.
    BreakReason,
    /// The last year for which there are values by the old definition.
    LastOldYear,
    /// The day on which values of a year came out, or will.
    Released(i32, SeriesVersion),
    /// What newspapers say.
    News(NewsAspect),
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counted {
    /// Regions of a country.
    Regions,
    /// Places of a region or a country.
    Places,
    /// Companies seated in a region or a country.
    Companies,
    /// Institutions seated in a country.
    Institutions,
    /// Members of a bloc on the day of which it is told.
    Members,
}

/// Something that can be said of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// Of whom or what.
    pub about: Entity,
    /// What.
    pub aspect: Aspect,
}

impl Fact {
    /// Something that can be said of an entity.
    pub fn new(about: impl Into<Entity>, aspect: Aspect) -> Self {
        Self { about: about.into(), aspect }
    }

    /// What kind of fact it is, which decides whose word rules.
    pub fn kind(&self) -> FactKind {
        match self.aspect {
            Aspect::Revenue(..)
            | Aspect::TotalAssets(..)
            | Aspect::InterestMargin(_)
            | Aspect::Filed(..)
            | Aspect::RestatementReason => FactKind::Accounts,
            Aspect::LicenceKind(_) | Aspect::LicenceGranted(_) | Aspect::LicenceWithdrawn(_) => FactKind::Licence,
            Aspect::Holder(office)
            | Aspect::PastHolder(office, _)
            | Aspect::HolderFrom(office, _)
            | Aspect::HolderTo(office, _) => office_kind(office),
            Aspect::Paper(_) => FactKind::Publication,
            Aspect::Gazette(aspect) => notices::kind(aspect),
            Aspect::Statistic(..) => FactKind::Statistic,
            Aspect::News(aspect) => aspect.kind(),
            _ => match self.about {
                Entity::Paper(_) | Entity::Topic(_) | Entity::Venue(_) => FactKind::Publication,
                Entity::Indicator(_) => FactKind::Statistic,
                Entity::Company(_) | Entity::Institution(_) => FactKind::Registration,
                Entity::Person(_) => FactKind::Biography,
                Entity::Notice(_) => FactKind::Regulation,
                _ => FactKind::Geography,
            },
        }
    }
}

fn office_kind(office: Office) -> FactKind {
    match office {
        Office::HeadOfGovernment | Office::Minister(_) => FactKind::PublicOffice,
        _ => FactKind::Officer,
    }
}

/// What a source says of a fact on a day; `None` where there is nothing to say.
pub fn told(atlas: &Atlas, fact: Fact, source: Source, as_of: Date) -> Option<Value> {
    match (fact.about, fact.aspect) {
        (_, Aspect::Checked) => Some(Value::Date(atlas.article_checked(fact.about))),
        (about, Aspect::Paper(aspect)) => papers::told(atlas, about, aspect),
        (about, Aspect::News(aspect)) => news::told(atlas, about, aspect, source, as_of),
        // Articles bear today's names, however old they are: whoever renames an article does not check it.
        (_, Aspect::Name) if source == Source::Encyclopaedia => Some(Value::Text(atlas.title(fact.about))),
        (Entity::Company(company), Aspect::Name) => Some(Value::Text(atlas.company_name(company, as_of))),
        (about, Aspect::Name) => Some(Value::Text(atlas.title(about))),
        (about, Aspect::Gazette(aspect)) => notices::told(atlas, about, aspect, as_of),
        (Entity::Notice(notice), aspect) => notices::told_plainly(atlas, notice, aspect),
        (Entity::Company(company), aspect) => companies::told(atlas, company, aspect, as_of),
        (Entity::Institution(institution), aspect) => institutions::told(atlas, institution, aspect, source, as_of),
        (Entity::Person(person), aspect) => people::told(atlas, person, aspect, as_of),
        (Entity::Country(country), Aspect::Statistic(..)) => {
            statistics::told_of_country(atlas, country, fact.aspect, as_of)
        }
        (Entity::Indicator(indicator), aspect) => statistics::told_of_indicator(atlas, indicator, aspect),
        (Entity::Country(country), aspect) => geography::told_of_country(atlas, country, aspect, as_of),
        (Entity::Region(region), aspect) => geography::told_of_region(atlas, region, aspect),
        (Entity::Place(place), aspect) => geography::told_of_place(atlas, place, aspect),
        (Entity::Bloc(bloc), aspect) => geography::told_of_bloc(atlas, bloc, aspect, as_of),
        _ => None,
    }
}

/// How what a source says stands to what rules today.
pub(crate) fn standing(atlas: &Atlas, fact: Fact, source: Source, as_of: Date, value: &Value) -> Standing {
    let official = fact.kind().official();
    let ruling_fact = ruling_form(atlas, fact);
    // What rules need not be looked up where it has just been told.
    if source == official && as_of == Date::TODAY && ruling_fact == fact {
        return Standing::Ruling;
    }
    let ruling = told(atlas, ruling_fact, official, Date::TODAY);
    if ruling.as_ref() == Some(value) {
        return Standing::Ruling;
    }
    let today = told(atlas, fact, source, Date::TODAY);
    if today.as_ref() != Some(value) && as_of < Date::TODAY {
        Standing::Outdated
    } else if ruling_fact == fact || is_press_figure(fact) {
        Standing::Wrong
    } else {
        Standing::Superseded
    }
}

/// The fact that rules where there are several versions.
fn ruling_form(atlas: &Atlas, fact: Fact) -> Fact {
    let aspect = match fact.aspect {
        Aspect::Gazette(_) => return notices::ruling_form(atlas, fact),
        Aspect::Revenue(year, _) | Aspect::News(NewsAspect::PressRevenue(year)) => {
            Aspect::Revenue(year, FilingVersion::Last)
        }
        Aspect::TotalAssets(year, _) => Aspect::TotalAssets(year, FilingVersion::Last),
        Aspect::Statistic(indicator, year, _) => Aspect::Statistic(indicator, year, SeriesVersion::Latest),
        Aspect::News(NewsAspect::FirstEstimate(indicator, year)) => {
            Aspect::News(NewsAspect::SettledValue(indicator, year))
        }
        aspect => aspect,
    };
    Fact { aspect, ..fact }
}

/// Figures of the press were never filed: where they differ from what rules, they were wrong from the beginning.
fn is_press_figure(fact: Fact) -> bool {
    matches!(fact.aspect, Aspect::News(NewsAspect::PressRevenue(_)))
}

fn number(scaled: i64, unit: MeasureUnit) -> Value {
    Value::Number(Number::whole(scaled, unit))
}

fn count(n: usize) -> Value {
    number(n as i64, MeasureUnit::Count)
}

fn year(year: i32) -> Value {
    number(i64::from(year), MeasureUnit::Year)
}

fn entity(entity: impl Into<Entity>) -> Value {
    Value::Entity(entity.into())
}
