//! How many files this process may have open: a session is a connection, and a connection is a file.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What this process needs besides its sessions: the run's files, the engine, browsers.
const BESIDES: u64 = 256;

/// Makes room for so many sessions, as far as the system allows, and returns for how many there is room.
pub fn make_room_for(n_sessions: usize) -> usize {
    let wanted = n_sessions as u64 + BESIDES;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let enough = |limit: Option<u64>| limit.is_none_or(|limit| limit >= wanted);
    if enough(current) {
        return n_sessions;
    }
    let raised = if enough(maximum) { Some(wanted) } else { maximum };
    let now = match setrlimit(Resource::Nofile, Rlimit { current: raised, maximum }) {
        Ok(()) => raised,
        Err(_refused) => current,
    };
    now.map_or(n_sessions, |now| now.saturating_sub(BESIDES).min(n_sessions as u64) as usize)
}
