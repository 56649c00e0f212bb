//! What somebody inside can use up, and what becomes of it: never more than the sandbox.

use std::time::Duration;

use quintain_process::sandbox::{
    CommandEnd, SandboxCommand, SandboxFault, SandboxLimits, SandboxPlan, SandboxProvider as _,
};
use tempfile::TempDir;

use crate::sandboxes::{provider, said, shell, with_work};

fn small() -> (SandboxPlan, TempDir) {
    let (plan, host) = with_work();
    let limits = SandboxLimits {
        memory_bytes: 256 << 20,
        n_processes: 64,
        tmp_bytes: 32 << 20,
        file_bytes: 48 << 20,
        ..plan.limits
    };
    (SandboxPlan { limits, ..plan }, host)
}

/// What a script comes to, and whether the sandbox still answers.
fn tried(script: &str) -> (String, String) {
    let (plan, _host) = small();
    let mut sandbox = provider().open(&plan).expect("a sandbox");
    let command = SandboxCommand { within: Duration::from_secs(20), kept_bytes: 300, ..shell(script) };
    let outcome = sandbox.exec(&command).map_or_else(|fault| fault.to_string(), |answer| said(&answer));
    let after = sandbox.exec(&shell("echo still here")).map_or_else(|fault| fault.to_string(), |answer| said(&answer));
    (outcome, after)
}

#[test]
fn memory() {
    let (outcome, after) = tried("python3 -c 'x = bytearray(400 << 20); print(len(x))'");
    assert!(
        outcome.starts_with("Signalled(9)") || outcome.contains("MemoryError") || outcome.contains("used up"),
        "{outcome}"
    );
    assert!(after.ends_with("still here") || after.contains("used up"), "{after}");
    let (outcome, _) = tried(
        "for i in 1 2 3 4 5 6; do python3 -c 'import time; x = b\"x\" * (100 << 20); time.sleep(3)' & done; wait; echo all of them",
    );
    assert!(!outcome.ends_with("Exited(0): all of them"), "{outcome}");
}

#[test]
fn files_in_memory() {
    let (outcome, after) =
        tried("head -c 100M /dev/zero > /tmp/large; head -c 100M /dev/zero > /dev/shm/large; ls -s /tmp /dev/shm");
    assert!(outcome.contains("No space left"), "{outcome}");
    assert_eq!(after, "Exited(0): still here");
}

#[test]
fn processes() {
    let (outcome, after) = tried("bomb() { bomb | bomb & }; bomb; sleep 2; echo over");
    assert!(outcome.contains("Resource temporarily unavailable") || outcome.starts_with("OutOfTime"), "{outcome}");
    assert!(
        after.ends_with("still here") || after.contains("temporarily unavailable") || after.contains("first program"),
        "{after}"
    );
}

#[test]
fn the_work_folder() {
    let (outcome, after) = tried("for i in $(seq 40); do head -c 10M /dev/urandom > file$i; done; sleep 20");
    let why = "what the sandbox may use is used up: /work holds more than 64 MB";
    assert_eq!((outcome.as_str(), after.as_str()), (why, why));
    let (outcome, _) = tried("head -c 100M /dev/zero > one; sleep 20");
    assert!(outcome.contains("File size limit exceeded") || outcome.contains("File too large"), "{outcome}");
    let (outcome, _) = tried("for i in $(seq 5000); do echo > file$i; done; sleep 20");
    assert_eq!(outcome, "what the sandbox may use is used up: /work holds more than 2000 files");
    let (outcome, _) = tried("for i in $(seq 100); do mkdir d; cd d; done; head -c 10M /dev/urandom > x; sleep 20");
    assert_eq!(outcome, "what the sandbox may use is used up: folders in /work are nested deeper than 64");
}

#[test]
fn files_without_a_name() {
    let script = "python3 -c '
import os, time
held = []
for i in range(8):
    f = open(f\"held{i}\", \"wb\"); os.unlink(f\"held{i}\"); f.write(os.urandom(20 << 20)); f.flush(); held.append(f)
time.sleep(20)'";
    assert_eq!(tried(script).0, "what the sandbox may use is used up: removed files of more than 64 MB are held open");
}

#[test]
fn words() {
    let (outcome, after) = tried("yes | head -c 300M");
    assert!(outcome.starts_with("Exited(0): y\ny\n") && outcome.contains("[314572200 bytes]"), "{outcome}");
    assert_eq!(after, "Exited(0): still here");
}

#[test]
fn work_of_a_process() {
    let (mut plan, _host) = small();
    plan.limits.cpu_seconds = Some(1);
    let mut sandbox = provider().open(&plan).unwrap();
    let answer = sandbox.exec(&shell("exec python3 -c 'while True: pass'")).unwrap();
    assert!(matches!(answer.end, CommandEnd::Signalled(24)), "{answer:?}");
}

#[test]
fn the_first_program() {
    for script in ["kill -9 2", "kill -STOP 2; sleep 20", "kill -9 1 2; kill -9 -1"] {
        let (plan, _host) = small();
        let mut sandbox = provider().open(&plan).unwrap();
        let command = SandboxCommand { within: Duration::from_millis(500), ..shell(script) };
        let fault = sandbox.exec(&command).unwrap_err();
        assert!(matches!(&fault, SandboxFault::Ended(why) if why.contains("first program")), "{script}: {fault}");
    }
}
