//! What a simulation gives: voltages and currents over time, and what is measured on them.

use super::catalogue::PartKind;
use super::document::{Circuit, CircuitPart, Probe};
use super::nets::Nets;

/// The most periods a measure looks back over.
const MOST_PERIODS: usize = 20;

/// What counts as flat: less swing than this, in volts or as a share of the greatest value.
const FLAT: f64 = 1e-6;

/// Voltages and currents of a circuit over time, from zero on.
#[derive(Clone, Debug, PartialEq)]
pub struct Waves {
    /// The moments in seconds, rising.
    pub times: Vec<f64>,
    /// The voltage against ground at those moments, by net.
    pub volts: Vec<Vec<f64>>,
    /// The current from the first pin to the second at those moments, by part; none where a part has not two terminals.
    pub currents: Vec<Option<Vec<f64>>>,
}

impl Waves {
    /// Waves in which nothing ever changes.
    pub fn still(volts: &[f64], n_parts: usize) -> Self {
        let volts = volts.iter().map(|volts| vec![*volts]).collect();
        Self { times: vec![0.0], volts, currents: vec![None; n_parts] }
    }

    /// The last moment.
    pub fn until(&self) -> f64 {
        self.times.last().copied().unwrap_or_default()
    }

    /// The voltage of a net over time.
    pub fn net(&self, net: usize) -> Wave<'_> {
        Wave { times: &self.times, values: &self.volts[net] }
    }

    /// The current through a part over time.
    pub fn current(&self, part_idx: usize) -> Option<Wave<'_>> {
        let values = self.currents.get(part_idx)?.as_ref()?;
        Some(Wave { times: &self.times, values })
    }

    /// How many bytes the numbers take.
    pub fn n_bytes(&self) -> usize {
        let n_series = 1 + self.volts.len() + self.currents.iter().flatten().count();
        n_series * self.times.len() * size_of::<f64>()
    }
}

/// One quantity over time.
#[derive(Clone, Copy, Debug)]
pub struct Wave<'a> {
    times: &'a [f64],
    values: &'a [f64],
}

/// The least and greatest value in each column of a picture; none in columns before time zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// The least.
    pub low: Vec<Option<f64>>,
    /// The greatest.
    pub high: Vec<Option<f64>>,
}

/// What is measured on a wave. Over the last whole periods where it repeats, over a stretch before the end where not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaveMeasures {
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// Periods per second, where it repeats.
    pub frequency: Option<f64>,
    /// The share of a period above the middle, from 0 to 1, where it repeats.
    pub duty: Option<f64>,
}

impl WaveMeasures {
    /// From the least to the greatest value.
    pub fn peak_to_peak(&self) -> f64 {
        self.max - self.min
    }
}

impl<'a> Wave<'a> {
    /// The value at a moment, between neighbours in proportion; held before the first and after the last.
    pub fn at(&self, moment: f64) -> f64 {
        let after = self.times.partition_point(|time| *time < moment);
        if after == 0 || after == self.times.len() {
            return self.values.get(after.saturating_sub(1)).copied().unwrap_or_default();
        }
        let (from, to) = (self.times[after - 1], self.times[after]);
        let share = (moment - from) / (to - from);
        self.values[after - 1] + share * (self.values[after] - self.values[after - 1])
    }

    /// The least and greatest value in each of some columns between two moments.
    pub fn envelope(&self, from: f64, until: f64, n_columns: usize) -> Envelope {
        let edge = |column: usize| from + (until - from) * column as f64 / n_columns.max(1) as f64;
        let extremes = |column: usize| {
            let (start, end) = (edge(column), edge(column + 1));
            (end > 0.0).then(|| self.extremes(start.max(0.0), end)).unzip()
        };
        let (low, high) = (0..n_columns).map(extremes).unzip();
        Envelope { low, high }
    }

    /// The least and greatest value between two moments, both included.
    pub fn extremes(&self, from: f64, until: f64) -> (f64, f64) {
        let ends = [self.at(from), self.at(until)];
        let within = self.between(from, until).values.iter().copied();
        ends.into_iter()
            .chain(within)
            .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    }

    /// What is measured at a moment, looking back no further than half the time since the start. `window` seconds are
    /// looked at where nothing repeats.
    pub fn measures(&self, moment: f64, window: f64) -> WaveMeasures {
        let moment = moment.min(self.times.last().copied().unwrap_or_default());
        let mut periods = None;
        // The shortest look back that holds enough periods: what happened longer ago is less settled.
        for halvings in (1..=6).rev() {
            let tail = self.between(moment - moment / f64::from(1 << halvings), moment);
            periods = tail.periods().or(periods);
            if periods.as_ref().is_some_and(|periods| periods.count == MOST_PERIODS) {
                break;
            }
        }
        periods.map_or_else(|| self.unrepeated((moment - window).max(0.0), moment), |periods| periods.measures(self))
    }

    fn unrepeated(&self, from: f64, until: f64) -> WaveMeasures {
        let (min, max) = self.extremes(from, until);
        WaveMeasures { min, max, frequency: None, duty: None }
    }

    fn between(&self, from: f64, until: f64) -> Wave<'a> {
        let start = self.times.partition_point(|time| *time < from);
        let end = self.times.partition_point(|time| *time <= until).max(start);
        Wave { times: &self.times[start..end], values: &self.values[start..end] }
    }

    /// The last whole periods, from one rise through the middle to another; none when there are fewer than three rises.
    fn periods(&self) -> Option<Periods> {
        let fold = |(low, high): (f64, f64), value: &f64| (low.min(*value), high.max(*value));
        let (low, high) = self.values.iter().fold((f64::MAX, f64::MIN), fold);
        let swing = high - low;
        if self.values.len() < 3 || swing < FLAT * high.abs().max(low.abs()).max(1.0) {
            return None;
        }
        let middle = f64::midpoint(low, high);
        let crossings = self.crossings(middle, swing / 10.0);
        let last = crossings.iter().rposition(|crossing| crossing.is_rise)?;
        let rises = crossings[..=last].iter().filter(|crossing| crossing.is_rise).count();
        if rises < 3 {
            return None;
        }
        let count = (rises - 1).min(MOST_PERIODS);
        // Rises and falls alternate, so a period is two crossings.
        let whole = &crossings[last - 2 * count..=last];
        let above = whole.chunks_exact(2).map(|pair| pair[1].moment - pair[0].moment).sum();
        Some(Periods { from: whole[0].moment, until: whole[2 * count].moment, count, above })
    }

    /// Where it goes through a level, up and down in turn. Between two crossings it moves away from the level by a margin,
    /// so that noise around the level counts once.
    fn crossings(&self, level: f64, margin: f64) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        let mut candidate: Option<f64> = None;
        let mut is_above = None;
        for (times, values) in self.times.windows(2).zip(self.values.windows(2)) {
            let (before, after) = (values[0] - level, values[1] - level);
            if (before < 0.0) != (after < 0.0) {
                candidate = Some(times[0] + (times[1] - times[0]) * before / (before - after));
            }
            let now = if after >= margin { Some(true) } else { (after <= -margin).then_some(false) };
            if let (Some(now), true) = (now, now.is_some() && now != is_above) {
                if let (Some(moment), Some(_)) = (candidate, is_above) {
                    crossings.push(Crossing { moment, is_rise: now });
                }
                is_above = Some(now);
            }
        }
        crossings
    }
}

struct Crossing {
    moment: f64,
    is_rise: bool,
}

/// Some whole periods of a wave.
struct Periods {
    from: f64,
    until: f64,
    count: usize,
    /// The time spent above the middle.
    above: f64,
}

impl Periods {
    fn measures(&self, wave: &Wave<'_>) -> WaveMeasures {
        let (min, max) = wave.extremes(self.from, self.until);
        let length = self.until - self.from;
        WaveMeasures { min, max, frequency: Some(self.count as f64 / length), duty: Some(self.above / length) }
    }
}

/// What can be read off a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CircuitQuantity {
    /// The voltage of a net against ground, at a moment.
    Volts,
    /// The voltage across a part with two terminals, at a moment.
    Drop,
    /// How often a net's voltage repeats in a second.
    Frequency,
    /// The share of a period in which a net's voltage is above its middle, from 0 to 1.
    Duty,
    /// The swing of a net's voltage.
    PeakToPeak,
}

/// Measures one quantity at one place and moment; none where there is no such place, or nothing repeats there.
pub fn measure(circuit: &Circuit, waves: &Waves, probe: &Probe, quantity: CircuitQuantity, moment: f64) -> Option<f64> {
    let nets = Nets::of(circuit);
    if quantity == CircuitQuantity::Drop {
        let Probe::Pin { part, .. } = probe else { return None };
        let part_idx = circuit.parts.iter().position(|candidate| candidate.id == *part)?;
        return drop_across(&circuit.parts[part_idx], &nets.pins[part_idx], waves, moment);
    }
    let wave = waves.net(nets.probe(circuit, probe)?);
    let measures = || wave.measures(moment, moment / 2.0);
    match quantity {
        CircuitQuantity::Frequency => measures().frequency,
        CircuitQuantity::Duty => measures().duty,
        CircuitQuantity::PeakToPeak => Some(measures().peak_to_peak()),
        CircuitQuantity::Volts | CircuitQuantity::Drop => Some(wave.at(moment)),
    }
}

/// The voltage across a part with two terminals: the first pin against the second, or a source's plus against its minus.
pub fn drop_across(part: &CircuitPart, pins: &[usize], waves: &Waves, moment: f64) -> Option<f64> {
    if !part.kind.is_two_terminal() {
        return None;
    }
    let volts = |pin_idx: usize| waves.net(pins[pin_idx]).at(moment);
    let first_to_second = volts(0) - volts(1);
    let is_source = matches!(part.kind, PartKind::DcSource | PartKind::AcSource);
    Some(if is_source { -first_to_second } else { first_to_second })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;

    fn waves(until: f64, n_points: u32, value: impl Fn(f64) -> f64) -> Waves {
        let times: Vec<f64> = (0..=n_points).map(|idx| until * f64::from(idx) / f64::from(n_points)).collect();
        let values = times.iter().map(|time| value(*time)).collect();
        Waves { times, volts: vec![values], currents: vec![] }
    }

    fn shown(waves: &Waves, moment: f64) -> String {
        let measures = waves.net(0).measures(moment, moment / 2.0);
        let optional = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.3}"));
        let (frequency, duty) = (optional(measures.frequency), optional(measures.duty));
        format!("{frequency} Hz, duty {duty}, {:.3} to {:.3}", measures.min, measures.max)
    }

    #[test]
    fn sines_squares_and_constants_are_measured() {
        let sine = waves(0.1, 8000, |time| 2.0 + 3.0 * (TAU * 1000.0 * time).sin());
        let square = waves(1.0, 50_000, |time| if (time * 62.5).fract() < 0.25 { 5.0 } else { 0.0 });
        assert_snapshot!(shown(&sine, 0.1), @"1000.000 Hz, duty 0.500, -1.000 to 5.000");
        assert_snapshot!(shown(&square, 1.0), @"62.500 Hz, duty 0.250, 0.000 to 5.000");
        assert_snapshot!(shown(&waves(1.0, 100, |_| 1.5), 1.0), @"none Hz, duty none, 1.500 to 1.500");
        assert_snapshot!(shown(&waves(1.0, 100, |time| time), 1.0), @"none Hz, duty none, 0.500 to 1.000");
    }

    #[test]
    fn two_rises_are_too_few_and_three_are_enough() {
        let sine = waves(1.0, 10_000, |time| (TAU * 10.0 * time).sin());
        assert_snapshot!(shown(&sine, 0.35), @"none Hz, duty none, -1.000 to 1.000");
        assert_snapshot!(shown(&sine, 0.65), @"10.000 Hz, duty 0.500, -1.000 to 1.000");
    }

    #[test]
    fn what_happened_at_the_start_does_not_count() {
        let settling = waves(1.0, 100_000, |time| 50.0 * (-time / 0.02).exp() + (TAU * 200.0 * time).sin());
        assert_snapshot!(shown(&settling, 1.0), @"200.000 Hz, duty 0.500, -1.000 to 1.000");
    }

    #[test]
    fn noise_around_the_middle_is_not_a_period() {
        let noisy = |time: f64| (TAU * 50.0 * time).sin() + 0.05 * (TAU * 5003.0 * time).sin();
        assert_snapshot!(shown(&waves(1.0, 100_000, noisy), 1.0), @"50.004 Hz, duty 0.501, -1.050 to 1.050");
    }

    #[test]
    fn columns_hold_extremes_and_start_at_zero() {
        let ramp = waves(1.0, 10, |time| 10.0 * time);
        let shown = |from, until, n_columns| format!("{:?}", ramp.net(0).envelope(from, until, n_columns));
        assert_snapshot!(shown(0.25, 0.75, 2), @"Envelope { low: [Some(2.5), Some(5.0)], high: [Some(5.0), Some(7.5)] }");
        assert_snapshot!(shown(-0.5, 0.5, 4), @"Envelope { low: [None, None, Some(0.0), Some(2.5)], high: [None, None, Some(2.5), Some(5.0)] }");
    }

    #[test]
    fn values_are_held_beyond_the_ends() {
        let ramp = waves(1.0, 10, |time| time);
        let at = |moment| ramp.net(0).at(moment);
        assert_eq!((at(-1.0), at(0.25), at(9.0)), (0.0, 0.25, 1.0));
        assert!((Waves::still(&[0.0, 5.0], 0).net(1).at(3.0) - 5.0).abs() < f64::EPSILON);
    }

    proptest! {
        #[test]
        fn a_repeating_wave_gives_back_its_frequency_and_duty(frequency in 20.0..2000.0_f64, duty in 0.1..0.9_f64) {
            let wave = waves(1.0, 200_000, |time| if (time * frequency).fract() < duty { 5.0 } else { 0.0 });
            let measures = wave.net(0).measures(1.0, 0.5);
            prop_assert!((measures.frequency.unwrap() / frequency - 1.0).abs() < 0.01);
            prop_assert!((measures.duty.unwrap() - duty).abs() < 0.02);
        }
    }
}
