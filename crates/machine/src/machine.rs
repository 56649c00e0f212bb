//! A computer, and whoever can make one.

use std::fmt;

use quintain_process::sandbox::{Sandbox, SandboxFault, SandboxPlan};

use crate::display::Display;

/// A computer that runs. Dropping its guest ends everything on it.
pub struct Machine {
    /// Its screen, its input, and what is on it.
    pub display: Box<dyn Display>,
    /// Its programs and files.
    pub guest: Box<dyn Sandbox>,
}

/// Whoever can make computers with a screen.
pub trait MachineProvider: Send + Sync {
    /// A computer on whose screen nothing is open yet.
    fn open(&self, plan: &MachinePlan) -> Result<Machine, MachineFault>;
}

/// What a computer is to have.
#[derive(Clone, Debug)]
pub struct MachinePlan {
    /// What its programs see and may use.
    pub sandbox: SandboxPlan,
    /// Pixels across and down.
    pub size: (u32, u32),
}

/// Why a computer cannot do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineFault {
    /// Its programs and files are in trouble.
    Guest(SandboxFault),
    /// Its screen is gone, or was never there.
    Display(String),
    /// It did not come to an end within the time that it was given.
    Stuck(String),
}

impl MachineFault {
    pub(crate) fn display(why: impl fmt::Display) -> Self {
        Self::Display(why.to_string())
    }
}

impl fmt::Display for MachineFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guest(fault) => fault.fmt(out),
            Self::Display(why) => write!(out, "the display broke: {why}"),
            Self::Stuck(what) => write!(out, "it took too long: {what}"),
        }
    }
}

impl std::error::Error for MachineFault {}

impl From<SandboxFault> for MachineFault {
    fn from(fault: SandboxFault) -> Self {
        Self::Guest(fault)
    }
}
