//! A computer on this host, with real programs on it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use quintain_core::action::Action;
use quintain_machine::{
    AccessibleElement, DesktopHand, Machine, MachineFault, MachinePlan, MachineProvider as _, SandboxedDesktop,
};
use quintain_process::SweptFolder;
use quintain_process::sandbox::{CommandEnd, SandboxCommand, SandboxPlan, WorkFolder};

const MINUTE: Duration = Duration::from_mins(1);
const SIZE: (u32, u32) = (1000, 700);

/// A computer with KAlgebra on it, and its home.
fn with_kalgebra() -> (Machine, SweptFolder) {
    let folder = SweptFolder::new("quintain-machine-test-").expect("what tests stand on");
    let inside = PathBuf::from("/work");
    let work = WorkFolder {
        host: folder.inner("work").expect("what tests stand on"),
        inside: inside.clone(),
        max_bytes: 1 << 30,
        max_files: 10_000,
    };
    let mut sandbox = SandboxPlan { work: Some(work), folder: inside, ..SandboxPlan::default() };
    for (name, value) in [("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"), ("QTWEBENGINE_DISABLE_SANDBOX", "1")] {
        sandbox.variables.insert(name.to_owned(), value.to_owned());
    }
    let mut machine = SandboxedDesktop.open(&MachinePlan { sandbox, size: SIZE }).expect("what tests stand on");
    machine.guest.start(&SandboxCommand::of(["kalgebra"])).expect("what tests stand on");
    until(|| cell(&mut machine, "pi"));
    (machine, folder)
}

fn until<T>(mut there: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + 2 * MINUTE;
    loop {
        if let Some(found) = there() {
            return found;
        }
        assert!(Instant::now() < deadline, "it never came");
    }
}

fn elements(machine: &mut Machine) -> Vec<AccessibleElement> {
    machine.display.settle(Duration::from_secs(1)).expect("what tests stand on");
    machine.display.elements(MINUTE).expect("what tests stand on").expect("what tests stand on")
}

/// What stands beside a name in the table of variables, and where.
fn cell(machine: &mut Machine, name: &str) -> Option<(String, [i32; 4])> {
    let programs = elements(machine);
    let table = programs.iter().find_map(|program| program.find("frame", "Variables"))?;
    let cells: Vec<_> = table.all().into_iter().filter(|cell| cell.role == "table cell").collect();
    let pair = cells.chunks_exact(2).find(|pair| pair[0].name == name)?;
    Some((pair[1].name.clone(), pair[1].bounds?))
}

fn act(machine: &mut Machine, hand: &mut DesktopHand, action: &str) {
    let action: Action = serde_json::from_str(action).expect("what tests stand on");
    let events = hand.events(&action, &[]).expect("what tests stand on");
    machine.display.send(&events).expect("what tests stand on");
    assert!(machine.display.settle(MINUTE).expect("what tests stand on"), "the screen does not become quiet");
}

#[test]
fn what_is_typed_is_seen_by_the_program_and_on_the_screen() {
    let (mut machine, _folder) = with_kalgebra();
    let mut hand = DesktopHand::new(SIZE);
    let before = machine.display.capture().unwrap();
    assert_eq!((before.width, before.height), SIZE);
    act(&mut machine, &mut hand, r#"{"do": "type", "text": "k:=6*7\n"}"#);
    let (value, [left, top, width, height]) = until(|| cell(&mut machine, "k"));
    assert_eq!(value, "42");
    assert!(left > 0 && top > 0 && width > 0 && height > 0);
    let after = machine.display.capture().unwrap();
    assert_ne!(before, after);
    // The pointer is on the picture.
    act(&mut machine, &mut hand, r#"{"do": "move", "to": {"x": 300, "y": 300}}"#);
    let moved = machine.display.capture().unwrap();
    let at = |pixels: &quintain_machine::ScreenPixels, x: usize, y: usize| {
        let first = (y * SIZE.0 as usize + x) * 3;
        pixels.rgb[first..first + 3].to_vec()
    };
    let differs = (300..312).any(|at_x| at(&moved, at_x, 304) != at(&after, at_x, 304));
    assert!(differs, "no pointer is seen");
    let windows = machine.display.windows().unwrap();
    assert_eq!(
        windows.iter().map(|window| (window.title.as_str(), window.is_active)).collect::<Vec<_>>(),
        [("KAlgebra", true)]
    );
}

/// Letters that no key of the layout writes are typed with keys that are given to them.
#[test]
fn letters_that_no_key_has_are_typed() {
    let (mut machine, _folder) = with_kalgebra();
    let mut hand = DesktopHand::new(SIZE);
    act(&mut machine, &mut hand, r#"{"do": "type", "text": "größe_ñ+πσ"}"#);
    let typed = until(|| {
        let programs = elements(&mut machine);
        let written = programs.iter().flat_map(AccessibleElement::all).filter_map(|element| element.value.clone());
        written.into_iter().find(|text| !text.is_empty())
    });
    assert_eq!(typed, "größe_ñ+πσ");
}

#[test]
fn a_server_that_is_killed_is_told_and_a_sandbox_leaves_nobody_behind() {
    let (mut machine, _folder) = with_kalgebra();
    let killed = machine.guest.exec(&SandboxCommand::of(["pkill", "-KILL", "Xvfb"])).unwrap();
    assert_eq!(killed.end, CommandEnd::Exited(0));
    let fault = until(|| machine.display.capture().and_then(|_| machine.display.windows()).err());
    assert!(matches!(fault, MachineFault::Display(_)), "{fault}");
}
