//! What a worker's key opens, subject by subject.

use async_nats::{HeaderMap, StatusCode};
use insta::assert_snapshot;
use quintain_fleet::Hosts;
use quintain_fleet::credentials::{KeyHolder, Permissions};
use quintain_runner::engine::steered::SteeredEngine;

use crate::castle::{Castle, hand_in, units};

/// Everything that would be worth trying, in a fleet called `f` with a run `r`.
const FORBIDDEN: &str = "
    $JS.API.INFO $JS.API.STREAM.NAMES $JS.API.STREAM.LIST $JS.API.STREAM.CREATE.x $JS.API.STREAM.CREATE.f-out
    $JS.API.STREAM.UPDATE.f-out $JS.API.STREAM.DELETE.f-out $JS.API.STREAM.PURGE.f-out $JS.API.STREAM.PURGE.f-half
    $JS.API.STREAM.INFO.f-out $JS.API.STREAM.INFO.f-work $JS.API.STREAM.INFO.f-attempts $JS.API.STREAM.INFO.KV_f-runs
    $JS.API.STREAM.MSG.GET.f-out $JS.API.STREAM.MSG.GET.f-work $JS.API.STREAM.MSG.GET.KV_f-runs
    $JS.API.STREAM.MSG.DELETE.f-out $JS.API.STREAM.SNAPSHOT.f-out $JS.API.STREAM.RESTORE.f-out
    $JS.API.DIRECT.GET.f-out $JS.API.DIRECT.GET.f-out.f.out.r.0.> $JS.API.DIRECT.GET.f-out.f.out.r.0.*
    $JS.API.DIRECT.GET.f-attempts.f.att.r.0.* $JS.API.DIRECT.GET.f-half.f.half.r.0.> $JS.API.DIRECT.GET.f-work
    $JS.API.DIRECT.GET.f-plan.f.plan.r $JS.API.DIRECT.GET.KV_f-runs $JS.API.DIRECT.GET.KV_f-runs.$KV.f-runs.r
    $JS.API.DIRECT.GET.KV_f-hosts.$KV.f-hosts.lab $JS.API.DIRECT.GET.KV_f-hosts.$KV.f-hosts.desk
    $JS.API.DIRECT.GET.KV_f-ctl $JS.API.DIRECT.GET.KV_f-ctl.$KV.f-ctl.drain.lab
    $JS.API.DIRECT.GET.KV_f-ctl.$KV.f-ctl.drain.* $JS.API.DIRECT.GET.KV_f-ctl.$KV.f-ctl.drain.>
    $JS.API.DIRECT.GET.KV_f-ctl.$KV.f-ctl.> $JS.API.DIRECT.GET.KV_f-limits.$KV.f-limits.state
    $JS.API.CONSUMER.CREATE.f-out.x $JS.API.CONSUMER.CREATE.f-work.x.f.work.puzzles.> $JS.API.CONSUMER.NAMES.f-work
    $JS.API.CONSUMER.DURABLE.CREATE.f-work.x $JS.API.CONSUMER.DELETE.f-work.puzzles $JS.API.CONSUMER.INFO.f-work.puzzles
    $JS.API.CONSUMER.MSG.NEXT.f-work.browser $JS.API.CONSUMER.MSG.NEXT.f-out.x $JS.ACK.f-work.browser.1.1.1.1.1
    $KV.f-hosts.lab $KV.f-runs.r $KV.f-ctl.drain.desk $KV.f-ctl.leader $KV.f-limits.state
    f.plan.r f.work.browser.r.0-1 f.ask.lab f.ctl _INBOX.x _INBOX_f.x _R_.x.y $SYS.REQ.SERVER.PING";

/// The same to listen to.
const UNHEARD: &str = "> *.> f.> f.*.> f.out.> f.work.> f.work.puzzles.> f.att.> f.half.> f.ev.* f.ask.* f.ask.desk
    _INBOX.> _INBOX_f.> _INBOX_f.*.> _R_.> $JS.> $JS.ACK.> $JS.API.> $KV.> $KV.f-hosts.> $SYS.>";

/// What may stand in the body of a direct get. 408 is how the server says that it will not have it.
const WISHES: [&str; 5] = [
    "",
    r#"{"seq":1}"#,
    r#"{"last_by_subj":"$KV.f-ctl.drain.lab"}"#,
    r#"{"next_by_subj":"$KV.f-ctl.>","seq":1,"batch":10}"#,
    r#"{"multi_last":["$KV.f-ctl.>"]}"#,
];

#[tokio::test]
async fn a_worker_reaches_what_it_needs_and_nothing_else() {
    let castle = Castle::build();
    castle.engine("steward").await;
    let mut desk = castle.probe("desk").await;
    let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(desk.forbidden_to_publish(&list(FORBIDDEN)).await, list(FORBIDDEN));
    let mut unheard = list(UNHEARD);
    unheard.push(format!("{}.>", castle.inbox_of_lab));
    assert_eq!(desk.forbidden_to_hear(&unheard).await, unheard);

    let who = KeyHolder::Worker { name: "desk".to_owned(), classes: vec!["puzzles".to_owned()] };
    let own = Permissions::of(&castle.names, &who, "key").publish;
    let own: Vec<String> = own.iter().map(|subject| subject.replace('*', "1").replace('>', "1.1.1.1.1")).collect();
    assert_eq!(desk.forbidden_to_publish(&own).await, Vec::<String>::new());
    assert_eq!(desk.forbidden_to_hear(&["f.ctl".to_owned()]).await, Vec::<String>::new());
}

/// The server's direct get takes further wishes in the body of a request. None of them leads past the subject.
#[tokio::test]
async fn a_wish_in_the_body_of_a_direct_get_leaks_nothing() {
    let castle = Castle::build();
    let steward = castle.link("steward").connect().await.unwrap();
    let hosts = Hosts::create(steward, castle.names.clone(), 1).await.unwrap();
    hosts.ask_to_drain("lab").await.unwrap();
    let desk = castle.probe("desk").await.client;
    let subject = "$JS.API.DIRECT.GET.KV_f-ctl.$KV.f-ctl.drain.desk";
    for wish in WISHES {
        let answer = desk.request(subject, wish.into()).await.unwrap();
        assert!(answer.payload.is_empty(), "{wish} brings {:?}", answer.payload);
        assert!(matches!(answer.status, Some(StatusCode::NOT_FOUND | StatusCode::TIMEOUT)), "{:?}", answer.status);
    }
    hosts.ask_to_drain("desk").await.unwrap();
    let answer = desk.request(subject, "".into()).await.unwrap();
    assert_eq!(&answer.payload[..], b"true");
    for wish in WISHES {
        let answer = desk.request(subject, wish.into()).await.unwrap();
        let of = answer.headers.and_then(|headers| headers.get("Nats-Subject").map(ToString::to_string));
        assert!(of.is_none_or(|of| of == "$KV.f-ctl.drain.desk"), "{wish}");
    }
}

/// Where the answer to a message goes is chosen by its sender. It never gets past the workers' account.
#[tokio::test]
async fn answers_cannot_be_sent_where_their_receiver_could_not_write() {
    let castle = Castle::build();
    let steward = castle.engine("steward").await;
    hand_in(&steward, &units("r", "puzzles", 2)).await;
    let before = steward.runs().await.unwrap();
    let desk = castle.probe("desk").await.client;
    let entry = "$KV.f-runs.r";
    desk.publish_with_reply("f.out.r.0.0000", entry, "forged".into()).await.unwrap();
    desk.publish_with_reply("f.work.puzzles.r.7-1", entry, "forged".into()).await.unwrap();
    desk.publish_with_reply("$JS.API.CONSUMER.MSG.NEXT.f-work.puzzles", entry, "1".into()).await.unwrap();
    let rollup = HeaderMap::from_iter([("Nats-Rollup".parse().unwrap(), "all".parse().unwrap())]);
    desk.publish_with_reply_and_headers("f.out.r.1.0000", entry, rollup, "forged".into()).await.unwrap();
    // The server takes messages of a connection in order: once the last one is there, so are the others.
    desk.request("f.half.r.0.0000", "last".into()).await.unwrap();
    assert_eq!(castle.engine("steward").await.runs().await.unwrap(), before);
}

#[tokio::test]
async fn a_submitter_can_neither_report_outcomes_nor_change_what_is_there() {
    let castle = Castle::build();
    castle.engine("steward").await;
    let mut submitter = castle.probe("submitter").await;
    let tried: Vec<String> =
        "f.out.r.0.0000 f.att.r.0.0000 f.half.r.0.0000 f.ask.desk $KV.f-hosts.desk $KV.f-ctl.leader
        $KV.f-limits.state.x $JS.API.STREAM.DELETE.f-out $JS.API.STREAM.UPDATE.f-out $JS.API.STREAM.PURGE.f-out
        $JS.API.CONSUMER.DELETE.f-work.puzzles $JS.API.CONSUMER.MSG.NEXT.f-work.puzzles $JS.API.STREAM.NAMES
        $JS.API.STREAM.MSG.DELETE.f-out $JS.API.STREAM.INFO.other-out"
            .split_whitespace()
            .map(str::to_owned)
            .collect();
    assert_eq!(submitter.forbidden_to_publish(&tried).await, tried);
    let unheard = ["f.ask.*".to_owned(), format!("{}.>", castle.inbox_of_lab), ">".to_owned()];
    assert_eq!(submitter.forbidden_to_hear(&unheard).await, unheard);
}

#[tokio::test]
async fn a_steward_is_held_to_its_own_fleet() {
    let castle = Castle::build();
    let mut steward = castle.probe("steward").await;
    let tried: Vec<String> = "g.out.r.0.0000 $KV.g-runs.r $JS.API.STREAM.INFO.g-out $JS.API.STREAM.DELETE.g-out
        $JS.API.CONSUMER.CREATE.g-out.f-out $JS.API.CONSUMER.CREATE.g-out.x.f.out $JS.API.STREAM.NAMES $JS.ACK.g-work.x.1"
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    assert_snapshot!(steward.forbidden_to_publish(&tried).await.join("\n"), @"
    g.out.r.0.0000
    $KV.g-runs.r
    $JS.API.STREAM.INFO.g-out
    $JS.API.STREAM.DELETE.g-out
    $JS.API.CONSUMER.CREATE.g-out.f-out
    $JS.API.CONSUMER.CREATE.g-out.x.f.out
    $JS.API.STREAM.NAMES
    $JS.ACK.g-work.x.1
    ");
}
