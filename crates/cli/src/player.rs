//! A person at the terminal as an agent.

use std::io::{self, BufReader, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use quintain_agents::{PersonPace, RecordedLines, SolutionRecorder, Terminal};
use quintain_core::{AgentError, AgentIsolation};
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
    cast.with_agent(PLAYER, move |_context| Ok(Box::new(at_terminal(&screen, pace, printer)?)))
}

/// The same, and what they do is taken down.
pub(crate) fn join_recorded(cast: Cast, screen: &Path, lines: &RecordedLines, printer: Printer) -> Cast {
    let (screen, lines) = (screen.to_owned(), Arc::clone(lines));
    cast.with_agent(PLAYER, move |context| {
        let player = at_terminal(&screen, PersonPace::Stepped, printer)?;
        Ok(Box::new(SolutionRecorder::new(player, &context.instance.parameters, Arc::clone(&lines))))
    })
}

fn at_terminal(screen: &Path, pace: PersonPace, printer: Printer) -> Result<Terminal<TerminalOutput>, AgentError> {
    let out: TerminalOutput = if printer.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let terminal = Terminal::new(BufReader::new(io::stdin()), out, screen)?.paced(pace);
    // Whoever reads a pipe does not scroll back, and may not ask for help.
    Ok(if io::stdin().is_terminal() { terminal } else { terminal.telling_all() })
}

/// Where the game is told.
type TerminalOutput = Box<dyn Write + Send>;

/// A person plays one trial at a time and may think for a day.
pub(crate) fn options() -> RunOptions {
    RunOptions { n_workers: 1, max_attempts: 1, call_limit: Duration::from_hours(24), ..RunOptions::default() }
}
