//! A run pulled from the archive is the run that was played.

use std::path::Path;

use quintain_core::books::{Bill, CallLine, Journal as _, Purpose};
use quintain_core::exchange::{Exchange, Exchanges as _};
use quintain_core::{Digest, Usage};
use quintain_store::archive::{ArchivedRun, BookPlace, PackWriter, PulledRun, paths};
use quintain_store::{Book, RunDir, StoreError};

use super::{Scratch, Shelf, new_run, plan, shelf};

async fn pull(run: &ArchivedRun, to: &Path) -> Result<PulledRun, StoreError> {
    run.pull(to, &mut |_progress| {}).await
}

/// An archive with a run that one worker played, and where it is pulled to.
async fn played() -> (Shelf, ArchivedRun, Scratch, std::path::PathBuf) {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    let scratch = Scratch::played(shelf.folder.path(), "w-s1");
    scratch.ship(&run, "w-s1").await;
    let to = shelf.folder.path().join("pulled");
    (shelf, run, scratch, to)
}

/// Checks that a pulled run says what was recorded.
pub(super) fn same(pulled: &RunDir, scratch: &Scratch) {
    assert_eq!(pulled.plan().unwrap(), plan(3));
    assert_eq!(pulled.attempts().unwrap(), scratch.run.attempts().unwrap());
    for place in &scratch.places {
        assert_eq!(pulled.read(place).unwrap(), scratch.run.read(place).unwrap());
    }
    let mut n_frames = 0;
    for entry in std::fs::read_dir(scratch.run.path().join("frames")).unwrap() {
        for file in std::fs::read_dir(entry.unwrap().path()).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            pulled.frames().verify(name.split('.').next().unwrap().parse().unwrap()).unwrap();
            n_frames += 1;
        }
    }
    assert!(n_frames >= 3);
    assert_eq!(pulled.blobs().get(Digest::of(b"a note")).unwrap().unwrap(), b"a note");
}

#[tokio::test]
async fn a_run_comes_back_as_it_was_played() {
    let (_shelf, run, scratch, to) = played().await;
    let mut seen = Vec::new();
    let pulled = run.pull(&to, &mut |progress| seen.push((progress.n_in, progress.n_packs))).await.unwrap();
    assert_eq!(seen, [(0, 3), (1, 3), (2, 3), (3, 3)]);
    assert_eq!((pulled.n_before, pulled.n_segments, pulled.missing.len()), (0, 1, 0));
    let opened = RunDir::open(&to).unwrap();
    assert_eq!(*opened.header(), crate::dial::header());
    same(&opened, &scratch);
}

#[tokio::test]
async fn a_pack_that_is_gone_or_damaged_costs_itself_and_comes_with_the_next_pull() {
    let (shelf, run, scratch, to) = played().await;
    let (pack, away) = (shelf.file("packs/w-s1-2.pack"), shelf.folder.path().join("away"));
    let whole = std::fs::read(&pack).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    std::fs::write(&pack, flipped).unwrap();
    let pulled = pull(&run, &to).await.unwrap();
    assert_eq!((pulled.progress.n_in, pulled.broken.len()), (2, 1));
    assert!(pulled.broken[0].to_string().starts_with("w-s1-2: "), "{}", pulled.broken[0]);
    assert_eq!(RunDir::open(&to).unwrap().attempts().unwrap().len(), 2);
    std::fs::rename(&pack, &away).unwrap();
    let pulled = pull(&run, &to).await.unwrap();
    assert!(pulled.broken[0].why.contains("is not in the archive"), "{}", pulled.broken[0]);
    std::fs::write(&away, whole).unwrap();
    // A killed process may leave half a line in the journal as well.
    let journal = to.join("pulled.jsonl");
    let told = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, format!("{told}{{\"pack\":{{\"na")).unwrap();
    std::fs::rename(&away, shelf.file("packs/w-s1-2.pack")).unwrap();
    let n_before = told.lines().count() - 1;
    let pulled = pull(&run, &to).await.unwrap();
    assert_eq!((pulled.n_before, pulled.progress.n_in), (n_before, 3));
    same(&RunDir::open(&to).unwrap(), &scratch);
}

#[tokio::test]
async fn a_run_that_has_grown_is_pulled_again() {
    let (shelf, run, scratch, to) = played().await;
    pull(&run, &to).await.unwrap();
    let more = Scratch::played(shelf.folder.path(), "v-s9");
    more.ship(&run, "v-s9").await;
    let pulled = pull(&run, &to).await.unwrap();
    assert_eq!((pulled.n_before, pulled.progress.n_in, pulled.n_segments), (3, 6, 2));
    let opened = RunDir::open(&to).unwrap();
    assert_eq!(opened.attempts().unwrap().len(), 6);
    assert_eq!(opened.read(&scratch.places[2]).unwrap(), scratch.run.read(&scratch.places[2]).unwrap());
}

#[tokio::test]
async fn what_was_not_pulled_is_not_overwritten() {
    let (_shelf, run, scratch, _to) = played().await;
    let error = pull(&run, scratch.run.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::AlreadyThere(_)), "{error}");
    assert_eq!(scratch.run.attempts().unwrap().len(), 3, "nothing was touched");
}

#[tokio::test]
async fn a_run_can_be_pulled_to_where_it_was_planned() {
    let (_shelf, run, scratch, to) = played().await;
    RunDir::create(&to, &crate::dial::header(), &plan(3)).unwrap();
    pull(&run, &to).await.unwrap();
    same(&RunDir::open(&to).unwrap(), &scratch);
}

#[tokio::test]
async fn a_segment_ends_where_the_last_pack_ends() {
    let (shelf, run, scratch, to) = played().await;
    std::fs::remove_file(shelf.file("packs/w-s1-2.json")).unwrap();
    let pulled = pull(&run, &to).await.unwrap();
    assert_eq!((pulled.progress.n_packs, pulled.missing.len()), (2, 0));
    let attempts = RunDir::open(&to).unwrap().attempts().unwrap();
    assert_eq!(attempts, scratch.run.attempts().unwrap()[..2]);
    assert!(attempts.iter().all(|attempt| attempt.finished && !attempt.torn));
}

#[tokio::test]
async fn half_a_line_is_cut_off() {
    let (_shelf, run, scratch, to) = played().await;
    let mut pack = PackWriter::new();
    let end = scratch.places[2].end;
    pack.lines(&format!("w-s1-0000:{end}-{}", end + 8).parse().unwrap(), b"{\"v\":1,\"").unwrap();
    let (bytes, manifest) = pack.finish();
    run.put_pack("w-s1-3", bytes, &manifest).await.unwrap();
    pull(&run, &to).await.unwrap();
    same(&RunDir::open(&to).unwrap(), &scratch);
}

#[tokio::test]
async fn lines_that_are_missing_in_the_middle_are_told_and_spoil_nothing_else() {
    let (shelf, run, scratch, to) = played().await;
    std::fs::remove_file(shelf.file("packs/w-s1-1.json")).unwrap();
    let pulled = pull(&run, &to).await.unwrap();
    assert_eq!(pulled.missing, scratch.places[1..2]);
    let opened = RunDir::open(&to).unwrap();
    let all = scratch.run.attempts().unwrap();
    assert_eq!(opened.attempts().unwrap(), [all[0].clone(), all[2].clone()]);
    assert_eq!(opened.read(&scratch.places[2]).unwrap(), scratch.run.read(&scratch.places[2]).unwrap());
}

#[tokio::test]
async fn what_was_mangled_is_not_taken() {
    let (shelf, run, _scratch, to) = played().await;
    let path = shelf.file("packs/w-s1-0.pack");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let why = pull(&run, &to).await.unwrap().broken[0].to_string();
    assert!(why.contains("not the one that its manifest speaks of"), "{why}");
}

#[tokio::test]
async fn a_picture_or_file_under_a_wrong_name_is_not_taken() {
    let (shelf, run, _scratch, to) = played().await;
    let wrong = Digest::of(b"something else");
    let (mut picture, mut file) = (PackWriter::new(), PackWriter::new());
    picture.frame(wrong, &png());
    file.blob(wrong, b"not that");
    for (name, pack) in [("w-s2-0", picture), ("w-s2-1", file)] {
        let (bytes, manifest) = pack.finish();
        run.put_pack(name, bytes, &manifest).await.unwrap();
        let why = pull(&run, &to).await.unwrap().broken[0].to_string();
        std::fs::remove_file(shelf.file(&paths::manifest(name).unwrap())).unwrap();
        assert!(why.contains("is not the one its name says"), "{why}");
    }
}

#[tokio::test]
async fn nobody_writes_in_the_record_of_another() {
    let (_shelf, run, scratch, to) = played().await;
    for (name, segment) in [("u-s1-0", "w-s1-0000:0-3"), ("w-s2-0", "w-s1-0000:0-3"), ("u-s1-1", "half-0-1:0-3")] {
        let mut pack = PackWriter::new();
        pack.lines(&segment.parse().unwrap(), b"{}\n").unwrap();
        let (bytes, manifest) = pack.finish();
        run.put_pack(name, bytes, &manifest).await.unwrap();
    }
    pull(&run, &to).await.unwrap();
    same(&RunDir::open(&to).unwrap(), &scratch);
}

fn png() -> Vec<u8> {
    quintain_png::encode(&quintain_core::Picture::filled(4, 4, [1, 2, 3])).unwrap()
}

#[tokio::test]
async fn an_upload_that_was_cut_off_leaves_nothing_and_is_done_again() {
    let (shelf, run, scratch, to) = played().await;
    let more = Scratch::played(shelf.folder.path(), "u-s1");
    let (bytes, manifest) = more.packs().remove(0);
    // What a writer leaves that dies while it writes, and one that dies before the manifest.
    std::fs::write(shelf.file("packs/u-s1-0.pack#1"), &bytes[..bytes.len() / 2]).unwrap();
    std::fs::write(shelf.file("packs/u-s1-1.pack"), &bytes).unwrap();
    assert_eq!(run.pack_names(None).await.unwrap().len(), 3);
    same_after_pull(&run, &to, &scratch).await;
    run.put_pack("u-s1-0", bytes.clone(), &manifest).await.unwrap();
    run.put_pack("u-s1-1", bytes.clone(), &manifest).await.unwrap();
    run.put_pack("u-s1-1", bytes.clone(), &manifest).await.unwrap();
    let (other, its) = PackWriter::new().finish();
    let why = run.put_pack("u-s1-1", other, &its).await.unwrap_err().to_string();
    assert!(why.contains("holds something else\nhint: two workers use one name"), "{why}");
    assert_eq!(run.pack("u-s1-1").await.unwrap(), bytes);
}

async fn same_after_pull(run: &ArchivedRun, to: &Path, scratch: &Scratch) {
    pull(run, to).await.unwrap();
    same(&RunDir::open(to).unwrap(), scratch);
}

/// Ships what a book has from a byte on, and returns where it ends.
async fn ship_book(run: &ArchivedRun, from: &RunDir, file: Book, (session, n): (&str, u32), start: u64) -> u64 {
    let lines = from.book_lines(file, start).unwrap();
    let end = start + lines.len() as u64;
    let mut pack = PackWriter::new();
    pack.book(BookPlace { file, session: session.to_owned(), start, end }, &lines).unwrap();
    for digest in from.take_fresh().blobs {
        pack.blob(digest, &std::fs::read(from.blob_file(digest)).unwrap());
    }
    let (bytes, manifest) = pack.finish();
    run.put_pack(&format!("{session}-{}{n}", file.file_name()), bytes, &manifest).await.unwrap();
    end
}

/// Writes a call that began and, where it is known what it cost, ended.
fn call(run: &RunDir, id: &str, cost_usd: Option<f64>) {
    let (books, id) = (run.books().unwrap(), id.to_owned());
    let (trial, model) = (Some(crate::dial::trial_id(0)), "chat/sim".to_owned());
    let began = CallLine::Began { id: id.clone(), trial, attempt: 1, step_idx: 0, purpose: Purpose::Act, model };
    books.write(&began).unwrap();
    if cost_usd.is_some() {
        let bill = Bill::Told(Usage { input_tokens: 10, cost_usd, ..Usage::default() });
        books.write(&CallLine::Ended { id, bill, failed: None, ms: 1 }).unwrap();
    }
}

/// The calls of a run in the order of its books: each line's id.
fn ids(run: &Path) -> String {
    let text = std::fs::read_to_string(run.join("calls.jsonl")).unwrap();
    let id = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_str().unwrap().to_owned();
    text.lines().map(id).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn the_books_of_all_sessions_come_back_once_however_often_they_are_pulled() {
    let (shelf, run, _scratch, to) = played().await;
    let header = crate::dial::header();
    let [first, second] = ["w-s1x0", "v-s2x0"]
        .map(|session| RunDir::create_as(session, &shelf.folder.path().join(session), &header).unwrap());
    call(&first, "a", Some(0.5));
    let end = ship_book(&run, &first, Book::Calls, ("w-s1x0", 0), 0).await;
    pull(&run, &to).await.unwrap();
    assert_eq!(ids(&to), "a a");
    call(&first, "b", None);
    ship_book(&run, &first, Book::Calls, ("w-s1x0", 1), end).await;
    call(&second, "c", Some(0.25));
    ship_book(&run, &second, Book::Calls, ("v-s2x0", 0), 0).await;
    for _ in 0..2 {
        pull(&run, &to).await.unwrap();
        assert_eq!(ids(&to), "c c a a b", "by session, then as they were written");
    }
    let calls = RunDir::open(&to).unwrap().calls().unwrap();
    assert_eq!((calls.totals.n_calls, calls.totals.n_unknown, calls.totals.cost_usd), (3, 1, 0.75));
    assert_eq!(calls.unknown[0].id, "b");
}

#[tokio::test]
async fn calls_that_were_made_where_a_run_was_pulled_to_stay_in_its_books() {
    let (shelf, run, _scratch, to) = played().await;
    let from = RunDir::create_as("w-s1x0", &shelf.folder.path().join("w-s1x0"), &crate::dial::header()).unwrap();
    call(&from, "a", Some(0.5));
    let end = ship_book(&run, &from, Book::Calls, ("w-s1x0", 0), 0).await;
    pull(&run, &to).await.unwrap();
    call(&RunDir::open(&to).unwrap(), "label-1", Some(0.1));
    pull(&run, &to).await.unwrap();
    call(&RunDir::open(&to).unwrap(), "label-2", Some(0.1));
    call(&from, "b", Some(0.5));
    ship_book(&run, &from, Book::Calls, ("w-s1x0", 1), end).await;
    pull(&run, &to).await.unwrap();
    assert_eq!(ids(&to), "a a b b label-1 label-1 label-2 label-2");
    // Whoever is killed after the old book was taken away has lost nothing.
    std::fs::remove_file(to.join("calls.jsonl")).unwrap();
    pull(&run, &to).await.unwrap();
    assert_eq!(ids(&to), "a a b b label-1 label-1 label-2 label-2");
}

#[tokio::test]
async fn lines_of_books_that_are_missing_are_told_and_count_as_nothing() {
    let (shelf, run, _scratch, to) = played().await;
    let from = RunDir::create_as("w-s1x0", &shelf.folder.path().join("w-s1x0"), &crate::dial::header()).unwrap();
    call(&from, "a", Some(0.5));
    let end = from.book_lines(Book::Calls, 0).unwrap().len() as u64;
    call(&from, "b", Some(0.25));
    ship_book(&run, &from, Book::Calls, ("w-s1x0", 1), end).await;
    let pulled = pull(&run, &to).await.unwrap();
    let missing: Vec<String> = pulled.missing.iter().map(ToString::to_string).collect();
    assert_eq!(missing, [format!("w-s1x0.calls.jsonl:0-{end}")]);
    let calls = RunDir::open(&to).unwrap().calls().unwrap();
    assert_eq!((calls.totals.n_calls, calls.totals.cost_usd, calls.n_torn), (1, 0.25, 0));
}

#[tokio::test]
async fn what_outside_agents_said_comes_back_with_the_files_that_hold_it() {
    let (shelf, run, _scratch, to) = played().await;
    let from = RunDir::create_as("w-s1x0", &shelf.folder.path().join("w-s1x0"), &crate::dial::header()).unwrap();
    let (trial, request, response) = (crate::dial::trial_id(0), b"question".as_slice(), b"answer".as_slice());
    let (call, path, status) = ("a", "/v1/messages", Some(200));
    let exchange = Exchange { call, trial: &trial, attempt: 1, path, status, request, response };
    from.exchange_book().keep(&exchange).unwrap();
    ship_book(&run, &from, Book::Exchanges, ("w-s1x0", 0), 0).await;
    for _ in 0..2 {
        pull(&run, &to).await.unwrap();
        let pulled = RunDir::open(&to).unwrap();
        let kept = pulled.exchanges().unwrap();
        assert_eq!(kept, from.exchanges().unwrap());
        assert_eq!(pulled.blobs().get(kept[0].response).unwrap().unwrap(), b"answer");
    }
}
