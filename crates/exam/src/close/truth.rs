//! What is right of a month: what the differences were planted as, and the books that follow from them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::case::{BookDifference, ClosingCase, DifferenceKind, FirmAccount, LedgerBooking};
use super::terms::{PAYABLE, RECEIVABLE};

/// All accounts of the books.
pub(super) const ACCOUNTS: [&str; 19] = [
    "assets:bank:eur",
    "assets:bank:usd",
    "assets:equipment",
    "assets:receivable",
    "assets:stock",
    "equity:capital",
    "expenses:bank-charges",
    "expenses:depreciation",
    "expenses:exchange",
    "expenses:insurance",
    "expenses:leasing",
    "expenses:materials",
    "expenses:payroll",
    "expenses:software",
    "liabilities:payable",
    "liabilities:payroll",
    "revenue:interest",
    "revenue:online",
    "revenue:sales",
];
/// What else the books open with, in cents.
pub(super) const OPENING: [(&str, i64); 2] = [("assets:equipment", 4_812_000), ("assets:stock", 3_377_540)];
const EXCHANGE: &str = "expenses:exchange";
/// What the entry of the revaluation is called.
const REVALUATION: &str = "REVAL";

/// What is right, as tables and a record.
pub(super) struct ClosingTruth {
    pub(super) reconciliation: Value,
    pub(super) adjustments: Value,
    pub(super) trial_balance: Value,
    pub(super) open_items: Value,
    pub(super) summary: Value,
}

/// Euro cents by account.
type AccountSums = BTreeMap<&'static str, i64>;

pub(super) fn eur_of_booking(case: &ClosingCase, booking: &LedgerBooking) -> i64 {
    case.eur_of(booking.account, booking.amount, booking.day)
}

/// What a statement opens with: the books without what had not reached the bank.
pub(super) fn statement_opening(case: &ClosingCase, account: FirmAccount) -> i64 {
    let old = case.bookings.iter().filter(|booking| booking.day < case.period.first && booking.account == account);
    opening(case, account) - old.map(|booking| booking.amount).sum::<i64>()
}

fn opening(case: &ClosingCase, account: FirmAccount) -> i64 {
    if account == FirmAccount::Eur { case.opening_eur } else { case.opening_usd }
}

/// What the bank says at the end of the month.
pub(super) fn statement_end(case: &ClosingCase, account: FirmAccount) -> i64 {
    let lines = case.lines.iter().filter(|line| line.account == account && line.day <= case.period.last);
    statement_opening(case, account) + lines.map(|line| line.amount).sum::<i64>()
}

/// What the books said at the end of the month before they were mended.
pub(super) fn book_before(case: &ClosingCase, account: FirmAccount) -> i64 {
    let of_month = of_month(case).filter(|booking| booking.account == account);
    opening(case, account) + of_month.map(|booking| booking.amount).sum::<i64>()
}

/// The sum of what is outstanding, or of everything else.
pub(super) fn differences(case: &ClosingCase, account: FirmAccount, is_outstanding: fn(DifferenceKind) -> bool) -> i64 {
    let of = case.differences.iter().filter(|one| one.account == account && is_outstanding(one.kind));
    of.map(|one| one.amount).sum()
}

pub(super) fn is_outstanding(kind: DifferenceKind) -> bool {
    kind == DifferenceKind::Outstanding
}

pub(super) fn is_correction(kind: DifferenceKind) -> bool {
    kind != DifferenceKind::Outstanding
}

fn of_month(case: &ClosingCase) -> impl Iterator<Item = &LedgerBooking> {
    case.bookings.iter().filter(|booking| (case.period.first..=case.period.last).contains(&booking.day))
}

fn bank(account: FirmAccount) -> &'static str {
    if account == FirmAccount::Eur { "assets:bank:eur" } else { "assets:bank:usd" }
}

/// A correction in euro cents. What a document of the books is off by is valued as the document was.
fn correction(case: &ClosingCase, one: &BookDifference) -> i64 {
    case.eur_of(one.account, one.amount, one.rate_day)
}

/// The books at the end of the month as they were.
fn before(case: &ClosingCase) -> AccountSums {
    let mut sums: AccountSums = ACCOUNTS.iter().map(|account| (*account, 0)).collect();
    let mut add = |account: &'static str, cents: i64| *sums.entry(account).or_default() += cents;
    let mut open = vec![("assets:bank:eur", case.opening_eur), ("assets:bank:usd", case.opening_usd_cost)];
    open.extend(OPENING);
    for invoice in case.invoices.iter().filter(|invoice| invoice.day <= case.period.last) {
        let (account, other) =
            if invoice.amount > 0 { (RECEIVABLE, "revenue:sales") } else { (PAYABLE, "expenses:materials") };
        if invoice.day < case.period.first {
            open.push((account, invoice.amount));
        } else {
            add(account, invoice.amount);
            add(other, -invoice.amount);
        }
    }
    for (account, cents) in open {
        add(account, cents);
        add("equity:capital", -cents);
    }
    for booking in of_month(case) {
        let eur = eur_of_booking(case, booking);
        add(bank(booking.account), eur);
        add(booking.counter, -eur);
    }
    for sundry in case.sundries.iter().filter(|sundry| sundry.day <= case.period.last) {
        add(sundry.debit, sundry.amount);
        add(sundry.credit, -sundry.amount);
    }
    sums
}

/// The entries that mend the books: item, account, euro cents.
fn entries(case: &ClosingCase, before: &AccountSums) -> Vec<(String, &'static str, i64)> {
    let mut all = Vec::new();
    for one in case.differences.iter().filter(|one| is_correction(one.kind)) {
        let eur = correction(case, one);
        all.push((case.item(one.item).to_owned(), bank(one.account), eur));
        all.push((case.item(one.item).to_owned(), one.counter, -eur));
    }
    let usd_bank = bank(FirmAccount::Usd);
    let corrected: i64 = all.iter().filter(|(_, account, _)| *account == usd_bank).map(|(_, _, eur)| eur).sum();
    let cost = before.get(usd_bank).copied().unwrap_or_default() + corrected;
    let gain = case.in_eur(usd_after(case), case.period.last) - cost;
    all.push((REVALUATION.to_owned(), usd_bank, gain));
    all.push((REVALUATION.to_owned(), EXCHANGE, -gain));
    all
}

fn usd_after(case: &ClosingCase) -> i64 {
    book_before(case, FirmAccount::Usd) + differences(case, FirmAccount::Usd, is_correction)
}

/// What remains of every invoice, in euro cents.
fn open_items(case: &ClosingCase) -> BTreeMap<&str, i64> {
    let invoices = case.invoices.iter().filter(|invoice| invoice.day <= case.period.last);
    let mut open: BTreeMap<&str, i64> = invoices.map(|invoice| (invoice.number.as_str(), invoice.amount)).collect();
    let paid = of_month(case).map(|booking| (booking.reference.as_str(), booking.amount));
    let corrected = case.differences.iter().filter(|one| is_correction(one.kind));
    let corrected = corrected.filter_map(|one| Some((one.invoice.as_deref()?, one.amount)));
    for (number, amount) in paid.chain(corrected) {
        if let Some(left) = open.get_mut(number) {
            *left -= amount;
        }
    }
    open.retain(|_, left| *left != 0);
    open
}

pub(super) fn of(case: &ClosingCase) -> ClosingTruth {
    let mut sums = before(case);
    let entries = entries(case, &sums);
    for (_, account, eur) in &entries {
        *sums.entry(account).or_default() += eur;
    }
    let difference = |one: &BookDifference| {
        let currency = if one.account == FirmAccount::Eur { "EUR" } else { "USD" };
        let item = case.item(one.item);
        json!({ "item": item, "currency": currency, "kind": one.kind.word(), "amount": euros(one.amount) })
    };
    let entry =
        |(item, account, eur): &(String, &str, i64)| json!({ "item": item, "account": account, "amount": euros(*eur) });
    let balance = |(account, eur): (&&str, &i64)| json!({ "account": account, "balance": euros(*eur) });
    let left = |(number, eur): (&str, i64)| json!({ "invoice": number, "open": euros(eur) });
    ClosingTruth {
        reconciliation: table(&["item"], &["currency", "kind"], "amount", case.differences.iter().map(difference)),
        adjustments: table(&["item", "account"], &[], "amount", entries.iter().map(entry)),
        trial_balance: table(&["account"], &[], "balance", sums.iter().map(balance)),
        open_items: table(&["invoice"], &[], "open", open_items(case).into_iter().map(left)),
        summary: summary(case, &sums),
    }
}

fn summary(case: &ClosingCase, sums: &AccountSums) -> Value {
    let mut fields = BTreeMap::new();
    for (account, word) in [(FirmAccount::Eur, "eur"), (FirmAccount::Usd, "usd")] {
        let before = book_before(case, account);
        fields.insert(format!("{word}_statement"), statement_end(case, account));
        fields.insert(format!("{word}_outstanding"), differences(case, account, is_outstanding));
        fields.insert(format!("{word}_book_before"), before);
        fields.insert(format!("{word}_book_after"), before + differences(case, account, is_correction));
    }
    let of_result = |account: &str| account.starts_with("revenue:") || account.starts_with("expenses:");
    let result: i64 = sums.iter().filter(|(account, _)| of_result(account)).map(|(_, eur)| eur).sum();
    fields.insert("profit".to_owned(), -result);
    let types: BTreeMap<&String, Value> = fields.keys().map(|name| (name, cents())).collect();
    let shown: BTreeMap<&String, Value> = fields.iter().map(|(name, value)| (name, euros(*value))).collect();
    json!({ "fields": shown, "types": types })
}

fn table(key: &[&str], others: &[&str], amount: &str, rows: impl Iterator<Item = Value>) -> Value {
    let mut columns: BTreeMap<&str, Value> = key.iter().chain(others).map(|name| (*name, json!("exact"))).collect();
    columns.insert(amount, cents());
    json!({ "columns": columns, "key": key, "rows": rows.collect::<Vec<_>>() })
}

/// Amounts are right to the cent.
fn cents() -> Value {
    json!({ "type": "number", "digits": 2, "decimal": "point" })
}

fn euros(cents: i64) -> Value {
    json!(cents as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn books_and_bank_agree_once_all_differences_are_known() {
        for seed in 0..50 {
            let case = ClosingCase::drawn(seed, 40, 2);
            for account in [FirmAccount::Eur, FirmAccount::Usd] {
                let bank = statement_end(&case, account) + differences(&case, account, is_outstanding);
                let books = book_before(&case, account) + differences(&case, account, is_correction);
                assert_eq!(bank, books, "seed {seed}, {account:?}");
            }
            let mut sums = before(&case);
            assert_eq!(sums.values().sum::<i64>(), 0, "seed {seed}");
            for (_, account, eur) in entries(&case, &sums.clone()) {
                *sums.entry(account).or_default() += eur;
            }
            assert_eq!(sums.values().sum::<i64>(), 0, "seed {seed}");
            let open: i64 = open_items(&case).values().sum();
            assert_eq!(open, sums[RECEIVABLE] + sums[PAYABLE], "seed {seed}");
            assert_eq!(sums[bank(FirmAccount::Usd)], case.in_eur(usd_after(&case), case.period.last), "seed {seed}");
        }
    }

    #[test]
    fn every_month_is_another_and_every_kind_is_there() {
        let mut seen = BTreeSet::new();
        for seed in 0..50 {
            let case = ClosingCase::drawn(seed, 30, 1);
            let kinds: BTreeSet<DifferenceKind> = case.differences.iter().map(|one| one.kind).collect();
            assert_eq!(kinds.len(), 7, "seed {seed}");
            seen.insert(of(&case).summary.to_string());
        }
        assert_eq!(seen.len(), 50);
    }

    #[test]
    fn what_is_open_is_what_the_customer_did_not_pay() {
        let case = ClosingCase::drawn(7, 30, 2);
        let open = open_items(&case);
        for one in &case.differences {
            let Some(number) = one.invoice.as_deref() else { continue };
            let left = open.get(number).copied();
            match one.kind {
                DifferenceKind::Short | DifferenceKind::Returned => assert_eq!(left, Some(-one.amount), "{number}"),
                _ => assert_eq!(left, None, "{number}: {:?}", one.kind),
            }
        }
    }

    /// The ways that go wrong by the truth's own reckoning: without an end of the month, and with one entry for all.
    #[test]
    fn wrong_ways_differ_from_the_truth() {
        for seed in 0..50 {
            let case = ClosingCase::drawn(seed, 30, 1);
            let all: i64 = case.bookings.iter().filter(|one| one.day >= case.period.first).map(|one| one.amount).sum();
            let of_the_month: i64 = of_month(&case).map(|one| one.amount).sum();
            assert_ne!(all, of_the_month, "seed {seed}");
            let n_corrections = case.differences.iter().filter(|one| is_correction(one.kind)).count();
            assert!(n_corrections > 10, "seed {seed}: {n_corrections}");
            assert_ne!(case.in_eur(100_000, case.period.last), 100_000 * case.rate(case.period.last) / 10_000);
        }
    }
}
