//! The web: sites of a fictional world, in which chains of questions are answered.

mod app;
mod oracle;
mod server;

pub use app::WebApp;
