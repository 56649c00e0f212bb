//! Task files that somebody's editor, disk or cat has been at: problems are reported, nothing panics.
//! `QUINTAIN_FULL=1` mangles a hundred thousand (`just mangled`).

use quintain_core::{Pick, Rng, Task, variables};

use crate::dial::{TASK, files};

const N_THREADS: u64 = 4;

#[test]
fn mangled_task_files_are_survived() {
    let n_files = if std::env::var_os(variables::FULL).is_some() { 100_000 } else { 20_000 };
    let counts: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..N_THREADS).map(|thread_idx| scope.spawn(move || survive(n_files / N_THREADS, thread_idx))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let n_sound: u64 = counts.iter().map(|(sound, _)| sound).sum();
    let n_broken: u64 = counts.iter().map(|(_, broken)| broken).sum();
    assert_eq!(n_sound + n_broken, n_files);
    assert!(
        n_sound * 100 > n_files && n_broken * 100 > n_files,
        "{n_sound} sound, {n_broken} broken: the mangling misses its aim"
    );
}

fn survive(n_files: u64, thread_idx: u64) -> (u64, u64) {
    let mut rng = Rng::for_purpose(thread_idx, "mangled tasks");
    let mut files = files();
    let (mut n_sound, mut n_broken) = (0, 0);
    for _ in 0..n_files {
        files.insert("task.toml".to_owned(), mangled(&mut rng));
        match Task::from_files("test", &files) {
            Ok(task) => {
                n_sound += 1;
                use_it(&task);
            }
            Err(problems) => {
                n_broken += 1;
                assert!(!problems.0.is_empty());
                assert!(!problems.to_string().is_empty());
            }
        }
    }
    (n_sound, n_broken)
}

/// A task that was read can be used.
fn use_it(task: &Task) {
    for pick in task.picks(&[0, u64::MAX]).into_iter().chain([Pick::default()]) {
        task.parameters(&pick);
        task.limits(&pick);
        task.chance(&pick);
    }
}

fn mangled(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = TASK.as_bytes().to_vec();
    for _ in 0..rng.between(1, 4) {
        match rng.between(0, 5) {
            0 => flip(&mut bytes, rng),
            1 => delete(&mut bytes, rng),
            2 => duplicate(&mut bytes, rng),
            3 => swap_lines(&mut bytes, rng),
            4 => drop_line(&mut bytes, rng),
            _ => replace_number(&mut bytes, rng),
        }
    }
    bytes
}

fn range(bytes: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.between(0, bytes.len() as i64) as usize;
    let len = rng.between(0, 40) as usize;
    start..(start + len).min(bytes.len())
}

fn flip(bytes: &mut [u8], rng: &mut Rng) {
    if !bytes.is_empty() {
        let idx = rng.between(0, bytes.len() as i64 - 1) as usize;
        bytes[idx] ^= 1 << rng.between(0, 7);
    }
}

fn delete(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let range = range(bytes, rng);
    bytes.drain(range);
}

fn duplicate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let range = range(bytes, rng);
    let piece = bytes[range.clone()].to_vec();
    bytes.splice(range.start..range.start, piece);
}

fn swap_lines(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let last = lines.len() as i64 - 1;
    lines.swap(rng.between(0, last) as usize, rng.between(0, last) as usize);
    *bytes = lines.join(&b'\n');
}

fn drop_line(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    lines.remove(rng.between(0, lines.len() as i64 - 1) as usize);
    *bytes = lines.join(&b'\n');
}

/// Numbers are where a reader's arithmetic can go wrong.
fn replace_number(bytes: &mut Vec<u8>, rng: &mut Rng) {
    const NUMBERS: [&str; 10] = [
        "-1",
        "0",
        "nan",
        "inf",
        "-inf",
        "1e308",
        "-1e-320",
        "9223372036854775807",
        "-9223372036854775808",
        "4294967296",
    ];
    let digits: Vec<usize> = (0..bytes.len()).filter(|idx| bytes[*idx].is_ascii_digit()).collect();
    if !digits.is_empty() {
        let idx = *rng.choose(&digits);
        bytes.splice(idx..=idx, rng.choose(&NUMBERS).bytes());
    }
}
