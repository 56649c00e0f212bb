//! Screens as pictures that a model is shown: PNG files, no larger than it can look at.

use std::sync::Arc;

use quintain_core::{AgentError, Digest, Screen};
use quintain_models::model::{EncodedImage, ModelCard};
use quintain_models::picture_limit::PictureLimit;
use quintain_models::screen;

/// Makes pictures for one model. A screen that did not change is not encoded again.
#[derive(Debug)]
pub struct Screens {
    limit: PictureLimit,
    last: Vec<(Digest, EncodedImage)>,
}

/// How many pictures are remembered: a screen, its marks and a goal.
const N_REMEMBERED: usize = 4;

impl Screens {
    /// For a model that looks at pictures of at most the size that its card says.
    pub fn new(card: &ModelCard) -> Self {
        Self { limit: card.pictures, last: Vec::new() }
    }

    /// The screen as the model is shown it.
    pub fn image(&mut self, screen: &Screen) -> Result<EncodedImage, AgentError> {
        let digest = screen.digest();
        if let Some((_, image)) = self.last.iter().find(|(known, _)| *known == digest) {
            return Ok(image.clone());
        }
        let encoded = self.encode(screen, digest);
        let image = encoded.map_err(|why| AgentError::harness(format!("a screen is no picture: {why}")))?;
        self.last.insert(0, (digest, image.clone()));
        self.last.truncate(N_REMEMBERED);
        Ok(image)
    }

    /// The size that a screen of this size is shown in.
    pub fn fit(&self, size: (u32, u32)) -> (u32, u32) {
        self.limit.fit(size)
    }

    fn encode(&self, screen: &Screen, digest: Digest) -> Result<EncodedImage, String> {
        let shown = screen::scaled(screen, self.limit.fit(screen.size()))?;
        let png: Arc<[u8]> = match &shown {
            Screen::Png { bytes, .. } => Arc::clone(bytes),
            raw @ Screen::Raw(_) => screen::png(raw).map_err(|error| error.to_string())?.into_owned().into(),
        };
        Ok(EncodedImage::of_screen(png, shown.size(), digest))
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::Picture;

    use super::*;
    use crate::loops::test_model::card;

    fn screens(longest_side: Option<u32>) -> Screens {
        Screens::new(&ModelCard { pictures: PictureLimit { longest_side, most_patches: None }, ..card() })
    }

    #[test]
    fn a_large_screen_is_shown_smaller_and_keeps_its_shape() {
        assert_eq!(screens(None).fit((1280, 720)), (1280, 720));
        assert_eq!(screens(Some(1280)).fit((1280, 720)), (1280, 720));
        assert_eq!(screens(Some(640)).fit((1280, 720)), (640, 360));
        assert_eq!(screens(Some(1000)).fit((300, 3000)), (100, 1000));
    }

    #[test]
    fn raw_pixels_and_files_are_shrunk_alike() {
        let mut picture = Picture::filled(40, 20, [255, 255, 255]);
        picture.rgba_mut()[..40 * 10 * 4].fill(255);
        for pixel in picture.rgba_mut()[40 * 10 * 4..].chunks_exact_mut(4) {
            pixel[..3].fill(0);
        }
        let raw = Screen::Raw(Arc::new(picture));
        let bytes: Arc<[u8]> = screen::png(&raw).unwrap().into_owned().into();
        let file = Screen::Png { bytes, size: (40, 20) };
        let (a, b) = (screens(Some(20)).image(&raw).unwrap(), screens(Some(20)).image(&file).unwrap());
        assert_eq!(a.size(), (20, 10));
        assert_eq!(a, b);
        let shown = quintain_png::decode(a.png()).unwrap();
        let rgb = shown.rgb();
        let pixel = |across: usize, down: usize| &rgb[(down * 20 + across) * 3..][..3];
        assert_eq!((pixel(10, 1), pixel(10, 8)), (&[255; 3][..], &[0; 3][..]));
    }

    #[test]
    fn a_screen_that_did_not_change_is_encoded_once() {
        let mut screens = screens(None);
        let screen = Screen::Raw(Arc::new(Picture::filled(4, 4, [1, 2, 3])));
        let (first, again) = (screens.image(&screen).unwrap(), screens.image(&screen).unwrap());
        assert!(std::ptr::eq(first.png(), again.png()));
    }
}
