//! The simulator as others see it: the official packages of the providers, and our own clients.

mod endpoints;
mod sdk;
mod tee;
