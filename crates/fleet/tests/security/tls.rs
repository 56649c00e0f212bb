//! Who is let in at all.

use quintain_fleet::FleetLink;
use quintain_fleet::credentials::{KeyHolder, User};

use crate::castle::Castle;

#[tokio::test]
async fn only_known_keys_come_in_and_only_to_a_server_that_is_vouched_for() {
    let castle = Castle::build();
    castle.link("desk").connect().await.unwrap();
    let without_key = FleetLink { credentials: None, ..castle.link("desk") };
    let of_a_stranger = castle.file("unknown");
    User::new(&castle.names, &KeyHolder::Steward).unwrap().write_seed(&of_a_stranger).unwrap();
    let refused = [
        without_key,
        FleetLink { credentials: Some(of_a_stranger), ..castle.link("desk") },
        FleetLink { credentials: Some(castle.file("ca.crt")), ..castle.link("desk") },
        FleetLink { ca: Some(castle.file("stranger.crt")), ..castle.link("desk") },
        FleetLink { ca: None, ..castle.link("desk") },
    ];
    for (n, link) in refused.into_iter().enumerate() {
        let error = link.connect().await.map(drop).unwrap_err().to_string();
        assert!(error.starts_with("cannot "), "{n}: {error}");
    }
}
