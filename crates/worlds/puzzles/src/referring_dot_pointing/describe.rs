//! Sentences that fit exactly one thing, by a margin that nobody can mistake.

mod frame;

use super::Sentences;
use crate::sources::labels::Labelled;

use frame::{NamedGroup, PictureFrame, PictureSide};

/// The largest must have so many times the pixels of the next, and so must the smallest be smaller.
const SIZE_RATIO: f64 = 1.6;
/// How far apart two things must be to be put in order, as a share of the picture's side.
const ORDER_SHARE: f64 = 0.06;
/// The next nearest must be so many times as far away.
const DISTANCE_RATIO: f64 = 1.5;
/// And by so many pixels, measured from rim to rim.
const GAP_PX: f64 = 16.0;

/// What is said of one thing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Description {
    /// Which form of sentence it is.
    pub(super) form: SentenceForm,
    /// What is said.
    pub(super) sentence: String,
    /// Which of the things is meant.
    pub(super) target: usize,
}

/// A form of sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SentenceForm {
    /// "the only lemon", "the red ball"
    Only,
    /// "the largest ball"
    Size,
    /// "the ball farthest to the left"
    Outermost,
    /// "the second ball from the left"
    Ordinal,
    /// "the ball nearest to the lemon"
    Nearest,
    /// "the red ball to the left of the lemon"
    Beside,
    /// "the largest red ball"
    SizeOfColor,
}

/// Everything that can be said clearly of the kind in question.
pub(super) fn describe(labelled: &Labelled, sentences: Sentences) -> Vec<Description> {
    let frame = PictureFrame::of(labelled);
    let (all, colored) = (frame.all_in_question(), frame.colors_in_question());
    let mut found = Vec::new();
    match sentences {
        Sentences::Simple => {
            found.extend(only(&all, &colored));
            found.extend(by_size(&frame, &all, SentenceForm::Size));
            found.extend(PictureSide::ALL.into_iter().filter_map(|side| outermost(&frame, &all, side)));
        }
        Sentences::Relational => {
            let groups = || std::iter::once(&all).chain(&colored);
            found.extend(groups().flat_map(|group| ordinals(&frame, group)));
            found.extend(groups().flat_map(|group| nearest(&frame, group)));
            found.extend(groups().flat_map(|group| beside(&frame, group)));
            found.extend(colored.iter().flat_map(|group| by_size(&frame, group, SentenceForm::SizeOfColor)));
        }
    }
    found
}

/// The only one of its kind, or the only one of its colour.
fn only(all: &NamedGroup, colored: &[NamedGroup]) -> Vec<Description> {
    let single = |group: &NamedGroup, sentence: String| match group.members.as_slice() {
        [target] => Some(Description { form: SentenceForm::Only, sentence, target: *target }),
        _ => None,
    };
    let by_kind = single(all, format!("the only {}", all.name));
    let has_others = all.members.len() > 1;
    let by_color =
        colored.iter().filter(|_| has_others).filter_map(|group| single(group, format!("the {}", group.name)));
    by_kind.into_iter().chain(by_color).collect()
}

/// The largest and the smallest of a group.
fn by_size(frame: &PictureFrame, group: &NamedGroup, form: SentenceForm) -> Vec<Description> {
    let mut members = group.members.clone();
    members.sort_by_key(|idx| frame.things[*idx].area);
    let area = |idx: usize| frame.things[idx].area as f64;
    let describe = |word: &str, target: usize, larger: f64, smaller: f64| {
        let sentence = format!("the {word} {}", group.name);
        (larger >= smaller * SIZE_RATIO).then_some(Description { form, sentence, target })
    };
    let [smallest, .., largest] = members.as_slice() else { return Vec::new() };
    let (above, below) = (members[1], members[members.len() - 2]);
    let largest = describe("largest", *largest, area(*largest), area(below));
    let smallest = describe("smallest", *smallest, area(above), area(*smallest));
    largest.into_iter().chain(smallest).collect()
}

/// The one of a group that is farthest to a side.
fn outermost(frame: &PictureFrame, group: &NamedGroup, side: PictureSide) -> Option<Description> {
    let order = frame.ordered(group, side, 2)?;
    let sentence = format!("the {} {}", group.name, side.farthest());
    Some(Description { form: SentenceForm::Outermost, sentence, target: order[0] })
}

/// The second, third or fourth of a group from a side.
fn ordinals(frame: &PictureFrame, group: &NamedGroup) -> Vec<Description> {
    let mut found = Vec::new();
    for side in PictureSide::ALL {
        for (n, word) in [(2, "second"), (3, "third"), (4, "fourth")] {
            // Where there is none beyond it, it is the last, and that would be the simpler word.
            if let Some(order) = frame.ordered(group, side, n + 1) {
                let sentence = format!("the {word} {} {}", group.name, side.counted_from());
                found.push(Description { form: SentenceForm::Ordinal, sentence, target: order[n - 1] });
            }
        }
    }
    found
}

/// The one of a group that is nearest to something that there is once.
fn nearest(frame: &PictureFrame, group: &NamedGroup) -> Vec<Description> {
    let mut found = Vec::new();
    for (name, anchor) in &frame.anchors {
        let mut members: Vec<usize> = group.members.iter().copied().filter(|idx| idx != anchor).collect();
        members.sort_by(|a, b| frame.distance(*a, *anchor).total_cmp(&frame.distance(*b, *anchor)));
        let [first, second, ..] = members.as_slice() else { continue };
        let is_clear = frame.distance(*second, *anchor) >= frame.distance(*first, *anchor) * DISTANCE_RATIO
            && members[1..].iter().all(|other| frame.gap(*other, *anchor) >= frame.gap(*first, *anchor) + GAP_PX);
        if is_clear && !group.members.contains(anchor) {
            let sentence = format!("the {} nearest to the {name}", group.name);
            found.push(Description { form: SentenceForm::Nearest, sentence, target: *first });
        }
    }
    found
}

/// The only one of a group that lies to one side of something that there is once.
fn beside(frame: &PictureFrame, group: &NamedGroup) -> Vec<Description> {
    let mut found = Vec::new();
    for (name, anchor) in frame.anchors.iter().filter(|(_, anchor)| !group.members.contains(anchor)) {
        for side in PictureSide::ALL {
            let there: Vec<usize> =
                group.members.iter().copied().filter(|idx| frame.lies_beyond(*idx, *anchor, side)).collect();
            let [target] = there.as_slice() else { continue };
            let mut others = group.members.iter().filter(|idx| *idx != target);
            if group.members.len() > 1 && others.all(|other| frame.lies_short_of(*other, *anchor, side)) {
                let sentence = format!("the {} {} the {name}", group.name, side.of());
                found.push(Description { form: SentenceForm::Beside, sentence, target: *target });
            }
        }
    }
    found
}
