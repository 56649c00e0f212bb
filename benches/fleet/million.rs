//! A million no-op trials through one node, interrupted once.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_fleet::FleetLink;
use quintain_testkit::servers::Nats;

use crate::cpu_time;
use crate::platform::{Fleet, RUN};

/// Plays half of the run, lets the worker and the steward go, plays the rest with new ones, and pulls it.
pub(crate) fn play(n_trials: u32) {
    let nats = Nats::start(1);
    let folder = tempfile::tempdir().unwrap();
    let link = FleetLink { fleet: "million".to_owned(), ..FleetLink::to(nats.urls(), "bench") };
    let fleet = Fleet { link, folder: folder.path(), slots: 4, chunk: 64, think: Arc::new(|_| {}) };
    let began = Instant::now();
    fleet.open(n_trials, |submitter| {
        println!("planned and archived {n_trials} trials: {:.0} s", began.elapsed().as_secs_f64());
        let began = Instant::now();
        submitter.hand_in(0..n_trials);
        println!("handed in: {:.1} s", began.elapsed().as_secs_f64());
        let began = Instant::now();
        submitter.wait_until_done(n_trials / 2);
        println!("the first half: {:.0} s", began.elapsed().as_secs_f64());
    });
    let began = Instant::now();
    fleet.go_on(n_trials, |submitter| {
        let done = submitter.n_done();
        println!("stopped at {done} outcomes, goes on");
        submitter.wait_until_done(n_trials);
        println!("the rest: {:.0} s", began.elapsed().as_secs_f64());
    });
    fleet.wait_until_archived(n_trials);
    println!("all outcomes in the archive: {:.0} s", began.elapsed().as_secs_f64());
    let pid = nats.pid(0).unwrap().to_string();
    println!(
        "server: {:.0} s of CPU, at most {} of memory, {} on disk",
        cpu_time(&pid).as_secs_f64(),
        peak(&pid),
        size(nats.dir())
    );
    println!("this process: {:.0} s of CPU, at most {} of memory", cpu_time("self").as_secs_f64(), peak("self"));
    println!("archive: {} on disk", size(&folder.path().join("archive")));
    let kept = std::env::temp_dir().join("quintain-million");
    drop(fs::remove_dir_all(&kept));
    fs::rename(folder.path().join("archive"), &kept).unwrap();
    println!("the archive is kept: quintain pull {RUN} --store {}", kept.display());
    assert!(began.elapsed() < Duration::from_hours(2));
}

/// The most memory that a process had at once.
fn peak(pid: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("?");
    line.trim_start_matches("VmHWM:").trim().to_owned()
}

fn size(folder: &Path) -> String {
    let told = std::process::Command::new("du").arg("-sh").arg(folder).output().unwrap();
    String::from_utf8_lossy(&told.stdout).split_whitespace().next().unwrap_or("?").to_owned()
}
