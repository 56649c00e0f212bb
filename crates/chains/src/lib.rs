//! Chains of questions over a fictional world.
//!
//! A chain is data (`chain.toml`, [`ChainSpec`](quintain_core::task::ChainSpec)): what is drawn, and questions that are typed
//! queries over the world, each a function of what was drawn and of the answers before it. [`QuestionChain::draw`] draws an
//! instance and proves that it has one answer:
//!
//! - every question has an answer, and a clear one: nobody who rounds comes to another ([`proof`]);
//! - under every wrong reading that the instruction does not settle the answer stays the same, and so many of those that it
//!   settles change it as the preset wants;
//! - no condition of a list is idle: whoever passes over it comes to other answers.
//!
//! From an instance come the expected values ([`told`]), the wrong sheets that somebody comes to who reads wrongly or takes
//! the runner-up ([`WrongSheet`]), and whether later answers follow from the agent's own earlier ones ([`follow`]).
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod chain;
mod check;
mod draw;
pub mod dry;
mod fill;
mod find;
pub mod follow;
mod idle;
pub mod premise;
pub mod proof;
pub mod route;
pub mod rules;
mod solve;
pub mod told;
pub mod walk;
mod waypoint;
mod ways;
mod worked;
mod world;
mod wrong;

pub use chain::{ChainWish, QuestionChain};
pub use check::ChainAnswer;
pub use draw::DrawRule;
pub use find::FindRule;
pub use solve::{ChainInstance, FieldValue, SolvedField};
pub use waypoint::{FormEntry, ShownForm, Waypoint};
pub use worked::{KeptChain, WorkedChain};
pub use world::{WORLDS, WorldAddress, WorldShelf};
pub use wrong::WrongSheet;
