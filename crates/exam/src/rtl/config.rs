//! What a customer ordered: the options of one stream funnel, drawn from a seed.

use std::fmt::Write as _;

use quintain_core::Rng;

/// In which order ports are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServiceOrder {
    RoundRobinUp,
    RoundRobinDown,
    LeastRecent,
}

/// What a flush does to a word that comes in the same cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlushRule {
    Block,
    Drop,
    Keep,
}

/// How data are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataCoding {
    Plain,
    Gray,
    Reversed,
    Inverted,
}

/// What a count does behind its last value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountEnd {
    Wrap,
    Stay,
}

/// Which of two things that happen in the same cycle counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClearRule {
    ClearWins,
    EventWins,
}

/// The options of one funnel, as its specification names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FunnelConfig {
    pub(super) n_ports: usize,
    pub(super) data_width: usize,
    pub(super) depth: usize,
    pub(super) almost_full: usize,
    pub(super) resets_low: bool,
    pub(super) first_port: usize,
    pub(super) order: ServiceOrder,
    pub(super) burst_limit: usize,
    pub(super) idle_limit: usize,
    /// A full store takes a word in while it gives one out.
    pub(super) passes_when_full: bool,
    pub(super) flush: FlushRule,
    pub(super) coding: DataCoding,
    pub(super) odd_parity: bool,
    pub(super) tag_width: usize,
    pub(super) tag_first: u32,
    pub(super) tag_last: u32,
    pub(super) tag_end: CountEnd,
    pub(super) wait_limit: usize,
    pub(super) clear: ClearRule,
    pub(super) count_width: usize,
    pub(super) count_last: u32,
    pub(super) count_end: CountEnd,
}

/// The bits that numbers up to this one need.
pub(super) fn width_of(largest: usize) -> usize {
    (usize::BITS - largest.leading_zeros()).max(1) as usize
}

impl FunnelConfig {
    /// The options from a seed. No depth is a power of two, and no count ends at one less than such.
    pub(super) fn drawn(seed: u64, n_ports: usize) -> Self {
        let mut rng = Rng::for_purpose(seed, "funnel");
        let depth = *rng.choose(&[3, 5, 6, 7, 9, 10, 11]);
        let tag_last = *rng.choose(&[2, 4, 5, 6]);
        let count_last = *rng.choose(&[9, 10, 12, 18, 21, 25]);
        let end = |rng: &mut Rng| *rng.choose(&[CountEnd::Wrap, CountEnd::Stay]);
        Self {
            n_ports,
            data_width: 4 + rng.below(9),
            depth,
            almost_full: depth - rng.below(3).min(depth - 1),
            resets_low: rng.chance(0.5),
            first_port: rng.below(n_ports),
            order: *rng.choose(&[ServiceOrder::RoundRobinUp, ServiceOrder::RoundRobinDown, ServiceOrder::LeastRecent]),
            burst_limit: 2 + rng.below(4),
            idle_limit: 1 + rng.below(4),
            passes_when_full: rng.chance(0.5),
            flush: *rng.choose(&[FlushRule::Block, FlushRule::Drop, FlushRule::Keep]),
            coding: *rng.choose(&[DataCoding::Plain, DataCoding::Gray, DataCoding::Reversed, DataCoding::Inverted]),
            odd_parity: rng.chance(0.5),
            tag_width: width_of(tag_last as usize),
            tag_first: rng.below(2) as u32,
            tag_last,
            tag_end: end(&mut rng),
            wait_limit: 3 + rng.below(8),
            clear: *rng.choose(&[ClearRule::ClearWins, ClearRule::EventWins]),
            count_width: width_of(count_last as usize),
            count_last,
            count_end: end(&mut rng),
        }
    }

    /// The name of the reset.
    pub(super) fn reset_port(&self) -> &'static str {
        if self.resets_low { "rst_n" } else { "rst" }
    }

    /// The inputs besides the clock, with their widths.
    pub(super) fn input_ports(&self) -> Vec<(&'static str, usize)> {
        let n = self.n_ports;
        vec![
            (self.reset_port(), 1),
            ("req_valid", n),
            ("req_last", n),
            ("req_urgent", n),
            ("req_data", n * self.data_width),
            ("out_ready", 1),
            ("flush", 1),
            ("clr", 1),
        ]
    }

    /// The outputs with their widths.
    pub(super) fn output_ports(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("req_ready", self.n_ports),
            ("out_valid", 1),
            ("out_data", self.data_width),
            ("out_src", width_of(self.n_ports - 1)),
            ("out_last", 1),
            ("out_tag", self.tag_width),
            ("out_par", 1),
            ("level", width_of(self.depth)),
            ("almost_full", 1),
            ("starved", self.n_ports),
            ("packets", self.count_width),
        ]
    }

    /// The order sheet: one option a line.
    pub(super) fn sheet(&self) -> String {
        let mut out = "# Order sheet of one stream funnel. What the options mean is said in funnel.md.\n".to_owned();
        for (name, value) in self.options() {
            // Writing to a text cannot fail.
            writeln!(out, "{name:<13}= {value}").ok();
        }
        out
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        let end = |end: CountEnd| if end == CountEnd::Wrap { "wrap" } else { "stay" }.to_owned();
        let word = |is_first: bool, first: &str, second: &str| if is_first { first } else { second }.to_owned();
        vec![
            ("ports", self.n_ports.to_string()),
            ("data_width", self.data_width.to_string()),
            ("depth", self.depth.to_string()),
            ("almost_full", self.almost_full.to_string()),
            ("reset", word(self.resets_low, "low", "high")),
            ("order", self.order.word().to_owned()),
            ("first_port", self.first_port.to_string()),
            ("burst_limit", self.burst_limit.to_string()),
            ("idle_limit", self.idle_limit.to_string()),
            ("full", word(self.passes_when_full, "pass", "wait")),
            ("flush", self.flush.word().to_owned()),
            ("coding", self.coding.word().to_owned()),
            ("parity", word(self.odd_parity, "odd", "even")),
            ("tag_first", self.tag_first.to_string()),
            ("tag_last", self.tag_last.to_string()),
            ("tag_end", end(self.tag_end)),
            ("wait_limit", self.wait_limit.to_string()),
            ("count_last", self.count_last.to_string()),
            ("count_end", end(self.count_end)),
            ("clear", word(self.clear == ClearRule::ClearWins, "clear-wins", "event-wins")),
        ]
    }
}

impl ServiceOrder {
    fn word(self) -> &'static str {
        match self {
            Self::RoundRobinUp => "round-robin-up",
            Self::RoundRobinDown => "round-robin-down",
            Self::LeastRecent => "least-recent",
        }
    }
}

impl FlushRule {
    fn word(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Drop => "drop",
            Self::Keep => "keep",
        }
    }
}

impl DataCoding {
    fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gray => "gray",
            Self::Reversed => "reversed",
            Self::Inverted => "inverted",
        }
    }
}
