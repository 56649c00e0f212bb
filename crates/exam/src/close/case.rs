//! What books and bank say of a month, and where they differ.

use super::calendar::ClosingPeriod;

/// A bank account of the firm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FirmAccount {
    Eur,
    Usd,
}

/// An invoice to a customer or from a supplier.
#[derive(Clone, Debug)]
pub(super) struct TradeInvoice {
    pub(super) number: String,
    pub(super) day: i64,
    pub(super) party: &'static str,
    /// Cents, positive where the customer owes them, negative where the firm does.
    pub(super) amount: i64,
}

/// A document of the books that moves money on a bank account.
#[derive(Clone, Debug)]
pub(super) struct LedgerBooking {
    pub(super) document: String,
    pub(super) day: i64,
    pub(super) account: FirmAccount,
    /// The invoice or order that it names.
    pub(super) reference: String,
    pub(super) party: &'static str,
    /// Cents of the account's currency, as booked; positive is money in.
    pub(super) amount: i64,
    /// Where the other side of it went.
    pub(super) counter: &'static str,
}

/// A line of a bank statement.
#[derive(Clone, Debug)]
pub(super) struct StatementLine {
    pub(super) id: String,
    pub(super) day: i64,
    pub(super) value_day: i64,
    pub(super) account: FirmAccount,
    pub(super) amount: i64,
    pub(super) code: &'static str,
    pub(super) party: &'static str,
    pub(super) text: String,
}

/// What kind of difference there is between books and bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DifferenceKind {
    Duplicate,
    Transposed,
    Short,
    Returned,
    Unbooked,
    CutOff,
    Outstanding,
}

impl DifferenceKind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Transposed => "transposed",
            Self::Short => "short",
            Self::Returned => "returned",
            Self::Unbooked => "unbooked",
            Self::CutOff => "cut-off",
            Self::Outstanding => "outstanding",
        }
    }
}

/// Which document or line a difference lies in, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DifferenceItem {
    Booking(usize),
    Line(usize),
}

/// A difference between books and bank at the end of the month.
#[derive(Clone, Debug)]
pub(super) struct BookDifference {
    pub(super) item: DifferenceItem,
    pub(super) account: FirmAccount,
    pub(super) kind: DifferenceKind,
    /// Cents of the account's currency: what the books lack, or for what is outstanding what the statement lacks.
    pub(super) amount: i64,
    /// Where the other side of a correction goes.
    pub(super) counter: &'static str,
    /// The invoice whose open amount a correction changes.
    pub(super) invoice: Option<String>,
    /// The day whose rate a correction is valued at.
    pub(super) rate_day: i64,
}

/// A document of the books that moves no money.
#[derive(Clone, Debug)]
pub(super) struct SundryEntry {
    pub(super) document: String,
    pub(super) day: i64,
    pub(super) about: &'static str,
    pub(super) debit: &'static str,
    pub(super) credit: &'static str,
    pub(super) amount: i64,
}

/// A month of books and bank.
#[derive(Clone, Debug)]
pub(super) struct ClosingCase {
    pub(super) period: ClosingPeriod,
    pub(super) invoices: Vec<TradeInvoice>,
    /// Those before the month are outstanding from the month before.
    pub(super) bookings: Vec<LedgerBooking>,
    pub(super) lines: Vec<StatementLine>,
    pub(super) sundries: Vec<SundryEntry>,
    pub(super) differences: Vec<BookDifference>,
    /// What the books say at the start of the month, in cents of each currency.
    pub(super) opening_eur: i64,
    pub(super) opening_usd: i64,
    /// What the dollars of the opening cost, in cents of euro.
    pub(super) opening_usd_cost: i64,
    /// Dollars for a euro by day, in hundredths of a hundredth.
    pub(super) rates: Vec<(i64, i64)>,
}

impl ClosingCase {
    pub(super) fn item(&self, item: DifferenceItem) -> &str {
        match item {
            DifferenceItem::Booking(at) => &self.bookings[at].document,
            DifferenceItem::Line(at) => &self.lines[at].id,
        }
    }

    /// The rate of a day, or of the last day before it that has one.
    pub(super) fn rate(&self, day: i64) -> i64 {
        self.rates.iter().rev().find(|(of, _)| *of <= day).map_or(10_000, |(_, rate)| *rate)
    }

    /// Euro cents of dollar cents at a day's rate, half a cent away from zero.
    pub(super) fn in_eur(&self, usd: i64, day: i64) -> i64 {
        let rate = self.rate(day);
        usd.signum() * ((2 * usd.abs() * 10_000 + rate) / (2 * rate))
    }

    /// What a movement is worth in euro cents.
    pub(super) fn eur_of(&self, account: FirmAccount, amount: i64, day: i64) -> i64 {
        match account {
            FirmAccount::Eur => amount,
            FirmAccount::Usd => self.in_eur(amount, day),
        }
    }

    /// Numbers documents and lines by their days.
    pub(super) fn number(&mut self) {
        let mut order: Vec<usize> = (0..self.bookings.len()).collect();
        order.sort_by_key(|at| (self.bookings[*at].day, *at));
        let (mut receipts, mut payments) = (400, 700);
        for at in order {
            let booking = &mut self.bookings[at];
            let (prefix, next) = if booking.amount > 0 { ("R", &mut receipts) } else { ("P", &mut payments) };
            *next += 1;
            booking.document = format!("{prefix}-{next:04}");
        }
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by_key(|at| (self.lines[*at].day, *at));
        let (mut eur, mut usd) = (0, 0);
        for at in order {
            let line = &mut self.lines[at];
            let (prefix, next) = if line.account == FirmAccount::Eur { ("E", &mut eur) } else { ("U", &mut usd) };
            *next += 1;
            line.id = format!("{prefix}{next:04}");
        }
    }
}
