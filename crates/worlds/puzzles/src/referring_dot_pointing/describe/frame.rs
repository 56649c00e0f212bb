//! What sentences are made from: things by their place and size, groups of them, and sides of the picture.

use std::collections::BTreeMap;

use super::ORDER_SHARE;
use crate::canvas::Area;
use crate::sources::labels::Labelled;

/// A side of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PictureSide {
    Left,
    Right,
    Top,
    Bottom,
}

impl PictureSide {
    pub(super) const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Top, Self::Bottom];

    pub(super) fn farthest(self) -> &'static str {
        match self {
            Self::Left => "farthest to the left",
            Self::Right => "farthest to the right",
            Self::Top => "nearest to the top of the picture",
            Self::Bottom => "nearest to the bottom of the picture",
        }
    }

    pub(super) fn counted_from(self) -> &'static str {
        match self {
            Self::Left => "from the left",
            Self::Right => "from the right",
            Self::Top => "from the top",
            Self::Bottom => "from the bottom",
        }
    }

    pub(super) fn of(self) -> &'static str {
        match self {
            Self::Left => "to the left of",
            Self::Right => "to the right of",
            Self::Top => "above",
            Self::Bottom => "below",
        }
    }
}

/// A thing by its place and size.
pub(super) struct SeenThing {
    pub(super) area: usize,
    centre: (f64, f64),
    bounds: Area,
}

/// Things that go by one name.
pub(super) struct NamedGroup {
    /// What one of them is called: "ball", "red ball".
    pub(super) name: String,
    pub(super) members: Vec<usize>,
}

/// A picture as sentences see it.
pub(super) struct PictureFrame<'a> {
    labelled: &'a Labelled,
    pub(super) things: Vec<SeenThing>,
    /// Everything that a name fits once, by that name.
    pub(super) anchors: Vec<(String, usize)>,
    side_px: (f64, f64),
}

impl<'a> PictureFrame<'a> {
    pub(super) fn of(labelled: &'a Labelled) -> Self {
        let seen = labelled.things.iter().map(|thing| SeenThing {
            area: thing.mask.area(),
            centre: thing.mask.centre(),
            bounds: thing.mask.bounds(),
        });
        let mut frame = Self {
            labelled,
            things: seen.collect(),
            anchors: Vec::new(),
            side_px: (f64::from(labelled.photo.width), f64::from(labelled.photo.height)),
        };
        frame.anchors = frame.single();
        frame
    }

    /// All things of the kind in question.
    pub(super) fn all_in_question(&self) -> NamedGroup {
        let things = self.labelled.things.iter().enumerate();
        let members = things.filter(|(_, thing)| thing.kind == self.labelled.kind).map(|(idx, _)| idx).collect();
        NamedGroup { name: self.labelled.kind.clone(), members }
    }

    /// The things of the kind in question by their colours.
    pub(super) fn colors_in_question(&self) -> Vec<NamedGroup> {
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (idx, thing) in self.labelled.things.iter().enumerate() {
            if let Some(color) = thing.color.as_deref().filter(|_| thing.kind == self.labelled.kind) {
                groups.entry(color).or_default().push(idx);
            }
        }
        let named = |(color, members)| NamedGroup { name: format!("{color} {}", self.labelled.kind), members };
        groups.into_iter().map(named).collect()
    }

    /// Everything that is the only one of its kind, or else of its kind and colour.
    fn single(&self) -> Vec<(String, usize)> {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (idx, thing) in self.labelled.things.iter().enumerate() {
            by_name.entry(thing.kind.clone()).or_default().push(idx);
            if let Some(color) = &thing.color {
                by_name.entry(format!("{color} {}", thing.kind)).or_default().push(idx);
            }
        }
        let is_short = |name: &str, idx: usize| {
            let kind = &self.labelled.things[idx].kind;
            name == kind || by_name.get(kind).is_some_and(|same| same.len() > 1)
        };
        let once = by_name.iter().filter_map(|(name, found)| match found.as_slice() {
            [only] if is_short(name, *only) => Some((name.clone(), *only)),
            _ => None,
        });
        once.collect()
    }

    /// How far along towards a side a thing's middle lies, and how far its rim on that side; less is nearer to the side.
    fn along(&self, idx: usize, side: PictureSide) -> (f64, f64) {
        let SeenThing { centre: (x, y), bounds: Area { x: left, y: top, width, height }, .. } = self.things[idx];
        match side {
            PictureSide::Left => (x, f64::from(left)),
            PictureSide::Right => (-x, -f64::from(left + width)),
            PictureSide::Top => (y, f64::from(top)),
            PictureSide::Bottom => (-y, -f64::from(top + height)),
        }
    }

    /// How far apart things must be to be put in order towards a side.
    fn margin_px(&self, side: PictureSide) -> f64 {
        ORDER_SHARE
            * if matches!(side, PictureSide::Left | PictureSide::Right) { self.side_px.0 } else { self.side_px.1 }
    }

    /// The members of a group from a side on, if there are so many and the order of these is beyond doubt, by their middles
    /// and by their rims. The last but one of these may be spoken of: no other's rim is as near to the side.
    pub(super) fn ordered(&self, group: &NamedGroup, side: PictureSide, n: usize) -> Option<Vec<usize>> {
        let mut order = group.members.clone();
        order.sort_by(|a, b| self.along(*a, side).0.total_cmp(&self.along(*b, side).0));
        let are_apart = |pair: &[usize]| {
            let (one, next) = (self.along(pair[0], side), self.along(pair[1], side));
            next.0 - one.0 >= self.margin_px(side) && next.1 > one.1
        };
        let target = *order.get(..n)?.get(n - 2)?;
        let rims_agree = order[n - 1..].iter().all(|idx| self.along(*idx, side).1 > self.along(target, side).1);
        (order[..n].windows(2).all(are_apart) && rims_agree).then_some(order)
    }

    /// Pixels between the middles of two things.
    pub(super) fn distance(&self, a: usize, b: usize) -> f64 {
        let ((ax, ay), (bx, by)) = (self.things[a].centre, self.things[b].centre);
        ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt()
    }

    /// About the pixels between the rims of two things, were they round.
    pub(super) fn gap(&self, a: usize, b: usize) -> f64 {
        let radius = |idx: usize| (self.things[idx].area as f64 / std::f64::consts::PI).sqrt();
        self.distance(a, b) - radius(a) - radius(b)
    }

    /// Whether a thing lies wholly beyond another towards a side.
    pub(super) fn lies_beyond(&self, idx: usize, anchor: usize, side: PictureSide) -> bool {
        let opposite = match side {
            PictureSide::Left => PictureSide::Right,
            PictureSide::Right => PictureSide::Left,
            PictureSide::Top => PictureSide::Bottom,
            PictureSide::Bottom => PictureSide::Top,
        };
        // Its rim on the far side, seen from the anchor's rim on the near one.
        let far = -self.along(idx, opposite).1;
        far <= self.along(anchor, side).1
    }

    /// Whether nobody would say that a thing lies beyond another towards a side: its middle is clearly on the other side.
    pub(super) fn lies_short_of(&self, idx: usize, anchor: usize, side: PictureSide) -> bool {
        self.along(idx, side).0 >= self.along(anchor, side).0 + self.margin_px(side)
    }
}
