//! What things are called: as words for an index, and as text.

use crate::atlas::Atlas;
use crate::companies::LegalForm;
use crate::date::Date;
use crate::entity::Entity;
use crate::gazette::NoticeMatter;
use crate::ids::{CompanyId, CountryId, NewsId, NoticeId, PaperId, PersonId, WordId};
use crate::names::Capitals;
use crate::news::{LOCAL_THEMES, NewsMatter};
use crate::papers::{TitleParts, Titles};
use crate::people::Post;

impl Atlas {
    /// The words of the title of a paper.
    pub fn paper_title_words(&self, paper: PaperId) -> Vec<WordId> {
        self.titles().title(paper)
    }

    /// What the title of a paper speaks of besides its topic.
    pub fn paper_title_parts(&self, paper: PaperId) -> TitleParts<'_> {
        self.titles().parts(paper)
    }

    fn titles(&self) -> Titles<'_> {
        Titles { vocabulary: &self.vocabulary, topics: &self.topics, papers: &self.papers }
    }

    /// The words of an entity's title, without text being made.
    pub fn title_words(&self, entity: Entity) -> Vec<WordId> {
        let all = |words: &[WordId]| words.iter().copied().filter(|word| word.0 != 0).collect();
        match entity {
            Entity::Country(id) => vec![self.geography.countries.name[id]],
            Entity::Region(id) => vec![self.geography.regions.name[id]],
            Entity::Place(id) => vec![self.geography.places.name[id]],
            Entity::Person(id) => vec![self.people.given[id], self.people.family[id]],
            Entity::Company(id) => all(&self.companies.name[id]),
            Entity::Institution(id) => all(&self.institutions.name[id]),
            Entity::Topic(id) => self.topics.name[id].clone(),
            Entity::Venue(id) => self.venues.name[id].clone(),
            Entity::Paper(id) => self.paper_title_words(id),
            Entity::Indicator(id) => self.indicators[id].words.clone(),
            Entity::Bloc(id) => self.blocs.name[id].clone(),
            Entity::Notice(id) => self.notice_words(id),
            Entity::News(id) => self.news_words(id),
            Entity::Sector(sector) => self.known_words(sector.label()),
            Entity::EnergySource(source) => self.known_words(source.label()),
        }
    }

    /// What an entity is called.
    pub fn title(&self, entity: Entity) -> String {
        let each = |words: &[WordId]| self.words.written(words, Capitals::Each);
        match entity {
            Entity::Company(id) => self.company_name(id, Date::TODAY),
            Entity::Indicator(id) => self.indicators[id].title.to_owned(),
            Entity::Notice(id) => self.notice_title(id),
            Entity::Paper(id) => self.words.written(&self.paper_title_words(id), Capitals::First),
            Entity::Topic(id) => self.words.written(&self.topics.name[id], Capitals::First),
            Entity::Sector(sector) => sector.label().to_owned(),
            Entity::EnergySource(source) => source.label().to_owned(),
            _ => each(&self.title_words(entity)),
        }
    }

    /// A company's name on a day, with its legal form.
    pub fn company_name(&self, company: CompanyId, day: Date) -> String {
        let former = self.companies.former_names.of(company).iter().find(|former| day <= former.until);
        let name = former.map_or(&self.companies.name[company], |former| &former.name);
        format!("{} {}", self.words.written(name, Capitals::Each), self.legal_form(company))
    }

    /// How a company's legal form is written in its country.
    pub fn legal_form(&self, company: CompanyId) -> &'static str {
        let culture = self.geography.countries.culture[self.companies.country[company]].culture();
        culture.legal_forms[usize::from(self.companies.form[company] == LegalForm::Private)]
    }

    /// The whole name of a country's currency, such as `Kybrian mark`.
    pub fn currency_name(&self, country: CountryId) -> String {
        let countries = &self.geography.countries;
        let adjective = self.words.written(&[countries.adjective[country]], Capitals::Each);
        format!("{adjective} {}", self.words.spelling(countries.currency[country].noun))
    }

    /// A person's other name, where there is one.
    pub fn person_alias(&self, person: PersonId) -> Option<String> {
        let (given, family) = self.people.alias[person]?;
        Some(self.words.written(&[given, family], Capitals::Each))
    }

    /// The words of a notice's title that tell it from others: the matter, the style of the plan, the company.
    fn notice_words(&self, notice: NoticeId) -> Vec<WordId> {
        let of_year = || self.known_words(&self.notices.date[notice].year().to_string());
        match self.notices.matter[notice] {
            NoticeMatter::Ordinance { matter, .. } | NoticeMatter::Repeal { matter } => {
                self.known_words(matter.label())
            }
            NoticeMatter::ClimatePlan { .. } => [self.known_words(self.plan_style(notice).noun()), of_year()].concat(),
            NoticeMatter::LicenceGranted { bank, .. } | NoticeMatter::LicenceWithdrawn { bank, .. } => {
                self.title_words(bank.into())
            }
            NoticeMatter::RateDecision { .. } => [self.known_words("policy rate"), of_year()].concat(),
            NoticeMatter::Appointment { post, .. } => self.post_words(post),
        }
    }

    fn post_words(&self, post: Post) -> Vec<WordId> {
        match post {
            Post::Chair(company) | Post::ChiefExecutive(company) => self.title_words(company.into()),
            Post::HeadOfGovernment(_) => self.known_words("head of government"),
            Post::Minister(_, ministry) => [self.known_words("minister"), self.known_words(ministry.label())].concat(),
            Post::Rector(institution) => self.title_words(institution.into()),
        }
    }

    /// The words that a headline is sure to have: those of what it is about.
    fn news_words(&self, news: NewsId) -> Vec<WordId> {
        match self.news.matter[news] {
            NewsMatter::Results { company, .. }
            | NewsMatter::Restated { company }
            | NewsMatter::Renamed { company } => self.title_words(company.into()),
            NewsMatter::Appointed { post, .. } => self.post_words(post),
            NewsMatter::Published { paper } | NewsMatter::Retracted { paper } => {
                self.topics.name[self.papers.topic[paper]].clone()
            }
            NewsMatter::Notice { notice } => self.notice_words(notice),
            NewsMatter::Estimate { indicator, .. } => self.indicators[indicator].words.clone(),
            NewsMatter::Local { theme, .. } => self.known_words(LOCAL_THEMES[usize::from(theme) % LOCAL_THEMES.len()]),
        }
    }
}
