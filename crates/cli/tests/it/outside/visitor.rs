//! Somebody with a browser of their own: plain Chromium over its debugging port, with time running as it does.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use futures_util::{SinkExt, StreamExt};
use quintain_testkit::PATIENCE;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Resolves when the page has drawn a few times, so that what was done shows.
const DRAWN: &str =
    "new Promise((done) => { let n = 12; const next = () => (n-- ? requestAnimationFrame(next) : done()); next(); })";

/// A browser with one page.
pub(crate) struct Visitor {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    n_sent: u64,
}

impl Visitor {
    /// Opens an address and does these actions there.
    pub(crate) fn carry_out(address: &str, actions: &[Value]) {
        let profile = tempfile::tempdir().expect("a folder");
        let (mut browser, port) = start(profile.path());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (socket, _) = connect_async(port).await.expect("it listens");
            let mut visitor = Self { socket, session: None, n_sent: 0 };
            visitor.go_to(address).await;
            for action in actions {
                visitor.act(action).await;
                visitor.wait_for(DRAWN).await;
            }
        });
        browser.kill().expect("it runs");
        browser.wait().expect("it ends");
    }

    async fn go_to(&mut self, address: &str) {
        let page = json!({ "url": address, "width": 1280, "height": 720 });
        let target = self.call("Target.createTarget", page).await["targetId"].clone();
        let attached = self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true })).await;
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        let size = json!({ "width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size).await;
        let filled = "new Promise((done) => { const look = () => (document.querySelector('#root > *') ? done() : setTimeout(look, 20)); look(); })";
        let look = json!({ "expression": filled, "awaitPromise": true });
        // The empty page that a browser begins with may take the question away with it.
        if self.try_call("Runtime.evaluate", look.clone()).await.is_err() {
            self.call("Runtime.evaluate", look).await;
        }
        self.wait_for(DRAWN).await;
    }

    async fn wait_for(&mut self, promise: &str) {
        self.call("Runtime.evaluate", json!({ "expression": promise, "awaitPromise": true })).await;
    }

    async fn act(&mut self, action: &Value) {
        match action["do"].as_str().expect("it does something") {
            "click" => self.drag(&[action["at"].clone()]).await,
            "drag" => self.drag(action["path"].as_array().expect("a path")).await,
            "type" => drop(self.call("Input.insertText", json!({ "text": action["text"] })).await),
            "key" => self.select_all(action).await,
            "done" => {}
            other => panic!("nobody taught the visitor to {other}"),
        }
    }

    /// Presses at the first point, moves through the others, and lets go at the last.
    async fn drag(&mut self, path: &[Value]) {
        let (first, last) = (path.first().expect("a point"), path.last().expect("a point"));
        self.mouse("mouseMoved", first, 0).await;
        self.mouse("mousePressed", first, 1).await;
        for share in [0.25, 0.5, 0.75, 1.0].into_iter().filter(|_| path.len() > 1) {
            let between = |axis: &str| {
                let (from, to) = (first[axis].as_f64().expect("a number"), last[axis].as_f64().expect("a number"));
                from + (to - from) * share
            };
            self.mouse("mouseMoved", &json!({ "x": between("x"), "y": between("y") }), 1).await;
        }
        self.mouse("mouseReleased", last, 1).await;
    }

    async fn mouse(&mut self, kind: &str, at: &Value, held: u32) {
        let button = if held == 0 { "none" } else { "left" };
        let event =
            json!({ "type": kind, "x": at["x"], "y": at["y"], "button": button, "buttons": held, "clickCount": held });
        self.call("Input.dispatchMouseEvent", event).await;
    }

    async fn select_all(&mut self, action: &Value) {
        assert_eq!(action["keys"], json!(["ctrl", "a"]), "the only keys the oracle of this task presses");
        let key = json!({ "key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "modifiers": 2 });
        let mut down = key.clone();
        (down["type"], down["commands"]) = ("rawKeyDown".into(), json!(["selectAll"]));
        self.call("Input.dispatchKeyEvent", down).await;
        let mut up = key;
        up["type"] = "keyUp".into();
        self.call("Input.dispatchKeyEvent", up).await;
    }

    async fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    async fn try_call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.n_sent += 1;
        let mut command = json!({ "id": self.n_sent, "method": method, "params": params });
        if let Some(session) = &self.session {
            command["sessionId"] = session.as_str().into();
        }
        self.socket.send(Message::text(command.to_string())).await.expect("the browser is there");
        tokio::time::timeout(PATIENCE, self.answer()).await.unwrap_or_else(|_late| panic!("{method} took too long"))
    }

    async fn answer(&mut self) -> Result<Value, Value> {
        loop {
            let heard = self.socket.next().await.expect("the browser is there").expect("it speaks");
            let heard: Value = serde_json::from_str(heard.to_text().unwrap_or("{}")).unwrap_or_default();
            if heard["id"] == self.n_sent {
                return heard.get("error").map_or_else(|| Ok(heard["result"].clone()), |error| Err(error.clone()));
            }
        }
    }
}

/// Starts a browser, and returns where it listens.
fn start(profile: &std::path::Path) -> (Child, String) {
    let program = quintain_browser::find_chromium().expect("there is a browser");
    let mut browser = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-port=0"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let stderr = BufReader::new(browser.stderr.take().expect("a pipe"));
    let mut lines = stderr.lines().map_while(Result::ok);
    let port = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
    // Whatever else it says is read away, so that it never waits for us.
    std::thread::spawn(move || lines.for_each(drop));
    (browser, port.expect("it says where it listens"))
}
