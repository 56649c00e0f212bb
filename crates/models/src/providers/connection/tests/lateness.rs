//! Whose fault it is that an answer did not come in time.

use super::*;

#[test]
fn a_hint_beyond_the_deadline_ends_the_waiting() {
    let stage = stage(vec![busy("429 Too Many Requests", "retry-after: 3600\r\n", "slow down")]);
    insta::assert_snapshot!(stage.ask(LONG), @"
    Free 429 slow down
    chat/toy: asked once: 429 slow down; wasted $0.0000, 0 unknown
    ");
}

#[test]
fn a_hint_beyond_all_clocks_is_one_beyond_the_deadline() {
    for hint in ["retry-after: 1e19\r\n", "retry-after-ms: 1e22\r\n"] {
        let stage = stage(vec![busy("429 Too Many Requests", hint, "slow down")]);
        assert!(stage.ask(LONG).contains("asked once: 429 slow down"), "{hint}");
    }
}

#[test]
fn whoever_had_to_wait_for_a_place_is_not_late() {
    let (within, pause) = (Duration::from_secs(2), Duration::from_secs(1));
    let stage = stage(vec![Act::Stall("event: say\ndata: I think\n\n".to_owned())]);
    let limiter = &stage.connection.limiter;
    runtime().block_on(limiter.take()).refused(Some(pause));
    let error = stage.connection.ask(&question(&["well?"]), within).unwrap_err();
    assert!(matches!(error, ModelError::Provider { .. }), "{error}");
}

#[test]
fn slow_is_late_only_where_the_provider_did_nothing_wrong() {
    let slow = || Act::Stall("event: say\ndata: I think\n\n".to_owned());
    let within = Duration::from_secs(2);
    let alone = stage(vec![slow()]);
    assert_eq!(alone.connection.ask(&question(&["well?"]), within), Err(ModelError::Late(within)));
    let after_trouble = stage(vec![busy("503 Service Unavailable", "", "overloaded"), slow()]);
    let error = after_trouble.connection.ask(&question(&["well?"]), within).unwrap_err();
    assert!(matches!(error, ModelError::Provider { .. }), "{error}");
    let mut silent = stage(vec![Act::Hang]);
    silent.connection.timeout = within;
    let error = silent.connection.ask(&question(&["well?"]), within).unwrap_err();
    assert!(matches!(error, ModelError::Provider { .. }), "silence is a hang: {error}");
}
