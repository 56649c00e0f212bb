//! A base that is made of this host's own programs, so that nothing has to be fetched.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_process::SpawnOptions;
use quintain_root_tree::{BaseMaker, BuildListener, TreeFault};

pub(crate) struct HostBase;

const PROGRAMS: [&str; 36] = [
    "sh", "bash", "cat", "cp", "ls", "mkdir", "rm", "id", "sleep", "chmod", "touch", "ln", "env", "grep", "sed", "awk",
    "sort", "uniq", "wc", "head", "tail", "dirname", "basename", "mktemp", "tr", "cut", "tee", "mv", "date", "find",
    "base64", "test", "cmp", "diff", "install", "python3",
];
/// Python's library without what is large and not needed.
const LIBRARY: &str = "usr/lib/python3.11";
const LEFT_OUT: [&str; 5] = ["test", "idlelib", "ensurepip", "__pycache__", "lib2to3"];

impl BaseMaker for HostBase {
    fn make(&self, root: &Path, _deadline: Instant, _tell: &mut BuildListener<'_>) -> Result<(), TreeFault> {
        for folder in ["usr/bin", "etc", "root"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        symlink("usr/bin", root.join("bin")).expect("a link");
        for program in PROGRAMS {
            copy(root, &Path::new("/usr/bin").join(program));
        }
        copy_folder(&Path::new("/").join(LIBRARY), &root.join(LIBRARY));
        fs::write(root.join("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n").expect("a file");
        Ok(())
    }
}

fn copy(root: &Path, program: &Path) {
    let listed = SpawnOptions::new("ldd").args([program]).ask(Duration::from_secs(20), 10_000).expect("ldd");
    let libraries = listed.output.split_whitespace().filter(|word| word.starts_with('/')).map(PathBuf::from);
    for file in libraries.chain([program.to_owned()]) {
        let place = root.join(file.strip_prefix("/").expect("a whole path"));
        if !place.exists() {
            fs::create_dir_all(place.parent().expect("it lies in a folder")).expect("its folder");
            fs::copy(file, place).expect("its copy");
        }
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (name, kind) = (entry.file_name(), entry.file_type().expect("a kind"));
        if kind.is_dir() && !LEFT_OUT.iter().any(|left_out| name == *left_out) {
            copy_folder(&entry.path(), &to.join(&name));
        } else if kind.is_file() {
            fs::copy(entry.path(), to.join(&name)).expect("a copy");
        }
    }
}
