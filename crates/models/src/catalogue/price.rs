//! What a model costs.

use quintain_core::Usage;
use serde::Deserialize;

use crate::providers::codec::{ServedPlace, ServedSpeed, UsedTokens};

/// US dollars per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens read.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
    /// Tokens read from a cache; as `input` if nothing is said.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Tokens put into a cache; as `input` if nothing is said.
    #[serde(default)]
    pub cache_write: Option<f64>,
    /// Tokens put into a cache for long; twice `input` if nothing is said.
    #[serde(default)]
    pub cache_write_long: Option<f64>,
    /// What takes the place of these in long requests.
    #[serde(default)]
    pub long: Option<LongPrices>,
    /// What is more for special service; as the model's family has it if nothing is said.
    #[serde(default)]
    pub surcharge: Option<PriceFactors>,
}

/// By what all prices are multiplied for special service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceFactors {
    /// Faster answers; 1 if nothing is said.
    #[serde(default)]
    pub fast: Option<f64>,
    /// Answers from the United States and nowhere else; 1 if nothing is said.
    #[serde(default)]
    pub us: Option<f64>,
}

/// The prices of requests that read more tokens than `over`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongPrices {
    /// How many tokens a request may read before these prices hold.
    pub over: u64,
    /// Tokens read.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
    /// Tokens read from a cache.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Tokens put into a cache.
    #[serde(default)]
    pub cache_write: Option<f64>,
}

impl UsedTokens {
    /// The same with what it costs; without a price, that is not known.
    pub fn priced(self, price: Option<Price>) -> Usage {
        Usage {
            input_tokens: self.input,
            output_tokens: self.output,
            cached_tokens: self.cached,
            cost_usd: price.map(|price| price.cost(self)),
            n_unknown: 0,
        }
    }
}

impl Price {
    /// What a call costs, in US dollars.
    fn cost(&self, tokens: UsedTokens) -> f64 {
        let rate = self.rate(tokens.input);
        let plain = tokens.input.saturating_sub(tokens.cached).saturating_sub(tokens.cache_written);
        let written = tokens.cache_written.saturating_sub(tokens.cache_written_long);
        let written_long = tokens.cache_written.min(tokens.cache_written_long);
        let parts = [
            (plain, rate.input),
            (tokens.cached, rate.cached.unwrap_or(rate.input)),
            (written, rate.cache_write.unwrap_or(rate.input)),
            (written_long, rate.cache_write_long.unwrap_or(2.0 * rate.input)),
            (tokens.output, rate.output),
        ];
        let usd = parts.into_iter().map(|(n_tokens, usd)| n_tokens as f64 * usd).sum::<f64>() / 1e6;
        usd * self.surcharge.unwrap_or_default().factor(tokens)
    }

    /// What is wrong with it, if anything.
    pub(super) fn problem(&self, name: &str) -> Option<String> {
        let Self { input, output, cached, cache_write, cache_write_long, long, surcharge } = *self;
        let long = long.map(|long| [Some(long.input), Some(long.output), long.cached, long.cache_write]);
        let more = surcharge.map(|more| [more.fast, more.us]);
        let all = [Some(input), Some(output), cached, cache_write, cache_write_long].into_iter();
        let all = all.chain(long.into_iter().flatten()).chain(more.into_iter().flatten());
        let wrong = all.flatten().find(|usd| !(usd.is_finite() && *usd >= 0.0))?;
        Some(format!("the price of `{name}` has a number that is no price: {wrong}"))
    }

    fn rate(&self, n_read: u64) -> Self {
        match self.long {
            Some(LongPrices { over, input, output, cached, cache_write }) if n_read > over => {
                Self { input, output, cached, cache_write, cache_write_long: None, long: None, surcharge: None }
            }
            _ => *self,
        }
    }
}

impl PriceFactors {
    fn factor(self, tokens: UsedTokens) -> f64 {
        let fast = self.fast.filter(|_| tokens.speed == ServedSpeed::Fast).unwrap_or(1.0);
        let us = self.us.filter(|_| tokens.place == ServedPlace::UnitedStates).unwrap_or(1.0);
        fast * us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price {
        input: 2.0,
        output: 10.0,
        cached: Some(0.5),
        cache_write: Some(2.5),
        cache_write_long: None,
        long: None,
        surcharge: None,
    };

    #[test]
    fn every_kind_of_token_has_its_price() {
        let tokens = UsedTokens {
            input: 1_000_000,
            output: 100_000,
            cached: 600_000,
            cache_written: 200_000,
            ..UsedTokens::default()
        };
        let cents = (PRICE.cost(tokens) * 100.0).round();
        assert!((cents - 220.0).abs() < 1e-9, "0.40 read, 0.30 from the cache, 0.50 into it, 1.00 written: {cents}");
    }

    #[test]
    fn special_service_and_long_caching_cost_more() {
        let tokens = UsedTokens { input: 100_000, cache_written: 100_000, ..UsedTokens::default() };
        let long = UsedTokens { cache_written_long: 60_000, ..tokens };
        let dear = UsedTokens { speed: ServedSpeed::Fast, place: ServedPlace::UnitedStates, ..long };
        let factors = PriceFactors { fast: Some(2.0), us: Some(1.1) };
        let cents = |price: Price, tokens| (price.cost(tokens) * 1e5).round() / 1e3;
        let costs = [
            cents(PRICE, tokens),
            cents(PRICE, long),
            cents(Price { cache_write_long: Some(3.0), ..PRICE }, long),
            cents(PRICE, dear),
            cents(Price { surcharge: Some(factors), ..PRICE }, dear),
        ];
        assert_eq!(costs.map(|cents| cents.to_string()), ["25", "34", "28", "34", "74.8"]);
    }

    #[test]
    fn long_requests_have_prices_of_their_own() {
        let long = LongPrices { over: 200_000, input: 4.0, output: 15.0, cached: None, cache_write: None };
        let price = Price { long: Some(long), ..PRICE };
        let of = |input| price.cost(UsedTokens { input, ..UsedTokens::default() });
        assert!((of(200_000) - 0.4).abs() < 1e-9);
        assert!((of(300_000) - 1.2).abs() < 1e-9);
    }
}
