//! Drawing: the equation in matches, the index of each symbol below it, and a legend of the segments.

use std::sync::{Arc, OnceLock};

use quintain_core::picture::Picture;

use super::equation::Equation;
use super::symbol::Symbol;
use crate::canvas::{Area, Color, circle, copy, fill, line, text};

const MARGIN: i32 = 20;
const SYMBOL_WIDTH: i32 = 60;
const SYMBOL_HEIGHT: i32 = 116;
const PITCH: i32 = SYMBOL_WIDTH + 8;
const INDEX_HEIGHT: i32 = 34;
const LEGEND_TOP: i32 = MARGIN + SYMBOL_HEIGHT + INDEX_HEIGHT;
const LEGEND_HEIGHT: i32 = 132;
const LEGEND_WIDTH: i32 = 440;
const HEIGHT: i32 = LEGEND_TOP + LEGEND_HEIGHT;

const PAPER: Color = [250, 247, 241];
const PANEL: Color = [238, 232, 221];
const INK: Color = [66, 60, 56];
const PALE: Color = [196, 186, 170];
const STICK: Color = [226, 186, 122];
const STICK_EDGE: Color = [136, 98, 54];
const HEAD: Color = [196, 48, 40];
const WHITE: Color = [255, 255, 255];

/// The ends of each segment in the box of a symbol; the head of a match is at the second. The last two are the bars of the
/// equals sign.
const ENDS: [[(f32, f32); 2]; 12] = [
    [(18.0, 9.0), (40.0, 9.0)],
    [(51.0, 48.0), (51.0, 20.0)],
    [(51.0, 97.0), (51.0, 69.0)],
    [(18.0, 107.0), (40.0, 107.0)],
    [(9.0, 97.0), (9.0, 69.0)],
    [(9.0, 48.0), (9.0, 20.0)],
    [(18.0, 58.0), (40.0, 58.0)],
    [(29.0, 72.0), (29.0, 44.0)],
    [(42.0, 75.0), (18.0, 41.0)],
    [(18.0, 75.0), (42.0, 41.0)],
    [(15.0, 48.0), (45.0, 48.0)],
    [(15.0, 68.0), (45.0, 68.0)],
];

/// A picture of an equation that knows what it shows.
pub struct Drawing {
    picture: Arc<Picture>,
    shown: Equation,
    left: i32,
}

impl Drawing {
    pub(super) fn new(equation: &Equation) -> Self {
        let n_symbols = equation.symbols().len() as i32;
        let row = n_symbols * PITCH - (PITCH - SYMBOL_WIDTH);
        let width = (row + 2 * MARGIN).max(LEGEND_WIDTH);
        let left = (width - row) / 2;
        let mut picture = Picture::filled(width as u32, HEIGHT as u32, PAPER);
        for (idx, symbol) in equation.symbols().iter().enumerate() {
            lay(&mut picture, left, idx, *symbol);
            let middle = left + idx as i32 * PITCH + SYMBOL_WIDTH / 2;
            text(&mut picture, &idx.to_string(), (middle as f32, (LEGEND_TOP - 19) as f32), 12.0, INK);
        }
        fill(&mut picture, Area::new(0, LEGEND_TOP, width, LEGEND_HEIGHT), PANEL);
        let legend = legend();
        let whole = Area::new(0, 0, LEGEND_WIDTH, LEGEND_HEIGHT);
        copy(legend, whole, &mut picture, ((width - LEGEND_WIDTH) / 2, LEGEND_TOP));
        Self { picture: Arc::new(picture), shown: equation.clone(), left }
    }

    /// Lays the symbols anew that have changed.
    pub(super) fn show(&mut self, equation: &Equation) -> Arc<Picture> {
        if self.shown != *equation {
            let picture = Arc::make_mut(&mut self.picture);
            let pairs = self.shown.symbols().iter().zip(equation.symbols()).enumerate();
            for (idx, (_, symbol)) in pairs.filter(|(_, (shown, symbol))| shown != symbol) {
                lay(picture, self.left, idx, *symbol);
            }
            self.shown = equation.clone();
        }
        Arc::clone(&self.picture)
    }
}

fn lay(picture: &mut Picture, left: i32, idx: usize, symbol: Symbol) {
    let whole = Area::new(0, 0, SYMBOL_WIDTH, SYMBOL_HEIGHT);
    copy(sprite(symbol), whole, picture, (left + idx as i32 * PITCH, MARGIN));
}

/// A symbol in matches, drawn once.
fn sprite(symbol: Symbol) -> &'static Picture {
    static SPRITES: OnceLock<Vec<Picture>> = OnceLock::new();
    let draw = |symbol: Symbol| {
        let mut sprite = Picture::filled(SYMBOL_WIDTH as u32, SYMBOL_HEIGHT as u32, PAPER);
        for (_, ends) in ENDS.iter().enumerate().filter(|(segment, _)| symbol.has(*segment as u8)) {
            match_stick(&mut sprite, ends);
        }
        sprite
    };
    &SPRITES.get_or_init(|| Symbol::all().map(draw).collect())[symbol.index()]
}

fn match_stick(picture: &mut Picture, [from, to]: &[(f32, f32); 2]) {
    line(picture, *from, *to, 9.0, STICK_EDGE);
    line(picture, *from, *to, 6.0, STICK);
    circle(picture, *to, 5.5, HEAD);
}

/// The legend, drawn once: where the segments are and how they are numbered.
fn legend() -> &'static Picture {
    static LEGEND: OnceLock<Picture> = OnceLock::new();
    LEGEND.get_or_init(|| {
        let mut legend = Picture::filled(LEGEND_WIDTH as u32, LEGEND_HEIGHT as u32, PANEL);
        let middle = |segment: usize| {
            let [from, to] = ENDS[segment];
            (from.0.midpoint(to.0), from.1.midpoint(to.1))
        };
        number_segments(&mut legend, 40.0, &[0, 1, 2, 3, 4, 5, 6].map(|segment| (segment, middle(segment))));
        number_segments(&mut legend, 190.0, &[(6, (10.0, 58.0)), (7, (29.0, 36.0))]);
        number_segments(&mut legend, 325.0, &[(8, (14.0, 38.0)), (9, (46.0, 38.0))]);
        text(&mut legend, "segment numbers", (287.0, 20.0), 11.0, INK);
        text(&mut legend, "− : 6     + : 6, 7", (220.0, 108.0), 10.0, INK);
        text(&mut legend, "/ : 9     × : 8, 9", (355.0, 108.0), 10.0, INK);
        legend
    })
}

/// Draws segments as pale strokes, each with its number at a point of the symbol's box.
fn number_segments(legend: &mut Picture, left: f32, segments: &[(usize, (f32, f32))]) {
    const TOP: f32 = 8.0;
    for (segment, _) in segments {
        let [from, to] = ENDS[*segment].map(|(x, y)| (x + left, y + TOP));
        line(legend, from, to, 6.0, PALE);
    }
    for (segment, (x, y)) in segments {
        let at = (x + left, y + TOP);
        circle(legend, at, 9.0, INK);
        text(legend, &segment.to_string(), at, 9.0, WHITE);
    }
}

/// The equation in characters, the index of each symbol below it.
pub(super) fn ascii(equation: &Equation) -> String {
    let mut rows = vec![String::new(); 6];
    for symbol in equation.symbols() {
        for (row, strokes) in rows.iter_mut().zip(strokes(*symbol)) {
            row.push_str(&strokes);
            row.push_str("  ");
        }
    }
    rows[5] = (0..equation.symbols().len()).map(|idx| format!("{idx:^5}")).collect::<Vec<_>>().join("  ");
    rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Five rows of five characters.
fn strokes(symbol: Symbol) -> [String; 5] {
    match symbol.char() {
        '+' => ["     ", "  |  ", " -+- ", "  |  ", "     "].map(str::to_owned),
        '-' => ["     ", "     ", " --- ", "     ", "     "].map(str::to_owned),
        '*' => ["     ", " \\ / ", "  X  ", " / \\ ", "     "].map(str::to_owned),
        '/' => ["     ", "   / ", "  /  ", " /   ", "     "].map(str::to_owned),
        '=' => ["     ", " --- ", "     ", " --- ", "     "].map(str::to_owned),
        _ => {
            let bar = |segment: u8| if symbol.has(segment) { " --- ".to_owned() } else { "     ".to_owned() };
            let post = |segment: u8| if symbol.has(segment) { '|' } else { ' ' };
            let posts = |left: u8, right: u8| format!("{}   {}", post(left), post(right));
            [bar(0), posts(5, 1), bar(6), posts(4, 2), bar(3)]
        }
    }
}
