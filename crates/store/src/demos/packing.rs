//! How the pictures of demonstrations are packed.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::PackedPicture;

/// How pictures are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PicturePacking {
    /// Every pixel as it is.
    #[default]
    Png,
    /// Every pixel as it is, in fewer bytes than PNG.
    Webp,
    /// A tenth of the bytes of a photograph, with losses.
    Jpeg {
        /// From 1 to 100.
        quality: u8,
    },
}

/// The quality where none is named.
const USUAL_QUALITY: u8 = 85;

impl PicturePacking {
    /// How its files end.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Png => ".png",
            Self::Webp => ".webp",
            Self::Jpeg { .. } => ".jpg",
        }
    }

    /// Its media type.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Jpeg { .. } => "image/jpeg",
        }
    }

    /// A picture packed this way, from a PNG file.
    pub fn pack(self, png: &PackedPicture) -> Result<PackedPicture, String> {
        match self {
            Self::Png => Ok(Arc::clone(png)),
            Self::Webp => Ok(quintain_png::encode_webp(&quintain_png::decode(png)?)?.into()),
            Self::Jpeg { quality } => {
                Ok(quintain_png::encode_jpeg(&quintain_png::decode(png)?, u32::MAX, quality)?.into())
            }
        }
    }
}

impl fmt::Display for PicturePacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Png => f.write_str("png"),
            Self::Webp => f.write_str("webp"),
            Self::Jpeg { quality } => write!(f, "jpeg:{quality}"),
        }
    }
}

impl FromStr for PicturePacking {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, quality) = text.split_once(':').map_or((text, None), |(kind, quality)| (kind, Some(quality)));
        match (kind, quality) {
            ("png", None) => Ok(Self::Png),
            ("webp", None) => Ok(Self::Webp),
            ("jpeg" | "jpg", None) => Ok(Self::Jpeg { quality: USUAL_QUALITY }),
            ("jpeg" | "jpg", Some(quality)) => {
                let quality = quality.parse().ok().filter(|quality| (1..=100).contains(quality));
                quality.map(|quality| Self::Jpeg { quality }).ok_or_else(|| "a quality is from 1 to 100".to_owned())
            }
            _ => Err("`png`, `webp`, `jpeg` or `jpeg:85` is wanted".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::Picture;

    use super::*;

    #[test]
    fn what_is_packed_without_loss_has_the_same_pixels() {
        let pixels: Vec<u8> = (0..16 * 9).flat_map(|n: u32| [(n * 7 % 251) as u8, (n % 13) as u8, 40, 255]).collect();
        let picture = Picture::from_rgba(16, 9, pixels).unwrap();
        let png: PackedPicture = quintain_png::encode(&picture).unwrap().into();
        let webp = "webp".parse::<PicturePacking>().unwrap().pack(&png).unwrap();
        assert_eq!(&webp[8..12], b"WEBP");
        assert_eq!(quintain_png::decode_webp(&webp).unwrap().picture.digest(), picture.digest());
        for text in ["png", "webp", "jpeg:85"] {
            assert_eq!(text.parse::<PicturePacking>().unwrap().to_string(), text);
        }
    }
}
