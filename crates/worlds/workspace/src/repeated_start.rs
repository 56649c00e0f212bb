//! Starting again what hangs or breaks while it starts.

use quintain_core::world::WorldError;
use quintain_machine::MachineFault;

use crate::work_room::fault_of;

/// So often it is tried: some starts hang for no reason that anybody knows.
const MOST_STARTS: u32 = 3;

/// Starts something, again where a start hangs or breaks. What is wrong with the sandbox, or with what is prepared before each
/// start, is told at once.
pub fn started_again<T>(
    what: &str,
    mut start: impl FnMut() -> Result<Result<T, MachineFault>, WorldError>,
) -> Result<T, WorldError> {
    let mut last = None;
    for _ in 0..MOST_STARTS {
        match start()? {
            Ok(started) => return Ok(started),
            Err(MachineFault::Guest(fault)) => return Err(fault_of(&fault)),
            Err(fault) => last = Some(fault),
        }
    }
    let why = last.map(|fault| fault.to_string()).unwrap_or_default();
    Err(WorldError::setup(format!("{what} was started {MOST_STARTS} times and never was ready: {why}")))
}
