//! A provider on this machine: the wire formats of Anthropic, OpenAI, Google and compatible servers with a mind behind
//! them that needs no model, so that set-ups can be tried without a key, a network or a bill.

mod address;
pub mod asked;
mod billing;
mod chaos;
mod hosts;
mod ledger;
mod limit;
pub mod mind;
mod picture;
mod server;
pub mod speak;
mod wire;

pub use billing::{Billing, NotABill};
pub use chaos::{Chaos, NotChaos};
pub use ledger::{BilledCall, BillingLedger};
pub use server::{ProviderSettings, Running, start};
pub use wire::BilledTokens;
