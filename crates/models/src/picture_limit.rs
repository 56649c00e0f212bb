//! How large the pictures may be that a model is shown, and how it may enlarge or shrink them unasked.

/// The side of a patch, in pixels: what a model looks at as one token.
const PATCH_PX: u32 = 28;

/// What UI-TARS and the models that it is made of take a picture to have at least and at most: `smart_resize` in
/// `bytedance/UI-TARS`, `codes/ui_tars/action_parser.py`.
const LEAST_PX: f64 = (100 * PATCH_PX * PATCH_PX) as f64;
const MOST_PX: f64 = (16_384 * PATCH_PX * PATCH_PX) as f64;

/// How large pictures may be before a provider makes them smaller, so that points are of another picture than ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureLimit {
    /// The longest side, in pixels.
    pub longest_side: Option<u32>,
    /// The most patches of 28 by 28 pixels, those at the edges counted whole.
    pub most_patches: Option<u32>,
}

impl PictureLimit {
    /// With this longest side and no other limit.
    pub fn of_side(longest_side: u32) -> Self {
        Self { longest_side: Some(longest_side), most_patches: None }
    }

    /// The same with no side longer than this.
    #[must_use]
    pub fn within(self, longest_side: u32) -> Self {
        Self { longest_side: Some(self.longest_side.map_or(longest_side, |side| side.min(longest_side))), ..self }
    }

    /// The size that a picture of this size is shown in: the largest of the same shape that is allowed.
    pub fn fit(self, size: (u32, u32)) -> (u32, u32) {
        let given = size.0.max(size.1);
        let longest = self.longest_side.filter(|longest| *longest > 0).map_or(given, |longest| longest.min(given));
        if longest == given && self.allows(size) {
            return size;
        }
        let sizes = (1..=longest).rev().map(|longest| with_side(size, longest));
        sizes.into_iter().find(|size| self.allows(*size)).unwrap_or((1, 1))
    }

    fn allows(self, (across, down): (u32, u32)) -> bool {
        let n_patches = u64::from(across.div_ceil(PATCH_PX)) * u64::from(down.div_ceil(PATCH_PX));
        self.most_patches.is_none_or(|most| n_patches <= u64::from(most))
    }
}

/// The same shape with this longer side. Halves go to the even number, as where the limits come from.
fn with_side((across, down): (u32, u32), longest: u32) -> (u32, u32) {
    let by = f64::from(longest) / f64::from(across.max(down).max(1));
    let scaled = |length: u32| ((f64::from(length) * by).round_ties_even() as u32).max(1);
    if across >= down { (longest, scaled(down)) } else { (scaled(across), longest) }
}

/// The size in which a model sees a picture that it makes its sides multiples of 28 pixels of.
pub fn resized((across, down): (u32, u32)) -> (u32, u32) {
    let patch = f64::from(PATCH_PX);
    let (width, height) = (f64::from(across.max(1)), f64::from(down.max(1)));
    let nearest = |length: f64| ((length / patch).round_ties_even() * patch).max(patch);
    let area = nearest(width) * nearest(height);
    let all = |length: &dyn Fn(f64) -> f64| (length(width) as u32, length(height) as u32);
    if area > MOST_PX {
        let by = (width * height / MOST_PX).sqrt();
        return all(&|length| ((length / by / patch).floor() * patch).max(patch));
    }
    if area < LEAST_PX {
        let by = (LEAST_PX / (width * height)).sqrt();
        return all(&|length| (length * by / patch).ceil() * patch);
    }
    all(&nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLDER: PictureLimit = PictureLimit { longest_side: Some(1568), most_patches: Some(1568) };
    const NEWER: PictureLimit = PictureLimit { longest_side: Some(2576), most_patches: Some(4784) };

    #[test]
    fn a_picture_is_as_large_as_sides_and_patches_allow() {
        let sizes = [(1280, 720), (1568, 882), (1440, 900), (1280, 960), (1920, 1080), (2560, 1440), (300, 3000)];
        let line = |size: (u32, u32)| format!("{size:?}: {:?} {:?}", OLDER.fit(size), NEWER.fit(size));
        insta::assert_snapshot!(sizes.map(line).join("\n"), @r"
        (1280, 720): (1280, 720) (1280, 720)
        (1568, 882): (1456, 819) (1568, 882)
        (1440, 900): (1389, 868) (1440, 900)
        (1280, 960): (1270, 952) (1280, 960)
        (1920, 1080): (1456, 819) (1920, 1080)
        (2560, 1440): (1456, 819) (2560, 1440)
        (300, 3000): (157, 1568) (258, 2576)
        ");
        assert_eq!(PictureLimit::of_side(640).fit((1280, 720)), (640, 360));
        assert_eq!(PictureLimit::default().fit((9000, 1)), (9000, 1));
    }

    #[test]
    fn a_resized_picture_has_sides_of_whole_patches() {
        assert_eq!(resized((1280, 720)), (1288, 728));
        assert_eq!(resized((1920, 1080)), (1932, 1092));
        assert_eq!(resized((14, 14)), (280, 280));
        assert_eq!(resized((8000, 8000)), (3584, 3584));
    }
}
