//! A worker in a process of its own: this very test, started again.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use quintain_core::variables;
use quintain_fleet::worker::{ArchiveAccess, work};
use quintain_store::RunDir;
use quintain_store::archive::Archive;

use crate::fleet::{Fleet, cast, connected, options};

const CHILD: &str = variables::WORKER_TEST;

/// A worker in a process of its own that can be killed.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn start(fleet: &Fleet, name: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["a_worker_that_is_killed_loses_nothing", "--exact", "--nocapture"]);
        let settings = [fleet.nats.urls(), name.to_owned(), fleet.folder.path().to_str().unwrap().to_owned()];
        Self(command.env(CHILD, settings.join(" ")).stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Is a worker, if this process was started to be one.
pub(crate) fn is_worker() -> bool {
    let Ok(settings) = std::env::var(CHILD) else { return false };
    be_a_worker(&settings);
    true
}

/// What the process does: works until it is killed. Its trials take a while now and then.
fn be_a_worker(settings: &str) {
    let [urls, name, folder] = settings.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let lease_for = Duration::from_secs(2);
    let (engine, hosts) = connected(&runtime, urls, name, lease_for);
    let folder = PathBuf::from(folder);
    let access = ArchiveAccess::Direct(Archive::open(folder.join("archive").to_str().unwrap()).unwrap());
    let options = options(name, folder.join("scratch"), lease_for);
    let n_turns = AtomicUsize::new(0);
    let cast = cast(move |_| {
        if n_turns.fetch_add(1, Ordering::SeqCst) % 50 == 49 {
            thread::sleep(Duration::from_millis(300));
        }
    });
    let casting = |_: &RunDir, _| Ok(cast.clone());
    work(&options, engine, hosts, access, &casting, &AtomicBool::new(false), &|_| {}).unwrap();
}
