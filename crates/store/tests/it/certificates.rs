use quintain_core::{CertificateKey, Digest, TaskId};
use quintain_store::{CertificateStore, CertifiedState, KeptFiles};
use serde_json::{Value, json};

#[test]
fn a_certificate_holds_for_one_task_one_world_and_one_judge() {
    let folder = tempfile::tempdir().unwrap();
    let store = CertificateStore::new(folder.path());
    let id: TaskId = "puzzles/maze-2d".parse().unwrap();
    let [task, world, code, other] = ["t", "w", "c", "o"].map(|text| Digest::of(text.as_bytes()));
    let key = CertificateKey { task, world, code };
    assert_eq!(store.read::<Value>(&id, &key).unwrap(), CertifiedState::Never);
    store.write(&id, &key, &json!({"oracle": 1.0})).unwrap();
    assert_eq!(store.read(&id, &key).unwrap(), CertifiedState::Valid(json!({"oracle": 1.0})));
    for changed in [
        CertificateKey { task: other, ..key },
        CertificateKey { world: other, ..key },
        CertificateKey { code: other, ..key },
    ] {
        assert_eq!(store.read::<Value>(&id, &changed).unwrap(), CertifiedState::Stale);
    }
    let path = folder.path().join("puzzles/maze-2d.whole.json");
    insta::assert_snapshot!(std::fs::read_to_string(&path).unwrap(), @r#"
    {
      "task": "0538661423236a5d8df6286a8633369e2a03c5f90d48eded333222dbee8cdbdd",
      "world": "f2f21520bebe5d07c6813b972de3617a0a0d50a36be3784e9fece54cff8d8032",
      "code": "ea7aa1fc9efdbe106dbb70369a75e9671fa29d52bd55536711bf197477b8f021",
      "certificate": {
        "oracle": 1.0
      }
    }
    "#);
    let of_older_programs = json!({"task": task, "world": world, "certificate": {}});
    std::fs::write(path, of_older_programs.to_string()).unwrap();
    assert_eq!(store.read::<Value>(&id, &key).unwrap(), CertifiedState::Stale);
}

#[test]
fn whole_and_small_certificates_of_a_task_lie_in_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (store, kept) = (CertificateStore::new(folder.path()), KeptFiles::Folder(folder.path().to_owned()));
    let id: TaskId = "puzzles/maze-2d".parse().unwrap();
    let [task, world, code] = ["t", "w", "c"].map(|text| Digest::of(text.as_bytes()));
    let key = CertificateKey { task, world, code };
    store.write(&id, &key, &json!("whole")).unwrap();
    assert_eq!((kept.read(&id).unwrap(), kept.task_names().unwrap()), (None, Vec::new()));
    KeptFiles::write(folder.path(), &id, "small").unwrap();
    assert_eq!(store.read(&id, &key).unwrap(), CertifiedState::Valid(json!("whole")));
    assert_eq!(kept.read(&id).unwrap().as_deref(), Some(&b"small"[..]));
    assert_eq!(kept.task_names().unwrap(), ["puzzles/maze-2d"]);
}
