//! Catalogues from a seed: as they should be, and as they are.

use std::collections::BTreeSet;

use quintain_core::Rng;

use super::phrases::{CatalogueLanguage, DIRECTORY, LANGUAGES, PHRASES, PRODUCT, TERMS};
use super::po::{PoFile, PoMessage};
use super::tokens::quoted;

/// The fields of a header that tools may change as they like.
pub(super) const FREE_FIELDS: [&str; 3] = ["PO-Revision-Date", "Last-Translator", "X-Generator"];

/// What is wrong with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CatalogueDefect {
    Percent,
    Surplus,
    Newline,
    Brace,
    Type,
    Blank,
    Term,
    FuzzyByMistake,
    FuzzyByChange,
    Duplicate,
}

const DEFECTS: [CatalogueDefect; 10] = [
    CatalogueDefect::Percent,
    CatalogueDefect::Surplus,
    CatalogueDefect::Newline,
    CatalogueDefect::Brace,
    CatalogueDefect::Type,
    CatalogueDefect::Blank,
    CatalogueDefect::Term,
    CatalogueDefect::FuzzyByMistake,
    CatalogueDefect::FuzzyByChange,
    CatalogueDefect::Duplicate,
];

impl CatalogueDefect {
    /// The phrases that can have it, by their places.
    fn phrases(self) -> &'static [usize] {
        match self {
            Self::Percent => &[3],
            Self::Surplus => &[4],
            Self::Newline => &[5],
            Self::Brace => &[2, 6],
            Self::Type => &[0, 1],
            Self::Blank => &[0, 1, 3],
            Self::Term | Self::FuzzyByChange | Self::Duplicate => &[0, 2, 6, 7],
            Self::FuzzyByMistake => &[0, 1, 2, 3, 6, 7],
        }
    }
}

/// The catalogue of a language.
#[derive(Clone, Debug)]
pub(super) struct CatalogueCase {
    pub(super) code: &'static str,
    pub(super) right: PoFile,
    pub(super) broken: PoFile,
    /// The keys of the messages and the fields of the header that have to be repaired.
    pub(super) repaired: BTreeSet<String>,
    pub(super) header_fields: BTreeSet<&'static str>,
}

/// All catalogues: with so many terms, and every defect so often.
pub(super) fn drawn(seed: u64, n_terms: usize, n_each: usize) -> Vec<CatalogueCase> {
    let mut rng = Rng::new(seed);
    let mut terms: Vec<usize> = (0..TERMS.len()).collect();
    rng.shuffle(&mut terms);
    // The folder is always there: its forbidden word stands in a text that is right.
    terms.retain(|term| *term != 1);
    terms.insert(0, 1);
    terms.truncate(n_terms.max(1));
    LANGUAGES.iter().map(|language| CatalogueDrawing { rng: &mut rng, language, terms: &terms }.drawn(n_each)).collect()
}

struct CatalogueDrawing<'a> {
    rng: &'a mut Rng,
    language: &'static CatalogueLanguage,
    terms: &'a [usize],
}

impl CatalogueDrawing<'_> {
    fn drawn(&mut self, n_each: usize) -> CatalogueCase {
        let mut slots: Vec<(usize, usize)> =
            (0..PHRASES.len()).flat_map(|phrase| self.terms.iter().map(move |term| (phrase, *term))).collect();
        let mut messages: Vec<PoMessage> = slots.iter().map(|(phrase, term)| self.message(*phrase, *term)).collect();
        messages.extend(self.single_messages());
        let mut places: Vec<usize> = (0..messages.len()).collect();
        self.rng.shuffle(&mut places);
        slots.resize(messages.len(), (usize::MAX, 0));
        let messages: Vec<PoMessage> = places.iter().map(|at| messages[*at].clone()).collect();
        let slots: Vec<(usize, usize)> = places.iter().map(|at| slots[*at]).collect();
        self.broken(messages, &slots, n_each)
    }

    fn broken(&mut self, messages: Vec<PoMessage>, slots: &[(usize, usize)], n_each: usize) -> CatalogueCase {
        let (mut right, mut broken) = (messages.clone(), messages);
        let (mut repaired, mut copies) = (BTreeSet::new(), Vec::new());
        for defect in (0..n_each).flat_map(|_| DEFECTS) {
            let can = |at: &usize| defect.phrases().contains(&slots[*at].0) && !repaired.contains(&right[*at].key());
            let able: Vec<usize> = (0..right.len()).filter(can).collect();
            if able.is_empty() {
                continue;
            }
            let at = *self.rng.choose(&able);
            repaired.insert(right[at].key());
            self.damage(defect, slots[at], &mut right[at], &mut broken[at]);
            if defect == CatalogueDefect::Duplicate {
                copies.push(self.copy(&right[at]));
            }
        }
        // The name of the product is the only text that must not be translated.
        let product = broken.iter().position(|message| message.id == PRODUCT).unwrap_or_default();
        broken[product].strings = vec![self.language.product.to_owned()];
        repaired.insert(PRODUCT.to_owned());
        broken.extend(copies);
        self.with_headers(right, broken, repaired)
    }

    /// Breaks a message, or the message as it should be where it cannot be kept.
    fn damage(&mut self, defect: CatalogueDefect, slot: (usize, usize), right: &mut PoMessage, broken: &mut PoMessage) {
        let language = self.language;
        let text = right.strings[0].clone();
        match defect {
            CatalogueDefect::Percent => broken.strings[0] = text.replace("%%", "%"),
            CatalogueDefect::Surplus => broken.strings.extend(right.strings.last().cloned()),
            CatalogueDefect::Newline => text.trim_end().clone_into(&mut broken.strings[0]),
            CatalogueDefect::Brace => {
                let [name, user] = language.wrong_names;
                broken.strings[0] = text.replace("{name}", name).replace("{user}", user);
            }
            CatalogueDefect::Type => {
                broken.strings[0] =
                    if text.contains("%s") { text.replace("%s", "%d") } else { text.replacen("%d", "%s", 1) };
            }
            CatalogueDefect::Blank => broken.strings[0] = text.replacen("%d", "% d", 1).replacen("%s", "% s", 1),
            CatalogueDefect::Term => {
                let (wanted, forbidden) = language.terms[slot.1];
                broken.strings[0] = text.replace(wanted, forbidden);
            }
            CatalogueDefect::FuzzyByMistake => {
                broken.flags.insert("fuzzy".to_owned());
                broken.previous = vec![format!("msgid {}", quoted(&right.id))];
            }
            CatalogueDefect::FuzzyByChange => {
                let others: Vec<usize> = (0..TERMS.len()).filter(|term| *term != slot.1).collect();
                let other = *self.rng.choose(&others);
                let before = self.message(slot.0, other);
                broken.flags.insert("fuzzy".to_owned());
                broken.previous = vec![format!("msgid {}", quoted(&before.id))];
                broken.strings = before.strings;
                right.strings = vec![String::new()];
            }
            CatalogueDefect::Duplicate => {}
        }
    }

    /// The same message again, farther down, with another text.
    fn copy(&mut self, of: &PoMessage) -> PoMessage {
        let mut copy = of.clone();
        copy.notes.clear();
        copy.references = vec![format!("src/legacy.c:{}", self.rng.between(10, 900))];
        copy.strings[0] = format!("{}.", copy.strings[0]).replace(": ", " – ");
        copy
    }

    fn message(&mut self, phrase: usize, term: usize) -> PoMessage {
        let source = &PHRASES[phrase];
        let wanted = self.language.terms[term].0;
        let (notes, references) = self.comments();
        PoMessage {
            notes,
            references,
            flags: source.flag.iter().map(|flag| (*flag).to_owned()).collect(),
            id: source.text.replace('@', TERMS[term]),
            plural: source.plural.map(|plural| plural.replace('@', TERMS[term])),
            strings: self.language.phrases[phrase].iter().map(|text| text.replace('@', wanted)).collect(),
            ..PoMessage::default()
        }
    }

    /// What a translator noted, and where a message stands.
    fn comments(&mut self) -> (Vec<String>, Vec<String>) {
        let is_noted = self.rng.chance(0.2);
        let notes = is_noted.then(|| "Checked with the people who use it.".to_owned());
        let file = self.rng.choose(&["main", "dialogs", "jobs", "export"]);
        (notes.into_iter().collect(), vec![format!("src/{file}.c:{}", self.rng.between(10, 990))])
    }

    /// Messages that are there once: two that differ in their context alone, one with a forbidden word that is right, a name.
    fn single_messages(&mut self) -> Vec<PoMessage> {
        let language = self.language;
        let mut one = |id: &str, context: Option<&str>, text: &str| {
            let (notes, references) = self.comments();
            let (context, strings) = (context.map(str::to_owned), vec![text.to_owned()]);
            PoMessage { notes, references, context, id: id.to_owned(), strings, ..PoMessage::default() }
        };
        let mut all = vec![
            one("Open", Some("menu"), language.open[0]),
            one("Open", Some("status"), language.open[1]),
            one(DIRECTORY, None, language.directory),
            one(PRODUCT, None, PRODUCT),
        ];
        if let Some(product) = all.last_mut() {
            product.hints.push("Name of the product, do not translate.".to_owned());
        }
        all
    }

    fn with_headers(
        &mut self,
        right: Vec<PoMessage>,
        broken: Vec<PoMessage>,
        repaired: BTreeSet<String>,
    ) -> CatalogueCase {
        let language = self.language;
        let charset = if self.rng.chance(0.5) { "ISO-8859-1" } else { "CHARSET" };
        let other = LANGUAGES.iter().find(|other| other.code != language.code).map_or("en", |other| other.code);
        let file = |messages: Vec<PoMessage>, fields: [&str; 3]| PoFile {
            messages: [vec![header(fields)], messages].concat(),
            obsolete: vec![PoMessage {
                id: "Old message".to_owned(),
                strings: vec![language.old.to_owned()],
                ..PoMessage::default()
            }],
        };
        CatalogueCase {
            code: language.code,
            right: file(right, [language.code, "UTF-8", language.plural_forms]),
            broken: file(broken, [other, charset, language.wrong_plural_forms]),
            repaired,
            header_fields: BTreeSet::from(["Language", "Content-Type", "Plural-Forms"]),
        }
    }
}

fn header(fields: [&str; 3]) -> PoMessage {
    let [language, charset, plural_forms] = fields;
    let lines = [
        "Project-Id-Version: varnholt-desk 4.2".to_owned(),
        "Report-Msgid-Bugs-To: l10n@varnholt.example".to_owned(),
        "POT-Creation-Date: 2025-02-11 09:30+0100".to_owned(),
        "PO-Revision-Date: 2025-02-20 17:05+0100".to_owned(),
        "Last-Translator: Ines Ortega <ines.ortega@varnholt.example>".to_owned(),
        format!("Language: {language}"),
        "MIME-Version: 1.0".to_owned(),
        format!("Content-Type: text/plain; charset={charset}"),
        "Content-Transfer-Encoding: 8bit".to_owned(),
        format!("Plural-Forms: {plural_forms}"),
    ];
    PoMessage { strings: vec![lines.join("\n") + "\n"], ..PoMessage::default() }
}
