//! Tables: rows with a key, in any order.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::score::Score;
use quintain_core::suggest;
use serde_json::{Map, Value, json};

use super::declared::DeclaredType;
use super::expectation::{refuse_other_keys, texts};
use super::{Likeness, LikenessResult};
use crate::fold::fold_name;
use crate::value::{Variant, brief};

/// The same rows, matched by their keys. Neither the order of rows nor that of columns counts, nor columns that were not
/// asked for. A table that is not whole is worth the share of its right items, as F1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameTable;

/// No table has more rows, and an answer with more than so many for each that is expected is not looked at.
const MAX_ROWS: usize = 500;
const MAX_ROWS_FOR_EACH: usize = 20;

/// How many near misses and variations are made of a single cell.
const MAX_CELL_VARIANTS: usize = 12;

/// A table as an expectation tells it.
struct ExpectedTable<'a> {
    columns: Vec<TableColumn<'a>>,
    rows: Vec<&'a Map<String, Value>>,
}

struct TableColumn<'a> {
    name: &'a str,
    kind: DeclaredType,
    is_key: bool,
}

/// How an answer's rows stand to the expected ones.
struct TableMatch {
    /// For each expected row that has one, the row of the answer with the same key and which columns of it are right.
    rows: Vec<Option<(usize, Vec<bool>)>>,
    n_given: usize,
}

impl<'a> ExpectedTable<'a> {
    fn read(expected: &'a Value) -> Result<Self, String> {
        let fields = expected
            .as_object()
            .ok_or_else(|| format!("a table is `columns`, `key` and `rows`, not {}", brief(expected)))?;
        refuse_other_keys(fields, ["columns", "key", "rows"])?;
        let columns = fields.get("columns").and_then(Value::as_object).filter(|columns| !columns.is_empty());
        let columns = columns.ok_or("`columns` must tell the type of each column: { firm = \"entity\" }")?;
        let key = texts(fields, "key")?;
        if key.is_empty() {
            return Err("`key` must list the columns that tell rows apart".to_owned());
        }
        if let Some(unknown) = key.iter().find(|name| !columns.contains_key(*name)) {
            return Err(format!(
                "`{unknown}` is no column; {}",
                suggest::hint(unknown, columns.keys().map(String::as_str))
            ));
        }
        let columns = columns.iter().map(|(name, declared)| TableColumn::read(name, declared, &key));
        let rows = fields.get("rows").and_then(Value::as_array).filter(|rows| (1..=MAX_ROWS).contains(&rows.len()));
        let rows = rows.ok_or_else(|| format!("`rows` must be a list of 1 to {MAX_ROWS} rows"))?;
        let rows: Option<Vec<_>> = rows.iter().map(Value::as_object).collect();
        let table =
            Self { columns: columns.collect::<Result<_, _>>()?, rows: rows.ok_or("every row must be an object")? };
        table.refuse_like_columns()?;
        Ok(table)
    }

    /// Whether every cell makes sense, and rows can be told apart.
    fn check(&self) -> Result<(), String> {
        for (at, row) in self.rows.iter().enumerate() {
            refuse_other_keys(row, self.columns.iter().map(|column| column.name))?;
            for column in &self.columns {
                let cell = row.get(column.name).ok_or_else(|| format!("row {at} lacks `{}`", column.name))?;
                column.kind.fits(cell).map_err(|why| format!("row {at}, `{}`: {why}", column.name))?;
            }
        }
        let right: Vec<Map<String, Value>> = self.rows.iter().map(|row| self.right_row(row)).collect();
        if self.columns.iter().filter(|column| column.is_key).all(|column| column.kind.word == "exact") {
            // Such keys are alike only where they are written alike: large tables are not compared row by row.
            let keys: BTreeSet<String> = right.iter().map(|row| json!(self.key_cells(row)).to_string()).collect();
            let n_like = right.len() - keys.len();
            return if n_like == 0 { Ok(()) } else { Err(format!("{n_like} rows have the key of another")) };
        }
        for (at, row) in self.rows.iter().enumerate() {
            if let Some(other) =
                right.iter().enumerate().position(|(other, given)| other != at && self.has_key(row, given))
            {
                return Err(format!("rows {at} and {other} have the same key"));
            }
        }
        Ok(())
    }

    fn refuse_like_columns(&self) -> Result<(), String> {
        let folded: Vec<String> = self.columns.iter().map(|column| fold_name(column.name)).collect();
        let twice = (0..folded.len()).find(|at| folded[*at].is_empty() || folded[..*at].contains(&folded[*at]));
        twice.map_or(Ok(()), |at| Err(format!("the column `{}` has no name of its own", self.columns[at].name)))
    }

    fn right_row(&self, row: &Map<String, Value>) -> Map<String, Value> {
        let cell = |column: &TableColumn<'_>| Some((column.name.to_owned(), column.kind.right(row.get(column.name)?)));
        self.columns.iter().filter_map(cell).collect()
    }

    fn has_key(&self, row: &Map<String, Value>, given: &Map<String, Value>) -> bool {
        self.columns.iter().filter(|column| column.is_key).all(|column| column.holds(row, given))
    }

    /// The cells of the key, as they are written.
    fn key_cells<'b>(&self, row: &'b Map<String, Value>) -> Vec<Option<&'b Value>> {
        self.columns.iter().filter(|column| column.is_key).map(|column| row.get(column.name)).collect()
    }

    fn matched(&self, given: &[Value]) -> TableMatch {
        let given: Vec<Option<&Map<String, Value>>> = given.iter().map(Value::as_object).collect();
        // Nearly all keys are written as they should be: only for the others every row is looked at.
        let mut written: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, row) in given.iter().enumerate() {
            written.entry(json!(row.map(|row| self.key_cells(row))).to_string()).or_default().push(at);
        }
        let mut is_used = vec![false; given.len()];
        let rows = self.rows.iter().map(|row| {
            let has_key = |at: &usize| !is_used[*at] && given[*at].is_some_and(|given| self.has_key(row, given));
            let same = written.get(&json!(Some(self.key_cells(&self.right_row(row)))).to_string());
            let at = same.into_iter().flatten().copied().find(has_key).or_else(|| (0..given.len()).find(has_key))?;
            is_used[at] = true;
            Some((at, self.columns.iter().map(|column| column.holds(row, given[at]?).into()).collect::<Option<_>>()?))
        });
        TableMatch { rows: rows.collect(), n_given: given.len() }
    }

    fn compare(&self, given: &[Value]) -> LikenessResult {
        let matched = self.matched(given);
        let right_items = |row: &Option<(usize, Vec<bool>)>| {
            row.as_ref().map_or(0, |(_, right)| right.iter().filter(|right| **right).count())
        };
        let n_columns = self.columns.len();
        let n_right_items: usize = matched.rows.iter().map(right_items).sum();
        let n_right_rows = matched.rows.iter().filter(|row| right_items(row) == n_columns).count();
        let (n_rows, n_given) = (self.rows.len(), matched.n_given);
        let is_whole = n_right_rows == n_rows && n_given == n_rows;
        let item_f1 = f1(n_right_items, n_given * n_columns, n_rows * n_columns);
        let mut result = LikenessResult::of(is_whole, self.in_words(&matched, given));
        if !is_whole {
            result.score = Score::clamped(item_f1);
        }
        result
            .with("row_precision", share(n_right_rows, n_given))
            .with("row_recall", share(n_right_rows, n_rows))
            .with("row_f1", f1(n_right_rows, n_given, n_rows))
            .with("item_f1", item_f1)
    }

    /// What is wrong first, in a sentence.
    fn in_words(&self, matched: &TableMatch, given: &[Value]) -> String {
        let n_rows = self.rows.len();
        let wrong = matched.rows.iter().zip(&self.rows).find_map(|(found, row)| match found {
            None => Some(format!("no row has {}", self.key_of(row))),
            Some((at, right)) => {
                let column = &self.columns[right.iter().position(|right| !right)?];
                let cell = given[*at].as_object().and_then(|given| column.cell(given));
                let because = cell.map_or("it is missing".to_owned(), |cell| {
                    row.get(column.name).map_or(String::new(), |wanted| column.kind.compare(wanted, cell).because)
                });
                Some(format!("{}: {}: {because}", self.key_of(row), column.name))
            }
        });
        match wrong {
            Some(wrong) => format!("{n_rows} rows are wanted and {} are there; {wrong}", matched.n_given),
            None if matched.n_given > n_rows => {
                format!("all {n_rows} rows are right, and {} too many are there", matched.n_given - n_rows)
            }
            None => format!("all {n_rows} rows are right"),
        }
    }

    fn key_of(&self, row: &Map<String, Value>) -> String {
        let right = self.right_row(row);
        let key = self.columns.iter().filter(|column| column.is_key);
        key.filter_map(|column| right.get(column.name).map(brief)).collect::<Vec<_>>().join(", ")
    }
}

impl<'a> TableColumn<'a> {
    fn read(name: &'a str, declared: &Value, key: &[String]) -> Result<Self, String> {
        let kind = DeclaredType::read(declared).map_err(|why| format!("the column `{name}`: {why}"))?;
        if kind.word == "table" {
            return Err(format!("the column `{name}`: a table has no tables in it"));
        }
        Ok(Self { name, kind, is_key: key.iter().any(|key| key == name) })
    }

    /// The cell of a row of an answer: under the column's name, or under one that reads alike.
    fn cell<'b>(&self, given: &'b Map<String, Value>) -> Option<&'b Value> {
        let alike = || given.iter().find(|(name, _)| fold_name(name) == fold_name(self.name)).map(|(_, cell)| cell);
        given.get(self.name).or_else(alike)
    }

    fn holds(&self, row: &Map<String, Value>, given: &Map<String, Value>) -> bool {
        let (Some(wanted), Some(cell)) = (row.get(self.name), self.cell(given)) else { return false };
        // Most cells are written as they should be, and reading texts by their type is dear.
        self.kind.right(wanted) == *cell || self.kind.compare(wanted, cell).score.is_full()
    }
}

impl Likeness for SameTable {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        ExpectedTable::read(expected)?.check()
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        let table = match ExpectedTable::read(expected) {
            Ok(table) => table,
            Err(why) => return LikenessResult::of(false, why),
        };
        match actual.as_array() {
            None => LikenessResult::of(false, format!("it is {}, not a list of rows", brief(actual))),
            Some(given) if given.len() > MAX_ROWS_FOR_EACH * table.rows.len() => {
                LikenessResult::of(false, format!("there are {} rows, far too many", given.len()))
            }
            Some(given) => table.compare(given),
        }
    }

    fn near(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        let (Ok(table), Some(given)) = (ExpectedTable::read(expected), actual.as_array()) else { return Vec::new() };
        let mut near = vec![
            ("nothing".to_owned(), Value::Null),
            ("an empty table".to_owned(), Value::Array(Vec::new())),
            ("in a list of its own".to_owned(), vec![actual.clone()].into()),
            ("one row too many".to_owned(), changed(given, |rows| rows.push(Value::Object(Map::new())))),
        ];
        let Some(last) = given.last() else { return near };
        near.push(("the last row missing".to_owned(), changed(given, |rows| drop(rows.pop()))));
        near.push(("the first row missing".to_owned(), changed(given, |rows| drop(rows.remove(0)))));
        near.push(("the last row twice".to_owned(), changed(given, |rows| rows.push(last.clone()))));
        near.extend(table.near_cells(given));
        near.extend(table.swapped_cells(given));
        near
    }

    fn like(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        let (Ok(table), Some(given)) = (ExpectedTable::read(expected), actual.as_array()) else { return Vec::new() };
        let mut like = vec![
            ("the rows the other way round".to_owned(), changed(given, |rows| rows.reverse())),
            ("the first row last".to_owned(), changed(given, |rows| rows.rotate_left(usize::from(!given.is_empty())))),
            ("columns in capitals".to_owned(), given.iter().map(with_loud_columns).collect()),
            ("a column too many".to_owned(), given.iter().map(with_bystander_column).collect()),
        ];
        like.extend(table.vary_cells(given, Likeness::like));
        like
    }

    fn right(&self, expected: &Value) -> Value {
        let Ok(table) = ExpectedTable::read(expected) else { return Value::Null };
        table.rows.iter().map(|row| Value::Object(table.right_row(row))).collect()
    }
}

impl ExpectedTable<'_> {
    /// The table with one cell changed, in each column of the first row that was matched.
    fn vary_cells(
        &self,
        given: &[Value],
        vary: impl Fn(&DeclaredType, &Value, &Value) -> Vec<Variant>,
    ) -> Vec<Variant> {
        let matched = self.matched(given);
        let Some((row, at)) =
            matched.rows.iter().zip(&self.rows).find_map(|(found, row)| Some((row, found.as_ref()?.0)))
        else {
            return Vec::new();
        };
        let Some(fields) = given[at].as_object() else { return Vec::new() };
        let mut varied = Vec::new();
        for column in &self.columns {
            let (Some(wanted), Some(cell)) = (row.get(column.name), fields.get(column.name)) else { continue };
            let variants = vary(&column.kind, wanted, cell).into_iter().filter(|(_, other)| other != cell);
            varied.extend(variants.take(MAX_CELL_VARIANTS).map(|(how, other)| {
                let put = |rows: &mut Vec<Value>| drop(put_cell(&mut rows[at], column.name, other));
                (format!("{}: {how}", column.name), changed(given, put))
            }));
        }
        varied
    }

    /// One cell nearly right or missing.
    fn near_cells(&self, given: &[Value]) -> Vec<Variant> {
        let mut near = self.vary_cells(given, Likeness::near);
        for column in &self.columns {
            let without = changed(given, |rows| {
                drop(rows[0].as_object_mut().and_then(|row| row.remove(column.name)));
            });
            near.push((format!("{}: missing", column.name), without));
        }
        // A cell may be missing from a row that had it under another name.
        near.retain(|(_, other)| other.as_array().is_some_and(|rows| rows != given));
        near
    }

    /// Two rows with each other's cell of a column, where that makes a difference.
    fn swapped_cells(&self, given: &[Value]) -> Vec<Variant> {
        let matched = self.matched(given);
        let found: Vec<_> =
            matched.rows.iter().zip(&self.rows).filter_map(|(found, row)| Some((found.as_ref()?.0, row))).collect();
        let mut swapped = Vec::new();
        for column in self.columns.iter().filter(|_| self.columns.len() > 1) {
            let differ_in = |column: &TableColumn<'_>, pair: &[(usize, &&Map<String, Value>)]| {
                let fields = |at: usize| given[at].as_object();
                let (Some(a), Some(b)) = (fields(pair[0].0), fields(pair[1].0)) else { return false };
                !column.holds(pair[0].1, b) || !column.holds(pair[1].1, a)
            };
            // Rows that agree in everything else only change places.
            let differ = |pair: &&[(usize, &&Map<String, Value>)]| {
                let others = || self.columns.iter().filter(|other| other.name != column.name);
                differ_in(column, pair) && others().any(|other| differ_in(other, pair))
            };
            let Some(pair) = found.windows(2).find(differ) else { continue };
            let (a, b) = (pair[0].0, pair[1].0);
            let exchange = |rows: &mut Vec<Value>| {
                let (first, second) = (rows[a][column.name].take(), rows[b][column.name].take());
                rows[a][column.name] = second;
                rows[b][column.name] = first;
            };
            swapped.push((format!("{}: two rows exchanged", column.name), changed(given, exchange)));
        }
        swapped
    }
}

fn put_cell(row: &mut Value, name: &str, cell: Value) -> Option<Value> {
    row.as_object_mut()?.insert(name.to_owned(), cell)
}

fn changed(rows: &[Value], change: impl FnOnce(&mut Vec<Value>)) -> Value {
    let mut changed = rows.to_vec();
    change(&mut changed);
    Value::Array(changed)
}

fn with_loud_columns(row: &Value) -> Value {
    let Some(fields) = row.as_object() else { return row.clone() };
    Value::Object(fields.iter().map(|(name, cell)| (name.to_ascii_uppercase(), cell.clone())).collect())
}

fn with_bystander_column(row: &Value) -> Value {
    let mut row = row.clone();
    put_cell(&mut row, "a-bystander", Value::Null);
    row
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The harmonic mean of precision and recall.
fn f1(n_right: usize, n_given: usize, n_wanted: usize) -> f64 {
    share(2 * n_right, n_given + n_wanted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    fn firms(rows: &Value) -> Value {
        let columns = json!({"firm": "entity", "founded": "date", "growth": {"type": "percent", "digits": 1}});
        json!({"columns": columns, "key": ["firm"], "rows": rows})
    }

    #[test]
    fn rows_are_matched_by_their_key() {
        let expected = firms(&json!([
            {"firm": "Alba", "founded": "1987", "growth": 12.3},
            {"firm": "Borea", "founded": "1990-05", "growth": -1},
        ]));
        let told = |actual: Value| {
            let result = SameTable.compare(&expected, &actual);
            let measures: Vec<String> =
                result.measures.iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
            format!("{:.2} {} ({})", result.score.value(), result.because, measures.join(", "))
        };
        let alba = json!({"firm": "ALBA", "founded": "1987", "growth": "12.3 %", "note": "?"});
        let borea = json!({"Growth": -1.0, "Founded": "May 1990", "Firm": "Borea"});
        let all = [
            json!([borea, alba]),
            json!([alba]),
            json!([alba, borea, borea]),
            json!([alba, {"firm": "Borea", "founded": "1990-05", "growth": 1}]),
            json!([alba, {"firm": "Borea"}]),
            json!([alba, {"firm": "Cassia", "founded": "1990-05", "growth": -1}]),
            json!([]),
            json!([alba, borea, 7]),
            json!({"rows": [alba, borea]}),
        ];
        insta::assert_snapshot!(all.map(told).join("\n"), @r#"
        1.00 all 2 rows are right (item_f1 1.00, row_f1 1.00, row_precision 1.00, row_recall 1.00)
        0.67 2 rows are wanted and 1 are there; no row has "Borea" (item_f1 0.67, row_f1 0.67, row_precision 1.00, row_recall 0.50)
        0.80 all 2 rows are right, and 1 too many are there (item_f1 0.80, row_f1 0.80, row_precision 0.67, row_recall 1.00)
        0.83 2 rows are wanted and 2 are there; "Borea": growth: it is 1, not -1.0 % (item_f1 0.83, row_f1 0.50, row_precision 0.50, row_recall 0.50)
        0.67 2 rows are wanted and 2 are there; "Borea": founded: it is missing (item_f1 0.67, row_f1 0.50, row_precision 0.50, row_recall 0.50)
        0.50 2 rows are wanted and 2 are there; no row has "Borea" (item_f1 0.50, row_f1 0.50, row_precision 0.50, row_recall 0.50)
        0.00 2 rows are wanted and 0 are there; no row has "Alba" (item_f1 0.00, row_f1 0.00, row_precision 0.00, row_recall 0.00)
        0.80 all 2 rows are right, and 1 too many are there (item_f1 0.80, row_f1 0.80, row_precision 0.67, row_recall 1.00)
        0.00 it is {"rows":[{"firm":"ALBA","founded":"1987","growth":"12.3 %","note":"?"},{"Firm":"…, not a list of rows ()
        "#);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let row = json!({"firm": "Alba", "founded": "1987", "growth": 1});
        let columns = json!({"firm": "entity"});
        let wrong = [
            json!([]),
            json!({"columns": {}, "key": ["firm"], "rows": []}),
            json!({"columns": columns, "rows": [{"firm": "A"}]}),
            json!({"columns": columns, "key": ["frim"], "rows": [{"firm": "A"}]}),
            json!({"columns": columns, "key": ["firm"], "rows": []}),
            json!({"columns": {"firm": "entiti"}, "key": ["firm"], "rows": [{"firm": "A"}]}),
            json!({"columns": {"firm": "table"}, "key": ["firm"], "rows": [{"firm": "A"}]}),
            json!({"columns": {"firm": "entity", "Firm": "text"}, "key": ["firm"], "rows": [{"firm": "A", "Firm": "B"}]}),
            firms(&json!([{"firm": "Alba", "founded": "1987"}])),
            firms(&json!([{"firm": "Alba", "founded": "soon", "growth": 1}])),
            firms(&json!([row, {"firm": "alba", "founded": "1990", "growth": 2}])),
        ];
        insta::assert_snapshot!(wrong.map(|expected| SameTable.fits(&expected).unwrap_err()).join("\n"), @r#"
        a table is `columns`, `key` and `rows`, not []
        `columns` must tell the type of each column: { firm = "entity" }
        `key` must list the columns that tell rows apart
        `frim` is no column; did you mean `firm`?
        `rows` must be a list of 1 to 500 rows
        the column `firm`: there is no type `entiti`; did you mean `entity`?
        the column `firm`: a table has no tables in it
        the column `firm` has no name of its own
        row 0 lacks `growth`
        row 0, `founded`: a date such as "2024-12-31", "2024-12" or "2024" is expected, not "soon"
        rows 0 and 1 have the same key
        "#);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 100, ..ProptestConfig::default() })]

        #[test]
        fn near_fails_and_like_passes(
            firms_of in prop::collection::btree_map("[A-Z][a-z]{4,9}", (1000..2100_i32, -1000..1000_i32), 1..5),
            order: prop::sample::Index,
        ) {
            let mut rows: Vec<Value> = firms_of
                .iter()
                .map(|(firm, (year, growth))| json!({"firm": firm, "founded": year.to_string(), "growth": f64::from(*growth) / 10.0}))
                .collect();
            let n_rows = rows.len();
            rows.rotate_left(order.index(n_rows));
            let (n_near, n_like) = hold_both_ways(&SameTable, &firms(&json!(rows)));
            prop_assert!(n_near >= 30 && n_like >= 20, "{n_near} {n_like}");
            prop_assert!(n_rows < 2 || n_near >= 31, "two rows are exchanged: {n_near}");
        }

        #[test]
        fn nothing_panics(expected in odd_json(), actual in odd_json(), cells in prop::collection::vec(odd_json(), 3)) {
            survive(&SameTable, &expected, &actual);
            let rows = json!([{"firm": cells[0], "founded": cells[1], "growth": cells[2]}, expected]);
            survive(&SameTable, &firms(&rows), &actual);
            let right = firms(&json!([{"firm": "A", "founded": "1987", "growth": 1}]));
            survive(&SameTable, &right, &json!([{"firm": cells[0], "founded": cells[1], "growth": cells[2]}, actual]));
        }
    }
}
