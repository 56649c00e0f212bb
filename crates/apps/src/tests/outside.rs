//! The apps in a browser that is not ours.

use std::sync::Arc;

use quintain_browser::{Browser, BrowserSandbox, OutsideApp};
use quintain_core::offering::OutsidePage;
use quintain_core::world::WorldKind;
use quintain_core::{Digest, Evidence, FileHandle, Instance, Pick};
use serde_json::{Value, json};

use super::tasks;
use crate::ALL;

fn opened(task: &str) -> (OutsideApp, Instance) {
    let task = tasks(task).into_iter().next().expect("there is such a task");
    let instance = Browser::new(ALL, BrowserSandbox::On).instantiate(&task, &Pick::default()).expect("an instance");
    (OutsideApp::open(ALL, &instance).expect("it opens"), instance)
}

fn text(app: &OutsideApp, path: &str) -> String {
    String::from_utf8_lossy(&app.file(path).expect("it is served").bytes).into_owned()
}

fn told(app: &OutsideApp, visit: u64, count: u64, messages: &Value) -> String {
    let batch = json!({ "visit": visit, "count": count, "messages": messages });
    app.tell(&batch.to_string()).map_or_else(|why| format!("refused: {why}"), |answer| answer.to_string())
}

#[test]
fn the_last_document_told_is_the_evidence_and_is_there_again_after_reloading() {
    let (app, instance) = opened("workflow-insert-wait");
    let document = |n: u32| json!([{ "type": "document", "document": { "n": n } }]);
    let early = told(&app, 1, 1, &document(9));
    text(&app, "quintain.js");
    let all = [
        early,
        told(&app, 1, 1, &document(1)),
        told(&app, 1, 3, &document(3)),
        told(&app, 1, 2, &document(2)),
        told(&app, 1, 4, &json!([{ "type": "dance" }])),
        told(&app, 1, 5, &json!([{ "type": "ask", "id": 1, "what": "weather" }])),
        app.tell("{").unwrap_err(),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
    refused: no page was opened for this visit
    {"answers":[]}
    {"answers":[]}
    {"answers":[]}
    refused: the page said what cannot be read: unknown variant `dance`, expected one of `ready`, `document`, `pending`, `ask`, `file` at line 1 column 15
    refused: this app has no answer to `weather`
    this tells nothing: EOF while parsing an object at line 1 column 1
    "#);
    assert!(text(&app, "quintain.js").contains(r#""document":{"n":3}"#));
    let evidence = app.collect().evidence;
    assert_eq!(evidence, Evidence::document("workflow-builder", json!({ "n": 3 })));
    assert_ne!(instance.start["document"], json!({ "n": 3 }));
}

#[test]
fn questions_are_answered_and_exported_files_kept() {
    let (app, _) = opened("circuit-not-from-nand");
    text(&app, "quintain.js");
    let asked = json!([
        { "type": "ready" },
        { "type": "ask", "id": 7, "what": "simulate", "body": { "time": 0.0 } },
        { "type": "file", "name": "out.csv", "text": "a,b\n" },
    ]);
    insta::assert_snapshot!(told(&app, 1, 1, &asked), @r#"{"answers":[{"body":{"currents":{},"nets":{},"problem":null,"scopes":[],"volts":[0.0]},"id":7}]}"#);
    let collected = app.collect();
    assert_eq!(FileHandle::of(Arc::clone(&collected.files["out.csv"])).unwrap().digest(), Digest::of(b"a,b\n"));
    assert_eq!(collected.files.len(), 1);
}

#[test]
fn nothing_but_the_start_document_is_served() {
    let (app, instance) = opened("workflow-insert-wait");
    assert!(text(&app, "").contains("<head>\n    <script src=\"./quintain.js\"></script>"));
    let script = text(&app, "quintain.js");
    assert!(script.contains(&instance.start["document"].to_string()));
    assert!(!script.contains(&instance.start["expected"].to_string()), "the reference is out of reach");
    for path in ["../index.html", "plan", "expected", "/etc/passwd", "fonts"] {
        assert_eq!(app.file(path), None, "{path}");
    }
}
