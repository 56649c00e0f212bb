//! Names of instances and trials: what is written is read again, and what was written before milestones is as it was.

use std::num::NonZeroU32;

use proptest::prelude::*;
use quintain_core::{Digest, InstanceId, Pick, Stretch, TrialId};

fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0..4u32, any::<u32>()]
}

fn stretch() -> impl Strategy<Value = Stretch> {
    (number(), proptest::option::of(number())).prop_map(|(after, length)| {
        let until = length.and_then(|length| after.checked_add(length)?.checked_add(1));
        Stretch { after: NonZeroU32::new(after), until: until.and_then(NonZeroU32::new) }
    })
}

fn whole() -> impl Strategy<Value = (String, Option<String>, Option<u64>)> {
    ("[a-z0-9-]{1,8}/[a-z0-9-]{1,8}", proptest::option::of("[a-z0-9-]{1,6}"), proptest::option::of(any::<u64>()))
}

/// How names were written before there were stretches.
fn as_before((task, preset, seed): &(String, Option<String>, Option<u64>)) -> String {
    let preset = preset.as_ref().map_or_else(String::new, |preset| format!("@{preset}"));
    let seed = seed.map_or_else(String::new, |seed| format!("#{seed}"));
    format!("{task}{preset}{seed}")
}

fn instance((task, preset, seed): (String, Option<String>, Option<u64>)) -> InstanceId {
    InstanceId { task: task.parse().expect("a task's name"), pick: Pick { preset, seed, ..Pick::default() } }
}

proptest! {
    #[test]
    fn a_name_without_a_stretch_is_as_it_was(parts in whole()) {
        let (text, id) = (as_before(&parts), instance(parts));
        prop_assert_eq!(id.to_string(), &*text);
        prop_assert_eq!(serde_json::to_string(&id).unwrap(), format!("{text:?}"));
        prop_assert_eq!(text.parse::<InstanceId>().unwrap(), id.clone());
        let fields = serde_json::to_value(&id.pick).unwrap();
        prop_assert!(fields.as_object().unwrap().keys().all(|key| key == "preset" || key == "seed"));
    }

    #[test]
    fn every_name_is_read_as_it_was_written(parts in whole(), stretch in stretch(), agent in "[a-z+:/.-]{1,12}", repeat: u32) {
        let mut instance = instance(parts);
        instance.pick = instance.pick.over(stretch);
        prop_assert_eq!(instance.pick.stretch(), stretch);
        prop_assert_eq!(instance.to_string().parse::<InstanceId>().unwrap(), instance.clone());
        let pick: Pick = serde_json::from_value(serde_json::to_value(&instance.pick).unwrap()).unwrap();
        prop_assert_eq!(&pick, &instance.pick);
        let trial = TrialId { instance, agent, repeat };
        prop_assert_eq!(trial.to_string().parse::<TrialId>().unwrap(), trial);
    }

    #[test]
    fn a_name_of_any_letters_is_read_or_refused_and_written_alike(text in "[a-c]/[a-c](@[a-c+])?(#[0-9+]{1,3})?[+.0-9]{0,6}") {
        if let Ok(id) = text.parse::<InstanceId>() {
            prop_assert_eq!(id.to_string().parse::<InstanceId>().unwrap(), id);
        }
    }

    #[test]
    fn names_hold_nothing_that_means_something_in_a_path(parts in whole(), stretch in stretch()) {
        let mut id = instance(parts);
        let whole = id.to_string();
        id.pick = id.pick.over(stretch);
        let text = id.to_string();
        let behind = text.strip_prefix(&whole).unwrap();
        prop_assert!(behind.chars().all(|c| c.is_ascii_digit() || c == '+' || c == '.'), "{}", behind);
        prop_assert!(behind.is_empty() || behind.starts_with('+'), "{}", behind);
    }
}

#[test]
fn names_with_stretches_come_apart() {
    let rows = [
        "p/t@easy#7+2",
        "p/t#7+2..3",
        "p/t+2",
        "p/t@easy+0..3",
        "p/t+0",
        "p/t+",
        "p/t+2#7",
        "p/t#7++2",
        "p/t@easy+3..3",
    ];
    let lines = rows.map(|text| match text.parse::<InstanceId>() {
        Ok(id) => {
            format!("{text}: {} seed {:?} after {:?} until {:?}", id.task, id.pick.seed, id.pick.after, id.pick.until)
        }
        Err(error) => format!("{text}: {error}"),
    });
    insta::assert_snapshot!(lines.join("\n"), @"
    p/t@easy#7+2: p/t seed Some(7) after Some(2) until None
    p/t#7+2..3: p/t seed Some(7) after Some(2) until Some(3)
    p/t+2: p/t seed None after Some(2) until None
    p/t@easy+0..3: p/t seed None after None until Some(3)
    p/t+0: p/t seed None after None until None
    p/t+: `+` is no stretch of milestones: `+2` (after the first two), `+2..3` (the third alone) or `+0..3` (until the third) is wanted
    p/t+2#7: `+2#7` is no stretch of milestones: `+2` (after the first two), `+2..3` (the third alone) or `+0..3` (until the third) is wanted
    p/t#7++2: `++2` is no stretch of milestones: `+2` (after the first two), `+2..3` (the third alone) or `+0..3` (until the third) is wanted
    p/t@easy+3..3: `+3..3` is no stretch of milestones: `+2` (after the first two), `+2..3` (the third alone) or `+0..3` (until the third) is wanted
    ");
}

#[test]
fn the_seed_of_a_trial_hangs_on_its_whole_name() {
    let id = |text: &str| -> TrialId { text.parse().unwrap() };
    let by_hand = |text: &str| u64::from_le_bytes(Digest::of(text.as_bytes()).bytes()[..8].try_into().unwrap());
    assert_eq!(id("p/t#1~random+feedback-off~0").seed(), by_hand("p/t#1~random~0"));
    assert_eq!(id("p/t#1+2~random+feedback-off~0").seed(), by_hand("p/t#1+2~random~0"));
    assert_eq!(id("p/t#1+2~random+x~0").player(), "random");
}
