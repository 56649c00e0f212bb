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
mod tests;
