//! What is right: a funnel as its specification describes it, cycle by cycle.

use std::collections::VecDeque;

use super::config::{ClearRule, CountEnd, DataCoding, FlushRule, FunnelConfig, ServiceOrder};

/// The inputs of one cycle. Bit or entry `i` is that of port `i`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wire of its own")]
pub(super) struct FunnelInputs {
    pub(super) is_reset: bool,
    pub(super) valid: u32,
    pub(super) last: u32,
    pub(super) urgent: u32,
    pub(super) data: Vec<u32>,
    pub(super) out_ready: bool,
    pub(super) flush: bool,
    pub(super) clr: bool,
}

#[derive(Clone, Copy, Debug)]
struct StoredWord {
    data: u32,
    src: u32,
    last: bool,
    tag: u32,
}

/// A grant that is open: its words so far, and for how long its port has been silent.
#[derive(Clone, Copy, Debug)]
struct OpenGrant {
    port: usize,
    n_words: usize,
    n_idle: usize,
}

/// The state of a funnel.
#[derive(Clone, Debug)]
pub(super) struct FunnelModel<'a> {
    config: &'a FunnelConfig,
    store: VecDeque<StoredWord>,
    grant: Option<OpenGrant>,
    /// The ports in the order in which they are looked at.
    turns: Vec<usize>,
    tags: Vec<u32>,
    waits: Vec<usize>,
    starved: u32,
    packets: u32,
}

fn bit(of: u32, at: usize) -> bool {
    of >> at & 1 == 1
}

impl<'a> FunnelModel<'a> {
    /// After a reset.
    pub(super) fn new(config: &'a FunnelConfig) -> Self {
        let n = config.n_ports;
        let step = if config.order == ServiceOrder::RoundRobinDown { n - 1 } else { 1 };
        Self {
            config,
            store: VecDeque::new(),
            grant: None,
            turns: (0..n).map(|k| (config.first_port + k * step) % n).collect(),
            tags: vec![config.tag_first; n],
            waits: vec![0; n],
            starved: 0,
            packets: 0,
        }
    }

    /// The port whose word is taken in this cycle.
    fn accepted(&self, inputs: &FunnelInputs) -> Option<usize> {
        let pops = !self.store.is_empty() && inputs.out_ready;
        let has_room = self.store.len() < self.config.depth || self.config.passes_when_full && pops;
        if !has_room || inputs.flush && self.config.flush == FlushRule::Block {
            return None;
        }
        if let Some(grant) = self.grant {
            return bit(inputs.valid, grant.port).then_some(grant.port);
        }
        let pressing = inputs.valid & inputs.urgent;
        let asking = if pressing == 0 { inputs.valid } else { pressing };
        self.turns.iter().copied().find(|port| bit(asking, *port))
    }

    /// The outputs, in the order of [`FunnelConfig::output_ports`].
    pub(super) fn outputs(&self, inputs: &FunnelInputs) -> [u32; 11] {
        let ready = self.accepted(inputs).map_or(0, |port| 1 << port);
        let (valid, head) = match self.store.front() {
            Some(head) => (1, *head),
            None => (0, StoredWord { data: 0, src: 0, last: false, tag: 0 }),
        };
        let last = u32::from(head.last);
        let ones = head.data.count_ones() + head.src.count_ones() + last + head.tag.count_ones();
        let parity = (ones + u32::from(self.config.odd_parity)) % 2 * valid;
        let level = self.store.len() as u32;
        let almost = u32::from(self.store.len() >= self.config.almost_full);
        [ready, valid, head.data, head.src, last, head.tag, parity, level, almost, self.starved, self.packets]
    }

    /// The rising edge at the end of a cycle.
    pub(super) fn clock(&mut self, inputs: &FunnelInputs) {
        if inputs.is_reset {
            *self = Self::new(self.config);
            return;
        }
        let accepted = self.accepted(inputs);
        self.count(inputs, accepted);
        self.store_word(inputs, accepted);
        self.follow_grant(inputs, accepted);
    }

    fn store_word(&mut self, inputs: &FunnelInputs, accepted: Option<usize>) {
        if inputs.out_ready {
            self.store.pop_front();
        }
        if inputs.flush {
            self.store.clear();
        }
        let Some(port) = accepted else { return };
        let last = bit(inputs.last, port);
        let word = StoredWord { data: self.coded(inputs.data[port]), src: port as u32, last, tag: self.tags[port] };
        if !inputs.flush || self.config.flush == FlushRule::Keep {
            self.store.push_back(word);
        }
        self.tags[port] = if last {
            self.config.tag_first
        } else {
            after(self.tags[port], self.config.tag_last, self.config.tag_end)
        };
    }

    fn coded(&self, data: u32) -> u32 {
        let width = self.config.data_width;
        match self.config.coding {
            DataCoding::Plain => data,
            DataCoding::Gray => data ^ data >> 1,
            DataCoding::Reversed => data.reverse_bits() >> (32 - width),
            DataCoding::Inverted => !data & ((1 << width) - 1),
        }
    }

    fn follow_grant(&mut self, inputs: &FunnelInputs, accepted: Option<usize>) {
        match (accepted, self.grant) {
            (Some(port), grant) => {
                let n_words = grant.map_or(0, |grant| grant.n_words) + 1;
                self.grant = Some(OpenGrant { port, n_words, n_idle: 0 });
                if bit(inputs.last, port) || n_words == self.config.burst_limit {
                    self.end_grant(port);
                }
            }
            (None, Some(grant)) => {
                let n_idle = if bit(inputs.valid, grant.port) { 0 } else { grant.n_idle + 1 };
                self.grant = Some(OpenGrant { n_idle, ..grant });
                if n_idle == self.config.idle_limit {
                    self.end_grant(grant.port);
                }
            }
            (None, None) => {}
        }
    }

    fn end_grant(&mut self, port: usize) {
        self.grant = None;
        let at = self.turns.iter().position(|turn| *turn == port).unwrap_or_default();
        if self.config.order == ServiceOrder::LeastRecent {
            self.turns.remove(at);
            self.turns.push(port);
        } else {
            self.turns.rotate_left(at + 1);
        }
    }

    fn count(&mut self, inputs: &FunnelInputs, accepted: Option<usize>) {
        let event_counts = !inputs.clr || self.config.clear == ClearRule::EventWins;
        if inputs.clr {
            (self.packets, self.starved) = (0, 0);
        }
        if accepted.is_some_and(|port| bit(inputs.last, port)) && event_counts {
            self.packets = after(self.packets, self.config.count_last, self.config.count_end);
        }
        for port in 0..self.config.n_ports {
            let is_waiting = bit(inputs.valid, port) && accepted != Some(port);
            self.waits[port] = if is_waiting { (self.waits[port] + 1).min(self.config.wait_limit) } else { 0 };
            if self.waits[port] == self.config.wait_limit && event_counts {
                self.starved |= 1 << port;
            }
        }
    }
}

/// The next value of a count.
fn after(count: u32, last: u32, end: CountEnd) -> u32 {
    match end {
        _ if count < last => count + 1,
        CountEnd::Wrap => 0,
        CountEnd::Stay => last,
    }
}
