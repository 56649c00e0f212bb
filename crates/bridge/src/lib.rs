//! Bridges for agents that we do not run: they play the same trials, through the same limits, recording and judge.

pub mod describe;
pub mod elsewhere;
pub mod front;
pub mod house;
pub mod limit;
pub mod lodger;
pub mod mcp;
pub mod openenv;
pub mod outside;
pub mod proxy;
pub mod reception;
pub mod seat;
pub mod session;
pub mod site;
pub mod slot;
pub mod submit;
mod words;

pub use describe::describe;
pub use elsewhere::{Elsewhere, Venue};
pub use front::Front;
pub use house::{House, Room};
pub use lodger::{ending, lodger};
pub use mcp::{Desk, McpError};
pub use openenv::{OpenEnv, OpenEnvOptions};
pub use outside::Outside;
pub use proxy::{Proxy, Stopped, Toll};
pub use reception::{Dish, Menu, NotBegun, Reception};
pub use seat::{Gone, Guest, Over, Seat, Shown, Usher, seat};
pub use session::{At, Session};
pub use site::{Site, SiteFile, Submission, Submitted, site};
pub use slot::Slot;
pub use submit::{NotSubmitted, submit};
