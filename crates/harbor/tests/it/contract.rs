//! What the package `harbor` itself says of the same tasks, exports, rewards and steps.
