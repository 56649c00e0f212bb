//! The elements on a screen as text, with numbers on those that can be acted on.

/// Where the elements with numbers are: left, top, width, height.
pub type MarkPlaces = [(u32, [f64; 4])];

/// The tree as text, and where the elements with numbers are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElementTree {
    /// The text.
    pub text: String,
    /// The numbers and places.
    pub marks: Vec<(u32, [f64; 4])>,
}

impl ElementTree {
    /// Gives the next number to what is at a place: as it is written before its line.
    pub fn mark(&mut self, place: [f64; 4]) -> String {
        let number = self.marks.len() as u32 + 1;
        self.marks.push((number, place));
        format!("[{number}] ")
    }
}

/// At most so many elements have numbers.
pub const MAX_MARKS: usize = 500;
/// Longer words are cut.
const MAX_WORDS: usize = 200;

/// The words of an element on one line, and not too many.
pub fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_WORDS).collect()
}

/// What of a box is on a screen of this size; nothing where that is too little to be hit.
pub fn clipped([x, y, width, height]: [f64; 4], size: (u32, u32)) -> Option<[f64; 4]> {
    let (right, bottom) = ((x + width).min(f64::from(size.0)), (y + height).min(f64::from(size.1)));
    let (left, top) = (x.max(0.0), y.max(0.0));
    (right - left >= 2.0 && bottom - top >= 2.0).then_some([left, top, right - left, bottom - top])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_clipped_to_the_screen() {
        assert_eq!(clipped([-5.0, 10.0, 20.0, 20.0], (100, 100)), Some([0.0, 10.0, 15.0, 20.0]));
        assert_eq!(clipped([100.0, 10.0, 20.0, 20.0], (100, 100)), None);
    }
}
