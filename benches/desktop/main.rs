//! What a desktop costs: how long KAlgebra takes from nothing to painted and quiet; a click with the settled screen as PNG,
//! beside the same click with bare XTEST, the bare picture and the bare encoder; what is on the screen as elements, beside pyatspi.
//!
//! Steps of ours and bare ones take turns, on computers of the same kind, so that other load is on both. CPU is this
//! process's alone: what X and the program do is theirs.

mod bare;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quintain_core::action::Action;
use quintain_core::instance::{Instance, Pick};
use quintain_core::observation::ObservationPart;
use quintain_core::task::{Task, TaskFiles};
use quintain_core::world::World;
use rustix::time::{ClockId, clock_gettime};

use bare::BareDesktop;

const N_RESETS: usize = 20;
const N_STEPS: usize = 200;
const N_TREES: usize = 20;
const N_WALKS: usize = 5;
const WITHIN: Duration = Duration::from_mins(1);
/// What is measured, in milliseconds.
type Millis = Vec<f64>;

#[expect(clippy::print_stdout, reason = "it tells what it measured")]
fn main() {
    let instance = instance();
    let resets: Millis = (0..N_RESETS).map(|_| timed(|| drop(open(&instance))).0).collect();
    println!("{}", told("reset to a painted, quiet KAlgebra, wall", &resets));
    let (mut world, mut bare) = (open(&instance), BareDesktop::open("kalgebra", (1920, 1080)));
    let (mut ours, mut ours_cpu, mut bares, mut bares_cpu) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for step in 0..N_STEPS {
        let at = (400 + step as u16 % 300, 300 + step as u16 % 200);
        let (wall, cpu) = timed(|| click(&mut *world, at));
        ours.push(wall);
        ours_cpu.push(cpu);
        let (wall, cpu) = timed(|| drop(bare.click(at)));
        bares.push(wall);
        bares_cpu.push(cpu);
    }
    println!("{}", told("step at 1920x1080, ours, wall (settled)", &ours));
    println!("{}", told("step at 1920x1080, ours, CPU", &ours_cpu));
    println!("{}", told("step at 1920x1080, bare, wall (not settled)", &bares));
    println!("{}", told("step at 1920x1080, bare, CPU", &bares_cpu));
    println!("CPU of ours to bare: {:.2}", median(&ours_cpu) / median(&bares_cpu));
    let trees: Millis = (0..N_TREES).map(|_| tree_after_click(&mut *world)).collect();
    println!("{}", told("tree of KAlgebra as it is told an agent, wall", &trees));
    drop((world, bare));
    for program in ["kalgebra", "texstudio"] {
        compare_trees(program);
    }
}

/// The elements of a program, read by us and by pyatspi in turns.
#[expect(clippy::print_stdout, reason = "it tells what it measured")]
fn compare_trees(program: &str) {
    let mut bare = BareDesktop::open(program, (1920, 1080));
    let (mut ours, mut theirs, mut counts) = (Vec::new(), Vec::new(), (0, 0));
    for _ in 0..N_WALKS {
        let (wall, _) = timed(|| counts.0 = bare.n_elements());
        ours.push(wall);
        let Some((n_elements, wall)) = bare.pyatspi() else {
            println!("pyatspi is not installed (apt install python3-pyatspi)");
            return;
        };
        counts.1 = n_elements;
        theirs.push(wall);
    }
    println!(
        "{}",
        told(&format!("{} elements of {program}, those in closed menus not asked, ours, wall", counts.0), &ours)
    );
    println!("{}", told(&format!("{} elements of {program}, pyatspi, wall", counts.1), &theirs));
}

/// The first task of the suite, at the size that is measured.
fn instance() -> Instance {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suites/science/kalgebra-define-value");
    let read = |name: &str| (name.to_owned(), std::fs::read(folder.join(name)).expect("the task is there"));
    let files: TaskFiles = [read("task.toml"), read("instruction.md")].into();
    let mut task = Task::from_files("science", &files).expect("the task is sound");
    task.spec.world.viewport = Some((1920, 1080));
    quintain_science::offering().world.instantiate(&task, &Pick::default()).expect("an instance")
}

fn open(instance: &Instance) -> Box<dyn World + Send> {
    quintain_science::offering().world.open(instance).expect("a desktop")
}

fn click(world: &mut dyn World, (x, y): (u16, u16)) {
    let at = Some((f64::from(x), f64::from(y)).into());
    let action = Action::Click { at, button: quintain_core::action::Button::Left, held: Vec::new() };
    world.apply(&action, WITHIN).expect("a click");
    world.observe(&BTreeSet::from([ObservationPart::Screen]), WITHIN).expect("a screen");
}

fn tree_after_click(world: &mut dyn World) -> f64 {
    click(world, (420, 320));
    let wanted = BTreeSet::from([ObservationPart::Tree]);
    timed(|| drop(world.observe(&wanted, WITHIN).expect("a tree"))).0
}

/// Milliseconds on the wall and of this process.
fn timed(work: impl FnOnce()) -> (f64, f64) {
    let cpu = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1000.0 + time.tv_nsec as f64 / 1e6
    };
    let (began, cpu_before) = (Instant::now(), cpu());
    work();
    (began.elapsed().as_secs_f64() * 1000.0, cpu() - cpu_before)
}

fn told(what: &str, millis: &Millis) -> String {
    format!("{what}: p50 {:.1} ms, p95 {:.1} ms (n = {})", median(millis), at(millis, 0.95), millis.len())
}

fn median(millis: &Millis) -> f64 {
    at(millis, 0.5)
}

fn at(millis: &Millis, share: f64) -> f64 {
    let mut sorted = millis.clone();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}
