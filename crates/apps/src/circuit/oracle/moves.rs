//! What is done to draw a circuit, move by move, and how each is seen to have worked.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;

use quintain_core::action::{Action, Button, Place};
use serde_json::Value;

use super::screen::{CircuitScreen, Origin, click};
use super::typed::typed;
use crate::circuit::app::CircuitPlan;
use crate::circuit::model::recipe::AddingWay;
use crate::circuit::model::{CircuitPart, CircuitQuantity, GridPoint, PartKind, catalogue};

/// One action, and what it should bring about.
#[derive(Clone, Debug)]
pub(super) struct CircuitMove {
    pub(super) does: MoveDeed,
    pub(super) until: CircuitMoveSign,
    /// What makes it needless when it is seen.
    unless: Option<String>,
}

/// What is done.
#[derive(Clone, Debug)]
pub(super) enum MoveDeed {
    /// Click on a thing.
    Click(String),
    /// Click at a point of the grid.
    ClickAt(GridPoint, Button),
    /// Click twice on a thing.
    Open(String),
    /// Click on a thing with the right button.
    Menu(String),
    /// Click three times on a thing, so that its text is selected.
    Select(String),
    /// Type a text.
    Type(String),
    /// Press the key that closes menus.
    Escape,
    /// Drag from one point of the grid to another.
    Wire(GridPoint, GridPoint),
}

/// How a move is seen to have worked.
#[derive(Clone, Debug)]
pub(super) enum CircuitMoveSign {
    /// It always has.
    Done,
    /// A thing appears.
    Shows(String),
    /// A thing goes away.
    Hides(String),
}

impl CircuitMoveSign {
    /// Whether it has worked.
    pub(super) fn holds(&self, screen: &CircuitScreen<'_>) -> bool {
        match self {
            Self::Done => true,
            Self::Shows(name) => screen.shows(name),
            Self::Hides(name) => !screen.shows(name),
        }
    }
}

impl CircuitMove {
    fn new(does: MoveDeed, until: CircuitMoveSign) -> Self {
        Self { does, until, unless: None }
    }

    /// A click on a thing that makes another appear.
    fn to_show(click: &str, shows: &str) -> Self {
        Self::new(MoveDeed::Click(click.to_owned()), CircuitMoveSign::Shows(shows.to_owned()))
    }

    /// Whether it need not be made.
    pub(super) fn is_needless(&self, screen: &CircuitScreen<'_>) -> bool {
        self.unless.as_ref().is_some_and(|name| screen.shows(name))
    }

    /// The action, where everything it needs is in view.
    pub(super) fn action(&self, screen: &CircuitScreen<'_>, origin: Option<Origin>) -> Option<Action> {
        let at = |point: GridPoint| screen.pixel(point, origin?);
        Some(match &self.does {
            MoveDeed::Click(name) => click(screen.middle(name)?),
            MoveDeed::ClickAt(point, button) => {
                Action::Click { at: Some(at(*point)?), button: *button, held: Vec::new() }
            }
            MoveDeed::Open(name) => Action::DoubleClick { at: Some(screen.middle(name)?), button: Button::Left },
            MoveDeed::Menu(name) => {
                Action::Click { at: Some(screen.middle(name)?), button: Button::Right, held: Vec::new() }
            }
            MoveDeed::Select(name) => Action::TripleClick { at: Some(screen.middle(name)?), button: Button::Left },
            MoveDeed::Type(text) => Action::Type { text: text.clone() },
            MoveDeed::Escape => Action::Key { keys: vec!["Escape".to_owned()] },
            MoveDeed::Wire(from, to) => {
                let path: Vec<Place> = vec![at(*from)?, at(*to)?];
                Action::Drag { path, button: Button::Left }
            }
        })
    }
}

impl fmt::Display for CircuitMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.does {
            MoveDeed::Click(name) => write!(f, "the click on `{name}`"),
            MoveDeed::ClickAt(point, Button::Right) => write!(f, "the right click at {point:?}"),
            MoveDeed::ClickAt(point, _) => write!(f, "the click at {point:?}"),
            MoveDeed::Open(name) => write!(f, "the double click on `{name}`"),
            MoveDeed::Menu(name) => write!(f, "the right click on `{name}`"),
            MoveDeed::Select(name) => write!(f, "selecting `{name}`"),
            MoveDeed::Type(text) => write!(f, "typing `{text}`"),
            MoveDeed::Escape => write!(f, "the Escape key"),
            MoveDeed::Wire(from, to) => write!(f, "the wire from {from:?} to {to:?}"),
        }
    }
}

/// All moves that draw a plan's circuit and open its scopes.
pub(super) fn of(plan: &CircuitPlan) -> VecDeque<CircuitMove> {
    let mut moves = VecDeque::new();
    for part in &plan.circuit.parts {
        moves.extend(pick(part, plan.menu));
        moves.push_back(CircuitMove::new(
            MoveDeed::ClickAt(part.at, Button::Left),
            CircuitMoveSign::Shows(format!("part/{}", part.id)),
        ));
        moves.extend(edit(part, plan.menu));
    }
    for wire in &plan.circuit.wires {
        let until = CircuitMoveSign::Shows(format!("wire/{}", wire.id));
        moves.push_back(CircuitMove::new(MoveDeed::Wire(wire.from, wire.to), until));
    }
    moves.extend(scopes(plan));
    moves
}

/// Chooses a kind of part, so that it hangs at the pointer.
fn pick(part: &CircuitPart, way: AddingWay) -> Vec<CircuitMove> {
    let name = &part.kind.spec().name;
    let menu = catalogue().menus.iter().find(|menu| menu.kinds.contains(&part.kind)).map_or("", |menu| &menu.name);
    let picked = |item: String| CircuitMove::new(MoveDeed::Click(item.clone()), CircuitMoveSign::Hides(item));
    match way {
        AddingWay::Draw => vec![
            CircuitMove::to_show("draw", &format!("menu/{menu}")),
            CircuitMove::to_show(&format!("menu/{menu}"), &format!("menu/{menu}/{name}")),
            picked(format!("menu/{menu}/{name}")),
        ],
        AddingWay::Context => vec![
            CircuitMove::new(MoveDeed::ClickAt(part.at, Button::Right), CircuitMoveSign::Shows("menu/Add".to_owned())),
            CircuitMove::to_show("menu/Add", &format!("menu/Add/{menu}")),
            CircuitMove::to_show(&format!("menu/Add/{menu}"), &format!("menu/Add/{menu}/{name}")),
            picked(format!("menu/Add/{menu}/{name}")),
        ],
        AddingWay::Search => vec![
            CircuitMove::to_show("search", "search/0"),
            CircuitMove::new(MoveDeed::Type(name.clone()), CircuitMoveSign::Shows("search/0".to_owned())),
            picked("search/0".to_owned()),
        ],
    }
}

/// Sets what differs from a new part in the dialog. A label alone is worth it for logic inputs and outputs only.
fn edit(part: &CircuitPart, way: AddingWay) -> Vec<CircuitMove> {
    let spec = part.kind.spec();
    let differs = |key: &str, default: &Value| part.settings.get(key).is_some_and(|value| value != default);
    let own = spec.settings.iter().filter(|setting| setting.key != "label" && differs(&setting.key, &setting.default));
    let is_terminal = matches!(spec.kind, PartKind::LogicInput | PartKind::LogicOutput);
    if own.clone().next().is_none() && !is_terminal {
        return Vec::new();
    }
    let body = format!("part/{}", part.id);
    let shown = CircuitMoveSign::Shows("dialog/ok".to_owned());
    let mut moves = match way {
        AddingWay::Context => vec![
            CircuitMove::new(MoveDeed::Menu(body), CircuitMoveSign::Shows("menu/Edit...".to_owned())),
            CircuitMove::new(MoveDeed::Click("menu/Edit...".to_owned()), shown),
        ],
        AddingWay::Draw | AddingWay::Search => vec![CircuitMove::new(MoveDeed::Open(body), shown)],
    };
    let label = spec.setting("label").filter(|_| !part.label().is_empty());
    for setting in label.into_iter().chain(own) {
        let field = format!("dialog/{}", setting.key);
        let value = &part.settings[&setting.key];
        if setting.kind == "choice" {
            let option = setting.options.iter().position(|option| value.as_str() == Some(option)).unwrap_or_default();
            let option = format!("{field}/option/{option}");
            moves.push(CircuitMove::to_show(&field, &option));
            moves.push(CircuitMove::new(MoveDeed::Click(option.clone()), CircuitMoveSign::Hides(option)));
            continue;
        }
        moves.push(CircuitMove::new(MoveDeed::Select(field), CircuitMoveSign::Done));
        let text = value.as_f64().map_or_else(|| part.label().to_owned(), |number| typed(number, &setting.unit));
        moves.push(CircuitMove::new(MoveDeed::Type(text), CircuitMoveSign::Done));
    }
    moves.push(CircuitMove::new(
        MoveDeed::Click("dialog/ok".to_owned()),
        CircuitMoveSign::Hides("dialog/ok".to_owned()),
    ));
    moves
}

/// The measure of a scope that shows a quantity: its name in the table, its name in the menu.
pub(super) fn measure(quantity: CircuitQuantity) -> Option<(&'static str, &'static str)> {
    match quantity {
        CircuitQuantity::Frequency => Some(("frequency", "Frequency")),
        CircuitQuantity::Duty => Some(("duty", "Duty cycle")),
        CircuitQuantity::PeakToPeak => Some(("peak_to_peak", "Peak-to-peak")),
        CircuitQuantity::Volts | CircuitQuantity::Drop => None,
    }
}

/// The pins that scopes are opened on, in the order of the scopes.
pub(super) fn watched(plan: &CircuitPlan) -> Vec<(String, String)> {
    let mut seen = BTreeSet::new();
    let pins = plan.readings.iter().filter(|reading| measure(reading.quantity).is_some());
    let pins = pins.map(|reading| (reading.part.clone(), reading.pin.clone().unwrap_or_default()));
    pins.filter(|pin| seen.insert(pin.clone())).collect()
}

/// Opens a scope on every pin that is to be watched, and switches its measures on.
fn scopes(plan: &CircuitPlan) -> Vec<CircuitMove> {
    let mut moves = Vec::new();
    for (idx, (label, pin)) in watched(plan).into_iter().enumerate() {
        let scope = format!("scope/s{}", idx + 1);
        let Some(place) = plan.circuit.labelled(&label).next().and_then(|part| part.pin_place(&pin)) else { continue };
        let item = "menu/View in new scope";
        moves.push(CircuitMove::new(MoveDeed::ClickAt(place, Button::Right), CircuitMoveSign::Shows(item.to_owned())));
        moves.push(CircuitMove::new(MoveDeed::Click(item.to_owned()), CircuitMoveSign::Shows(scope.clone())));
        let here = plan.readings.iter().filter(|one| one.part == label && one.pin.as_deref() == Some(&pin));
        // The menu of a scope stays open while measures are chosen.
        let removal = "menu/Remove".to_owned();
        moves.push(CircuitMove::to_show(&format!("{scope}/menu"), &removal));
        for (key, word) in here.filter_map(|one| measure(one.quantity)) {
            let line = format!("{scope}/{key}");
            moves.push(CircuitMove {
                unless: Some(line.clone()),
                ..CircuitMove::to_show(&format!("menu/{word}"), &line)
            });
        }
        moves.push(CircuitMove::new(MoveDeed::Escape, CircuitMoveSign::Hides(removal)));
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::model::recipe::{CircuitRecipe, FieldReading, lay_out};

    fn told(menu: AddingWay, recipe: &str, readings: Vec<FieldReading>) -> String {
        let circuit = lay_out(&CircuitRecipe::read(recipe).unwrap()).unwrap();
        let plan = CircuitPlan { menu, circuit, readings, settle: 0.1 };
        of(&plan).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn parts_are_added_set_and_wired() {
        let recipe = r#"
            inputs = [{ net = "a", label = "A" }]
            gates = [{ net = "y", is = "a nand a nand a" }]
        "#;
        insta::assert_snapshot!(told(AddingWay::Draw, recipe, Vec::new()), @"
        the click on `draw`
        the click on `menu/Inputs & outputs`
        the click on `menu/Inputs & outputs/Logic Input`
        the click at [5, 5]
        the double click on `part/p1`
        selecting `dialog/label`
        typing `A`
        the click on `dialog/ok`
        the click on `draw`
        the click on `menu/Logic gates`
        the click on `menu/Logic gates/NAND`
        the click at [11, 5]
        the double click on `part/p2`
        the click on `dialog/inputs`
        the click on `dialog/inputs/option/1`
        the click on `dialog/ok`
        the wire from [11, 3] to [11, 5]
        the wire from [11, 5] to [11, 7]
        the wire from [5, 5] to [11, 5]
        ");
    }

    #[test]
    fn scopes_are_opened_once_and_show_what_is_asked() {
        let recipe = r#"
            [[part]]
            kind = "clock"
            label = "CLK"
            settings = { frequency = "2 kHz" }
            pins = { out = "q" }
        "#;
        let reading = |field: &str, quantity| FieldReading {
            field: field.to_owned(),
            quantity,
            part: "CLK".to_owned(),
            pin: Some("out".to_owned()),
        };
        let readings = vec![reading("f", CircuitQuantity::Frequency), reading("d", CircuitQuantity::Duty)];
        insta::assert_snapshot!(told(AddingWay::Context, recipe, readings), @"
        the right click at [5, 3]
        the click on `menu/Add`
        the click on `menu/Add/Inputs & outputs`
        the click on `menu/Add/Inputs & outputs/Clock`
        the click at [5, 3]
        the right click on `part/p1`
        the click on `menu/Edit...`
        selecting `dialog/label`
        typing `CLK`
        selecting `dialog/frequency`
        typing `2k`
        the click on `dialog/ok`
        the right click at [5, 3]
        the click on `menu/View in new scope`
        the click on `scope/s1/menu`
        the click on `menu/Frequency`
        the click on `menu/Duty cycle`
        the Escape key
        ");
    }
}
