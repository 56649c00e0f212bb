//! Runs decks with ngspice, each in a process and folder of its own, and keeps what came out.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs, io};

use quintain_core::lock::LockAlways as _;
use quintain_core::{Digest, variables};
use quintain_process::sandbox::{SandboxLimits, SandboxPlan, WorkFolder, this_host};
use quintain_process::{ProcessEnd, ProcessGroup, SpawnOptions, SweptFolder, on_search_path};

use self::raw::RawFile;
use crate::circuit::model::{Deck, Waves};

mod raw;

/// How many seconds a processor may work for one run. A circuit that needs more is too busy, however idle the machine.
const CPU_SECONDS: u64 = 60;
/// How long one run may take by the clock. Whoever has not had its seconds by then is on a machine that is too busy.
const TIME_LIMIT: Duration = Duration::from_mins(10);
/// How often the size of what it writes is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// The most it may write.
const SIZE_LIMIT: u64 = 512 << 20;
/// The most memory it may have.
const MEMORY_LIMIT: u64 = 4 << 30;
/// How a sandbox ends whose program had worked for as long as it was allowed to.
const FENCED_USED_UP: i32 = 128 + 24;
/// The most memory that is kept of past runs.
const KEPT_BYTES: usize = 256 << 20;

/// Why there are no waves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SpiceFailure {
    /// It is not installed.
    #[error("no ngspice was found; install `ngspice`, or name one in {}", variables::NGSPICE)]
    NotFound,
    /// It could not be run.
    #[error("ngspice cannot be run: {0}")]
    NotRun(String),
    /// The circuit has no solution it could find.
    #[error("the simulation finds no solution for this circuit")]
    NoSolution,
    /// The circuit is too busy to be simulated.
    #[error("the simulation of this circuit takes too long")]
    TooLong,
    /// The machine is too busy.
    #[error("ngspice was not done after {} minutes: this machine has too much else to do", TIME_LIMIT.as_secs() / 60)]
    Starved,
}

impl SpiceFailure {
    /// Whether it says something about the circuit, and not about this machine.
    pub(crate) fn is_of_the_circuit(&self) -> bool {
        matches!(self, Self::NoSolution | Self::TooLong)
    }
}

/// The ngspice of this machine, if there is one.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os(variables::NGSPICE) {
        return Some(PathBuf::from(named)).filter(|path| path.is_file());
    }
    on_search_path("ngspice")
}

/// The waves of a deck, from an earlier run in this process or a new one.
pub(crate) fn waves(deck: &Deck) -> Result<Arc<Waves>, SpiceFailure> {
    let key = Digest::of(deck.text.as_bytes());
    let kept = || KEPT.lock().always();
    if let Some(outcome) = kept().get(&key) {
        return outcome;
    }
    // Nobody holds the lock during a run: two who want the same deck at once both run it, and get the same.
    let outcome = run(deck).map(Arc::new);
    if outcome.as_ref().err().is_none_or(SpiceFailure::is_of_the_circuit) {
        kept().put(key, outcome.clone());
    }
    outcome
}

/// Runs a deck as it is, and with sturdier settings where that ends early.
fn run(deck: &Deck) -> Result<Waves, SpiceFailure> {
    let program = find().ok_or(SpiceFailure::NotFound)?;
    match run_once(&program, deck, &deck.text) {
        Err(SpiceFailure::NoSolution) => run_once(&program, deck, &deck.sturdier()),
        outcome => outcome,
    }
}

fn run_once(program: &Path, deck: &Deck, text: &str) -> Result<Waves, SpiceFailure> {
    let not_run = |error: io::Error| SpiceFailure::NotRun(error.to_string());
    let folder = SweptFolder::new("quintain-ngspice-").map_err(not_run)?;
    let work = folder.inner("work").map_err(not_run)?;
    fs::write(work.join("deck.cir"), text).map_err(not_run)?;
    let group = options(program, &work).and_then(SpawnOptions::spawn).map_err(not_run)?;
    let raw_path = work.join("waves.raw");
    wait(group, &raw_path, TIME_LIMIT).map_err(not_run)??;
    let bytes = fs::read(&raw_path).unwrap_or_default();
    let raw = RawFile::parse(&bytes).ok_or(SpiceFailure::NoSolution)?;
    let waves = raw.take(&deck.vectors).map(|(times, vectors)| deck.waves(times, vectors));
    waves.filter(|waves| waves.until() >= 0.999 * deck.until).ok_or(SpiceFailure::NoSolution)
}

/// In a sandbox, where this host can make one: what is simulated was made by an agent.
fn options(program: &Path, folder: &Path) -> io::Result<SpawnOptions> {
    let words = ["-n", "-b", "-r", "waves.raw", "deck.cir"];
    let settled = [("LC_ALL", "C"), ("OMP_NUM_THREADS", "1")];
    let Ok(host) = this_host() else {
        let options = SpawnOptions::new(program).args(words).folder(folder).cpu_seconds(CPU_SECONDS);
        let settled = settled.map(|(name, value)| (name, OsStr::new(value)));
        return Ok(options.only_env(settled.into_iter().chain([("HOME", folder.as_os_str())])));
    };
    let argv: Vec<String> =
        [program.to_string_lossy().as_ref()].iter().chain(&words).map(ToString::to_string).collect();
    // Its models and scripts lie beside it.
    let installed = program.parent().and_then(Path::parent).map(Path::to_owned);
    let mut plan = SandboxPlan::for_program(&argv[..1], installed.as_slice())?;
    let (host_folder, inside) = (folder.to_owned(), PathBuf::from("/work"));
    plan.folder.clone_from(&inside);
    plan.work = Some(WorkFolder { host: host_folder, inside, max_bytes: SIZE_LIMIT, max_files: 100 });
    plan.variables.extend(settled.map(|(name, value)| (name.to_owned(), value.to_owned())));
    plan.limits = SandboxLimits { cpu_seconds: Some(CPU_SECONDS), memory_bytes: MEMORY_LIMIT, ..plan.limits };
    host.provider.options(&plan, &argv).map_err(io::Error::other)
}

/// Waits until it has ended, and ends it when it takes too long or writes too much. It is its own work that is counted,
/// so that what a circuit shows does not depend on what else the machine does.
fn wait(mut group: ProcessGroup, raw_path: &Path, time: Duration) -> io::Result<Result<(), SpiceFailure>> {
    let deadline = Instant::now() + time;
    loop {
        if let Some(status) = group.wait(LOOK_EVERY)? {
            // A sandbox tells the signal that ended its program as a shell does.
            let is_too_busy = matches!(ProcessEnd::of(status), ProcessEnd::UsedUp | ProcessEnd::Exited(FENCED_USED_UP));
            return Ok(if is_too_busy || group.used_up().is_some() { Err(SpiceFailure::TooLong) } else { Ok(()) });
        }
        let is_too_large = fs::metadata(raw_path).is_ok_and(|metadata| metadata.len() > SIZE_LIMIT);
        if is_too_large || Instant::now() > deadline {
            return Ok(Err(if is_too_large { SpiceFailure::TooLong } else { SpiceFailure::Starved }));
        }
    }
}

static KEPT: LazyLock<Mutex<KeptWaves>> = LazyLock::new(Mutex::default);

/// What came out of past runs, the longest unused forgotten first.
#[derive(Default)]
struct KeptWaves {
    runs: BTreeMap<Digest, KeptRun>,
    n_uses: u64,
}

struct KeptRun {
    outcome: Result<Arc<Waves>, SpiceFailure>,
    last_use: u64,
}

impl KeptWaves {
    fn get(&mut self, key: &Digest) -> Option<Result<Arc<Waves>, SpiceFailure>> {
        self.n_uses += 1;
        let run = self.runs.get_mut(key)?;
        run.last_use = self.n_uses;
        Some(run.outcome.clone())
    }

    fn put(&mut self, key: Digest, outcome: Result<Arc<Waves>, SpiceFailure>) {
        self.n_uses += 1;
        self.runs.insert(key, KeptRun { outcome, last_use: self.n_uses });
        while self.n_bytes() > KEPT_BYTES && self.runs.len() > 1 {
            let oldest = self.runs.iter().min_by_key(|(_, run)| run.last_use).map(|(key, _)| *key);
            oldest.and_then(|key| self.runs.remove(&key));
        }
    }

    fn n_bytes(&self) -> usize {
        // A failure takes next to nothing, but should not be kept without bound either.
        self.runs.values().map(|run| run.outcome.as_ref().map_or(1 << 10, |waves| waves.n_bytes())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::model::sketch;

    #[test]
    fn a_divider_divides_and_its_current_is_known() {
        let circuit = sketch("V dcSource voltage=10\nA resistor resistance=1000\nB resistor resistance=3000\nC capacitor capacitance=1e-9\nG ground
            V.minus - G.a - B.b - C.b\nV.plus - A.a\nA.b - B.a - C.a").unwrap();
        let waves = waves(&Deck::of(&circuit, 0.05).unwrap()).unwrap();
        let at_end = |idx: usize| waves.current(idx).unwrap().at(0.05);
        let close = |value: f64, wanted: f64| (value - wanted).abs() < 1e-6;
        assert!(close(waves.net(2).at(0.05), 7.5), "{}", waves.net(2).at(0.05));
        assert!(close(at_end(0), 0.0025) && close(at_end(1), 0.0025) && close(at_end(2), 0.0025));
        assert!(close(at_end(3), 0.0));
    }

    #[test]
    fn a_run_is_limited_by_its_own_work() {
        let busy = SpawnOptions::new("sh").args(["-c", "while :; do :; done"]);
        let idle = SpawnOptions::new("sleep").args(["3"]);
        let limited = |options: SpawnOptions, time| {
            wait(options.cpu_seconds(1).spawn().unwrap(), Path::new("/nowhere"), time).unwrap()
        };
        assert_eq!(limited(busy, Duration::from_mins(1)), Err(SpiceFailure::TooLong));
        assert_eq!(limited(idle, Duration::from_mins(1)), Ok(()));
        let starved = SpawnOptions::new("sleep").args(["60"]);
        assert_eq!(limited(starved, Duration::from_secs(1)), Err(SpiceFailure::Starved));
        assert!(!SpiceFailure::Starved.is_of_the_circuit() && SpiceFailure::TooLong.is_of_the_circuit());
    }

    #[test]
    fn what_was_longest_unused_is_forgotten_first() {
        let large = |value: f64| Ok(Arc::new(Waves { times: vec![value; 8 << 20], volts: vec![], currents: vec![] }));
        let key = |name: &str| Digest::of(name.as_bytes());
        let mut kept = KeptWaves::default();
        for name in ["a", "b", "c", "d"] {
            kept.put(key(name), large(0.0));
        }
        assert!(kept.get(&key("a")).is_some());
        kept.put(key("e"), large(0.0));
        let names: Vec<&str> =
            ["a", "b", "c", "d", "e"].into_iter().filter(|name| kept.get(&key(name)).is_some()).collect();
        assert_eq!(names, ["a", "c", "d", "e"]);
    }
}
