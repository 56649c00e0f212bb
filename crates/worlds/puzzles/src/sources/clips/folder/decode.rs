//! Sampling the frames of a clip with `ffmpeg`.

use std::ffi::OsStr;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};

use quintain_core::picture::Picture;

use super::open::ClipsError;

/// Frames that are looked at in a second of a clip.
const PER_SECOND: u32 = 12;
/// Seconds of a clip that are looked at: the first ones.
const MOST_SECONDS: u32 = 60;
/// Frames of a clip that are kept, at most. A longer clip is sampled more sparsely, always evenly.
const MOST_FRAMES: usize = 64;
/// How many characters of what ffmpeg says are told.
const TOLD: usize = 300;

/// The program `ffmpeg`, where it is installed.
pub fn find_ffmpeg() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("ffmpeg")).find(|program| program.is_file())
}

/// Evenly spaced frames of a clip, square, three bytes a pixel. Bars fill what the clip leaves open.
pub(super) struct Sampled {
    side: u32,
    frames: Vec<Vec<u8>>,
}

impl Sampled {
    /// The number of the last frame.
    pub(super) fn last(&self) -> u32 {
        self.frames.len().saturating_sub(1) as u32
    }

    /// A frame by its number.
    pub(super) fn frame(&self, moment: u32) -> Option<Picture> {
        let rgb = self.frames.get(moment as usize)?;
        let rgba = rgb.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
        Picture::from_rgba(self.side, self.side, rgba)
    }
}

/// Samples a clip.
pub(super) fn sample(ffmpeg: &Path, clip: &Path, side: u32) -> Result<Sampled, ClipsError> {
    let cannot_run = |source| ClipsError::NoFfmpeg { source };
    let mut child = command(ffmpeg, clip, side).spawn().map_err(cannot_run)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // What it says is read beside its frames, so that neither waits for the other.
    let (frames, said) = std::thread::scope(|scope| {
        let said = scope.spawn(|| {
            let mut said = Vec::new();
            let read = stderr.map(|mut stderr| stderr.read_to_end(&mut said));
            read.and_then(Result::ok).map(|_| String::from_utf8_lossy(&said).into_owned()).unwrap_or_default()
        });
        let frames = stdout.map_or(Ok(Vec::new()), |stdout| evenly(stdout, (side * side * 3) as usize));
        (frames, said.join().unwrap_or_default())
    });
    let status = child.wait().map_err(cannot_run)?;
    let frames = frames.map_err(|source| ClipsError::Unreadable { path: clip.to_owned(), source })?;
    if status.success() && !frames.is_empty() {
        return Ok(Sampled { side, frames });
    }
    let why =
        if said.trim().is_empty() { "it shows nothing".to_owned() } else { said.trim().chars().take(TOLD).collect() };
    Err(ClipsError::NoClip { path: clip.to_owned(), why })
}

fn command(ffmpeg: &Path, clip: &Path, side: u32) -> Command {
    let fitted = format!(
        "fps={PER_SECOND},scale={side}:{side}:force_original_aspect_ratio=decrease:flags=area+accurate_rnd+bitexact,\
         pad={side}:{side}:-1:-1:color=0xFAFAF7,format=rgb24"
    );
    let mut command = Command::new(ffmpeg);
    command.args(["-v", "error", "-nostdin", "-i"]).arg(clip);
    command.args(
        ["-map", "0:v:0", "-t", &MOST_SECONDS.to_string(), "-vf", &fitted, "-f", "rawvideo", "-"].map(OsStr::new),
    );
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Reads frames to the end and keeps evenly spaced ones: whenever there are too many, every other one is dropped, and
/// of those to come only every other is kept.
fn evenly(mut stdout: ChildStdout, frame_len: usize) -> std::io::Result<Vec<Vec<u8>>> {
    let (mut kept, mut every) = (Vec::new(), 1);
    for idx in 0.. {
        let mut frame = vec![0; frame_len];
        match stdout.read_exact(&mut frame) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
        if idx % every != 0 {
            continue;
        }
        if kept.len() == MOST_FRAMES {
            kept = kept.into_iter().step_by(2).collect();
            every *= 2;
            if idx % every != 0 {
                continue;
            }
        }
        kept.push(frame);
    }
    Ok(kept)
}
