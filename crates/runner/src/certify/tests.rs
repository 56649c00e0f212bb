//! A sound task is certified; every flaw is refused, for the right reason.

mod dial;
mod judges;
mod knob;

use std::sync::Arc;

use quintain_checks::{Palette, Panel};
use quintain_core::judge::NothingToDerive;
use quintain_core::task::{Task, TaskFiles};
use quintain_core::{CertificateKey, Digest, FileSet};
use serde_json::json;

use super::{
    Certificate, CertificateForm, CertificateSubject, CertifyOptions, Cheat, KeptCertificate, Reason, certify,
    judge_state,
};
use dial::{Dial, Flaw};
use knob::Knob;

const SOUND: &str = "
[task]
id = 'test/dial'
title = 'Turn a dial'
version = 1
[world]
kind = 'dial'
app = 'dial'
observe = ['screen', 'goal', 'text', 'feedback', 'remaining']
act = ['call']
[parameters]
target = { value = 7, generator = { integer = [12, 60] } }
[limits]
steps = 40
[chance]
score = 0.05
[[checks]]
name = 'at-target'
kind = 'exact'
selector = 'documents/dial'
expect = '{{ target }}'
";

/// A task: the sound one, with one thing replaced.
fn task(from: &str, to: &str) -> Task {
    task_with(&SOUND.replace(from, to), "Turn the dial to {{ target }}.", "quintain-canary-0123456789abcdef")
}

fn task_with(declared: &str, instruction: &str, canary: &str) -> Task {
    let files: TaskFiles = [
        ("task.toml".to_owned(), declared.as_bytes().to_vec()),
        ("instruction.md".to_owned(), instruction.as_bytes().to_vec()),
        ("reference/canary.txt".to_owned(), canary.as_bytes().to_vec()),
    ]
    .into();
    Task::from_files("test", &files).unwrap()
}

fn certificate(task: &Task, flaw: Flaw, seeds: &[u64]) -> Certificate {
    let palette = Palette::standard()
        .with(Arc::new(judges::AcceptsAll))
        .with(Arc::new(judges::AcceptsNothing))
        .with(Arc::new(judges::KnowsNoNearMiss));
    let panel = Panel::new(task, &palette).unwrap();
    let world = Dial::new(flaw);
    let subject = CertificateSubject { task, world: &world, panel: &panel, derive: &NothingToDerive };
    let options =
        CertifyOptions { seeds: seeds.to_vec(), canonical: false, form: CertificateForm::Quick, n_threads: 2 };
    certify(subject, &options, &|_progress| {})
}

/// The reasons for refusal, in order and without repetition, with the first sentence of each.
fn refused(task: &Task, flaw: Flaw) -> String {
    let certificate = certificate(task, flaw, &[1, 2]);
    let mut reasons: Vec<String> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for refusal in &certificate.refusals {
        if seen.insert(refusal.reason) {
            reasons.push(format!("{:?}: {refusal}", refusal.reason));
        }
    }
    if reasons.is_empty() { "sound".to_owned() } else { reasons.join("\n") }
}

fn sound() -> Task {
    task("", "")
}

#[test]
fn a_sound_task_is_certified_and_the_certificate_is_the_same_every_time() {
    let task = sound();
    let one = certificate(&task, Flaw::None, &[1, 2, 3]);
    assert_eq!(one.refusals, []);
    assert_eq!(one.to_json(), certificate(&task, Flaw::None, &[1, 2, 3]).to_json());
    assert_eq!(Certificate::from_json(&one.to_json()).unwrap(), one);
    insta::assert_snapshot!(serde_json::to_string_pretty(&one.picks[0]).unwrap(), @r#"
    {
      "instance": "test/dial#1",
      "instance_digest": "19258c9c9bc9f158dd16294e1c8fdb9ea21cb7cf652923517b498b89c3fe83d4",
      "oracle_steps": 8,
      "oracle_digest": "050c08966197a06b6ac85c1cf28eceb9193cc20f572a80f6d2decf1004a7a8e1",
      "n_repeats": 2,
      "n_near_misses": 10,
      "n_variations": 3,
      "n_secrets": 2,
      "n_texts": 1001,
      "hidden": [
        "screen",
        "text",
        "goal",
        "feedback",
        "remaining"
      ],
      "cheats": [
        "unpublished_calls",
        "foreign_actions",
        "wild_arguments",
        "floods",
        "claims_success",
        "forged_stop",
        "judge_injection",
        "gives_up",
        "canonical_by_heart"
      ]
    }
    "#);
    insta::assert_snapshot!(serde_json::to_string_pretty(&one.chance).unwrap(), @r#"
    [
      {
        "declared": 0.05,
        "n_guesses": 40,
        "n_solved": 0,
        "at_least": 0.0
      }
    ]
    "#);
}

#[test]
fn a_changed_task_or_world_invalidates_the_certificate() {
    let task_before = sound();
    let certificate = certificate(&task_before, Flaw::None, &[1]);
    assert!(certificate.is_sound() && certificate.is_valid_for(&task_before, &Dial::new(Flaw::None)));
    let changed = task("Turn a dial", "Turn the dial");
    assert!(!certificate.is_valid_for(&changed, &Dial::new(Flaw::None)));
    assert!(!certificate.is_valid_for(&task_before, &Dial::new(Flaw::Jitter)));
    let older = Certificate { version: 0, ..certificate };
    assert!(!older.is_valid_for(&task_before, &Dial::new(Flaw::None)));
}

#[test]
fn a_full_certificate_outweighs_a_quick_one_of_more_seeds() {
    let wide = certificate(&sound(), Flaw::None, &[1, 2, 3]);
    let narrow = Certificate { seeds: vec![1], picks: wide.picks[..1].to_vec(), ..wide.clone() };
    let full = Certificate { form: CertificateForm::Full, ..narrow.clone() };
    let [task, world, code] = ["t", "w", "c"].map(|text| Digest::of(text.as_bytes()));
    let small = |one: &Certificate| KeptCertificate::of(one, CertificateKey { task, world, code }, "1").unwrap();
    for (more, less) in [(&full, &wide), (&wide, &narrow), (&full, &narrow)] {
        assert!(more.outweighs(less) && !less.outweighs(more));
        assert!(small(more).outweighs(&small(less)) && !small(less).outweighs(&small(more)));
    }
    assert!(!narrow.outweighs(&narrow), "of two that prove as much the newer counts");
}

#[test]
fn a_judge_that_accepts_everything_is_refused() {
    let certificate = certificate(&task("kind = 'exact'", "kind = 'accepts-all'"), Flaw::None, &[1]);
    assert!(certificate.refusals.iter().any(|refusal| {
        refusal.reason == Reason::NearMissPasses && refusal.why.starts_with("10 of 10 nearly right end states pass")
    }));
    insta::assert_snapshot!(refused(&task("kind = 'exact'", "kind = 'accepts-all'"), Flaw::None), @"
    IdleScores: test/dial#1: stopping at once scores 1 and solves it
    CheatSucceeds: test/dial#1: the cheat `unpublished-calls` solves it
    NearMissPasses: test/dial#1: the first 4 of the oracle's 8 steps solve it already
    ChanceTooLow: 23 of 40 blind trials solve it, so chance is at least 0.4220, but 0.05 is declared
    ");
}

#[test]
fn a_judge_that_accepts_nothing_is_refused() {
    insta::assert_snapshot!(refused(&task("kind = 'exact'", "kind = 'accepts-nothing'"), Flaw::None), @"OracleFails: test/dial#1: the oracle scores 0 (ended: done); at-target: because I say so");
}

#[test]
fn a_judge_that_cannot_be_shown_to_fail_is_refused() {
    insta::assert_snapshot!(refused(&task("kind = 'exact'", "kind = 'knows-no-near-miss'"), Flaw::None), @"NoNearMisses: test/dial#1: check `at-target` knows no near miss, so nothing proves that it can fail");
}

#[test]
fn a_task_that_is_solved_at_the_start_is_refused() {
    insta::assert_snapshot!(refused(&task("{ integer = [12, 60] }", "{ integer = [0, 0] }"), Flaw::None), @"
    IdleScores: test/dial#1: stopping at once scores 1 and solves it
    CheatSucceeds: test/dial#1: the cheat `unpublished-calls` solves it
    NearMissPasses: test/dial#1: 1 of 8 nearly right end states pass; the first: check `any`, all is as it was at the start
    ");
}

#[test]
fn a_chance_declared_too_low_is_refused() {
    let any_turn =
        SOUND.replace("kind = 'exact'", "kind = 'numeric'").replace("expect = '{{ target }}'", "options = { min = 1 }");
    let declared = any_turn.replace("score = 0.05", "score = 0.0");
    let refused = refused(&task_with(&declared, "Turn it.", "quintain-canary-0123456789abcdef"), Flaw::None);
    insta::assert_snapshot!(refused, @"
    NearMissPasses: test/dial#1: the first 4 of the oracle's 8 steps solve it already
    ChanceTooLow: 22 of 40 blind trials solve it, so chance is at least 0.3983, but 0 is declared
    CheatSucceeds: the canonical solution learnt by heart solves 2 of 2 other instances
    ");
}

#[test]
fn a_leaked_reference_is_refused() {
    let leaky =
        task_with(SOUND, "Turn the dial. (quintain-canary-0123456789abcdef)", "quintain-canary-0123456789abcdef");
    insta::assert_snapshot!(refused(&leaky, Flaw::None), @"Leak: test/dial#1: the canary of the reference is in what the agent is told first");
    insta::assert_snapshot!(refused(&sound(), Flaw::TellsTheSecret), @"Leak: test/dial#1: the secret `/token` is in the text of turn 0");
    insta::assert_snapshot!(refused(&task_with(SOUND, "Turn.", "a bird"), Flaw::None), @"NoCanary: reference/canary.txt must hold `quintain-canary-` and at least 8 hexadecimal digits");
    insta::assert_snapshot!(refused(&sound(), Flaw::SecretAstray), @"Leak: test/dial#1: the secret `/tokn` leads nowhere, so nothing is kept secret");
}

#[test]
fn a_world_that_is_not_the_same_every_time_is_refused() {
    insta::assert_snapshot!(refused(&sound(), Flaw::Jitter), @"
    InvisibleEffect: test/dial#1: unpublished-calls: turn 1 looks different although the action before it had no effect
    RepeatsDiffer: test/dial#1: repeat 1 of the oracle is not like the first time: `text` of turn 0 is not the same
    ");
    insta::assert_snapshot!(refused(&sound(), Flaw::OtherInstances), @"RepeatsDiffer: test/dial#1: the same seed does not give the same instance");
}

#[test]
fn a_world_that_shows_what_was_switched_off_is_refused() {
    insta::assert_snapshot!(refused(&sound(), Flaw::ShowsTheGoal), @"HiddenPartShown: test/dial#1: `goal` is switched off, but turn 0 shows it");
    insta::assert_snapshot!(refused(&sound(), Flaw::MovesWhenRefusing), @"InvisibleEffect: test/dial#1: random: turn 14 looks different although the action before it had no effect");
}

#[test]
fn a_world_that_gives_in_to_a_cheat_is_refused() {
    insta::assert_snapshot!(refused(&sound(), Flaw::TakesUnpublishedCalls), @"
    CheatSucceeds: test/dial#1: the cheat `unpublished-calls` solves it
    ChanceTooLow: 15 of 40 blind trials solve it, so chance is at least 0.2422, but 0.05 is declared
    ");
    insta::assert_snapshot!(refused(&sound(), Flaw::SameSolution), @"CheatSucceeds: the canonical solution learnt by heart solves 2 of 2 other instances");
}

#[test]
fn giving_up_where_nothing_can_be_done_is_no_solution_learnt_by_heart() {
    let declared = format!("{}[result]\ninfeasible = true\n", SOUND.replace("'{{ target }}'", "0"));
    let stuck = task_with(&declared, "Turn the dial to {{ target }}.", "quintain-canary-0123456789abcdef");
    insta::assert_snapshot!(refused(&stuck, Flaw::None), @"sound");
}

#[test]
fn an_end_state_is_judged_in_the_preset_that_it_names() {
    let declared = format!("{SOUND}[presets.far]\ndifficulty = 'hard'\nparameters = {{ target = 50 }}\n");
    let task = task_with(&declared, "Turn the dial.", "quintain-canary-0123456789abcdef");
    let panel = Panel::new(&task, &Palette::standard()).unwrap();
    let world = Dial::new(Flaw::None);
    let subject = CertificateSubject { task: &task, world: &world, panel: &panel, derive: &NothingToDerive };
    let told = |preset: Option<&str>, document: i64| {
        let state = json!({"name": "end", "is": "right", "why": "so", "preset": preset, "document": document});
        let judged = judge_state(subject, "dial", (serde_json::from_value(state).unwrap(), &FileSet::new()));
        judged.map_or_else(|why| why, |judged| format!("{}: {}", judged.instance, judged.accepted))
    };
    let all = [told(Some("far"), 50), told(Some("far"), 7), told(None, 7), told(Some("farr"), 50)];
    insta::assert_snapshot!(all.join("\n"), @"
    test/dial@far: true
    test/dial@far: false
    test/dial: true
    there is no preset `farr`; did you mean `far`?
    ");
}

/// A task that asks for an answer and has its own oracle.
fn asking(expect: i64) -> Task {
    let declared = SOUND
        .replace(", generator = { integer = [12, 60] }", "")
        .replace("[limits]", "[result]\nkind = 'fields'\nfields = { n = 'number' }\n[limits]")
        .replace("selector = 'documents/dial'", "selector = 'answer/n'")
        .replace("expect = '{{ target }}'", &format!("expect = {expect}"));
    let mut task = task_with(&declared, "What does the dial say?", "quintain-canary-0123456789abcdef");
    task.oracle = Some(format!("# The answer.\n{{\"do\": \"answer\", \"value\": {{\"n\": {expect}}}}}"));
    task
}

#[test]
fn an_answer_that_says_nothing_must_not_be_the_right_one() {
    assert_eq!(refused(&asking(7), Flaw::None), "sound");
    assert!(certificate(&asking(7), Flaw::None, &[1]).picks[0].cheats.contains(&Cheat::BlankAnswers));
    insta::assert_snapshot!(refused(&asking(0), Flaw::None), @"CheatSucceeds: test/dial#1: the cheat `blank-answers` solves it");
}

#[test]
fn a_world_that_breaks_is_refused() {
    insta::assert_snapshot!(refused(&sound(), Flaw::Panics), @"Breaks: test/dial#1: something panicked: the dial came off");
    insta::assert_snapshot!(refused(&sound(), Flaw::NoInstances), @"NotPlayable: test/dial#1: the instance cannot be made: setup fault: the dial is lost");
}

/// The same, but for the refusal that every knob of five positions meets with: it has few twins.
fn of_knob(flaw: knob::Flaw, form: CertificateForm, seeds: &[u64]) -> Certificate {
    let mut certificate = of_small_knob(flaw, form, seeds);
    certificate.refusals.retain(|refusal| refusal.reason != Reason::TwinsRepeat);
    certificate
}

/// The certificate of a knob on a screen, its canonical instance included.
fn of_small_knob(flaw: knob::Flaw, form: CertificateForm, seeds: &[u64]) -> Certificate {
    let declared = SOUND
        .replace("'screen', 'goal', 'text',", "'screen',")
        .replace("act = ['call']", "act = ['gui', 'browser']")
        .replace("value = 7, generator = { integer = [12, 60] }", "value = 4, generator = { integer = [5, 9] }");
    let task = task_with(&declared, "Turn the knob {{ target }} times.", "quintain-canary-0123456789abcdef");
    let panel = Panel::new(&task, &Palette::standard()).unwrap();
    let subject = CertificateSubject { task: &task, world: &Knob(flaw), panel: &panel, derive: &NothingToDerive };
    let options = CertifyOptions { seeds: seeds.to_vec(), canonical: true, form, n_threads: 2 };
    certify(subject, &options, &|_progress| {})
}

fn told(certificate: &Certificate) -> String {
    let proofs = certificate.picks.iter().map(|proof| {
        let end = proof.canonical_end.map_or_else(String::new, |score| format!(", canonical end {score}"));
        format!(
            "{}: {} repeats, {} of them blind to where things are{end}",
            proof.instance, proof.n_repeats, proof.n_without_geometry
        )
    });
    let refusals = certificate.refusals.iter().map(|refusal| format!("{:?}: {refusal}", refusal.reason));
    let n_guesses = certificate.chance.iter().map(|chance| chance.n_guesses).sum::<u32>();
    let lines: Vec<String> = proofs.chain([format!("{n_guesses} guesses")]).chain(refusals).collect();
    lines.join("\n")
}

#[test]
fn a_screen_is_certified_with_its_canonical_instance() {
    let full = of_knob(knob::Flaw::None, CertificateForm::Full, &[1, 2]);
    assert!(full.costly);
    insta::assert_snapshot!(told(&full), @"
    test/dial: 4 repeats, 1 of them blind to where things are
    test/dial#1: 4 repeats, 1 of them blind to where things are, canonical end 0
    test/dial#2: 4 repeats, 1 of them blind to where things are, canonical end 0
    5 guesses
    ");
    let screens = [Cheat::WildArguments, Cheat::ForbiddenAddresses, Cheat::DeveloperKeys, Cheat::HugeText];
    assert!(screens.iter().all(|cheat| full.picks[0].cheats.contains(cheat)), "{:?}", full.picks[0].cheats);
    // A twin is spared what no instance answers differently.
    let beside = [Cheat::CanonicalByHeart].as_slice();
    assert_eq!(full.picks[2].cheats, [&screens, beside].concat());
    assert_eq!(full.picks.iter().map(|proof| proof.hidden.len()).collect::<Vec<_>>(), [3, 0, 0]);
    insta::assert_snapshot!(told(&of_knob(knob::Flaw::None, CertificateForm::Quick, &[])), @"
    test/dial: 2 repeats, 1 of them blind to where things are
    1 guesses
    ");
}

#[test]
fn a_screen_with_a_flaw_is_refused() {
    let refused = |flaw, instance: &str| {
        told(&of_knob(flaw, CertificateForm::Quick, &[1]))
            .lines()
            .filter(|line| line.contains(&format!("{instance}: ")))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    insta::assert_snapshot!(refused(knob::Flaw::HelpsThoseWhoAskWhere, "#1").join("\n"), @"
    test/dial#1: 2 repeats, 1 of them blind to where things are, canonical end 0
    RepeatsDiffer: test/dial#1: what the oracle did, without being shown where things are, is not like the first time: `screen` of turn 1 is not the same
    ");
    insta::assert_snapshot!(refused(knob::Flaw::TwinsAreAlike, "#1").join("\n"), @"
    test/dial#1: 2 repeats, 1 of them blind to where things are, canonical end 1
    CanonicalPasses: test/dial#1: the actions that solve the canonical instance score 1 here too
    CanonicalPasses: test/dial#1: the end state that is right in the canonical instance scores 1 here too
    ");
    insta::assert_snapshot!(refused(knob::Flaw::FollowsAddresses, "dial").join("\n"), @"
    test/dial: 2 repeats, 1 of them blind to where things are
    CheatSucceeds: test/dial: the cheat `forbidden-addresses` changes the world
    ");
    // What no instance answers differently was tried in the first one; a twin has the rest.
    assert_eq!(refused(knob::Flaw::FollowsAddresses, "#1").len(), 1);
    let forgets = refused(knob::Flaw::ForgetsRefusals, "dial");
    assert_eq!(forgets.len(), 15, "one proof and fourteen addresses: {forgets:#?}");
    insta::assert_snapshot!(forgets[1], @"CheatSucceeds: test/dial: the cheat `forbidden-addresses` went to `file:///etc/passwd`, and the evidence does not say it was refused");
}

#[test]
fn twins_that_repeat_each_other_are_counted_and_refused() {
    let few = of_small_knob(knob::Flaw::None, CertificateForm::Quick, &[]);
    let refusals: Vec<String> = few.refusals.iter().map(|refusal| format!("{:?}: {refusal}", refusal.reason)).collect();
    insta::assert_snapshot!(refusals.join("\n"), @"TwinsRepeat: too many seeds give the same instance: 5 of 100 seeds differ, 95 are wanted");
    insta::assert_snapshot!(serde_json::to_string(&few.twins).unwrap(), @r#"[{"seeds":100,"distinct":5,"repeated":0.95}]"#);
}
