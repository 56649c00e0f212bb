//! The trials that a page lets one step through, with their pictures, within the bytes that it may take.
//!
//! The record keeps every picture without loss; a page that held them all would open nowhere. So drawn pictures stay as they
//! are, photographs become small JPEG files, as large as the page's bytes allow, and that is said.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::{Digest, Picture, TrialId};
use quintain_png::{encode_jpeg, encode_webp};
use quintain_report::{PagePicture, step_size};
use quintain_runner::map_parallel;
use quintain_store::{AttemptRecord, RunDir};

/// What photographs are tried with, from the best to the least.
const FORMS: [PhotoForm; 9] = [
    PhotoForm::AsShown,
    PhotoForm::Scaled { side: 1280, quality: 70 },
    PhotoForm::Scaled { side: 800, quality: 60 },
    PhotoForm::Scaled { side: 560, quality: 50 },
    PhotoForm::Scaled { side: 420, quality: 40 },
    PhotoForm::Scaled { side: 360, quality: 30 },
    PhotoForm::Scaled { side: 320, quality: 25 },
    PhotoForm::Scaled { side: 280, quality: 20 },
    PhotoForm::Scaled { side: 200, quality: 15 },
];

const WEBP: &str = "image/webp";
const JPEG: &str = "image/jpeg";

/// A picture of so few colours was drawn: without loss it is smaller than with.
const FEW_COLOURS: usize = 256;

/// So many pictures are packed to find out how large all may be.
const N_TRIED: usize = 24;

/// The trials that can be stepped through, and the pictures they name.
#[derive(Default)]
pub(super) struct TrialAlbum {
    pub(super) records: BTreeMap<TrialId, AttemptRecord>,
    named: Vec<Digest>,
    known: BTreeSet<Digest>,
    /// What the steps take in a page, besides the pictures.
    pub(super) n_step_bytes: usize,
}

/// How a photograph is packed.
#[derive(Clone, Copy)]
enum PhotoForm {
    /// Without loss.
    AsShown,
    /// As JPEG with this longest side; the quality says how true it stays, of 100.
    Scaled { side: u32, quality: u8 },
}

/// The pictures of a page.
pub(super) struct PagePictures {
    pub(super) pictures: BTreeMap<Digest, PagePicture>,
    /// How they differ from those that were shown, where they do.
    pub(super) note: Option<String>,
}

impl TrialAlbum {
    /// Adds a trial, unless its steps are more than a page may hold of them.
    pub(super) fn add(&mut self, record: AttemptRecord, most_step_bytes: usize) {
        let steps = record.steps();
        let n_bytes: usize = steps.iter().map(step_size).sum();
        if self.n_step_bytes + n_bytes > most_step_bytes {
            return;
        }
        self.n_step_bytes += n_bytes;
        let shown = steps.iter().flat_map(|step| step.shown.pictures.values().copied());
        for digest in shown.chain(record.evidence().and_then(|evidence| evidence.screen)) {
            if self.known.insert(digest) {
                self.named.push(digest);
            }
        }
        self.records.insert(record.trial.clone(), record);
    }

    /// The pictures, as true as the bytes allow; those of the first trials come first, should even the least be too much.
    pub(super) fn pictures(&self, run: &RunDir, most_bytes: usize) -> anyhow::Result<PagePictures> {
        let form = self.best_form(run, most_bytes)?;
        let packed = map_parallel(&self.named, |digest| packed(run, *digest, form));
        let (mut pictures, mut n_bytes, mut is_smaller) = (BTreeMap::new(), 0, false);
        for (digest, picture) in self.named.iter().zip(packed) {
            let Some(picture) = picture? else { continue };
            n_bytes += base64_len(picture.bytes.len());
            if n_bytes > most_bytes {
                break;
            }
            is_smaller |= picture.media == JPEG;
            pictures.insert(*digest, picture);
        }
        let note = match form {
            PhotoForm::Scaled { side, .. } if is_smaller => Some(format!(
                "Photographs are JPEG of at most {side} pixels here; the record has every picture as it was shown."
            )),
            _ => None,
        };
        Ok(PagePictures { pictures, note })
    }

    /// The best form with which all pictures should fit, by a sample of them.
    fn best_form(&self, run: &RunDir, most_bytes: usize) -> anyhow::Result<PhotoForm> {
        let stride = self.named.len().div_ceil(N_TRIED).max(1);
        let mut tried = Vec::new();
        for digest in self.named.iter().step_by(stride) {
            tried.extend(run.picture(*digest)?);
        }
        for form in FORMS {
            let sizes = map_parallel(&tried, |picture| small(picture, form));
            let mut n_bytes = 0;
            for picture in sizes {
                n_bytes += base64_len(picture?.bytes.len());
            }
            // A twentieth is left for what the sample did not show.
            if n_bytes as f64 * self.named.len() as f64 / tried.len().max(1) as f64 * 1.05 <= most_bytes as f64 {
                return Ok(form);
            }
        }
        Ok(FORMS[FORMS.len() - 1])
    }
}

fn packed(run: &RunDir, digest: Digest, form: PhotoForm) -> anyhow::Result<Option<PagePicture>> {
    run.picture(digest)?.map(|picture| small(&picture, form)).transpose()
}

fn small(picture: &Picture, form: PhotoForm) -> anyhow::Result<PagePicture> {
    let (media, packed) = match form {
        PhotoForm::Scaled { side, quality } if !has_few_colours(picture) => (JPEG, encode_jpeg(picture, side, quality)),
        _ => (WEBP, encode_webp(picture)),
    };
    Ok(PagePicture { media, bytes: packed.map_err(anyhow::Error::msg)?, width: picture.width() })
}

fn has_few_colours(picture: &Picture) -> bool {
    let mut colours = BTreeSet::new();
    let mut last = None;
    picture.rgba().chunks_exact(4).all(|pixel| {
        if last != Some(pixel) {
            last = Some(pixel);
            colours.insert(pixel);
        }
        colours.len() <= FEW_COLOURS
    })
}

fn base64_len(n_bytes: usize) -> usize {
    n_bytes.div_ceil(3) * 4 + 32
}
