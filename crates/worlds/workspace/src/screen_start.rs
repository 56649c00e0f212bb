//! A computer with a screen for a workspace, and programs that stand open on it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::world::WorldError;
use quintain_machine::{
    AccessibleElement, Machine, MachineFault, MachinePlan, MachineProvider as _, MachineScreen, SandboxedDesktop,
};
use quintain_process::give_away;
use quintain_process::sandbox::{CommandEnd, Sandbox, SandboxCommand, SandboxPlan, StartedNumber};

use crate::WORK;
use crate::assignment::InputFiles;
use crate::screen_wish::ScreenWish;
use crate::screened_room::ScreenedRoom;
use crate::work_room::{WorkRoom, fault_of};

/// How long a program may take until it is ready. One that takes longer is started anew, on another computer.
const READY_LIMIT: Duration = Duration::from_mins(2);
/// How long one look may take while it starts.
const LOOK_LIMIT: Duration = Duration::from_secs(20);
/// So often it is tried: some starts hang for no reason that anybody knows.
const MOST_STARTS: u32 = 3;
/// What makes programs tell what they show, and lets pages be drawn without a sandbox in the sandbox.
const VARIABLES: [(&str, &str); 3] = [
    ("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"),
    ("QTWEBENGINE_CHROMIUM_FLAGS", "--force-renderer-accessibility"),
    ("QTWEBENGINE_DISABLE_SANDBOX", "1"),
];

/// A sandbox, its screen, and a program in it.
type OpenedScreen = (Box<dyn Sandbox>, MachineScreen, StartedNumber);

/// What a computer with a screen is started with, once and again.
#[derive(Clone, Debug)]
pub(crate) struct ScreenStart {
    pub(crate) wish: ScreenWish,
    /// What programs find in the home.
    pub(crate) home: InputFiles,
    /// Whether the agent has a command line.
    pub(crate) can_end_all: bool,
}

impl ScreenStart {
    /// Opens a computer that works in this folder of the host, and shows the text first.
    pub(crate) fn open(&self, plan: &SandboxPlan, work: &Path, shown: &str) -> Result<ScreenedRoom, WorldError> {
        let mut last = None;
        for _ in 0..MOST_STARTS {
            put_home(work, &self.home).map_err(|error| WorldError::setup(format!("the home of programs: {error}")))?;
            match self.try_open(plan) {
                Ok((machine, screen, program)) => {
                    let room = WorkRoom::new(machine, WORK, shown.to_owned());
                    return Ok(ScreenedRoom { room, screen, program, can_end_all: self.can_end_all });
                }
                Err(MachineFault::Guest(fault)) => return Err(fault_of(&fault)),
                Err(fault) => last = Some(fault),
            }
        }
        let why = last.map(|fault| fault.to_string()).unwrap_or_default();
        Err(WorldError::setup(format!("the screen was started {MOST_STARTS} times and never was ready: {why}")))
    }

    fn try_open(&self, plan: &SandboxPlan) -> Result<OpenedScreen, MachineFault> {
        let mut sandbox = plan.clone();
        sandbox.variables.extend(VARIABLES.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let mut machine = SandboxedDesktop.open(&MachinePlan { sandbox, size: self.wish.size })?;
        let mut first = None;
        for line in &self.wish.open {
            let program = started(&mut machine, line)?;
            first.get_or_insert(program);
        }
        // By a program it is known how a sandbox is; where none is asked for, there is one that does nothing.
        let idle = || SandboxCommand::of(["sleep", "infinity"]);
        let program = first.map_or_else(|| machine.guest.start(&idle()), Ok)?;
        machine.display.settle(LOOK_LIMIT)?;
        Ok((machine.guest, MachineScreen::new(machine.display)?, program))
    }
}

/// Starts a program and waits until it has a window that is painted and quiet, and tells the same elements twice.
fn started(machine: &mut Machine, line: &str) -> Result<StartedNumber, MachineFault> {
    let deadline = Instant::now() + READY_LIMIT;
    let n_before = machine.display.windows()?.len();
    let program = machine.guest.start(&SandboxCommand::of(["bash", "-c", line]))?;
    let mut before = None;
    while Instant::now() < deadline {
        let state = machine.guest.look(program)?;
        if let Some(end) = state.end.filter(|end| *end != CommandEnd::Exited(0)) {
            let said = state.printed.text();
            return Err(MachineFault::Display(format!("`{line}` has left ({end:?}): {}", said.trim())));
        }
        let is_quiet = machine.display.settle(LOOK_LIMIT)?;
        if machine.display.windows()?.len() <= n_before {
            continue;
        }
        // A program that is busy starting tells late: that is no reason to start it anew.
        let elements = match machine.display.elements(LOOK_LIMIT) {
            Err(MachineFault::Stuck(_)) => continue,
            told => told?.unwrap_or_default(),
        };
        let n_elements: usize = elements.iter().map(AccessibleElement::count).sum();
        if is_quiet && before == Some(n_elements) {
            return Ok(program);
        }
        before = Some(n_elements);
    }
    Err(MachineFault::Stuck(format!("`{line}` does not get ready")))
}

/// Whether something in a folder is what programs keep for themselves.
pub(crate) fn is_of_programs(path: &str) -> bool {
    path.starts_with('.')
}

/// Puts settings into the home, in place of whatever programs kept there before.
fn put_home(work: &Path, home: &InputFiles) -> io::Result<()> {
    for entry in fs::read_dir(work)? {
        let entry = entry?;
        if is_of_programs(&entry.file_name().to_string_lossy()) {
            remove(&entry.path(), entry.file_type()?.is_dir())?;
        }
    }
    for (path, bytes) in home {
        let mut above = PathBuf::new();
        for part in Path::new(path).parent().into_iter().flat_map(Path::components) {
            above.push(part);
            fs::create_dir_all(work.join(&above))?;
            give_away(&work.join(&above))?;
        }
        fs::write(work.join(path), bytes)?;
        give_away(&work.join(path))?;
    }
    Ok(())
}

fn remove(path: &Path, is_folder: bool) -> io::Result<()> {
    if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}
