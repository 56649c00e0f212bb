//! A server with certificates, accounts and users of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use async_nats::{Client, ConnectOptions, Event};
use quintain_core::Task;
use quintain_fleet::ask::{StewardAnswer, StewardRequest};
use quintain_fleet::credentials::{KeyHolder, User, accounts, users};
use quintain_fleet::jetstream::{EngineOptions, NatsEngine, ProcessRole};
use quintain_fleet::limits::{Keeper, KeeperOptions};
use quintain_fleet::steward::{Steward, StewardOptions};
use quintain_fleet::{FleetLink, FleetNames};
use quintain_runner::engine::steered::{RunTerms, SteeredEngine};
use quintain_runner::engine::{Engine, Unit};
use quintain_runner::{Cast, Grid, plan};
use quintain_store::archive::Archive;
use quintain_store::{ClassUsed, RunHeader, Selection};
use quintain_testkit::servers::{Nats, NatsOptions};
use quintain_testkit::{Counter, Counting, PATIENCE, TargetJudge, counter_task};
use tokio::sync::{mpsc, watch};

/// A server that lets in two stewards, a submitter and two workers: `desk` for puzzles, `lab` for browsers.
pub(crate) struct Castle {
    pub(crate) nats: Nats,
    pub(crate) names: FleetNames,
    /// The inbox of the worker `lab`.
    pub(crate) inbox_of_lab: String,
    archive: Mutex<Option<Archive>>,
    dir: tempfile::TempDir,
}

impl Castle {
    pub(crate) fn build() -> Self {
        let (dir, names) = (tempfile::tempdir().unwrap(), FleetNames::of("f"));
        make_certificates(dir.path());
        let issue = |file: &str, who: KeyHolder| {
            let user = User::new(&names, &who).unwrap();
            user.write_seed(&dir.path().join(file)).unwrap();
            user
        };
        let steward = issue("steward", KeyHolder::Steward);
        let submitter = issue("submitter", KeyHolder::Submitter);
        let worker =
            |name: &str, class: &str| KeyHolder::Worker { name: name.to_owned(), classes: vec![class.to_owned()] };
        let (desk, lab) = (issue("desk", worker("desk", "puzzles")), issue("lab", worker("lab", "browser")));
        let fleet = users(&[steward.entry(), submitter.entry()]);
        let workers = users(&[desk.entry(), lab.entry()]);
        let files = dir.path().display();
        let tls = format!("tls {{ cert_file: \"{files}/server.crt\", key_file: \"{files}/server.key\" }}\n");
        let extra = tls + &accounts(&names, &fleet, &workers);
        let nats = Nats::with(&NatsOptions { extra, ..NatsOptions::default() });
        Self { nats, inbox_of_lab: names.inbox(&lab.public_key), names, archive: Mutex::default(), dir }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// How a user reaches the server.
    pub(crate) fn link(&self, user: &str) -> FleetLink {
        let mut link = FleetLink::to(self.nats.urls(), user);
        self.names.fleet().clone_into(&mut link.fleet);
        link.credentials = Some(self.file(user));
        link.ca = Some(self.file("ca.crt"));
        link
    }

    /// The engine as a user opens it: workers as workers, all others with all that they may do.
    pub(crate) async fn engine(&self, user: &str) -> Arc<NatsEngine> {
        let role = match user {
            "steward" | "submitter" => ProcessRole::Steward,
            worker => ProcessRole::Worker { name: worker.to_owned() },
        };
        let client = self.link(user).connect().await.unwrap();
        let options = EngineOptions { role, ..EngineOptions::default() };
        Arc::new(NatsEngine::open(client, self.names.clone(), options).await.unwrap())
    }

    /// A steward under its own key, and what keeps it going.
    pub(crate) async fn steward(&self, archive: Archive) -> (Arc<NatsEngine>, watch::Sender<bool>) {
        let (engine, client) = (self.engine("steward").await, self.link("steward").connect().await.unwrap());
        *self.archive.lock().unwrap() = Some(archive.clone());
        let keeper = Keeper::open(client.clone(), self.names.clone(), KeeperOptions::default()).await.unwrap();
        let (stop, stopped) = watch::channel(false);
        let (names, options) = (self.names.clone(), StewardOptions::default());
        let steward =
            Steward::new(Arc::clone(&engine), client, names, archive, Arc::new(keeper), options).await.unwrap();
        tokio::spawn(async move { steward.serve(stopped).await });
        (engine, stop)
    }

    /// An archive in a directory.
    #[expect(clippy::unused_self, reason = "it reads better")]
    pub(crate) fn directory(&self, path: &Path) -> Archive {
        Archive::make(path.to_str().unwrap()).unwrap()
    }

    /// Archives a run of two tasks, played twice each: the first two units are puzzles, the others are for browsers.
    pub(crate) async fn archived_run(&self, run: &str, terms: RunTerms) -> Vec<Unit> {
        let tasks: Vec<Task> = [3, 5].map(|n| counter_task(&format!("count-{n}"), n, n)).to_vec();
        let selection = |task: &Task| Selection { task: task.clone(), preset: None, seed: None, stretch: None };
        let selections: Vec<Selection> = tasks.iter().map(selection).collect();
        let agents = ["counting".to_owned()];
        let grid = Grid { selections: &selections, seeds: &[], agents: &agents, repeats: 2, after: &[] };
        let mut planned = plan(&grid, &cast()).unwrap();
        planned.sort_by_key(|planned| planned.trial.to_string());
        let archive = self.archive.lock().unwrap().clone().unwrap();
        // A steward that finds the run before it is handed in registers it by what the run says of itself.
        let class_of = |(task, class): (&Task, &str)| {
            let (class, tasks) = (class.to_owned(), vec![task.id.to_string()]);
            ClassUsed { class, tasks, ..ClassUsed::default() }
        };
        let classes = tasks.iter().zip(["puzzles", "browser"]).map(class_of).collect();
        let header = RunHeader { classes, ..RunHeader::new(run, "now") };
        archive.create_run(&header, &planned, &tasks).await.unwrap();
        archive.run(run).unwrap().put_terms(&serde_json::to_vec(&terms).unwrap()).await.unwrap();
        let class = |n: usize| if n < 2 { "puzzles" } else { "browser" }.to_owned();
        let unit = |(n, id): (usize, String)| Unit { run: run.to_owned(), id, class: class(n), n_before: 0 };
        planned.iter().map(|planned| planned.trial.to_string()).enumerate().map(unit).collect()
    }

    /// What the steward answers a worker, once one leads.
    pub(crate) async fn ask(&self, worker: &str, ask: &StewardRequest) -> StewardAnswer {
        let client = self.link(worker).connect().await.unwrap();
        let question = serde_json::to_vec(ask).unwrap();
        let began = std::time::Instant::now();
        loop {
            if let Ok(answer) = client.request(self.names.ask(worker), question.clone().into()).await {
                return serde_json::from_slice(&answer.payload).unwrap();
            }
            assert!(began.elapsed() < PATIENCE, "no steward answers");
        }
    }

    /// A connection that notices what is forbidden to it.
    pub(crate) async fn probe(&self, user: &str) -> Probe {
        let (told, heard) = mpsc::unbounded_channel();
        let seed = std::fs::read_to_string(self.file(user)).unwrap().trim().to_owned();
        let options = ConnectOptions::with_nkey(seed)
            .custom_inbox_prefix(self.link(user).inbox())
            .add_root_certificates(self.file("ca.crt"))
            .require_tls(true)
            .event_callback(move |event| {
                drop(told.send(event));
                async {}
            });
        let client = options.connect(self.nats.urls()).await.unwrap();
        Probe { client, heard, n_markers: 0 }
    }
}

/// Tries what may be forbidden.
pub(crate) struct Probe {
    pub(crate) client: Client,
    heard: mpsc::UnboundedReceiver<Event>,
    n_markers: u32,
}

impl Probe {
    /// Of these subjects, those to which it cannot publish.
    pub(crate) async fn forbidden_to_publish(&mut self, subjects: &[String]) -> Vec<String> {
        for subject in subjects {
            self.client.publish(subject.clone(), "".into()).await.unwrap();
        }
        let told = self.complaints().await;
        let is_named = |subject: &&String| told.contains(&format!("publish to \"{}\"", subject.to_lowercase()));
        subjects.iter().filter(is_named).cloned().collect()
    }

    /// Of these subjects, those to which it cannot listen.
    pub(crate) async fn forbidden_to_hear(&mut self, subjects: &[String]) -> Vec<String> {
        let mut open = Vec::new();
        for subject in subjects {
            open.push(self.client.subscribe(subject.clone()).await.unwrap());
        }
        let told = self.complaints().await;
        let is_named = |subject: &&String| told.contains(&format!("subscription to \"{}\"", subject.to_lowercase()));
        subjects.iter().filter(is_named).cloned().collect()
    }

    /// What the server has complained about so far. It does so in order, so what is certainly forbidden is tried last.
    async fn complaints(&mut self) -> String {
        self.n_markers += 1;
        let marker = format!("certainly.forbidden.{}", self.n_markers);
        self.client.publish(marker.clone(), "".into()).await.unwrap();
        let mut told = String::new();
        while !told.contains(&marker) {
            let event = tokio::time::timeout(PATIENCE, self.heard.recv()).await.unwrap().unwrap();
            told.push_str(&event.to_string().to_lowercase());
            told.push('\n');
        }
        told
    }
}

fn cast() -> Cast {
    let cast = Cast::judged_by(|_| Ok(Box::new(TargetJudge::default())));
    let cast = cast.with_world(Arc::new(Counter::default()));
    cast.with_agent("counting", |context| Ok(Box::new(Counting::to(context.instance))))
}

/// Units of a run, so many of a class.
pub(crate) fn units(run: &str, class: &str, n: u32) -> Vec<Unit> {
    let unit = |n| Unit { run: run.to_owned(), id: format!("{class}-{n}"), class: class.to_owned(), n_before: 0 };
    (0..n).map(unit).collect()
}

/// Registers units and puts them on offer. A steward that found the run in the archive may have done so before.
pub(crate) async fn hand_in(engine: &NatsEngine, units: &[Unit]) {
    let run = &units[0].run;
    engine.set_terms(run, &RunTerms::default()).await.unwrap();
    engine.enqueue(units).await.unwrap();
    assert_eq!(engine.progress(run).await.unwrap().n_units, units.len() as u64);
}

/// An authority of our own, another one that nobody trusts, and the server's certificate.
fn make_certificates(dir: &Path) {
    let authority = "openssl req -x509 -newkey ed25519 -nodes -days 2 -subj /CN=tests \
                     -addext keyUsage=critical,keyCertSign,cRLSign";
    for name in ["ca", "stranger"] {
        run(dir, &format!("{authority} -keyout {name}.key -out {name}.crt"));
    }
    std::fs::write(dir.join("ext"), "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n").unwrap();
    run(dir, "openssl req -newkey ed25519 -nodes -subj /CN=nats -keyout server.key -out server.csr");
    run(
        dir,
        "openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out server.crt",
    );
}

fn run(dir: &Path, line: &str) {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap());
    let output = command.args(words).current_dir(dir).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
}
