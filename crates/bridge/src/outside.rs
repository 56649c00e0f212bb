//! An unmodified program that plays: it is started with addresses in its environment, acts over them, and asks its model
//! through the proxy.

mod child;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::lock::LockAlways as _;
use quintain_core::{Agent, AgentError, Boundary, Breakdown, Briefing, Reply, TrialId, Turn, Usage, variables};
use quintain_models::providers::redact;
use quintain_process::sandbox::{HostRelay, ProgramAccess, ProgramSurroundings, sandbox_hint};
use serde_json::json;

use super::describe::describe;
use super::guest_supply::{ending, guest_slot};
use super::loopback::{LoopbackServer, TrialRoute};
use super::proxy::{Proxy, ProxyMeter, ProxyStop, behind_key};
use super::seat::{Guest, GuestControl, GuestEnd, TrialSeat, seat};
use child::Child;

/// How long a guest may be silent: the limits of the trial and of a call decide before that.
const PATIENCE: Duration = Duration::from_hours(24);
/// How long a program may take to leave by itself when the trial is over.
const LEAVING_LIMIT: Duration = Duration::from_secs(2);
/// Keys and addresses of the user's own, which the program must not find.
const UNSET: [&str; 3] = ["ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"];

/// A program that plays one attempt at a trial.
pub struct Outside {
    argv: Vec<String>,
    trial: TrialId,
    attempt: u32,
    host: OutsideHost,
    playing: Option<OutsidePlay>,
}

/// What a program stands on that plays by itself.
#[derive(Clone)]
pub struct OutsideHost {
    /// Where the addresses of its trials are.
    pub house: Arc<LoopbackServer>,
    /// Its way to models.
    pub proxy: Proxy,
    /// What it may see of the host.
    pub access: ProgramAccess,
    /// Its way to that server, where it is in a sandbox.
    pub relay: Option<Arc<HostRelay>>,
}

struct OutsidePlay {
    seat: TrialSeat,
    control: Arc<Mutex<Option<GuestControl>>>,
    toll: Arc<ProxyMeter>,
    child: Child,
    /// Kept for as long as the program may come.
    _routes: TrialRoutePair,
}

impl Outside {
    /// A program and its arguments, in which `{instruction}`, `{url}` and `{mcp_url}` are filled in.
    pub fn new(argv: Vec<String>, trial: TrialId, attempt: u32, host: OutsideHost) -> Self {
        Self { argv, trial, attempt, host, playing: None }
    }

    fn routes(&self, guest: Guest, toll: &Arc<ProxyMeter>) -> Result<TrialRoutePair, AgentError> {
        let broke = |error: std::io::Error| AgentError::harness(format!("no address for the agent: {error}"));
        let slot = guest_slot(self.trial.clone(), guest);
        let asking = || self.host.proxy.routes(Arc::clone(toll));
        let models = self.host.house.room(|_url| asking()).map_err(broke)?;
        let furnish = |url: &str| describe(url, &slot).merge(behind_key(asking(), models.token()));
        let world = self.host.house.room(furnish).map_err(broke)?;
        Ok(TrialRoutePair { world, models })
    }

    /// What a program that has left, or may ask no more, has said by that.
    fn called_off(&self, playing: &OutsidePlay) -> Result<Reply, AgentError> {
        match (playing.toll.stopped(), playing.child.status()) {
            // Looking changes nothing; what was used takes the trial over its limit, and that ends it.
            (Some(ProxyStop::Trial(what)), _) => Ok(Reply {
                thought: Some(format!("(nothing is left to ask a model with: {what})")),
                ..Reply::text(json!({ "name": "screenshot", "arguments": {} }).to_string())
            }),
            (Some(ProxyStop::Run | ProxyStop::Over), _) => Err(AgentError::Interrupted),
            (None, Some(status)) if status.success() && playing.toll.let_down().is_none() => Ok(ending(None, None)),
            (None, status) => Err(self.fault(playing, status)),
        }
    }

    fn fault(&self, playing: &OutsidePlay, status: Option<std::process::ExitStatus>) -> AgentError {
        if let Some(trouble) = playing.toll.let_down() {
            return AgentError::Fault {
                boundary: Boundary::Provider,
                why: format!("its model did not answer: {trouble}"),
            };
        }
        let program = self.argv.first().map_or("", String::as_str);
        let left = status.map_or_else(|| "is gone".to_owned(), |status| format!("left with {status}"));
        let how = playing.child.used_up().map_or(left, |what| format!("was ended: {what}"));
        let words = redact(&playing.child.last_words());
        let words = if words.is_empty() { " without a word".to_owned() } else { format!("; its last words:\n{words}") };
        let hint = sandbox_hint(&words).filter(|_| self.host.access.is_sandbox());
        let why = format!("agent `{program}` {how}{words}{}", hint.map(|hint| format!("\n{hint}")).unwrap_or_default());
        match status {
            Some(status) if !playing.child.was_killed_by_host(status) => {
                AgentError::Broke { how: Breakdown::Exit, why }
            }
            _ => AgentError::harness(why),
        }
    }
}

impl Agent for Outside {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        let (mut seat, guest, control) = seat(PATIENCE);
        let control = Arc::new(Mutex::new(Some(control)));
        let toll = Arc::new(ProxyMeter::new(self.trial.clone(), self.attempt, calling_off(&control)));
        let routes = self.routes(guest, &toll)?;
        seat.begin(briefing)?;
        let argv = filled(&self.argv, routes.world.url(), &briefing.instruction);
        let (variables, relay) = (routes.environment(), self.host.relay.as_deref());
        let given = ProgramSurroundings { variables: &variables, unset: &UNSET, relay };
        let started = Child::start(&argv, &self.host.access, given, calling_off(&control));
        let program = self.argv.first().map_or("", String::as_str);
        let child =
            started.map_err(|error| AgentError::harness(format!("agent `{program}` cannot be started: {error}")))?;
        self.playing = Some(OutsidePlay { seat, control, toll, child, _routes: routes });
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let Some(mut playing) = self.playing.take() else { return Err(AgentError::harness("nobody plays")) };
        playing.toll.turn(turn.step_idx, turn.remaining);
        let said = match playing.seat.act(turn, within) {
            Err(AgentError::Interrupted) => self.called_off(&playing),
            said => said,
        };
        let said = said.map(|reply| Reply { usage: playing.toll.take(), ..reply });
        self.playing = Some(playing);
        said
    }

    /// The program was started anew and knows nothing of this; it finds the world as it is.
    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}

    fn wasted(&mut self) -> Option<Usage> {
        self.playing.as_ref().and_then(|playing| playing.toll.take())
    }

    fn end(&mut self) {
        let Some(mut playing) = self.playing.take() else { return };
        playing.toll.close();
        if let Some(control) = playing.control.lock().always().take() {
            control.over(GuestEnd::PutDown);
        }
        playing.child.wait(LEAVING_LIMIT);
    }
}

fn calling_off(control: &Arc<Mutex<Option<GuestControl>>>) -> impl Fn() + Send + Sync + 'static {
    let control = Arc::clone(control);
    move || {
        if let Some(control) = control.lock().always().as_ref() {
            control.call_off();
        }
    }
}

/// The command line with what is only known now.
fn filled(argv: &[String], url: &str, instruction: &str) -> Vec<String> {
    let fill = |word: &String| {
        // The instruction goes in last: what it says is not filled in again.
        word.replace("{mcp_url}", &format!("{url}/mcp")).replace("{url}", url).replace("{instruction}", instruction)
    };
    argv.iter().map(fill).collect()
}

/// The two addresses of a trial. Command lines can be read by everybody on a machine and may name the world's; the models'
/// stands in variables only, which nobody else can read, and what cannot be guessed of it is the trial's key.
struct TrialRoutePair {
    world: TrialRoute,
    models: TrialRoute,
}

impl TrialRoutePair {
    /// What clients look for: where their provider is, and a key. It opens the models of this trial and nothing else.
    fn environment(&self) -> Vec<(String, String)> {
        let (url, base, key) = (self.world.url(), self.models.url(), self.models.token());
        let (mcp, v1) = (format!("{url}/mcp"), format!("{base}/v1"));
        [
            (variables::URL, url),
            (variables::MCP_URL, &mcp),
            ("ANTHROPIC_BASE_URL", base),
            ("OPENAI_BASE_URL", &v1),
            ("CHAT_BASE_URL", &v1),
            ("GOOGLE_GEMINI_BASE_URL", base),
            ("ANTHROPIC_API_KEY", key),
            ("OPENAI_API_KEY", key),
            ("CHAT_API_KEY", key),
            ("GEMINI_API_KEY", key),
            ("GOOGLE_API_KEY", key),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_instruction_says_is_not_filled_in() {
        let argv = ["agent", "-p", "{instruction}", "--mcp={mcp_url}", "{url}"].map(str::to_owned);
        let filled = filled(&argv, "http://h/t/x", "Write {url} into the box.");
        assert_eq!(filled, ["agent", "-p", "Write {url} into the box.", "--mcp=http://h/t/x/mcp", "http://h/t/x"]);
    }
}
