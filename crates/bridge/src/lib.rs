//! Bridges for agents that we do not run: they play the same trials, through the same limits, recording and judge.

pub mod describe;
pub mod guest_supply;
pub mod limit;
pub mod loopback;
pub mod mcp;
pub mod offered_tasks;
pub mod openenv;
pub mod outside;
pub mod outside_world;
mod own_host;
pub mod proxy;
pub mod reserved_address;
mod running_server;
pub mod seat;
pub mod served_app;
pub mod served_sites;
pub mod session;
pub mod slot;
pub mod submit;
mod words;

pub use describe::describe;
pub use guest_supply::{ending, guest_slot};
pub use loopback::{LoopbackServer, TrialRoute};
pub use mcp::{McpError, McpServer};
pub use offered_tasks::{NotBegun, OfferedTask, OfferedTasks, TrialStarter};
pub use openenv::{OpenEnv, OpenEnvOptions};
pub use outside::{Outside, OutsideHost};
pub use outside_world::{OutsideSource, OutsideWorld};
pub use proxy::{Proxy, ProxyMeter, ProxyStop};
pub use reserved_address::ReservedAddress;
pub use seat::{AbsentGuest, Guest, GuestControl, GuestEnd, ShownTurn, TrialSeat, seat};
pub use served_app::{ServedApp, SiteFile, Submission, SubmissionResult, app_router};
pub use served_sites::{ServedPage, ServedSites, SiteHosting};
pub use session::{GuestSession, SessionState};
pub use slot::GuestSlot;
pub use submit::{NotSubmitted, submit};
