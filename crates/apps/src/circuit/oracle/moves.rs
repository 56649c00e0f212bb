//! What is done to draw a circuit, move by move, and how each is seen to have worked.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;

use quintain_core::action::{Action, Button, Place};
use serde_json::Value;

use super::screen::{Origin, Screen, click};
use super::typed::typed;
use crate::circuit::app::Plan;
use crate::circuit::model::recipe::Way;
use crate::circuit::model::{Kind, Part, Point, Quantity, catalogue};

/// One action, and what it should bring about.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) does: Does,
    pub(super) until: Until,
    /// What makes it needless when it is seen.
    unless: Option<String>,
}

/// What is done.
#[derive(Clone, Debug)]
pub(super) enum Does {
    /// Click on a thing.
    Click(String),
    /// Click at a point of the grid.
    ClickAt(Point, Button),
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
    Wire(Point, Point),
}

/// How a move is seen to have worked.
#[derive(Clone, Debug)]
pub(super) enum Until {
    /// It always has.
    Done,
    /// A thing appears.
    Shows(String),
    /// A thing goes away.
    Hides(String),
}

impl Until {
    /// Whether it has worked.
    pub(super) fn holds(&self, screen: &Screen<'_>) -> bool {
        match self {
            Self::Done => true,
            Self::Shows(name) => screen.shows(name),
            Self::Hides(name) => !screen.shows(name),
        }
    }
}

impl Move {
    fn new(does: Does, until: Until) -> Self {
        Self { does, until, unless: None }
    }

    /// A click on a thing that makes another appear.
    fn to_show(click: &str, shows: &str) -> Self {
        Self::new(Does::Click(click.to_owned()), Until::Shows(shows.to_owned()))
    }

    /// Whether it need not be made.
    pub(super) fn is_needless(&self, screen: &Screen<'_>) -> bool {
        self.unless.as_ref().is_some_and(|name| screen.shows(name))
    }

    /// The action, where everything it needs is in view.
    pub(super) fn action(&self, screen: &Screen<'_>, origin: Option<Origin>) -> Option<Action> {
        let at = |point: Point| screen.pixel(point, origin?);
        Some(match &self.does {
            Does::Click(name) => click(screen.middle(name)?),
            Does::ClickAt(point, button) => Action::Click { at: Some(at(*point)?), button: *button, held: Vec::new() },
            Does::Open(name) => Action::DoubleClick { at: Some(screen.middle(name)?), button: Button::Left },
            Does::Menu(name) => {
                Action::Click { at: Some(screen.middle(name)?), button: Button::Right, held: Vec::new() }
            }
            Does::Select(name) => Action::TripleClick { at: Some(screen.middle(name)?), button: Button::Left },
            Does::Type(text) => Action::Type { text: text.clone() },
            Does::Escape => Action::Key { keys: vec!["Escape".to_owned()] },
            Does::Wire(from, to) => {
                let path: Vec<Place> = vec![at(*from)?, at(*to)?];
                Action::Drag { path, button: Button::Left }
            }
        })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.does {
            Does::Click(name) => write!(f, "the click on `{name}`"),
            Does::ClickAt(point, Button::Right) => write!(f, "the right click at {point:?}"),
            Does::ClickAt(point, _) => write!(f, "the click at {point:?}"),
            Does::Open(name) => write!(f, "the double click on `{name}`"),
            Does::Menu(name) => write!(f, "the right click on `{name}`"),
            Does::Select(name) => write!(f, "selecting `{name}`"),
            Does::Type(text) => write!(f, "typing `{text}`"),
            Does::Escape => write!(f, "the Escape key"),
            Does::Wire(from, to) => write!(f, "the wire from {from:?} to {to:?}"),
        }
    }
}

/// All moves that draw a plan's circuit and open its scopes.
pub(super) fn of(plan: &Plan) -> VecDeque<Move> {
    let mut moves = VecDeque::new();
    for part in &plan.circuit.parts {
        moves.extend(pick(part, plan.menu));
        moves.push_back(Move::new(Does::ClickAt(part.at, Button::Left), Until::Shows(format!("part/{}", part.id))));
        moves.extend(edit(part, plan.menu));
    }
    for wire in &plan.circuit.wires {
        let until = Until::Shows(format!("wire/{}", wire.id));
        moves.push_back(Move::new(Does::Wire(wire.from, wire.to), until));
    }
    moves.extend(scopes(plan));
    moves
}

/// Chooses a kind of part, so that it hangs at the pointer.
fn pick(part: &Part, way: Way) -> Vec<Move> {
    let name = &part.kind.spec().name;
    let menu = catalogue().menus.iter().find(|menu| menu.kinds.contains(&part.kind)).map_or("", |menu| &menu.name);
    let picked = |item: String| Move::new(Does::Click(item.clone()), Until::Hides(item));
    match way {
        Way::Draw => vec![
            Move::to_show("draw", &format!("menu/{menu}")),
            Move::to_show(&format!("menu/{menu}"), &format!("menu/{menu}/{name}")),
            picked(format!("menu/{menu}/{name}")),
        ],
        Way::Context => vec![
            Move::new(Does::ClickAt(part.at, Button::Right), Until::Shows("menu/Add".to_owned())),
            Move::to_show("menu/Add", &format!("menu/Add/{menu}")),
            Move::to_show(&format!("menu/Add/{menu}"), &format!("menu/Add/{menu}/{name}")),
            picked(format!("menu/Add/{menu}/{name}")),
        ],
        Way::Search => vec![
            Move::to_show("search", "search/0"),
            Move::new(Does::Type(name.clone()), Until::Shows("search/0".to_owned())),
            picked("search/0".to_owned()),
        ],
    }
}

/// Sets what differs from a new part in the dialog. A label alone is worth it for logic inputs and outputs only.
fn edit(part: &Part, way: Way) -> Vec<Move> {
    let spec = part.kind.spec();
    let differs = |key: &str, default: &Value| part.settings.get(key).is_some_and(|value| value != default);
    let own = spec.settings.iter().filter(|setting| setting.key != "label" && differs(&setting.key, &setting.default));
    let is_terminal = matches!(spec.kind, Kind::LogicInput | Kind::LogicOutput);
    if own.clone().next().is_none() && !is_terminal {
        return Vec::new();
    }
    let body = format!("part/{}", part.id);
    let shown = Until::Shows("dialog/ok".to_owned());
    let mut moves = match way {
        Way::Context => vec![
            Move::new(Does::Menu(body), Until::Shows("menu/Edit...".to_owned())),
            Move::new(Does::Click("menu/Edit...".to_owned()), shown),
        ],
        Way::Draw | Way::Search => vec![Move::new(Does::Open(body), shown)],
    };
    let label = spec.setting("label").filter(|_| !part.label().is_empty());
    for setting in label.into_iter().chain(own) {
        let field = format!("dialog/{}", setting.key);
        let value = &part.settings[&setting.key];
        if setting.kind == "choice" {
            let option = setting.options.iter().position(|option| value.as_str() == Some(option)).unwrap_or_default();
            let option = format!("{field}/option/{option}");
            moves.push(Move::to_show(&field, &option));
            moves.push(Move::new(Does::Click(option.clone()), Until::Hides(option)));
            continue;
        }
        moves.push(Move::new(Does::Select(field), Until::Done));
        let text = value.as_f64().map_or_else(|| part.label().to_owned(), |number| typed(number, &setting.unit));
        moves.push(Move::new(Does::Type(text), Until::Done));
    }
    moves.push(Move::new(Does::Click("dialog/ok".to_owned()), Until::Hides("dialog/ok".to_owned())));
    moves
}

/// The measure of a scope that shows a quantity: its name in the table, its name in the menu.
pub(super) fn measure(quantity: Quantity) -> Option<(&'static str, &'static str)> {
    match quantity {
        Quantity::Frequency => Some(("frequency", "Frequency")),
        Quantity::Duty => Some(("duty", "Duty cycle")),
        Quantity::PeakToPeak => Some(("peak_to_peak", "Peak-to-peak")),
        Quantity::Volts | Quantity::Drop => None,
    }
}

/// The pins that scopes are opened on, in the order of the scopes.
pub(super) fn watched(plan: &Plan) -> Vec<(String, String)> {
    let mut seen = BTreeSet::new();
    let pins = plan.readings.iter().filter(|reading| measure(reading.quantity).is_some());
    let pins = pins.map(|reading| (reading.part.clone(), reading.pin.clone().unwrap_or_default()));
    pins.filter(|pin| seen.insert(pin.clone())).collect()
}

/// Opens a scope on every pin that is to be watched, and switches its measures on.
fn scopes(plan: &Plan) -> Vec<Move> {
    let mut moves = Vec::new();
    for (idx, (label, pin)) in watched(plan).into_iter().enumerate() {
        let scope = format!("scope/s{}", idx + 1);
        let Some(place) = plan.circuit.labelled(&label).next().and_then(|part| part.pin_place(&pin)) else { continue };
        let item = "menu/View in new scope";
        moves.push(Move::new(Does::ClickAt(place, Button::Right), Until::Shows(item.to_owned())));
        moves.push(Move::new(Does::Click(item.to_owned()), Until::Shows(scope.clone())));
        let here = plan.readings.iter().filter(|one| one.part == label && one.pin.as_deref() == Some(&pin));
        // The menu of a scope stays open while measures are chosen.
        let removal = "menu/Remove".to_owned();
        moves.push(Move::to_show(&format!("{scope}/menu"), &removal));
        for (key, word) in here.filter_map(|one| measure(one.quantity)) {
            let line = format!("{scope}/{key}");
            moves.push(Move { unless: Some(line.clone()), ..Move::to_show(&format!("menu/{word}"), &line) });
        }
        moves.push(Move::new(Does::Escape, Until::Hides(removal)));
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::model::recipe::{Reading, Recipe, lay_out};

    fn told(menu: Way, recipe: &str, readings: Vec<Reading>) -> String {
        let circuit = lay_out(&Recipe::read(recipe).unwrap()).unwrap();
        let plan = Plan { menu, circuit, readings, settle: 0.1 };
        of(&plan).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn parts_are_added_set_and_wired() {
        let recipe = r#"
            inputs = [{ net = "a", label = "A" }]
            gates = [{ net = "y", is = "a nand a nand a" }]
        "#;
        insta::assert_snapshot!(told(Way::Draw, recipe, Vec::new()), @"
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
        let reading = |field: &str, quantity| Reading {
            field: field.to_owned(),
            quantity,
            part: "CLK".to_owned(),
            pin: Some("out".to_owned()),
        };
        let readings = vec![reading("f", Quantity::Frequency), reading("d", Quantity::Duty)];
        insta::assert_snapshot!(told(Way::Context, recipe, readings), @"
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
