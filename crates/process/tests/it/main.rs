//! Sandboxes as whoever sits in one would try them.

mod escapes;
mod exhaustion;
mod layers;
mod sandboxes;
