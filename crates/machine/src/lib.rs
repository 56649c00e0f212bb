//! Computers with a screen: a display with its input and what is on it, beside a shell and files.
//!
//! A [`Machine`] is a sandbox ([`quintain_process::sandbox::Sandbox`]: programs and files) and a [`Display`]. Whoever makes
//! them is a [`MachineProvider`]: [`SandboxedDesktop`] starts an X server, a window manager and the buses of a session inside
//! the sandbox of this host; [`RemoteDesktop`] reaches one elsewhere through VNC and a command line such as `ssh`.

mod accessibility;
mod display;
mod hand;
mod keysyms;
mod machine;
mod quiet;
mod remote_desktop;
mod sandboxed_desktop;
mod screen_pixels;
mod vnc;
mod x11;

pub use accessibility::{AccessibleElement, AccessibleState};
pub use display::{Display, InputEvent, OpenWindow};
pub use hand::{DesktopHand, HandRefusal};
pub use machine::{Machine, MachineFault, MachinePlan, MachineProvider};
pub use remote_desktop::RemoteDesktop;
pub use sandboxed_desktop::SandboxedDesktop;
pub use screen_pixels::ScreenPixels;
pub use vnc::{VncAddress, VncDisplay};
