use insta::assert_snapshot;

use super::*;

#[test]
fn a_worker_may_do_this_and_nothing_else() {
    let who =
        KeyHolder::Worker { name: "desk 7".to_owned(), classes: vec!["browser".to_owned(), "puzzles".to_owned()] };
    assert_snapshot!(entry_of(&who));
}

#[test]
fn a_submitter_may_do_this_and_nothing_else() {
    assert_snapshot!(entry_of(&KeyHolder::Submitter));
}

#[test]
fn a_steward_may_do_this_and_nothing_else() {
    assert_snapshot!(entry_of(&KeyHolder::Steward));
}

#[test]
fn the_accounts_are_those_of_the_deployment() {
    let names = FleetNames::of("quintain");
    let made = accounts(&names, "include \"users/fleet.conf\"", "include \"users/workers.conf\"");
    let deployed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/nats/accounts.conf");
    let deployed = std::fs::read_to_string(deployed).unwrap();
    let (_comment, deployed) = deployed.split_once("\n\n").unwrap();
    assert_eq!(made, deployed);
}

#[test]
fn a_worker_without_work_is_refused() {
    let idle = KeyHolder::Worker { name: "w".to_owned(), classes: Vec::new() };
    let error = User::new(&FleetNames::of("f"), &idle).unwrap_err();
    assert_eq!(error.to_string(), "worker `w` is given no kind of world\nhint: --can puzzles,browser");
}

#[test]
fn a_name_can_neither_widen_permissions_nor_break_the_file() {
    let who = KeyHolder::Worker { name: "*.>\n\"}".to_owned(), classes: vec![">".to_owned(), "a b".to_owned()] };
    let user = User::new(&FleetNames::of("f"), &who).unwrap();
    let all = [user.permissions.publish.clone(), user.permissions.subscribe.clone()].concat().join("\n");
    assert!(all.contains("f.ask.=2a=2e=3e=0a=22=7d\n"), "{all}");
    assert!(all.contains("$JS.API.CONSUMER.MSG.NEXT.f-work.=3e\n"), "{all}");
    assert_eq!(user.entry().lines().next(), Some(r#"  # worker *.>\n\"} of f for >,a b"#));
}

#[test]
#[cfg(unix)]
fn a_seed_is_kept_from_others_and_never_overwritten() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("steward.nk");
    let entry = issue(&FleetNames::of("f"), &KeyHolder::Steward, &file).unwrap();
    let seed = std::fs::read_to_string(&file).unwrap();
    let public = KeyPair::from_seed(seed.trim()).unwrap().public_key();
    assert!(entry.contains(&public) && !entry.contains(seed.trim()));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let again = issue(&FleetNames::of("f"), &KeyHolder::Steward, &file).unwrap_err().to_string();
    assert!(again.starts_with("cannot write the key to ") && again.contains("never overwritten"), "{again}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), seed);
}

fn entry_of(who: &KeyHolder) -> String {
    let user = User::new(&FleetNames::of("quintain"), who).unwrap();
    user.entry().replace(&user.public_key, "KEY")
}
