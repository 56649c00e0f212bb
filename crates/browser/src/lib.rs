//! Web apps in a real Chromium whose time moves only with steps.

mod app;
mod bundle;
mod cdp;
mod chromium;
mod circuit;
mod clock;
mod gate;
mod hand;
mod inbox;
mod keyboard;
mod kind;
mod ngspice;
mod oracle;
mod outside;
mod page;
mod pixels;
mod pool;
mod simulation;
mod tree;
mod verifier;
mod workflow;
mod world;

pub use chromium::{CHROMIUM_VARIABLE, NoChromium, Sandbox, find as find_chromium};
pub use kind::Browser;
pub use ngspice::{NGSPICE_VARIABLE, find as find_ngspice};
pub use outside::{OutsideApp, OutsideFile};
pub use verifier::{CIRCUIT_VERIFIER, CircuitVerifier};
