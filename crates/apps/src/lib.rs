//! The web apps that are played in a browser, one folder each.
//!
//! An app's folder has its document and how it is judged, both pure (`model`, `checks`); what it brings to the browser
//! (`app`, and `service` where its page asks something); its solution played with mouse and keyboard (`oracle`); and a
//! `verifier` where what the document is worth has to be worked out by a program.

mod bundle;
pub mod circuit;
mod oracle;
#[cfg(test)]
mod tests;
pub mod web;
pub mod workflow;

use quintain_browser::App;

/// All apps.
pub static ALL: &[&dyn App] = &[&circuit::CircuitDesigner, &workflow::WorkflowBuilder, &web::WebApp];
