//! Papers that tasks are about, drawn at random: short reports on measurements.

use quintain_core::Rng;

use crate::parameters::{Parameters, whole};

/// What an instance is drawn from: its parameter `draw`, and what it is drawn for.
pub(super) fn drawing(parameters: &Parameters, purpose: &str) -> Result<Rng, String> {
    let draw = whole(parameters, "draw", 1..=999_999)?;
    Ok(Rng::for_purpose(draw as u64, &format!("texstudio {purpose}")))
}

/// What is measured.
pub(super) struct Topic {
    pub(super) subject: &'static str,
    pub(super) quantity: &'static str,
    pub(super) unit: &'static str,
}

const fn topic(subject: &'static str, quantity: &'static str, unit: &'static str) -> Topic {
    Topic { subject, quantity, unit }
}

const TOPICS: [Topic; 8] = [
    topic("Sediment", "sediment load", "mg/l"),
    topic("Snow", "snow depth", "cm"),
    topic("Groundwater", "water table", "m"),
    topic("Pollen", "pollen count", "grains"),
    topic("Soil moisture", "moisture content", "percent"),
    topic("Ozone", "ozone level", "ppb"),
    topic("Stream flow", "discharge", "l/s"),
    topic("Lake ice", "ice thickness", "cm"),
];
const PLACES: [&str; 16] = [
    "Arlen", "Brevik", "Cardow", "Dornach", "Elsby", "Farrow", "Gellert", "Hollin", "Ivrea", "Jarnsund", "Kelso",
    "Lomond", "Marren", "Norvik", "Orrin", "Penrith",
];
const GIVEN: [&str; 12] =
    ["Ada", "Bruno", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas", "Karin", "Lukas"];
const FAMILY: [&str; 14] = [
    "Abel",
    "Brandt",
    "Conti",
    "Dahl",
    "Egger",
    "Fonseca",
    "Grieg",
    "Hartmann",
    "Ibsen",
    "Janssen",
    "Keller",
    "Lindqvist",
    "Moreau",
    "Novak",
];
const HEADINGS: [&str; 10] = [
    "Study Area",
    "Instruments",
    "Sampling",
    "Calibration",
    "Data Processing",
    "Results",
    "Uncertainty",
    "Seasonal Patterns",
    "Comparison with Models",
    "Discussion",
];

/// A section: its heading, the key of its label, and its sentences, each on a line of its own.
#[derive(Clone)]
pub(super) struct DraftSection {
    pub(super) level: &'static str,
    pub(super) title: String,
    pub(super) label: String,
    pub(super) lines: Vec<String>,
}

/// A paper.
#[derive(Clone)]
pub(super) struct PaperDraft {
    pub(super) topic: &'static Topic,
    pub(super) place: &'static str,
    pub(super) packages: Vec<&'static str>,
    pub(super) title: String,
    pub(super) authors: Vec<String>,
    pub(super) abstract_lines: Vec<String>,
    pub(super) sections: Vec<DraftSection>,
    /// What stands before the end of the document.
    pub(super) closing: Vec<String>,
}

impl PaperDraft {
    /// A paper with so many sections, the first of them an introduction.
    pub(super) fn drawn(rng: &mut Rng, n_sections: usize) -> Self {
        let topic = rng.choose(&TOPICS);
        let place = *rng.choose(&PLACES);
        let mut headings = HEADINGS;
        rng.shuffle(&mut headings);
        let titles = std::iter::once("Introduction").chain(headings).take(n_sections);
        let sections = titles.map(|title| section(rng, topic, place, title)).collect();
        let year = rng.between(2003, 2022);
        Self {
            topic,
            place,
            packages: Vec::new(),
            title: format!("{} at {place} in {year}", topic.subject),
            authors: vec![person(rng)],
            abstract_lines: Vec::new(),
            sections,
            closing: Vec::new(),
        }
    }

    /// It as LaTeX.
    pub(super) fn source(&self) -> String {
        let mut lines = vec!["\\documentclass[11pt]{article}".to_owned()];
        lines.extend(self.packages.iter().map(|name| format!("\\usepackage{{{name}}}")));
        lines.push(format!("\\title{{{}}}", self.title));
        lines.push(format!("\\author{{{}}}", self.authors.join(" \\and ")));
        lines.extend(["\\date{}", "", "\\begin{document}", "\\maketitle"].map(str::to_owned));
        if !self.abstract_lines.is_empty() {
            lines.extend([String::new(), "\\begin{abstract}".to_owned()]);
            lines.extend(self.abstract_lines.iter().cloned());
            lines.push("\\end{abstract}".to_owned());
        }
        for section in &self.sections {
            lines.extend([String::new(), format!("\\{}{{{}}}", section.level, section.title)]);
            lines.push(format!("\\label{{{}}}", section.label));
            lines.extend(section.lines.iter().cloned());
        }
        if !self.closing.is_empty() {
            lines.push(String::new());
            lines.extend(self.closing.iter().cloned());
        }
        lines.extend([String::new(), "\\end{document}".to_owned()]);
        lines.join("\n") + "\n"
    }
}

fn section(rng: &mut Rng, topic: &Topic, place: &str, title: &str) -> DraftSection {
    let word = title.split(' ').next().unwrap_or(title).to_lowercase();
    let n_lines = rng.between(2, 3) as usize;
    let lines = sentences(rng, topic, place, n_lines);
    DraftSection { level: "section", title: title.to_owned(), label: format!("sec:{word}"), lines }
}

/// The name of somebody.
pub(super) fn person(rng: &mut Rng) -> String {
    format!("{} {}", rng.choose(&GIVEN), rng.choose(&FAMILY))
}

/// A family name that is none of these.
pub(super) fn other_family(rng: &mut Rng, taken: &[String]) -> String {
    let free: Vec<&str> = FAMILY.into_iter().filter(|name| !taken.iter().any(|taken| taken.contains(name))).collect();
    (*rng.choose(&free)).to_owned()
}

/// The name of a place that is none of these.
pub(super) fn other_place(rng: &mut Rng, taken: &[&str]) -> &'static str {
    let free: Vec<&'static str> = PLACES.into_iter().filter(|name| !taken.contains(name)).collect();
    rng.choose::<&str>(&free)
}

/// Sentences, no two of them alike.
pub(super) fn sentences(rng: &mut Rng, topic: &Topic, place: &str, n: usize) -> Vec<String> {
    let mut kinds: Vec<usize> = (0..10).collect();
    rng.shuffle(&mut kinds);
    kinds.into_iter().take(n).map(|kind| sentence(rng, topic, place, kind)).collect()
}

fn sentence(rng: &mut Rng, topic: &Topic, place: &str, kind: usize) -> String {
    let quantity = topic.quantity;
    let unit = topic.unit;
    let (count, year, share) = (rng.between(12, 480), rng.between(1985, 2021), rng.between(3, 60));
    let other = other_place(rng, &[place]);
    match kind {
        0 => format!("The {quantity} was recorded {count} times at {place}."),
        1 => format!("Earlier records from {year} cover only {share} days."),
        2 => format!("A gap of {share} days remains after the storm of {year}."),
        3 => format!("Values below {share} {unit} were checked by hand."),
        4 => format!("The series from {other} has {count} entries."),
        5 => format!("Two observers took turns every {share} hours."),
        6 => format!("The {quantity} at {other} was lower in {year}."),
        7 => format!("We removed {share} readings that were out of range."),
        8 => format!("The instrument was replaced in {year}, after {count} weeks."),
        _ => format!("Readings from {place} and {other} agree within {share} {unit}."),
    }
}
