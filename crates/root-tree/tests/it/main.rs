//! Trees as somebody builds them, on a base of a few programs of this host.

mod builds;
mod small_base;
