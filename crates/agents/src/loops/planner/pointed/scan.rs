//! Numbers in a text, and what they belong to.

/// What may stand between a name and its numbers, and between numbers.
const BETWEEN: [char; 18] =
    [' ', '\t', '\n', '\r', '"', '\'', '`', '\\', ':', '=', ',', ';', '(', ')', '[', ']', '<', '>'];

/// The two or four numbers that stand behind this name.
pub(super) fn named(text: &str, name: &str) -> Option<Vec<f64>> {
    places(text, name).map(|at| numbers_at(&text[at..])).find(|numbers| is_place(numbers))
}

/// The number that stands behind this name.
pub(super) fn number_named(text: &str, name: &str) -> Option<f64> {
    places(text, name).find_map(|at| numbers_at(&text[at..]).first().copied())
}

/// The numbers of the last brackets that hold nothing else; two pairs side by side are the corners of a box.
pub(super) fn bracketed(text: &str) -> Option<Vec<f64>> {
    let groups = groups(text);
    let (last_at, last) = groups.last()?;
    let before = groups.len().checked_sub(2).map(|idx| &groups[idx]);
    let is_beside = |end: usize| text[end..last_at.start].chars().all(|c| BETWEEN.contains(&c));
    match before {
        Some((at, corner)) if corner.len() == 2 && last.len() == 2 && is_beside(at.end) => {
            Some([corner.as_slice(), last.as_slice()].concat())
        }
        _ => Some(last.clone()),
    }
}

/// All numbers of a text, where they can be nothing but a point or a box.
pub(super) fn bare(text: &str) -> Option<Vec<f64>> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
    let numbers: Vec<f64> = words.filter_map(|word| word.trim_matches('.').parse().ok()).collect();
    is_place(&numbers).then_some(numbers)
}

fn is_place(numbers: &[f64]) -> bool {
    matches!(numbers.len(), 2 | 4)
}

/// Where a name ends, wherever it stands as a word of its own.
fn places<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_alone = move |at: usize| {
        let (before, after) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    text.match_indices(name).map(|(at, _)| at).filter(move |at| is_alone(*at)).map(move |at| at + name.len())
}

/// The numbers that a text begins with.
fn numbers_at(text: &str) -> Vec<f64> {
    let mut numbers = Vec::new();
    let mut rest = text.trim_start_matches(BETWEEN);
    while let Some((number, after)) = number_at(rest) {
        numbers.push(number);
        // What closes a list or an object ends it: the next one is another thing.
        let n_between = after.find(|c: char| !BETWEEN.contains(&c)).unwrap_or(after.len());
        rest = &after[n_between..];
    }
    numbers
}

fn number_at(text: &str) -> Option<(f64, &str)> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let n_digits = unsigned.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(unsigned.len());
    let end = text.len() - unsigned.len() + n_digits;
    let number = text[..end].trim_end_matches('.');
    Some((number.parse().ok()?, &text[number.len()..]))
}

type NumberGroup = (std::ops::Range<usize>, Vec<f64>);

/// The innermost brackets that hold two or four numbers and nothing else, with where they stand.
fn groups(text: &str) -> Vec<NumberGroup> {
    let opened = text.match_indices(['(', '[']);
    let group = |(at, _): (usize, &str)| {
        let inside = &text[at + 1..];
        let n_inside = inside.find([')', ']', '(', '['])?;
        let is_closed = inside[n_inside..].starts_with([')', ']']);
        let holds_numbers = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | ',' | ';' | ' ' | '\n' | '\t');
        let numbers = numbers_at(&inside[..n_inside]);
        let fits = is_closed && inside[..n_inside].chars().all(holds_numbers) && is_place(&numbers);
        fits.then_some((at..at + n_inside + 2, numbers))
    };
    opened.filter_map(group).collect()
}
