//! The Workflow Builder: workflows of nodes and edges, in a hub and on a canvas.

mod app;
pub mod checks;
mod goal;
mod layout;
mod manual;
pub mod model;
mod oracle;
mod solution;
mod starts;
mod stretches;
#[cfg(test)]
mod tests;

pub use app::WorkflowBuilder;
