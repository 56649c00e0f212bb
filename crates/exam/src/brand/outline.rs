//! The outline of a shape as a page has it, and whether two shapes cover the same.

use super::inkscape::MeasuredBox;
use super::matrix::{DrawingTransform, numbers_of};

/// The most corners that are looked at: no shape of a poster has nearly as many.
const MOST_POINTS: usize = 2000;
/// A curve becomes so many straight lines, and a line is looked at in so many places.
const STEPS_OF_A_CURVE: usize = 16;
const STEPS_OF_A_LINE: usize = 32;
/// In how many rows and columns of places it is looked whether they are covered.
const N_LOOKED_AT: usize = 40;
/// How far off an outline may be, in millimetres and as a share of the shorter side of its box.
const TOLERANCE_MM: f64 = 0.2;
const TOLERANCE_SHARE: f64 = 0.1;

/// What of a path that crosses itself is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FillRule {
    NonZero,
    EvenOdd,
}

/// Closed lines, and the rule by which they are filled.
#[derive(Clone, Debug)]
pub(super) struct ShapeOutline {
    lines: Vec<Vec<[f64; 2]>>,
    rule: FillRule,
}

impl ShapeOutline {
    /// Reads the data of a path as Inkscape writes it. Nothing if it has arcs, which no PDF knows, or too many corners.
    pub(super) fn read(data: &str, place: DrawingTransform, rule: FillRule) -> Option<Self> {
        let mut pen = OutlinePen::default();
        for (at, command) in data.char_indices().filter(|(_, c)| c.is_ascii_alphabetic() && *c != 'e') {
            let rest = &data[at + 1..];
            let end = rest.find(|c: char| c.is_ascii_alphabetic() && c != 'e').unwrap_or(rest.len());
            pen.command(command, &numbers_of(&rest[..end]))?;
            if pen.n_points > MOST_POINTS {
                return None;
            }
        }
        let mut lines = pen.lines;
        lines.iter_mut().flatten().for_each(|point| *point = place.of(point[0], point[1]));
        lines.iter().any(|line| !line.is_empty()).then_some(Self { lines, rule })
    }

    /// The box around it.
    pub(super) fn covers(&self) -> MeasuredBox {
        let across = || self.lines.iter().flatten().map(|point| point[0]);
        let down = || self.lines.iter().flatten().map(|point| point[1]);
        MeasuredBox {
            left: across().fold(f64::INFINITY, f64::min),
            top: down().fold(f64::INFINITY, f64::min),
            right: across().fold(f64::NEG_INFINITY, f64::max),
            bottom: down().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// The same outline after what was in one box was brought into another.
    pub(super) fn fitted(&self, from: &MeasuredBox, to: &MeasuredBox) -> Self {
        let onto = |value: f64, from: [f64; 2], to: [f64; 2]| {
            to[0] + (value - from[0]) / (from[1] - from[0]).max(f64::MIN_POSITIVE) * (to[1] - to[0])
        };
        let moved = |[x, y]: &[f64; 2]| {
            [
                onto(*x, [from.left, from.right], [to.left, to.right]),
                onto(*y, [from.top, from.bottom], [to.top, to.bottom]),
            ]
        };
        Self { lines: self.lines.iter().map(|line| line.iter().map(moved).collect()).collect(), rule: self.rule }
    }

    /// Whether another outline runs where this one does, and covers what this one covers.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let around = self.covers();
        let shorter = (around.right - around.left).min(around.bottom - around.top);
        let tolerance = TOLERANCE_MM.min(TOLERANCE_SHARE * shorter);
        self.runs_along(other, tolerance) && other.runs_along(self, tolerance) && self.covers_same(other, tolerance)
    }

    fn runs_along(&self, other: &Self, tolerance: f64) -> bool {
        let places = |[from, to]: [[f64; 2]; 2]| {
            (0..=STEPS_OF_A_LINE).map(move |step| between(from, to, step as f64 / STEPS_OF_A_LINE as f64))
        };
        self.segments().flat_map(places).all(|place| other.is_near(place, tolerance))
    }

    /// Lines are closed, whether or not a path says so: that is how it is filled.
    fn segments(&self) -> impl Iterator<Item = [[f64; 2]; 2]> {
        self.lines.iter().flat_map(|line| {
            let next = line.iter().cycle().skip(1);
            line.iter().zip(next).map(|(from, to)| [*from, *to])
        })
    }

    fn is_near(&self, place: [f64; 2], tolerance: f64) -> bool {
        self.segments().any(|segment| distance(place, segment) <= tolerance)
    }

    /// Looks at places all over both, except on the outline.
    fn covers_same(&self, other: &Self, tolerance: f64) -> bool {
        let MeasuredBox { left, top, right, bottom } = self.covers();
        let share = |at: usize| (at as f64 + 0.5) / N_LOOKED_AT as f64;
        let places = (0..N_LOOKED_AT * N_LOOKED_AT).map(|at| {
            let (column, row) = (share(at % N_LOOKED_AT), share(at / N_LOOKED_AT));
            [left + column * (right - left), top + row * (bottom - top)]
        });
        let is_same = |place: [f64; 2]| self.has(place) == other.has(place);
        places.into_iter().all(|place| is_same(place) || self.is_near(place, tolerance))
    }

    /// Whether a place is covered.
    fn has(&self, [x, y]: [f64; 2]) -> bool {
        let crossing = |[from, to]: [[f64; 2]; 2]| {
            let is_left = (to[0] - from[0]) * (y - from[1]) - (x - from[0]) * (to[1] - from[1]) > 0.0;
            match (from[1] <= y, to[1] <= y) {
                (true, false) if is_left => 1,
                (false, true) if !is_left => -1,
                _ => 0,
            }
        };
        let crossings = self.segments().map(crossing);
        match self.rule {
            FillRule::NonZero => crossings.sum::<i32>() != 0,
            FillRule::EvenOdd => crossings.map(i32::abs).sum::<i32>() % 2 != 0,
        }
    }
}

/// Draws what a path says.
#[derive(Default)]
struct OutlinePen {
    lines: Vec<Vec<[f64; 2]>>,
    at: [f64; 2],
    begin: [f64; 2],
    n_points: usize,
}

impl OutlinePen {
    fn command(&mut self, command: char, numbers: &[f64]) -> Option<()> {
        let is_relative = command.is_ascii_lowercase();
        let size = match command.to_ascii_lowercase() {
            'm' | 'l' => 2,
            'h' | 'v' => 1,
            'c' => 6,
            'z' if numbers.is_empty() => {
                self.at = self.begin;
                return Some(());
            }
            _ => return None,
        };
        if numbers.is_empty() || !numbers.len().is_multiple_of(size) {
            return None;
        }
        for (nth, some) in numbers.chunks(size).enumerate() {
            let from = if is_relative { self.at } else { [0.0, 0.0] };
            match (command.to_ascii_lowercase(), some) {
                // Whatever follows a first pair is a line.
                ('m', [x, y]) if nth == 0 => self.begin([from[0] + x, from[1] + y]),
                ('m' | 'l', [x, y]) => self.line([from[0] + x, from[1] + y]),
                ('h', [x]) => self.line([from[0] + x, self.at[1]]),
                ('v', [y]) => self.line([self.at[0], from[1] + y]),
                ('c', [x1, y1, x2, y2, x, y]) => {
                    self.curve([[*x1, *y1], [*x2, *y2], [*x, *y]].map(|[x, y]| [from[0] + x, from[1] + y]));
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn begin(&mut self, to: [f64; 2]) {
        (self.at, self.begin) = (to, to);
        self.lines.push(vec![to]);
        self.n_points += 1;
    }

    fn line(&mut self, to: [f64; 2]) {
        // A path that goes on behind its close begins anew where it began.
        match self.lines.last_mut() {
            Some(line) if line.last() == Some(&self.at) => line.push(to),
            _ => self.lines.push(vec![self.at, to]),
        }
        self.at = to;
        self.n_points += 1;
    }

    fn curve(&mut self, [b, c, d]: [[f64; 2]; 3]) {
        let a = self.at;
        for step in 1..=STEPS_OF_A_CURVE {
            let share = step as f64 / STEPS_OF_A_CURVE as f64;
            let (ab, bc, cd) = (between(a, b, share), between(b, c, share), between(c, d, share));
            self.line(between(between(ab, bc, share), between(bc, cd, share), share));
        }
    }
}

fn between(from: [f64; 2], to: [f64; 2], share: f64) -> [f64; 2] {
    [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
}

fn distance(place: [f64; 2], [from, to]: [[f64; 2]; 2]) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let dot = (place[0] - from[0]) * along[0] + (place[1] - from[1]) * along[1];
    let share = if length_squared > 0.0 { (dot / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    let nearest = between(from, to, share);
    libm::hypot(place[0] - nearest[0], place[1] - nearest[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(data: &str, rule: FillRule) -> ShapeOutline {
        ShapeOutline::read(data, DrawingTransform::NONE, rule).unwrap()
    }

    #[test]
    fn a_rectangle_is_told_from_what_has_its_box() {
        let right = outline("M 0,0 H 20 V 10 H 0 Z", FillRule::NonZero);
        let like = |data: &str| right.is_like(&outline(data, FillRule::NonZero));
        assert!(like("m 20,10 h -20 v -10 h 20 z"), "the other way round");
        assert!(like("M 0,0 L 10,0 20,0 20,10 0,10"), "a corner more, and not closed");
        assert!(like("M 0,0 C 5,0 15,0 20,0 V 10 H 0 Z"), "a curve that is straight");
        assert!(!like("M 0,0 H 20 L 0,10 Z"), "a triangle");
        assert!(!like("M 0,0 H 20 V 10 H 0 Z M 5,2 V 8 H 15 V 2 Z"), "a hole");
        assert!(!like("M 0,0 H 1 V 10 H 0 Z M 19,0 H 20 V 10 H 19 Z"), "only its ends");
        assert!(!like("M 0,0 H 20 V 10 H 0 Z V 10 H 20 V 0 Z"), "back on its own way, so that nothing is covered");
        let twice = "M 0,0 H 20 V 10 H 0 Z M 0,0 H 20 V 10 H 0 Z";
        assert!(like(twice), "twice the same");
        assert!(!right.is_like(&outline(twice, FillRule::EvenOdd)), "twice the same, and so nothing");
    }

    #[test]
    fn turned_and_mirrored_shapes_are_told() {
        let petal = outline("M 0,0 H 20 C 20,11.046 11.046,20 0,20 Z", FillRule::NonZero);
        let turned = outline("M 20,0 V 20 C 8.954,20 0,11.046 0,0 Z", FillRule::NonZero);
        let square = outline("M 0,0 H 20 V 20 H 0 Z", FillRule::NonZero);
        assert!(!petal.is_like(&turned));
        assert!(!petal.is_like(&square));
        let large = MeasuredBox { left: 5.0, top: 5.0, right: 65.0, bottom: 65.0 };
        let grown = petal.fitted(&petal.covers(), &large);
        assert!(!petal.is_like(&grown));
        assert!(petal.is_like(&grown.fitted(&large, &petal.covers())));
    }

    #[test]
    fn data_that_is_not_known_is_none() {
        let read = |data: &str| ShapeOutline::read(data, DrawingTransform::NONE, FillRule::NonZero).is_some();
        assert!(read("m 0,0 1e-3,2 h 5 z"));
        for data in ["", "z", "M 0", "M 0,0 A 1,1 0 0 1 2,2", "M 0,0 L 1", &"M 0,0 ".repeat(MOST_POINTS + 1)] {
            assert!(!read(data), "{}", &data[..data.len().min(30)]);
        }
    }
}
