//! The least that can drive a browser: a pipe, and the same calls in the same order as ours, nothing else.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use command_fds::{CommandFdExt, FdMapping};
use rustix::process::geteuid;
use serde_json::{Value, json};

use crate::scene::{APP, VIEWPORT, dist};

const PRELUDE: &str = include_str!("../../crates/worlds/browser/src/prelude.js");
const NOBODY: u32 = 65534;
const FRAME: f64 = 16.0;
const STILL: f64 = 0.25;

/// One browser with one page.
pub(crate) struct Bare {
    process: Child,
    to: File,
    from: BufReader<File>,
    last_id: u64,
    answers: BTreeMap<u64, Value>,
    session: String,
    ticks: f64,
    is_ready: bool,
    n_pending: u64,
    is_budget_spent: bool,
    n_frames: u64,
    clicks: [[f64; 2]; 2],
    n_steps: usize,
    _profile: tempfile::TempDir,
}

impl Bare {
    /// Starts a browser just as another one was started that runs already.
    pub(crate) fn start_like(pid: u32, document: &Value, clicks: [[f64; 2]; 2]) -> Self {
        let profile = tempfile::tempdir().expect("there is room for a profile");
        let (process, to, from) = spawn(pid, &profile);
        let mut bare = Self {
            process,
            to,
            from: BufReader::with_capacity(1 << 16, from),
            last_id: 0,
            answers: BTreeMap::new(),
            session: String::new(),
            ticks: 0.0,
            is_ready: false,
            n_pending: 0,
            is_budget_spent: false,
            n_frames: 0,
            clicks,
            n_steps: 0,
            _profile: profile,
        };
        bare.open(document);
        bare
    }

    /// The browser's process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// How many frames and pictures there have been.
    pub(crate) fn n_frames(&self) -> u64 {
        self.n_frames
    }

    /// A click, frames until two in a row bring nothing new, and a picture.
    pub(crate) fn step(&mut self) -> Vec<u8> {
        let [x, y] = self.clicks[self.n_steps % self.clicks.len()];
        self.n_steps += 1;
        let mouse = |kind: &str, button: &str, buttons: u32, n_clicks: u32| {
            json!({
                "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": n_clicks,
                "modifiers": 0,
            })
        };
        let sent = [
            self.send("Input.dispatchMouseEvent", &mouse("mouseMoved", "none", 0, 0)),
            self.send("Input.dispatchMouseEvent", &mouse("mousePressed", "left", 1, 1)),
            self.send("Input.dispatchMouseEvent", &mouse("mouseReleased", "left", 0, 1)),
        ];
        for sent in sent {
            self.answer(sent);
        }
        self.settle();
        self.picture()
    }

    fn open(&mut self, document: &Value) {
        let (width, height) = VIEWPORT;
        let context = self.call("Target.createBrowserContext", &json!({}))["browserContextId"].clone();
        let blank = json!({
            "url": "about:blank", "browserContextId": context, "width": width, "height": height,
            "enableBeginFrameControl": true,
        });
        let target = self.call("Target.createTarget", &blank)["targetId"].clone();
        let session = self.call("Target.attachToTarget", &json!({ "targetId": target, "flatten": true }));
        session["sessionId"].as_str().expect("a session has a name").clone_into(&mut self.session);
        let opening = json!({ "document": document, "seed": 0 }).to_string();
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Runtime.enable", json!({})),
            ("Runtime.addBinding", json!({ "name": "quintainTell" })),
            ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
            ("Emulation.setDeviceMetricsOverride", metrics),
            ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
            ("Emulation.setTimezoneOverride", json!({ "timezoneId": "UTC" })),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": PRELUDE.replace("OPENING", &opening) })),
        ] {
            self.call(method, &params);
        }
        let clock = json!({ "policy": "pause", "initialVirtualTime": 1_767_225_600.000_5 });
        self.ticks = self.call("Emulation.setVirtualTimePolicy", &clock)["virtualTimeTicksBase"]
            .as_f64()
            .expect("the browser has a clock");
        self.call("Page.navigate", &json!({ "url": format!("https://{APP}.test/") }));
        while !self.is_ready {
            self.frame();
        }
        self.settle();
        self.picture();
    }

    fn settle(&mut self) {
        let mut n_quiet = 0;
        while n_quiet < 2 {
            let is_damaged = self.frame();
            n_quiet = if is_damaged || self.n_pending > 0 { 0 } else { n_quiet + 1 };
        }
    }

    /// Lets a frame's time pass and draws; whether anything was drawn anew.
    fn frame(&mut self) -> bool {
        self.is_budget_spent = false;
        let budget = json!({ "policy": "pauseIfNetworkFetchesPending", "budget": FRAME });
        self.call("Emulation.setVirtualTimePolicy", &budget);
        while !self.is_budget_spent {
            self.read();
        }
        self.ticks += FRAME;
        let begun = self.begin_frame(&json!({ "frameTimeTicks": self.ticks, "interval": FRAME }));
        begun["hasDamage"] == true
    }

    fn picture(&mut self) -> Vec<u8> {
        self.ticks += STILL;
        let how = json!({ "format": "png", "optimizeForSpeed": true });
        let begun = self.begin_frame(&json!({ "frameTimeTicks": self.ticks, "interval": STILL, "screenshot": how }));
        let picture = begun["screenshotData"].as_str().expect("the browser makes a picture");
        STANDARD.decode(picture).expect("the picture can be read")
    }

    fn begin_frame(&mut self, params: &Value) -> Value {
        self.n_frames += 1;
        let begun = self.call("HeadlessExperimental.beginFrame", params);
        self.call("Runtime.getIsolateId", &json!({}));
        begun
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        let sent = self.send(method, params);
        self.answer(sent)
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        let mut command = json!({ "id": self.last_id, "method": method, "params": params });
        if !self.session.is_empty() {
            command["sessionId"] = self.session.as_str().into();
        }
        self.to.write_all(format!("{command}\0").as_bytes()).expect("the browser listens");
        self.last_id
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            if let Some(mut message) = self.answers.remove(&id) {
                assert!(message.get("error").is_none(), "the browser refuses: {}", message["error"]);
                return message["result"].take();
            }
            self.read();
        }
    }

    fn read(&mut self) {
        let mut bytes = Vec::new();
        let n_bytes = self.from.read_until(0, &mut bytes).expect("the browser talks");
        assert!(n_bytes > 0, "the browser is gone");
        bytes.pop();
        let message: Value = serde_json::from_slice(&bytes).expect("the browser talks JSON");
        if let Some(id) = message["id"].as_u64() {
            self.answers.insert(id, message);
            return;
        }
        let params = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Emulation.virtualTimeBudgetExpired" => self.is_budget_spent = true,
            "Runtime.bindingCalled" => self.hear(params["payload"].as_str().unwrap_or_default()),
            "Fetch.requestPaused" => self.serve(params),
            _ => {}
        }
    }

    fn hear(&mut self, text: &str) {
        let told: Value = serde_json::from_str(text).expect("the page talks JSON");
        match told["type"].as_str() {
            Some("ready") => self.is_ready = true,
            Some("pending") => self.n_pending = told["count"].as_u64().unwrap_or(0),
            _ => {}
        }
    }

    fn serve(&mut self, params: &Value) {
        let address = params["request"]["url"].as_str().unwrap_or_default();
        let name = address.rsplit_once(".test/").map_or("", |(_, name)| name);
        let name = if name.is_empty() { "index.html" } else { name };
        let mime = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            _ => "font/woff2",
        };
        let answer = match fs::read(dist().join(name)) {
            Ok(bytes) => json!({
                "requestId": params["requestId"], "responseCode": 200, "body": STANDARD.encode(bytes),
                "responseHeaders": [{ "name": "content-type", "value": mime }],
            }),
            Err(_absent) => json!({ "requestId": params["requestId"], "responseCode": 403 }),
        };
        self.send("Fetch.fulfillRequest", &answer);
    }
}

/// A browser with the very arguments of one that runs, but a profile of its own.
fn spawn(pid: u32, profile: &tempfile::TempDir) -> (Child, File, File) {
    let pipe = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).expect("a pipe");
    let ((commands_out, commands_in), (answers_out, answers_in)) = (pipe(), pipe());
    let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).expect("the other browser runs");
    let mut words = line.split_terminator('\0');
    let mut command = Command::new(words.next().expect("a command line begins with the program"));
    command.args(words.filter(|word| !word.starts_with("--user-data-dir")));
    command.arg(format!("--user-data-dir={}", profile.path().display()));
    command.env_clear().env("HOME", profile.path()).env("TMPDIR", profile.path());
    command.env("TZ", "UTC").env("LANG", "C.UTF-8").current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if geteuid().is_root() && !line.contains("--no-sandbox") {
        std::os::unix::fs::chown(profile.path(), Some(NOBODY), Some(NOBODY)).expect("the profile can be given away");
        command.uid(NOBODY).gid(NOBODY);
    }
    let fds =
        vec![FdMapping { parent_fd: commands_out, child_fd: 3 }, FdMapping { parent_fd: answers_in, child_fd: 4 }];
    command.fd_mappings(fds).expect("the numbers are free");
    (command.spawn().expect("the browser starts"), commands_in.into(), answers_out.into())
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
