//! The model as somebody types it into Calc: sheet by sheet, column by column, saved at the end.

use quintain_workspace::PlannedStep;

use super::books::{CONSTANTS, ModelBooks, YEARLY};
use super::forecast::LINES;

/// Rows of the sheet `Model` that only work for others: they come after the lines that have to be told.
const WORKING: [&str; 7] =
    ["land", "plant", "days", "old_depreciation", "new_depreciation", "losses_used", "cash_before_revolver"];

/// Lines of the trial balance that are assets, by the names that they have in the model too.
const ASSETS: [&str; 5] = ["cash", "receivables", "inventory", "land", "plant"];
/// The others that are taken over.
const TAKEN_OVER: [&str; 6] = ["payables", "tax_payable", "revolver", "term_loan", "share_capital", "revenue"];
/// What the result of a year is made of.
const RESULT: [&str; 6] = ["revenue", "cogs", "opex", "depreciation", "interest", "tax"];
const LEFT_SIDE: [&str; 4] = ["cash", "receivables", "inventory", "fixed_assets"];
const RIGHT_SIDE: [&str; 6] =
    ["payables", "tax_payable", "revolver", "term_loan", "share_capital", "retained_earnings"];

/// The cells of a sheet, row by row.
type TypedRows = Vec<Vec<String>>;

/// Everything that is done, from an empty workbook to a saved one.
pub(super) fn steps(books: &ModelBooks) -> Vec<PlannedStep> {
    let sheets = [
        ("TrialBalance", trial_balance(books)),
        ("Assumptions", assumptions(books)),
        ("Constants", constants(books)),
        ("Model", model(books)),
    ];
    let mut steps = Vec::new();
    for (at, (name, rows)) in sheets.into_iter().enumerate() {
        let (entry, title) = if at == 0 { RENAME } else { APPEND };
        steps.extend(named_sheet(entry, title, name));
        steps.extend(typed(&rows));
    }
    steps.extend(saved());
    steps
}

/// Entries of the menu `Sheet`, and the titles of the windows in which they ask for a name.
const RENAME: (&str, &str) = ("Rename Sheet...", "Rename Sheet");
const APPEND: (&str, &str) = ("Insert Sheet at End...", "Append Sheet");

fn named_sheet(entry: &str, title: &str, name: &str) -> Vec<PlannedStep> {
    vec![
        PlannedStep::Click("menu/Sheet".to_owned()),
        PlannedStep::Click(format!("menu item/{entry}")),
        PlannedStep::Await(format!("dialog/{title}")),
        PlannedStep::keys(["ctrl", "a"]),
        PlannedStep::text(format!("{name}\n")),
    ]
}

/// A column is typed at once: the box with the cell's name leads to its top, and every end of a line one cell down. A cell that
/// says nothing would be passed over by an end of line of its own, which Calc may take for one with that before it: it says 0.
fn typed(rows: &TypedRows) -> Vec<PlannedStep> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let column = |at: usize| {
        let cells = rows.iter().map(|row| row.get(at).filter(|cell| !cell.is_empty()).map_or("0", String::as_str));
        let text = cells.collect::<Vec<_>>().join("\n");
        // In a sheet that has just been made the box with the cell's name takes the keyboard too late.
        if at == 0 {
            return [PlannedStep::keys(["ctrl", "Home"]), PlannedStep::text(format!("{text}\n"))];
        }
        [PlannedStep::keys(["ctrl", "shift", "t"]), PlannedStep::text(format!("{}1\n{text}\n", letter(at)))]
    };
    (0..n_columns).flat_map(column).collect()
}

fn saved() -> Vec<PlannedStep> {
    vec![
        PlannedStep::keys(["ctrl", "s"]),
        PlannedStep::Await("file chooser/Save".to_owned()),
        PlannedStep::keys(["ctrl", "a"]),
        PlannedStep::text("/work/output/model.xlsx\n"),
        // Its title says when it is saved.
        PlannedStep::Await("frame/model.xlsx - LibreOffice Calc".to_owned()),
    ]
}

fn trial_balance(books: &ModelBooks) -> TypedRows {
    let amount = |amount: f64| if amount == 0.0 { String::new() } else { format!("{amount:.1}") };
    let head = ["account", "name", "line", "debit", "credit"].map(str::to_owned).to_vec();
    let rows = books.accounts.iter().map(|account| {
        let (debit, credit) = (amount(account.debit), amount(account.credit));
        vec![account.number.to_string(), account.name.to_owned(), account.line.to_owned(), debit, credit]
    });
    std::iter::once(head).chain(rows).collect()
}

fn assumptions(books: &ModelBooks) -> TypedRows {
    let row = |key: &str, unit: &str, rest: Vec<String>| [vec![key.to_owned(), unit.to_owned()], rest].concat();
    let head = row("key", "unit", books.years().map(|year| year.to_string()).collect());
    let rows = YEARLY.map(|(key, unit, _)| row(key, unit, books.yearly[key].iter().map(f64::to_string).collect()));
    std::iter::once(head).chain(rows).collect()
}

fn constants(books: &ModelBooks) -> TypedRows {
    let head = ["key", "value"].map(str::to_owned).to_vec();
    let rows = CONSTANTS.map(|key| vec![key.to_owned(), books.constants[key].to_string()]);
    std::iter::once(head).chain(rows).collect()
}

fn model(books: &ModelBooks) -> TypedRows {
    let typing = ModelTyping { last_row: books.accounts.len() + 1, first_year: books.closed_year + 1 };
    let years = std::iter::once(books.closed_year).chain(books.years());
    let head = std::iter::once("key".to_owned()).chain(years.map(|year| year.to_string())).collect();
    let row = |key: &str| {
        let opening = typing.opening(key);
        let planned = (1..=books.n_years()).map(|column| Some(typing.planned(key, column)));
        let formulas = std::iter::once(opening).chain(planned);
        let cells = formulas.map(|formula| format!("={}", formula.as_deref().unwrap_or("0")));
        std::iter::once(key.to_owned()).chain(cells).collect()
    };
    std::iter::once(head).chain(keys().map(row)).collect()
}

/// What the formulas of a model depend on. Its columns are counted from 0, the year of the books.
struct ModelTyping {
    /// The last row of the trial balance.
    last_row: usize,
    first_year: i64,
}

/// The rows of the sheet `Model` below its head, in order.
fn keys() -> impl Iterator<Item = &'static str> {
    LINES.into_iter().chain(WORKING)
}

/// The letter of a column.
fn letter(column: usize) -> char {
    char::from(b'A' + column as u8)
}

/// A cell of the model.
fn cell(key: &str, column: usize) -> String {
    let row = keys().position(|known| known == key).map_or(0, |at| at + 2);
    format!("{}{row}", letter(column + 1))
}

/// An assumption of a year.
fn given(key: &str, column: usize) -> String {
    let row = YEARLY.iter().position(|(known, ..)| *known == key).map_or(0, |at| at + 2);
    format!("Assumptions.{}{row}", letter(column + 1))
}

fn constant(key: &str) -> String {
    let row = CONSTANTS.iter().position(|known| *known == key).map_or(0, |at| at + 2);
    format!("Constants.$B${row}")
}

fn sum(keys: &[&str], column: usize) -> String {
    keys.iter().map(|key| cell(key, column)).collect::<Vec<_>>().join("+")
}

impl ModelTyping {
    /// The sum of a line in a column of the trial balance.
    fn booked(&self, line: &str, column: char) -> String {
        let last = self.last_row;
        format!("SUMIF(TrialBalance.$C$2:$C${last};\"{line}\";TrialBalance.${column}$2:${column}${last})")
    }

    fn debits(&self, line: &str) -> String {
        format!("{}-{}", self.booked(line, 'D'), self.booked(line, 'E'))
    }

    fn credits(&self, line: &str) -> String {
        format!("{}-{}", self.booked(line, 'E'), self.booked(line, 'D'))
    }

    /// A line of the year that the books are of; nothing where the model does not need it.
    fn opening(&self, key: &str) -> Option<String> {
        Some(match key {
            asset if ASSETS.contains(&asset) => self.debits(asset),
            other if TAKEN_OVER.contains(&other) => self.credits(other),
            "net_income" => RESULT.map(|line| format!("({})", self.credits(line))).join("+"),
            "retained_earnings" => format!("{}+{}", self.credits(key), cell("net_income", 0)),
            "fixed_assets" => sum(&["land", "plant"], 0),
            "total_assets" => sum(&LEFT_SIDE, 0),
            "total_equity_and_liabilities" => sum(&RIGHT_SIDE, 0),
            "tax_losses" => constant("tax_losses"),
            _ => return None,
        })
    }

    /// A line of a year of the plan.
    fn planned(&self, key: &str, column: usize) -> String {
        let now = |key: &str| cell(key, column);
        let before = |key: &str| cell(key, column - 1);
        let given = |key: &str| given(key, column);
        let change = |key: &str| format!("({}-{})", now(key), before(key));
        match key {
            "revenue" => format!("{}*(1+{})", before(key), given("growth")),
            "cogs" => format!("{}*(1-{})", now("revenue"), given("gross_margin")),
            "gross_profit" => format!("{}-{}", now("revenue"), now("cogs")),
            "opex" => format!("{}*{}+{}", now("revenue"), given("opex_share"), given("opex_fixed")),
            "ebitda" => format!("{}-{}", now("gross_profit"), now("opex")),
            "depreciation" => sum(&["old_depreciation", "new_depreciation"], column),
            "ebit" => format!("{}-{}", now("ebitda"), now("depreciation")),
            "net_interest" => {
                let owed = ["term_loan", "revolver"].map(before);
                let rates = [given("rate_loan"), given("rate_revolver"), given("rate_cash")];
                format!("{}*{}+{}*{}-{}*{}", owed[0], rates[0], owed[1], rates[1], before("cash"), rates[2])
            }
            "profit_before_tax" => format!("{}-{}", now("ebit"), now("net_interest")),
            "tax" => format!("{}*(MAX(0;{})-{})", given("tax_rate"), now("profit_before_tax"), now("losses_used")),
            "net_income" => format!("{}-{}", now("profit_before_tax"), now("tax")),
            "cash" => format!("{}+{}", before(key), now("net_change_in_cash")),
            "receivables" => format!("{}*{}/{}", now("revenue"), given("dso"), now("days")),
            "inventory" => format!("{}*{}/{}", now("cogs"), given("dio"), now("days")),
            "fixed_assets" => sum(&["land", "plant"], column),
            "total_assets" => sum(&LEFT_SIDE, column),
            "payables" => format!("{}*{}/{}", now("cogs"), given("dpo"), now("days")),
            "tax_payable" => now("tax"),
            "revolver" => format!("{}+{}", before(key), now("revolver_change")),
            "term_loan" => format!("{}+{}", before(key), now("loan_repayment")),
            "retained_earnings" => format!("{}+{}+{}", before(key), now("net_income"), now("dividends")),
            "total_equity_and_liabilities" => sum(&RIGHT_SIDE, column),
            "cash_from_operations" => {
                let earned = sum(&["net_income", "depreciation"], column);
                let [bound, stock, owed, due] = ["receivables", "inventory", "payables", "tax_payable"].map(change);
                format!("{earned}-{bound}-{stock}+{owed}+{due}")
            }
            "capex" => format!("-{}", given("capex")),
            "cash_from_investing" => now("capex"),
            "dividends" => format!("-{}*MAX(0;{})", given("payout"), before("net_income")),
            "revolver_change" => {
                let missing = format!("{}-{}", given("minimum_cash"), now("cash_before_revolver"));
                format!("MAX({missing};-{})", before("revolver"))
            }
            "loan_repayment" => format!("-MIN({};{})", given(key), before("term_loan")),
            "cash_from_financing" => sum(&["dividends", "loan_repayment", "revolver_change"], column),
            "net_change_in_cash" => {
                sum(&["cash_from_operations", "cash_from_investing", "cash_from_financing"], column)
            }
            "tax_losses" => {
                let loss = format!("MAX(0;-{})", now("profit_before_tax"));
                format!("{}-{}+{loss}", before(key), now("losses_used"))
            }
            "plant" => format!("{}+{}-{}", before(key), given("capex"), now("depreciation")),
            "days" => {
                let year = self.first_year + column as i64 - 1;
                format!("DATE({year};12;31)-DATE({};12;31)", year - 1)
            }
            "old_depreciation" => {
                let life = constant("existing_life");
                format!("MAX(0;MIN(1;{life}-{}))*${}/{life}", column - 1, cell("plant", 0))
            }
            "new_depreciation" => (1..=column).map(|bought| written_off(bought, column)).collect::<Vec<_>>().join("+"),
            "losses_used" => {
                let limit = format!("{}*MAX(0;{})", constant("loss_use_limit"), now("profit_before_tax"));
                format!("MIN({};{limit})", before("tax_losses"))
            }
            "cash_before_revolver" => {
                let flows = ["cash_from_operations", "cash_from_investing", "dividends", "loan_repayment"];
                format!("{}+{}", before("cash"), sum(&flows, column))
            }
            // Land and share capital stay as they are.
            _ => before(key),
        }
    }
}

/// What a year bears of what was bought in one before it, or in itself.
fn written_off(bought: usize, column: usize) -> String {
    let life = given("capex_life", bought);
    let full = format!("{}/{life}", given("capex", bought));
    match column - bought {
        0 => format!("{full}*0.5"),
        later => format!("{full}*MAX(0;MIN(1;{life}-{later}+0.5))"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line that is judged is typed once, and no cell is left out: an end of line alone would be lost.
    #[test]
    fn models_are_whole() {
        for n_years in 3..=8 {
            let (books, _) = ModelBooks::drawn(n_years as u64, n_years);
            let rows = model(&books);
            for line in LINES {
                assert_eq!(rows.iter().filter(|row| row[0] == line).count(), 1, "{line}");
            }
            assert!(rows.iter().all(|row| row.len() == n_years + 2 && row.iter().all(|cell| !cell.is_empty())));
        }
    }

    #[test]
    fn formulas_name_the_cells_of_their_year_and_of_the_one_before() {
        let typing = ModelTyping { last_row: 31, first_year: 2027 };
        assert_eq!(typing.planned("revenue", 2), "C2*(1+Assumptions.D2)");
        assert_eq!(typing.planned("days", 2), "DATE(2028;12;31)-DATE(2027;12;31)");
        assert_eq!(typing.planned("old_depreciation", 1), "MAX(0;MIN(1;Constants.$B$2-0))*$B35/Constants.$B$2");
        assert_eq!(
            typing.planned("new_depreciation", 2),
            "Assumptions.C9/Assumptions.C10*MAX(0;MIN(1;Assumptions.C10-1+0.5))+Assumptions.D9/Assumptions.D10*0.5"
        );
        assert_eq!(typing.opening("ebitda"), None);
    }
}
