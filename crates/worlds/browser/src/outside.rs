//! An app for agents that bring their own browser: its files, and a page that tells its document over HTTP.
//!
//! Time runs as it does on any page, and nothing vouches for what is told: whoever knows the address can tell any
//! document. Verdicts on such trials are marked as made outside.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use quintain_core::files::held;
use quintain_core::lock::LockAlways as _;
use quintain_core::offering::{OutsideFile, OutsidePage};
use quintain_core::world::{Collected, WorldError};
use quintain_core::{Evidence, Instance};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::{Apps, Bundle, Service};
use crate::gate::mime_of;
use crate::inbox::Inbox;
use crate::kind::app_of;

/// What the page finds before its own scripts run.
const PRELUDE: &str = include_str!("outside.js");
/// The name under which it is served.
const PRELUDE_NAME: &str = "quintain.js";
/// What the page may run and reach: its own files and its own address.
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: \
                      blob:; object-src 'none'; base-uri 'none'; form-action 'none'";

/// An app at the start of an instance, to be used in a browser that is not ours.
pub struct OutsideApp {
    app: &'static str,
    files: Bundle,
    seed: u64,
    state: Mutex<OutsideState>,
}

struct OutsideState {
    inbox: Inbox,
    service: Box<dyn Service + Send>,
    n_visits: u64,
    /// How much each visit has told.
    told: BTreeMap<u64, u64>,
}

/// What a page tells at once.
#[derive(Deserialize)]
struct Batch {
    visit: u64,
    count: u64,
    messages: Vec<Value>,
}

impl OutsideApp {
    /// The app of an instance, with the document it starts with.
    pub fn open(apps: Apps, instance: &Instance) -> Result<Self, WorldError> {
        let app = app_of(apps, instance)?;
        if app.sites().is_some() {
            return Err(WorldError::setup(format!("the sites of `{}` are shown in our own browser only", app.name())));
        }
        let inbox = Inbox { document: instance.start["document"].clone(), ..Inbox::default() };
        Ok(Self {
            app: app.name(),
            files: app.bundle(),
            seed: instance.id.pick.seed.unwrap_or(0),
            state: Mutex::new(OutsideState { inbox, service: app.service(), n_visits: 0, told: BTreeMap::new() }),
        })
    }

    fn bundled(&self, path: &str) -> Option<&'static [u8]> {
        self.files.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
    }

    fn prelude(&self) -> String {
        let mut state = self.state();
        state.n_visits += 1;
        let opening = json!({ "document": state.inbox.document, "seed": self.seed, "visit": state.n_visits });
        PRELUDE.replace("OPENING", &opening.to_string())
    }

    fn state(&self) -> MutexGuard<'_, OutsideState> {
        self.state.lock().always()
    }
}

impl OutsidePage for OutsideApp {
    /// The file at a path below the app's address; the empty path is the page itself. A page that is loaded again finds
    /// the document as it was last told.
    fn file(&self, path: &str) -> Option<OutsideFile> {
        let path = if path.is_empty() { "index.html" } else { path };
        let bytes = match path {
            PRELUDE_NAME => Cow::Owned(self.prelude().into_bytes()),
            "index.html" => Cow::Owned(with_prelude(self.bundled(path)?)),
            other => Cow::Borrowed(self.bundled(other)?),
        };
        Some(OutsideFile { mime: mime_of(path), policy: POLICY, bytes })
    }

    /// Takes what a page tells, and answers what it asks. What came late and out of order is passed over.
    fn tell(&self, text: &str) -> Result<Value, String> {
        let batch: Batch = serde_json::from_str(text).map_err(|error| format!("this tells nothing: {error}"))?;
        self.state().take(&batch)
    }

    /// What there is at the end.
    fn collect(&self) -> Collected {
        let mut state = self.state();
        let evidence = Evidence::document(self.app, state.inbox.document.clone());
        let files = std::mem::take(&mut state.inbox.files);
        let files = files.into_iter().map(|(name, text)| (name, held(text.into_bytes()))).collect();
        Collected { evidence, screen: None, files }
    }
}

impl OutsideState {
    fn take(&mut self, batch: &Batch) -> Result<Value, String> {
        if batch.visit == 0 || batch.visit > self.n_visits {
            return Err("no page was opened for this visit".to_owned());
        }
        let told = self.told.entry(batch.visit).or_default();
        if batch.count <= *told {
            return Ok(json!({ "answers": [] }));
        }
        *told = batch.count;
        for message in &batch.messages {
            self.inbox.take(&message.to_string())?;
        }
        self.answers()
    }

    fn answers(&mut self) -> Result<Value, String> {
        let mut answers = Vec::new();
        while let Some(ask) = self.inbox.asks.pop_front() {
            let body = self.service.answer(&ask.what, &ask.body, &self.inbox.document)?;
            answers.push(json!({ "id": ask.id, "body": body }));
        }
        Ok(json!({ "answers": answers }))
    }
}

/// The page with our script before its own.
fn with_prelude(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    page.replacen("<head>", &format!("<head>\n    <script src=\"./{PRELUDE_NAME}\"></script>"), 1).into_bytes()
}
