//! What puzzles bring: the world, the check `puzzle-goal`, what instances are made of, the strategies of the solvers.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_core::offering::{AppOffered, BrokenSource, BrokenSources, CodeDigests, Offering, WorldSource};

use crate::entry::PuzzleEntry;
use crate::goal::PuzzleGoal;
use crate::kind::{ALL, Puzzles};
use crate::sources::MaterialSources;
use crate::sources::clips::{ClipFolder, find_ffmpeg};
use crate::sources::labels::LabelFile;
use crate::sources::meshes::MeshFolder;
use crate::sources::photos::PhotoFolder;
use crate::world::DOCUMENT;

/// The code of this crate. Puzzles of other crates rest on what is shared in it.
pub static CODE: CodeDigests = include!(concat!(env!("OUT_DIR"), "/code.rs"));

/// Where the user has things that puzzles can be made of; what is not named is generated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePaths {
    /// A folder of photographs.
    pub photos: Option<PathBuf>,
    /// A file of labels, with its photographs beside it.
    pub labels: Option<PathBuf>,
    /// A folder of clips.
    pub clips: Option<PathBuf>,
    /// A folder of meshes.
    pub meshes: Option<PathBuf>,
}

/// The puzzles of this crate, made of what these places give.
pub fn offering(paths: &SourcePaths) -> Result<Offering, BrokenSources> {
    let mut sources = MaterialSources::default();
    let told = vec![
        photos(paths.photos.as_deref(), &mut sources),
        labels(paths.labels.as_deref(), &mut sources),
        clips(paths.clips.as_deref(), &mut sources),
        meshes(paths.meshes.as_deref(), &mut sources),
    ];
    let told = BrokenSources::check(told)?;
    Ok(Offering {
        checks: vec![Arc::new(PuzzleGoal::default())],
        sources: told,
        ..of_entries(Puzzles::from_sources(sources), ALL, &CODE)
    })
}

/// What every kind of world brings that holds puzzles. Their modules are called as they are, with underscores.
pub fn of_entries(world: Puzzles, entries: &'static [PuzzleEntry], code: &CodeDigests) -> Offering {
    let own = |entry: &PuzzleEntry| code.of(&entry.name().replace('-', "_"));
    let app = |entry: &PuzzleEntry| AppOffered { name: entry.name(), strategies: entry.strategies(), code: own(entry) };
    Offering {
        code: Some(code.shared()),
        apps: entries.iter().map(app).collect(),
        document: |_task| DOCUMENT.to_owned(),
        ..Offering::of(Arc::new(world))
    }
}

fn photos(path: Option<&Path>, sources: &mut MaterialSources) -> WorldSource {
    let name = "photographs";
    let opened = path.map(|path| (path, PhotoFolder::open(path)));
    let (from, opened) = match opened {
        None => ("generated scenes", Ok("generated scenes".to_owned())),
        Some((path, Ok(folder))) => {
            sources.photos = Arc::new(folder);
            ("a folder", Ok(path.display().to_string()))
        }
        Some((path, Err(why))) => ("a folder", Err(broken(name, path, why))),
    };
    WorldSource { name, from, opened, mend: "point --photos at a folder of JPEG or PNG files" }
}

fn labels(path: Option<&Path>, sources: &mut MaterialSources) -> WorldSource {
    let name = "labels";
    let opened = path.map(|path| (path, LabelFile::open(path)));
    let (from, opened) = match opened {
        None => ("generated pictures", Ok("generated pictures".to_owned())),
        Some((_, Ok(file))) => {
            let told = content_of(&file);
            sources.labels = Arc::new(file);
            ("a file", Ok(told))
        }
        Some((path, Err(why))) => ("a file", Err(broken(name, path, why))),
    };
    let mend = "point --labels at a file in COCO or LVIS format, with its photographs beside it";
    WorldSource { name, from, opened, mend }
}

/// What a label file holds, and under which licences.
fn content_of(file: &LabelFile) -> String {
    let licences: Vec<String> = file.licences().iter().map(|(licence, n)| format!("{n} under {licence}")).collect();
    format!("{} photographs, {} things; {}", file.n_photos(), file.n_things(), licences.join(", "))
}

fn clips(path: Option<&Path>, sources: &mut MaterialSources) -> WorldSource {
    let name = "clips";
    let opened = path.map(|path| (path, ClipFolder::open(path)));
    let (from, opened) = match opened {
        None => ("generated happenings", Ok(generated_clips())),
        Some((path, Ok(folder))) => {
            sources.clips = Arc::new(folder);
            ("a folder", Ok(path.display().to_string()))
        }
        Some((path, Err(why))) => ("a folder", Err(broken(name, path, why))),
    };
    let mend = "point --clips at a folder of video files, and install ffmpeg (apt install ffmpeg)";
    WorldSource { name, from, opened, mend }
}

fn generated_clips() -> String {
    match find_ffmpeg() {
        Some(ffmpeg) => format!("generated happenings ({} for your own)", ffmpeg.display()),
        None => "generated happenings (your own need the program ffmpeg: apt install ffmpeg)".to_owned(),
    }
}

fn meshes(path: Option<&Path>, sources: &mut MaterialSources) -> WorldSource {
    let name = "meshes";
    let opened = path.map(|path| (path, MeshFolder::open(path)));
    let (from, opened) = match opened {
        None => ("generated toys", Ok("generated toys".to_owned())),
        Some((path, Ok(folder))) => {
            sources.meshes = Arc::new(folder);
            ("a folder", Ok(path.display().to_string()))
        }
        Some((path, Err(why))) => ("a folder", Err(broken(name, path, why))),
    };
    WorldSource { name, from, opened, mend: "point --meshes at a folder of OBJ or glTF files" }
}

fn broken(name: &'static str, path: &Path, why: impl Error + Send + Sync + 'static) -> BrokenSource {
    BrokenSource { name, place: path.display().to_string(), why: Arc::new(why) }
}
