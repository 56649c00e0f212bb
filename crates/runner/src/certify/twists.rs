//! End states that were never played: nearly right ones, which must fail, and others that are right, which must pass.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use quintain_checks::Twist;
use quintain_core::check::Case;
use quintain_core::judge::{EndedTrial, Judge};
use quintain_core::task::ResultKind;
use quintain_core::{Digest, Evidence, FileHandle, Reference, Score, Stretch, VerifierCase, VerifierRunner};
use serde_json::{Value, json};

use super::CertificateSubject;
use super::certificate::Reason;
use super::effort::Breadth;
use super::grammar::TwistGrammar;
use super::milestone_twists::twist_milestones;
use super::rehearsal::{CALL_LIMIT, LeftFiles};
use crate::scratch::WithScratch;

/// What the twists of one right end state came to.
#[derive(Debug, Default)]
pub(super) struct TwistResults {
    pub(super) n_near_misses: u32,
    pub(super) n_variations: u32,
    pub(super) refusals: Vec<(Reason, String)>,
}

/// What stands for the contents of a file that was altered.
const NOBODYS: &[u8] = b"what nobody left";

/// Where each end state has to be verified by a program, a narrow examination judges so many of each check.
const N_NARROW_NEAR_MISSES: usize = 12;
const N_NARROW_VARIATIONS: usize = 6;

/// Judges end states like the right one. `idle` is the end state of an agent that did nothing.
pub(super) fn twist(
    subject: CertificateSubject<'_>,
    right: &Evidence,
    idle: &Evidence,
    (left, reference): (&LeftFiles, &Reference),
    (breadth, seed): (Breadth, Digest),
) -> TwistResults {
    // An end state may be megabytes and have thousands of twists: near misses are gone before variations are made.
    let judge = TwistJudging { subject, right, left, reference };
    let mut twisted = judge.near_misses(idle, (breadth, seed));
    twisted.add(judge.variations((breadth, seed)));
    twisted.add(twist_milestones(subject, right, (left, reference)));
    twisted
}

impl TwistResults {
    pub(super) fn add(&mut self, more: Self) {
        self.n_near_misses += more.n_near_misses;
        self.n_variations += more.n_variations;
        self.refusals.extend(more.refusals);
    }
}

/// Each end state once: several checks make the same ones of a right one, and a program may have to verify each.
pub(super) fn distinct(twists: impl IntoIterator<Item = Twist>) -> Vec<Twist> {
    let mut seen = BTreeSet::new();
    let digest = |evidence: &Evidence| Digest::of_written(evidence).expect("evidence is made of what JSON can write");
    twists.into_iter().filter(|twist| seen.insert(digest(&twist.evidence))).collect()
}

/// How many wrong and how many right end states are drawn at random.
fn drawn(subject: CertificateSubject<'_>, breadth: Breadth) -> (usize, usize) {
    match (breadth, subject.task.spec.derive.is_empty()) {
        (Breadth::Narrow, true) => (36, 18),
        (Breadth::Wide | Breadth::Whole, true) => (300, 150),
        (Breadth::Narrow, false) => (12, 6),
        (Breadth::Wide | Breadth::Whole, false) => (60, 30),
    }
}

/// At most so many of each check, from all over the list.
pub(super) fn spread(twists: Vec<Twist>, most: usize) -> Vec<Twist> {
    let mut by_check: BTreeMap<String, Vec<Twist>> = BTreeMap::new();
    for twist in twists {
        by_check.entry(twist.check.clone()).or_default().push(twist);
    }
    let thinned = |twists: Vec<Twist>| {
        let every = twists.len().div_ceil(most.max(1)).max(1);
        twists.into_iter().step_by(every)
    };
    by_check.into_values().flat_map(thinned).collect()
}

/// End states that no check thought of: nothing at all, what there was at the start, and, where the state of the world
/// is what counts, nothing in its documents.
fn nothing_like_it(subject: CertificateSubject<'_>, right: &Evidence, idle: &Evidence) -> Vec<Twist> {
    let twist = |how: &str, evidence| Twist { check: "any".to_owned(), how: how.to_owned(), evidence };
    let mut twists = vec![
        twist("nothing was handed over", Evidence::default()),
        twist("all is as it was at the start", idle.clone()),
    ];
    if subject.task.spec.result.kind == ResultKind::State {
        for (how, value) in [("every document is null", Value::Null), ("every document is empty", json!({}))] {
            let documents = right.documents.keys().map(|name| (name.clone(), value.clone())).collect();
            twists.push(twist(how, Evidence { documents, ..right.clone() }));
        }
    }
    twists
}

/// The right end state with a document beside it that nobody asked for.
fn with_bystander(right: &Evidence) -> Twist {
    let mut evidence = right.clone();
    evidence.documents.insert("quintain-bystander".to_owned(), Value::Null);
    Twist { check: "any".to_owned(), how: "another document beside it".to_owned(), evidence }
}

struct TwistJudging<'a> {
    subject: CertificateSubject<'a>,
    right: &'a Evidence,
    left: &'a LeftFiles,
    reference: &'a Reference,
}

impl TwistJudging<'_> {
    /// Judges end states that are nearly right, which must fail.
    fn near_misses(&self, idle: &Evidence, (breadth, seed): (Breadth, Digest)) -> TwistResults {
        let Self { subject, right, .. } = *self;
        let drawn = self.grammar().wrong(seed, drawn(subject, breadth).0);
        let mut near = subject.panel.near_misses(self.case());
        let is_without = |check: &&str| !near.iter().any(|twist| twist.check == *check);
        let without_any = subject.panel.counted().filter(is_without).map(|check| {
            let why = format!("check `{check}` knows no near miss, so nothing proves that it can fail");
            (Reason::NoNearMisses, why)
        });
        let mut refusals: Vec<(Reason, String)> = without_any.collect();
        near.extend(nothing_like_it(subject, right, idle));
        let near = distinct(self.narrowed(near, (breadth, N_NARROW_NEAR_MISSES)).into_iter().chain(drawn));
        refusals.extend(self.wrongly(&near, Reason::NearMissPasses, Score::is_full));
        TwistResults { n_near_misses: near.len() as u32, n_variations: 0, refusals }
    }

    /// Judges end states that are right in another way, which must pass.
    fn variations(&self, (breadth, seed): (Breadth, Digest)) -> TwistResults {
        let drawn = self.grammar().right(seed, drawn(self.subject, breadth).1);
        let like = self.narrowed(self.subject.panel.variations(self.case()), (breadth, N_NARROW_VARIATIONS));
        let like = distinct(like.into_iter().chain(drawn).chain([with_bystander(self.right)]));
        let refusals = self.wrongly(&like, Reason::VariationFails, |score| !score.is_full());
        TwistResults { n_near_misses: 0, n_variations: like.len() as u32, refusals: refusals.into_iter().collect() }
    }

    fn case(&self) -> Case<'_> {
        Case { evidence: self.right, reference: self.reference }
    }

    fn grammar(&self) -> TwistGrammar<'_> {
        TwistGrammar { panel: self.subject.panel, right: self.right, reference: self.reference }
    }

    /// All of them, or, where each has to be verified and the examination is narrow, so many of each check.
    fn narrowed(&self, twists: Vec<Twist>, (breadth, most): (Breadth, usize)) -> Vec<Twist> {
        let is_narrow = breadth == Breadth::Narrow && !self.subject.task.spec.derive.is_empty();
        if is_narrow { spread(twists, most) } else { twists }
    }

    /// One refusal for all twists with a wrong score, and one for all that break the judge.
    fn wrongly(&self, twists: &[Twist], reason: Reason, is_wrong: impl Fn(Score) -> bool) -> Vec<(Reason, String)> {
        let mut wrong = Vec::new();
        let mut broken = Vec::new();
        for twist in twists {
            match self.judge(twist) {
                Ok(score) if is_wrong(score) => wrong.push(format!("check `{}`, {}", twist.check, twist.how)),
                Ok(_) => {}
                Err(why) => broken.push(format!("{} ({why})", twist.how)),
            }
        }
        let what = match reason {
            Reason::NearMissPasses => "nearly right end states pass",
            _ => "end states that are right in another way fail",
        };
        let wrong = first_of(&wrong, twists.len(), (reason, what));
        let broken = first_of(&broken, twists.len(), (Reason::Breaks, "altered end states break the judge"));
        wrong.into_iter().chain(broken).collect()
    }

    fn judge(&self, twist: &Twist) -> Result<Score, String> {
        let evidence = twisted(self.subject, &twist.evidence, self.right, (self.left, self.reference))?;
        judged(self.subject, &evidence, self.reference)
    }
}

/// One refusal for all end states that came out wrong, with the first of them.
pub(super) fn first_of(found: &[String], n_all: usize, (reason, what): (Reason, &str)) -> Option<(Reason, String)> {
    let first = found.first()?;
    Some((reason, format!("{} of {n_all} {what}; the first: {first}", found.len())))
}

/// A twist of a right end state with what the verifiers make of it, unless it is what they say that was altered.
pub(super) fn twisted<'a>(
    subject: CertificateSubject<'_>,
    twist: &'a Evidence,
    right: &Evidence,
    (left, reference): (&LeftFiles, &Reference),
) -> Result<Cow<'a, Evidence>, String> {
    let is_same_else =
        (&twist.documents, &twist.answer, &twist.files) == (&right.documents, &right.answer, &right.files);
    let is_derived_anew = twist.derived == right.derived || (twist.derived.is_empty() && !is_same_else);
    Ok(if is_derived_anew { Cow::Owned(derived(subject, twist, left, reference)?) } else { Cow::Borrowed(twist) })
}

/// The score of an end state, with what the verifiers make of it.
pub(super) fn score(
    subject: CertificateSubject<'_>,
    evidence: &Evidence,
    left: &LeftFiles,
    reference: &Reference,
) -> Result<Score, String> {
    judged(subject, &derived(subject, evidence, left, reference)?, reference)
}

/// An end state with what the verifiers make of it.
pub(super) fn derived(
    subject: CertificateSubject<'_>,
    evidence: &Evidence,
    left: &LeftFiles,
    reference: &Reference,
) -> Result<Evidence, String> {
    // A file that nobody left, because it is a twist of one, holds something else.
    let handle = |digest| left.get(digest).cloned().unwrap_or_else(|| FileHandle::embedded(NOBODYS));
    let files = evidence.files.iter().map(|(name, digest)| (name.clone(), handle(digest))).collect();
    let case = VerifierCase { files: &files, within: CALL_LIMIT, ..VerifierCase::of(evidence, reference) };
    let derived = WithScratch(subject.derive).derive(case)?.into_iter().collect();
    Ok(Evidence { derived, ..evidence.clone() })
}

fn judged(subject: CertificateSubject<'_>, evidence: &Evidence, reference: &Reference) -> Result<Score, String> {
    let judged = subject.panel.judge(EndedTrial { evidence, snapshots: &[], stretch: Stretch::WHOLE }, reference);
    judged.map(|judgement| judgement.score).map_err(|broken| broken.to_string())
}
