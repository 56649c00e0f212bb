//! A long trial in a short context: 600 records of about 5,000 tokens each, read one by one by a model that holds 200,000.
//!
//! Twenty records hold a fact. The model notes twelve of them when it reads them, and only reads the other eight; in the
//! end it is asked for all. What it then knows is what is in that one request.

mod archive;
mod clerk;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_agents::loops::context::request_tokens;
use quintain_agents::loops::{Generalist, LoopOptions};
use quintain_core::books::Purpose;
use quintain_core::event::{Record, RecordError, TrialEvent};
use quintain_core::judge::NothingToDerive;
use quintain_core::trial::{Played, TrialParts, TrialPast, TrialResult, play};
use quintain_core::{Clock, Digest, Reply, Screen, Settings, Trial, TrialId};
use quintain_models::model::{Piece, Request};

use archive::{Archive, N_FACTS, N_RECORDS, Recalled, fact, is_noted};
use clerk::{Clerk, LIMIT};

struct Since(Instant);

impl Clock for Since {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The replies of a trial.
#[derive(Default)]
struct Replies(Vec<Reply>);

impl Record for Replies {
    fn frame(&mut self, _digest: Digest, _screen: &Screen) -> Result<(), RecordError> {
        Ok(())
    }

    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError> {
        if let TrialEvent::Turn { reply, .. } = event {
            self.0.push(reply);
        }
        Ok(())
    }
}

fn trial(agent: &mut Generalist) -> (Played, Vec<Reply>) {
    let id: TrialId = "test/archive#1~someone~0".parse().expect("a trial's name");
    let task = archive::task();
    let instance = archive::instance(&task, &id);
    let settings = Settings::default();
    let limits = quintain_core::Limits::steps(N_RECORDS as u32 + 10);
    let world = Digest::of(b"archive");
    let trial = Trial { id: &id, task: &task, instance: &instance, world, settings: &settings, limits: &limits };
    let mut replies = Replies::default();
    let mut stage = TrialParts {
        open: &|| Ok(Box::new(Archive::default())),
        agent,
        reference: &|| Ok(instance.reference(&task)),
        derive: &NothingToDerive,
        judge: &Recalled,
        record: &mut replies,
        clock: &Since(Instant::now()),
        interrupted: &|| false,
        call_limit: Duration::from_mins(1),
    };
    let played = play(&trial, &mut stage, TrialPast::default()).expect("memory has room");
    (played, replies.0)
}

/// Every byte of text in a request, whatever an estimate makes of it.
fn n_bytes(request: &Request) -> usize {
    let messages = request.messages.iter().flat_map(|message| &message.pieces).map(n_bytes_of).sum::<usize>();
    request.system.len() + messages
}

fn n_bytes_of(piece: &Piece) -> usize {
    match piece {
        Piece::Text { text } => text.len(),
        Piece::Outcome { pieces, .. } => pieces.iter().map(n_bytes_of).sum(),
        other => serde_json::to_string(other).expect("there are no pictures").len(),
    }
}

/// What was done to the conversation, and how often.
fn compactions(replies: &[Reply]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let memories = replies.iter().filter_map(|reply| reply.memory.as_ref());
    for event in memories.flat_map(|memory| memory["events"].as_array().expect("a list of events")) {
        if let Some(kind) = event["done"]["compaction"].as_str() {
            *counts.entry(kind.to_owned()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn a_long_trial_stays_within_a_short_context_and_keeps_its_notes() {
    let began = Instant::now();
    let clerk = Arc::new(Clerk::default());
    let mut agent = Generalist::new(clerk.clone(), None, LoopOptions::default());
    let (played, replies) = trial(&mut agent);
    let Played::Ended(TrialResult { verdict, .. }) = played else { panic!("{played:?}") };
    let seen = clerk.seen.lock().unwrap();

    for (step_idx, tokens, n_bytes) in &seen.requests {
        assert!(*tokens <= LIMIT, "turn {step_idx}: {tokens} tokens by the estimate");
        assert!(*n_bytes as u64 / 4 <= LIMIT, "turn {step_idx}: {n_bytes} bytes");
    }
    assert!(seen.raw_tokens > 2_900_000, "the raw conversation has {} tokens", seen.raw_tokens);
    assert_eq!(replies.len(), N_RECORDS + 1, "{verdict:?}");

    let answers = seen.answers.clone();
    let known = |n: &usize| answers.get(&fact(*n).0) == Some(&fact(*n).1);
    let (noted, read): (Vec<usize>, Vec<usize>) = (0..N_FACTS).partition(|n| is_noted(*n));
    let n_noted_known = noted.iter().filter(|n| known(n)).count();
    let n_read_known = read.iter().filter(|n| known(n)).count();
    let counts = compactions(&replies);
    println!(
        "{} calls, {} of them to sum up; raw {} tokens, longest request {} tokens; {counts:?}; answered {n_noted_known} of \
         {} noted facts and {n_read_known} of {} that were only read; {:?}",
        seen.requests.len(),
        seen.n_summaries,
        seen.raw_tokens,
        seen.requests.iter().map(|(_, tokens, _)| tokens).max().unwrap(),
        noted.len(),
        read.len(),
        began.elapsed(),
    );
    assert_eq!((noted.len(), n_noted_known), (12, 12), "{answers:?}");
    assert!(n_read_known < read.len(), "what nobody noted is lost, or the trial was not long: {answers:?}");
    for tier in ["cleared", "summed_up", "shortened"] {
        assert!(counts.contains_key(tier), "{tier}: {counts:?}");
    }
    assert!(verdict.solved, "{verdict:?}");
    assert_eq!(seen.n_overflows, 0, "the provider never found a request too long");
    assert!(seen.n_summaries >= 1);
    let summarised = seen.purposes.iter().filter(|purpose| **purpose == Purpose::Summarise).count();
    assert_eq!(summarised, seen.n_summaries, "whoever sums up is asked to, and nothing else");
}

/// Used by the clerk.
fn measured(request: &Request) -> (u32, u64, usize) {
    (request.step_idx, request_tokens(request), n_bytes(request))
}
