//! A country's statistics from a seed, as its offices publish them.

use quintain_core::Rng;

use crate::bell::bell;
use crate::calendar::month_begins;

/// The last year of the sample.
pub(super) const LAST_YEAR: i64 = 2019;
/// How many old crowns make one new.
pub(super) const OLD_CROWNS: f64 = 1000.0;
/// How many months are drawn before the first that is kept.
const N_BEFORE: usize = 60;

/// A month's commodity price as it is published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CommodityPrice {
    /// In the crowns of its time.
    Known(f64),
    /// Published as not available.
    Dotted,
    /// Its line is missing.
    Absent,
}

/// A figure of the consumer price index as it was released.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CpiRelease {
    /// The month it is about, from the first of the sample.
    pub(super) month: usize,
    /// When it was released.
    pub(super) day: i64,
    pub(super) value: f64,
}

/// Everything that is published. Months count from the first of the sample, days from 1970.
#[derive(Clone, Debug)]
pub(super) struct EconomyRecord {
    pub(super) first_year: i64,
    pub(super) n_months: usize,
    pub(super) commodity: Vec<CommodityPrice>,
    /// The month from which prices are in new crowns.
    pub(super) reform: usize,
    /// Industrial production on its old base, from the first month on.
    pub(super) old_production: Vec<f64>,
    /// Industrial production on its new base, from the month `rebased` on; the first twelve months overlap.
    pub(super) new_production: Vec<f64>,
    pub(super) rebased: usize,
    pub(super) releases: Vec<CpiRelease>,
    /// What was released after this day is not known yet.
    pub(super) as_of: i64,
    /// The policy rate and the day from which it is in effect.
    pub(super) decisions: Vec<(i64, f64)>,
    /// The month of a strike.
    pub(super) strike: usize,
}

/// The economy while it is drawn: growth of commodity prices, production and consumer prices, and the rate, each from its
/// mean.
struct EconomyDrawing {
    rng: Rng,
    past: Vec<[f64; 4]>,
}

impl EconomyRecord {
    pub(super) fn drawn(seed: u64, n_years: usize) -> Self {
        let n_months = n_years * 12;
        let mut drawing = EconomyDrawing { rng: Rng::new(seed), past: vec![[0.0; 4]; 3] };
        let strike = n_months * 3 / 5 + drawing.rng.below(12);
        for at in 0..N_BEFORE + n_months {
            drawing.step(at == N_BEFORE + strike);
        }
        drawing.published(n_years, strike)
    }

    /// The day on which a month begins.
    pub(super) fn begins(&self, month: usize) -> i64 {
        month_begins(self.first_year, month as i64 + 1)
    }

    /// `2003-02`.
    pub(super) fn month_name(&self, month: usize) -> String {
        format!("{:04}-{:02}", self.first_year + month as i64 / 12, month % 12 + 1)
    }
}

impl EconomyDrawing {
    fn step(&mut self, is_strike: bool) {
        let [one, two, three] = [1, 2, 3].map(|lag| self.past[self.past.len() - lag]);
        let [a, b, c, d] = [0; 4].map(|_| bell(&mut self.rng));
        let commodity = 0.42 * one[0] - 0.36 * two[0] - 0.2 * three[0] + 2.2 * a;
        let growth = -0.3 * one[1] - 0.34 * two[1] + 0.25 * three[1];
        let production = growth + 0.06 * one[0] - 0.35 * two[3] + 0.9 * b + 0.15 * a;
        let prices =
            0.22 * one[2] + 0.3 * two[2] + 0.22 * three[2] + 0.025 * one[0] + 0.03 * two[1] + 0.2 * c + 0.06 * a;
        let rate = 1.3 * one[3] - 0.38 * two[3] + 0.05 * one[1] + 0.12 * one[2] + 0.16 * d + 0.05 * b + 0.05 * c;
        let production = if is_strike { production - 6.0 } else { production };
        self.past.push([commodity, production, prices, rate]);
    }

    /// Levels that grow by so many percent each month, from what they are drawn with.
    fn levels(&self, of: usize, start: f64, trend: f64) -> Vec<f64> {
        let growths = self.past[3 + N_BEFORE..].iter().map(|at| at[of] + trend);
        let grown = |level: &mut f64, growth: f64| {
            *level *= libm::exp(growth / 100.0);
            Some(*level)
        };
        growths.scan(start, grown).collect()
    }

    fn published(mut self, n_years: usize, strike: usize) -> EconomyRecord {
        let (first_year, n_months) = (LAST_YEAR + 1 - n_years as i64, n_years * 12);
        let prices = self.levels(0, 38.0, 0.2);
        let production = self.levels(1, 80.0, 0.15);
        let cpi = self.levels(2, 84.0, 0.18);
        let reform = n_months / 4 + self.rng.below(9);
        let rebased = n_years * 9 / 20 * 12;
        let decisions = self.decisions(first_year, n_months);
        let as_of = month_begins(LAST_YEAR + 1, 2) + self.rng.between(18, 26);
        EconomyRecord {
            first_year,
            n_months,
            commodity: self.commodity(&prices, reform),
            reform,
            old_production: on_base(&production, 0..12, 0..rebased + 12),
            new_production: on_base(&production, rebased..rebased + 12, rebased..n_months),
            rebased,
            releases: self.releases(&cpi, first_year, as_of),
            as_of,
            decisions,
            strike,
        }
    }

    fn commodity(&mut self, prices: &[f64], reform: usize) -> Vec<CommodityPrice> {
        let known = |(at, price): (usize, &f64)| {
            CommodityPrice::Known(if at < reform { (price * OLD_CROWNS).round() } else { rounded(*price, 100.0) })
        };
        let mut published: Vec<CommodityPrice> = prices.iter().enumerate().map(known).collect();
        // Gaps of one to three months, none of them at an end.
        let mut at = 5 + self.rng.below(12);
        while at + 4 < published.len() {
            let gap = *self.rng.choose(&[CommodityPrice::Dotted, CommodityPrice::Absent]);
            let n = 1 + self.rng.below(3);
            published[at..at + n].fill(gap);
            at += 14 + self.rng.below(24);
        }
        published
    }

    /// First figures, second ones a month later, some third ones, a thorough revision in time, a correction on the last
    /// day that counts, and a revision that comes too late.
    fn releases(&mut self, cpi: &[f64], first_year: i64, as_of: i64) -> Vec<CpiRelease> {
        let mut releases = Vec::new();
        for (month, value) in cpi.iter().enumerate() {
            let day = month_begins(first_year, month as i64 + 2) + self.rng.between(10, 16);
            let mut put = |day: i64, off: f64, rng: &mut Rng| {
                releases.push(CpiRelease { month, day, value: rounded(value + off * bell(rng), 100.0) });
            };
            put(day, 0.10, &mut self.rng);
            put(day + 30, 0.05, &mut self.rng);
            if self.rng.chance(0.3) {
                put(day + 365, 0.02, &mut self.rng);
            }
        }
        let n = cpi.len();
        self.revise(&mut releases, &cpi[..n - 18], as_of - 300, 0);
        self.revise(&mut releases, &cpi[n - 40..], as_of + 37, n - 40);
        let month = n - 8 + self.rng.below(5);
        let corrected = self.correction(&releases, month, as_of);
        releases.push(corrected);
        releases.sort_by_key(|release| (release.day, release.month));
        // Nothing is released twice on a day.
        releases.dedup_by_key(|release| (release.day, release.month));
        releases
    }

    /// Another figure of a month than the last that was known before.
    fn correction(&mut self, releases: &[CpiRelease], month: usize, day: i64) -> CpiRelease {
        let before = releases.iter().filter(|release| release.month == month && release.day < day);
        let known = before.max_by_key(|release| release.day).map_or(100.0, |release| release.value);
        let off = self.rng.uniform(0.15, 0.35) * if self.rng.chance(0.5) { 1.0 } else { -1.0 };
        CpiRelease { month, day, value: rounded(known + off, 100.0) }
    }

    fn revise(&mut self, releases: &mut Vec<CpiRelease>, cpi: &[f64], day: i64, first: usize) {
        for (at, value) in cpi.iter().enumerate() {
            if self.rng.chance(0.7) {
                releases.push(CpiRelease {
                    month: first + at,
                    day,
                    value: rounded(value + 0.08 * bell(&mut self.rng), 100.0),
                });
            }
        }
    }

    /// The rate moves in steps of 5 basis points, on any day, and not every month.
    fn decisions(&mut self, first_year: i64, n_months: usize) -> Vec<(i64, f64)> {
        let rate = |at: &[f64; 4]| rounded(4.5 + at[3], 20.0);
        let mut decisions = vec![(month_begins(first_year, 1) - 20, rate(&self.past[2 + N_BEFORE]))];
        for month in 0..n_months {
            let (wanted, day) = (rate(&self.past[3 + N_BEFORE + month]), self.rng.between(1, 26));
            let is_new = decisions.last().is_none_or(|(_, now)| (now - wanted).abs() > 0.01);
            if is_new && self.rng.chance(0.8) {
                decisions.push((month_begins(first_year, month as i64 + 1) + day, wanted));
            }
        }
        decisions
    }
}

/// A part of an index, so that its mean over the months of its base is 100.
fn on_base(levels: &[f64], base: std::ops::Range<usize>, part: std::ops::Range<usize>) -> Vec<f64> {
    let mean = levels[base].iter().sum::<f64>() / 12.0;
    levels[part].iter().map(|level| rounded(level / mean * 100.0, 10.0)).collect()
}

fn rounded(value: f64, per_unit: f64) -> f64 {
    (value * per_unit).round() / per_unit
}
