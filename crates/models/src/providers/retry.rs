//! When a failed call is made again: what the provider asks for, or else an exponential backoff with full jitter.

mod moment;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

use quintain_core::Backoff;

/// The buckets of which OpenAI and compatible servers tell the state.
const OPENAI_BUCKETS: [&str; 2] = ["requests", "tokens"];
/// The buckets of which Anthropic tells the state.
const ANTHROPIC_BUCKETS: [&str; 4] = ["requests", "tokens", "input-tokens", "output-tokens"];

/// How often and how patiently a call is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallRetries {
    /// How often it is made at most.
    pub tries: u32,
    /// The longest waits after failures, unless the provider asks for more.
    pub backoff: Backoff,
}

impl Default for CallRetries {
    fn default() -> Self {
        let backoff = Backoff { first: Duration::from_millis(500), longest: Duration::from_secs(30) };
        Self { tries: 10, backoff }
    }
}

impl CallRetries {
    /// How long to wait after so many failures. What the provider asks for is waited for in full; otherwise anything
    /// between nothing and a bound that doubles, so that those who failed together do not come back together. `draw` is
    /// between 0 and 1.
    pub fn delay(&self, n_failed: u32, asked: Option<Duration>, draw: f64) -> Duration {
        let bound = self.backoff.after(n_failed);
        match asked {
            Some(asked) => asked + bound.min(asked / 4).mul_f64(draw),
            None => bound.mul_f64(draw),
        }
    }
}

/// A number between 0 and 1 that nobody can foresee.
pub(crate) fn draw() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 11;
    bits as f64 / (1u64 << 53) as f64
}

/// How long the headers of a refusal ask to wait. The plain words go first; the state of the buckets counts where one is
/// empty.
pub fn asked_in_headers(header: &dyn Fn(&str) -> Option<String>, now: SystemTime) -> Option<Duration> {
    let millis = || Duration::try_from_secs_f64(header("retry-after-ms")?.trim().parse::<f64>().ok()? / 1000.0).ok();
    let seconds = || retry_after(header("retry-after")?.trim(), now);
    millis().or_else(seconds).or_else(|| openai_reset(header)).or_else(|| anthropic_reset(header, now))
}

/// `retry-after` is a number of seconds or a date.
fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_not_a_number) => Some(until(moment::from_http_date(text)?, now)),
    }
}

/// `x-ratelimit-reset-requests: 6m0s`, for buckets that are empty.
fn openai_reset(header: &dyn Fn(&str) -> Option<String>) -> Option<Duration> {
    let empty = |bucket: &&str| header(&format!("x-ratelimit-remaining-{bucket}")).is_some_and(|left| is_zero(&left));
    let reset = |bucket: &str| moment::span(&header(&format!("x-ratelimit-reset-{bucket}"))?);
    OPENAI_BUCKETS.into_iter().filter(empty).filter_map(reset).max()
}

/// `anthropic-ratelimit-tokens-reset: 2026-11-15T07:30:00Z`, for buckets that are empty.
fn anthropic_reset(header: &dyn Fn(&str) -> Option<String>, now: SystemTime) -> Option<Duration> {
    let empty =
        |bucket: &&str| header(&format!("anthropic-ratelimit-{bucket}-remaining")).is_some_and(|left| is_zero(&left));
    let reset = |bucket: &str| {
        let text = header(&format!("anthropic-ratelimit-{bucket}-reset"))?;
        Some(until(moment::from_rfc3339(&text)?, now))
    };
    ANTHROPIC_BUCKETS.into_iter().filter(empty).filter_map(reset).max()
}

fn is_zero(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok_and(|left| left <= 0.0)
}

/// A moment that has passed asks for no waiting.
fn until(moment: SystemTime, now: SystemTime) -> Duration {
    moment.duration_since(now).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    /// 2026-11-15T07:30:00Z
    const NOW: u64 = 1_794_727_800;

    fn asked(headers: &[(&str, &str)]) -> Option<f64> {
        let header = |name: &str| headers.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        asked_in_headers(&header, UNIX_EPOCH + Duration::from_secs(NOW)).map(|asked| asked.as_secs_f64())
    }

    #[test]
    fn every_way_of_asking_is_understood() {
        assert_eq!(asked(&[("retry-after-ms", "250"), ("retry-after", "9")]), Some(0.25));
        assert_eq!(asked(&[("retry-after", "7")]), Some(7.0));
        assert_eq!(asked(&[("retry-after", "Sun, 15 Nov 2026 07:30:12 GMT")]), Some(12.0));
        assert_eq!(asked(&[("retry-after", "Sun, 15 Nov 2026 07:29:00 GMT")]), Some(0.0));
        let openai = [
            ("x-ratelimit-remaining-requests", "0"),
            ("x-ratelimit-reset-requests", "1m2.5s"),
            ("x-ratelimit-remaining-tokens", "4000"),
            ("x-ratelimit-reset-tokens", "6m0s"),
        ];
        assert_eq!(asked(&openai), Some(62.5));
        let anthropic = [
            ("anthropic-ratelimit-input-tokens-remaining", "0"),
            ("anthropic-ratelimit-input-tokens-reset", "2026-11-15T07:30:40Z"),
            ("anthropic-ratelimit-requests-remaining", "12"),
            ("anthropic-ratelimit-requests-reset", "2026-11-15T08:30:40Z"),
        ];
        assert_eq!(asked(&anthropic), Some(40.0));
        for nonsense in ["soon", "-3", "NaN", ""] {
            assert_eq!(asked(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
    }

    #[test]
    fn waits_double_up_to_a_bound_and_are_drawn_below_it() {
        let backoff = Backoff { first: Duration::from_secs(1), longest: Duration::from_secs(10) };
        let retries = CallRetries { tries: 9, backoff };
        let bounds: Vec<u64> = (1..=6).map(|n| retries.delay(n, None, 1.0).as_secs()).collect();
        assert_eq!(bounds, [1, 2, 4, 8, 10, 10]);
        assert_eq!(retries.delay(3, None, 0.0), Duration::ZERO);
        assert_eq!(retries.delay(40, None, 1.0), Duration::from_secs(10));
    }

    #[test]
    fn what_the_provider_asks_for_is_waited_for_in_full() {
        let retries = CallRetries::default();
        let asked = Duration::from_mins(1);
        assert_eq!(retries.delay(1, Some(asked), 0.0), asked);
        assert!(retries.delay(1, Some(asked), 1.0) <= asked + retries.backoff.first);
        assert_eq!(retries.delay(1, Some(Duration::ZERO), 1.0), Duration::ZERO);
    }

    #[test]
    fn draws_are_spread_over_the_unit() {
        let draws: Vec<f64> = (0..200).map(|_| draw()).collect();
        assert!(draws.iter().all(|draw| (0.0..1.0).contains(draw)));
        assert!(draws.iter().any(|draw| *draw < 0.3) && draws.iter().any(|draw| *draw > 0.7));
    }
}
