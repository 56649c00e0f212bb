//! The core at its boundaries: text in, text out.

mod dialects;
mod ladder;
mod replies;
mod task;
mod trial;
