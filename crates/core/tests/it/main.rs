//! The core at its boundaries: text in, text out.

mod dialects;
mod ladder;
mod names;
mod offering;
mod replies;
mod sitting;
mod stretches;
mod task;
mod trial;
