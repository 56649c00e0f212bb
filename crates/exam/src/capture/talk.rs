//! A TCP conversation with what goes wrong on the way.

use quintain_core::Rng;

use super::packet::{ACK, CapturedPacket, FIN, PSH, RST, SYN, SegmentHead, SocketEnd, tcp};

/// The most that a segment carries.
const MOST: usize = 1460;

/// How a network treats a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weather {
    /// Everything comes once and in its order.
    Fair,
    /// Some segments come twice and some too late.
    Foul,
}

/// How a conversation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TalkEnd {
    Closed,
    Reset,
}

/// A TCP conversation while it is written down.
pub(super) struct TcpTalk<'a> {
    rng: &'a mut Rng,
    ends: [SocketEnd; 2],
    /// What each side sends next.
    next: [u32; 2],
    now: u64,
    weather: Weather,
    packets: Vec<CapturedPacket>,
}

impl<'a> TcpTalk<'a> {
    /// One that a client opens. Sequences may begin anywhere, also shortly before they run over.
    pub(super) fn open(rng: &'a mut Rng, client: SocketEnd, server: SocketEnd, at: u64, weather: Weather) -> Self {
        let first = |rng: &mut Rng| match weather {
            Weather::Foul => u32::MAX - rng.below(4000) as u32,
            Weather::Fair => rng.next_u64() as u32,
        };
        let next = [rng.next_u64() as u32, first(rng)];
        let mut talk = Self { rng, ends: [client, server], next, now: at, weather, packets: Vec::new() };
        talk.send(0, SYN, &[]);
        talk.pause(18_000);
        talk.send(1, SYN | ACK, &[]);
        talk.pause(300);
        talk.send(0, ACK, &[]);
        talk.pause(500);
        talk
    }

    /// Says nothing until then.
    pub(super) fn wait_until(&mut self, at: u64) {
        self.now = self.now.max(at);
    }

    /// Lets some microseconds pass, and a few more.
    pub(super) fn pause(&mut self, at_least: u64) {
        self.now += at_least + self.rng.below(1 + at_least as usize / 4) as u64;
    }

    /// What the client says.
    pub(super) fn ask(&mut self, content: &[u8]) {
        self.say(0, content);
    }

    /// What the server says.
    pub(super) fn answer(&mut self, content: &[u8]) {
        self.pause(22_000);
        self.say(1, content);
    }

    /// All packets, in no order.
    pub(super) fn end(mut self, how: TalkEnd) -> Vec<CapturedPacket> {
        self.pause(40_000);
        match how {
            TalkEnd::Reset => self.send(1, RST | ACK, &[]),
            TalkEnd::Closed => {
                self.send(0, FIN | ACK, &[]);
                self.pause(18_000);
                self.send(1, FIN | ACK, &[]);
                self.pause(300);
                self.send(0, ACK, &[]);
            }
        }
        self.packets
    }

    fn say(&mut self, side: usize, content: &[u8]) {
        let first = self.packets.len();
        let mut sent = Vec::new();
        for (at, piece) in content.chunks(MOST).enumerate() {
            sent.push(self.packets.len());
            self.send(side, PSH | ACK, piece);
            self.pause(120);
            if at % 2 == 1 {
                self.send(1 - side, ACK, &[]);
            }
        }
        if self.weather == Weather::Foul {
            self.repeat(side, content, first);
            self.disorder(&sent);
        }
        self.pause(600);
        self.send(1 - side, ACK, &[]);
    }

    /// Some segments are sent again; what is sent again need not be cut as it was.
    fn repeat(&mut self, side: usize, content: &[u8], first: usize) {
        let start = self.next[side].wrapping_sub(content.len() as u32);
        let n_repeated = 1 + content.len() / (8 * MOST);
        let began = self.packets[first].at;
        let later = self.next;
        for _ in 0..n_repeated {
            let from = self.rng.below(1 + content.len() / MOST) * MOST;
            let from = from.saturating_sub(self.rng.below(2) * MOST / 2).min(content.len().saturating_sub(1));
            let piece = &content[from..content.len().min(from + MOST)];
            self.next[side] = start.wrapping_add(from as u32);
            let now = self.now;
            self.now = began + 200_000 + self.rng.below(90_000) as u64;
            self.send(side, PSH | ACK, piece);
            self.now = now.max(self.now + 50);
            self.next = later;
        }
    }

    /// Every sixth segment or so, and one at least where there are two, comes behind the one that follows it.
    fn disorder(&mut self, sent: &[usize]) {
        let n_pairs = sent.len() / 2;
        for pair in 0..n_pairs {
            if pair == n_pairs / 2 || self.rng.chance(0.3) {
                let [one, other] = [sent[2 * pair], sent[2 * pair + 1]];
                let at = self.packets[one].at;
                self.packets[one].at = self.packets[other].at;
                self.packets[other].at = at;
            }
        }
    }

    fn send(&mut self, side: usize, flags: u8, content: &[u8]) {
        let has_acknowledged = flags & ACK != 0;
        let acknowledged = if has_acknowledged { self.next[1 - side] } else { 0 };
        let head = SegmentHead { sequence: self.next[side], acknowledged, flags };
        let bytes = tcp(self.ends[side], self.ends[1 - side], head, content);
        self.packets.push(CapturedPacket { at: self.now, bytes });
        let is_counted = flags & (SYN | FIN) != 0;
        self.next[side] = self.next[side].wrapping_add(content.len() as u32 + u32::from(is_counted));
    }
}
