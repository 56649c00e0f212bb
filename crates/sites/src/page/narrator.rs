//! Telling about one thing in sentences: by name at first, by a pronoun later.

use quintain_atlas::Entity;
use quintain_atlas::people::Sex;

use super::PageWriter;
use crate::draw::Draw;
use crate::facts::{Aspect, Counted, Fact, Office};
use crate::html::Html;
use crate::phrases::{Article, PhrasePart};

/// How something is called when it was named before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pronoun {
    She,
    He,
    It,
}

impl Pronoun {
    /// The pronoun of an entity.
    pub(crate) fn of(page: &PageWriter, entity: Entity) -> Self {
        match entity {
            Entity::Person(person) if page.web.atlas.people.sex[person] == Sex::Female => Self::She,
            Entity::Person(_) => Self::He,
            _ => Self::It,
        }
    }

    const fn subject(self) -> &'static str {
        match self {
            Self::She => "she",
            Self::He => "he",
            Self::It => "it",
        }
    }

    const fn possessive(self) -> &'static str {
        match self {
            Self::She => "her",
            Self::He => "his",
            Self::It => "its",
        }
    }
}

/// Tells about one entity in paragraphs.
pub(crate) struct Narrator<'p, 'w> {
    pub(crate) page: &'p mut PageWriter<'w>,
    about: Entity,
    /// What it may be called besides its name and its pronoun, such as `the company`.
    noun: String,
    pronoun: Pronoun,
    n_mentions: usize,
    n_sentences: usize,
    paragraph: Html,
}

impl<'p, 'w> Narrator<'p, 'w> {
    pub(crate) fn new(page: &'p mut PageWriter<'w>, about: Entity, noun: &str) -> Self {
        let pronoun = Pronoun::of(page, about);
        Self { page, about, noun: noun.to_owned(), pronoun, n_mentions: 0, n_sentences: 0, paragraph: Html::new() }
    }

    /// Says a sentence whose slots are facts of the entity, or are given. A sentence of which a fact is not known is
    /// left out.
    pub(crate) fn sentence(&mut self, key: &str, given: &[(&str, Fact)]) -> &mut Self {
        let draw = self.page.draw.fork_text(key).fork(self.n_sentences as u64);
        let Some(line) = self.page.web.phrases.wording(key, draw).cloned() else { return self };
        let facts: Vec<Option<Fact>> = line.parts.iter().map(|part| self.fact(*part, given)).collect();
        let is_named = |(part, fact): (&PhrasePart, &Option<Fact>)| match part {
            PhrasePart::Slot { name, .. } => fact.is_some() || ["Subject", "subject", "Its", "its"].contains(name),
            PhrasePart::Text(_) => true,
        };
        let is_known = line.parts.iter().zip(&facts).all(is_named)
            && facts.iter().flatten().all(|&fact| self.page.ask(fact).is_some());
        if !is_known {
            return self;
        }
        let starts = matches!(line.parts.first(), Some(PhrasePart::Slot { name: "Subject" | "Its", .. }));
        let connective = if starts { self.connective(draw) } else { String::new() };
        if !self.paragraph.is_empty() {
            self.paragraph.text(" ");
        }
        self.paragraph.text(&connective);
        for (nth, (part, fact)) in line.parts.iter().zip(facts).enumerate() {
            let piece = self.part(*part, fact, nth == 0 && !connective.is_empty(), draw);
            match part {
                // A name that ends in a stop ends the sentence as well.
                PhrasePart::Text(text) if text.starts_with('.') && self.paragraph.ends_with_stop() => {
                    self.paragraph.text(&text[1..]);
                }
                _ => {
                    self.paragraph.piece(&piece);
                }
            }
        }
        self.n_sentences += 1;
        self
    }

    fn fact(&self, part: PhrasePart, given: &[(&str, Fact)]) -> Option<Fact> {
        let PhrasePart::Slot { name, .. } = part else { return None };
        let given = given.iter().find(|(slot, _)| *slot == name).map(|(_, fact)| *fact);
        given.or_else(|| slot_aspect(name).map(|aspect| Fact::new(self.about, aspect)))
    }

    /// Now and then a sentence that begins with a pronoun is joined to the one before.
    fn connective(&mut self, draw: Draw) -> String {
        let mut draw = draw.fork(7);
        if self.paragraph.is_empty() || self.n_mentions == 0 || !draw.chance(22) {
            return String::new();
        }
        format!("{} ", self.page.web.phrases.plain("connective", draw))
    }

    fn part(&mut self, part: PhrasePart, fact: Option<Fact>, is_joined: bool, draw: Draw) -> Html {
        let (name, article) = match part {
            PhrasePart::Text(text) => return Html::of_text(text),
            PhrasePart::Slot { name, article } => (name, article),
        };
        match (name, fact) {
            (_, Some(fact)) => {
                let mut piece = Html::new();
                let told = self.page.tell(fact).unwrap_or_default();
                if article == Article::Indefinite {
                    piece.text(indefinite(told.visible_text().trim_start()));
                }
                piece.piece(&told);
                piece
            }
            ("Subject", _) if is_joined => self.subject("subject", draw),
            ("Its", _) if is_joined => Html::of_text(self.pronoun.possessive()),
            ("Subject" | "subject", _) => self.subject(name, draw),
            ("Its", _) => Html::of_text(&capitalised(self.pronoun.possessive())),
            _ => Html::of_text(self.pronoun.possessive()),
        }
    }

    /// The name at first; later the pronoun, the noun, and now and then the name again.
    fn subject(&mut self, slot: &str, draw: Draw) -> Html {
        self.n_mentions += 1;
        if self.n_mentions == 1 {
            let shown = self.page.say(Fact::new(self.about, Aspect::Name)).unwrap_or_default();
            return Html::of_element("b", &[], &shown);
        }
        let text = match draw.fork(11).below(10) {
            0..3 if !self.noun.is_empty() => self.noun.clone(),
            // Names of blocs need an article, which is not theirs.
            3 if !matches!(self.about, Entity::Bloc(_)) => {
                self.page.say(Fact::new(self.about, Aspect::Name)).unwrap_or_default()
            }
            _ => self.pronoun.subject().to_owned(),
        };
        Html::of_text(&if slot == "Subject" { capitalised(&text) } else { text })
    }

    /// What the paragraph has so far, taken out of it.
    pub(crate) fn taken(&mut self) -> Html {
        std::mem::take(&mut self.paragraph)
    }

    /// Ends a paragraph.
    pub(crate) fn paragraph(&mut self, into: &mut Html) -> &mut Self {
        if !self.paragraph.is_empty() {
            into.wrap("p", &[], &self.paragraph);
            self.paragraph = Html::new();
        }
        self
    }
}

/// The facts that slots stand for, where the page gives no other.
fn slot_aspect(slot: &str) -> Option<Aspect> {
    Some(match slot {
        "name" => Aspect::Name,
        "other_name" => Aspect::OtherName,
        "kind" => Aspect::Kind,
        "country" => Aspect::Country,
        "region" => Aspect::Region,
        "seat" => Aspect::Seat,
        "founded" => Aspect::Founded,
        "capital" => Aspect::Capital,
        "state_form" => Aspect::StateForm,
        "currency" => Aspect::Currency,
        "currency_code" => Aspect::CurrencyCode,
        "area" => Aspect::Area,
        "population" => Aspect::Population,
        "first_named" => Aspect::FirstNamed,
        "speciality" => Aspect::Speciality(0),
        "second_speciality" => Aspect::Speciality(1),
        "largest_place" => Aspect::LargestPlace,
        "sector" => Aspect::Sector,
        "legal_form" => Aspect::LegalForm,
        "parent" => Aspect::Parent,
        "parent_since" => Aspect::ParentSince,
        "chair" => Aspect::Holder(Office::Chair),
        "chief_executive" => Aspect::Holder(Office::ChiefExecutive),
        "rector" => Aspect::Holder(Office::Rector),
        "head" => Aspect::Holder(Office::HeadOfGovernment),
        "born" => Aspect::Born,
        "born_decade" => Aspect::BornDecade,
        "died" => Aspect::Died,
        "birthplace" => Aspect::Birthplace,
        "employer" => Aspect::Employer,
        "n_regions" => Aspect::Count(Counted::Regions),
        "n_places" => Aspect::Count(Counted::Places),
        "n_companies" => Aspect::Count(Counted::Companies),
        "n_members" => Aspect::Count(Counted::Members),
        _ => return None,
    })
}

/// The article of a word, with a space.
pub(crate) fn indefinite(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']) { "an " } else { "a " }
}

/// A text with a capital in front.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
