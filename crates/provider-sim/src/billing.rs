//! What a call costs: counted from what was asked and said, or drawn between two amounts.

use std::collections::HashSet;
use std::str::FromStr;
use std::sync::Mutex;

use quintain_core::lock::LockAlways as _;

use super::asked::{Api, ReadRequest};
use super::chaos::uniform;
use super::mind::MindReply;
use super::wire::BilledTokens;

/// US dollars for a million tokens: read, read from the cache, written to the cache, written.
const PRICES: (f64, f64, f64, f64) = (2.0, 0.5, 2.5, 10.0);
/// Tokens that a drawn bill has as output; the rest of it is input.
const DRAWN_OUTPUT: u64 = 100;
/// Bytes of text that make a token.
const BYTES_PER_TOKEN: u64 = 4;
/// The shortest beginning of a conversation that is kept in the cache.
const LEAST_CACHED: u64 = 1024;
/// At most so many beginnings of conversations are kept.
const MOST_CACHED: usize = 1 << 20;

/// How calls are billed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Billing {
    /// By what was asked and said.
    #[default]
    Counted,
    /// An amount between these two, in whole cents, drawn by seed and call.
    Drawn {
        /// The least, in cents.
        least: u32,
        /// The most, in cents.
        most: u32,
        /// What the draws depend on.
        seed: u64,
    },
}

/// A text that is no bill.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bill is two amounts in US dollars of at least 0.01, like `0.01..0.30`, not `{0}`")]
pub struct NotABill(String);

impl Billing {
    /// The same with draws that depend on this seed.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        match self {
            Self::Counted => Self::Counted,
            Self::Drawn { least, most, .. } => Self::Drawn { least, most, seed },
        }
    }
}

/// `0.01..0.30`
impl FromStr for Billing {
    type Err = NotABill;

    fn from_str(text: &str) -> Result<Self, NotABill> {
        let wrong = || NotABill(text.to_owned());
        let cents = |usd: &str| usd.trim().parse::<f64>().ok().filter(|usd| (0.01..=1e6).contains(usd));
        let (least, most) = text.split_once("..").ok_or_else(wrong)?;
        let (least, most) = cents(least).zip(cents(most)).filter(|(least, most)| least <= most).ok_or_else(wrong)?;
        let whole = |usd: f64| (usd * 100.0).round() as u32;
        Ok(Self::Drawn { least: whole(least), most: whole(most), seed: 0 })
    }
}

/// Counts what calls use. Remembers which beginnings of conversations it has read before.
#[derive(Debug, Default)]
pub(super) struct UsageCounter {
    billing: Billing,
    kept: Mutex<HashSet<u64>>,
}

impl UsageCounter {
    pub(super) fn new(billing: Billing) -> Self {
        Self { billing, kept: Mutex::default() }
    }

    /// What a call uses.
    pub(super) fn count(&self, call: &str, asked: &ReadRequest, say: &MindReply) -> BilledTokens {
        match self.billing {
            Billing::Counted => self.counted(asked, say),
            Billing::Drawn { least, most, seed } => {
                let draw = uniform(seed, call, "bill") * f64::from(most - least + 1);
                drawn(least + (draw as u32).min(most - least))
            }
        }
    }

    fn counted(&self, asked: &ReadRequest, say: &MindReply) -> BilledTokens {
        let system = asked.system.len() as u64 / BYTES_PER_TOKEN;
        let tools: usize = asked.functions.iter().map(|function| function.schema.to_string().len()).sum();
        let before = system + tools as u64 / BYTES_PER_TOKEN;
        let input = before + asked.said.iter().map(|said| said.tokens).sum::<u64>();
        let (cached, kept) = self.prefixes(asked, before);
        let cache_write = if asked.api == Api::Anthropic { kept.saturating_sub(cached) } else { 0 };
        BilledTokens { input, cached, cache_write, output: 1 + say.n_bytes() as u64 / BYTES_PER_TOKEN }
    }

    /// How many tokens at the beginning are known from before, and how many are known from now on.
    fn prefixes(&self, asked: &ReadRequest, before: u64) -> (u64, u64) {
        let mut known = self.kept.lock().always();
        if known.len() > MOST_CACHED {
            known.clear();
        }
        let (mut cached, mut kept, mut length, mut print) = (0, 0, before, mixed(0, asked.system.len() as u64));
        for said in &asked.said {
            length += said.tokens;
            print = mixed(print, said.print);
            let counts = length >= LEAST_CACHED && (asked.api != Api::Anthropic || said.breakpoint);
            if counts && !known.insert(print) {
                cached = length;
            }
            if counts {
                kept = length;
            }
        }
        (cached, kept)
    }
}

fn mixed(print: u64, next: u64) -> u64 {
    (print.rotate_left(5) ^ next).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// So many cents, in whole tokens.
fn drawn(cents: u32) -> BilledTokens {
    let output_usd = DRAWN_OUTPUT as f64 * PRICES.3 / 1e6;
    let input = ((f64::from(cents) / 100.0 - output_usd) / PRICES.0 * 1e6).round() as u64;
    BilledTokens { input, output: DRAWN_OUTPUT, ..BilledTokens::default() }
}

impl BilledTokens {
    /// What they cost, in US dollars.
    pub fn cost_usd(&self) -> f64 {
        let (input, cached, cache_write, output) = PRICES;
        let plain = self.input.saturating_sub(self.cached).saturating_sub(self.cache_write);
        let parts = [(plain, input), (self.cached, cached), (self.cache_write, cache_write), (self.output, output)];
        parts.into_iter().map(|(n, usd)| n as f64 * usd).sum::<f64>() / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_bill_is_exact_in_whole_tokens() {
        for cents in [1, 2, 17, 30, 500] {
            let cost = drawn(cents).cost_usd();
            assert!((cost - f64::from(cents) / 100.0).abs() < 1e-12, "{cents}: {cost}");
        }
    }

    #[test]
    fn bills_are_two_amounts() {
        assert_eq!("0.01..0.30".parse(), Ok(Billing::Drawn { least: 1, most: 30, seed: 0 }));
        for wrong in ["", "0.3", "0.3..0.1", "0..1", "a..b"] {
            assert!(wrong.parse::<Billing>().is_err(), "{wrong}");
        }
    }
}
