//! What companies do.

use serde::{Deserialize, Serialize};

use crate::ids::WordId;
use crate::names::Words;

macro_rules! sectors {
    ($($name:ident, $label:literal, $words:literal;)*) => {
        /// What a company does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Sector {
            $(#[doc = concat!("The sector of ", $label, ".")] $name,)*
        }

        impl Sector {
            /// All sectors.
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            /// What the sector is called.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$name => $label,)*
                }
            }

            /// Words for names of its companies, separated by slashes.
            const fn name_words(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                }
            }
        }
    };
}

sectors! {
    Banking, "banking", "bank/savings bank/merchant bank/credit bank/banking house";
    Auditing, "auditing", "auditors/audit partners/assurance/accountants";
    Insurance, "insurance", "insurance/mutual/assurances/reinsurance";
    Pharmaceuticals, "pharmaceuticals", "pharmaceuticals/therapeutics/laboratories/biologics/remedies";
    Steel, "steel", "steel/steelworks/metals/foundry/rolling mills";
    Shipping, "shipping", "shipping/lines/maritime/freight/navigation";
    Energy, "energy supply", "energy/power/electric/grid/utilities";
    Chemicals, "chemicals", "chemicals/polymers/coatings/resins/compounds";
    Food, "food processing", "foods/dairy/mills/bakeries/provisions";
    Textiles, "textiles", "textiles/weaving/fabrics/knitwear/spinning";
    Machinery, "machinery", "machines/engineering/tools/hydraulics/drives";
    Electronics, "electronics", "electronics/semiconductors/circuits/sensors/devices";
    Software, "software", "software/systems/data/computing/networks";
    Telecoms, "telecommunications", "telecom/wireless/cable/mobile/connect";
    Retail, "retail", "stores/markets/retail/trading/outlets";
    Construction, "construction", "construction/builders/contractors/cement/works";
    Mining, "mining", "mining/minerals/quarries/resources/ores";
    Paper, "paper and board", "paper/pulp/board/packaging/timber";
    Vehicles, "vehicles", "motors/vehicles/axles/coachworks/mobility";
    Rail, "rail transport", "railways/rail/rolling stock/transit/tramways";
    Aviation, "aviation", "airways/aviation/aerospace/air service/wings";
    Tourism, "tourism", "hotels/resorts/travel/leisure/spas";
    Media, "media", "media/press/broadcasting/publishing/pictures";
    Agriculture, "agriculture", "farms/seeds/growers/orchards/fisheries";
}

impl Sector {
    /// The sectors that a region can be known for: all but banking and auditing, which every country has its share of.
    pub const SPECIALITIES: [Self; Self::ALL.len() - 2] = {
        let mut rest = [Self::Insurance; Self::ALL.len() - 2];
        let mut at = 0;
        while at < rest.len() {
            rest[at] = Self::ALL[at + 2];
            at += 1;
        }
        rest
    };

    /// Whether companies of this sector need a licence or stand apart from those they look at.
    pub const fn is_supervised(self) -> bool {
        matches!(self, Self::Banking | Self::Auditing)
    }
}

/// The words that companies of each sector are named with.
pub(crate) struct SectorWords {
    by_sector: Vec<Vec<Vec<WordId>>>,
    pub(crate) general: Vec<WordId>,
    pub(crate) and: WordId,
    pub(crate) sons: WordId,
    pub(crate) first: WordId,
}

impl SectorWords {
    pub(crate) fn new(words: &mut Words) -> Self {
        let by_sector = Sector::ALL
            .into_iter()
            .map(|sector| sector.name_words().split('/').map(|text| words.add_all(text)).collect())
            .collect();
        let general = words.add_all("group holdings industries company works partners alliance union enterprises");
        Self { by_sector, general, and: words.add("and"), sons: words.add("sons"), first: words.add("first") }
    }

    /// What companies of a sector may be called, each one or two words.
    pub(crate) fn of(&self, sector: Sector) -> &[Vec<WordId>] {
        &self.by_sector[sector as usize]
    }
}
