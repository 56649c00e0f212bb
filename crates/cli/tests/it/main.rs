//! The binary at its boundary, and the tidiness of the whole tree.

mod archived;
mod authoring;
mod bridges;
mod browser;
mod certificates;
mod command;
mod data;
mod demos;
mod diagnoses;
mod endings;
mod errors;
mod fleet;
mod hosts;
mod isolation;
mod journey;
mod judges;
mod labels;
mod models;
mod outside;
mod records;
mod reference;
mod seeds;
mod sessions;
mod starts;
mod tidy;
mod variables;
