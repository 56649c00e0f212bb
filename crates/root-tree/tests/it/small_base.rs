//! A base that is made at once: a shell and a few programs of this host, with the libraries that they need.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_process::SpawnOptions;
use quintain_root_tree::{BaseMaker, BuildListener, TreeFault};

pub(crate) struct SmallBase;

impl BaseMaker for SmallBase {
    fn make(&self, root: &Path, _deadline: Instant, _tell: &mut BuildListener<'_>) -> Result<(), TreeFault> {
        fs::create_dir_all(root.join("usr/bin")).expect("a folder");
        fs::create_dir_all(root.join("etc")).expect("a folder");
        symlink("usr/bin", root.join("bin")).expect("a link");
        for program in ["sh", "bash", "cat", "cp", "ls", "mkdir", "rm", "id", "sleep", "chmod", "touch", "ln", "env"] {
            copy(root, &Path::new("/usr/bin").join(program));
        }
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
