//! What an item tells: of whom, by which facts, from where.

use quintain_atlas::companies::PressManner;
use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::news::{LOCAL_THEMES, NewsMatter};
use quintain_atlas::people::{Post, Term};
use quintain_atlas::{
    Atlas, CompanyId, CountryId, Entity, IndicatorId, NewsId, NoticeId, PaperId, PersonId, PlaceId, RegionId,
};

use super::archive::subjects;
use crate::address::slug;
use crate::facts::{Aspect, Fact, NewsAspect, Office};

/// Facts that sentences have slots for.
pub(super) type StorySlots = Vec<(&'static str, Fact)>;

/// What an item tells.
#[derive(Clone, Debug)]
pub(super) struct NewsStory {
    /// The item itself; of a correction, the item that it puts right.
    pub(super) news: NewsId,
    /// Which sentences it is told with.
    pub(super) key: String,
    /// Whom or what it is about.
    pub(super) about: Entity,
    /// The facts of its sentences.
    pub(super) slots: StorySlots,
    /// Where it was written.
    pub(super) from: PlaceId,
    /// Who was given a post, in items about that.
    pub(super) person: Option<PersonId>,
}

/// The item that is told: of a correction, the one that it puts right.
pub(super) fn asked(atlas: &Atlas, news: NewsId) -> NewsId {
    atlas.news.corrects[news].unwrap_or(news)
}

impl NewsStory {
    /// What an item tells that is no correction.
    pub(super) fn of(atlas: &Atlas, news: NewsId) -> Self {
        let writer = StoryWriter { atlas, news };
        let mut story = match atlas.news.matter[news] {
            NewsMatter::Results { company, year } => writer.results(company, year),
            NewsMatter::Restated { company } => writer.restated(company),
            NewsMatter::Renamed { company } => writer.renamed(company),
            NewsMatter::Appointed { person, post } => writer.appointed(person, post),
            NewsMatter::Published { paper } => writer.paper("published", paper),
            NewsMatter::Retracted { paper } => writer.paper("retracted", paper),
            NewsMatter::Notice { notice } => writer.notice(notice),
            NewsMatter::Estimate { indicator, country, year } => writer.estimate(indicator, country, year),
            NewsMatter::Local { place, theme } => writer.local(place, theme),
        };
        if !story.slots.iter().any(|(slot, _)| *slot == "topic") {
            let subject = subjects(atlas, news)[0].unwrap_or(story.about);
            story.slots.push(("topic", Fact::new(subject, Aspect::Name)));
        }
        story
    }

    /// Items that differ in their sentences but not in their headlines share these.
    pub(super) fn family(&self) -> &str {
        match self.key.as_str() {
            "rounded" | "premature" => "results",
            "restated-years" => "restated",
            "rate-up" | "rate-down" | "rate-set" => "rate",
            key => key,
        }
    }
}

struct StoryWriter<'a> {
    atlas: &'a Atlas,
    news: NewsId,
}

impl StoryWriter<'_> {
    fn story(&self, key: &str, about: impl Into<Entity>, from: PlaceId, slots: StorySlots) -> NewsStory {
        NewsStory { news: self.news, key: key.to_owned(), about: about.into(), slots, from, person: None }
    }

    fn own(&self, aspect: NewsAspect) -> Fact {
        Fact::new(self.news, Aspect::News(aspect))
    }

    fn of_company(&self, key: &str, company: CompanyId, slots: StorySlots) -> NewsStory {
        let table = &self.atlas.companies;
        let region = self.atlas.region_of_company(company);
        let common = [
            ("company", Fact::new(company, Aspect::Name)),
            ("sector", Fact::new(company, Aspect::Sector)),
            ("seat", Fact::new(company, Aspect::Seat)),
            ("country", Fact::new(company, Aspect::Country)),
            ("currency", Fact::new(table.country[company], Aspect::Currency)),
            ("trade", Fact::new(region, Aspect::Speciality(0))),
            ("second_trade", Fact::new(region, Aspect::Speciality(1))),
            ("townspeople", Fact::new(table.seat[company], Aspect::Population)),
        ];
        self.story(key, company, table.seat[company], slots.into_iter().chain(common).collect())
    }

    fn results(&self, company: CompanyId, year: i32) -> NewsStory {
        let manner = self.atlas.press_figure(company, year).map(|figure| figure.manner);
        let key = if manner == Some(PressManner::Premature) { "premature" } else { "rounded" };
        let slots = vec![
            ("year", self.own(NewsAspect::YearReported)),
            ("revenue", Fact::new(company, Aspect::News(NewsAspect::PressRevenue(year)))),
        ];
        self.of_company(key, company, slots)
    }

    fn restated(&self, company: CompanyId) -> NewsStory {
        let restatement = self.atlas.restatement(company);
        let first = restatement.map_or(0, |restatement| restatement.first_year);
        let is_one = restatement.is_some_and(|restatement| restatement.last_year == first);
        let slots = vec![
            ("first_year", Fact::new(company, Aspect::News(NewsAspect::RestatedFrom))),
            ("last_year", Fact::new(company, Aspect::News(NewsAspect::RestatedTo))),
            ("reason", Fact::new(company, Aspect::RestatementReason)),
            ("filed", Fact::new(company, Aspect::Filed(first, crate::facts::FilingVersion::Restated))),
        ];
        self.of_company(if is_one { "restated" } else { "restated-years" }, company, slots)
    }

    fn renamed(&self, company: CompanyId) -> NewsStory {
        let printed = self.atlas.news.date[self.news];
        let former = self.atlas.companies.former_names.of(company);
        let nth = former.iter().position(|former| former.until.plus_days(1) == printed).unwrap_or_default() as u32;
        let slots = vec![
            ("old_name", Fact::new(company, Aspect::FormerName(nth))),
            ("old_until", Fact::new(company, Aspect::FormerNameUntil(nth))),
        ];
        self.of_company("renamed", company, slots)
    }

    fn appointed(&self, person: PersonId, post: Post) -> NewsStory {
        let companies = &self.atlas.companies;
        let (key, company, office, terms) = match post {
            Post::ChiefExecutive(company) => {
                ("chief", company, Office::ChiefExecutive, companies.chief_executives.of(company))
            }
            Post::Chair(company) => ("chair", company, Office::Chair, companies.chairs.of(company)),
            Post::HeadOfGovernment(country) | Post::Minister(country, _) => return self.head(country, person),
            // Papers do not tell of directors of institutions.
            Post::Rector(institution) => {
                let seat = self.atlas.institutions.seat[institution];
                return self.story("rector", institution, seat, Vec::new());
            }
        };
        let slots = self.holders(company.into(), office, terms, person);
        NewsStory { person: Some(person), ..self.of_company(key, company, slots) }
    }

    fn head(&self, country: CountryId, person: PersonId) -> NewsStory {
        let terms = self.atlas.governments.heads.of(country);
        let slots = self.holders(country.into(), Office::HeadOfGovernment, terms, person);
        NewsStory { person: Some(person), ..self.of_country("head", country, slots) }
    }

    /// Who takes a post, from when, who held it before and how long, and what else the new one did before.
    fn holders(&self, about: Entity, office: Office, terms: &[Term], person: PersonId) -> StorySlots {
        let begun = self.atlas.news.date[self.news].plus_days(-1);
        let Some(nth) = terms.iter().position(|term| term.person == person && term.from == begun) else {
            return Vec::new();
        };
        let fact = |aspect| Fact::new(about, aspect);
        let mut slots = vec![
            ("person", fact(Aspect::PastHolder(office, nth as u32))),
            ("since", fact(Aspect::HolderFrom(office, nth as u32))),
            ("country_of", Fact::new(person, Aspect::Country)),
        ];
        if let Some(last) = nth.checked_sub(1).map(|last| last as u32) {
            slots.extend([
                ("last_person", fact(Aspect::PastHolder(office, last))),
                ("last_from", fact(Aspect::HolderFrom(office, last))),
                ("last_to", fact(Aspect::HolderTo(office, last))),
            ]);
        }
        let tenures = self.atlas.tenures.of(person).iter().enumerate();
        let earlier = tenures.filter(|(_, tenure)| tenure.from < begun).max_by_key(|(_, tenure)| tenure.from);
        if let Some((earlier, _)) = earlier {
            let of_person = |aspect| Fact::new(person, aspect);
            slots.extend([
                ("earlier_post", of_person(Aspect::TenurePost(earlier as u32))),
                ("earlier_at", of_person(Aspect::TenureAt(earlier as u32))),
                ("earlier_from", of_person(Aspect::TenureFrom(earlier as u32))),
                ("earlier_to", of_person(Aspect::TenureTo(earlier as u32))),
            ]);
        }
        slots
    }

    fn of_country(&self, key: &str, country: CountryId, slots: StorySlots) -> NewsStory {
        let capital = self.atlas.geography.countries.capital[country];
        let common = [
            ("country", Fact::new(country, Aspect::Name)),
            ("currency", Fact::new(country, Aspect::Currency)),
            ("capital_people", Fact::new(capital, Aspect::Population)),
        ];
        self.story(key, country, capital, slots.into_iter().chain(common).collect())
    }

    fn of_region(&self, key: &str, region: RegionId, slots: StorySlots) -> NewsStory {
        let country = self.atlas.geography.regions.country[region];
        let from = self.atlas.geography.places_of.of(region).first().copied();
        let common = [
            ("region", Fact::new(region, Aspect::Name)),
            ("country", Fact::new(country, Aspect::Name)),
            ("currency", Fact::new(country, Aspect::Currency)),
        ];
        let from = from.unwrap_or(self.atlas.geography.countries.capital[country]);
        self.story(key, region, from, slots.into_iter().chain(common).collect())
    }

    fn notice(&self, notice: NoticeId) -> NewsStory {
        let notices = &self.atlas.notices;
        let country = notices.country[notice];
        let is_first = notices.amends[notice].is_none();
        let slots = notice_slots(notice);
        match notices.matter[notice] {
            NoticeMatter::Ordinance { .. } | NoticeMatter::Repeal { .. } => {
                let key = match notices.matter[notice] {
                    NoticeMatter::Repeal { .. } => "repeal",
                    _ if is_first => "ordinance",
                    _ => "amended",
                };
                match notices.region[notice] {
                    Some(region) => self.of_region(key, region, slots),
                    None => self.of_country(key, country, slots),
                }
            }
            NoticeMatter::ClimatePlan { .. } => {
                self.of_country(if is_first { "climate" } else { "climate-amended" }, country, slots)
            }
            NoticeMatter::LicenceGranted { bank, .. } => self.of_company("licence-granted", bank, slots),
            NoticeMatter::LicenceWithdrawn { bank, .. } => self.of_company("licence-withdrawn", bank, slots),
            NoticeMatter::RateDecision { change_bp, .. } => {
                let key = match change_bp {
                    1.. => "rate-up",
                    0 => "rate-set",
                    _ => "rate-down",
                };
                self.of_country(key, country, slots)
            }
            NoticeMatter::Appointment { person, .. } => self.head(country, person),
        }
    }

    fn paper(&self, key: &str, paper: PaperId) -> NewsStory {
        let institution = self.atlas.papers.institution[paper];
        let fact = |aspect| Fact::new(paper, Aspect::News(aspect));
        let n_authors = self.atlas.papers.authors.of(paper).len();
        let mut slots = vec![
            ("title", Fact::new(paper, Aspect::Name)),
            ("journal", fact(NewsAspect::Journal)),
            ("appeared", fact(NewsAspect::Appeared)),
            ("withdrawn", fact(NewsAspect::Withdrawn)),
            ("subject_of", fact(NewsAspect::Subject)),
            ("topic", fact(NewsAspect::Subject)),
            ("field", fact(NewsAspect::Field)),
            ("institution", fact(NewsAspect::Institution)),
            ("country", Fact::new(institution, Aspect::Country)),
        ];
        slots.extend((n_authors > 1).then(|| ("team", fact(NewsAspect::TeamSize))));
        self.story(key, institution, self.atlas.institutions.seat[institution], slots)
    }

    fn estimate(&self, indicator: IndicatorId, country: CountryId, year: i32) -> NewsStory {
        let mut slots = vec![
            ("indicator", Fact::new(indicator, Aspect::Name)),
            ("unit", Fact::new(indicator, Aspect::News(NewsAspect::UnitOf))),
            ("year", self.own(NewsAspect::YearReported)),
            ("estimate", Fact::new(country, Aspect::News(NewsAspect::FirstEstimate(indicator, year)))),
        ];
        // Where the definition changed later, nobody could compare by today's one.
        if self.atlas.indicators[indicator].break_year.is_none_or(|at| at < year) {
            let settled = NewsAspect::SettledValue(indicator, year - 1);
            slots.push(("settled", Fact::new(country, Aspect::News(settled))));
        }
        self.of_country("estimate", country, slots)
    }

    fn local(&self, place: PlaceId, theme: u8) -> NewsStory {
        let theme = LOCAL_THEMES[usize::from(theme) % LOCAL_THEMES.len()];
        let region = self.atlas.geography.places.region[place];
        let slots = vec![
            ("place", Fact::new(place, Aspect::Name)),
            ("region", Fact::new(place, Aspect::Region)),
            ("country", Fact::new(place, Aspect::Country)),
            ("theme", self.own(NewsAspect::Theme)),
            ("trade", Fact::new(region, Aspect::Speciality(0))),
            ("largest", Fact::new(region, Aspect::LargestPlace)),
        ];
        self.story(&format!("local.{}", slug(theme)), place, place, slots)
    }
}

/// Everything that a notice may say.
fn notice_slots(notice: NoticeId) -> StorySlots {
    let fact = |aspect| Fact::new(notice, Aspect::News(aspect));
    vec![
        ("notice", Fact::new(notice, Aspect::Name)),
        ("issued", fact(NewsAspect::Issued)),
        ("issued_before", fact(NewsAspect::IssuedBefore)),
        ("rate", fact(NewsAspect::Rate)),
        ("rate_before", fact(NewsAspect::RateBefore)),
        ("change", fact(NewsAspect::RateChange)),
        ("matter", fact(NewsAspect::Matter)),
        ("fee", fact(NewsAspect::Fee)),
        ("fee_before", fact(NewsAspect::FeeBefore)),
        ("target", fact(NewsAspect::Target)),
        ("target_before", fact(NewsAspect::TargetBefore)),
        ("target_year", fact(NewsAspect::TargetYear)),
        ("scope", fact(NewsAspect::LicenceScope)),
    ]
}
