//! A seat in a trial for a guest: an agent that we do not run, on the other end of a connection.
//!
//! One half is an [`Agent`] like any other: its turns are handed out and it waits for what is said. The other half,
//! [`Guest`], is the connection's: it waits for turns without blocking a thread. The [`GuestControl`] is the host's: it tells
//! the guest how the trial ended, and calls the trial off when the host closes.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use quintain_core::limits::Remaining;
use quintain_core::trial::TrialResult;
use quintain_core::{Agent, AgentError, Briefing, Observation, Reply, Turn};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

/// The trial's half of a seat: hands turns out and waits. A guest that says nothing for too long, or has left, is late.
#[derive(Debug)]
pub struct TrialSeat {
    said: UnboundedSender<GuestNews>,
    answers: Receiver<GuestReply>,
    idle: Duration,
}

/// The guest's half of a seat. When it is dropped, the guest has left.
#[derive(Debug)]
pub struct Guest {
    said: UnboundedReceiver<GuestNews>,
    answers: Sender<GuestReply>,
    is_over: watch::Receiver<bool>,
}

/// The host's half of a seat.
#[derive(Debug)]
pub struct GuestControl {
    said: UnboundedSender<GuestNews>,
    answers: Sender<GuestReply>,
    is_over: watch::Sender<bool>,
}

/// A turn that waits for a reply.
#[derive(Clone, Debug)]
pub struct ShownTurn {
    /// The number of the turn, from 0.
    pub step_idx: u32,
    /// What is seen.
    pub observation: Observation,
    /// What is left of each limit.
    pub remaining: Remaining,
}

/// How a guest's trial came to an end. Agents are never told the verdict; trainers and whoever runs the bridge are.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one of these per trial")]
pub enum GuestEnd {
    /// It ended and was judged.
    Judged(TrialResult),
    /// It was put down before its end, because the host closes.
    PutDown,
}

/// What a guest is told.
#[derive(Debug)]
enum GuestNews {
    Briefing(Box<Briefing>),
    Turn(Box<ShownTurn>),
    Over(Box<GuestEnd>),
}

/// What the trial is told.
#[derive(Debug)]
enum GuestReply {
    Reply(Box<Reply>),
    Left,
    CalledOff,
}

/// A seat for a guest who may stay silent for at most so long.
pub fn seat(idle: Duration) -> (TrialSeat, Guest, GuestControl) {
    let (said, told) = unbounded_channel();
    let (answers, heard) = mpsc::channel();
    let (ends, is_over) = watch::channel(false);
    let seat = TrialSeat { said: said.clone(), answers: heard, idle };
    let guest = Guest { said: told, answers: answers.clone(), is_over };
    (seat, guest, GuestControl { said, answers, is_over: ends })
}

impl Agent for TrialSeat {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.tell(GuestNews::Briefing(Box::new(briefing.clone())))
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let Turn { step_idx, observation, remaining } = *turn;
        self.tell(GuestNews::Turn(Box::new(ShownTurn { step_idx, observation: observation.clone(), remaining })))?;
        let patience = within.min(self.idle);
        match self.answers.recv_timeout(patience) {
            Ok(GuestReply::Reply(reply)) => Ok(*reply),
            Ok(GuestReply::CalledOff) => Err(AgentError::Interrupted),
            Ok(GuestReply::Left) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                Err(AgentError::Late(patience))
            }
        }
    }

    /// The guest remembers by itself, or is another one by now.
    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}

impl TrialSeat {
    fn tell(&self, said: GuestNews) -> Result<(), AgentError> {
        self.said.send(said).map_err(|_left| AgentError::Late(Duration::ZERO))
    }
}

impl Guest {
    /// Waits for what the trial is about; nothing but how it ended, where it could not even begin.
    pub async fn briefing(&mut self) -> Result<Briefing, GuestEnd> {
        loop {
            match self.said.recv().await {
                Some(GuestNews::Briefing(briefing)) => return Ok(*briefing),
                Some(GuestNews::Turn(_)) => {}
                Some(GuestNews::Over(over)) => return Err(*over),
                None => return Err(GuestEnd::PutDown),
            }
        }
    }

    /// Waits for the next turn, or for how the trial ended.
    pub async fn turn(&mut self) -> Result<ShownTurn, GuestEnd> {
        loop {
            match self.said.recv().await {
                Some(GuestNews::Turn(shown)) => return Ok(*shown),
                Some(GuestNews::Briefing(_)) => {}
                Some(GuestNews::Over(over)) => return Err(*over),
                None => return Err(GuestEnd::PutDown),
            }
        }
    }

    /// Answers the turn that was handed out last.
    pub fn reply(&self, reply: Reply) {
        // Nobody waits any more once the trial is over; the guest hears of that when it asks for the next turn.
        drop(self.answers.send(GuestReply::Reply(Box::new(reply))));
    }

    /// Tells when the trial is over, whether or not anybody asks for turns.
    pub fn over(&self) -> watch::Receiver<bool> {
        self.is_over.clone()
    }

    /// Whether the trial is over.
    pub fn is_over(&self) -> bool {
        *self.is_over.borrow()
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        drop(self.answers.send(GuestReply::Left));
    }
}

impl GuestControl {
    /// Tells the guest how the trial ended. That it is over shows before how: whoever knows how, knows that.
    pub fn over(self, over: GuestEnd) {
        self.is_over.send_replace(true);
        drop(self.said.send(GuestNews::Over(Box::new(over))));
    }

    /// Calls the trial off: it is put down where it is.
    pub fn call_off(&self) {
        drop(self.answers.send(GuestReply::CalledOff));
    }
}

impl Drop for GuestControl {
    fn drop(&mut self) {
        self.is_over.send_replace(true);
    }
}

/// Stands in for a guest who is gone, when a half-done trial is gone on with: it is late at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct AbsentGuest;

impl Agent for AbsentGuest {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, _turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        Err(AgentError::Late(Duration::ZERO))
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}

#[cfg(test)]
mod tests {
    use quintain_core::{Limits, ObservationPart, Spent};

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    fn turn(observation: &Observation) -> Turn<'_> {
        let remaining = Limits::steps(5).left(&Spent::default());
        Turn { step_idx: 2, observation, remaining }
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn a_turn_goes_out_and_a_reply_comes_in() {
        let (mut seat, mut guest, control) = seat(LONG);
        let playing = std::thread::spawn(move || {
            let observation = Observation::default().with_text(ObservationPart::Text, "hello");
            seat.act(&turn(&observation), LONG)
        });
        let shown = block_on(guest.turn()).unwrap();
        assert_eq!((shown.step_idx, shown.observation.texts[&ObservationPart::Text].as_str()), (2, "hello"));
        guest.reply(Reply::text("('stop', 'stop')"));
        assert_eq!(playing.join().unwrap().unwrap().raw, "('stop', 'stop')");
        assert!(!guest.is_over());
        control.over(GuestEnd::PutDown);
        assert!(guest.is_over());
        assert_eq!(block_on(guest.turn()).unwrap_err(), GuestEnd::PutDown);
    }

    #[test]
    fn guests_who_are_silent_or_gone_are_late_and_those_called_off_are_not() {
        let observation = Observation::default();
        let (mut silent, _guest, _usher) = seat(Duration::from_millis(5));
        assert_eq!(silent.act(&turn(&observation), LONG), Err(AgentError::Late(Duration::from_millis(5))));

        let (mut left, guest, _usher) = seat(LONG);
        drop(guest);
        assert!(matches!(left.act(&turn(&observation), LONG), Err(AgentError::Late(_))));

        let (mut called_off, _guest, control) = seat(LONG);
        control.call_off();
        assert_eq!(called_off.act(&turn(&observation), LONG), Err(AgentError::Interrupted));
    }
}
