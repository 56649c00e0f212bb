//! Outcomes as Parquet: one row for each, columns that any tool can read.

mod read;
mod write;

pub(super) use read::{decode, last_seq};
pub(super) use write::encode;

/// The columns, in order. Numbers without a sign are marked so; what may be unknown is optional.
const SCHEMA: &str = "message outcome {
    required int64 seq (INTEGER(64,false));
    required int32 idx (INTEGER(32,false));
    required binary trial (STRING);
    required binary suite (STRING);
    required binary task (STRING);
    optional binary preset (STRING);
    optional int64 seed (INTEGER(64,false));
    required binary agent (STRING);
    required int32 repeat (INTEGER(32,false));
    required int32 attempt (INTEGER(32,false));
    required boolean solved;
    required double score;
    required binary ending (STRING);
    required int32 steps (INTEGER(32,false));
    required int64 elapsed_ms (INTEGER(64,false));
    required int64 tokens (INTEGER(64,false));
    optional double cost_usd;
    required double known_usd;
    required int32 n_unknown (INTEGER(32,false));
    optional binary place (STRING);
    optional binary worker (STRING);
    required binary verdict (STRING);
}";

/// The names under which a file says its version and the sequence number of its last row.
const VERSION_KEY: &str = "quintain.outcomes";
const LAST_SEQ_KEY: &str = "quintain.last_seq";

/// The version of the columns. A newer one is refused.
const VERSION: u32 = 1;

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;
    use quintain_core::trial::TrialResult;
    use quintain_core::verdict::Digests;
    use quintain_core::{Digest, Ending, Score, Spent, Verdict};

    use super::super::outcomes::OutcomeRow;
    use super::*;

    fn verdict(score: f64, ending: Ending) -> Verdict {
        let digest = Digest::of(b"x");
        Verdict {
            solved: score >= 1.0 && ending.by_the_agent(),
            ending,
            score: Score::clamped(score),
            findings: Vec::new(),
            milestones: Vec::new(),
            digests: Digests { task: digest, world: digest, instance: digest },
            source: None,
            fault: None,
            state_score: None,
            outside: false,
        }
    }

    fn row() -> impl Strategy<Value = OutcomeRow> {
        let ending = prop_oneof![
            Just(Ending::Done),
            Just(Ending::GaveUp),
            Just(Ending::Truncated(quintain_core::Exhausted::Cost)),
            "[a-zé\"]{0,9}".prop_map(Ending::Cheated),
        ];
        let trial = (
            "[a-z]{1,5}",
            proptest::option::of("[a-z]{1,4}"),
            proptest::option::of(any::<u64>()),
            any::<u32>(),
            "([+][1-9]([.][.]10)?)?",
        )
            .prop_map(|(task, preset, seed, repeat, stretch)| {
                let preset = preset.map_or_else(String::new, |preset| format!("@{preset}"));
                let seed = seed.map_or_else(String::new, |seed| format!("#{seed}"));
                format!("suite/{task}{preset}{seed}{stretch}~agent~{repeat}").parse().unwrap()
            });
        let spent = (any::<u32>(), any::<u64>(), any::<u64>(), 0.0..1e6f64, 0..3u32).prop_map(
            |(steps, elapsed_ms, tokens, cost_usd, n_unknown)| Spent { steps, elapsed_ms, tokens, cost_usd, n_unknown },
        );
        let named =
            (proptest::option::of("[a-z]{1,9}"), prop_oneof![Just(String::new()), Just("w-s-0:0-9".to_owned())]);
        (any::<u32>(), trial, any::<u32>(), (0.0..=1.0f64, ending), spent, named).prop_map(
            |(idx, trial, attempt, (score, ending), spent, (worker, place))| OutcomeRow {
                seq: 0,
                idx,
                trial,
                attempt,
                finished: TrialResult { verdict: verdict(score, ending), spent },
                place,
                worker,
            },
        )
    }

    proptest! {
        #[test]
        fn outcomes_come_back_as_they_went(mut rows in proptest::collection::vec(row(), 1..30), first in 0..1u64 << 40) {
            for (place, row) in rows.iter_mut().enumerate() {
                row.seq = first + 3 * place as u64;
            }
            let bytes = Bytes::from(encode(&rows).unwrap());
            prop_assert_eq!(last_seq(bytes.clone()).unwrap(), rows.last().unwrap().seq);
            prop_assert_eq!(decode(bytes).unwrap(), rows);
        }
    }

    #[test]
    fn what_is_no_segment_of_outcomes_is_refused() {
        for wrong in [&b""[..], b"PAR1PAR1", b"hello"] {
            assert!(decode(Bytes::from_static(wrong)).is_err());
        }
    }
}
