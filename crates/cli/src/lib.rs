//! The `quintain` command as a library: arguments, then settings, then one function that does it and prints.
//!
//! The binary is [`main`] and nothing else. What it works with is `quintain_workshop`, as is that of other fronts.

mod args;
mod audience;
mod budget;
mod commands;
mod damage;
mod diagnosis;
mod disk;
mod dispatch;
mod exit;
mod fleet;
mod guest;
mod interrupt;
mod kept_words;
mod live;
mod log;
mod oracle_file;
mod outside;
mod player;
mod printer;
mod resolve;
mod table;

pub use dispatch::{main, main_with};
