//! A water network as planners describe it, and its file in the format of EPANET.

use std::fmt::Write as _;

/// What a link is, and what its hydraulics follow from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum WaterLink {
    Pipe {
        length_m: f64,
        diameter_mm: f64,
        roughness: f64,
        minor_loss: f64,
        state: PipeState,
    },
    /// The one point of its curve.
    Pump {
        flow_lps: f64,
        head_m: f64,
    },
}

/// Whether water gets through a pipe, and where that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PipeState {
    Open,
    /// Only from its first node to its second.
    CheckValve,
    /// Told with the pipe.
    Closed,
    /// Told in a section of its own.
    ClosedElsewhere,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedLink {
    pub(super) name: String,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) link: WaterLink,
}

/// A place where water is used, at so much on average by one pattern or another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Junction {
    pub(super) name: String,
    pub(super) elevation_m: f64,
    /// Demand and the number of its pattern; nothing is the usual one.
    pub(super) demands: Vec<(f64, Option<usize>)>,
    /// What stands with the junction although the demands of the other section replace it.
    pub(super) outdated_lps: Option<f64>,
    pub(super) place: (f64, f64),
}

/// A tank: its bottom, and how high the water stands in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WaterTank {
    pub(super) bottom_m: f64,
    pub(super) level_m: f64,
}

/// A network. Its nodes are the junctions, then the reservoir, then the tank.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WaterNetwork {
    pub(super) town: &'static str,
    pub(super) junctions: Vec<Junction>,
    pub(super) reservoir_m: f64,
    pub(super) tank: WaterTank,
    pub(super) links: Vec<NamedLink>,
    /// Multipliers, the usual pattern first.
    pub(super) patterns: Vec<Vec<f64>>,
    pub(super) pattern_step_h: usize,
    pub(super) demand_multiplier: f64,
    /// The hour that is asked for.
    pub(super) hour: usize,
    /// Junctions with a hydrant.
    pub(super) hydrants: Vec<usize>,
}

impl WaterNetwork {
    /// What is drawn at a junction at the hour that is asked for, in litres a second.
    pub(super) fn demand_lps(&self, junction: usize) -> f64 {
        let multiplier = |pattern: Option<usize>| {
            let pattern = &self.patterns[pattern.unwrap_or(0)];
            pattern[self.hour / self.pattern_step_h % pattern.len()]
        };
        let demands = self.junctions[junction].demands.iter();
        demands.map(|(base, pattern)| base * multiplier(*pattern)).sum::<f64>() * self.demand_multiplier
    }

    fn node(&self, at: usize) -> &str {
        match self.junctions.get(at) {
            Some(junction) => &junction.name,
            None if at == self.junctions.len() => "CLEARWELL",
            None => "TOWER",
        }
    }

    /// The file that programs for such networks read.
    pub(super) fn written(&self) -> String {
        let sections = [
            ("TITLE", format!("{}, distribution system\nfrom the asset register, as operated", self.town)),
            ("JUNCTIONS", self.junction_lines()),
            ("RESERVOIRS", format!(";ID\tHead\tPattern\n CLEARWELL\t{}\t;", self.reservoir_m)),
            ("TANKS", self.tank_lines()),
            ("PIPES", self.pipe_lines()),
            ("PUMPS", self.pump_lines()),
            ("DEMANDS", self.demand_lines()),
            ("STATUS", self.status_lines()),
            ("PATTERNS", self.pattern_lines()),
            ("CURVES", self.curve_lines()),
            ("TIMES", self.time_lines()),
            ("OPTIONS", self.option_lines()),
            ("COORDINATES", self.coordinate_lines()),
        ];
        let all = sections.map(|(name, text)| format!("[{name}]\n{}\n", text.trim_end()));
        all.join("\n") + "\n[END]\n"
    }

    fn junction_lines(&self) -> String {
        let mut out = ";ID\tElev\tDemand\tPattern\n".to_owned();
        for junction in &self.junctions {
            let (base, pattern) = match (junction.outdated_lps, junction.demands.as_slice()) {
                (Some(base), _) => (base, None),
                (None, [one]) => *one,
                (None, _) => (0.0, None),
            };
            let pattern = pattern.map(pattern_name).unwrap_or_default();
            writeln!(out, " {}\t{}\t{base}\t{pattern}\t;", junction.name, junction.elevation_m).ok();
        }
        out
    }

    /// The demands that are told in a section of their own.
    fn demand_lines(&self) -> String {
        let mut out = ";Junction\tDemand\tPattern\tCategory\n".to_owned();
        for junction in self.junctions.iter().filter(|junction| junction.outdated_lps.is_some()) {
            for (base, pattern) in &junction.demands {
                let category = if pattern.is_some() { "works" } else { "homes" };
                let pattern = pattern_name(pattern.unwrap_or(0));
                writeln!(out, " {}\t{base}\t{pattern}\t;{category}", junction.name).ok();
            }
        }
        out
    }

    fn tank_lines(&self) -> String {
        let WaterTank { bottom_m, level_m } = self.tank;
        format!(
            ";ID\tElevation\tInitLevel\tMinLevel\tMaxLevel\tDiameter\tMinVol\tVolCurve\n TOWER\t{bottom_m}\t{level_m}\t0.5\t6.5\t14\t0\t;"
        )
    }

    fn pipe_lines(&self) -> String {
        let mut out = ";ID\tNode1\tNode2\tLength\tDiameter\tRoughness\tMinorLoss\tStatus\n".to_owned();
        for NamedLink { name, from, to, link } in &self.links {
            if let WaterLink::Pipe { length_m, diameter_mm, roughness, minor_loss, state } = link {
                let (from, to) = (self.node(*from), self.node(*to));
                let state = match state {
                    PipeState::Open | PipeState::ClosedElsewhere => "Open",
                    PipeState::CheckValve => "CV",
                    PipeState::Closed => "Closed",
                };
                writeln!(
                    out,
                    " {name}\t{from}\t{to}\t{length_m}\t{diameter_mm}\t{roughness}\t{minor_loss}\t{state}\t;"
                )
                .ok();
            }
        }
        out
    }

    fn pump_lines(&self) -> String {
        let pumps = self.links.iter().filter(|link| matches!(link.link, WaterLink::Pump { .. }));
        let lines =
            pumps.map(|pump| format!(" {}\t{}\t{}\tHEAD 1\t;\n", pump.name, self.node(pump.from), self.node(pump.to)));
        format!(";ID\tNode1\tNode2\tParameters\n{}", lines.collect::<String>())
    }

    fn curve_lines(&self) -> String {
        let mut out = ";ID\tX-Value\tY-Value\n;PUMP: head over flow\n".to_owned();
        for link in &self.links {
            if let WaterLink::Pump { flow_lps, head_m } = link.link {
                writeln!(out, " 1\t{flow_lps}\t{head_m}").ok();
            }
        }
        out
    }

    fn status_lines(&self) -> String {
        let is_closed =
            |link: &&NamedLink| matches!(link.link, WaterLink::Pipe { state: PipeState::ClosedElsewhere, .. });
        let lines = self.links.iter().filter(is_closed).map(|link| format!(" {}\tClosed\n", link.name));
        format!(";ID\tStatus/Setting\n{}", lines.collect::<String>())
    }

    fn pattern_lines(&self) -> String {
        let mut out = ";ID\tMultipliers\n".to_owned();
        for (at, pattern) in self.patterns.iter().enumerate() {
            for piece in pattern.chunks(6) {
                let numbers: Vec<String> = piece.iter().map(f64::to_string).collect();
                writeln!(out, " {}\t{}", pattern_name(at), numbers.join("\t")).ok();
            }
        }
        out
    }

    fn time_lines(&self) -> String {
        format!(
            " Duration\t24:00\n Hydraulic Timestep\t1:00\n Pattern Timestep\t{}:00\n Pattern Start\t0:00\n Start ClockTime\t12 am",
            self.pattern_step_h
        )
    }

    fn option_lines(&self) -> String {
        format!(
            " Units\tLPS\n Headloss\tH-W\n Specific Gravity\t1\n Viscosity\t1\n Trials\t40\n Accuracy\t0.001\n Pattern\t{}\n Demand Multiplier\t{}",
            pattern_name(0),
            self.demand_multiplier
        )
    }

    fn coordinate_lines(&self) -> String {
        let mut out = ";Node\tX-Coord\tY-Coord\n".to_owned();
        for junction in &self.junctions {
            writeln!(out, " {}\t{:.1}\t{:.1}", junction.name, junction.place.0, junction.place.1).ok();
        }
        out
    }
}

fn pattern_name(at: usize) -> String {
    ["DOMESTIC", "WORKS", "SCHOOL"].get(at).map_or_else(|| at.to_string(), |name| (*name).to_owned())
}
