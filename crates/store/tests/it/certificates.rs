use quintain_core::{Digest, TaskId};
use quintain_store::{CertificateStore, Certified};
use serde_json::{Value, json};

#[test]
fn a_certificate_holds_for_one_task_and_one_world() {
    let folder = tempfile::tempdir().unwrap();
    let store = CertificateStore::new(folder.path());
    let id: TaskId = "puzzles/maze-2d".parse().unwrap();
    let [task, world, other] = ["t", "w", "o"].map(|text| Digest::of(text.as_bytes()));
    assert_eq!(store.read::<Value>(&id, task, world).unwrap(), Certified::Never);
    store.write(&id, task, world, &json!({"oracle": 1.0})).unwrap();
    assert_eq!(store.read(&id, task, world).unwrap(), Certified::Valid(json!({"oracle": 1.0})));
    assert_eq!(store.read::<Value>(&id, other, world).unwrap(), Certified::Stale { task, world });
    assert_eq!(store.read::<Value>(&id, task, other).unwrap(), Certified::Stale { task, world });
    insta::assert_snapshot!(std::fs::read_to_string(folder.path().join("puzzles/maze-2d.json")).unwrap(), @r#"
    {
      "task": "0538661423236a5d8df6286a8633369e2a03c5f90d48eded333222dbee8cdbdd",
      "world": "f2f21520bebe5d07c6813b972de3617a0a0d50a36be3784e9fece54cff8d8032",
      "certificate": {
        "oracle": 1.0
      }
    }
    "#);
}
