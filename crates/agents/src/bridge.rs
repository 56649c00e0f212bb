//! Bridges for agents that we do not run: they play the same trials, through the same limits, recording and judge.

pub mod reception;
pub mod seat;
pub mod session;
mod words;

pub use reception::{Dish, Menu, NotBegun, Reception};
pub use seat::{Gone, Guest, Over, Seat, Shown, Usher, seat};
pub use session::{At, Session};
