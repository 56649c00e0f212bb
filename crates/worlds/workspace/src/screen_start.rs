//! A computer with a screen for a workspace, and programs that stand open on it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_core::world::WorldError;
use quintain_machine::{
    AccessibleElement, AwaitedProgram, Machine, MachineFault, MachinePlan, MachineProvider as _, MachineScreen,
    ReadyLook, SandboxedDesktop,
};
use quintain_process::give_away;
use quintain_process::sandbox::{Sandbox, SandboxCommand, SandboxPlan, StartedNumber};

use crate::WORK;
use crate::assignment::InputFiles;
use crate::repeated_start::started_again;
use crate::screen_wish::ScreenWish;
use crate::screened_room::ScreenedRoom;
use crate::work_room::WorkRoom;

/// How long a program may take until it is ready. One that takes longer is started anew, on another computer.
const READY_LIMIT: Duration = Duration::from_mins(2);
/// How long the screen may take to become quiet when everything is open.
const SETTLE_LIMIT: Duration = Duration::from_secs(20);
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
        let (machine, screen, program) = started_again("the screen", || {
            put_home(work, &self.home).map_err(|error| WorldError::setup(format!("the home of programs: {error}")))?;
            Ok(self.try_open(plan))
        })?;
        let room = WorkRoom::new(machine, WORK, shown.to_owned());
        Ok(ScreenedRoom { room, screen, program, can_end_all: self.can_end_all })
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
        machine.display.settle(SETTLE_LIMIT)?;
        Ok((machine.guest, MachineScreen::new(machine.display)?, program))
    }
}

/// Starts a program and waits until it can be worked with.
fn started(machine: &mut Machine, line: &str) -> Result<StartedNumber, MachineFault> {
    let n_windows_before = machine.display.windows()?.len();
    let program = machine.guest.start(&SandboxCommand::of(["bash", "-c", line]))?;
    let awaited = AwaitedProgram { program, name: line, within: READY_LIMIT, n_windows_before, may_leave: true };
    awaited.wait(machine, |_windows, elements| {
        let n_elements = elements.iter().map(AccessibleElement::count).sum();
        ReadyLook { is_ready: true, n_elements: Some(n_elements) }
    })?;
    Ok(program)
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
