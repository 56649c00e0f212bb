use std::fs::OpenOptions;
use std::io::Write;

use quintain_core::exchange::{Exchange, Exchanges};

use crate::dial::{new_run, trial_id};

#[test]
fn what_outside_agents_and_their_models_said_is_kept_and_a_torn_line_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    assert_eq!(run.exchanges().unwrap(), []);
    let (trial, book) = (trial_id(0), run.exchange_book());
    for (call, status, response) in [("a", Some(200), "answer"), ("b", None, "")] {
        let (request, response) = (b"question".as_slice(), response.as_bytes());
        let exchange = Exchange { call, trial: &trial, attempt: 1, path: "/v1/messages", status, request, response };
        book.keep(&exchange).unwrap();
    }
    let mut file = OpenOptions::new().append(true).open(run.path().join("proxy.jsonl")).unwrap();
    file.write_all(b"{\"v\":1,\"call\":\"c\",\"tri").unwrap();
    let lines = run.exchanges().unwrap().into_iter().map(|kept| {
        let said = |digest| String::from_utf8(run.blobs().get(digest).unwrap().unwrap()).unwrap();
        format!("{} {} {:?} `{}` `{}`", kept.call, kept.trial, kept.status, said(kept.request), said(kept.response))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r"
    a test/dial@easy#7~lines~0 Some(200) `question` `answer`
    b test/dial@easy#7~lines~0 None `question` ``
    ");
}
