//! The core at its boundaries: text in, text out.

mod dialects;
mod ladder;
mod replies;
mod sitting;
mod task;
mod trial;
