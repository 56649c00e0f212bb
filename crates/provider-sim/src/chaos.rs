//! What a provider does wrong now and then: decided by a seed and the name of the call, so that a run can be repeated.

use std::str::FromStr;

use quintain_core::{Digest, suggest};

/// How often each thing goes wrong: shares of all calls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chaos {
    /// Refused with 429 and a hint when to try again; not billed.
    pub refused: f64,
    /// Answered with a 5xx; not billed.
    pub broken: f64,
    /// Taken, billed and never answered to the end.
    pub hangs: f64,
    /// Billed, and the stream ends in the middle.
    pub cut: f64,
    /// Billed, and the stream turns into something that is no JSON.
    pub malformed: f64,
    /// What the draws depend on.
    pub seed: u64,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallFate {
    Answer,
    Refuse,
    Break,
    Hang,
    Cut,
    Garble,
}

/// A text that names no chaos.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotChaos(String);

const NAMES: [&str; 5] = ["429", "5xx", "hang", "cut", "malformed"];

impl Chaos {
    /// What becomes of the call of this name.
    pub(super) fn decide(&self, call: &str) -> CallFate {
        let mut draw = self.draw(call, "whim");
        for (share, whim) in [
            (self.refused, CallFate::Refuse),
            (self.broken, CallFate::Break),
            (self.hangs, CallFate::Hang),
            (self.cut, CallFate::Cut),
            (self.malformed, CallFate::Garble),
        ] {
            if draw < share {
                return whim;
            }
            draw -= share;
        }
        CallFate::Answer
    }

    /// A number from 0 to 1 that only the seed, the call and the question decide.
    pub(super) fn draw(&self, call: &str, question: &str) -> f64 {
        uniform(self.seed, call, question)
    }
}

/// A number from 0 to 1 that only these decide.
pub(super) fn uniform(seed: u64, call: &str, question: &str) -> f64 {
    let digest = Digest::of(format!("{seed}/{question}/{call}").as_bytes());
    let bits = digest.bytes().iter().take(4).fold(0, |bits, byte| bits << 8 | u32::from(*byte));
    f64::from(bits) / (f64::from(u32::MAX) + 1.0)
}

/// `429=0.2,5xx=0.05,hang=0.02,cut=0.02,malformed=0.01`
impl FromStr for Chaos {
    type Err = NotChaos;

    fn from_str(text: &str) -> Result<Self, NotChaos> {
        let mut chaos = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, share) = part.split_once('=').unwrap_or((part, ""));
            let share: f64 =
                share.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| {
                    NotChaos(format!("`{name}` must be a share from 0 to 1, not `{share}`; write `429=0.2`"))
                })?;
            match name.trim() {
                "429" => chaos.refused = share,
                "5xx" => chaos.broken = share,
                "hang" => chaos.hangs = share,
                "cut" => chaos.cut = share,
                "malformed" => chaos.malformed = share,
                other => return Err(NotChaos(format!("there is no fault `{other}`; {}", suggest::hint(other, NAMES)))),
            }
        }
        let all = chaos.refused + chaos.broken + chaos.hangs + chaos.cut + chaos.malformed;
        if all > 1.0 { Err(NotChaos(format!("the shares come to {all}, which is more than 1"))) } else { Ok(chaos) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_come_as_often_as_asked_for_and_the_same_again() {
        let chaos: Chaos = "429=0.2,5xx=0.05,hang=0.02,cut=0.02".parse().expect("chaos");
        let whims =
            |chaos: Chaos| -> Vec<CallFate> { (0..20_000).map(|n| chaos.decide(&format!("call-{n}"))).collect() };
        let seen = whims(chaos);
        let share = |whim| seen.iter().filter(|seen| **seen == whim).count() as f64 / seen.len() as f64;
        for (whim, wanted) in
            [(CallFate::Refuse, 0.2), (CallFate::Break, 0.05), (CallFate::Hang, 0.02), (CallFate::Cut, 0.02)]
        {
            assert!((share(whim) - wanted).abs() < 0.01, "{whim:?}: {}", share(whim));
        }
        assert!(!seen.contains(&CallFate::Garble));
        assert_eq!(seen, whims(chaos));
        assert_ne!(seen, whims(Chaos { seed: 1, ..chaos }));
    }

    #[test]
    fn what_is_no_chaos_is_refused() {
        let read =
            |text: &str| text.parse::<Chaos>().map_or_else(|error| error.to_string(), |chaos| format!("{chaos:?}"));
        insta::assert_snapshot!(["429=2", "hang", "429=0.9,5xx=0.2", "hung=0.1"].map(read).join("\n"), @"
        `429` must be a share from 0 to 1, not `2`; write `429=0.2`
        `hang` must be a share from 0 to 1, not ``; write `429=0.2`
        the shares come to 1.1, which is more than 1
        there is no fault `hung`; did you mean `hang`?
        ");
    }
}
