//! Computers with a screen: a display with its input and what is on it, beside a shell and files.
//!
//! A [`Machine`] is a sandbox ([`quintain_process::sandbox::Sandbox`]: programs and files) and a [`Display`]. Whoever makes
//! them is a [`MachineProvider`]: [`SandboxedDesktop`] starts an X server, a window manager and the buses of a session inside
//! the sandbox of this host; [`RemoteDesktop`] reaches one elsewhere through VNC and a command line such as `ssh`.
//! [`MachineScreen`] is what a world shows of it and does at it.

mod accessibility;
mod awaited_program;
mod display;
mod geometry;
mod hand;
mod keysyms;
mod machine;
mod machine_screen;
mod planned_steps;
mod quiet;
mod remote_desktop;
mod sandboxed_desktop;
mod screen_pixels;
mod session_need;
mod told_tree;
mod vnc;
mod x11;

pub use accessibility::{AccessibleElement, AccessibleState};
pub use awaited_program::{AwaitedProgram, ReadyLook};
pub use display::{Display, InputEvent, OpenWindow};
pub use hand::{DesktopHand, HandRefusal};
pub use machine::{Machine, MachineFault, MachinePlan, MachineProvider};
pub use machine_screen::MachineScreen;
pub use planned_steps::{PlannedPlayer, PlannedStep};
pub use remote_desktop::RemoteDesktop;
pub use sandboxed_desktop::SandboxedDesktop;
pub use screen_pixels::ScreenPixels;
pub use session_need::session_need;
pub use vnc::{VncAddress, VncDisplay};
