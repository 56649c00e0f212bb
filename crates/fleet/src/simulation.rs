//! A fleet that no machine here could hold, simulated: the real overseer, feeder and allocator over an engine in memory,
//! on a clock that jumps from event to event.
//!
//! Workers, hosts and the server's absences are modelled; what the steward decides and what the engine promises is the
//! code that fleets run. The same scenario goes the same way each time. See `docs/fleet-simulation.md`.

mod calls;
mod cost;
mod crew;
mod events;
mod leading;
mod mishaps;
mod report;
mod runs;
pub mod scenario;
mod server;
mod simulated_fleet;
mod tally;
#[cfg(test)]
mod tests;
mod verify;

pub use report::SimulationReport;
pub use scenario::Scenario;

/// Plays a scenario to its end and reports what came of it.
pub fn simulate(scenario: &Scenario) -> SimulationReport {
    simulated_fleet::SimulatedFleet::new(scenario).play()
}

/// What a call to the engine in memory came to.
fn ready<T>(call: impl Future<Output = T>) -> T {
    futures_util::FutureExt::now_or_never(call).expect("an engine in memory answers at once")
}
