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
        let answer = String::from_utf8(run.blobs().get(kept.response).unwrap().unwrap()).unwrap();
        let question = String::from_utf8(run.sent(&kept).unwrap()).unwrap();
        format!("{} {} {:?} `{question}` `{answer}`", kept.call, kept.trial, kept.status)
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r"
    a test/dial@easy#7~lines~0 Some(200) `question` `answer`
    b test/dial@easy#7~lines~0 None `question` ``
    ");
}

/// Five calls of a conversation that grows; a part that is damaged costs the calls that need it.
#[test]
fn long_requests_are_kept_in_parts_and_come_back_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let run = new_run(folder.path());
    let (trial, book) = (trial_id(0), run.exchange_book());
    let bodies: Vec<String> = (1..=5).map(|n| (0..n * 40_000).map(|i| format!("{i:x},")).collect()).collect();
    for body in &bodies {
        let (path, request) = ("/v1/messages", body.as_bytes());
        let exchange = Exchange { call: "a", trial: &trial, attempt: 1, path, status: None, request, response: b"!" };
        book.keep(&exchange).unwrap();
    }
    let kept = run.exchanges().unwrap();
    for (kept, body) in kept.iter().zip(&bodies) {
        assert!(kept.v == 2 && kept.request_parts.len() > 1);
        assert!(run.sent(kept).unwrap() == body.as_bytes());
    }
    let last = *kept[4].request_parts.last().unwrap();
    std::fs::write(run.blob_file(last), b"other").unwrap();
    assert!(run.sent(&kept[4]).is_err());
    assert!(run.sent(&kept[0]).is_ok());
}
