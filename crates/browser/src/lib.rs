//! Web apps in a real Chromium whose time moves only with steps.

mod app;
mod bundle;
mod cdp;
mod chromium;
mod clock;
mod gate;
mod hand;
mod inbox;
mod kind;
mod keyboard;
mod pixels;
mod page;
mod pool;
mod tree;
mod world;
mod ngspice;
mod simulation;
mod verifier;
mod circuit;
mod workflow;

pub use chromium::{CHROMIUM_VARIABLE, NoChromium, Sandbox, find as find_chromium};
pub use kind::Browser;
pub use ngspice::{NGSPICE_VARIABLE, find as find_ngspice};
pub use verifier::{CIRCUIT_VERIFIER, CircuitVerifier};
