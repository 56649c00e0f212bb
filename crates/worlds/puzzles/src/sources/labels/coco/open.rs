//! Reading a label file and finding its photographs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use quintain_core::digest::Digest;

use super::format::{Annotation, CocoFile, LabelImage, LabelOutline, WrittenLicence};
use super::{KEPT, LabelFile, LabelledPhoto, outline};
use crate::sources::photos::FolderError;
use crate::sources::photos::folder::PhotoFile;
use crate::sources::photos::shelf::PictureShelf;

/// A thing whose pixels are fewer than this share of the picture cannot be counted on to be seen.
const LEAST_SHARE: f64 = 1.0 / 5000.0;

/// Why a file cannot be a source of labels.
#[derive(Debug, thiserror::Error)]
pub enum LabelsError {
    /// It cannot be read.
    #[error("cannot read the label file `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no label file.
    #[error("`{}` is no label file in COCO or LVIS format: {why}", path.display())]
    NoLabels {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// None of its photographs is there.
    #[error(
        "none of the {n_images} photographs that `{}` names is there: they belong beside it or in `images` beside it",
        path.display()
    )]
    NoPhotos {
        /// The file.
        path: PathBuf,
        /// How many it names.
        n_images: usize,
    },
    /// A photograph cannot be used.
    #[error(transparent)]
    Photo(#[from] FolderError),
}

impl LabelFile {
    /// Opens a label file and the photographs it names, which lie beside it or in `images` beside it. Those that are not
    /// there are passed over.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LabelsError> {
        let path = path.as_ref();
        let unreadable = |source| LabelsError::Unreadable { path: path.to_owned(), source };
        let bytes = fs::read(path).map_err(unreadable)?;
        let written: CocoFile = serde_json::from_slice(&bytes)
            .map_err(|error| LabelsError::NoLabels { path: path.to_owned(), why: error.to_string() })?;
        let root = path.canonicalize().map_err(unreadable)?;
        let root = root.parent().unwrap_or(Path::new("/"));
        let n_images = written.images.len();
        let tells_gaps = written.images.iter().any(|image| image.neg_category_ids.is_some());
        let photos = CocoReading::of(path, &written).photos(root, &written.images)?;
        if photos.is_empty() {
            return Err(LabelsError::NoPhotos { path: path.to_owned(), n_images });
        }
        let file_name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let read = photos.iter().map(|photo| (photo.file.name.as_str(), &photo.file.digest.bytes()[..]));
        let digest = Digest::of_parts(std::iter::once(("labels", &bytes[..])).chain(read));
        Ok(Self { file_name, digest, tells_gaps, by_count: by_count(&photos), photos, shelf: PictureShelf::new(KEPT) })
    }
}

/// What is looked up while the photographs are gone through.
struct CocoReading<'a> {
    /// The label file.
    path: &'a Path,
    kinds: BTreeMap<i64, String>,
    licences: BTreeMap<i64, String>,
    annotations: BTreeMap<i64, Vec<&'a Annotation>>,
}

impl<'a> CocoReading<'a> {
    fn of(path: &'a Path, written: &'a CocoFile) -> Self {
        let mut annotations: BTreeMap<i64, Vec<&Annotation>> = BTreeMap::new();
        for annotation in &written.annotations {
            annotations.entry(annotation.image_id).or_default().push(annotation);
        }
        for list in annotations.values_mut() {
            list.sort_by_key(|annotation| annotation.id);
        }
        Self {
            path,
            kinds: written.categories.iter().map(|kind| (kind.id, spoken(&kind.name))).collect(),
            licences: written.licenses.iter().map(|licence| (licence.id, told(licence))).collect(),
            annotations,
        }
    }

    fn photos(&self, root: &Path, images: &[LabelImage]) -> Result<Vec<LabelledPhoto>, LabelsError> {
        let mut photos = Vec::new();
        for image in images {
            let Some(name) = name_below(root, image) else { continue };
            let file = PhotoFile::open(root, name)?;
            let licence = image.license.and_then(|id| self.licences.get(&id).cloned());
            let (width, height) = (image.width, image.height);
            photos.push(LabelledPhoto { file, width, height, licence, outlines: self.outlines(image)? });
        }
        photos.sort_by(|a, b| a.file.name.cmp(&b.file.name));
        photos.dedup_by(|a, b| a.file.name == b.file.name);
        Ok(photos)
    }

    /// The outlines of a photograph, without kinds that have gaps, crowds or specks.
    fn outlines(&self, image: &LabelImage) -> Result<Vec<(String, LabelOutline)>, LabelsError> {
        let annotations = self.annotations.get(&image.id).map_or(&[][..], Vec::as_slice);
        for annotation in annotations {
            check_size(annotation, image).map_err(|why| LabelsError::NoLabels { path: self.path.to_owned(), why })?;
        }
        let least = f64::from(image.width) * f64::from(image.height) * LEAST_SHARE;
        let measured = |annotation: &Annotation| outline::area(&annotation.segmentation, image.width, image.height);
        let is_speck = |annotation: &Annotation| annotation.area.unwrap_or_else(|| measured(annotation) as f64) < least;
        let unfit = annotations.iter().filter(|annotation| annotation.iscrowd != 0 || is_speck(annotation));
        let mut left_out: BTreeSet<i64> = unfit.map(|annotation| annotation.category_id).collect();
        left_out.extend(image.not_exhaustive_category_ids.iter().flatten());
        let kept = annotations.iter().filter(|annotation| !left_out.contains(&annotation.category_id));
        let kind = |annotation: &Annotation| self.kinds.get(&annotation.category_id).cloned();
        Ok(kept.filter_map(|kept| Some((kind(kept)?, kept.segmentation.clone()))).collect())
    }
}

/// Says so where runs of pixels are for another size than that of their picture.
fn check_size(annotation: &Annotation, image: &LabelImage) -> Result<(), String> {
    let LabelImage { width, height, .. } = image;
    match &annotation.segmentation {
        LabelOutline::Runs { size: [rows, columns], .. } if (columns, rows) != (width, height) => Err(format!(
            "the runs of annotation {} are for {columns}x{rows} pixels, but its picture has {width}x{height}",
            annotation.id
        )),
        _ => Ok(()),
    }
}

/// Where a photograph lies, as seen from the label file's folder.
fn name_below(root: &Path, image: &LabelImage) -> Option<String> {
    let address = image.coco_url.as_deref().unwrap_or_default();
    let last = |n: usize| address.rsplitn(n + 1, '/').take(n).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>();
    let by_address = [last(2).join("/"), last(1).join("/")];
    let names = image.file_name.iter().chain(&by_address).filter(|name| !name.is_empty() && !name.contains(".."));
    let places = names.flat_map(|name| [name.clone(), format!("images/{name}")]);
    places.into_iter().find(|place| Path::new(place).is_relative() && root.join(place).is_file())
}

/// A kind as one says it: `wine_glass` is a wine glass.
fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

fn told(licence: &WrittenLicence) -> String {
    if licence.url.is_empty() { licence.name.clone() } else { format!("{} ({})", licence.name, licence.url) }
}

/// For every number of things, the photographs and kinds that have so many.
fn by_count(photos: &[LabelledPhoto]) -> BTreeMap<usize, Vec<(usize, String)>> {
    let mut by_count: BTreeMap<usize, Vec<(usize, String)>> = BTreeMap::new();
    for (photo_idx, photo) in photos.iter().enumerate() {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (kind, _) in &photo.outlines {
            *counts.entry(kind).or_default() += 1;
        }
        for (kind, count) in counts {
            by_count.entry(count).or_default().push((photo_idx, kind.to_owned()));
        }
    }
    by_count
}
