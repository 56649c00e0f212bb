//! Taking parcels from the queue of a class. Only the request for the next messages is needed, which is all that a
//! worker is allowed.

use std::time::Duration;

use async_nats::StatusCode;
use futures_util::StreamExt;
use quintain_runner::engine::EngineError;
use serde_json::json;

use super::holdings::ClockMoment;
use super::server::{QueueServer, WITHIN};
use super::wire::ParcelWork;
use crate::names::{FleetNames, token};
use crate::server_failure::failed;

/// A parcel as it was delivered.
#[derive(Clone, Debug)]
pub(super) struct Delivery {
    pub(super) ack: String,
    /// How often it was delivered, this time included.
    pub(super) n_delivered: u32,
    pub(super) work: ParcelWork,
    pub(super) received: ClockMoment,
}

/// What came of asking for parcels.
pub(super) enum PulledParcels {
    /// So many; none if there were none for as long as was waited.
    Parcels(Vec<Delivery>),
    /// There is no such queue, or nobody leads it at the moment.
    NoQueue,
}

/// Takes parcels of a class: those that are there at once, else the first that come within the time.
pub(super) async fn pull(
    server: &QueueServer,
    names: &FleetNames,
    class: &str,
    max: usize,
    wait: Duration,
) -> Result<PulledParcels, EngineError> {
    let inbox = server.client.new_inbox();
    let mut answers = server.client.subscribe(inbox.clone()).await.map_err(failed("take work"))?;
    let wish = json!({"batch": max, "no_wait": true, "expires": wait.as_nanos() as u64});
    let wish = serde_json::to_vec(&wish).map_err(failed("take work"))?;
    let api = format!("$JS.API.CONSUMER.MSG.NEXT.{}.{}", names.stream("work"), token(class));
    server.client.publish_with_reply(api, inbox, wish.into()).await.map_err(failed("take work"))?;
    let mut parcels = Vec::new();
    while parcels.len() < max {
        // A leader that dies never answers.
        let Ok(Some(answer)) = tokio::time::timeout(wait + WITHIN, answers.next()).await else { break };
        match answer.status {
            None | Some(StatusCode::OK) => match read(&answer) {
                Some(parcel) => parcels.push(parcel),
                None => put_away(server, answer).await?,
            },
            Some(StatusCode::NO_RESPONDERS) => return Ok(PulledParcels::NoQueue),
            Some(StatusCode::IDLE_HEARTBEAT) => {}
            Some(_) => break,
        }
    }
    Ok(PulledParcels::Parcels(parcels))
}

/// Takes off the queue what nobody can read: as long as it is there, nothing else can be offered in its place.
async fn put_away(server: &QueueServer, unreadable: async_nats::Message) -> Result<(), EngineError> {
    let Some(to) = unreadable.reply else { return Ok(()) };
    server.client.publish(to, "+TERM".into()).await.map_err(failed("put away what cannot be read"))
}

fn read(message: &async_nats::Message) -> Option<Delivery> {
    let ack = message.reply.as_ref()?.to_string();
    let n_delivered = n_delivered(&ack)?;
    let work = serde_json::from_slice(&message.payload).ok()?;
    Some(Delivery { ack, n_delivered, work, received: ClockMoment::now() })
}

/// `$JS.ACK.<stream>.<consumer>.<delivered>.<seq>.<consumer seq>.<time>.<pending>`; newer servers may have the domain and
/// a hash of the account after `ACK`, and something at the end.
fn n_delivered(ack: &str) -> Option<u32> {
    let parts: Vec<&str> = ack.split('.').collect();
    let at = if parts.len() >= 11 { 6 } else { 4 };
    parts.get(at)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_deliveries_is_read_from_where_to_answer() {
        assert_eq!(n_delivered("$JS.ACK.f-work.puzzles.3.17.19.1794741546595298923.2"), Some(3));
        assert_eq!(n_delivered("$JS.ACK._.hash.f-work.puzzles.4.17.19.1794741546595298923.2.x"), Some(4));
        assert_eq!(n_delivered("somewhere"), None);
    }
}
