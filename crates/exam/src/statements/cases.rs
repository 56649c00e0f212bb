//! Cases that nobody is told of: what is changed in the inputs of a model before it is worked out again.

use quintain_core::Rng;
use serde_json::{Value, json};

use super::books::{ModelBooks, rounded};
use super::forecast::{self, YearLines};

/// One input that is changed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum InputChange {
    Yearly { key: &'static str, at: usize, value: f64 },
    Constant { key: &'static str, value: f64 },
    Debit { account: u32, value: f64 },
    Credit { account: u32, value: f64 },
}

/// The changes of each case: a downturn, an investment, and other books.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelCases(pub(super) [Vec<InputChange>; 3]);

impl InputChange {
    /// The books with this change made.
    pub(super) fn made(&self, mut books: ModelBooks) -> ModelBooks {
        match *self {
            Self::Yearly { key, at, value } => books.yearly.entry(key).or_default()[at] = value,
            Self::Constant { key, value } => *books.constants.entry(key).or_default() = value,
            Self::Debit { account, value } => books.account(account).debit = value,
            Self::Credit { account, value } => books.account(account).credit = value,
        }
        books
    }

    /// Sheet, key, column and value, as the program that changes workbooks reads them.
    pub(super) fn told(&self, closed_year: i64) -> Value {
        match *self {
            Self::Yearly { key, at, value } => {
                json!(["Assumptions", key, (closed_year + 1 + at as i64).to_string(), value])
            }
            Self::Constant { key, value } => json!(["Constants", key, "value", value]),
            Self::Debit { account, value } => json!(["TrialBalance", account.to_string(), "debit", value]),
            Self::Credit { account, value } => json!(["TrialBalance", account.to_string(), "credit", value]),
        }
    }
}

impl ModelCases {
    pub(super) fn of(books: &ModelBooks, rng: &mut Rng) -> Self {
        Self([downturn(books, rng), investment(books, rng), other_books(books, rng)])
    }

    /// The books of every case.
    pub(super) fn books(&self, books: &ModelBooks) -> [ModelBooks; 3] {
        self.0.each_ref().map(|changes| changes.iter().fold(books.clone(), |books, change| change.made(books)))
    }

    /// Whether every rule of the model makes a difference in one of them.
    pub(super) fn are_telling(&self, books: &ModelBooks) -> bool {
        let [downturn, investment, other] = self.books(books).map(|books| forecast::of(&books));
        let any = |years: &[YearLines], holds: &dyn Fn(&YearLines) -> bool| years.iter().any(holds);
        let loses = any(&downturn, &|lines| lines["net_income"] < -100.0 && lines["tax"] == 0.0);
        let draws = any(&investment, &|lines| lines["revolver_change"] > 100.0);
        let repays = any(&investment, &|lines| lines["revolver_change"] < -100.0);
        let uses = any(&other, &|lines| lines["tax"] > 10.0 && lines["tax_losses"] > 10.0);
        let pays_off = any(&other, &|lines| lines["term_loan"] == 0.0 && lines["loan_repayment"] < -10.0);
        loses && draws && repays && uses && pays_off
    }
}

/// Sales and margins fall, then come back.
fn downturn(books: &ModelBooks, rng: &mut Rng) -> Vec<InputChange> {
    let yearly = |key, at: usize, value, digits| InputChange::Yearly { key, at, value: rounded(value, digits) };
    let margin = |at: usize| books.yearly["gross_margin"][at];
    vec![
        yearly("growth", 0, rng.uniform(-0.28, -0.18), 3),
        yearly("gross_margin", 0, margin(0) - rng.uniform(0.10, 0.14), 3),
        yearly("gross_margin", 1, margin(1) - rng.uniform(0.05, 0.08), 3),
        yearly("growth", 2, rng.uniform(0.18, 0.26), 3),
        yearly("dpo", 1, books.yearly["dpo"][1] - 9.0, 0),
        yearly("tax_rate", 2, rng.uniform(0.18, 0.22), 3),
        yearly("rate_revolver", 1, rng.uniform(0.09, 0.12), 4),
        yearly("rate_cash", 1, rng.uniform(0.02, 0.03), 4),
    ]
}

/// Much is bought in the first year, of another life, and paid for in the years after it.
fn investment(books: &ModelBooks, rng: &mut Rng) -> Vec<InputChange> {
    let yearly = |key, at: usize, value, digits| InputChange::Yearly { key, at, value: rounded(value, digits) };
    let of = |key: &str, at: usize| books.yearly[key][at];
    let mut all = vec![
        yearly("capex", 0, of("capex", 0) * rng.uniform(3.2, 4.5), 1),
        yearly("capex_life", 0, rng.between(7, 9) as f64, 0),
        yearly("capex_life", 1, 1.0, 0),
        yearly("dso", 0, of("dso", 0) + rng.uniform(10.0, 20.0), 0),
        yearly("dio", 1, of("dio", 1) - rng.uniform(8.0, 14.0), 0),
        yearly("opex_share", 1, of("opex_share", 1) - 0.02, 3),
        yearly("opex_fixed", 2, of("opex_fixed", 2) * 0.9, 1),
        yearly("rate_loan", 0, rng.uniform(0.055, 0.07), 4),
        yearly("minimum_cash", 2, of("minimum_cash", 2) * 1.4, 1),
    ];
    all.extend((1..books.n_years()).map(|at| yearly("payout", at, 0.1 * at as f64, 2)));
    all
}

/// The year was closed otherwise: more receivables against more capital, and a dearer purchase that is still owed.
fn other_books(books: &ModelBooks, rng: &mut Rng) -> Vec<InputChange> {
    let account = |number: u32| books.accounts.iter().find(|account| account.number == number);
    let debit = |number| account(number).map_or(0.0, |account| account.debit);
    let credit = |number| account(number).map_or(0.0, |account| account.credit);
    let sales = credit(4000);
    let (paid_in, dearer) = (rounded(sales * rng.uniform(0.02, 0.05), 1), rounded(sales * rng.uniform(0.005, 0.01), 1));
    let last = books.n_years() - 1;
    let life = books.constants["existing_life"] + if books.constants["existing_life"] > 2.0 { -1.0 } else { 1.25 };
    vec![
        InputChange::Debit { account: 1200, value: rounded(debit(1200) + paid_in, 1) },
        InputChange::Credit { account: 3000, value: rounded(credit(3000) + paid_in, 1) },
        InputChange::Debit { account: 5000, value: rounded(debit(5000) + dearer, 1) },
        InputChange::Credit { account: 2000, value: rounded(credit(2000) + dearer, 1) },
        InputChange::Constant { key: "existing_life", value: life },
        InputChange::Constant { key: "tax_losses", value: rounded(sales * rng.uniform(0.15, 0.25), 1) },
        InputChange::Constant { key: "loss_use_limit", value: *rng.choose(&[0.3, 0.4, 0.45, 0.55]) },
        InputChange::Yearly { key: "loan_repayment", at: last, value: rounded(sales, 1) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_changes_every_year() {
        for seed in 0..50 {
            let (books, cases) = ModelBooks::drawn(seed, 3 + seed as usize % 5);
            let base = forecast::of(&books);
            for case in cases.books(&books) {
                let differs = |(a, b): (&YearLines, &YearLines)| {
                    (a["cash"] - b["cash"]).abs() + (a["revolver"] - b["revolver"]).abs() > 1.0
                };
                let n_other = forecast::of(&case).iter().zip(&base).filter(|pair| differs(*pair)).count();
                assert!(n_other >= 2, "seed {seed}: {n_other}");
            }
        }
    }
}
