//! The books and statements as files: a journal of hledger, statements as two banks export them, and lists.

use std::fmt::Write as _;

use quintain_workspace::InputFiles;

use super::calendar::{iso, month_and_day};
use super::case::{ClosingCase, FirmAccount, LedgerBooking, StatementLine};
use super::terms::{BANK_CODES, PAYABLE, RECEIVABLE};
use super::truth::{ACCOUNTS, eur_of_booking};
use crate::texts::texts;

pub(super) fn of(case: &ClosingCase) -> InputFiles {
    let files = [
        ("books.journal", journal(case)),
        ("bank-eur.csv", eur_statement(case)),
        ("bank-usd.csv", usd_statement(case)),
        ("outstanding-before.csv", outstanding_before(case)),
        ("rates.csv", rates(case)),
        ("posting-rules.csv", posting_rules()),
    ];
    texts(files)
}

/// Cents with a point.
pub(super) fn plain(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

/// Cents with groups of three digits.
fn grouped(cents: i64, group: char, point: char) -> String {
    let whole = (cents.abs() / 100).to_string();
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(group);
        }
        out.push(digit);
    }
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{out}{point}{:02}", cents.abs() % 100)
}

fn journal(case: &ClosingCase) -> String {
    let mut out = String::from("; General ledger of Varnholt Optik GmbH. Functional currency: EUR.\n\n");
    for account in ACCOUNTS {
        writeln!(out, "account {account}").ok();
    }
    out.push_str("\ncommodity 1000.00 EUR\ncommodity 1000.00 USD\n\n");
    out.push_str(&opening(case));
    let mut entries: Vec<(i64, String)> = Vec::new();
    let first = case.period.first;
    for invoice in case.invoices.iter().filter(|invoice| invoice.day >= first) {
        let (account, other) =
            if invoice.amount > 0 { (RECEIVABLE, "revenue:sales") } else { (PAYABLE, "expenses:materials") };
        let heading = format!("{} ({}) {} | invoice", iso(invoice.day), invoice.number, invoice.party);
        let body = posting(account, invoice.amount, Some(&invoice.number)) + &posting(other, -invoice.amount, None);
        entries.push((invoice.day, format!("{heading}\n{body}\n")));
    }
    let bookings = case.bookings.iter().filter(|booking| booking.day >= first);
    let mut bookings: Vec<&LedgerBooking> = bookings.collect();
    bookings.sort_by(|a, b| a.document.cmp(&b.document));
    entries.extend(bookings.into_iter().map(|booking| (booking.day, booked(case, booking))));
    for sundry in &case.sundries {
        let heading = format!("{} ({}) {}", iso(sundry.day), sundry.document, sundry.about);
        let body = posting(sundry.debit, sundry.amount, None) + &posting(sundry.credit, -sundry.amount, None);
        entries.push((sundry.day, format!("{heading}\n{body}\n")));
    }
    entries.sort_by_key(|(day, _)| *day);
    out + &entries.into_iter().map(|(_, entry)| entry).collect::<String>()
}

fn opening(case: &ClosingCase) -> String {
    let mut out = format!("{} (OPEN) opening balances\n", iso(case.period.first));
    out.push_str(&posting("assets:bank:eur", case.opening_eur, None));
    let (usd, cost) = (plain(case.opening_usd), plain(case.opening_usd_cost));
    writeln!(out, "    {:<28}{usd:>14} USD @@ {cost} EUR", "assets:bank:usd").ok();
    for invoice in case.invoices.iter().filter(|invoice| invoice.day < case.period.first) {
        let account = if invoice.amount > 0 { RECEIVABLE } else { PAYABLE };
        out.push_str(&posting(account, invoice.amount, Some(&invoice.number)));
    }
    for (account, amount) in super::truth::OPENING {
        out.push_str(&posting(account, amount, None));
    }
    out + "    equity:capital\n\n"
}

fn booked(case: &ClosingCase, booking: &LedgerBooking) -> String {
    let what = if booking.amount > 0 { "receipt" } else { "payment" };
    let heading =
        format!("{} ({}) {} | {what} {}", iso(booking.day), booking.document, booking.party, booking.reference);
    let eur = eur_of_booking(case, booking);
    let is_trade = [RECEIVABLE, PAYABLE].contains(&booking.counter);
    let invoice = is_trade.then_some(booking.reference.as_str());
    let bank = match booking.account {
        FirmAccount::Eur => posting("assets:bank:eur", eur, None),
        FirmAccount::Usd => {
            let cost = plain(eur.abs());
            format!("    {:<28}{:>14} USD @@ {cost} EUR\n", "assets:bank:usd", plain(booking.amount))
        }
    };
    format!("{heading}\n{bank}{}\n", posting(booking.counter, -eur, invoice))
}

fn posting(account: &str, cents: i64, invoice: Option<&str>) -> String {
    let tag = invoice.map(|number| format!("  ; invoice:{number}")).unwrap_or_default();
    format!("    {account:<28}{:>14} EUR{tag}\n", plain(cents))
}

fn lines_of(case: &ClosingCase, account: FirmAccount) -> Vec<&StatementLine> {
    let mut lines: Vec<&StatementLine> = case.lines.iter().filter(|line| line.account == account).collect();
    lines.sort_by(|a, b| a.id.cmp(&b.id));
    lines
}

fn eur_statement(case: &ClosingCase) -> String {
    let mut balance = super::truth::statement_opening(case, FirmAccount::Eur);
    let date = |day: i64| {
        let (month, day) = month_and_day(day);
        format!("{day:02}.{month:02}.2025")
    };
    let mut out = String::from("Line;Booking date;Value date;Code;Counterparty;Purpose;Amount;Balance\r\n");
    let first = date(case.period.first);
    write!(out, ";{first};{first};;;opening balance;;{}\r\n", grouped(balance, '.', ',')).ok();
    for line in lines_of(case, FirmAccount::Eur) {
        balance += line.amount;
        let dates = format!("{};{}", date(line.day), date(line.value_day));
        let amounts = format!("{};{}", grouped(line.amount, '.', ','), grouped(balance, '.', ','));
        write!(out, "{};{dates};{};{};{};{amounts}\r\n", line.id, line.code, line.party, line.text).ok();
    }
    out
}

fn usd_statement(case: &ClosingCase) -> String {
    let mut balance = super::truth::statement_opening(case, FirmAccount::Usd);
    let date = |day: i64| {
        let (month, day) = month_and_day(day);
        format!("{month:02}/{day:02}/2025")
    };
    let mut out = String::from("Line,Posted (MM/DD/YYYY),Effective (MM/DD/YYYY),Code,Description,Amount,Balance\n");
    let first = date(case.period.first);
    writeln!(out, ",{first},{first},,opening balance,,\"{}\"", grouped(balance, ',', '.')).ok();
    for line in lines_of(case, FirmAccount::Usd) {
        balance += line.amount;
        let dates = format!("{},{}", date(line.day), date(line.value_day));
        let amounts = format!("\"{}\",\"{}\"", grouped(line.amount, ',', '.'), grouped(balance, ',', '.'));
        let about = format!("\"{}, {}\"", line.party, line.text).to_uppercase();
        writeln!(out, "{},{dates},{},{about},{amounts}", line.id, line.code).ok();
    }
    out
}

fn outstanding_before(case: &ClosingCase) -> String {
    let mut out = String::from("document,date,reference,party,amount\n");
    let mut old: Vec<&LedgerBooking> = case.bookings.iter().filter(|booking| booking.day < case.period.first).collect();
    old.sort_by(|a, b| (a.day, &a.document).cmp(&(b.day, &b.document)));
    for one in old {
        let date = iso(one.day);
        writeln!(out, "{},{date},{},{},{}", one.document, one.reference, one.party, plain(one.amount)).ok();
    }
    out
}

fn rates(case: &ClosingCase) -> String {
    let mut out = String::from("date,usd_per_eur\n");
    for (day, rate) in &case.rates {
        writeln!(out, "{},{}.{:04}", iso(*day), rate / 10_000, rate % 10_000).ok();
    }
    out
}

fn posting_rules() -> String {
    let mut out = String::from("code,account,about\n");
    for (code, account, about) in BANK_CODES {
        writeln!(out, "{code},{account},\"{about}\"").ok();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_each_file_has_them() {
        assert_eq!(plain(-5), "-0.05");
        assert_eq!(grouped(123_456_789, '.', ','), "1.234.567,89");
        assert_eq!(grouped(-100_000, ',', '.'), "-1,000.00");
        assert_eq!(grouped(99_999, ',', '.'), "999.99");
    }
}
