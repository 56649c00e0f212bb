use super::*;
use crate::sites::SiteContent;

/// Repeats what it is asked.
struct Echo;

impl SiteServer for Echo {
    fn hosts(&self) -> Vec<String> {
        vec!["one.test".to_owned(), "two.test".to_owned()]
    }

    fn home(&self) -> String {
        "https://one.test/".to_owned()
    }

    fn respond(&mut self, request: &ServerRequest) -> ServerResponse {
        match request.path.as_str() {
            "/away" => ServerResponse::see_other("https://two.test/done"),
            "/lost" => ServerResponse::page(302, "to nowhere"),
            "/odd" => ServerResponse::page(204, ""),
            _ => ServerResponse::of(
                200,
                SiteContent::Text(format!("{} {:?} {:?}", request.path, request.query, request.form)),
            ),
        }
    }

    fn state(&self) -> Value {
        Value::Null
    }

    fn n_changes(&self) -> u64 {
        0
    }
}

fn asked(gate: &mut SiteGate, method: &str, address: &str, body: &str, purpose: RequestPurpose) -> String {
    let body_type = if body.starts_with('{') { "application/json" } else { FORM };
    let request = PausedRequest { method, address, body: body.into(), body_type, tab: 1, purpose };
    gate.answer(&request).map_or("refused".to_owned(), |answer| {
        let location = answer.headers.iter().find(|(name, _)| *name == "location").map(|(_, to)| format!(" -> {to}"));
        let text = String::from_utf8_lossy(&answer.body);
        let text = if text.starts_with('<') { "a page" } else { &text };
        format!("{}{} {text}", answer.status, location.unwrap_or_default())
    })
}

#[test]
fn only_the_hosts_of_the_web_answer() {
    let mut gate = SiteGate::new(Box::new(Echo), PageMedium::Screen);
    let tried = [
        ("GET", "https://one.test/a%20b?q=1&q=2", "", RequestPurpose::Page),
        ("POST", "https://two.test/send", "a=1+2&b=%26&a=3", RequestPurpose::Page),
        ("POST", "https://two.test/send", "a=1+2&b=%26&a=3", RequestPurpose::PageAgain),
        ("POST", "https://two.test/send", "{}", RequestPurpose::Page),
        ("POST", "https://one.test/away", "x=1", RequestPurpose::Page),
        ("GET", "https://one.test/lost", "", RequestPurpose::Page),
        ("GET", "https://one.test/odd", "", RequestPurpose::Page),
        ("PUT", "https://one.test/a", "", RequestPurpose::Page),
        ("GET", "http://one.test/a?b", "", RequestPurpose::Page),
        ("GET", "https://three.test/", "", RequestPurpose::Page),
        ("GET", "https://three.test/x.png", "", RequestPurpose::Part),
        ("GET", "https://one.test:8443/", "", RequestPurpose::Page),
        ("GET", "https://one.test@three.test/", "", RequestPurpose::Page),
        ("GET", "http://127.0.0.1:9222/json", "", RequestPurpose::Part),
        ("GET", "file:///etc/passwd", "", RequestPurpose::Page),
    ];
    let told = tried.map(|(method, address, body, purpose)| {
        format!("{method} {address} {body}: {}", asked(&mut gate, method, address, body, purpose))
    });
    insta::assert_snapshot!(told.join("\n"), @r#"
    GET https://one.test/a%20b?q=1&q=2 : 200 /a b [("q", "1"), ("q", "2")] []
    POST https://two.test/send a=1+2&b=%26&a=3: 200 /send [] [("a", "1 2"), ("b", "&"), ("a", "3")]
    POST https://two.test/send a=1+2&b=%26&a=3: 200 /send [] [("a", "1 2"), ("b", "&"), ("a", "3")]
    POST https://two.test/send {}: 415 a page
    POST https://one.test/away x=1: 303 -> https://two.test/done 
    GET https://one.test/lost : 500 a page
    GET https://one.test/odd : 500 a page
    PUT https://one.test/a : 405 a page
    GET http://one.test/a?b : 308 -> https://one.test/a?b 
    GET https://three.test/ : 502 a page
    GET https://three.test/x.png : refused
    GET https://one.test:8443/ : 502 a page
    GET https://one.test@three.test/ : 502 a page
    GET http://127.0.0.1:9222/json : refused
    GET file:///etc/passwd : refused
    "#);
    insta::assert_snapshot!(gate.refused().join("\n"), @"
    GET https://three.test/
    GET https://three.test/x.png
    GET https://one.test:8443/
    GET https://one.test@three.test/
    GET http://127.0.0.1:9222/json
    GET file:///etc/passwd
    ");
    insta::assert_snapshot!(gate.writes().to_string().replace("},{", "},\n{"), @r#"
    [{"address":"https://two.test/send","fields":{"a":["1 2","3"],"b":"&"},"status":200,"step":0,"tab":1},
    {"address":"https://one.test/away","fields":{"x":"1"},"status":303,"step":0,"tab":1}]
    "#);
    assert_eq!(gate.visits().as_array().expect("visits").len(), 8);
}

#[test]
fn pages_may_send_to_their_own_hosts_and_run_nothing() {
    let policy = SiteGate::new(Box::new(Echo), PageMedium::Screen).policy.replace("; ", "\n");
    insta::assert_snapshot!(policy, @"
    default-src 'none'
    style-src 'unsafe-inline' https://one.test https://two.test
    img-src data: https://one.test https://two.test
    font-src data: https://one.test https://two.test
    form-action https://one.test https://two.test
    base-uri 'none'
    frame-ancestors 'none'
    ");
}
