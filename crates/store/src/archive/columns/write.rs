//! Writing columns.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::super::outcomes::OutcomeRow;
use super::{LAST_SEQ_KEY, SCHEMA, VERSION, VERSION_KEY};

/// Packs rows. The same rows always give the same bytes.
pub(crate) fn encode(rows: &[OutcomeRow]) -> Result<Vec<u8>> {
    let last_seq = rows.last().map_or(0, |row| row.seq);
    let said = [(VERSION_KEY, VERSION.to_string()), (LAST_SEQ_KEY, last_seq.to_string())];
    let said = said.map(|(key, value)| KeyValue::new(key.to_owned(), value));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("quintain".to_owned())
        .set_key_value_metadata(Some(said.to_vec()))
        .build();
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    ArchiveColumns { group: writer.next_row_group()?, rows }.write()?;
    writer.into_inner()
}

/// The columns of one group of rows, written in the order of the schema.
struct ArchiveColumns<'a, 'rows, W: Write> {
    group: SerializedRowGroupWriter<'a, W>,
    rows: &'rows [OutcomeRow],
}

impl<W: Write + Send> ArchiveColumns<'_, '_, W> {
    fn write(mut self) -> Result<()> {
        self.required::<Int64Type>(|row| row.seq as i64)?;
        self.required::<Int32Type>(|row| row.idx as i32)?;
        self.text(|row| row.trial.to_string())?;
        self.text(|row| row.trial.instance.task.suite().to_owned())?;
        self.text(|row| row.trial.instance.task.to_string())?;
        self.optional::<ByteArrayType>(|row| row.trial.instance.pick.preset.as_deref().map(ByteArray::from))?;
        self.optional::<Int64Type>(|row| row.trial.instance.pick.seed.map(|seed| seed as i64))?;
        self.text(|row| row.trial.agent.clone())?;
        self.required::<Int32Type>(|row| row.trial.repeat as i32)?;
        self.required::<Int32Type>(|row| row.attempt as i32)?;
        self.required::<BoolType>(|row| row.finished.verdict.solved)?;
        self.required::<DoubleType>(|row| row.finished.verdict.score.value())?;
        self.text(|row| row.finished.verdict.ending.to_string())?;
        self.required::<Int32Type>(|row| row.finished.spent.steps as i32)?;
        self.required::<Int64Type>(|row| row.finished.spent.elapsed_ms as i64)?;
        self.required::<Int64Type>(|row| row.finished.spent.tokens as i64)?;
        self.optional::<DoubleType>(|row| (row.finished.spent.n_unknown == 0).then_some(row.finished.spent.cost_usd))?;
        self.required::<DoubleType>(|row| row.finished.spent.cost_usd)?;
        self.required::<Int32Type>(|row| row.finished.spent.n_unknown as i32)?;
        self.optional::<ByteArrayType>(|row| (!row.place.is_empty()).then(|| row.place.as_str().into()))?;
        self.optional::<ByteArrayType>(|row| row.worker.as_deref().map(ByteArray::from))?;
        self.text(|row| {
            serde_json::to_string(&row.finished.verdict).expect("a verdict holds nothing that JSON cannot")
        })?;
        self.group.close().map(drop)
    }

    fn text(&mut self, of: impl Fn(&OutcomeRow) -> String) -> Result<()> {
        self.required::<ByteArrayType>(|row| ByteArray::from(of(row).into_bytes()))
    }

    fn required<T: DataType>(&mut self, of: impl Fn(&OutcomeRow) -> T::T) -> Result<()> {
        let values: Vec<T::T> = self.rows.iter().map(of).collect();
        let mut column = self.next()?;
        column.typed::<T>().write_batch(&values, None, None)?;
        column.close()
    }

    fn optional<T: DataType>(&mut self, of: impl Fn(&OutcomeRow) -> Option<T::T>) -> Result<()> {
        let cells: Vec<Option<T::T>> = self.rows.iter().map(of).collect();
        let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
        let values: Vec<T::T> = cells.into_iter().flatten().collect();
        let mut column = self.next()?;
        column.typed::<T>().write_batch(&values, Some(&levels), None)?;
        column.close()
    }

    fn next(&mut self) -> Result<SerializedColumnWriter<'_>> {
        Ok(self.group.next_column()?.expect("no more columns are written than the schema has"))
    }
}
