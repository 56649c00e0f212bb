//! The Workflow Builder: its instances and its oracle.
