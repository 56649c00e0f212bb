//! The bare cycle: publish, lease, commit, acknowledge.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use async_nats::{HeaderMap, header};
use futures_util::{StreamExt, future};

use crate::{runtime, timed};

/// How many leases are under way at once.
const N_WORKERS: u32 = 64;

/// About as many bytes as an outcome has.
const BODY: [u8; 600] = [b'x'; 600];

/// Each of many workers leases one, commits and acknowledges it, and waits for each answer.
pub(crate) fn single(urls: &str, round: u32, n_trials: u32) -> Duration {
    cycle(urls, &format!("single{round}"), n_trials, 1)
}

/// A few workers lease many at once and wait for the answers together.
pub(crate) fn batched(urls: &str, round: u32, n_trials: u32) -> Duration {
    cycle(urls, &format!("batch{round}"), n_trials, 64)
}

fn cycle(urls: &str, name: &str, n_trials: u32, batch: usize) -> Duration {
    let runtime = runtime();
    let (context, consumer) = runtime.block_on(set_up(urls, name));
    let left = Arc::new(AtomicU32::new(n_trials));
    timed(|| {
        runtime.block_on(async {
            let publisher = tokio::spawn(publish(context.clone(), name.to_owned(), n_trials));
            let n_workers = if batch == 1 { N_WORKERS } else { 8 };
            let worker =
                |_| tokio::spawn(work(context.clone(), consumer.clone(), name.to_owned(), Arc::clone(&left), batch));
            let workers: Vec<_> = (0..n_workers).map(worker).collect();
            publisher.await.unwrap();
            future::join_all(workers).await.into_iter().for_each(Result::unwrap);
        });
    })
}

async fn set_up(urls: &str, name: &str) -> (Context, PullConsumer) {
    let client = async_nats::connect(urls.split(',').collect::<Vec<_>>()).await.unwrap();
    let context = jetstream::new(client);
    let strict = Config {
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        ..Config::default()
    };
    let work = Config {
        name: format!("{name}-work"),
        subjects: vec![format!("{name}.work.*")],
        retention: RetentionPolicy::WorkQueue,
        ..strict.clone()
    };
    let out = Config { name: format!("{name}-out"), subjects: vec![format!("{name}.out.*")], ..strict };
    context.create_stream(out).await.unwrap();
    let stream = context.create_stream(work).await.unwrap();
    let config =
        pull::Config { durable_name: Some("all".to_owned()), max_ack_pending: 100_000, ..pull::Config::default() };
    let consumer = stream.create_consumer(config).await.unwrap();
    (context, consumer)
}

async fn publish(context: Context, name: String, n_trials: u32) {
    let all: Vec<u32> = (0..n_trials).collect();
    for chunk in all.chunks(256) {
        let publish = |trial: &u32| context.publish(format!("{name}.work.{trial}"), BODY[..200].to_vec().into());
        let sent = future::join_all(chunk.iter().map(publish)).await;
        for acknowledged in future::join_all(sent.into_iter().map(|sent| sent.unwrap().into_future())).await {
            acknowledged.unwrap();
        }
    }
}

async fn work(context: Context, consumer: PullConsumer, name: String, left: Arc<AtomicU32>, batch: usize) {
    while left.load(Ordering::Relaxed) > 0 {
        let mut leased =
            consumer.batch().max_messages(batch).expires(Duration::from_millis(500)).messages().await.unwrap();
        let mut messages = Vec::with_capacity(batch);
        while let Some(message) = leased.next().await {
            messages.push(message.unwrap());
        }
        let mut committed = Vec::with_capacity(messages.len());
        for message in &messages {
            let trial = message.subject.rsplit('.').next().unwrap().to_owned();
            let mut headers = HeaderMap::new();
            headers.insert(header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, "0");
            let sent = context.publish_with_headers(format!("{name}.out.{trial}"), headers, BODY.to_vec().into()).await;
            committed.push(sent.unwrap().into_future());
        }
        future::join_all(committed).await.into_iter().for_each(|acknowledged| drop(acknowledged.unwrap()));
        future::join_all(messages.iter().map(async_nats::jetstream::Message::double_ack))
            .await
            .into_iter()
            .for_each(Result::unwrap);
        left.fetch_sub(messages.len() as u32, Ordering::Relaxed);
    }
}
