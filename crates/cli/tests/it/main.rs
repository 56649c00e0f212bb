//! The binary at its boundary, and the tidiness of the whole tree.

mod browser;
mod certificates;
mod command;
mod errors;
mod journey;
mod records;
mod sessions;
mod tidy;
