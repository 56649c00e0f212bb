//! Demonstrations as rows with the pictures in them.

mod levels;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::facts::features;
use super::talk::{from, marked, path_of, role};
use super::{DemoFacts, Demonstration, PackedPicture, SolverReason, Speaker};
use crate::error::StoreError;
use crate::export::ProsePiece;
use levels::ShreddedColumn;

/// The columns, in order. `messages` is what TRL takes, `sharegpt` what LLaMA-Factory does; both go with `images`. What
/// `datasets` knows of a column counts only if all of it may be empty.
const SCHEMA: &str = "message demonstration {
    optional int64 n;
    optional binary id (STRING);
    optional binary task (STRING);
    optional binary preset (STRING);
    optional int64 seed;
    optional binary strategy (STRING);
    optional binary start (STRING);
    optional int32 turns;
    optional binary system (STRING);
    optional group messages (LIST) {
        repeated group list {
            optional group element {
                optional binary role (STRING);
                optional group content (LIST) {
                    repeated group list {
                        optional group element {
                            optional binary type (STRING);
                            optional binary text (STRING);
                        }
                    }
                }
            }
        }
    }
    optional group sharegpt (LIST) {
        repeated group list {
            optional group element {
                optional binary from (STRING);
                optional binary value (STRING);
            }
        }
    }
    optional group reasons (LIST) {
        repeated group list {
            optional group element {
                optional binary reason (STRING);
                optional binary origin (STRING);
            }
        }
    }
    optional group images (LIST) {
        repeated group list {
            optional group element {
                optional binary bytes;
                optional binary path (STRING);
            }
        }
    }
}";

/// A group of rows is written when its pictures come to so many bytes.
const GROUP_BYTES: usize = 32 << 20;
/// Pictures are told apart from those before them in their group, up to so many bytes.
const KNOWN_BYTES: usize = 64 << 20;

/// A Parquet file that is being written.
pub(super) struct DemoFile {
    path: PathBuf,
    writer: SerializedFileWriter<File>,
    group: Vec<DemoRow>,
    n_bytes: usize,
}

/// One demonstration, ready for the columns.
struct DemoRow {
    facts: DemoFacts,
    system: String,
    /// The system text first: `messages` alone is the whole conversation.
    messages: Vec<(&'static str, Vec<Option<String>>)>,
    sharegpt: Vec<(Speaker, String)>,
    images: Vec<(PackedPicture, String)>,
}

impl DemoFile {
    pub(super) fn create(file: File, path: &Path) -> std::result::Result<Self, StoreError> {
        let writer = writer(file).map_err(broken(path))?;
        Ok(Self { path: path.to_owned(), writer, group: Vec::new(), n_bytes: 0 })
    }

    pub(super) fn add(&mut self, demo: &Demonstration) -> std::result::Result<(), StoreError> {
        let row = DemoRow::of(demo);
        self.n_bytes += row.images.iter().map(|(png, _)| png.len()).sum::<usize>();
        self.group.push(row);
        if self.n_bytes >= GROUP_BYTES { self.write_group() } else { Ok(()) }
    }

    pub(super) fn close(mut self) -> std::result::Result<(), StoreError> {
        self.write_group()?;
        self.writer.close().map(drop).map_err(broken(&self.path))
    }

    fn write_group(&mut self) -> std::result::Result<(), StoreError> {
        let rows = std::mem::take(&mut self.group);
        self.n_bytes = 0;
        if rows.is_empty() {
            return Ok(());
        }
        let written = self.writer.next_row_group().and_then(|group| DemoColumns { group, rows: &rows }.write());
        written.map_err(broken(&self.path))
    }
}

fn broken(path: &Path) -> impl FnOnce(ParquetError) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::Malformed { path, why: format!("cannot be written: {error}") }
}

/// Pictures are packed already, so they are not packed again; the same picture in a group is stored once.
fn writer(file: File) -> Result<SerializedFileWriter<File>> {
    let bytes = || ColumnPath::new(["images", "list", "element", "bytes"].map(str::to_owned).to_vec());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("quintain".to_owned())
        .set_statistics_enabled(EnabledStatistics::None)
        .set_column_compression(bytes(), Compression::UNCOMPRESSED)
        .set_column_dictionary_page_size_limit(bytes(), KNOWN_BYTES)
        .set_key_value_metadata(Some(vec![KeyValue::new("huggingface".to_owned(), features())]))
        .build();
    SerializedFileWriter::new(file, Arc::new(parse_message_type(SCHEMA)?), Arc::new(properties))
}

impl DemoRow {
    fn of(demo: &Demonstration) -> Self {
        let link = |digest| path_of(digest, demo.packing);
        let (sharegpt, _) = marked(demo, &link);
        let part = |piece: &ProsePiece| match piece {
            ProsePiece::Text(text) => Some(text.clone()),
            ProsePiece::Picture(_) => None,
        };
        let system = ("system", vec![Some(demo.system.clone())]);
        let parts = demo.messages.iter().map(|said| (role(said.speaker), said.pieces.iter().map(part).collect()));
        let shown = demo.messages.iter().flat_map(|message| &message.pieces).filter_map(|piece| match piece {
            ProsePiece::Picture(digest) => demo.pictures.iter().find(|(name, _)| name == digest),
            ProsePiece::Text(_) => None,
        });
        Self {
            facts: demo.facts.clone(),
            system: demo.system.clone(),
            messages: std::iter::once(system).chain(parts).collect(),
            sharegpt,
            images: shown.map(|(digest, png)| (Arc::clone(png), link(*digest))).collect(),
        }
    }
}

impl DemoRow {
    /// One for each turn, where there are any.
    fn reasons(&self) -> impl Iterator<Item = Option<&SolverReason>> {
        let n_turns = if self.facts.reasons.is_empty() { 0 } else { self.facts.turns };
        (0..n_turns).map(|turn| self.facts.reasons.iter().find(|reason| reason.turn == turn))
    }
}

/// The columns of one group of rows, written in the order of the schema.
struct DemoColumns<'a, 'rows> {
    group: SerializedRowGroupWriter<'a, File>,
    rows: &'rows [DemoRow],
}

impl DemoColumns<'_, '_> {
    fn write(mut self) -> Result<()> {
        self.column::<Int64Type>(|row| Some(row.facts.n as i64))?;
        self.text(|row| row.facts.instance.to_string())?;
        self.text(|row| row.facts.instance.task.to_string())?;
        self.column::<ByteArrayType>(|row| row.facts.instance.pick.preset.as_deref().map(ByteArray::from))?;
        self.column::<Int64Type>(|row| row.facts.instance.pick.seed.map(|seed| seed as i64))?;
        self.column::<ByteArrayType>(|row| row.facts.strategy.as_deref().map(ByteArray::from))?;
        self.text(|row| row.facts.start.to_string())?;
        self.column::<Int32Type>(|row| Some(row.facts.turns as i32))?;
        self.text(|row| row.system.clone())?;
        self.list(|row| row.messages.iter().map(|(role, _)| (*role).into()).collect())?;
        self.nested(|part| Some(if part.is_some() { "text" } else { "image" }.into()))?;
        self.nested(|part| part.as_deref().map(ByteArray::from))?;
        self.list(|row| row.sharegpt.iter().map(|(speaker, _)| from(*speaker).into()).collect())?;
        self.list(|row| row.sharegpt.iter().map(|(_, value)| value.as_str().into()).collect())?;
        self.list(|row| row.reasons().map(|reason| reason.map_or("", |said| said.reason.as_str()).into()).collect())?;
        self.list(|row| row.reasons().map(|reason| reason.map_or("", |_| "solver").into()).collect())?;
        self.list(|row| row.images.iter().map(|(png, _)| ByteArray::from(png.to_vec())).collect())?;
        self.list(|row| row.images.iter().map(|(_, path)| path.as_str().into()).collect())?;
        self.group.close().map(drop)
    }

    fn text(&mut self, of: impl Fn(&DemoRow) -> String) -> Result<()> {
        self.column::<ByteArrayType>(|row| Some(ByteArray::from(of(row).into_bytes())))
    }

    /// At most one cell a row.
    fn column<T: DataType>(&mut self, of: impl Fn(&DemoRow) -> Option<T::T>) -> Result<()> {
        let cells: Vec<Option<T::T>> = self.rows.iter().map(of).collect();
        self.put::<T>(ShreddedColumn::of_cells(cells))
    }

    /// Any number of cells a row.
    fn list(&mut self, of: impl Fn(&DemoRow) -> Vec<ByteArray>) -> Result<()> {
        let rows: Vec<Vec<ByteArray>> = self.rows.iter().map(of).collect();
        self.put::<ByteArrayType>(ShreddedColumn::of_lists(rows))
    }

    /// Any number of cells, which may be empty, for each of any number of messages.
    fn nested(&mut self, of: impl Fn(&Option<String>) -> Option<ByteArray>) -> Result<()> {
        let row = |row: &DemoRow| row.messages.iter().map(|(_, parts)| parts.iter().map(&of).collect()).collect();
        let rows: Vec<Vec<Vec<Option<ByteArray>>>> = self.rows.iter().map(row).collect();
        self.put::<ByteArrayType>(ShreddedColumn::of_nested(rows))
    }

    fn put<T: DataType>(&mut self, shredded: ShreddedColumn<T::T>) -> Result<()> {
        let mut column = self.group.next_column()?.expect("no more columns are written than the schema has");
        let ShreddedColumn { values, depths, repeats } = shredded;
        column.typed::<T>().write_batch(&values, Some(&depths), repeats.as_deref())?;
        column.close()
    }
}
