//! Who can be asked: what is said to a model and heard back ([`model`]), over which wire it goes ([`providers`]), what is
//! known of each model ([`catalogue`]) and what every call costs ([`meter`], within what a [`ration`] leaves).
//!
//! Nothing here knows who plays. What loops and bridges offer alike is here as well: the world's actions as [`tools`],
//! and pictures as files ([`screen`]) that are no larger than a model may be shown ([`picture_limit`]).

pub mod catalogue;
pub mod meter;
pub mod model;
mod output_limit;
pub mod picture_limit;
pub mod providers;
pub mod ration;
pub mod screen;
pub mod tools;
