//! A person at the terminal as an agent.

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_agents::{PersonPace, Terminal};
use quintain_core::AgentIsolation;
use quintain_runner::{Cast, RunOptions};
use quintain_store::{AgentUsed, RunHeader};
pub(crate) use quintain_workshop::PLAYER;

use crate::printer::Printer;

/// Where the screen is written unless told otherwise.
pub(crate) const SCREEN: &str = "screen.png";

/// The person, as a run's header names them.
pub(crate) fn used() -> AgentUsed {
    let isolation = Some(AgentIsolation::OurCode);
    AgentUsed { label: PLAYER.to_owned(), spec: PLAYER.to_owned(), isolation, ..AgentUsed::default() }
}

/// Whether a person plays in this run.
pub(crate) fn takes_part(header: &RunHeader) -> bool {
    header.agents.iter().any(|agent| agent.spec == PLAYER)
}

/// Lets a person play. The game is told on standard output, or on standard error where that is for JSON.
pub(crate) fn join(cast: Cast, screen: &Path, pace: PersonPace, printer: Printer) -> Cast {
    let screen: PathBuf = screen.to_owned();
    cast.with_agent(PLAYER, move |_context| {
        let out: Box<dyn Write + Send> = if printer.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        Ok(Box::new(Terminal::new(BufReader::new(io::stdin()), out, screen.clone())?.paced(pace)))
    })
}

/// A person plays one trial at a time and may think for a day.
pub(crate) fn options() -> RunOptions {
    RunOptions { n_workers: 1, max_attempts: 1, call_limit: Duration::from_hours(24), ..RunOptions::default() }
}
