//! The core at its boundaries: text in, text out.

mod dialects;
mod episode;
mod ladder;
mod names;
mod notes;
mod offering;
mod replies;
mod stretches;
mod task;
mod trial;
