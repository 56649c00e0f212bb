//! Data from a server on this machine: fetched, gone on with, refused.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::command::Place;

/// A server of one file that keeps what it was asked. It sends at most so many bytes of it at a time.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn of(body: &'static [u8], most: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                kept.lock().expect("a lock").push(answer(stream, body, most));
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("a lock").clone()
    }
}

/// Answers a request as a server of files does, and says which range was asked for.
fn answer(mut stream: TcpStream, body: &[u8], most: usize) -> String {
    let lines = BufReader::new(stream.try_clone().expect("a stream")).lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).map(|line| line.to_lowercase()).collect();
    let range = head.iter().find_map(|line| line.strip_prefix("range: bytes=")).map(str::to_owned);
    let from = range.as_deref().and_then(|range| range.trim_end_matches('-').parse::<usize>().ok()).unwrap_or(0);
    let status = if range.is_some() { "206 Partial Content" } else { "200 OK" };
    let rest = &body[from..];
    let said = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", rest.len());
    let sent = stream.write_all(said.as_bytes()).and_then(|()| stream.write_all(&rest[..rest.len().min(most)]));
    assert!(sent.is_ok());
    range.unwrap_or_default()
}

const BODY: &[u8] = b"a photograph, as far as anybody can tell";
/// The SHA-256 of it, as `sha256sum` tells it.
const SUM: &str = "d5b1247b892718bb815a647e15823fbc56b0816fb7c4af0979fb299e66bd4d8e";

fn list(place: &Place, server: &Server, sum: &str) {
    let text = format!(
        "format = 1\n[[set]]\nname = 'mine'\nwhat = 'one file'\nlicence = 'CC0 1.0'\nlicence_url = 'https://example.org'\n\
         credit = 'nobody'\nfeeds = 'photos'\nfiles = [{{ path = 'a/b.jpg', url = '{}/b.jpg', size = {}, sha256 = '{sum}' }}]\n",
        server.address,
        BODY.len()
    );
    fs::write(place.path().join("list.toml"), text).expect("a file");
}

#[test]
fn a_file_is_fetched_once_and_checked() {
    let (place, server) = (Place::new(), Server::of(BODY, usize::MAX));
    list(&place, &server, SUM);
    let listed = place.quintain("data list --manifest list.toml --into kept");
    assert!(listed.stdout.contains("CC0 1.0") && listed.stdout.contains("--photos"), "{}", listed.text());
    for n in [1, 0] {
        let fetched = place.json("data fetch mine --manifest list.toml --into kept");
        assert_eq!(fetched["n_fetched"], n, "{fetched}");
    }
    assert_eq!(server.asked().len(), 1);
    assert_eq!(fs::read(place.path().join("kept/mine/a/b.jpg")).expect("a file"), BODY);
    let notice = fs::read_to_string(place.path().join("kept/mine.licence.txt")).expect("a file");
    assert!(notice.contains("credit: nobody"), "{notice}");
    assert_eq!(place.json("data verify --manifest list.toml --into kept")["n_sound"], 1);

    fs::write(place.path().join("kept/mine/a/b.jpg"), b"something else").expect("a file");
    let done = place.quintain("data verify --manifest list.toml --into kept");
    assert!(done.code == 3 && done.stdout.contains("altered: kept/mine/a/b.jpg"), "{}", done.text());
}

#[test]
fn a_file_that_broke_off_is_gone_on_with() {
    let (place, server) = (Place::new(), Server::of(BODY, 15));
    list(&place, &server, SUM);
    for _ in 0..2 {
        let done = place.quintain("data fetch --manifest list.toml --into kept --quiet");
        assert!(done.code == 1 && done.stderr.contains("goes on where it broke off"), "{}", done.text());
        assert!(!place.path().join("kept/mine/a/b.jpg").exists(), "half a file has not its name");
    }
    assert_eq!(place.quintain("data fetch --manifest list.toml --into kept --quiet").code, 0);
    assert_eq!(server.asked(), ["", "15-", "30-"]);
    assert_eq!(fs::read(place.path().join("kept/mine/a/b.jpg")).expect("a file"), BODY);
}

#[test]
fn the_licence_is_there_before_the_first_file() {
    let (place, server) = (Place::new(), Server::of(BODY, usize::MAX));
    list(&place, &server, SUM);
    let path = place.path().join("list.toml");
    let text = fs::read_to_string(&path).expect("a file");
    let second = format!(
        " }}, {{ path = 'c.jpg', url = '{}/c.jpg', size = {}, sha256 = '{}' }}]\n",
        server.address,
        BODY.len(),
        "0".repeat(64)
    );
    fs::write(&path, text.replace(" }]\n", &second)).expect("a file");
    let done = place.quintain("data fetch --manifest list.toml --into kept --quiet");
    assert_eq!(done.code, 1, "{}", done.text());
    assert!(place.path().join("kept/mine/a/b.jpg").exists(), "the first file is kept");
    let notice = fs::read_to_string(place.path().join("kept/mine.licence.txt")).expect("a file");
    assert!(notice.contains("credit: nobody"), "{notice}");
}

#[test]
fn labels_are_told_as_the_file_that_the_option_takes() {
    let (place, server) = (Place::new(), Server::of(BODY, usize::MAX));
    list(&place, &server, SUM);
    let path = place.path().join("list.toml");
    let text = fs::read_to_string(&path).expect("a file").replace("a/b.jpg", "a/b.json");
    fs::write(&path, text.replace("'photos'", "'labels'")).expect("a file");
    let done = place.quintain("data fetch --manifest list.toml --into kept");
    assert!(done.stdout.contains("\n  --labels kept/mine/a/b.json"), "{}", done.text());
    fs::write(&path, text.replace("'photos'", "'sounds'")).expect("a file");
    let refused = place.quintain("data list --manifest list.toml --into kept");
    assert!(refused.code == 1 && refused.stderr.contains("mine: it feeds `sounds`"), "{}", refused.text());
}

#[test]
fn a_file_that_is_not_what_is_listed_is_refused() {
    let (place, server) = (Place::new(), Server::of(BODY, usize::MAX));
    list(&place, &server, &"0".repeat(64));
    let done = place.quintain("data fetch --manifest list.toml --into kept --quiet");
    assert!(done.code == 1 && done.stderr.contains("is not what the list says"), "{}", done.text());
    let left: Vec<_> = fs::read_dir(place.path().join("kept/mine/a")).expect("a folder").collect();
    assert!(left.is_empty(), "nothing of it is kept");
    let unknown = place.quintain("data fetch mime --manifest list.toml --into kept");
    assert!(unknown.stderr.contains("there is no set of data `mime`"), "{}", unknown.text());
}
