//! Computers elsewhere: their screens through VNC, their programs and files through a command line such as `ssh`.

use std::collections::BTreeMap;

use quintain_process::sandbox::{RemoteGuest, SandboxFault, SandboxPlan, SystemTree};

use crate::display::Display as _;
use crate::machine::{Machine, MachineFault, MachinePlan, MachineProvider};
use crate::vnc::{VncAddress, VncDisplay};

/// A computer elsewhere. It is as it is: nothing of this host is seen on it, and nothing but itself limits what its
/// programs do.
#[derive(Clone)]
pub struct RemoteDesktop {
    /// Where its screen is served.
    pub screen: VncAddress,
    /// What the server of the screen asks for, if it does.
    pub password: Option<String>,
    /// The command line to which a line for its shell can be added: `ssh -T somebody@there`.
    pub reach: Vec<String>,
}

impl MachineProvider for RemoteDesktop {
    fn open(&self, plan: &MachinePlan) -> Result<Machine, MachineFault> {
        if let Some(what) = not_to_be_had(&plan.sandbox) {
            return Err(refused(format!("a computer elsewhere cannot be given {what}")));
        }
        let mut guest = RemoteGuest::open(&self.reach, &plan.sandbox.folder.to_string_lossy())?;
        for (path, bytes) in &plan.sandbox.files {
            guest.put(&path.to_string_lossy(), bytes)?;
        }
        let display = VncDisplay::open(&self.screen, self.password.as_deref())?;
        let ((width, height), (wanted_width, wanted_height)) = (display.size(), plan.size);
        if (width, height) != plan.size {
            return Err(refused(format!(
                "the screen has {width}x{height} pixels, and {wanted_width}x{wanted_height} are wanted"
            )));
        }
        Ok(Machine { display: Box::new(display), guest })
    }
}

fn refused(why: String) -> MachineFault {
    MachineFault::Guest(SandboxFault::Refused(why))
}

/// What of a plan only a sandbox of this host can have.
fn not_to_be_had(plan: &SandboxPlan) -> Option<&'static str> {
    let SandboxPlan { system, bindings, masked, work, variables, relays, .. } = plan;
    [
        (*system != SystemTree::Host, "another system"),
        (!bindings.is_empty(), "files of this host"),
        (!masked.is_empty(), "files that are hidden"),
        (work.is_some(), "a folder of this host to work in"),
        (*variables != BTreeMap::new(), "variables"),
        (!relays.is_empty(), "ways to sockets of this host"),
    ]
    .into_iter()
    .find_map(|(is_wanted, what)| is_wanted.then_some(what))
}
