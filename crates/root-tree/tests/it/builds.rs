//! Recipes that are built, kept, worked in and removed.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_process::sandbox::{
    Bubblewrap, LayeredTree, SandboxCommand, SandboxPlan, SandboxProvider as _, SystemTree,
};
use quintain_process::{NOBODY, SweptFolder};
use quintain_root_tree::{
    BuildProgress, ChangesLimits, RootTree, TreeFault, TreeOrder, TreeRecipe, TreeStore, put_changes, write_changes,
};
use tempfile::TempDir;

use crate::small_base::SmallBase;

const LIMITS: ChangesLimits = ChangesLimits { max_bytes: 1 << 20, max_files: 100 };

/// A store and a context.
struct BuildRoom {
    folder: TempDir,
}

impl BuildRoom {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("context")).expect("a context");
        Self { folder }
    }

    fn store(&self) -> TreeStore {
        TreeStore::at(self.folder.path().join("trees"))
    }

    fn context(&self) -> PathBuf {
        self.folder.path().join("context")
    }

    fn build(&self, name: &str, lines: &str) -> Result<(RootTree, Vec<String>), TreeFault> {
        let recipe = TreeRecipe::read(&format!("FROM debian:12\n{lines}"))?;
        let (context, within) = (self.context(), Duration::from_mins(2));
        let order = TreeOrder { name, recipe: &recipe, context: Some(&context), within };
        let mut told = Vec::new();
        let mut tell = |progress: BuildProgress<'_>| match progress {
            BuildProgress::Step { number, n_steps, .. } => told.push(format!("{number}/{n_steps}")),
            BuildProgress::Line(line) => told.push(line.to_owned()),
        };
        let tree = self.store().build(&order, &SmallBase, &mut tell)?;
        Ok((tree, told))
    }

    fn failure(&self, lines: &str) -> String {
        self.build("failing", lines).err().map(|fault| fault.to_string()).unwrap_or_default()
    }
}

/// What a script says in a sandbox on a tree.
fn said(tree: &RootTree, changes: &Path, script: &str) -> String {
    let (trees, changes) = (tree.layers.clone(), changes.to_owned());
    let system = SystemTree::Layered(LayeredTree { trees, changes, max_bytes: 8 << 20, max_files: 100 });
    let folder = PathBuf::from(&tree.record.folder);
    let plan = SandboxPlan { system, folder, variables: tree.record.variables.clone(), ..SandboxPlan::default() };
    let mut sandbox = Bubblewrap::find().expect("the gate installs bubblewrap").open(&plan).expect("a sandbox");
    let command = SandboxCommand { is_joined: true, ..SandboxCommand::of(["sh", "-c", script]) };
    let report = sandbox.exec(&command).expect("an answer");
    String::from_utf8_lossy(&report.output.head).into_owned()
}

/// Whether trees can be built here. Where they cannot, that is told as it is.
fn is_root() -> bool {
    if rustix::process::geteuid().is_root() {
        return true;
    }
    let fault = BuildRoom::new().build("tree", "RUN true").expect_err("only root may");
    assert_eq!(fault.mend(), Some("sudo quintain tree build ..."), "{fault}");
    false
}

#[test]
fn a_recipe_is_built_once_and_worked_in() {
    if !is_root() {
        return;
    }
    let room = BuildRoom::new();
    fs::create_dir_all(room.context().join("app/inner")).unwrap();
    fs::write(room.context().join("app/inner/data"), "data\n").unwrap();
    fs::write(room.context().join("tool"), "#!/bin/sh\necho tool $WHO\n").unwrap();
    let lines = "ENV WHO=me\nARG HOW=well\nWORKDIR /srv\nCOPY app .\nCOPY --chmod=755 tool /usr/bin/\n\
                 COPY tool /opt/other\nRUN tool; echo $HOW > how; chmod 4755 how; ln -s /etc/shadow link; id -u\n\
                 RUN rm /etc/passwd; touch /tmp/left; mkdir -p /var/lib/dpkg; echo Package: x >> /var/lib/dpkg/status\n\
                 CMD tool\n";
    let (tree, told) = room.build("mine", lines).unwrap();
    assert_eq!(told, ["1/8", "2/8", "3/8", "4/8", "5/8", "6/8", "7/8", "tool me", "0", "8/8"]);
    assert_eq!(tree.record.folder, "/srv");
    assert_eq!(tree.record.command.as_deref().map(|words| words.join(" ")).as_deref(), Some("/bin/sh -c tool"));
    assert_eq!((tree.layers.len(), tree.record.below.is_some()), (2, true));
    let how = fs::metadata(tree.layers[0].join("srv/how")).unwrap();
    assert_eq!((how.uid(), how.gid(), how.permissions().mode() & 0o7777), (NOBODY, NOBODY, 0o755));
    assert_eq!(fs::symlink_metadata(tree.layers[0].join("srv/link")).unwrap().uid(), NOBODY);
    assert_eq!(fs::metadata("/etc/shadow").unwrap().uid(), 0, "links are not followed");
    assert!(!tree.layers[0].join("tmp/left").exists());
    let changes = SweptFolder::new("quintain-test-changes-").unwrap();
    let script = "pwd; cat how inner/data; tool; ls /etc/passwd; echo new > /etc/new; rm how";
    let said_first = said(&tree, &changes.inner("one").unwrap(), script);
    assert!(
        said_first.starts_with("/srv\nwell\ndata\ntool me\n") && said_first.contains("/etc/passwd"),
        "{said_first}"
    );
    // What was changed is put into another folder, and is there for whoever works in it.
    let mut tar = Vec::new();
    let count = write_changes(&changes.path().join("one/upper"), &LIMITS, &mut tar).unwrap();
    assert_eq!((count.n_files, count.bytes), (4, 4), "/etc, /etc/new, /srv and a deletion");
    let second = changes.inner("two").unwrap();
    changes.inner("two/upper").unwrap();
    put_changes(&mut tar.as_slice(), &second.join("upper"), &LIMITS, &|path| path != Path::new("srv/none")).unwrap();
    assert_eq!(said(&tree, &second, "cat /etc/new; ls"), "new\ninner\nlink\n");
    // The same recipe is not built again; another one is.
    let (again, told) = room.build("mine", lines).unwrap();
    assert_eq!((again, told), (tree.clone(), Vec::new()));
    fs::write(room.context().join("tool"), "#!/bin/sh\necho another\n").unwrap();
    assert_ne!(room.build("mine", lines).unwrap().0.record.digest, tree.record.digest);
}

#[test]
fn what_fails_leaves_no_tree() {
    if !is_root() {
        return;
    }
    let room = BuildRoom::new();
    let failure = room.failure("RUN true\nRUN echo a reason; exit 3");
    let line = r#"line 3: RUN ["/bin/sh","-c","echo a reason; exit 3"]: it failed (exit status: 3)"#;
    assert_eq!(failure, format!("{line}\n  a reason"));
    assert_eq!(room.failure("COPY none /x"), "line 2: `none` is not in the context");
    assert!(room.failure("FETCH x").contains("line 2: `FETCH` is no instruction"));
    assert!(room.build("Base!", "RUN true").unwrap_err().to_string().contains("is no name of a tree"));
    let names = |room: &BuildRoom| room.store().list().into_iter().map(|tree| tree.record.name).collect::<Vec<_>>();
    assert_eq!(names(&room), ["base"]);
    // A builder that was killed has left its place, which nobody holds any more.
    let left = room.store().folder().join(".building-left");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("in-use"), "").unwrap();
    room.build("whole", "RUN touch /srv").unwrap();
    assert!(!left.exists());
    assert_eq!(names(&room), ["base", "whole"]);
    assert_eq!(fs::read_dir(room.store().folder()).unwrap().count(), 2, "nothing else is left");
    assert_eq!(room.store().remove("base").unwrap_err().to_string(), "`base` is needed by whole");
    room.store().remove("whole").unwrap();
    room.store().remove("base").unwrap();
    assert_eq!(room.store().remove("base").unwrap_err().to_string(), "there is no tree `base`");
}

#[test]
fn a_build_reaches_nothing_of_the_host() {
    if !is_root() {
        return;
    }
    let room = BuildRoom::new();
    let beside = room.folder.path().join("beside");
    fs::create_dir(&beside).unwrap();
    symlink(&beside, room.context().join("out")).unwrap();
    fs::write(room.context().join("file"), "x").unwrap();
    // Links in the tree and in the context lead to places of the tree.
    let target = beside.display();
    let lines = format!(
        "RUN mkdir -p {target}; ln -s {target} /way\nCOPY out /srv/out\nCOPY file /way/file\nRUN ls {target} /home; true"
    );
    let (tree, told) = room.build("held", &lines).unwrap();
    assert!(told.contains(&"file".to_owned()) && told.iter().any(|line| line.contains("No such file")), "{told:?}");
    assert!(fs::read_dir(&beside).unwrap().next().is_none(), "{told:?}");
    assert!(tree.layers[0].join("srv/out").is_symlink());
}

#[test]
fn a_build_has_a_deadline() {
    if !is_root() {
        return;
    }
    let room = BuildRoom::new();
    let recipe = TreeRecipe::read("FROM debian:12\nRUN echo begun; sleep 1000").unwrap();
    let order = TreeOrder { name: "slow", recipe: &recipe, context: None, within: Duration::from_secs(3) };
    let fault = room.store().build(&order, &SmallBase, &mut |_progress| ()).unwrap_err().to_string();
    assert!(fault.contains("the time for the build is over\n  begun"), "{fault}");
}
