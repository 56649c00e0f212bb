//! Ways out of a sandbox, each tried by somebody inside who may run anything.

use std::fs;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

use quintain_process::sandbox::SandboxProvider as _;

use crate::sandboxes::{provider, said, shell, with_work};

/// What a script says and how it ends, in a sandbox of its own.
fn tried(script: &str) -> String {
    let (plan, _host) = with_work();
    let mut sandbox = provider().open(&plan).expect("a sandbox");
    said(&sandbox.exec(&shell(script)).expect("an answer"))
}

#[test]
fn nothing_of_the_host_is_seen() {
    let secret = tempfile::tempdir().unwrap();
    fs::write(secret.path().join("reference"), "the answer").unwrap();
    let path = secret.path().join("reference");
    assert!(tried(&format!("cat {}", path.display())).contains("No such file"));
    assert_eq!(tried("ls -A / | tr '\\n' ' '"), "Exited(0): bin dev etc lib lib64 proc run sbin tmp usr work");
    for place in ["/root", "/home", "/var", "/opt", "/etc/shadow", "/etc/hostname", "/sys/class", "/mnt"] {
        assert!(tried(&format!("ls {place}")).contains("No such file"), "{place}");
    }
}

#[test]
fn another_sandbox_is_not_seen() {
    let (plan, host) = with_work();
    let mut other = provider().open(&plan).unwrap();
    other.exec(&shell("echo mine > file; echo mine > /tmp/file; echo mine > /dev/shm/file; sleep 1000 &")).unwrap();
    assert_eq!(tried("cat /tmp/file /dev/shm/file file 2>&1 | grep -c 'No such file'"), "Exited(0): 3");
    assert_eq!(tried("pgrep sleep"), "Exited(1): ");
    assert!(tried(&format!("ls {}", host.path().display())).contains("No such file"));
}

#[test]
fn the_system_cannot_be_changed() {
    for place in
        ["/usr/bin/new", "/etc/new", "/new", "/run/new", "/dev/new", "/bin/sh", "/run/sandbox-init", "/etc/passwd"]
    {
        let answer = tried(&format!("echo x > {place}"));
        assert!(
            ["Read-only file system", "Permission denied", "Text file busy"].iter().any(|why| answer.contains(why)),
            "{place}: {answer}"
        );
    }
    assert!(tried("rm -rf --no-preserve-root /usr/share/doc 2>&1 | head -1").contains("Read-only file system"));
}

#[test]
fn there_is_no_network() {
    assert_eq!(tried("cat /proc/net/dev | grep -c :"), "Exited(0): 1");
    assert!(tried("exec 3<>/dev/tcp/192.0.2.1/80").contains("Network is unreachable"));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    assert!(tried(&format!("exec 3<>/dev/tcp/127.0.0.1/{port}")).contains("Connection refused"));
    let python = |line: &str| tried(&format!("python3 -c 'import socket; {line}'"));
    assert!(python("socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)").contains("not supported by protocol"));
    assert!(python("socket.socket(socket.AF_PACKET, socket.SOCK_RAW)").contains("not supported by protocol"));
    assert!(python("socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)").contains("not permitted"));
}

#[test]
fn sockets_of_the_host_are_not_reached() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let _listener = UnixListener::bind(&path).unwrap();
    let python = |line: &str| tried(&format!("python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); {line}'"));
    assert!(python(&format!("s.connect(\"{}\")", path.display())).contains("No such file"));
    // Names without a file belong to the network, which is another one.
    let name = format!("quintain-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _abstract = UnixListener::bind_addr(&address).unwrap();
    assert!(python(&format!("s.connect(b\"\\0{name}\")")).contains("Connection refused"));
}

#[test]
fn other_processes_are_neither_seen_nor_touched() {
    assert_eq!(
        tried("ls /proc | grep -c '^[0-9]'").strip_prefix("Exited(0): ").map(|n| n.parse::<u32>().unwrap() < 8),
        Some(true)
    );
    let own = std::process::id();
    assert!(tried(&format!("kill -0 {own}")).contains("No such process") || own < 20);
    let line = tried("tr '\\0' ' ' < /proc/1/cmdline");
    assert!(line.ends_with("serve") && !line.contains("/tmp/"), "{line}");
    assert!(tried("ls /proc/1/root/root").contains("No such file") || tried("ls /proc/1/root/root").contains("denied"));
    assert!(tried("cat /proc/2/environ | tr '\\0' '\\n' | grep -c .").contains("denied"));
    assert!(tried("ls -l /proc/2/fd").contains("denied"));
    assert!(tried("python3 -c 'import ctypes; print(ctypes.CDLL(None).ptrace(16, 2, 0, 0))'").ends_with("-1"));
    // The very first can be looked into and has nothing that the others have not.
    let powers = tried("grep -hE 'CapEff|Seccomp:' /proc/1/status /proc/self/status | sort -u | wc -l");
    assert_eq!(powers, "Exited(0): 2");
}

#[test]
fn privileges_are_not_to_be_had() {
    assert_eq!(
        tried("grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status | tr -s '\\t\\n' '  '"),
        "Exited(0): CapEff: 0000000000000000 NoNewPrivs: 1 Seccomp: 2"
    );
    assert!(tried("unshare -U true").contains("not permitted"));
    assert!(tried("unshare -r -n true").contains("not permitted"));
    assert!(tried("python3 -c 'import ctypes, os; r = ctypes.CDLL(None, use_errno=True).clone; print(ctypes.CDLL(None, use_errno=True).unshare(0x10000000), ctypes.get_errno())'").contains("-1"));
    assert!(
        tried("mount -t tmpfs none /tmp").contains("permi")
            || tried("mount -t tmpfs none /tmp").contains("must be superuser")
    );
    assert!(tried("mknod /tmp/device b 8 0").contains("not permitted"));
    assert!(tried("/usr/sbin/chroot /work /bin/sh").contains("not permitted"));
    // A program with the mark of another user runs as whoever starts it.
    let setuid = "cp /usr/bin/id /tmp/id && chmod u+s /tmp/id && /tmp/id -u; find /usr/bin -perm -4000 | head -3 | while read p; do stat -c %u $p; done | sort -u";
    assert!(tried(setuid).contains("1000"));
    assert!(tried("su -c id 2>&1 < /dev/null | grep -c uid=0").ends_with('0'));
}

#[test]
fn the_kernels_keys_and_doors_are_closed() {
    let call = |number: u32, arguments: &str| {
        tried(&format!(
            "python3 -c 'import ctypes, errno; c = ctypes.CDLL(None, use_errno=True); c.syscall({number}, {arguments}); print(errno.errorcode[ctypes.get_errno()])'"
        ))
    };
    let numbers =
        [libc::SYS_keyctl, libc::SYS_bpf, libc::SYS_userfaultfd, libc::SYS_io_uring_setup, libc::SYS_perf_event_open];
    for number in numbers.into_iter().chain([libc::SYS_open_by_handle_at, libc::SYS_clock_settime, libc::SYS_setns]) {
        let number = u32::try_from(number).unwrap();
        assert_eq!(call(number, "0, 0, 0, 0, 0"), "Exited(0): EPERM", "{number}");
    }
    assert_eq!(call(0x4000_0000 + 39, "0"), "Exited(0): ENOSYS");
    assert!(tried("dmesg").contains("not permitted"));
    assert!(tried("echo 1 > /proc/sys/kernel/hostname; echo b > /proc/sysrq-trigger").contains("denied"));
    assert_eq!(tried("cat /proc/keys | wc -l"), "Exited(0): 0");
}
