//! Trees on the command line, on a base of a few programs of this host: nothing is fetched.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::variables;
use quintain_process::SpawnOptions;
use quintain_root_tree::{BaseMaker, BuildListener, TreeFault, TreeStore};

use crate::command::Place;

/// A shell and what recipes are copied with.
struct ShellBase;

impl BaseMaker for ShellBase {
    fn make(&self, root: &Path, _deadline: Instant, _tell: &mut BuildListener<'_>) -> Result<(), TreeFault> {
        fs::create_dir_all(root.join("usr/bin")).expect("a folder");
        symlink("usr/bin", root.join("bin")).expect("a link");
        for program in ["sh", "cp", "mkdir", "rm"].map(|name| Path::new("/usr/bin").join(name)) {
            let listed = SpawnOptions::new("ldd").args([&program]).ask(Duration::from_secs(20), 10_000).expect("ldd");
            let libraries = listed.output.split_whitespace().filter(|word| word.starts_with('/')).map(PathBuf::from);
            for file in libraries.chain([program.clone()]) {
                let copy = root.join(file.strip_prefix("/").expect("a whole path"));
                fs::create_dir_all(copy.parent().expect("it lies in a folder")).expect("its folder");
                fs::copy(&file, copy).expect("its copy");
            }
        }
        Ok(())
    }
}

fn place() -> Place {
    let mut place = Place::new();
    let trees = place.path().join("trees");
    place.set(variables::TREES, trees.to_str().expect("UTF-8"));
    place
}

/// Folders, digests and durations are other ones each time.
fn masked(text: &str, place: &Place) -> String {
    let text = text.replace(place.path().to_str().expect("UTF-8"), "PLACE");
    let is_digest = |word: &str| word.len() == 12 && word.chars().all(|c| c.is_ascii_hexdigit());
    text.split_inclusive(|c: char| !c.is_ascii_alphanumeric())
        .map(|word| {
            let plain = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            if is_digest(plain) { word.replace(plain, "DIGEST") } else { word.to_owned() }
        })
        .collect()
}

#[test]
fn what_cannot_be_built_is_told_line_by_line() {
    let place = place();
    let listed = place.quintain("tree list");
    assert_eq!((listed.code, masked(&listed.stdout, &place).as_str()), (0, "there are no trees in PLACE/trees\n"));
    fs::write(place.path().join("Dockerfile"), "FROM node:20\nRUN curl https://x.test | sh\nUSER app\n").unwrap();
    let refused = place.quintain("tree build mine --dockerfile Dockerfile");
    assert_eq!(refused.code, 1);
    insta::assert_snapshot!(refused.stderr, @r"
    error: the recipe cannot be built here:
    line 1: FROM node:20: only debian, ubuntu and python can be played, all on Debian 12
    line 2: `curl` fetches something from elsewhere
    line 3: USER app: there is only root in a tree
    ");
    let unknown = place.quintain("tree remove mine");
    assert_eq!((unknown.code, unknown.stderr.as_str()), (2, "error: there is no tree `mine`\n"));
    assert_eq!(place.quintain("tree build mine").code, 2, "a recipe is needed");
    assert_eq!(place.quintain("tree build mine --package x;y").code, 1);
}

#[test]
fn a_tree_is_built_listed_and_removed() {
    let place = place();
    fs::write(place.path().join("Dockerfile"), "FROM ubuntu:24.04\nCOPY data /srv/\nRUN echo built > /srv/done\n")
        .unwrap();
    fs::write(place.path().join("data"), "data\n").unwrap();
    if !rustix::process::geteuid().is_root() {
        let refused = place.quintain("tree build mine --dockerfile Dockerfile");
        assert!(refused.code == 1 && refused.stderr.contains("hint: sudo quintain tree build"), "{}", refused.stderr);
        return;
    }
    TreeStore::at(place.path().join("trees")).base(&ShellBase, Duration::from_mins(1), &mut |_progress| ()).unwrap();
    let built = place.quintain("tree build mine --dockerfile Dockerfile");
    insta::assert_snapshot!(masked(&built.stderr, &place), @r#"
    remark: FROM ubuntu:24.04 is played on Debian 12
    [1/2] COPY ["data","/srv/"]
    [2/2] RUN ["/bin/sh","-c","echo built > /srv/done"]
    "#);
    insta::assert_snapshot!(masked(&built.stdout, &place), @"PLACE/trees/mine-DIGEST: 0.0 MB in 3 files, over base-DIGEST");
    let listed = place.quintain("tree list --json").stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let facts: Vec<_> =
        listed.as_array().unwrap().iter().map(|tree| (&tree["name"], &tree["from"], &tree["remarks"])).collect();
    insta::assert_snapshot!(
        serde_json::to_string(&facts).unwrap(),
        @r#"[["base","",[]],["mine","ubuntu:24.04",["FROM ubuntu:24.04 is played on Debian 12"]]]"#
    );
    assert_eq!(place.quintain("tree list").stdout.lines().count(), 3);
    let layer = place.path().join("trees").join(format!("mine-{}", listed[1]["digest"].as_str().unwrap()));
    assert_eq!(fs::read_to_string(layer.join("root/srv/done")).unwrap(), "built\n");
    assert_eq!(place.quintain("tree remove base").stderr, "error: `base` is needed by mine\n");
    let removed = place.quintain("tree remove mine");
    assert_eq!((removed.code, removed.stdout.as_str()), (0, "mine is gone: 0.0 MB\n"));
    assert!(!layer.exists());
}
