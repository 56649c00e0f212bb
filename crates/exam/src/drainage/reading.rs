//! A model that somebody left, read as SWMM reads it: sections of lines, lines of words.

use std::collections::BTreeMap;

/// No larger model is read.
const MOST_LINES: usize = 20_000;
/// Sections that only say how something is drawn, told or reported.
const WITHOUT_MEANING: [&str; 12] = [
    "TITLE",
    "REPORT",
    "TAGS",
    "MAP",
    "COORDINATES",
    "VERTICES",
    "POLYGONS",
    "SYMBOLS",
    "LABELS",
    "BACKDROP",
    "PROFILES",
    "END",
];
/// The section whose lines follow on each other; in all others their order means nothing.
const IN_ORDER: &str = "TIMESERIES";
/// Two numbers that differ by less than this share are the same.
const SAME_NUMBER: f64 = 1e-9;

/// The sections of a model that have a meaning, each with its lines of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ModelSections(BTreeMap<String, Vec<Vec<String>>>);

impl ModelSections {
    /// Reads a model; whatever is no such text is told.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|_why| "it is not UTF-8".to_owned())?;
        let (mut sections, mut here): (BTreeMap<String, Vec<Vec<String>>>, Option<String>) = Default::default();
        for (at, line) in text.lines().enumerate() {
            if at == MOST_LINES {
                return Err(format!("it has more than {MOST_LINES} lines"));
            }
            let line = line.split(';').next().unwrap_or_default().trim();
            if let Some(name) = line.strip_prefix('[') {
                here = Some(name.trim_end_matches(']').trim().to_ascii_uppercase());
            } else if !line.is_empty() {
                let section = here.clone().ok_or_else(|| format!("line {} is in no section", at + 1))?;
                sections.entry(section).or_default().push(line.split_whitespace().map(str::to_owned).collect());
            }
        }
        sections.retain(|name, _| !WITHOUT_MEANING.contains(&name.as_str()));
        for (_, lines) in sections.iter_mut().filter(|(name, _)| *name != IN_ORDER) {
            lines.sort();
        }
        Ok(Self(sections))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    fn lines(&self, section: &str) -> &[Vec<String>] {
        self.0.get(section).map_or(&[], Vec::as_slice)
    }

    /// Whether a section says the same in both.
    pub(super) fn agrees(&self, other: &Self, section: &str) -> bool {
        let (ours, theirs) = (self.lines(section), other.lines(section));
        ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| same_line(ours, theirs))
    }

    /// The diameters of circular pipes in millimetres, and the cross-sections without them.
    pub(super) fn without_diameters(mut self) -> (BTreeMap<String, f64>, Self) {
        let mut diameters = BTreeMap::new();
        for line in self.0.get_mut("XSECTIONS").into_iter().flatten().filter(|line| line.len() > 2) {
            if let Ok(metres) = line[2].parse::<f64>() {
                "diameter".clone_into(&mut line[2]);
                diameters.insert(line[0].clone(), metres * 1000.0);
            }
        }
        (diameters, self)
    }
}

fn same_line(ours: &[String], theirs: &[String]) -> bool {
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| same_word(ours, theirs))
}

fn same_word(ours: &str, theirs: &str) -> bool {
    match (ours.parse::<f64>(), theirs.parse::<f64>()) {
        (Ok(ours), Ok(theirs)) => (ours - theirs).abs() <= SAME_NUMBER * ours.abs(),
        _ => ours.eq_ignore_ascii_case(theirs),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const MODEL: &str = "[TITLE]\nA town\n[JUNCTIONS]\n;;Name Elev\nJ1 10.50 2\nJ2 9 2.5 ; low\n[XSECTIONS]\nC1 CIRCULAR 0.3 0 0 0 1\n[TIMESERIES]\nS 0:00 1.0\nS 0:05 2.0\n";

    fn read(text: &str) -> ModelSections {
        ModelSections::read(text.as_bytes()).unwrap()
    }

    fn differing(other: &str) -> Vec<String> {
        let (ours, theirs) = (read(MODEL), read(other));
        let names: BTreeSet<&str> = ours.names().chain(theirs.names()).collect();
        names.into_iter().filter(|name| !ours.agrees(&theirs, name)).map(str::to_owned).collect()
    }

    #[test]
    fn how_it_is_written_does_not_count() {
        let other = "[timeseries]\r\ns 0:00 1\r\nS 0:05 2\r\n[XSECTIONS]\r\nC1\tcircular\t.3 0 0 0 1\r\n\r\n[JUNCTIONS]\r\nJ2 9.0 2.5\r\nJ1 10.5 2.0\r\n[MAP]\r\nx\r\n";
        assert_eq!(differing(other), Vec::<String>::new());
    }

    #[test]
    fn what_it_says_counts() {
        assert_eq!(differing(&MODEL.replace("10.50", "10.51")), ["JUNCTIONS"]);
        assert_eq!(differing(&MODEL.replace("J2 9 2.5 ; low\n", "")), ["JUNCTIONS"]);
        assert_eq!(differing(&MODEL.replace("S 0:00 1.0\nS 0:05 2.0", "S 0:05 2.0\nS 0:00 1.0")), ["TIMESERIES"]);
        assert_eq!(differing(&format!("{MODEL}[PUMPS]\nP1 J1 J2\n")), ["PUMPS"]);
    }

    #[test]
    fn diameters_are_taken_out() {
        let (diameters, rest) = read(MODEL).without_diameters();
        assert_eq!(diameters, BTreeMap::from([("C1".to_owned(), 300.0)]));
        let (_, other) = read(&MODEL.replace("0.3 0", "1.2 0")).without_diameters();
        assert!(rest.agrees(&other, "XSECTIONS"));
        let (_, other) = read(&MODEL.replace("0.3 0", "wide 0")).without_diameters();
        assert!(!rest.agrees(&other, "XSECTIONS"));
    }

    #[test]
    fn what_is_no_model_is_told() {
        let told = |bytes: &[u8]| ModelSections::read(bytes).unwrap_err();
        assert_eq!(told(b"hello\n"), "line 1 is in no section");
        assert_eq!(told(&[0xff, 0xfe, 0]), "it is not UTF-8");
        assert!(told("[A]\n".repeat(MOST_LINES + 1).as_bytes()).contains("lines"));
    }
}
