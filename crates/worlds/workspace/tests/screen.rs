//! Workspaces with a screen: KAlgebra stands open beside the shell.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use quintain_core::world::{World, WorldError};
use quintain_core::{
    Action, FileHandle, FileSet, Instance, InstanceId, ObservationPart, Pick, Rng, Screen, WorldKind as _,
};
use quintain_workspace::{Assignment, InputFiles, PUT_BACK, PreparedWork, WorkParameters, Workspace};
use serde_json::{Value, json};

const SOON: Duration = Duration::from_mins(2);
const SIZE: (u32, u32) = (1000, 700);
const KALGEBRA: &str = "XDG_CURRENT_DESKTOP=KDE KDE_SESSION_VERSION=5 kalgebra";

/// An assignment with one file.
struct OneLetter;

impl Assignment for OneLetter {
    fn name(&self) -> &'static str {
        "letter"
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, _parameters: &WorkParameters<'_>, _rng: &mut Rng) -> Result<PreparedWork, String> {
        Err("instances are made by hand here".to_owned())
    }

    fn inputs(&self, _plan: &Value) -> Result<InputFiles, String> {
        Ok([("letter.txt".to_owned(), b"a letter\n".to_vec())].into())
    }

    fn solution(&self, _plan: &Value, _wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        Ok(Vec::new())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &[]
    }

    fn home(&self) -> InputFiles {
        [(".config/kdeglobals".to_owned(), b"[KDE]\nCursorBlinkRate=0\n".to_vec())].into()
    }
}

type OpenWorld = Box<dyn World + Send>;

fn open(programs: &[&str]) -> Result<OpenWorld, WorldError> {
    let instance = Instance {
        id: InstanceId { task: "exam/letter".parse().expect("a name"), pick: Pick::default() },
        instruction: String::new(),
        parameters: BTreeMap::new(),
        start: json!({
            "assignment": "letter", "plan": {}, "screen": { "size": SIZE, "open": programs, "shell": true },
        }),
        secrets: Vec::new(),
        source: None,
    };
    Workspace::new(&[&OneLetter]).open(&instance)
}

fn seen(world: &mut OpenWorld, part: ObservationPart) -> String {
    let seen = world.observe(&[part].into(), SOON).expect("an observation");
    seen.texts.get(&part).cloned().unwrap_or_default()
}

fn picture(world: &mut OpenWorld, part: ObservationPart) -> Vec<u8> {
    let seen = world.observe(&[part].into(), SOON).expect("an observation");
    let Screen::Png { bytes, size } = &seen.pictures[&part] else { panic!("it is no picture") };
    assert_eq!(*size, SIZE);
    bytes.to_vec()
}

/// What a PNG says of its own size.
fn size_of(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

/// Waits for something to be on the screen, and says where its middle is.
fn place(world: &mut OpenWorld, name: &str) -> (f64, f64) {
    let deadline = Instant::now() + SOON;
    loop {
        let places = seen(world, ObservationPart::Geometry);
        let places: BTreeMap<String, [f64; 4]> = serde_json::from_str(&places).expect("a table of places");
        if let Some([left, top, width, height]) = places.get(name) {
            return (left + width / 2.0, top + height / 2.0);
        }
        assert!(Instant::now() < deadline, "there is no {name}: {:?}", places.keys().collect::<BTreeSet<_>>());
        does(world, &Action::Wait { ms: 100 });
    }
}

fn does(world: &mut OpenWorld, action: &Action) -> String {
    format!("{:?}", world.apply(action, SOON).expect("no fault").effect)
}

fn text(text: &str) -> Action {
    Action::Type { text: text.to_owned() }
}

fn keys(keys: [&str; 2]) -> Action {
    Action::Key { keys: keys.map(str::to_owned).into() }
}

fn told(world: &mut OpenWorld, command: &str) -> String {
    does(world, &Action::Shell { command: command.to_owned() });
    seen(world, ObservationPart::Text)
}

#[test]
fn an_agent_has_mouse_keyboard_shell_and_the_same_files() {
    let mut world = open(&[KALGEBRA]).expect("a workspace");
    let surface = world.surface();
    insta::assert_snapshot!(format!("{:?} {:?} {:?}", surface.groups, surface.parts, surface.screen), @"{Call, Gui, Shell} {Screen, Tree, Marks, Text} Some((1000, 700))");
    let first = picture(&mut world, ObservationPart::Screen);
    assert_eq!(size_of(&first), SIZE);
    assert_ne!(picture(&mut world, ObservationPart::Marks), first);
    assert!(seen(&mut world, ObservationPart::Tree).contains("page tab \"2D Graph\""));
    assert!(seen(&mut world, ObservationPart::Text).contains("letter.txt"));

    assert_eq!(does(&mut world, &text("k:=6*7\n")), "Changed");
    assert_eq!(seen(&mut world, ObservationPart::Text), "", "what is not new is not told again");
    place(&mut world, "table cell/k");
    does(&mut world, &keys(["ctrl", "g"]));
    place(&mut world, "text/File name:");
    does(&mut world, &text("/work/output/k.kal\n"));
    let printed = (0..200).map(|_| told(&mut world, "cat output/k.kal")).find(|told| told.contains("status 0"));
    assert!(printed.is_some_and(|told| told.contains("k:=6*7")));

    let graph = place(&mut world, "page tab/2D Graph");
    let before = picture(&mut world, ObservationPart::Screen);
    assert_eq!(does(&mut world, &Action::click(graph)), "Changed");
    assert_ne!(picture(&mut world, ObservationPart::Screen), before);

    told(&mut world, "touch output/.lock");
    let left = world.collect(SOON).expect("evidence");
    assert_eq!(left.files.keys().collect::<Vec<_>>(), ["k.kal"]);
    assert!(left.screen.is_some());
}

/// A program may be closed and another opened: what counts is what is left in files. The screen has to stay.
#[test]
fn who_ends_a_program_goes_on_and_who_ends_the_screen_ends_the_trial() {
    let mut world = open(&[KALGEBRA]).expect("a workspace");
    let before = picture(&mut world, ObservationPart::Screen);
    assert!(told(&mut world, "pkill -KILL kalgebra; echo it is gone").contains("it is gone"));
    assert_ne!(picture(&mut world, ObservationPart::Screen), before);
    assert!(told(&mut world, "echo still here > output/note; cat output/note").contains("still here"));
    let deadline = Instant::now() + SOON;
    let fault = loop {
        // A screen that is dying may still be seen once.
        match world.apply(&Action::Shell { command: "pkill -KILL Xvfb".to_owned() }, SOON) {
            Err(fault) => break fault,
            Ok(_) => assert!(Instant::now() < deadline, "the screen outlives its server"),
        }
    };
    assert!(matches!(&fault, WorldError::Exhausted(why) if why.contains("display")), "{fault}");
}

#[test]
fn after_a_crash_files_are_as_they_were_and_programs_are_opened_anew() {
    let mut world = open(&[KALGEBRA]).expect("a workspace");
    let files: FileSet = [("a/notes".to_owned(), FileHandle::held(&b"what I had\n"[..]))].into();
    let document = json!({ "shown": "as it was", "tree": { "folders": ["a", "output"], "links": { "l": "a/notes" } } });
    world.put_back(&document, &files).expect("put back");
    let shown = seen(&mut world, ObservationPart::Text);
    assert!(shown.starts_with(&format!("as it was\n\n{PUT_BACK}\n[What stood open")), "{shown}");
    place(&mut world, "page tab/2D Graph");
    assert!(told(&mut world, "cat l; ls").starts_with("what I had\n"));
}

#[test]
fn a_program_that_does_not_start_is_a_fault_of_the_set_up_with_its_last_words() {
    let fault = open(&["echo no such licence >&2; exit 3"]).err().expect("a fault");
    let told = "setup fault: the screen was started 3 times and never was ready: the display broke: \
                `echo no such licence >&2; exit 3` has left (Exited(3)): no such licence";
    assert_eq!(fault.to_string(), told);
}

/// Nothing has to stand open: a screen alone is one too.
#[test]
fn a_screen_may_be_empty() {
    let mut world = open(&[]).expect("a workspace");
    assert_eq!(size_of(&picture(&mut world, ObservationPart::Screen)), SIZE);
    assert!(told(&mut world, "echo $DISPLAY").starts_with(":0\n"));
}
