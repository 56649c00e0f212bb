//! The binary at its boundary, and the tidiness of the whole tree.

mod command;
mod errors;
mod journey;
mod tidy;
