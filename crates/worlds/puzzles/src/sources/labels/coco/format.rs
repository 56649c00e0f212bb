//! The label file as it is written.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A whole file. What is not read here is passed over.
#[derive(Deserialize)]
pub(super) struct CocoFile {
    #[serde(default)]
    pub(super) licenses: Vec<WrittenLicence>,
    pub(super) categories: Vec<LabelCategory>,
    pub(super) images: Vec<LabelImage>,
    pub(super) annotations: Vec<Annotation>,
}

#[derive(Deserialize)]
pub(super) struct WrittenLicence {
    pub(super) id: i64,
    pub(super) name: String,
    #[serde(default)]
    pub(super) url: String,
}

#[derive(Deserialize)]
pub(super) struct LabelCategory {
    pub(super) id: i64,
    pub(super) name: String,
}

/// A photograph. COCO names its file, LVIS its address.
#[derive(Deserialize)]
pub(super) struct LabelImage {
    pub(super) id: i64,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) file_name: Option<String>,
    pub(super) coco_url: Option<String>,
    pub(super) license: Option<i64>,
    /// Only LVIS has these two.
    pub(super) not_exhaustive_category_ids: Option<BTreeSet<i64>>,
    pub(super) neg_category_ids: Option<Vec<i64>>,
}

/// An outlined thing.
#[derive(Deserialize)]
pub(super) struct Annotation {
    pub(super) id: i64,
    pub(super) image_id: i64,
    pub(super) category_id: i64,
    #[serde(default)]
    pub(super) iscrowd: u8,
    /// How many pixels it covers.
    pub(super) area: Option<f64>,
    pub(super) segmentation: LabelOutline,
}

/// An outline: polygons, or runs of pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LabelOutline {
    /// Corners, across and down in turn; the thing is all that lies in any of them.
    Polygons(Vec<Vec<f64>>),
    /// Lengths of runs, column by column, of pixels outside and inside in turn, for a size of rows and columns.
    Runs { size: [u32; 2], counts: Vec<u32> },
}

impl<'de> Deserialize<'de> for LabelOutline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OutlineVisitor)
    }
}

struct OutlineVisitor;

impl<'de> Visitor<'de> for OutlineVisitor {
    type Value = LabelOutline;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of polygons or an object of `size` and `counts`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<LabelOutline, A::Error> {
        let mut polygons = Vec::new();
        while let Some(polygon) = seq.next_element()? {
            polygons.push(polygon);
        }
        Ok(LabelOutline::Polygons(polygons))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LabelOutline, A::Error> {
        #[derive(Deserialize)]
        struct PixelRuns {
            size: [u32; 2],
            counts: RunLengths,
        }
        let PixelRuns { size, counts } = PixelRuns::deserialize(MapAccessDeserializer::new(map))?;
        Ok(LabelOutline::Runs { size, counts: counts.0 })
    }
}

/// Lengths of runs, as numbers or packed into letters.
struct RunLengths(Vec<u32>);

impl<'de> Deserialize<'de> for RunLengths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CountsVisitor)
    }
}

struct CountsVisitor;

impl<'de> Visitor<'de> for CountsVisitor {
    type Value = RunLengths;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of run lengths or a packed text of them")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RunLengths, A::Error> {
        let mut counts = Vec::new();
        while let Some(count) = seq.next_element()? {
            counts.push(count);
        }
        Ok(RunLengths(counts))
    }

    fn visit_str<E: serde::de::Error>(self, packed: &str) -> Result<RunLengths, E> {
        unpacked(packed)
            .map(RunLengths)
            .ok_or_else(|| E::custom(format!("the run lengths `{packed}` cannot be unpacked")))
    }
}

/// Unpacks run lengths: each letter holds five bits, lowest first, and whether more follow; from the third run on, what is
/// written is the difference from the run before the last.
pub(super) fn unpacked(packed: &str) -> Option<Vec<u32>> {
    let mut counts: Vec<i64> = Vec::new();
    let mut letters = packed.bytes();
    while let Some(first) = letters.next() {
        let (mut value, mut shift, mut letter) = (0_i64, 0, first);
        loop {
            let bits = i64::from(letter.checked_sub(48)?);
            value |= (bits & 31).checked_shl(shift).filter(|_| shift < 60)?;
            shift += 5;
            if bits & 32 == 0 {
                if bits & 16 != 0 {
                    value |= -1 << shift;
                }
                break;
            }
            letter = letters.next()?;
        }
        let before = if counts.len() > 2 { counts[counts.len() - 2] } else { 0 };
        counts.push(value + before);
    }
    counts.into_iter().map(|count| u32::try_from(count).ok()).collect()
}
