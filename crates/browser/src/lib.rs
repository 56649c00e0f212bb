//! Web apps in a real Chromium whose time moves only with steps.

mod app;
mod circuit;
mod workflow;
