//! Survival from first principles: Kaplan and Meier, the log-rank test and Cox's model with one covariate, by strata.

/// The quantile of the normal distribution that leaves 2.5 % above it.
const NORMAL_975: f64 = 1.959_963_984_540_054;
/// So near to a half, programs disagree about which time is the median.
const TOO_NEAR: f64 = 1e-9;

/// Somebody's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SurvivalTime {
    pub(super) days: i64,
    pub(super) is_event: bool,
    /// In the arm whose hazard is told, as against the other.
    pub(super) is_treated: bool,
    /// The number of its stratum.
    pub(super) stratum: usize,
}

/// A value with its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WithInterval {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// An estimated survival curve: the steps it goes down by.
#[derive(Clone, Debug)]
pub(super) struct SurvivalCurve(Vec<CurveStep>);

#[derive(Clone, Copy, Debug)]
struct CurveStep {
    days: i64,
    at: WithInterval,
}

/// Who is at risk and who has an event at one time, in both arms together and in the treated one.
struct EventTime {
    at_risk: f64,
    treated: f64,
    events: f64,
    treated_events: f64,
}

impl SurvivalCurve {
    /// The estimate with Greenwood's variance and limits on the scale of the log of minus the log.
    pub(super) fn of(times: &[SurvivalTime]) -> Self {
        let (mut survival, mut greenwood) = (1.0, 0.0);
        let mut steps = Vec::new();
        for days in event_days(times) {
            let n = times.iter().filter(|time| time.days >= days).count() as f64;
            let d = times.iter().filter(|time| time.days == days && time.is_event).count() as f64;
            survival *= 1.0 - d / n;
            greenwood += d / (n * (n - d));
            let log = libm::log(survival);
            let width = NORMAL_975 * greenwood.sqrt() / log.abs();
            let limit = |by: f64| libm::exp(log * libm::exp(by));
            steps
                .push(CurveStep { days, at: WithInterval { value: survival, low: limit(width), high: limit(-width) } });
        }
        Self(steps)
    }

    /// The estimate at a time, if the curve has gone down before it and somebody is still at risk then.
    pub(super) fn at(&self, days: f64, times: &[SurvivalTime]) -> Option<WithInterval> {
        let is_followed = times.iter().any(|time| time.days as f64 >= days);
        self.0
            .iter()
            .rfind(|step| step.days as f64 <= days)
            .map(|step| step.at)
            .filter(|at| is_followed && at.value > 0.0)
    }

    /// The median in days with its interval; nothing if one of them is not reached, or if programs would disagree.
    pub(super) fn median(&self) -> Option<WithInterval> {
        let first = |of: fn(&WithInterval) -> f64| {
            let is_clear = self.0.iter().all(|step| (of(&step.at) - 0.5).abs() > TOO_NEAR);
            let step = self.0.iter().find(|step| of(&step.at) <= 0.5)?;
            is_clear.then_some(step.days as f64)
        };
        Some(WithInterval { value: first(|at| at.value)?, low: first(|at| at.low)?, high: first(|at| at.high)? })
    }
}

/// The statistic of the stratified log-rank test and its two-sided p.
pub(super) fn log_rank(times: &[SurvivalTime]) -> (f64, f64) {
    let (mut excess, mut variance) = (0.0, 0.0);
    for at in event_times(times).into_iter().flatten() {
        let share = at.treated / at.at_risk;
        excess += at.treated_events - at.events * share;
        if at.at_risk > 1.0 {
            variance += at.events * share * (1.0 - share) * (at.at_risk - at.events) / (at.at_risk - 1.0);
        }
    }
    let statistic = excess * excess / variance;
    (statistic, libm::erfc((statistic / 2.0).sqrt()))
}

/// The hazard ratio of Cox's model by strata, ties as Efron has them, with Wald's interval.
pub(super) fn hazard_ratio(times: &[SurvivalTime]) -> Option<WithInterval> {
    let all: Vec<EventTime> = event_times(times).into_iter().flatten().collect();
    let mut beta: f64 = 0.0;
    for _ in 0..50 {
        let (slope, information) = all.iter().map(|at| at.score(beta)).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        let step = slope / information;
        beta += step;
        if step.abs() < 1e-12 {
            let width = NORMAL_975 / information.sqrt();
            let [value, low, high] = [beta, beta - width, beta + width].map(libm::exp);
            return Some(WithInterval { value, low, high });
        }
    }
    None
}

impl EventTime {
    /// The slope of the log of the partial likelihood and the information, as Efron has ties.
    fn score(&self, beta: f64) -> (f64, f64) {
        let (mut slope, mut information) = (self.treated_events, 0.0);
        let hazard = libm::exp(beta);
        for tied in 0..self.events as usize {
            let out = tied as f64 / self.events;
            let treated = (self.treated - out * self.treated_events) * hazard;
            let others = self.at_risk - self.treated - out * (self.events - self.treated_events);
            let share = treated / (treated + others);
            slope -= share;
            information += share * (1.0 - share);
        }
        (slope, information)
    }
}

fn event_days(times: &[SurvivalTime]) -> Vec<i64> {
    let mut days: Vec<i64> = times.iter().filter(|time| time.is_event).map(|time| time.days).collect();
    days.sort_unstable();
    days.dedup();
    days
}

/// The times of events of each stratum.
fn event_times(times: &[SurvivalTime]) -> Vec<Vec<EventTime>> {
    let n_strata = times.iter().map(|time| time.stratum + 1).max().unwrap_or(0);
    let of = |stratum: usize| {
        let inside: Vec<SurvivalTime> = times.iter().copied().filter(|time| time.stratum == stratum).collect();
        event_days(&inside).into_iter().map(|days| EventTime::on(days, &inside)).collect()
    };
    (0..n_strata).map(of).collect()
}

impl EventTime {
    fn on(days: i64, inside: &[SurvivalTime]) -> Self {
        let count =
            |is_meant: &dyn Fn(&SurvivalTime) -> bool| inside.iter().filter(|time| is_meant(time)).count() as f64;
        let has_event = |time: &SurvivalTime| time.days == days && time.is_event;
        Self {
            at_risk: count(&|time| time.days >= days),
            treated: count(&|time| time.days >= days && time.is_treated),
            events: count(&has_event),
            treated_events: count(&|time| has_event(time) && time.is_treated),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty people in two arms and two strata, with ties; below zero is censored.
    fn example() -> Vec<SurvivalTime> {
        let treated = [3, 5, -5, 8, -9, 12, 14, -14, 20, -22].into_iter().zip([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
        let others = [2, 3, 3, 5, -6, 7, 7, 9, -11, 13].into_iter().zip([0, 1, 1, 0, 1, 0, 1, 0, 1, 0]);
        let time = |is_treated: bool| {
            move |(days, stratum): (i64, usize)| SurvivalTime {
                days: days.abs(),
                is_event: days > 0,
                is_treated,
                stratum,
            }
        };
        treated.map(time(true)).chain(others.map(time(false))).collect()
    }

    /// What R's package survival makes of the same.
    #[test]
    fn an_example_comes_out_as_elsewhere() {
        let times = example();
        let near = |found: WithInterval, value: f64, low: f64, high: f64| {
            let off = [found.value - value, found.low - low, found.high - high];
            assert!(off.iter().all(|off| off.abs() < 1e-7), "{found:?}");
        };
        let (statistic, p) = log_rank(&times);
        assert!((statistic - 4.624_530_41).abs() < 1e-7 && (p - 0.031_517_887_7).abs() < 1e-9, "{statistic} {p}");
        near(hazard_ratio(&times).unwrap(), 0.248_848_281_2, 0.064_330_825_5, 0.962_609_550_3);
        let curve = SurvivalCurve::of(&times);
        near(curve.at(6.5, &times).unwrap(), 0.7, 0.450_545_984_7, 0.852_518_168_6);
        near(curve.median().unwrap(), 9.0, 5.0, 14.0);
        assert!(curve.at(22.5, &times).is_none() && curve.at(1.0, &times).is_none());
        assert_eq!(SurvivalCurve::of(&times[..10]).median(), None, "its upper limit is not reached");
    }
}
