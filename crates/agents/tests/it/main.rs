//! Agents at work: each plays a small maze through the ordinary interface.

mod compaction;
mod example;
mod maze;
mod outside;
mod program;
mod protocol;
mod replay;
mod simple;
mod terminal;
