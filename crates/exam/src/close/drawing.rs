//! A month of books and bank from a seed, with every difference planted on purpose.

use std::collections::BTreeSet;

use quintain_core::Rng;

use super::calendar::{ClosingPeriod, is_weekend};
use super::case::{
    BookDifference, ClosingCase, DifferenceItem, DifferenceKind, FirmAccount, LedgerBooking, StatementLine,
    SundryEntry, TradeInvoice,
};
use super::terms::{
    BANK_CODES, CUSTOMERS, MARKETS, PAYABLE, PLATFORMS, RECEIVABLE, SUPPLIERS, bank_text, neighbours_swapped,
};

/// How a piece of business shows in books and bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TradeStory {
    Plain,
    Silent,
    Duplicate,
    Twins,
    Transposed,
    Short,
    Split,
    SplitOverEnd,
    Batch,
    InTransit,
    Uncashed,
    CutOff,
    Returned,
    PriorCleared,
    PriorLate,
    PriorLost,
    Unsettled,
    NextMonth,
    BookedFee,
    BankOnly,
}

const PLANTED: [TradeStory; 19] = [
    TradeStory::Silent,
    TradeStory::Duplicate,
    TradeStory::Twins,
    TradeStory::Transposed,
    TradeStory::Short,
    TradeStory::Split,
    TradeStory::SplitOverEnd,
    TradeStory::Batch,
    TradeStory::InTransit,
    TradeStory::Uncashed,
    TradeStory::CutOff,
    TradeStory::Returned,
    TradeStory::PriorCleared,
    TradeStory::PriorLate,
    TradeStory::PriorLost,
    TradeStory::Unsettled,
    TradeStory::NextMonth,
    TradeStory::BookedFee,
    TradeStory::BankOnly,
];
const PLANTED_USD: [TradeStory; 7] = [
    TradeStory::Plain,
    TradeStory::Plain,
    TradeStory::Duplicate,
    TradeStory::Transposed,
    TradeStory::InTransit,
    TradeStory::CutOff,
    TradeStory::BankOnly,
];

struct ClosingDrawing {
    rng: Rng,
    case: ClosingCase,
    used: BTreeSet<i64>,
    references: BTreeSet<String>,
}

/// What is owed and how it is named, before anybody pays.
#[derive(Clone)]
struct TradeDebt {
    account: FirmAccount,
    reference: String,
    party: &'static str,
    /// Money in is positive.
    amount: i64,
    counter: &'static str,
}

impl ClosingCase {
    /// A month with so much that is plain and so much of each difference.
    pub(super) fn drawn(seed: u64, n_plain: usize, n_planted: usize) -> Self {
        let mut rng = Rng::new(seed);
        let period = ClosingPeriod::of_month(3 + rng.below(8));
        let rates = rates(&mut rng, period);
        let opening_usd = rng.between(1_500_000, 4_000_000);
        let case = Self {
            period,
            invoices: Vec::new(),
            bookings: Vec::new(),
            lines: Vec::new(),
            sundries: Vec::new(),
            differences: Vec::new(),
            opening_eur: rng.between(9_000_000, 16_000_000),
            opening_usd,
            opening_usd_cost: opening_usd * rng.between(880, 960) / 1000,
            rates,
        };
        let mut drawing = ClosingDrawing { rng, case, used: BTreeSet::new(), references: BTreeSet::new() };
        (0..n_plain).for_each(|_| drawing.tell(TradeStory::Plain, FirmAccount::Eur));
        for _ in 0..n_planted {
            for story in PLANTED {
                drawing.tell(story, FirmAccount::Eur);
            }
            for story in PLANTED_USD {
                drawing.tell(story, FirmAccount::Usd);
            }
        }
        drawing.sundries();
        drawing.case.number();
        drawing.case
    }
}

/// A rate for each working day from the month before to the days after.
fn rates(rng: &mut Rng, period: ClosingPeriod) -> Vec<(i64, i64)> {
    let mut rate = rng.between(10_500, 11_200);
    let days = (period.first - 10..=period.last + 10).filter(|day| !is_weekend(*day));
    days.map(|day| {
        rate += rng.between(-70, 70);
        (day, rate)
    })
    .collect()
}

impl ClosingDrawing {
    fn tell(&mut self, story: TradeStory, account: FirmAccount) {
        let period = self.case.period;
        let day = self.rng.between(period.first + 1, period.last - 14);
        let day = if story == TradeStory::Returned { day } else { day + self.rng.between(0, 7) };
        match story {
            TradeStory::Plain | TradeStory::Silent => self.plain(story, account, day),
            TradeStory::Duplicate => self.duplicate(account, day),
            TradeStory::Twins => self.twins(day),
            TradeStory::Transposed => self.transposed(account, day),
            TradeStory::Short => self.short(day),
            TradeStory::Split => self.split(day, day + 3),
            TradeStory::SplitOverEnd => self.split_over_end(),
            TradeStory::Batch => self.batch(day),
            TradeStory::InTransit | TradeStory::Uncashed => self.in_transit(story, account),
            TradeStory::CutOff => self.cut_off(account),
            TradeStory::Returned => self.returned(day),
            TradeStory::PriorCleared | TradeStory::PriorLate | TradeStory::PriorLost => self.prior(story),
            TradeStory::Unsettled => drop(self.trade(day, None)),
            TradeStory::NextMonth => self.next_month(),
            TradeStory::BookedFee => self.booked_fee(day),
            TradeStory::BankOnly => self.bank_only(account, day),
        }
    }

    fn plain(&mut self, story: TradeStory, account: FirmAccount, day: i64) {
        let debt = self.debt(account, day);
        self.book(&debt, day, debt.amount);
        let text = if story == TradeStory::Silent { "invoice, thank you".to_owned() } else { self.text(&debt) };
        let at = self.bank_day(day);
        self.line(&debt, at, debt.amount, text);
    }

    /// Booked twice, paid once.
    fn duplicate(&mut self, account: FirmAccount, day: i64) {
        let debt = self.debt(account, day);
        self.book(&debt, day, debt.amount);
        let again_on = day + self.rng.between(1, 4);
        let again = self.book(&debt, again_on, debt.amount);
        self.paid(&debt, day, debt.amount);
        self.differ(DifferenceItem::Booking(again), DifferenceKind::Duplicate, &debt, -debt.amount, again_on);
    }

    /// Two equal instalments, both booked and both paid: no duplicate.
    fn twins(&mut self, day: i64) {
        let half = self.fresh(8_000, 400_000);
        let debt = self.trade(day, Some(2 * half));
        for on in [day, day + 2] {
            self.book(&debt, on, debt.amount / 2);
            self.paid(&debt, on, debt.amount / 2);
        }
    }

    fn transposed(&mut self, account: FirmAccount, day: i64) {
        let (debt, booked) = loop {
            let debt = self.debt(account, day);
            let swaps = neighbours_swapped(debt.amount);
            let fresh: Vec<i64> = swaps.into_iter().filter(|other| !self.used.contains(&other.abs())).collect();
            if !fresh.is_empty() {
                break (debt, *self.rng.choose(&fresh));
            }
        };
        self.used.insert(booked.abs());
        let booking = self.book(&debt, day, booked);
        self.paid(&debt, day, debt.amount);
        let lacking = debt.amount - booked;
        self.differ(DifferenceItem::Booking(booking), DifferenceKind::Transposed, &debt, lacking, day);
    }

    /// Booked whole, and the customer paid less.
    fn short(&mut self, day: i64) {
        let debt = self.sale(day, None);
        let paid = loop {
            let paid = debt.amount * self.rng.between(55, 93) / 100 + self.rng.between(0, 99);
            if !neighbours_swapped(paid).contains(&debt.amount) && self.used.insert(paid) {
                break paid;
            }
        };
        let booking = self.book(&debt, day, debt.amount);
        self.paid(&debt, day, paid);
        self.differ(DifferenceItem::Booking(booking), DifferenceKind::Short, &debt, paid - debt.amount, day);
    }

    fn split(&mut self, day: i64, second: i64) {
        let debt = self.trade(day, None);
        self.book(&debt, day, debt.amount);
        let part = debt.amount * self.rng.between(30, 70) / 100;
        self.paid(&debt, day, part);
        self.paid(&debt, second, debt.amount - part);
    }

    /// The second part comes after the end of the month.
    fn split_over_end(&mut self) {
        let last = self.case.period.last;
        let day = last - self.rng.between(8, 11);
        let debt = self.trade(day, None);
        let booking = self.book(&debt, day, debt.amount);
        let part = debt.amount * self.rng.between(30, 70) / 100;
        self.paid(&debt, day, part);
        let after = last + self.rng.between(1, 4);
        self.paid(&debt, after, debt.amount - part);
        self.outstanding(booking, &debt, debt.amount - part);
    }

    /// One line of the bank for three documents of one customer.
    fn batch(&mut self, day: i64) {
        let first = self.sale(day, None);
        let mut all = vec![first.clone()];
        for _ in 0..2 {
            all.push(self.sale(day, Some(first.party)));
        }
        for debt in &all {
            self.book(debt, day, debt.amount);
        }
        let total = all.iter().map(|debt| debt.amount).sum();
        let named: Vec<&str> = all.iter().map(|debt| debt.reference.as_str()).collect();
        let at = self.bank_day(day);
        self.line(&first, at, total, format!("collective payment {}", named.join(", ")));
    }

    fn in_transit(&mut self, story: TradeStory, account: FirmAccount) {
        let last = self.case.period.last;
        let day = last - self.rng.between(0, 3);
        let debt = self.debt(account, day);
        let booking = self.book(&debt, day, debt.amount);
        if story == TradeStory::InTransit {
            let after = last + self.rng.between(1, 4);
            self.paid(&debt, after, debt.amount);
        }
        self.outstanding(booking, &debt, debt.amount);
    }

    /// The bank had it before the end of the month, the books have it after.
    fn cut_off(&mut self, account: FirmAccount) {
        let last = self.case.period.last;
        let mut at = last - self.rng.between(0, 3);
        while is_weekend(at) {
            at -= 1;
        }
        let day = last + self.rng.between(1, 4);
        let debt = self.debt(account, at);
        let booking = self.book(&debt, day, debt.amount);
        let text = self.text(&debt);
        self.line(&debt, at, debt.amount, text);
        self.differ(DifferenceItem::Booking(booking), DifferenceKind::CutOff, &debt, debt.amount, at);
    }

    fn returned(&mut self, day: i64) {
        let debt = self.sale(day, None);
        self.book(&debt, day, debt.amount);
        self.paid(&debt, day, debt.amount);
        let mut at = day + 6;
        while is_weekend(at) {
            at += 1;
        }
        let text = format!("returned direct debit {} insufficient funds", debt.reference);
        let line = self.line(&debt, at, -debt.amount, text);
        self.case.lines[line].code = "RET";
        self.differ(DifferenceItem::Line(line), DifferenceKind::Returned, &debt, -debt.amount, at);
    }

    /// What was booked in the month before and had not reached the bank then. Its invoice is not open any more.
    fn prior(&mut self, story: TradeStory) {
        let period = self.case.period;
        let day = period.first - self.rng.between(1, 6);
        let debt = self.trade(day - 8, None);
        self.case.invoices.pop();
        let booking = self.book(&debt, day, debt.amount);
        match story {
            TradeStory::PriorCleared => self.paid(&debt, period.first + 1, debt.amount),
            TradeStory::PriorLate => self.paid(&debt, period.last + 2, debt.amount),
            _ => {}
        }
        if story != TradeStory::PriorCleared {
            self.outstanding(booking, &debt, debt.amount);
        }
    }

    fn next_month(&mut self) {
        let day = self.case.period.last + self.rng.between(1, 4);
        let debt = self.trade(day, None);
        self.book(&debt, day, debt.amount);
        self.paid(&debt, day, debt.amount);
        let later = self.case.period.last + self.rng.between(1, 5);
        let number = self.reference("S", later);
        let (amount, party) = (self.fresh(20_000, 900_000), *self.rng.choose(&CUSTOMERS));
        self.case.invoices.push(TradeInvoice { number, day: later, party, amount });
    }

    /// A fee or an instalment that is in the books already.
    fn booked_fee(&mut self, day: i64) {
        let (code, counter, _) = *self.rng.choose(&[BANK_CODES[0], BANK_CODES[3]]);
        let debt = self.bank_debt(FirmAccount::Eur, code, counter, day);
        self.book(&debt, day, debt.amount);
        let at = self.bank_day(day);
        let line = self.line(&debt, at, debt.amount, bank_text(code, &debt.reference));
        self.case.lines[line].code = code;
    }

    /// What only the bank knows.
    fn bank_only(&mut self, account: FirmAccount, day: i64) {
        let n_codes = if account == FirmAccount::Usd { 1 } else { BANK_CODES.len() };
        for (code, counter, _) in &BANK_CODES[..n_codes] {
            let debt = self.bank_debt(account, code, counter, day);
            let earlier = self.rng.between(0, day - self.case.period.first);
            let at = self.bank_day(day - earlier);
            let line = self.line(&debt, at, debt.amount, bank_text(code, &debt.reference));
            self.case.lines[line].code = code;
            self.differ(DifferenceItem::Line(line), DifferenceKind::Unbooked, &debt, debt.amount, at);
        }
    }

    fn bank_debt(&mut self, account: FirmAccount, code: &str, counter: &'static str, day: i64) -> TradeDebt {
        let size = if code == "CHG" { self.fresh(690, 6_900) } else { self.fresh(7_000, 98_000) };
        let party = match code {
            "INS" => "Assekuranz Hollmann",
            "LEA" => "Mobilia Leasing GmbH",
            _ => {
                if account == FirmAccount::Usd {
                    "First Harbor Bank"
                } else {
                    "Bankhaus Ellering"
                }
            }
        };
        let amount = if code == "INT" { size } else { -size };
        TradeDebt { account, reference: self.reference("F", day), party, amount, counter }
    }

    fn debt(&mut self, account: FirmAccount, day: i64) -> TradeDebt {
        if account == FirmAccount::Eur {
            return self.trade(day, None);
        }
        let size = self.fresh(9_000, 700_000);
        let reference = self.reference("O", day);
        if self.rng.chance(0.6) {
            let party = *self.rng.choose(&MARKETS);
            return TradeDebt { account, reference, party, amount: size, counter: "revenue:online" };
        }
        let party = *self.rng.choose(&PLATFORMS);
        TradeDebt { account, reference, party, amount: -size / 4, counter: "expenses:software" }
    }

    /// An invoice of a customer or a supplier from some days before.
    fn trade(&mut self, day: i64, amount: Option<i64>) -> TradeDebt {
        if self.rng.chance(0.55) {
            let debt = self.sale(day, None);
            return amount.map_or(debt.clone(), |amount| self.resized(debt, amount));
        }
        let size = amount.unwrap_or_else(|| self.fresh(9_000, 600_000));
        let (of, party) = (self.invoice_day(day), *self.rng.choose(&SUPPLIERS));
        let number = self.reference("B", of);
        self.case.invoices.push(TradeInvoice { number: number.clone(), day: of, party, amount: -size });
        TradeDebt { account: FirmAccount::Eur, reference: number, party, amount: -size, counter: PAYABLE }
    }

    fn resized(&mut self, debt: TradeDebt, amount: i64) -> TradeDebt {
        if let Some(invoice) = self.case.invoices.last_mut() {
            invoice.amount = amount;
        }
        TradeDebt { amount, ..debt }
    }

    fn sale(&mut self, day: i64, party: Option<&'static str>) -> TradeDebt {
        let amount = self.fresh(12_000, 950_000);
        let (of, party) = (self.invoice_day(day), party.unwrap_or(*self.rng.choose(&CUSTOMERS)));
        let number = self.reference("S", of);
        self.case.invoices.push(TradeInvoice { number: number.clone(), day: of, party, amount });
        TradeDebt { account: FirmAccount::Eur, reference: number, party, amount, counter: RECEIVABLE }
    }

    fn invoice_day(&mut self, day: i64) -> i64 {
        day - self.rng.between(4, 26)
    }

    /// A number that grows with the days.
    fn reference(&mut self, prefix: &str, day: i64) -> String {
        let numbers = (0..).map(|n| format!("{prefix}-{}", 20_000 + day * 40 + day * 7 % 11 + 3 * n));
        let found = numbers.into_iter().find(|number| !self.references.contains(number)).unwrap_or_default();
        self.references.insert(found.clone());
        found
    }

    /// An amount that nothing else has.
    fn fresh(&mut self, low: i64, high: i64) -> i64 {
        loop {
            let amount = self.rng.between(low, high);
            if self.used.insert(amount) {
                return amount;
            }
        }
    }

    /// A working day of the bank soon after.
    fn bank_day(&mut self, day: i64) -> i64 {
        let mut at = day + self.rng.between(0, 2);
        while is_weekend(at) {
            at += 1;
        }
        at
    }

    /// The reference as people type it.
    fn text(&mut self, debt: &TradeDebt) -> String {
        let reference = &debt.reference;
        match self.rng.below(6) {
            0 => reference.to_lowercase(),
            1 => format!("re {}", reference.replace('-', " ")),
            2 => format!("{} thank you", reference.replace('-', "")),
            _ => format!("invoice {reference}"),
        }
    }

    fn paid(&mut self, debt: &TradeDebt, day: i64, amount: i64) {
        let at = self.bank_day(day);
        let text = self.text(debt);
        self.line(debt, at, amount, text);
    }

    fn book(&mut self, debt: &TradeDebt, day: i64, amount: i64) -> usize {
        let TradeDebt { account, reference, party, counter, .. } = debt.clone();
        let document = String::new();
        self.case.bookings.push(LedgerBooking { document, day, account, reference, party, amount, counter });
        self.case.bookings.len() - 1
    }

    fn line(&mut self, debt: &TradeDebt, day: i64, amount: i64, text: String) -> usize {
        let value_day = day + self.rng.between(0, 2);
        let (id, code) = (String::new(), "TRF");
        let TradeDebt { account, party, .. } = *debt;
        self.case.lines.push(StatementLine { id, day, value_day, account, amount, code, party, text });
        self.case.lines.len() - 1
    }

    fn outstanding(&mut self, booking: usize, debt: &TradeDebt, amount: i64) {
        self.differ(DifferenceItem::Booking(booking), DifferenceKind::Outstanding, debt, amount, 0);
    }

    fn differ(&mut self, item: DifferenceItem, kind: DifferenceKind, debt: &TradeDebt, amount: i64, rate_day: i64) {
        let is_trade = [RECEIVABLE, PAYABLE].contains(&debt.counter);
        let invoice = is_trade.then(|| debt.reference.clone());
        let TradeDebt { account, counter, .. } = *debt;
        self.case.differences.push(BookDifference { item, account, kind, amount, counter, invoice, rate_day });
    }

    /// Documents without money: what is due at the end of this month, and of the next.
    fn sundries(&mut self) {
        let last = self.case.period.last;
        let all = [
            (last, "depreciation of the month", "expenses:depreciation", "assets:equipment", 120_000),
            (last, "wages of the month", "expenses:payroll", "liabilities:payroll", 1_900_000),
            (last - 9, "used from stock", "expenses:materials", "assets:stock", 400_000),
            (last + 3, "used from stock", "expenses:materials", "assets:stock", 300_000),
        ];
        for (at, (day, about, debit, credit, size)) in all.into_iter().enumerate() {
            let amount = size + self.fresh(1_000, 90_000);
            let document = format!("J-{:04}", 31 + at);
            self.case.sundries.push(SundryEntry { document, day, about, debit, credit, amount });
        }
    }
}
