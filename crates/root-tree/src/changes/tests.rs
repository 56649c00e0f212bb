//! Changes there and back, and what somebody could make of a tar.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use proptest::prelude::*;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::tar_entry::{EntryBody, TarEntry, end};
use super::*;

const LIMITS: ChangesLimits = ChangesLimits { max_bytes: 1 << 20, max_files: 500 };

/// Something that may stand in a folder.
#[derive(Clone, Debug)]
enum Change {
    File(Vec<u8>, u32),
    Folder(BTreeMap<String, Change>, u32),
    Link(String),
    Deletion,
    Pipe,
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]{1,2}", "[a-z .]{110,130}x", "x[é\\\\:,]{1,3}"]
}

fn change() -> impl Strategy<Value = Change> {
    let mode = prop_oneof![Just(0o644_u32), Just(0o755), Just(0o1777), Just(0o600), Just(0o500)];
    let leaf = prop_oneof![
        (prop::collection::vec(any::<u8>(), 0..1200), mode.clone()).prop_map(|(bytes, mode)| Change::File(bytes, mode)),
        prop_oneof!["[a-c./]{1,20}", "/[a-z/]{100,200}"].prop_map(Change::Link),
        Just(Change::Deletion),
        Just(Change::Pipe),
    ];
    leaf.prop_recursive(3, 30, 6, move |inner| {
        (prop::collection::btree_map(name(), inner, 0..6), mode.clone())
            .prop_map(|(inner, mode)| Change::Folder(inner, mode))
    })
}

fn make(folder: &Path, changes: &BTreeMap<String, Change>) {
    for (name, change) in changes {
        let path = folder.join(name);
        let rights = |mode: u32| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("rights");
        let device = |kind| mknodat(CWD, &path, kind, Mode::RUSR, 0).expect("a node");
        match change {
            Change::File(bytes, mode) => {
                fs::write(&path, bytes).expect("a file");
                rights(*mode);
            }
            Change::Folder(inner, mode) => {
                fs::create_dir(&path).expect("a folder");
                make(&path, inner);
                rights(*mode);
            }
            Change::Link(target) => symlink(target, &path).expect("a link"),
            Change::Deletion => device(FileType::CharacterDevice),
            Change::Pipe => device(FileType::Fifo),
        }
    }
}

fn written(folder: &Path) -> (Vec<u8>, ChangesCount) {
    let mut tar = Vec::new();
    let count = write_changes(folder, &LIMITS, &mut tar).expect("it can be written");
    (tar, count)
}

fn put(tar: &[u8], folder: &Path) -> Result<ChangesCount, ChangesFault> {
    put_changes(&mut &*tar, folder, &LIMITS, &|_path| true)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn changes_come_back_as_they_were(changes in prop::collection::btree_map(name(), change(), 0..6)) {
        let [first, second, third] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        make(first.path(), &changes);
        let (tar, count) = written(first.path());
        let back = put(&tar, second.path()).unwrap();
        prop_assert_eq!((back.bytes, back.n_files, back.n_left_out), (count.bytes, count.n_files, 0));
        prop_assert_eq!(&written(second.path()).0, &tar);
        // The order in which files were made and when does not show.
        make(third.path(), &changes);
        prop_assert_eq!(written(third.path()).0, tar);
    }

    #[test]
    fn no_name_leads_out(entries in prop::collection::vec(hostile_entry(), 1..8)) {
        let above = tempfile::tempdir().unwrap();
        let (inner, beside) = (above.path().join("upper"), above.path().join("beside"));
        fs::create_dir(&inner).unwrap();
        fs::create_dir(&beside).unwrap();
        let mut tar = Vec::new();
        for entry in entries {
            let n_bytes = if let EntryBody::File(n) = entry.body { n } else { 0 };
            entry.write(&mut vec![b'!'; n_bytes as usize].as_slice(), &mut tar).unwrap();
        }
        end(&mut tar).unwrap();
        // It is put or refused, and in either case nothing else was touched.
        drop(put(&tar, &inner));
        prop_assert_eq!(fs::read_dir(&beside).unwrap().count(), 0);
        prop_assert_eq!(fs::read_dir(above.path()).unwrap().count(), 2);
    }

    #[test]
    fn bytes_that_are_no_tar_are_refused_or_put(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let folder = tempfile::tempdir().unwrap();
        drop(put(&bytes, folder.path()));
    }
}

fn hostile_entry() -> impl Strategy<Value = TarEntry> {
    let part = prop_oneof![
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just(String::new()),
        Just("beside".to_owned()),
        Just(".wh...".to_owned()),
        Just(".wh.a".to_owned()),
        Just(OPAQUE.to_owned()),
    ];
    let name = prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("/").into_bytes());
    let target = prop_oneof![Just("../beside"), Just(".."), Just("/tmp"), Just("a")];
    let body = prop_oneof![
        (0..3_u64).prop_map(EntryBody::File),
        Just(EntryBody::Folder),
        target.prop_map(|target| EntryBody::Link(target.as_bytes().to_vec())),
    ];
    (name, body).prop_map(|(name, body)| TarEntry { name, mode: 0o777, body })
}

#[test]
fn an_entry_through_a_link_is_refused() {
    let above = tempfile::tempdir().unwrap();
    let upper = above.path().join("upper");
    fs::create_dir(&upper).unwrap();
    let mut tar = Vec::new();
    let entry = |name: &str, body| TarEntry { name: name.into(), mode: 0o644, body };
    entry("out", EntryBody::Link(b"..".to_vec())).write(&mut io::empty(), &mut tar).unwrap();
    entry("out/file", EntryBody::File(1)).write(&mut &b"!"[..], &mut tar).unwrap();
    end(&mut tar).unwrap();
    let fault = put(&tar, &upper).unwrap_err();
    assert_eq!(fault.to_string(), "`out` in the tar of changes: what it lies in is no folder");
    assert!(!above.path().join("file").exists());
}

#[test]
fn only_what_is_wanted_is_put_and_limits_hold() {
    let [from, to] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let file = |text: &str| Change::File(text.into(), 0o644);
    let inner = BTreeMap::from([("kept".to_owned(), file("1")), ("gone".to_owned(), Change::Deletion)]);
    let changes = BTreeMap::from([("app".to_owned(), Change::Folder(inner, 0o700)), ("other".to_owned(), file("22"))]);
    make(from.path(), &changes);
    fs::write(from.path().join(".wh.forged"), "").unwrap();
    let (tar, count) = written(from.path());
    assert_eq!(count, ChangesCount { bytes: 3, n_files: 4, n_left_out: 1 });
    let wanted = |path: &Path| path.starts_with("app") && path != Path::new("app");
    let back = put_changes(&mut tar.as_slice(), to.path(), &LIMITS, &wanted).unwrap();
    assert_eq!(back.n_left_out, 2);
    assert_eq!(fs::metadata(to.path().join("app")).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(fs::symlink_metadata(to.path().join("app/gone")).unwrap().file_type().is_char_device());
    assert!(!to.path().join("other").exists());
    assert!(put(&tar, to.path()).unwrap_err().to_string().contains("an empty folder only"));
    let told = |max_bytes, max_files| {
        let limits = ChangesLimits { max_bytes, max_files };
        write_changes(from.path(), &limits, &mut Vec::new()).unwrap_err().to_string()
    };
    assert_eq!(told(100, 3), "the changes are more than 3 files");
    assert_eq!(told(2, 100), "the changes are more than 0 MB");
}

#[test]
fn a_folder_that_hides_what_is_below_it_stays_so() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let [from, to] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    fs::create_dir(from.path().join("srv")).unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    rustix::fs::setxattr(from.path().join("srv"), OPAQUE_ATTRIBUTE, b"y", flags).unwrap();
    let (tar, count) = written(from.path());
    assert_eq!(count.n_files, 2);
    put(&tar, to.path()).unwrap();
    assert_eq!(written(to.path()).0, tar);
}
