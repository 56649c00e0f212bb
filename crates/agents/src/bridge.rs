//! Bridges for agents that we do not run: they play the same trials, through the same limits, recording and judge.

pub mod elsewhere;
pub mod house;
pub mod lodger;
pub mod reception;
pub mod seat;
pub mod session;
pub mod site;
mod words;

pub use elsewhere::{Elsewhere, Venue};
pub use house::{House, Room};
pub use lodger::{Lodger, ending};
pub use reception::{Dish, Menu, NotBegun, Reception};
pub use seat::{Gone, Guest, Over, Seat, Shown, Usher, seat};
pub use session::{At, Session};
pub use site::{Site, SiteFile, Submission, Submitted, site};
