//! A step in a browser world against the bare pipe client and Playwright, and how long a warm trial takes to open.
//!
//! `cargo bench -p quintain-apps --bench browser -- [rounds] [steps]`
//!
//! All drive the same Chromium with the same app, document and window (1280x720): the largest starting workflow on the
//! canvas. A step is a click that selects one of two nodes in turn, and the screen as a PNG once the page has settled.
//! *ours* goes through the `World` trait. The *bare* client makes the same calls of the protocol in the same order over
//! a raw pipe and keeps nothing; its screens must be the same to the byte. *Playwright* runs on the wall clock and
//! settles by the same condition: two animation frames without any change of the page and nothing pending. They take
//! turns, so that all see the same machine. CPU is that of the driving process and of its browsers with all their
//! processes. Playwright is given its best (raw clicks, no sandbox, one browser or one for each page), but it has no way
//! to ask for the quick PNG that we ask for.

#![expect(clippy::print_stdout, reason = "a measurement prints what it measured")]

mod bare;
mod cpu;
mod race;
mod rival;
mod scene;

use std::time::{Duration, Instant};
use std::{fs, thread};

use quintain_browser::{Browser, BrowserSandbox};
use quintain_core::world::WorldKind;
use quintain_core::{Instance, Screen};
use serde_json::json;

use bare::Bare;
use cpu::Account;
use race::{Contender, percentile, race, ratio};
use rival::Rival;
use scene::Ours;

const N_ROUNDS: usize = 5;
const N_STEPS: usize = 40;
/// So many worlds at once.
const N_LANES: usize = 8;
/// Below the number of pages after which a browser is let go.
const N_RESETS: usize = 40;

/// What all are measured on.
struct Stage {
    kind: Browser,
    instance: Instance,
    clicks: [[f64; 2]; 2],
    n_rounds: usize,
    n_steps: usize,
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let kind = Browser::new(quintain_apps::ALL, BrowserSandbox::On);
    let instance = scene::instance(&kind);
    let clicks = scene::clicks(&kind, &instance);
    let (n_rounds, n_steps) = (numbers.next().unwrap_or(N_ROUNDS), numbers.next().unwrap_or(N_STEPS));
    let stage = Stage { kind, instance, clicks, n_rounds, n_steps };
    let mut rival = match Rival::start(&stage.instance.start["document"], clicks) {
        Ok(rival) => Some(rival),
        Err(why) => {
            println!("Playwright is left out: {why}");
            None
        }
    };
    one_at_a_time(&stage, rival.as_mut());
    many_at_once(&stage, rival.as_mut());
    resets(&stage, rival.as_mut());
}

fn one_at_a_time(stage: &Stage, rival: Option<&mut Rival>) {
    let browsers = browsers();
    let mut ours = Ours::open(&stage.kind, &stage.instance, stage.clicks);
    let mut bare = Bare::start_like(browsers[0], &stage.instance.start["document"], stage.clicks);
    let n_frames = same_screens(&mut ours, &mut bare);
    let bare_pid = bare.pid();
    let mut contenders = vec![
        Contender::new("ours", Account { roots: browsers, with_own: true }, |n_steps| {
            (0..n_steps).for_each(|_| drop(ours.step()));
        }),
        Contender::new("bare pipe client", Account { roots: vec![bare_pid], with_own: true }, |n_steps| {
            (0..n_steps).for_each(|_| drop(bare.step()));
        }),
    ];
    if let Some(rival) = rival {
        contenders.push(playwright("Playwright", rival, 1, 1));
    }
    println!("one at a time, {} rounds of {} steps, {n_frames:.1} frames a step", stage.n_rounds, stage.n_steps);
    let results = race(contenders, stage.n_rounds, stage.n_steps, 1);
    ratio("CPU of ours / of the bare client (wanted: at most 1.15)", results[0].cpu_ms, results[1].cpu_ms);
    if let Some(rival) = results.get(2) {
        ratio("speed of ours / of Playwright (wanted: at least 1.8)", rival.wall_ms, results[0].wall_ms);
    }
}

/// Makes sure that the bare client does the same work: its screens are the same. Returns its frames a step.
fn same_screens(ours: &mut Ours, bare: &mut Bare) -> f64 {
    let (n_before, n_steps) = (bare.n_frames(), 4_u32);
    for step_idx in 0..n_steps {
        let theirs = bare.step();
        let Screen::Png { bytes, .. } = ours.step() else { panic!("browsers hand out files") };
        assert!(*bytes == *theirs, "the bare client sees another screen after step {step_idx}");
    }
    (bare.n_frames() - n_before) as f64 / f64::from(n_steps)
}

fn many_at_once(stage: &Stage, mut rival: Option<&mut Rival>) {
    let n_steps = stage.n_steps / 2;
    let mut lanes: Vec<Ours> = (0..N_LANES).map(|_| Ours::open(&stage.kind, &stage.instance, stage.clicks)).collect();
    let browsers = browsers();
    println!("{N_LANES} at once, {} rounds of {n_steps} steps each", stage.n_rounds);
    let mut ours = |n_steps: usize| {
        thread::scope(|scope| {
            for lane in &mut lanes {
                scope.spawn(move || (0..n_steps).for_each(|_| drop(lane.step())));
            }
        });
    };
    for (name, n_browsers, n_pages) in [("Playwright, 1 browser", 1, N_LANES), ("Playwright, 8 browsers", N_LANES, 1)] {
        let mut contenders =
            vec![Contender::new("ours", Account { roots: browsers.clone(), with_own: true }, &mut ours)];
        if let Some(rival) = rival.as_deref_mut() {
            contenders.push(playwright(name, rival, n_browsers, n_pages));
        }
        let results = race(contenders, stage.n_rounds, n_steps, N_LANES);
        if let [ours, rival] = results.as_slice() {
            ratio("throughput of ours / of Playwright (wanted: at least 1.5)", rival.wall_ms, ours.wall_ms);
        }
    }
}

/// Playwright with so many browsers of so many pages each.
fn playwright<'a>(name: &'static str, rival: &'a mut Rival, n_browsers: usize, n_pages: usize) -> Contender<'a> {
    let must = "Playwright goes on";
    rival.order(&json!({ "do": "close" })).expect(must);
    rival.order(&json!({ "do": "open", "browsers": n_browsers, "pages": n_pages })).expect(must);
    Contender::new(name, Account { roots: vec![rival.pid()], with_own: false }, move |n_steps| {
        let told = rival.order(&json!({ "do": "steps", "n": n_steps })).expect(must);
        assert!(told["screens"].as_u64() >= Some(2), "selecting another node shows");
    })
}

fn resets(stage: &Stage, rival: Option<&mut Rival>) {
    println!("opening a warm trial until its first settled screen, {N_RESETS} times, one after the other");
    let account = Account { roots: browsers(), with_own: true };
    let used = account.used();
    let warm: Vec<f64> = (0..N_RESETS).map(|_| reset(stage)).collect();
    print_times("ours (wanted: p95 under 500 ms)", &warm, account.used().saturating_sub(used));
    if let Some(rival) = rival {
        let must = "Playwright goes on";
        rival.order(&json!({ "do": "close" })).expect(must);
        rival.order(&json!({ "do": "open", "browsers": 1, "pages": 0 })).expect(must);
        let account = Account { roots: vec![rival.pid()], with_own: false };
        let used = account.used();
        let told = rival.order(&json!({ "do": "resets", "n": N_RESETS })).expect(must);
        let times: Vec<f64> = serde_json::from_value(told["times"].clone()).expect("a list of times");
        print_times("Playwright", &times, account.used().saturating_sub(used));
    }
}

/// Milliseconds until a trial is open. Closing it is not counted by the wall clock.
fn reset(stage: &Stage) -> f64 {
    let began = Instant::now();
    let world = stage.kind.open(&stage.instance).expect("the app opens");
    let took = began.elapsed();
    drop(world);
    took.as_secs_f64() * 1e3
}

fn print_times(what: &str, times: &[f64], cpu: Duration) {
    let [low, half, most] = [0.0, 0.5, 0.95].map(|share| percentile(times, share));
    let cpu = cpu.as_secs_f64() * 1e3 / times.len() as f64;
    let load = load();
    println!("  {what:<32} min {low:>4.0} ms, p50 {half:>4.0} ms, p95 {most:>4.0} ms, CPU {cpu:>4.0} ms, load {load}");
}

/// How many processes want a processor, over the last minute.
pub(crate) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// The browsers that this process has started.
fn browsers() -> Vec<u32> {
    let line = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    cpu::children().into_iter().filter(|pid| line(pid).contains("--enable-begin-frame-control")).collect()
}
