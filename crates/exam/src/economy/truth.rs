//! What is right of a country's statistics: the series, how many lags, the responses and the shares of shocks.

use serde_json::{Map, Value, json};

use super::assembled::{ModelSeries, VARIABLES, series};
use super::autoregression::FittedModel;
use super::record::EconomyRecord;
use crate::linear::DenseMatrix;

/// The most lags that are tried.
const MOST_LAGS: usize = 6;
/// The last horizon of responses, and the horizons of shares.
const LAST_HORIZON: usize = 12;
const SHARE_HORIZONS: [usize; 3] = [6, 12, 24];
/// How far off values may be, as the instruction says.
const OFF: f64 = 0.0005;
/// By how much the criterion of the best must be below that of the others, so that nobody doubts it.
const CLEARLY: f64 = 0.005;
/// The order of the model, and one that puts the rate first.
const ORDER: [usize; 4] = [0, 1, 2, 3];
const WRONG_ORDER: [usize; 4] = [3, 0, 1, 2];

/// The expected tables; nothing if it is not clear how many lags there are, or if a wrong way would come out right.
pub(super) fn expected(record: &EconomyRecord) -> Option<Value> {
    let series = series(record);
    let models: Vec<FittedModel> =
        (1..=MOST_LAGS).map(|n| FittedModel::of(&series, n, MOST_LAGS)).collect::<Option<_>>()?;
    let criteria = |price| models.iter().map(|model| model.criterion(price)).collect::<Option<Vec<f64>>>();
    let bic = criteria(libm::log)?;
    let n_lags = clearly_best(&bic)?;
    if n_lags == 1 || clearly_best(&criteria(|_| 2.0)?)? == n_lags {
        return None;
    }
    let model = FittedModel::of(&series, n_lags, n_lags)?;
    let responses = model.responses(ORDER, SHARE_HORIZONS[2])?;
    let wrong = model.responses(WRONG_ORDER, 1)?;
    if (wrong[0][1][3] - responses[0][1][3]).abs() < 10.0 * OFF {
        return None;
    }
    Some(json!({
        "series": series_table(record, &series),
        "lags": lags_table(&bic),
        "responses": responses_table(&responses),
        "shares": shares_table(&responses),
    }))
}

/// The number of lags with the least criterion.
fn clearly_best(criteria: &[f64]) -> Option<usize> {
    let best = (0..criteria.len()).min_by(|a, b| criteria[*a].total_cmp(&criteria[*b]))?;
    let is_clear = (0..criteria.len()).all(|at| at == best || criteria[at] > criteria[best] + CLEARLY);
    is_clear.then_some(best + 1)
}

/// A row with a number for each variable.
fn row(keys: &[(&str, String)], values: [f64; 4]) -> Value {
    let mut row: Map<String, Value> = keys.iter().map(|(name, key)| ((*name).to_owned(), json!(key))).collect();
    row.extend(VARIABLES.iter().zip(values).map(|(name, value)| ((*name).to_owned(), json!(rounded(value)))));
    Value::Object(row)
}

fn table(keys: &[&str], numbers: &[&str], rows: &[Value]) -> Value {
    let near = json!({ "type": "number", "digits": 6, "tolerance": OFF });
    let columns = keys.iter().map(|name| ((*name).to_owned(), json!("exact")));
    let columns: Map<String, Value> =
        columns.chain(numbers.iter().map(|name| ((*name).to_owned(), near.clone()))).collect();
    json!({ "columns": columns, "key": keys, "rows": rows })
}

fn series_table(record: &EconomyRecord, series: &ModelSeries) -> Value {
    let months = series.months.iter().enumerate();
    let rows: Vec<Value> = months.map(|(at, values)| row(&[("month", record.month_name(at + 1))], *values)).collect();
    table(&["month"], &VARIABLES, &rows)
}

fn lags_table(bic: &[f64]) -> Value {
    let rows = bic.iter().enumerate();
    let rows: Vec<Value> =
        rows.map(|(at, bic)| json!({ "lags": (at + 1).to_string(), "bic": rounded(*bic) })).collect();
    table(&["lags"], &["bic"], &rows)
}

/// Growth adds up to the response of the level; the rate is a level already.
fn responses_table(responses: &[DenseMatrix]) -> Value {
    let mut rows = Vec::new();
    for (shock, name) in VARIABLES.iter().enumerate() {
        let mut sums = [0.0; 4];
        for (horizon, at) in responses.iter().enumerate().take(LAST_HORIZON + 1) {
            (0..4).for_each(|of| sums[of] += at[of][shock]);
            sums[3] = at[3][shock];
            rows.push(row(&[("shock", (*name).to_owned()), ("horizon", horizon.to_string())], sums));
        }
    }
    table(&["shock", "horizon"], &VARIABLES, &rows)
}

fn shares_table(responses: &[DenseMatrix]) -> Value {
    let mut rows = Vec::new();
    for (variable, name) in VARIABLES.iter().enumerate() {
        for horizon in SHARE_HORIZONS {
            let by = ORDER.map(|shock| {
                responses[..horizon].iter().map(|at| at[variable][shock] * at[variable][shock]).sum::<f64>()
            });
            let all: f64 = by.iter().sum();
            let keys = [("variable", (*name).to_owned()), ("horizon", horizon.to_string())];
            rows.push(row(&keys, by.map(|part| part / all)));
        }
    }
    table(&["variable", "horizon"], &VARIABLES, &rows)
}

fn rounded(value: f64) -> f64 {
    // Nothing is written `-0`.
    (value * 1e6).round() / 1e6 + 0.0
}
