//! The kinds of parts: names, pins and settings, from the catalogue that the app itself is built with.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::GridPoint;

/// A kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each is named after the part it stands for")]
pub enum PartKind {
    Ground,
    DcSource,
    AcSource,
    DcRail,
    AcRail,
    Resistor,
    Capacitor,
    Inductor,
    Diode,
    Npn,
    Pnp,
    Opamp,
    Timer555,
    JkFlipFlop,
    And,
    Or,
    Nand,
    Nor,
    Xor,
    Xnor,
    Not,
    LogicInput,
    LogicOutput,
    Clock,
}

impl PartKind {
    /// What the catalogue says about it.
    pub fn spec(self) -> &'static KindSpec {
        let found = CATALOGUE.kinds.iter().find(|spec| spec.kind == self);
        found.expect("the catalogue lists every kind, as a test shows")
    }

    /// Whether it is a logic gate, `not` included.
    pub fn is_gate(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Nand | Self::Nor | Self::Xor | Self::Xnor | Self::Not)
    }

    /// Whether it works on levels alone: a gate, or what goes into and comes out of gates.
    pub fn is_logic(self) -> bool {
        self.is_gate() || matches!(self, Self::LogicInput | Self::LogicOutput)
    }

    /// Whether it gives one level for ever among gates: a ground, a one-terminal DC source.
    pub fn is_constant(self) -> bool {
        matches!(self, Self::Ground | Self::DcRail)
    }

    /// Whether a current through it is shown: it has two terminals.
    pub fn is_two_terminal(self) -> bool {
        matches!(
            self,
            Self::DcSource | Self::AcSource | Self::Resistor | Self::Capacitor | Self::Inductor | Self::Diode
        )
    }

    /// Whether it counts its voltages from ground by itself, so that a circuit with it needs no ground part.
    pub fn is_grounded(self) -> bool {
        let source = matches!(self, Self::Ground | Self::DcRail | Self::AcRail | Self::Clock | Self::Opamp);
        source || self.is_gate() || matches!(self, Self::LogicInput | Self::JkFlipFlop)
    }
}

/// The whole catalogue.
pub fn catalogue() -> &'static PartCatalogue {
    &CATALOGUE
}

static CATALOGUE: LazyLock<PartCatalogue> = LazyLock::new(|| {
    let text = include_str!("../../../../../web/apps/circuit-designer/src/catalogue.json");
    serde_json::from_str(text).expect("the catalogue is well formed, as a test shows")
});

/// All kinds of parts, and the menus they stand in.
#[derive(Clone, Debug, Deserialize)]
pub struct PartCatalogue {
    /// The menus, in order.
    pub menus: Vec<PartMenu>,
    /// The kinds, in order.
    pub kinds: Vec<KindSpec>,
}

/// One menu of parts.
#[derive(Clone, Debug, Deserialize)]
pub struct PartMenu {
    /// Its name on the screen.
    pub name: String,
    /// What it offers.
    pub kinds: Vec<PartKind>,
}

/// One kind of part.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KindSpec {
    /// Which one.
    pub kind: PartKind,
    /// Its name on the screen.
    pub name: String,
    /// What its labels begin with.
    pub prefix: String,
    /// What it does, in a sentence.
    pub about: String,
    /// Its pins; of a gate, those with two inputs.
    pub pins: Vec<PinSpec>,
    /// The pins by the setting `inputs`, for gates.
    #[serde(default)]
    pub pins_by: BTreeMap<String, Vec<PinSpec>>,
    /// The rectangle it covers, before it is turned and moved: left, top, right, bottom.
    #[serde(rename = "box")]
    pub area: [i32; 4],
    /// The rectangle by the setting `inputs`, for gates.
    #[serde(default, rename = "boxBy")]
    pub area_by: BTreeMap<String, [i32; 4]>,
    /// What it can be told.
    pub settings: Vec<SettingSpec>,
}

impl KindSpec {
    /// The setting of that key.
    pub fn setting(&self, key: &str) -> Option<&SettingSpec> {
        self.settings.iter().find(|setting| setting.key == key)
    }
}

/// One pin of a kind.
#[derive(Clone, Debug, Deserialize)]
pub struct PinSpec {
    /// Its name.
    pub name: String,
    /// Its place on the grid, before the part is flipped, turned and moved.
    pub at: GridPoint,
}

/// One setting of a kind.
#[derive(Clone, Debug, Deserialize)]
pub struct SettingSpec {
    /// Its key in the document.
    pub key: String,
    /// Its name in the dialog.
    pub label: String,
    /// `number`, `choice`, `toggle` or `text`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The unit of a number.
    #[serde(default)]
    pub unit: String,
    /// The value of a new part.
    pub default: Value,
    /// The least number.
    pub min: Option<f64>,
    /// The greatest number.
    pub max: Option<f64>,
    /// What a choice can be.
    #[serde(default)]
    pub options: Vec<String>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_is_listed_once_and_stands_in_one_menu() {
        let listed: Vec<PartKind> = catalogue().kinds.iter().map(|spec| spec.kind).collect();
        let in_menus: Vec<PartKind> = catalogue().menus.iter().flat_map(|menu| menu.kinds.clone()).collect();
        let sorted = |kinds: &[PartKind]| {
            let mut kinds = kinds.to_vec();
            kinds.sort_unstable();
            kinds
        };
        assert_eq!(sorted(&listed), sorted(&in_menus));
        // The last variant's number tells how many there are: a kind that is not listed shows here.
        assert_eq!(listed.len(), PartKind::Clock as usize + 1);
        assert!(sorted(&listed).windows(2).all(|pair| pair[0] != pair[1]));
    }

    /// The app keeps two of these facts in its own code, not in the catalogue.
    #[test]
    fn the_app_tells_the_same_kinds_apart() {
        let app = include_str!("../../../../../web/apps/circuit-designer/src/model/catalogue.ts");
        let in_app = |name: &str| -> BTreeSet<PartKind> {
            let (_, rest) = app.split_once(&format!("const {name} = new Set([")).unwrap();
            let (listed, _) = rest.split_once(']').unwrap();
            let names = listed.split('"').skip(1).step_by(2);
            names.map(|name| serde_json::from_value(Value::from(name)).unwrap()).collect()
        };
        let here = |holds: fn(PartKind) -> bool| -> BTreeSet<PartKind> {
            catalogue().kinds.iter().map(|spec| spec.kind).filter(|kind| holds(*kind)).collect()
        };
        assert_eq!(in_app("LOGIC"), here(PartKind::is_logic));
        assert_eq!(in_app("TWO_TERMINAL"), here(PartKind::is_two_terminal));
    }

    #[test]
    fn pins_of_a_kind_lie_apart() {
        for spec in &catalogue().kinds {
            for pins in spec.pins_by.values().chain([&spec.pins]) {
                let mut places: Vec<GridPoint> = pins.iter().map(|pin| pin.at).collect();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), pins.len(), "{} has two pins on one point", spec.name);
            }
        }
    }
}
