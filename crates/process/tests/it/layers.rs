//! Systems that can be written in: what is changed, and what is not.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use quintain_process::sandbox::{
    Binding, LayeredTree, SandboxFault, SandboxPlan, SandboxProvider as _, SystemTree, WorkFolder,
};
use quintain_process::{NOBODY, SpawnOptions, SweptFolder};

use crate::sandboxes::{provider, said, shell, text, until};

/// A small system: a shell and a few programs of this host with the libraries that they need, given to the user that owns
/// nothing. Nothing where we may not make one.
struct SmallTree {
    folder: SweptFolder,
}

impl SmallTree {
    fn new() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            let fault = provider().open(&layered(Path::new("/"), Path::new("/tmp"))).err().expect("only root may");
            assert!(matches!(&fault, SandboxFault::Unavailable(why) if why.contains("only root")), "{fault}");
            return None;
        }
        let folder = SweptFolder::new("quintain-test-tree-").expect("a folder");
        let tree = folder.inner("tree").expect("a tree");
        for name in ["etc", "proc", "dev", "tmp", "run", "root", "usr/bin", "srv/inner", "work"] {
            fs::create_dir_all(tree.join(name)).expect("a folder of the tree");
        }
        symlink("usr/bin", tree.join("bin")).expect("a link");
        for program in ["bash", "cat", "ls", "rm", "mv", "chmod", "id", "touch", "mkdir", "sleep", "head", "dd", "cp"] {
            copy_program(&tree, Path::new("/usr/bin").join(program).as_path());
        }
        fs::write(tree.join("etc/passwd"), "root:x:0:0:root:/root:/bin/bash\n").expect("its users");
        fs::write(tree.join("etc/motd"), "hello\n").expect("a file");
        fs::write(tree.join("srv/inner/file"), "below\n").expect("a file");
        give_away(&tree);
        Some(Self { folder })
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn plan(&self) -> SandboxPlan {
        layered(&self.tree(), &self.folder.inner("changes").expect("a folder"))
    }

    fn changes(&self) -> PathBuf {
        self.folder.path().join("changes/upper")
    }
}

fn layered(tree: &Path, changes: &Path) -> SandboxPlan {
    let (trees, changes) = (vec![tree.to_owned()], changes.to_owned());
    let system = SystemTree::Layered(LayeredTree { trees, changes, max_bytes: 32 << 20, max_files: 500 });
    SandboxPlan { system, folder: PathBuf::from("/root"), ..SandboxPlan::default() }
}

fn copy_program(tree: &Path, program: &Path) {
    let listed = SpawnOptions::new("ldd").args([program]).ask(Duration::from_secs(20), 10_000).expect("ldd");
    let libraries = listed.output.split_whitespace().filter(|word| word.starts_with('/')).map(PathBuf::from);
    for file in libraries.chain([program.to_owned()]) {
        let place = tree.join(file.strip_prefix("/").expect("a whole path"));
        if !place.exists() {
            fs::create_dir_all(place.parent().expect("it lies in a folder")).expect("its folder");
            fs::copy(file, place).expect("its copy");
        }
    }
}

fn give_away(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
    if path.is_dir() && !path.is_symlink() {
        fs::read_dir(path).expect("a folder").for_each(|entry| give_away(&entry.expect("an entry").path()));
    }
}

/// What every file of a folder is, to see whether one was changed.
fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let data = fs::symlink_metadata(&entry).expect("it is there");
        found.push(format!("{} {:o} {} {}", entry.display(), data.mode(), data.size(), data.mtime_nsec()));
        if data.is_dir() {
            found.extend(listing(&entry));
        }
    }
    found.sort();
    found
}

#[test]
fn what_root_changes_inside_is_kept_beside_the_tree() {
    let Some(small) = SmallTree::new() else { return };
    let before = listing(&small.tree());
    let mut sandbox = provider().open(&small.plan()).unwrap();
    let mut run = |script: &str| said(&sandbox.exec(&shell(script)).unwrap());
    assert_eq!(run("id -u; echo $HOME; pwd"), "Exited(0): 0\n/root\n/root");
    assert_eq!(run("echo new > /etc/new; echo more >> /etc/motd; cat /etc/motd"), "Exited(0): hello\nmore");
    assert_eq!(run("rm /etc/passwd; rm -r /srv/inner; mkdir /srv/inner; ls -A /etc /srv/inner").lines().count(), 5);
    assert_eq!(
        run("chmod 700 /usr/bin/sleep; touch /run/pid /tmp/x /dev/shm/y; ls /run"),
        "Exited(0): pid\nsandbox-init"
    );
    sandbox.close();
    let upper = |name: &str| small.changes().join(name);
    assert_eq!(fs::read_to_string(upper("etc/new")).unwrap(), "new\n");
    assert_eq!(fs::metadata(upper("etc/new")).unwrap().uid(), NOBODY);
    assert_eq!(fs::read_to_string(upper("etc/motd")).unwrap(), "hello\nmore\n");
    let gone = fs::symlink_metadata(upper("etc/passwd")).unwrap();
    assert!(gone.file_type().is_char_device() && gone.rdev() == 0, "a deletion is a whiteout");
    assert_eq!(fs::metadata(upper("usr/bin/sleep")).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::read_dir(upper("srv/inner")).unwrap().count(), 0);
    assert!(["tmp", "run", "dev"].iter().all(|own| !upper(own).join("x").exists()), "these are not of the tree");
    assert_eq!(listing(&small.tree()), before, "the tree is as it was");
    // The next sandbox that is given the changes finds them.
    let mut again = provider().open(&small.plan()).unwrap();
    let script = "cat /etc/new; ls /srv/inner; cat /etc/passwd";
    assert_eq!(said(&again.exec(&shell(script)).unwrap()).lines().next(), Some("Exited(1): new"));
}

#[test]
fn nothing_stays_mounted_after_a_kill() {
    let Some(small) = SmallTree::new() else { return };
    let options = provider().options(&small.plan(), &["bash", "-c", "echo up; exec sleep 1000"]).unwrap();
    let mut group = options.output(Stdio::piped()).errors(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 3];
    std::io::Read::read_exact(&mut group.take_pipes().output.unwrap(), &mut first).unwrap();
    assert_eq!(&first, b"up\n");
    let own = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let merged = small.folder.path().join("changes/merged");
    let merged = merged.to_str().unwrap();
    assert!(!own.contains(merged), "nobody but the sandbox sees it");
    assert_eq!(fs::read_dir(merged).unwrap().count(), 0);
    let outer = group.id();
    assert!(fs::read_to_string(format!("/proc/{outer}/mountinfo")).unwrap().contains(merged));
    SpawnOptions::new("kill").args(["-9", &outer.to_string()]).ask(Duration::from_secs(20), 100).unwrap();
    // What is mounted belongs to processes: when none sees it, it is gone.
    until(|| (!is_seen(merged)).then_some(()));
    fs::remove_dir(merged).unwrap();
}

fn is_seen(mounted: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("the processes of this host").flatten();
    processes
        .filter_map(|process| fs::read_to_string(process.path().join("mountinfo")).ok())
        .any(|mounts| mounts.contains(mounted))
}

#[test]
fn root_inside_is_nobody_outside() {
    let Some(small) = SmallTree::new() else { return };
    let host = small.folder.inner("host").unwrap();
    let (secret, open) = (host.join("secret"), host.join("open"));
    for path in [&secret, &open] {
        fs::write(path, "of the host\n").unwrap();
    }
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let mut plan = small.plan();
    plan.bindings.push(Binding { host: host.clone(), inside: "/given".into() });
    plan.work = Some(WorkFolder { host, inside: "/work".into(), max_bytes: 1 << 20, max_files: 100 });
    let mut sandbox = provider().open(&plan).unwrap();
    let mut run = |script: &str| said(&sandbox.exec(&shell(script)).unwrap());
    assert_eq!(run("cat /given/open"), "Exited(0): of the host");
    for script in ["cat /given/secret", "cat /work/secret", "chmod 644 /work/secret", "echo x > /work/open"] {
        let answer = run(script);
        assert!(answer.contains("ermission denied") || answer.contains("not permitted"), "{script}: {answer}");
    }
    assert!(run("echo x > /given/open").contains("Read-only"));
    assert!(run("echo x > /run/sandbox-init; rm -f /run/sandbox-init").contains("Device or resource busy"));
    assert!(run("cat /proc/self/status").contains("CapEff:\t0000000000000000"));
    assert!(run("cat /proc/self/mountinfo").lines().all(|line| !line.contains(" / / ") || line.contains("nosuid")));
}

#[test]
fn changes_are_held_to_their_limits() {
    let Some(small) = SmallTree::new() else { return };
    let used_up = |script: &str| {
        let mut sandbox = provider().open(&small.plan()).unwrap();
        match sandbox.exec(&shell(script)) {
            Err(SandboxFault::UsedUp(what)) => what,
            other => panic!("{:?}", other.map(|report| text(&report.output))),
        }
    };
    let large = used_up("dd if=/dev/zero of=/srv/large bs=1M count=200; sleep 100");
    assert_eq!(large, "what was changed of the system holds more than 32 MB");
    fs::remove_file(small.changes().join("srv/large")).unwrap();
    let many = used_up("for i in {1..5000}; do echo > /srv/$i; done; sleep 100");
    assert_eq!(many, "what was changed of the system holds more than 500 files");
    fs::remove_dir_all(small.changes().join("srv")).unwrap();
    let held = "exec 3>/srv/held; rm /srv/held; head -c 200000000 /dev/zero >&3; sleep 100";
    assert_eq!(used_up(held), "removed files of more than 32 MB are held open");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let Some(small) = SmallTree::new() else { return };
    let told = |plan: SandboxPlan| provider().open(&plan).err().map(|fault| fault.to_string()).unwrap_or_default();
    assert_eq!(
        told(SandboxPlan { keeps_user: true, ..small.plan() }),
        "whoever is root inside cannot be root outside as well"
    );
    let mut none = small.plan();
    if let SystemTree::Layered(layered) = &mut none.system {
        layered.trees.clear();
    }
    assert_eq!(told(none), "a layer of changes needs a tree below it");
    let mut missing = small.plan();
    if let SystemTree::Layered(layered) = &mut missing.system {
        layered.trees.push("/no/such/tree".into());
    }
    assert!(told(missing).contains("/no/such/tree: No such file"));
}
