//! One session on a socket: messages in, messages out, until somebody closes it or falls silent.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde_json::{Value, json};

use super::message::{ErrorCode, Incoming, OpenEnvFailure, Reset, shaped};
use super::{OpenEnv, TrainerEpisode};

/// The longest message that is read. Actions are short.
const MAX_MESSAGE: usize = 1 << 20;

pub(super) async fn upgrade(State(env): State<Arc<OpenEnv>>, upgrade: WebSocketUpgrade) -> Response {
    // Small buffers: a thousand sessions wait most of the time.
    let upgrade = upgrade.read_buffer_size(4096).write_buffer_size(0).max_message_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| serve(env, socket))
}

/// What a message is answered with.
enum SocketAnswer {
    Say(Value),
    Close,
}

/// Serves one session. The seat is taken with the connection, the trial begins with `reset`.
async fn serve(env: Arc<OpenEnv>, mut socket: WebSocket) {
    let _seat = match env.seat() {
        Ok(seat) => seat,
        Err(full) => return part(&mut socket, Some(full)).await,
    };
    let mut episode: Option<TrainerEpisode> = None;
    loop {
        let text = match hear(&env, &mut socket, episode.as_ref()).await {
            SocketMessage::Text(text) => text,
            SocketMessage::Nothing => continue,
            SocketMessage::Gone => return,
            SocketMessage::Silence => {
                let why = format!("nothing was heard for {:?}", env.options.idle);
                return part(&mut socket, Some(OpenEnvFailure::new(ErrorCode::SessionError, why))).await;
            }
        };
        let answer = match answer(&env, &mut episode, &text).await {
            Ok(SocketAnswer::Close) => return part(&mut socket, None).await,
            Ok(SocketAnswer::Say(said)) => said,
            Err(failure) => json!({"type": "error", "data": failure.data()}),
        };
        if say(&mut socket, &answer).await.is_err() {
            return;
        }
    }
}

enum SocketMessage {
    Text(String),
    Nothing,
    Gone,
    Silence,
}

/// Waits for a message, no longer than a session may be silent; a trial that ended meanwhile ends the wait too.
async fn hear(env: &OpenEnv, socket: &mut WebSocket, episode: Option<&TrainerEpisode>) -> SocketMessage {
    let over = episode.map(|episode| episode.session.over()).filter(|over| !*over.borrow());
    let ended = async {
        match over {
            Some(mut over) => drop(over.wait_for(|is_over| *is_over).await),
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        message = tokio::time::timeout(env.options.idle, socket.recv()) => match message {
            Ok(Some(Ok(Message::Text(text)))) => SocketMessage::Text(text.to_string()),
            Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => SocketMessage::Gone,
            Ok(Some(Ok(_))) => SocketMessage::Nothing,
            Err(_elapsed) => SocketMessage::Silence,
        },
        () = ended => SocketMessage::Silence,
    }
}

async fn answer(
    env: &OpenEnv,
    episode: &mut Option<TrainerEpisode>,
    text: &str,
) -> Result<SocketAnswer, OpenEnvFailure> {
    let invalid =
        |error: serde_json::Error| OpenEnvFailure::new(ErrorCode::InvalidJson, format!("invalid JSON: {error}"));
    let message: Value = serde_json::from_str(text).map_err(invalid)?;
    let Incoming { kind, data } = shaped(message)?;
    match kind.as_str() {
        "reset" => {
            let reset: Reset = if data.is_null() { Reset::default() } else { shaped(data)? };
            *episode = None; // The trial before is over, whether it was done or not.
            let begun = episode.insert(env.begin(&reset, None).await?);
            Ok(SocketAnswer::Say(json!({"type": "observation", "data": begun.opening().await?})))
        }
        "step" => Ok(SocketAnswer::Say(json!({"type": "observation", "data": playing(episode)?.step(&data).await?}))),
        "state" => Ok(SocketAnswer::Say(json!({"type": "state", "data": playing(episode)?.state()}))),
        "close" => Ok(SocketAnswer::Close),
        other => Err(OpenEnvFailure::new(ErrorCode::UnknownType, format!("unknown message type `{other}`"))),
    }
}

fn playing(episode: &mut Option<TrainerEpisode>) -> Result<&mut TrainerEpisode, OpenEnvFailure> {
    episode.as_mut().ok_or_else(|| OpenEnvFailure::new(ErrorCode::ExecutionError, "no episode has begun; reset first"))
}

async fn say(socket: &mut WebSocket, value: &Value) -> Result<(), axum::Error> {
    socket.send(Message::Text(value.to_string().into())).await
}

/// Says why, where there is a reason, and closes. Whoever has gone already does not hear it.
async fn part(socket: &mut WebSocket, why: Option<OpenEnvFailure>) {
    if let Some(why) = why {
        drop(say(socket, &json!({"type": "error", "data": why.data()})).await);
    }
    drop(socket.send(Message::Close(None)).await);
}
