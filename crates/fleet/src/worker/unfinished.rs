//! Half-done trials: what is recorded of them is kept on the server as it grows, and found again by whoever goes on.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;
use quintain_runner::TrialPlayer;
use quintain_runner::engine::Lease;
use quintain_store::archive::paths::HALF;
use quintain_store::{LineRange, RunDir};
use serde::Deserialize;

use super::context::WorkerContext;
use super::holdings::{TrackedLease, UnderWay};
use super::shipper::Shipper;

/// Trials younger than this are sooner played again than kept.
const OLD_ENOUGH: Duration = Duration::from_secs(2);

/// As much goes into a message.
const MESSAGE: u64 = 512 << 10;

/// Keeps what is new of a trial that has been under way for a while. Pictures and files that it names go to the archive
/// first.
pub(super) fn keep(context: &WorkerContext<'_>, shipper: &Shipper<'_>, held: &Arc<TrackedLease>) {
    let under_way = held.under_way.lock().always().clone();
    let Some(under_way) = under_way.filter(|under_way| under_way.began.elapsed() >= OLD_ENOUGH) else { return };
    let Ok(lines) = new_lines(&under_way) else { return };
    if lines.is_empty() || held.is_lost() || shipper.ship_files(&context.engine.claim(&held.lease)).is_err() {
        return;
    }
    let kept_to = under_way.kept_to + lines.len() as u64;
    match context.block_on(context.engine.keep(&held.lease, lines)) {
        Ok(()) => {
            let mut now = held.under_way.lock().always();
            now.iter_mut().filter(|now| now.began == under_way.began).for_each(|now| now.kept_to = kept_to);
        }
        Err(error) => context.failed("keep what was recorded of a trial", &error),
    }
}

/// Keeps the rest of what was recorded of a trial that is put back, so that whoever takes it next goes on from there.
/// What cannot be kept has to be played again.
pub(super) fn keep_rest(context: &WorkerContext<'_>, held: &TrackedLease, place: &LineRange) {
    let Some(mut under_way) = held.under_way.lock().always().take() else { return };
    while under_way.kept_to < place.end
        && let Ok(mut lines) = new_lines(&under_way)
    {
        lines.truncate(usize::try_from(place.end - under_way.kept_to).unwrap_or(usize::MAX));
        if lines.is_empty() {
            return;
        }
        under_way.kept_to += lines.len() as u64;
        if let Err(error) = context.block_on(context.engine.keep(&held.lease, lines)) {
            return context.log(&format!("`{}` will be played again from its beginning: {error}", held.lease.unit));
        }
    }
}

/// The whole lines that follow those that were kept, as many as fit into a message. A line that is too large for one
/// ends the keeping.
fn new_lines(under_way: &UnderWay) -> io::Result<Vec<u8>> {
    let mut file = File::open(&under_way.file)?;
    file.seek(SeekFrom::Start(under_way.kept_to))?;
    let mut lines = Vec::new();
    file.take(MESSAGE).read_to_end(&mut lines)?;
    let end = lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline_idx| newline_idx + 1);
    lines.truncate(end);
    Ok(lines)
}

/// Where a trial that begins now will be recorded.
pub(super) fn begins((file, offset): (&std::path::Path, u64)) -> UnderWay {
    UnderWay { file: file.to_owned(), kept_to: offset, began: Instant::now() }
}

/// Takes in what others had recorded of a unit before this attempt, and returns whether there was anything.
pub(super) fn recall(context: &WorkerContext<'_>, site: &TrialPlayer<'_>, lease: &Lease) -> bool {
    if lease.attempt == 1 {
        return false;
    }
    let messages = match context.block_on(context.engine.half(lease)) {
        Ok(messages) => messages,
        Err(error) => {
            context.log(&format!("cannot look for what was recorded of `{}` before: {error}", lease.unit));
            return false;
        }
    };
    let attempts = by_attempt(&messages, lease);
    for (attempt, lines) in &attempts {
        let segment = format!("{HALF}{}-{attempt}", lease.key);
        if let Err(error) = site.recall(&segment, lines) {
            context.log(&format!("cannot go on from what was recorded of `{}` before: {error}", lease.unit));
            return false;
        }
    }
    !attempts.is_empty()
}

/// The lines of each earlier attempt, in order. What was kept twice, because nobody knew whether it had been, is there
/// once: no two lines of an attempt are the same.
fn by_attempt(messages: &[Vec<u8>], lease: &Lease) -> BTreeMap<u32, Vec<u8>> {
    #[derive(Deserialize)]
    struct AttemptHead {
        attempt: u32,
    }
    let (mut attempts, mut seen) = (BTreeMap::<u32, Vec<u8>>::new(), HashSet::new());
    for message in messages {
        let first = message.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if let Ok(AttemptHead { attempt }) = serde_json::from_slice(first)
            && attempt < lease.attempt
        {
            let lines = attempts.entry(attempt).or_default();
            let news = message.split_inclusive(|byte| *byte == b'\n').filter(|line| seen.insert((attempt, *line)));
            news.for_each(|line| lines.extend_from_slice(line));
        }
    }
    attempts
}

/// Where the lines of others stand that a record goes on from, those that they went on from included.
pub(super) fn gone_on_from(run: &RunDir, place: Option<&str>) -> Vec<LineRange> {
    let mut places: Vec<LineRange> = Vec::new();
    let mut next = place.and_then(|place| place.parse().ok());
    while let Some(place) = next {
        next = run.read(&place).ok().and_then(|record| record.continues).filter(|earlier| !places.contains(earlier));
        places.extend(next.clone());
    }
    places.retain(|place| place.segment.starts_with(HALF));
    places
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::super::holdings::lease;
    use super::*;

    #[test]
    fn only_whole_lines_are_kept() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"before\none\ntwo\nthr").unwrap();
        let mut under_way = begins((file.path(), 7));
        assert_eq!(new_lines(&under_way).unwrap(), b"one\ntwo\n");
        under_way.kept_to += 8;
        assert_eq!(new_lines(&under_way).unwrap(), b"");
        file.write_all(b"ee\n").unwrap();
        assert_eq!(new_lines(&under_way).unwrap(), b"three\n");
    }

    #[test]
    fn lines_are_told_apart_by_attempt_and_later_ones_left_out() {
        let lease = Lease { attempt: 3, ..lease(7) };
        let message = |attempt: u32, text: &str| format!("{{\"attempt\":{attempt},\"is\":\"{text}\"}}\n").into_bytes();
        let twice = [message(1, "c"), message(1, "d")].concat();
        let messages = [message(1, "a"), message(2, "b"), message(1, "c"), twice, message(3, "e"), b"broken".to_vec()];
        let attempts = by_attempt(&messages, &lease);
        let texts: Vec<String> =
            attempts.values().map(|lines| String::from_utf8_lossy(lines).replace('\n', " ")).collect();
        assert_eq!(
            texts,
            [r#"{"attempt":1,"is":"a"} {"attempt":1,"is":"c"} {"attempt":1,"is":"d"} "#, r#"{"attempt":2,"is":"b"} "#]
        );
    }
}
