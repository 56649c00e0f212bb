//! What a sandbox gives, and how it ends.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use quintain_process::sandbox::{
    Binding, Bubblewrap, CommandEnd, CommandReport, FolderEntryKind, KeptOutput, Sandbox, SandboxCommand, SandboxFault,
    SandboxPlan, SandboxProvider as _, WorkFolder,
};
use tempfile::TempDir;

pub(crate) fn provider() -> Bubblewrap {
    Bubblewrap::find().expect("the gate installs bubblewrap")
}

/// A plan with a folder to work in, and that folder.
pub(crate) fn with_work() -> (SandboxPlan, TempDir) {
    let host = tempfile::tempdir().expect("a folder");
    // Whoever is inside may be another user than we are.
    rustix::fs::chmod(host.path(), rustix::fs::Mode::from(0o777)).expect("its rights");
    let work = WorkFolder {
        host: host.path().to_owned(),
        inside: PathBuf::from("/work"),
        max_bytes: 64 << 20,
        max_files: 2000,
    };
    (SandboxPlan { work: Some(work), folder: PathBuf::from("/work"), ..SandboxPlan::default() }, host)
}

pub(crate) fn shell(script: &str) -> SandboxCommand {
    SandboxCommand { is_joined: true, ..SandboxCommand::of(["bash", "-c", script]) }
}

pub(crate) fn text(kept: &KeptOutput) -> String {
    let cut = if kept.n_left_out > 0 { format!("[{} bytes]", kept.n_left_out) } else { String::new() };
    format!("{}{cut}{}", String::from_utf8_lossy(&kept.head), String::from_utf8_lossy(&kept.tail))
}

pub(crate) fn said(answer: &CommandReport) -> String {
    format!("{:?}: {}", answer.end, text(&answer.output).trim())
}

#[test]
fn a_program_sees_a_system_and_what_it_is_given() {
    let (mut plan, host) = with_work();
    let given = tempfile::tempdir().unwrap();
    fs::write(given.path().join("data.txt"), "given\n").unwrap();
    plan.bindings.push(Binding { host: given.path().to_owned(), inside: "/work/input".into() });
    plan.variables.insert("TASK".to_owned(), "a name".to_owned());
    let mut sandbox = provider().open(&plan).unwrap();
    let mut run = |script: &str| said(&sandbox.exec(&shell(script)).unwrap());
    assert_eq!(
        run("id -un; id -u; hostname; pwd; echo $HOME $TZ \"$TASK\""),
        "Exited(0): agent\n1000\nsandbox\n/work\n/work UTC a name"
    );
    assert_eq!(run("cat input/data.txt; python3 -c 'print(6 * 7)'; exit 3"), "Exited(3): given\n42");
    assert!(run("echo more > input/data.txt").contains("Read-only file system"));
    assert_eq!(run("mkdir out; echo done > out/result; kill -TERM $$"), "Signalled(15): ");
    assert_eq!(fs::read_to_string(host.path().join("out/result")).unwrap(), "done\n");
}

#[test]
fn files_are_written_read_and_listed_as_those_inside_see_them() {
    let (plan, _host) = with_work();
    let mut sandbox = provider().open(&plan).unwrap();
    sandbox.put("/work/a/b.txt", b"0123456789").unwrap();
    sandbox.put("/tmp/c", b"").unwrap();
    assert_eq!(sandbox.get("/work/a/b.txt", 3, 4).unwrap(), (b"3456".to_vec(), 10));
    sandbox.exec(&shell("ln -s /etc/shadow a/link; mkfifo a/pipe; mkdir a/folder")).unwrap();
    let (entries, n_all) = sandbox.list("/work/a", 3).unwrap();
    let kinds: Vec<(&[u8], FolderEntryKind, u64)> =
        entries.iter().map(|e| (e.name.as_slice(), e.kind, e.size)).collect();
    assert_eq!(
        kinds,
        [
            (b"b.txt".as_slice(), FolderEntryKind::File, 10),
            (b"folder".as_slice(), FolderEntryKind::Folder, 0),
            (b"link".as_slice(), FolderEntryKind::Link, 0),
        ]
    );
    assert_eq!(n_all, 4);
    for (path, why) in
        [("/work/a/link", "No such file"), ("/work/a/pipe", "not a regular file"), ("/nowhere", "No such file")]
    {
        let refused = sandbox.get(path, 0, 10).unwrap_err();
        assert!(matches!(&refused, SandboxFault::Refused(told) if told.contains(why)), "{path}: {refused}");
    }
}

#[test]
fn what_runs_in_the_background_goes_on_and_ends_with_the_sandbox() {
    let (plan, host) = with_work();
    let mut sandbox = provider().open(&plan).unwrap();
    let began = Instant::now();
    let script = "(while :; do date +%s%N > beat; sleep 0.02; done) & setsid sleep 1000 & echo started";
    assert_eq!(said(&sandbox.exec(&shell(script)).unwrap()), "Exited(0): started");
    assert!(began.elapsed() < Duration::from_secs(20), "nobody waits for what is left behind");
    let beat = host.path().join("beat");
    let changes = |from: &str| fs::read_to_string(&beat).is_ok_and(|now| !now.is_empty() && now != from);
    let first = until(|| fs::read_to_string(&beat).ok().filter(|beat| !beat.is_empty()));
    until(|| changes(&first).then_some(()));
    sandbox.close();
    // Whoever could write is gone: the folder can be taken away at once and stays away.
    let last = until(|| settled(&beat));
    assert_eq!(fs::read_to_string(&beat).unwrap(), last);
}

/// What a file holds, once it has not changed for longer than it takes to be written anew.
fn settled(path: &Path) -> Option<String> {
    let before = fs::read_to_string(path).ok()?;
    let deadline = Instant::now() + Duration::from_millis(300);
    while Instant::now() < deadline {
        if fs::read_to_string(path).ok()? != before {
            return None;
        }
        thread::yield_now();
    }
    Some(before)
}

pub(crate) fn until<T>(mut there: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(found) = there() {
            return found;
        }
        assert!(Instant::now() < deadline, "it does not come to that");
        thread::yield_now();
    }
}

#[test]
fn time_and_output_are_bounded() {
    let (plan, _host) = with_work();
    let mut sandbox = provider().open(&plan).unwrap();
    let late = SandboxCommand { within: Duration::from_millis(300), ..shell("echo before; sleep 1000") };
    assert_eq!(said(&sandbox.exec(&late).unwrap()), "OutOfTime: before");
    let long = SandboxCommand { kept_bytes: 10, ..shell("seq 100000") };
    assert_eq!(said(&sandbox.exec(&long).unwrap()), "Exited(0): 1\n2\n3\n4\n5\n[588875 bytes]99\n100000");
    let deaf = SandboxCommand { input: vec![b'x'; 1 << 20], ..shell("echo deaf") };
    assert_eq!(said(&sandbox.exec(&deaf).unwrap()), "Exited(0): deaf");
    let heard = SandboxCommand { input: b"a line".to_vec(), ..shell("wc -c") };
    assert_eq!(said(&sandbox.exec(&heard).unwrap()), "Exited(0): 6");
    let missing = sandbox.exec(&SandboxCommand::of(["no-such-program"])).unwrap_err();
    assert!(matches!(&missing, SandboxFault::Refused(why) if why.contains("No such file")), "{missing}");
}

#[test]
fn a_program_can_be_started_behind_the_fence_like_any_other() {
    let (plan, _host) = with_work();
    let options = provider().options(&plan, &["sh", "-c", "read line; echo heard $line; exit 5"]).unwrap();
    let mut group = options.input(Stdio::piped()).output(Stdio::piped()).spawn().unwrap();
    let pipes = group.take_pipes();
    pipes.input.unwrap().write_all(b"it\n").unwrap();
    let mut heard = String::new();
    pipes.output.unwrap().read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "heard it\n");
    assert_eq!(group.wait(Duration::from_mins(1)).unwrap().and_then(|status| status.code()), Some(5));
}

#[test]
fn a_port_of_its_loopback_leads_to_a_socket_of_the_host() {
    let (mut plan, _host) = with_work();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("proxy");
    let listener = UnixListener::bind(&socket).unwrap();
    rustix::fs::chmod(&socket, rustix::fs::Mode::from(0o666)).unwrap();
    thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let mut asked = [0; 4];
            connection.read_exact(&mut asked).unwrap();
            connection.write_all(&asked.map(|byte| byte.to_ascii_uppercase())).unwrap();
        }
    });
    plan.relays.insert(8080, socket);
    let mut sandbox = provider().open(&plan).unwrap();
    let script = "exec 3<>/dev/tcp/127.0.0.1/8080; printf ping >&3; cat <&3; ls /run";
    assert_eq!(said(&sandbox.exec(&shell(script)).unwrap()), "Exited(0): PINGrelay-8080\nsandbox-init");
}

/// The kernel ends whoever is to die with its parent when the thread goes that started it: that must not be the caller's.
#[test]
fn a_sandbox_outlives_the_thread_that_asked_for_it() {
    let (plan, _host) = with_work();
    let opened = thread::spawn(move || provider().open(&plan).map_err(|fault| fault.to_string()).unwrap()).join();
    let mut sandbox: Box<dyn Sandbox> = opened.unwrap();
    for _ in 0..3 {
        assert_eq!(said(&sandbox.exec(&shell("sleep 0.1; echo here")).unwrap()), "Exited(0): here");
    }
}

#[test]
fn programs_that_are_started_go_on_and_are_asked_after() {
    let (plan, _host) = with_work();
    let mut sandbox = provider().open(&plan).unwrap();
    sandbox.exec(&shell("mkfifo /tmp/end")).unwrap();
    let lasting = sandbox.start(&shell("echo here; read line < /tmp/end; echo $line; exit 3")).unwrap();
    let killed = sandbox.start(&shell("kill -KILL $$")).unwrap();
    until(|| (text(&sandbox.look(lasting).unwrap().printed) == "here\n").then_some(()));
    until(|| sandbox.look(killed).unwrap().end.filter(|end| *end == CommandEnd::Signalled(9)));
    let state = sandbox.look(lasting).unwrap();
    assert_eq!(state.end, None);
    let seen = sandbox.exec(&shell(&format!("cat /proc/{}/comm", state.process))).unwrap();
    assert_eq!(said(&seen), "Exited(0): bash");
    sandbox.exec(&shell("echo bye > /tmp/end")).unwrap();
    until(|| sandbox.look(lasting).unwrap().end.filter(|end| *end == CommandEnd::Exited(3)));
    until(|| (text(&sandbox.look(lasting).unwrap().printed) == "here\nbye\n").then_some(()));
}

#[test]
fn sockets_and_files_inside_are_reached_and_no_link_leads_out() {
    let (plan, host) = with_work();
    let mut sandbox = provider().open(&plan).unwrap();
    let listen = "import socket; s = socket.socket(socket.AF_UNIX); s.bind('/tmp/door'); s.listen(); c = s.accept()[0]; c.send(b'hello')";
    sandbox.start(&SandboxCommand::of(["python3", "-c", listen])).unwrap();
    let mut connection = until(|| sandbox.connect("/tmp/door").ok());
    let mut heard = String::new();
    connection.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "hello");

    let outside = host.path().join("secret");
    std::fs::write(&outside, "of the host").unwrap();
    let lead = format!("echo inside > /tmp/own; ln -s /tmp/own /tmp/near; ln -s {} /tmp/far", outside.display());
    sandbox.exec(&shell(&lead)).unwrap();
    let mut seen = String::new();
    sandbox.watch("/tmp/near").unwrap().read_to_string(&mut seen).unwrap();
    assert_eq!(seen, "inside\n");
    for path in ["/tmp/far", "/../../../../etc/shadow", "/proc/1/root/etc/shadow", "/tmp/none"] {
        assert!(matches!(sandbox.watch(path), Err(SandboxFault::Refused(_))), "{path}");
    }
    assert!(sandbox.connect("/tmp/far").is_err());
}

#[test]
fn a_host_is_examined() {
    let found = provider().examine().unwrap();
    assert!(found.provider.starts_with("bubblewrap 0."), "{found:?}");
    assert!(found.filters_calls);
    assert!(found.start_millis < 5000);
}
