//! The way to the answers of a chain: words are looked up, links followed, forms filled in, what is read is brought into
//! view, what was found is noted. It is gone with mouse and keyboard, or by calls where pages are text.

mod browsing;
mod player;
mod text_player;
mod way;

use std::time::Duration;

use quintain_core::action::Dialect;
use quintain_core::agent::{AgentError, Briefing, Reply, Turn};
use quintain_core::surface::ActionGroup;
use quintain_core::{Agent, ObservationPart};
use serde_json::Value;

use crate::oracle::{AppOracle, reply_of};
use player::WebPlayer;
use text_player::TextPlayer;

/// Solves an instance by whatever it is offered.
pub(super) struct WebOracle {
    /// The start of the instance.
    start: Value,
    player: SitePlayer,
}

enum SitePlayer {
    /// It has not been told yet what it is offered.
    Waiting,
    ByHand(AppOracle<WebPlayer>),
    ByCalls(TextPlayer),
}

impl WebOracle {
    pub(super) fn new(start: Value) -> Self {
        Self { start, player: SitePlayer::Waiting }
    }

    fn answer(player: &mut TextPlayer, turn: &Turn<'_>) -> Result<Reply, AgentError> {
        let shown = turn.observation.texts.get(&ObservationPart::Text).map_or("", String::as_str);
        reply_of(&player.decide(shown))
    }
}

impl Agent for WebOracle {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.player = if briefing.surface.groups.contains(&ActionGroup::Call) {
            SitePlayer::ByCalls(TextPlayer::new(&self.start).map_err(AgentError::harness)?)
        } else {
            SitePlayer::ByHand(AppOracle(WebPlayer::new(&self.start).map_err(AgentError::harness)?))
        };
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        match &mut self.player {
            SitePlayer::Waiting => Err(AgentError::harness("the oracle was not told what it is offered")),
            SitePlayer::ByHand(player) => player.act(turn, within),
            SitePlayer::ByCalls(player) => Self::answer(player, turn),
        }
    }

    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        match &mut self.player {
            SitePlayer::Waiting => {}
            SitePlayer::ByHand(player) => player.recall(turn, reply),
            SitePlayer::ByCalls(player) => drop(Self::answer(player, turn)),
        }
    }

    fn dialect(&self) -> Dialect {
        Dialect::Canonical
    }

    fn wants_geometry(&self) -> bool {
        true
    }
}
