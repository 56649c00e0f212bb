//! The binary at its boundary, and the tidiness of the whole tree.

mod tidy;
