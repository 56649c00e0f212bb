//! What is right: the statements of every year, worked out from the books and what is assumed.

use std::collections::BTreeMap;

use super::books::ModelBooks;

/// The lines that a model has to tell of each year.
pub(super) const LINES: [&str; 32] = [
    "revenue",
    "cogs",
    "gross_profit",
    "opex",
    "ebitda",
    "depreciation",
    "ebit",
    "net_interest",
    "profit_before_tax",
    "tax",
    "net_income",
    "cash",
    "receivables",
    "inventory",
    "fixed_assets",
    "total_assets",
    "payables",
    "tax_payable",
    "revolver",
    "term_loan",
    "share_capital",
    "retained_earnings",
    "total_equity_and_liabilities",
    "cash_from_operations",
    "capex",
    "cash_from_investing",
    "dividends",
    "revolver_change",
    "loan_repayment",
    "cash_from_financing",
    "net_change_in_cash",
    "tax_losses",
];

/// One line of one year.
pub(super) type YearLines = BTreeMap<&'static str, f64>;

/// What a year leaves to the next.
#[derive(Clone, Copy, Debug)]
struct CarriedForward {
    revenue: f64,
    net_income: f64,
    cash: f64,
    receivables: f64,
    inventory: f64,
    plant: f64,
    payables: f64,
    tax_payable: f64,
    revolver: f64,
    term_loan: f64,
    retained_earnings: f64,
    tax_losses: f64,
}

/// The statements of every year of the plan.
pub(super) fn of(books: &ModelBooks) -> Vec<YearLines> {
    let mut carried = closed(books);
    let mut all = Vec::new();
    for at in 0..books.n_years() {
        let (lines, next) = year(books, at, carried);
        carried = next;
        all.push(lines);
    }
    all
}

/// The books, closed.
fn closed(books: &ModelBooks) -> CarriedForward {
    let asset = |line| books.debits_of(line);
    let claim = |line| -books.debits_of(line);
    let net_income = ["revenue", "cogs", "opex", "depreciation", "interest", "tax"].map(claim).iter().sum();
    CarriedForward {
        revenue: claim("revenue"),
        net_income,
        cash: asset("cash"),
        receivables: asset("receivables"),
        inventory: asset("inventory"),
        plant: asset("plant"),
        payables: claim("payables"),
        tax_payable: claim("tax_payable"),
        revolver: claim("revolver"),
        term_loan: claim("term_loan"),
        retained_earnings: claim("retained_earnings") + net_income,
        tax_losses: books.constants["tax_losses"],
    }
}

fn year(books: &ModelBooks, at: usize, opening: CarriedForward) -> (YearLines, CarriedForward) {
    let given = |key: &str| books.yearly[key][at];
    let days = days_in(books.closed_year + 1 + at as i64);
    let revenue = opening.revenue * (1.0 + given("growth"));
    let cogs = revenue * (1.0 - given("gross_margin"));
    let opex = revenue * given("opex_share") + given("opex_fixed");
    let depreciation = depreciation(books, at);
    let ebitda = revenue - cogs - opex;
    let net_interest = opening.term_loan * given("rate_loan") + opening.revolver * given("rate_revolver")
        - opening.cash * given("rate_cash");
    let before_tax = ebitda - depreciation - net_interest;
    let losses_used = opening.tax_losses.min(books.constants["loss_use_limit"] * before_tax.max(0.0));
    let tax = given("tax_rate") * (before_tax.max(0.0) - losses_used);
    let mut next = CarriedForward {
        revenue,
        net_income: before_tax - tax,
        receivables: revenue * given("dso") / days,
        inventory: cogs * given("dio") / days,
        payables: cogs * given("dpo") / days,
        plant: opening.plant + given("capex") - depreciation,
        tax_payable: tax,
        tax_losses: opening.tax_losses - losses_used + (-before_tax).max(0.0),
        ..opening
    };
    let mut lines: YearLines = [
        ("revenue", revenue),
        ("cogs", cogs),
        ("gross_profit", revenue - cogs),
        ("opex", opex),
        ("ebitda", ebitda),
        ("depreciation", depreciation),
        ("ebit", ebitda - depreciation),
        ("net_interest", net_interest),
        ("profit_before_tax", before_tax),
        ("tax", tax),
        ("net_income", next.net_income),
    ]
    .into();
    lines.extend(cash_flow(given, depreciation, opening, &mut next));
    lines.extend(balance_sheet(books, next));
    (lines, next)
}

/// Where the money came from and went to. What it leaves is carried forward.
fn cash_flow(
    given: impl Fn(&str) -> f64,
    depreciation: f64,
    opening: CarriedForward,
    next: &mut CarriedForward,
) -> [(&'static str, f64); 8] {
    let tied_up = |now: CarriedForward| now.receivables + now.inventory - now.payables - now.tax_payable;
    let operations = next.net_income + depreciation - (tied_up(*next) - tied_up(opening));
    let dividends = -given("payout") * opening.net_income.max(0.0);
    let repayment = -given("loan_repayment").min(opening.term_loan);
    let before_revolver = opening.cash + operations - given("capex") + dividends + repayment;
    // As much as is missing is drawn; as much as is to spare is paid back, until nothing is owed.
    let drawn = (given("minimum_cash") - before_revolver).max(-opening.revolver);
    next.cash = before_revolver + drawn;
    next.revolver = opening.revolver + drawn;
    next.term_loan = opening.term_loan + repayment;
    next.retained_earnings = opening.retained_earnings + next.net_income + dividends;
    [
        ("cash_from_operations", operations),
        ("capex", -given("capex")),
        ("cash_from_investing", -given("capex")),
        ("dividends", dividends),
        ("revolver_change", drawn),
        ("loan_repayment", repayment),
        ("cash_from_financing", dividends + repayment + drawn),
        ("net_change_in_cash", next.cash - opening.cash),
    ]
}

fn balance_sheet(books: &ModelBooks, now: CarriedForward) -> [(&'static str, f64); 13] {
    let fixed_assets = books.debits_of("land") + now.plant;
    let share_capital = -books.debits_of("share_capital");
    let owed = now.payables + now.tax_payable + now.revolver + now.term_loan;
    [
        ("cash", now.cash),
        ("receivables", now.receivables),
        ("inventory", now.inventory),
        ("fixed_assets", fixed_assets),
        ("total_assets", now.cash + now.receivables + now.inventory + fixed_assets),
        ("payables", now.payables),
        ("tax_payable", now.tax_payable),
        ("revolver", now.revolver),
        ("term_loan", now.term_loan),
        ("share_capital", share_capital),
        ("retained_earnings", now.retained_earnings),
        ("total_equity_and_liabilities", owed + share_capital + now.retained_earnings),
        ("tax_losses", now.tax_losses),
    ]
}

/// What is written off in a year: of what was there from the start, and of what was bought since, half a year's worth in the
/// year of its purchase and half in the year after its life.
fn depreciation(books: &ModelBooks, at: usize) -> f64 {
    let life = books.constants["existing_life"];
    let old = books.debits_of("plant") / life * (life - at as f64).clamp(0.0, 1.0);
    let share = |bought: usize| {
        let (age, life) = ((at - bought) as f64, books.yearly["capex_life"][bought]);
        if at == bought { 0.5 } else { (life - age + 0.5).clamp(0.0, 1.0) }
    };
    let of = |bought: usize| books.yearly["capex"][bought] / books.yearly["capex_life"][bought] * share(bought);
    old + (0..=at).map(of).sum::<f64>()
}

fn days_in(year: i64) -> f64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if is_leap { 366.0 } else { 365.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_tie_whatever_is_assumed() {
        for seed in 0..50 {
            let (books, cases) = ModelBooks::drawn(seed, 5);
            for changes in [&Vec::new()].into_iter().chain(&cases.0) {
                for lines in of(&changes.iter().fold(books.clone(), |books, change| change.made(books))) {
                    let off = lines["total_assets"] - lines["total_equity_and_liabilities"];
                    assert!(off.abs() < 1e-6, "seed {seed}: {off}");
                    assert!(LINES.iter().all(|line| lines[line].is_finite()) && lines.len() == LINES.len());
                    assert!(lines["revolver"] >= 0.0 && lines["term_loan"] >= 0.0);
                }
            }
        }
    }

    #[test]
    fn what_is_bought_is_written_off_over_its_life() {
        let (mut books, _) = ModelBooks::drawn(1, 6);
        books.constants.insert("existing_life", 1.5);
        books.yearly.insert("capex", vec![120.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        books.yearly.insert("capex_life", vec![3.0; 6]);
        let plant = books.debits_of("plant");
        let told: Vec<f64> = (0..6).map(|at| depreciation(&books, at)).collect();
        let wanted = [plant / 1.5 + 20.0, plant / 3.0 + 40.0, 40.0, 20.0, 0.0, 0.0];
        assert!(told.iter().zip(wanted).all(|(told, wanted)| (told - wanted).abs() < 1e-9), "{told:?}");
    }
}
