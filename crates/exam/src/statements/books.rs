//! The books of a firm that does not exist and what is assumed of its future, from a seed; and how both are changed in the
//! cases that a model of it has to stand.

use std::collections::BTreeMap;

use quintain_core::Rng;

use super::cases::ModelCases;

/// What is assumed of each year: key, unit, and how many decimals it is told with.
pub(super) const YEARLY: [(&str, &str, i32); 16] = [
    ("growth", "fraction", 3),
    ("gross_margin", "fraction", 3),
    ("opex_share", "fraction", 3),
    ("opex_fixed", "EUR thousand", 1),
    ("dso", "days", 0),
    ("dio", "days", 0),
    ("dpo", "days", 0),
    ("capex", "EUR thousand", 1),
    ("capex_life", "years", 0),
    ("loan_repayment", "EUR thousand", 1),
    ("rate_loan", "fraction", 4),
    ("rate_revolver", "fraction", 4),
    ("rate_cash", "fraction", 4),
    ("tax_rate", "fraction", 3),
    ("payout", "fraction", 2),
    ("minimum_cash", "EUR thousand", 1),
];
/// What holds for all years.
pub(super) const CONSTANTS: [&str; 3] = ["existing_life", "tax_losses", "loss_use_limit"];
/// A leap year, which every plan has in it.
const LEAP_YEAR: i64 = 2028;

/// An account of the trial balance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LedgerAccount {
    pub(super) number: u32,
    pub(super) name: &'static str,
    /// The line of the statements that it belongs to.
    pub(super) line: &'static str,
    pub(super) debit: f64,
    pub(super) credit: f64,
}

/// Everything that a model starts from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelBooks {
    /// The year that the trial balance is of.
    pub(super) closed_year: i64,
    pub(super) accounts: Vec<LedgerAccount>,
    /// By key, a number for each year of the plan.
    pub(super) yearly: BTreeMap<&'static str, Vec<f64>>,
    pub(super) constants: BTreeMap<&'static str, f64>,
}

impl ModelBooks {
    /// The books and the cases of a seed.
    pub(super) fn drawn(seed: u64, n_years: usize) -> (Self, ModelCases) {
        let mut rng = Rng::new(seed);
        loop {
            let books = Self::any(&mut rng, n_years);
            let cases = ModelCases::of(&books, &mut rng);
            if cases.are_telling(&books) {
                return (books, cases);
            }
        }
    }

    fn any(rng: &mut Rng, n_years: usize) -> Self {
        let sales = rng.uniform(18_000.0, 90_000.0);
        let mut yearly = BTreeMap::new();
        for (key, _, digits) in YEARLY {
            let level = level(key, rng, sales);
            let values = (0..n_years).map(|_| rounded(spread(key, level, rng), digits)).collect();
            yearly.insert(key, values);
        }
        let life = rng.between(1, n_years as i64 - 1) as f64 + 0.5;
        let constants = [life, rounded(sales * rng.uniform(0.01, 0.03), 1), *rng.choose(&[0.5, 0.6, 0.7, 0.75, 0.8])];
        Self {
            closed_year: LEAP_YEAR - rng.between(1, n_years as i64),
            accounts: accounts(rng, sales),
            yearly,
            constants: CONSTANTS.into_iter().zip(constants).collect(),
        }
    }

    pub(super) fn n_years(&self) -> usize {
        self.yearly.values().next().map_or(0, Vec::len)
    }

    /// The years of the plan.
    pub(super) fn years(&self) -> impl Iterator<Item = i64> {
        (1..=self.n_years() as i64).map(|at| self.closed_year + at)
    }

    /// An account that is in every trial balance.
    pub(super) fn account(&mut self, number: u32) -> &mut LedgerAccount {
        let found = self.accounts.iter_mut().find(|account| account.number == number);
        found.expect("changes name accounts of the chart")
    }

    /// Debits less credits of the accounts of a line.
    pub(super) fn debits_of(&self, line: &str) -> f64 {
        self.accounts.iter().filter(|account| account.line == line).map(|account| account.debit - account.credit).sum()
    }
}

/// What a number is about.
fn level(key: &str, rng: &mut Rng, sales: f64) -> f64 {
    let (low, high) = match key {
        "growth" => (0.02, 0.07),
        "gross_margin" => (0.37, 0.46),
        "opex_share" => (0.09, 0.13),
        "opex_fixed" => (0.10 * sales, 0.13 * sales),
        "dso" => (38.0, 62.0),
        "dio" => (45.0, 80.0),
        "dpo" => (30.0, 50.0),
        "capex" => (0.04 * sales, 0.07 * sales),
        "capex_life" => (4.0, 5.0),
        "rate_loan" => (0.038, 0.052),
        "rate_revolver" => (0.061, 0.083),
        "rate_cash" => (0.008, 0.016),
        "tax_rate" => (0.24, 0.31),
        "payout" => (0.25, 0.45),
        // What is paid back, and the least that is kept.
        _ => (0.02 * sales, 0.04 * sales),
    };
    rng.uniform(low, high)
}

/// That number in one year.
fn spread(key: &str, level: f64, rng: &mut Rng) -> f64 {
    match key {
        "growth" => level + rng.uniform(-0.03, 0.03),
        "gross_margin" => level + rng.uniform(-0.015, 0.015),
        "capex_life" => rng.between(2, 6) as f64,
        "tax_rate" => level,
        _ => level * rng.uniform(0.92, 1.08),
    }
}

/// A trial balance before its year is closed: what was earned stands in the accounts of income and expense.
fn accounts(rng: &mut Rng, sales: f64) -> Vec<LedgerAccount> {
    let mut all = Vec::new();
    let mut credits_missing = 0.0;
    for (number, name, line, side, low, high) in CHART {
        let amount = rounded(sales * rng.uniform(low, high), 1);
        let (debit, credit) = if side == 'D' { (amount, 0.0) } else { (0.0, amount) };
        credits_missing += debit - credit;
        all.push(LedgerAccount { number, name, line, debit, credit });
    }
    let brought_forward = LedgerAccount {
        number: 3100,
        name: "Retained earnings brought forward",
        line: "retained_earnings",
        debit: rounded((-credits_missing).max(0.0), 1),
        credit: rounded(credits_missing.max(0.0), 1),
    };
    all.push(brought_forward);
    all.sort_by_key(|account| account.number);
    all
}

/// The chart of accounts: number, name, line, side, and how large it is as a share of sales.
const CHART: [(u32, &str, &str, char, f64, f64); 29] = [
    (1000, "Bank, current account", "cash", 'D', 0.03, 0.05),
    (1010, "Bank, deposit account", "cash", 'D', 0.01, 0.02),
    (1020, "Bank, payroll account", "cash", 'C', 0.003, 0.008),
    (1200, "Trade receivables", "receivables", 'D', 0.13, 0.16),
    (1210, "Allowance for doubtful receivables", "receivables", 'C', 0.003, 0.006),
    (1300, "Raw materials", "inventory", 'D', 0.05, 0.07),
    (1310, "Finished goods", "inventory", 'D', 0.04, 0.06),
    (1500, "Land", "land", 'D', 0.03, 0.06),
    (1510, "Machinery, at cost", "plant", 'D', 0.32, 0.40),
    (1519, "Machinery, accumulated depreciation", "plant", 'C', 0.14, 0.18),
    (1520, "Vehicles, at cost", "plant", 'D', 0.05, 0.08),
    (1529, "Vehicles, accumulated depreciation", "plant", 'C', 0.02, 0.04),
    (2000, "Trade payables", "payables", 'C', 0.06, 0.08),
    (2100, "Income tax payable", "tax_payable", 'C', 0.01, 0.02),
    (2200, "Revolving credit facility", "revolver", 'C', 0.005, 0.02),
    (2300, "Term loan", "term_loan", 'C', 0.16, 0.22),
    (3000, "Share capital", "share_capital", 'C', 0.06, 0.09),
    (3200, "Dividends paid in the year", "retained_earnings", 'D', 0.01, 0.02),
    (4000, "Sales, domestic", "revenue", 'C', 0.60, 0.70),
    (4010, "Sales, export", "revenue", 'C', 0.32, 0.38),
    (4090, "Returns and rebates", "revenue", 'D', 0.015, 0.03),
    (5000, "Materials", "cogs", 'D', 0.38, 0.42),
    (5010, "Production wages", "cogs", 'D', 0.17, 0.20),
    (6000, "Salaries", "opex", 'D', 0.13, 0.15),
    (6100, "Rent and energy", "opex", 'D', 0.05, 0.06),
    (6500, "Depreciation", "depreciation", 'D', 0.05, 0.06),
    (7000, "Interest paid", "interest", 'D', 0.008, 0.012),
    (7100, "Interest received", "interest", 'C', 0.0005, 0.001),
    (8000, "Income tax", "tax", 'D', 0.01, 0.02),
];

/// To so many decimals, as people write numbers down.
pub(super) fn rounded(number: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (number * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trial_balances_balance_and_every_plan_has_a_leap_year() {
        for seed in 0..50 {
            let (books, _) = ModelBooks::drawn(seed, 3 + seed as usize % 5);
            let off: f64 = books.accounts.iter().map(|account| account.debit - account.credit).sum();
            assert!(off.abs() < 1e-6, "seed {seed}: {off}");
            assert!(books.years().any(|year| year == LEAP_YEAR));
            assert_eq!(ModelBooks::drawn(seed, 3 + seed as usize % 5).0, books);
        }
    }
}
