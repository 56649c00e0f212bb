//! The Circuit Designer: its instances and its oracle.
