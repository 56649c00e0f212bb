//! Two pictures of one thing, so that what was handed out is never drawn over and seldom copied.

use std::sync::Arc;

use quintain_core::picture::Picture;

/// Two pictures, and what each shows. While someone still holds the one, the other is brought up to date: drawing what
/// changed is much cheaper than copying everything to fresh memory.
pub(crate) struct Twin<S> {
    front: TwinSide<S>,
    back: Option<TwinSide<S>>,
}

/// A picture, and what it shows.
#[derive(Clone)]
struct TwinSide<S> {
    picture: Arc<Picture>,
    shown: S,
}

impl<S: Clone + PartialEq> Twin<S> {
    /// A picture that shows something.
    pub(crate) fn new(picture: Picture, shown: S) -> Self {
        Self { front: TwinSide { picture: Arc::new(picture), shown }, back: None }
    }

    /// The picture of what is wanted. Where it shows something else, it is mended: `mend` is given the picture and what
    /// it shows so far.
    pub(crate) fn show(&mut self, wanted: &S, mend: impl FnOnce(&mut Picture, &S)) -> Arc<Picture> {
        if self.front.shown != *wanted {
            if Arc::get_mut(&mut self.front.picture).is_none() {
                let back = self.back.take().unwrap_or_else(|| self.front.clone());
                self.back = Some(std::mem::replace(&mut self.front, back));
            }
            mend(Arc::make_mut(&mut self.front.picture), &self.front.shown);
            self.front.shown.clone_from(wanted);
        }
        Arc::clone(&self.front.picture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::{Area, fill};

    /// A picture of one pixel whose red is the number that it shows.
    fn show(twin: &mut Twin<u8>, wanted: u8, mended: &mut Vec<String>) -> Arc<Picture> {
        twin.show(&wanted, |picture, shown| {
            mended.push(format!("{shown} to {wanted}"));
            fill(picture, Area::new(0, 0, 1, 1), [wanted, 0, 0]);
        })
    }

    #[test]
    fn pictures_that_are_held_never_change_and_the_other_is_mended_from_what_it_shows() {
        let mut twin = Twin::new(Picture::filled(1, 1, [0, 0, 0]), 0);
        let mut mended = Vec::new();
        let first = show(&mut twin, 0, &mut mended);
        let second = show(&mut twin, 1, &mut mended);
        drop(first);
        let third = show(&mut twin, 2, &mut mended);
        drop(second);
        let fourth = show(&mut twin, 3, &mut mended);
        assert!(Arc::ptr_eq(&fourth, &show(&mut twin, 3, &mut mended)));
        drop(fourth);
        show(&mut twin, 4, &mut mended);
        assert_eq!([third.rgba()[0], show(&mut twin, 4, &mut mended).rgba()[0]], [2, 4]);
        assert_eq!(mended, ["0 to 1", "0 to 2", "1 to 3", "3 to 4"]);
    }
}
