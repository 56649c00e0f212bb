//! Recorded trials in formats that other tools read.
