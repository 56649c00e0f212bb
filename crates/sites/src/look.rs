//! How sites look: drawn for each world and site from a few style families.

mod colours;
mod document;
mod style;

pub(crate) use document::{ShellParts, document, seek_form};

use colours::SiteColours;

use crate::draw::Draw;
use crate::host::SiteHost;
use crate::voice::Voice;
use crate::web::Reserve;

/// A family of styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookFamily {
    /// Serifs, a masthead in the middle, thin rules.
    Broadsheet,
    /// A dark band, plain sans, boxes: an office.
    Bureau,
    /// A column of links on the left, small type: a wiki.
    Commons,
    /// Rounded cards on grey.
    Cards,
    /// Narrow type, dense tables: a database.
    Ledger,
    /// Serif headings and a coloured band: a college.
    College,
    /// A tall coloured head and large type; held back.
    Poster,
    /// Warm paper and double rules; held back.
    Almanac,
}

impl LookFamily {
    const OPEN: [Self; 6] = [Self::Broadsheet, Self::Bureau, Self::Commons, Self::Cards, Self::Ledger, Self::College];
    const HELD_BACK: [Self; 2] = [Self::Poster, Self::Almanac];
}

/// How links to the pages of a list look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PagerStyle {
    /// One number for each page.
    Numbers,
    /// Page 3 of 12.
    Steps,
}

/// The look of a site in a world.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) brand: &'static str,
    pub(crate) voice: Voice,
    pub(crate) pager: PagerStyle,
    pub(crate) colours: SiteColours,
    pub(crate) css: String,
    /// The site's mark beside its name.
    pub(crate) mark: u64,
}

/// The looks of all hosts of a world. No two neighbours share a family while there are families left.
pub(crate) fn looks(seed: u64, reserve: Reserve) -> Vec<Look> {
    let mut draw = Draw::of_world(seed, "looks");
    let mut families = LookFamily::OPEN.to_vec();
    if reserve == Reserve::Used {
        families.extend(LookFamily::HELD_BACK);
    }
    for at in (1..families.len()).rev() {
        families.swap(at, draw.below(at + 1));
    }
    SiteHost::ALL
        .into_iter()
        .map(|host| look(host, families[host as usize % families.len()], draw.fork(host as u64)))
        .collect()
}

fn look(host: SiteHost, family: LookFamily, mut draw: Draw) -> Look {
    let colours = SiteColours::drawn(family, &mut draw);
    let is_prose = matches!(host, SiteHost::Pedia | SiteHost::Herald | SiteHost::Find | SiteHost::Gazette);
    let voice = if is_prose { Voice::of_prose(draw.fork(1)) } else { Voice::of_tables(draw.fork(1)) };
    Look {
        brand: host.brands()[draw.below(host.brands().len())],
        voice,
        pager: *draw.choose(&[PagerStyle::Numbers, PagerStyle::Steps]),
        css: style::css(family, &colours, draw.fork(2)),
        mark: draw.next_u64(),
        colours,
    }
}
