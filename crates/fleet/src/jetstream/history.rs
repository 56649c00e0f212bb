//! What became of a unit's earlier attempts, and what is on its shelves.

use quintain_runner::engine::EngineError;

use super::holdings::UnitHistory;
use super::server::MessagePut;
use super::tries::ServerTries;
use super::wire::{History, PastAttempt};
use super::{NatsEngine, ProcessRole};
use crate::ask::{MessageSource, StewardAnswer, StewardRequest, StreamMessage, UnitClaim};
use crate::server_failure::failed;

impl NatsEngine {
    /// The last message of a kind for a unit. Who may not look asks the steward.
    pub(super) async fn look(
        &self,
        claim: &UnitClaim,
        kind: MessageSource,
    ) -> Result<Option<StreamMessage>, EngineError> {
        if let ProcessRole::Worker { name } = &self.options.role {
            let answer = self.ask(name, &StewardRequest::Last { of: claim.clone(), kind }).await?;
            return match answer {
                StewardAnswer::Message { message } => Ok(message),
                other => Err(unexpected(&other)),
            };
        }
        self.shelved(claim, kind).await
    }

    /// The last message of a kind for a unit, read from the server.
    async fn shelved(&self, claim: &UnitClaim, kind: MessageSource) -> Result<Option<StreamMessage>, EngineError> {
        let (stream, subject) = match kind {
            MessageSource::Outcome => ("out", self.names.outcome(&claim.run, claim.idx, &claim.ticket)),
            MessageSource::Attempts => ("attempts", self.names.attempts(&claim.run, claim.idx, &claim.ticket)),
        };
        let found = self.server.last(&self.names.stream(stream), &subject).await?;
        let message = |body: String, seq| StreamMessage { seq, body };
        Ok(found.map(|found| message(String::from_utf8_lossy(&found.body).into_owned(), found.seq)))
    }

    /// The last message of a kind for a unit; nothing for those who were never given the unit. Only a steward can ask.
    pub async fn last(&self, claim: &UnitClaim, kind: MessageSource) -> Result<Option<StreamMessage>, EngineError> {
        self.check(claim).await?;
        self.shelved(claim, kind).await
    }

    /// What was kept of a unit's attempts that were not over, oldest first.
    pub(super) async fn kept(&self, claim: &UnitClaim) -> Result<Vec<Vec<u8>>, EngineError> {
        if let ProcessRole::Worker { name } = &self.options.role {
            let answer = self.ask(name, &StewardRequest::Half { of: claim.clone() }).await?;
            return match answer {
                StewardAnswer::Messages { messages } => Ok(messages.into_iter().map(String::into_bytes).collect()),
                other => Err(unexpected(&other)),
            };
        }
        let subject = self.names.half(&claim.run, claim.idx, &claim.ticket);
        let kept = self.server.read(&self.names.stream("half"), &subject, 0, usize::MAX).await?;
        Ok(kept.into_iter().map(|kept| kept.body.to_vec()).collect())
    }

    /// What was kept of a unit's attempts that were not over, for those who were given the unit. Only a steward can ask.
    pub async fn halves(&self, claim: &UnitClaim) -> Result<Vec<String>, EngineError> {
        self.check(claim).await?;
        let kept = self.kept(claim).await?;
        Ok(kept.into_iter().map(|lines| String::from_utf8_lossy(&lines).into_owned()).collect())
    }

    /// Refuses a claim whose ticket is not the unit's.
    pub async fn check(&self, claim: &UnitClaim) -> Result<(), EngineError> {
        if self.ticket(&claim.run, claim.idx).await? == claim.ticket {
            return Ok(());
        }
        let why = format!("unit {} of `{}` was never given to the one who asks", claim.idx, claim.run);
        Err(EngineError::Server { doing: "answer a claim", why })
    }

    /// The history of a unit with the number of the message that holds it.
    pub(super) async fn read_history(&self, claim: &UnitClaim) -> Result<UnitHistory, EngineError> {
        let Some(message) = self.look(claim, MessageSource::Attempts).await? else {
            return Ok(UnitHistory::default());
        };
        let unreadable = |why: serde_json::Error| EngineError::Unreadable {
            unit: format!("{} of {}", claim.idx, claim.run),
            why: why.to_string(),
        };
        Ok((message.seq, serde_json::from_str(&message.body).map_err(unreadable)?))
    }

    /// Adds notes to the history of a unit. Others may do so at the same time.
    pub(super) async fn note(
        &self,
        claim: &UnitClaim,
        unit: &str,
        mut known: Option<UnitHistory>,
        notes: &[PastAttempt],
    ) -> Result<UnitHistory, EngineError> {
        let subject = self.names.attempts(&claim.run, claim.idx, &claim.ticket);
        let mut tries = ServerTries::begin();
        loop {
            let (seq, before) = match known.take() {
                Some(known) => known,
                None => self.read_history(claim).await?,
            };
            let mut history = History { unit: unit.to_owned(), ..before.clone() };
            for note in notes {
                history.note(note.clone());
            }
            if history.attempts == before.attempts && seq > 0 {
                return Ok((seq, before));
            }
            let body = serde_json::to_vec(&history).map_err(failed("write down an attempt"))?;
            let put = self.server.put(subject.clone(), Some(seq), body).await;
            if let MessagePut::At(seq) = put {
                return Ok((seq, history));
            }
            tries.again(failed("note an attempt")(format!("{put:?}"))).await?;
        }
    }

    async fn ask(&self, worker: &str, ask: &StewardRequest) -> Result<StewardAnswer, EngineError> {
        let question = serde_json::to_vec(ask).map_err(failed("ask the steward"))?;
        let answer = self.server.ask(self.names.ask(worker), question).await?;
        serde_json::from_slice(&answer).map_err(failed("understand the steward"))
    }
}

fn unexpected(answer: &StewardAnswer) -> EngineError {
    let why = match answer {
        StewardAnswer::Refused { why } => why.clone(),
        other => format!("it answered {other:?}"),
    };
    EngineError::Server { doing: "get an answer from the steward", why }
}
