//! The fourteen tools of a desktop, and a closer look.

use quintain_core::action::Dialect;
use serde_json::json;

use super::Pointing;
use super::function::{FunctionField, function};
use crate::model::{Points, Tool};

/// All of them, in the order of keyboard, mouse and the rest.
pub(super) fn functions(pointing: Pointing) -> Vec<Tool> {
    let mut tools = keyboard();
    tools.extend(mouse(pointing));
    tools.extend(rest(pointing));
    tools
}

/// Those that say what a model's own computer tool cannot.
pub(super) fn unsaid_by(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Anthropic => &["key_down", "key_up", "drag"],
        Dialect::OpenAi => {
            &["click", "drag", "key_down", "key_up", "hold_key", "mouse_down", "mouse_up", "wait", "zoom"]
        }
        Dialect::Google => &[
            "click",
            "drag",
            "scroll",
            "type",
            "key_down",
            "key_up",
            "hold_key",
            "mouse_down",
            "mouse_up",
            "wait",
            "screenshot",
            "zoom",
        ],
        Dialect::Gemini => &["drag", "hold_key", "zoom"],
        _ => &[],
    }
}

fn keyboard() -> Vec<Tool> {
    let keys = || {
        let about = "Keys that are pressed together, such as [\"ctrl\", \"c\"]: ctrl, shift, alt, meta, Enter, Tab, \
                     Escape, Backspace, Delete, Home, End, PageUp, PageDown, ArrowLeft, ArrowRight, ArrowUp, \
                     ArrowDown, F1 to F12, or a character.";
        FunctionField::new("keys", json!({"type": "array", "items": {"type": "string"}, "minItems": 1}), about)
    };
    let ms = FunctionField::whole("ms", 0, "For how many milliseconds.");
    vec![
        function("key", "Presses keys together and lets them go.", [keys()]),
        function("key_down", "Pushes keys down and leaves them down.", [keys()]),
        function("key_up", "Lets keys go that were left down.", [keys()]),
        function(
            "type",
            "Types a text where the keyboard is. A line break is Enter.",
            [FunctionField::text("text", "The text.")],
        ),
        function("hold_key", "Holds keys for a while, then lets them go.", [keys(), ms]),
    ]
}

fn mouse(pointing: Pointing) -> Vec<Tool> {
    let button = || {
        let about = "The button; the left one unless said otherwise.";
        FunctionField::new("button", json!({"type": "string", "enum": ["left", "right", "middle"]}), about).optional()
    };
    let count =
        FunctionField::new("count", json!({"type": "integer", "enum": [1, 2, 3]}), "How often; once unless said.");
    let held = FunctionField::new(
        "held",
        json!({"type": "array", "items": {"type": "string"}}),
        "Keys that are held meanwhile, such as [\"shift\"].",
    );
    let place = |about| place(pointing, about);
    let maybe = |about| place(about).into_iter().map(FunctionField::optional);
    let here = "unless said, where the pointer is.";
    vec![
        function("mouse_move", "Moves the pointer without clicking.", place("Where to:")),
        function(
            "click",
            "Clicks a mouse button, once or several times.",
            place("Where:").into_iter().chain([button(), count.optional(), held.optional()]),
        ),
        function(
            "drag",
            "Pushes a mouse button down at one place, moves, and lets it go at another.",
            ends(pointing).into_iter().chain([button()]),
        ),
        function(
            "mouse_down",
            &format!("Pushes a mouse button down and leaves it down; {here}"),
            maybe("Where:").chain([button()]),
        ),
        function("mouse_up", &format!("Lets a mouse button go; {here}"), maybe("Where:").chain([button()])),
        function("scroll", &format!("Turns the wheel; {here}"), maybe("Where:").chain(distance(pointing))),
    ]
}

fn rest(pointing: Pointing) -> Vec<Tool> {
    let look = "Looks again without doing anything.";
    let pointer = "Looks again without doing anything: the pointer is where the last action of the mouse left it.";
    let wait = FunctionField::whole("ms", 0, "How many milliseconds, 60000 at most.");
    let mut tools = vec![
        function("screenshot", look, []),
        function("cursor_position", pointer, []),
        function("wait", "Lets time pass.", [wait]),
    ];
    if let Pointing::Points(points) | Pointing::Marks(points) = pointing {
        let corners = corners(points, "the upper left corner", "the lower right corner");
        tools.push(function("zoom", "Looks closer at a part of the screen.", corners));
    }
    tools
}

/// One place.
fn place(pointing: Pointing, about: &str) -> Vec<FunctionField> {
    match pointing {
        Pointing::Points(points) => point(points, ("x", "y"), about).into(),
        Pointing::Marks(points) => {
            let mark = format!("{about} the number of an element. Give it rather than a point where there is one.");
            let [x, y] = point(points, ("x", "y"), about);
            vec![FunctionField::whole("mark", 0, &mark).optional(), x.optional(), y.optional()]
        }
        Pointing::Target => vec![target("target", about)],
    }
}

/// Where a drag begins and ends.
fn ends(pointing: Pointing) -> Vec<FunctionField> {
    match pointing {
        Pointing::Points(points) => {
            let path = json!({"type": "array", "minItems": 2,
                "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}});
            let path =
                FunctionField::new("path", path, "Instead of the four numbers: points [x, y] to go through, in order.");
            let ends = corners(points, "where it begins", "where it ends").into_iter().map(FunctionField::optional);
            ends.chain([path.optional()]).collect()
        }
        Pointing::Marks(points) => {
            let marks = [("mark1", "where it begins"), ("mark2", "where it ends")];
            let marks = marks
                .map(|(name, about)| FunctionField::whole(name, 0, &format!("The number of the element {about}.")));
            let points = corners(points, "where it begins", "where it ends");
            marks.into_iter().chain(points).map(FunctionField::optional).collect()
        }
        Pointing::Target => vec![target("from_target", "Where it begins:"), target("to_target", "Where it ends:")],
    }
}

fn target(name: &str, about: &str) -> FunctionField {
    FunctionField::text(
        name,
        &format!("{about} one thing on the screen, described so that nobody can take another for it."),
    )
}

fn corners(points: Points, first: &str, last: &str) -> Vec<FunctionField> {
    let first = point(points, ("x1", "y1"), &format!("For {first}:"));
    first.into_iter().chain(point(points, ("x2", "y2"), &format!("For {last}:"))).collect()
}

fn point(points: Points, (x, y): (&str, &str), about: &str) -> [FunctionField; 2] {
    let (across, down) = match points {
        Points::Pixels | Points::Resized => {
            ("pixels from the left edge of the picture.", "pixels from its upper edge.")
        }
        Points::Thousandths => ("0 (left edge) to 1000 (right edge).", "0 (upper edge) to 1000 (lower edge)."),
        Points::Unit => ("0 (left edge) to 1 (right edge).", "0 (upper edge) to 1 (lower edge)."),
    };
    [FunctionField::number(x, &format!("{about} {across}")), FunctionField::number(y, &format!("{about} {down}"))]
}

/// How far the wheel turns, in the units of points.
fn distance(pointing: Pointing) -> [FunctionField; 2] {
    let (across, down) = match pointing {
        Pointing::Points(Points::Thousandths) | Pointing::Marks(Points::Thousandths) => {
            ("thousandths of the screen's width", "thousandths of its height")
        }
        Pointing::Points(Points::Unit) | Pointing::Marks(Points::Unit) => ("screen widths", "screen heights"),
        _ => ("pixels", "pixels"),
    };
    let field = |name, unit: &str, way: &str, other: &str| {
        FunctionField::number(name, &format!("How many {unit} to the {way}; negative is {other}.")).optional()
    };
    [
        field("dx", across, "right", "to the left"),
        FunctionField::number("dy", &format!("How many {down} down; negative is up.")),
    ]
}
