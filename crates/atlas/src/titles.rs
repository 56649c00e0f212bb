//! What things are called: as words for an index, and as text.

use crate::atlas::Atlas;
use crate::companies::LegalForm;
use crate::date::Date;
use crate::entity::Entity;
use crate::ids::{CompanyId, PaperId, PersonId, WordId};
use crate::names::Capitals;
use crate::papers::Titles;

impl Atlas {
    /// The words of the title of a paper.
    pub fn paper_title_words(&self, paper: PaperId) -> Vec<WordId> {
        Titles { vocabulary: &self.vocabulary, topics: &self.topics, papers: &self.papers }.title(paper)
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
            Entity::Notice(_) | Entity::News(_) => Vec::new(),
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

    /// A person's other name, where there is one.
    pub fn person_alias(&self, person: PersonId) -> Option<String> {
        let (given, family) = self.people.alias[person]?;
        Some(self.words.written(&[given, family], Capitals::Each))
    }

    fn known_words(&self, text: &str) -> Vec<WordId> {
        text.split_whitespace().filter_map(|word| self.words.find(word)).collect()
    }
}
