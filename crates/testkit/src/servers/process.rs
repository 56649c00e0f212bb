//! A server process that does not outlive this one.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Ends the process when its own standard input does, which this process holds open for as long as it lives. A value in a
/// `static` is never dropped, and a test may be killed.
const WATCH: &str = r#"cat >/dev/null; kill -9 "$1" 2>/dev/null; rm -rf "$2""#;

/// A running server.
pub(super) struct Process {
    server: Child,
    watch: Child,
}

impl Process {
    /// Starts a server that writes what it has to say to `<name>.log` in its directory, after what is there.
    pub(super) fn start(command: &mut Command, dir: &Path, name: &str) -> Self {
        let log = File::options().create(true).append(true).open(dir.join(format!("{name}.log")));
        let log = log.expect("a log can be written");
        let errors = log.try_clone().expect("a file can be opened twice");
        let server = command.stdin(Stdio::null()).stdout(log).stderr(errors).spawn();
        let program = command.get_program().display();
        let server = server.unwrap_or_else(|error| panic!("cannot start {program}: {error}"));
        let mut watch = Command::new("sh");
        watch.args(["-c", WATCH, "sh", &server.id().to_string()]).arg(dir);
        let watch = watch.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Self { server, watch: watch.expect("a shell can be started") }
    }

    /// The server's id.
    pub(super) fn id(&self) -> u32 {
        self.server.id()
    }

    /// Whether it has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        matches!(self.server.try_wait(), Ok(Some(_)))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        for child in [&mut self.watch, &mut self.server] {
            child.kill().ok();
            child.wait().ok();
        }
    }
}
