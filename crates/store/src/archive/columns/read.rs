//! Reading columns.

use bytes::Bytes;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use quintain_core::Spent;
use quintain_core::trial::TrialResult;

use super::super::outcomes::OutcomeRow;
use super::{LAST_SEQ_KEY, VERSION, VERSION_KEY};

/// Unpacks rows.
pub(crate) fn decode(bytes: Bytes) -> Result<Vec<OutcomeRow>> {
    let file = open(bytes)?;
    let mut rows = Vec::new();
    for group_idx in 0..file.num_row_groups() {
        rows.extend(group(&*file.get_row_group(group_idx)?)?);
    }
    Ok(rows)
}

/// The sequence number of the last row.
pub(crate) fn last_seq(bytes: Bytes) -> Result<u64> {
    number_said(&open(bytes)?, LAST_SEQ_KEY)
}

fn open(bytes: Bytes) -> Result<SerializedFileReader<Bytes>> {
    let file = SerializedFileReader::new(bytes)?;
    let version = number_said(&file, VERSION_KEY)?;
    if version > u64::from(VERSION) {
        return Err(wrong(format!("it is of version {version}, and this program reads up to {VERSION}")));
    }
    Ok(file)
}

/// A number that a file says of itself.
fn number_said(file: &SerializedFileReader<Bytes>, key: &str) -> Result<u64> {
    let said = file.metadata().file_metadata().key_value_metadata();
    let value = said.and_then(|said| said.iter().find(|said| said.key == key)?.value.as_ref()?.parse().ok());
    value.ok_or_else(|| wrong(format!("it does not say `{key}`: it is no segment of outcomes")))
}

fn wrong(why: String) -> ParquetError {
    ParquetError::General(why)
}

/// The rows of one group.
fn group(group: &dyn RowGroupReader) -> Result<Vec<OutcomeRow>> {
    let mut seqs = required::<Int64Type>(group, "seq")?.into_iter();
    let mut idxs = required::<Int32Type>(group, "idx")?.into_iter();
    let mut trials = required::<ByteArrayType>(group, "trial")?.into_iter();
    let mut attempts = required::<Int32Type>(group, "attempt")?.into_iter();
    let mut verdicts = required::<ByteArrayType>(group, "verdict")?.into_iter();
    let mut spents = spents(group)?.into_iter();
    let mut places = cells::<ByteArrayType>(group, "place")?.into_iter();
    let mut workers = cells::<ByteArrayType>(group, "worker")?.into_iter();
    let mut row = || -> Option<Result<OutcomeRow>> {
        let (seq, idx, attempt) = (seqs.next()? as u64, idxs.next()? as u32, attempts.next()? as u32);
        let (trial, verdict, spent) = (trials.next()?, verdicts.next()?, spents.next()?);
        let (place, worker) = (places.next()?, workers.next()?);
        let read = || {
            let trial = text(&trial)?.parse().map_err(|error| wrong(format!("row {seq}: {error}")))?;
            let verdict =
                serde_json::from_slice(verdict.data()).map_err(|error| wrong(format!("row {seq}: {error}")))?;
            let place = place.as_ref().map(text).transpose()?.unwrap_or_default();
            let worker = worker.as_ref().map(text).transpose()?;
            Ok(OutcomeRow { seq, idx, trial, attempt, finished: TrialResult { verdict, spent }, place, worker })
        };
        Some(read())
    };
    std::iter::from_fn(&mut row).collect()
}

fn spents(group: &dyn RowGroupReader) -> Result<Vec<Spent>> {
    let steps = required::<Int32Type>(group, "steps")?;
    let elapsed = required::<Int64Type>(group, "elapsed_ms")?;
    let tokens = required::<Int64Type>(group, "tokens")?;
    let known = required::<DoubleType>(group, "known_usd")?;
    let unknown = required::<Int32Type>(group, "n_unknown")?;
    let times = steps.into_iter().zip(elapsed);
    let money = tokens.into_iter().zip(known).zip(unknown);
    let together = times.zip(money).map(|((steps, elapsed_ms), ((tokens, cost_usd), n_unknown))| Spent {
        steps: steps as u32,
        elapsed_ms: elapsed_ms as u64,
        tokens: tokens as u64,
        cost_usd,
        n_unknown: n_unknown as u32,
    });
    Ok(together.collect())
}

fn text(bytes: &ByteArray) -> Result<String> {
    bytes.as_utf8().map(str::to_owned)
}

/// A column without gaps.
fn required<T: DataType>(group: &dyn RowGroupReader, name: &str) -> Result<Vec<T::T>> {
    let cells = cells::<T>(group, name)?;
    cells.into_iter().collect::<Option<_>>().ok_or_else(|| wrong(format!("column `{name}` has gaps")))
}

/// A column.
fn cells<T: DataType>(group: &dyn RowGroupReader, name: &str) -> Result<Vec<Option<T::T>>> {
    let schema = group.metadata().schema_descr();
    let found = schema.columns().iter().position(|column| column.name() == name);
    let column_idx = found.ok_or_else(|| wrong(format!("it has no column `{name}`")))?;
    let column = schema.column(column_idx);
    if column.physical_type() != T::get_physical_type() {
        return Err(wrong(format!("column `{name}` is of another type")));
    }
    let n_rows = group.metadata().num_rows() as usize;
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(column_idx)?);
    while reader.read_records(n_rows, Some(&mut levels), None, &mut values)?.0 > 0 {}
    if column.max_def_level() == 0 {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    Ok(levels.iter().map(|level| if *level > 0 { values.next() } else { None }).collect())
}
