//! What a test's own work took, whatever else the host is busy with.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Processor time of this thread until now.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
