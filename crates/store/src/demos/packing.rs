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
            Self::Jpeg { .. } => ".jpg",
        }
    }

    /// Its media type.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg { .. } => "image/jpeg",
        }
    }

    /// A picture packed this way, from a PNG file.
    pub fn pack(self, png: &PackedPicture) -> Result<PackedPicture, String> {
        let Self::Jpeg { quality } = self else { return Ok(Arc::clone(png)) };
        let picture = quintain_png::decode(png)?;
        Ok(quintain_png::encode_jpeg(&picture, u32::MAX, quality)?.into())
    }
}

impl fmt::Display for PicturePacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Png => f.write_str("png"),
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
            ("jpeg" | "jpg", None) => Ok(Self::Jpeg { quality: USUAL_QUALITY }),
            ("jpeg" | "jpg", Some(quality)) => {
                let quality = quality.parse().ok().filter(|quality| (1..=100).contains(quality));
                quality.map(|quality| Self::Jpeg { quality }).ok_or_else(|| "a quality is from 1 to 100".to_owned())
            }
            _ => Err("`png`, `jpeg` or `jpeg:85` is wanted".to_owned()),
        }
    }
}
