//! Those who are told what happens in a run: the screen, and a log where one is wanted.

use std::path::Path;

use quintain_core::Event;

use crate::live::Live;
use crate::log::Log;
use crate::printer::Printer;

/// The screen and the log.
pub(crate) struct RunAudience {
    live: Live,
    log: Option<Log>,
}

impl RunAudience {
    /// An audience on this screen, and in this file where one is named.
    pub(crate) fn new(printer: Printer, log: Option<&Path>) -> anyhow::Result<Self> {
        Ok(Self { live: Live::new(printer), log: log.map(Log::open).transpose()? })
    }

    /// Tells everyone of an event.
    pub(crate) fn on(&mut self, event: &Event) {
        self.live.on(event);
        if let Some(log) = &mut self.log {
            log.on(event);
        }
    }

    /// Tells a person something that is no event.
    pub(crate) fn say(&self, words: &str) {
        self.live.say(words);
    }

    /// Closes the log, which may turn out not to be complete.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        self.log.take().map_or(Ok(()), Log::finish)
    }
}
