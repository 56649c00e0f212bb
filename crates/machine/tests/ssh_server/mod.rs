//! An SSH server on loopback that lets in one key and ends with the test.

use std::fmt::Write as _;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use quintain_process::{ProcessGroup, SpawnOptions, SweptFolder};

pub(crate) struct SshServer {
    _process: ProcessGroup,
    folder: SweptFolder,
    port: u16,
}

pub(crate) fn until(mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !is_so() {
        assert!(Instant::now() < deadline, "it never came");
        std::thread::yield_now();
    }
}

impl SshServer {
    pub(crate) fn start() -> Self {
        let folder = SweptFolder::new("quintain-ssh-test-").expect("what tests stand on");
        for name in ["host", "known", "unknown"] {
            let mut maker = Command::new("ssh-keygen");
            maker.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(folder.path().join(name));
            assert!(maker.status().expect("the package openssh-client").success());
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let settings = folder.path().join("settings");
        fs::write(&settings, server_settings(folder.path(), port)).expect("what tests stand on");
        // Where it shuts in those whom it does not know yet; only root can make it, and only for root it is needed.
        fs::create_dir_all("/run/sshd").ok();
        let options = SpawnOptions::new("/usr/sbin/sshd").args(["-D", "-e", "-f"]).args([&settings]);
        let process = options.spawn().expect("the package openssh-server");
        until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
        Self { _process: process, folder, port }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn reach(&self) -> Vec<String> {
        self.reach_by("known")
    }

    pub(crate) fn reach_with_wrong_key(&self) -> Vec<String> {
        self.reach_by("unknown")
    }

    fn reach_by(&self, key: &str) -> Vec<String> {
        let (key, port) = (self.folder.path().join(key), self.port.to_string());
        let known = "UserKnownHostsFile=/dev/null";
        let options = ["BatchMode=yes", "StrictHostKeyChecking=no", known, "LogLevel=ERROR", "IdentitiesOnly=yes"];
        let mut words = vec!["ssh", "-F", "none", "-T", "-p", &port];
        words.extend(options.iter().flat_map(|option| ["-o", option]));
        let key = key.to_string_lossy();
        words.extend(["-i", &key, "127.0.0.1"]);
        words.into_iter().map(ToOwned::to_owned).collect()
    }
}

fn server_settings(folder: &Path, port: u16) -> String {
    let mut text = format!("ListenAddress 127.0.0.1\nPort {port}\nPidFile none\nUsePAM no\nStrictModes no\n");
    let folder = folder.display();
    write!(text, "HostKey {folder}/host\nAuthorizedKeysFile {folder}/known.pub\nPasswordAuthentication no\n")
        .expect("a text takes everything");
    text + "PermitRootLogin yes\nKbdInteractiveAuthentication no\n"
}
