//! The colours of a site.

use super::LookFamily;
use crate::draw::Draw;

/// The colours of a site, as CSS writes them.
#[derive(Clone, Debug)]
pub(crate) struct SiteColours {
    pub(crate) paper: String,
    pub(crate) panel: String,
    pub(crate) ink: String,
    pub(crate) muted: String,
    pub(crate) line: String,
    pub(crate) accent: String,
    pub(crate) accent_ink: String,
    pub(crate) tint: String,
    pub(crate) link: String,
}

/// Hues that people choose for sites: blues, greens, teals, reds, browns, plums.
const HUES: [u32; 12] = [205, 212, 222, 232, 168, 152, 190, 352, 8, 24, 262, 320];

impl SiteColours {
    /// Colours that go with a family.
    pub(crate) fn drawn(family: LookFamily, draw: &mut Draw) -> Self {
        let hue = *draw.choose(&HUES);
        let depth = 24 + draw.below(12);
        let colour = |saturation: usize, light: usize| format!("hsl({hue} {saturation}% {light}%)");
        let (paper, panel) = match family {
            LookFamily::Cards => (colour(18, 95), "#fff".to_owned()),
            LookFamily::Almanac => ("#fbf6ea".to_owned(), "#f4ecd8".to_owned()),
            LookFamily::Broadsheet => ("#fffdf9".to_owned(), "#f7f3ea".to_owned()),
            LookFamily::Commons => ("#fff".to_owned(), "#f7f8fa".to_owned()),
            _ => ("#fff".to_owned(), colour(22, 97)),
        };
        Self {
            paper,
            panel,
            ink: colour(14, 13),
            muted: colour(9, 40),
            line: colour(14, 84),
            accent: colour(58, depth),
            accent_ink: "#fff".to_owned(),
            tint: colour(42, 93),
            link: if draw.chance(60) { colour(70, 34) } else { "#0b57a4".to_owned() },
        }
    }
}
