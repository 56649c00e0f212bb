//! A poster: its objects, what they say, and where the house's style puts them.

use quintain_core::Rng;

use super::house::HouseStyle;
use super::logo;
use super::wording::{DAYS, HOUSES, MONTHS, NOTES, SPEAKERS, STREETS, THEMES, TOWNS};

/// Lines of the grid between the beginnings of two sessions, by how many there are.
const PITCHES: [(usize, usize); 5] = [(3, 8), (4, 7), (5, 6), (6, 4), (7, 4)];

/// A poster of a house.
#[derive(Clone, Debug)]
pub(super) struct BrandPoster {
    pub(super) style: HouseStyle,
    /// From back to front.
    pub(super) objects: Vec<PosterObject>,
}

/// Something on the poster that has a name.
#[derive(Clone, Debug)]
pub(super) struct PosterObject {
    pub(super) id: String,
    pub(super) role: &'static str,
    pub(super) place: PosterPlace,
    /// The lines of a text.
    pub(super) words: Vec<String>,
}

/// Where the style puts an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PosterPlace {
    /// It covers the page.
    Page,
    /// It fills these columns between these lines.
    Block { columns: (usize, usize), lines: (usize, usize) },
    /// It is as wide as these columns, and hangs below a line: a rule, or what keeps its proportions.
    Hung { columns: (usize, usize), line: usize },
    /// A text in these columns whose first line stands on a line.
    Set { columns: (usize, usize), line: usize },
    /// A text that may stand on any of these lines, in any column.
    Free { lines: (usize, usize) },
    /// It lies in the corner of the margins.
    Corner,
    /// It belongs to another object, and goes where that goes.
    Part,
}

/// What a poster is made with.
struct PosterDrawing {
    rng: Rng,
    style: HouseStyle,
    objects: Vec<PosterObject>,
}

impl BrandPoster {
    pub(super) fn drawn(seed: u64, n_sessions: usize) -> Self {
        let mut rng = Rng::new(seed);
        let house = *rng.choose(&HOUSES);
        let style = HouseStyle::drawn(&mut rng, house);
        let mut drawing = PosterDrawing { rng, style, objects: Vec::new() };
        let theme = drawing.rng.below(THEMES.len());
        drawing.hero(theme);
        drawing.programme(theme, n_sessions);
        drawing.foot();
        Self { style: drawing.style, objects: drawing.objects }
    }

    /// How high the logo is, at the width that the style asks for.
    pub(super) fn logo_height_mm(&self) -> f64 {
        self.style.logo_width_mm * logo::proportion(self.style.house)
    }

    /// The layout sheet.
    pub(super) fn layout(&self) -> String {
        let lines = self.objects.iter().map(|object| {
            let place = match object.place {
                PosterPlace::Page | PosterPlace::Corner | PosterPlace::Part => ",,,".to_owned(),
                PosterPlace::Block { columns: (a, b), lines: (c, d) } => format!("{a},{b},{c},{d}"),
                PosterPlace::Hung { columns: (a, b), line } | PosterPlace::Set { columns: (a, b), line } => {
                    format!("{a},{b},{line},")
                }
                PosterPlace::Free { lines: (c, d) } => format!(",,{c},{d}"),
            };
            format!("{},{},{place}\n", object.id, object.role)
        });
        format!("id,role,first_column,last_column,line,last_line\n{}", lines.collect::<String>())
    }
}

impl PosterDrawing {
    fn put(&mut self, id: &str, role: &'static str, place: PosterPlace, words: &[&str]) {
        let words = words.iter().map(|line| (*line).to_owned()).collect();
        self.objects.push(PosterObject { id: id.to_owned(), role, place, words });
    }

    fn set(&mut self, id: &str, role: &'static str, line: usize, words: &[&str]) {
        let columns = (self.style.text_column, self.style.n_columns);
        self.put(id, role, PosterPlace::Set { columns, line }, words);
    }

    /// The panel and what is on it.
    fn hero(&mut self, theme: usize) {
        let (theme, shift) = (&THEMES[theme], self.rng.below(3));
        let all = (1, self.style.n_columns);
        let month = *self.rng.choose(&MONTHS);
        let (day, days) = (self.rng.between(1, 20), self.rng.between(6, 9));
        self.put("background", "ground", PosterPlace::Page, &[]);
        self.put("panel", "panel", PosterPlace::Block { columns: all, lines: (0, 28 + shift) }, &[]);
        let before = (1, self.style.text_column - 1);
        self.put("ornament", "ornament", PosterPlace::Hung { columns: before, line: 3 + shift }, &[]);
        self.set("kicker", "kicker", 4 + shift, &[theme.kicker]);
        self.set("title", "title", 11 + shift, &theme.title);
        self.set("subtitle", "subtitle", 20 + shift, &theme.subtitle);
        self.set("date", "date", 26 + shift, &[&format!("{day} to {} {month}", day + days)]);
        self.set("intro", "intro", 31 + shift, &theme.intro);
    }

    /// The sessions, each with a rule above it.
    fn programme(&mut self, theme: usize, n_sessions: usize) {
        let mut sessions = THEMES[theme].sessions;
        let mut speakers = SPEAKERS;
        self.rng.shuffle(&mut sessions);
        self.rng.shuffle(&mut speakers);
        let pitch = PITCHES.iter().find(|(n, _)| *n == n_sessions).map_or(4, |(_, pitch)| *pitch);
        let all = (1, self.style.n_columns);
        let before = (1, self.style.text_column - 1);
        let first_day = self.rng.below(DAYS.len());
        for at in 0..n_sessions {
            let (name, line) = (format!("session-{}", at + 1), 37 + at * pitch);
            let time = format!(
                "{} {}:{}",
                DAYS[(first_day + at) % DAYS.len()],
                self.rng.between(16, 20),
                self.rng.choose(&["00", "15", "30", "45"])
            );
            self.put(&format!("{name}-rule"), "rule", PosterPlace::Hung { columns: all, line }, &[]);
            self.put(&format!("{name}-time"), "time", PosterPlace::Set { columns: before, line: line + 2 }, &[&time]);
            self.set(&format!("{name}-title"), "session", line + 2, &[sessions[at]]);
            self.set(&format!("{name}-speaker"), "speaker", line + 3, &[speakers[at]]);
        }
    }

    /// The address, the note and the logo.
    fn foot(&mut self) {
        let last = self.style.last_line();
        let street = format!("{} {}", self.rng.choose(&STREETS), self.rng.between(2, 88));
        let house = self.style.house;
        let name = format!("{}{} House", &house[..1], house[1..].to_ascii_lowercase());
        let town = *self.rng.choose(&TOWNS);
        let columns = (1, self.style.text_column);
        self.put("address", "address", PosterPlace::Set { columns, line: last - 3 }, &[&name, &street, town]);
        let note = *self.rng.choose(&NOTES);
        self.put("note", "note", PosterPlace::Free { lines: (last - 5, last) }, &[note]);
        self.put("logo", "logo", PosterPlace::Corner, &[]);
        self.put("logo-mark", "logo-mark", PosterPlace::Part, &[]);
        self.put("logo-word", "logo-word", PosterPlace::Part, &[]);
    }
}
