//! A person at a terminal, or a program that behaves like one: text out, one action a line in.

mod pace;
mod shorthand;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::action::Misread;
use quintain_core::surface::ActionGroup;
use quintain_core::words::{count, printable};
use quintain_core::{Agent, AgentError, Briefing, Observation, ObservationPart, Reply, Screen, Surface, Turn};
use quintain_models::screen::write_png;

use crate::lines::{Deadline, Lines, NoLine};

pub use pace::PersonPace;

/// The longest line that is read.
const MAX_LINE: usize = 64 * 1024;
/// What a terminal hands over of a longer line, unless a program has asked it for single keys.
const TERMINAL_LINE: usize = 4095;
const HELP: &str = "\
help    shows the whole instruction and every action
quit    leaves; what was played is kept";
const LISTED: &str = "What is listed can be typed as it stands there too, on one line, with \\n where a line ends. \
A slip takes no step.";
const PICTURE_HELP: &str = "screen  tells where the picture of the screen is";

/// So many lines of the instruction are told in the beginning; `help` tells all.
const FIRST_LINES: usize = 6;

/// Plays what is typed. Pictures are written to files; texts are printed.
#[derive(Debug)]
pub struct Terminal<W> {
    lines: Lines,
    out: W,
    screen_path: PathBuf,
    told: Option<Briefing>,
    surface: Surface,
    pace: PersonPace,
    /// So many lines of the instruction are told at once.
    first_lines: usize,
}

impl<W: Write> Terminal<W> {
    /// Reads actions from `input`, prints to `out`, writes the screen to `screen_path` whenever it is shown. Other
    /// pictures go to files beside it, named after their part.
    pub fn new(
        input: impl BufRead + Send + 'static,
        out: W,
        screen_path: impl Into<PathBuf>,
    ) -> Result<Self, AgentError> {
        let lines = Lines::from(input, MAX_LINE).map_err(|error| broken(&error))?;
        Ok(Self {
            lines,
            out,
            screen_path: screen_path.into(),
            told: None,
            surface: Surface::default(),
            pace: PersonPace::Stepped,
            first_lines: FIRST_LINES,
        })
    }

    /// The same with another pace.
    #[must_use]
    pub fn paced(self, pace: PersonPace) -> Self {
        Self { pace, ..self }
    }

    /// The same with the whole instruction told at once, for programs that read it.
    #[must_use]
    pub fn telling_all(self) -> Self {
        Self { first_lines: usize::MAX, ..self }
    }

    fn show(&mut self, turn: &Turn<'_>) -> Result<(), AgentError> {
        for (part, screen) in &turn.observation.pictures {
            let path = path_for(*part, &self.screen_path);
            let named = |error| AgentError::harness(format!("cannot write `{}`: {error}", path.display()));
            write_png(&path, screen).map_err(named)?;
        }
        self.print_turn(turn).map_err(|error| broken(&error))
    }

    fn print_turn(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        let texts = &turn.observation.texts;
        let left = texts.get(&ObservationPart::Remaining).map(|left| format!(" ({left} left)")).unwrap_or_default();
        writeln!(self.out, "\n== turn {}{left}", turn.step_idx)?;
        self.print_pictures(turn.observation)?;
        for (part, text) in texts.iter().filter(|(part, _)| **part != ObservationPart::Remaining) {
            let text = text.trim_end();
            let gap = if text.contains('\n') { '\n' } else { ' ' };
            writeln!(self.out, "{part}:{gap}{}", printable(text))?;
        }
        Ok(())
    }

    fn print_pictures(&mut self, observation: &Observation) -> io::Result<()> {
        for (part, screen) in &observation.pictures {
            let (width, height) = Screen::size(screen);
            let path = path_for(*part, &self.screen_path);
            writeln!(self.out, "{part}: {} ({width}x{height})", path.display())?;
        }
        Ok(())
    }

    /// Reads lines until one is an action.
    fn read(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let deadline = Deadline::after(within);
        let shown_at = Instant::now();
        loop {
            write!(self.out, "> ").and_then(|()| self.out.flush()).map_err(|error| broken(&error))?;
            let line = match self.lines.next(deadline.left()) {
                Ok(line) => line,
                Err(NoLine::Late) => return Err(AgentError::Late(within)),
                Err(NoLine::Closed) => return Err(AgentError::Interrupted),
                Err(other) => return Err(AgentError::harness(format!("the input could not be read: {other}"))),
            };
            match line.trim() {
                "" => {}
                "quit" => return Err(AgentError::Interrupted),
                "help" => self.help().map_err(|error| broken(&error))?,
                "screen" => self.print_pictures(turn.observation).map_err(|error| broken(&error))?,
                action => {
                    let reply = Reply::text(shorthand::spelled_out(action, &self.surface));
                    match reply.read(&self.surface) {
                        Ok(_action) => return Ok(self.paced_reply(reply, shown_at.elapsed())),
                        Err(misread) => self.explain(&misread, &line).map_err(|error| broken(&error))?,
                    }
                }
            }
        }
    }

    fn paced_reply(&self, reply: Reply, looked: Duration) -> Reply {
        match self.pace {
            PersonPace::Stepped => reply,
            PersonPace::Wall => pace::stamped(reply, looked, &self.surface),
        }
    }

    /// A person's slip of the finger is no turn: it is explained, and the next line counts.
    fn explain(&mut self, misread: &Misread, line: &str) -> io::Result<()> {
        let why = match misread {
            _ if line.len() == TERMINAL_LINE => {
                format!("a terminal cuts lines after {TERMINAL_LINE} bytes, and this one was: say it in shorter ones")
            }
            Misread::Nothing => shorthand::how_to_type(line.trim(), &self.surface),
            other => other.to_string(),
        };
        writeln!(self.out, "{why}; nothing was done and no step taken (`help` lists the actions)")
    }

    /// The beginning of the instruction, and how to go on.
    fn open(&mut self) -> io::Result<()> {
        let Some(briefing) = &self.told else { return Ok(()) };
        let lines: Vec<&str> = briefing.instruction.trim_end().lines().collect();
        let (first, more) = lines.split_at(lines.len().min(self.first_lines));
        writeln!(self.out, "{}", first.join("\n"))?;
        if !more.is_empty() {
            writeln!(self.out, "... {} more: `help` tells all", count(more.len(), "line"))?;
        }
        let typing = shorthand::typing(briefing);
        let screen = if self.has_pictures() { "`screen` tells where the picture is, " } else { "" };
        writeln!(self.out, "\n{typing}\n`help` lists every action, {screen}`quit` leaves.")
    }

    /// Whether there is anything to look at that is no text.
    fn has_pictures(&self) -> bool {
        let pictures = [ObservationPart::Screen, ObservationPart::Marks, ObservationPart::Goal];
        pictures.iter().any(|part| self.surface.parts.contains(part))
    }

    fn help(&mut self) -> io::Result<()> {
        let Some(briefing) = &self.told else { return Ok(()) };
        let help = if self.has_pictures() { format!("{HELP}\n{PICTURE_HELP}") } else { HELP.to_owned() };
        if self.surface.groups.contains(&ActionGroup::Gui) {
            let (instruction, actions) = (briefing.instruction.trim_end(), shorthand::screen_help(briefing));
            let steps = count(briefing.limits.steps, "step");
            return writeln!(self.out, "{instruction}\n\n{actions}\nYou have {steps}.\n\n{help}");
        }
        let (told, typing) = (briefing.prompt(), shorthand::typing(briefing));
        writeln!(self.out, "{}\n\n{typing} {LISTED}\n{help}", told.trim_end())
    }
}

impl<W: Write> Agent for Terminal<W> {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.told = Some(briefing.clone());
        self.surface = briefing.surface.clone();
        self.open().map_err(|error| broken(&error))
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        self.show(turn)?;
        self.read(turn, within)
    }

    /// Prints what was said; a terminal that cannot be printed to is noticed at the next turn.
    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        self.print_turn(turn).and_then(|()| writeln!(self.out, "> {} (recorded before)", reply.raw)).ok();
    }
}

fn broken(error: &io::Error) -> AgentError {
    AgentError::harness(format!("the terminal is gone: {error}"))
}

/// `screen.png` for the screen, `screen.goal.png` for the goal.
fn path_for(part: ObservationPart, screen_path: &Path) -> PathBuf {
    if part == ObservationPart::Screen {
        return screen_path.to_owned();
    }
    screen_path.with_extension(format!("{part}.png"))
}
