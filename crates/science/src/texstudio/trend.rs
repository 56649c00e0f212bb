//! A straight line through readings of many years, told in a report.

use std::collections::BTreeMap;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing};
use super::editing::shell_steps;
use super::project::{FOLDER, PaperProject};
use super::rounding::is_clear;
use crate::parameters::Parameters;

const N_YEARS: i64 = 14;

/// The line of least squares through readings goes into the text of a report, without readings that are marked as bad.
pub(super) struct TrendReport;

struct YearReading {
    year: i64,
    /// In tenths.
    tenths: i64,
    is_bad: bool,
}

/// What a line through readings comes to.
struct FittedLine {
    slope: f64,
    r_squared: f64,
    forecast: f64,
}

fn fitted(readings: &[YearReading], year: i64) -> FittedLine {
    let points: Vec<(f64, f64)> = readings
        .iter()
        .filter(|reading| !reading.is_bad)
        .map(|reading| (reading.year as f64, reading.tenths as f64 / 10.0))
        .collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in &points {
        let (dx, dy) = (point.0 - x, point.1 - y);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    let slope = xy / xx;
    FittedLine { slope, r_squared: slope * xy / yy, forecast: y + slope * (year as f64 - x) }
}

impl FittedLine {
    fn is_clear(&self) -> bool {
        self.slope > 0.0005 && is_clear(self.slope, 3) && is_clear(self.r_squared, 3) && is_clear(self.forecast, 1)
    }
}

fn drawn(rng: &mut Rng, year: i64) -> (Vec<YearReading>, FittedLine) {
    loop {
        let (first, level, rise) = (year - 20, rng.between(300, 700), rng.between(4, 30));
        let bad = [rng.between(2, 6), rng.between(8, 12)];
        let reading = |rng: &mut Rng, idx: i64| {
            let is_bad = bad.contains(&idx);
            let tenths = level + rise * idx + rng.between(-40, 40) + if is_bad { 260 } else { 0 };
            YearReading { year: first + idx, tenths, is_bad }
        };
        let readings: Vec<YearReading> = (0..N_YEARS).map(|idx| reading(rng, idx)).collect();
        let line = fitted(&readings, year);
        if line.is_clear() {
            return (readings, line);
        }
    }
}

impl DesktopScenario for TrendReport {
    fn name(&self) -> &'static str {
        "trend-report"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 5);
        let year = rng.between(2019, 2031);
        let (readings, line) = drawn(rng, year);
        let (quantity, unit) = (before.topic.quantity, before.topic.unit);
        before.abstract_lines =
            vec![format!("The {quantity} rises by SLOPE {unit} a year, and may reach FORECAST {unit} in {year}.")];
        before.sections[3].lines.extend([
            "Readings with the flag \\texttt{x} are faulty and were left out.".to_owned(),
            format!("A line of least squares has a slope of SLOPE {unit} a year,"),
            "with a coefficient of determination of RSQUARED.".to_owned(),
            format!("It leads to FORECAST {unit} in {year}."),
        ]);
        let values = [
            ("SLOPE", format!("{:.3}", line.slope)),
            ("RSQUARED", format!("{:.3}", line.r_squared)),
            ("FORECAST", format!("{:.1}", line.forecast)),
        ];
        let source = before.source();
        let right = values.iter().fold(source.clone(), |source, (name, value)| source.replace(name, value));
        let rows = readings.iter().enumerate().map(|(idx, reading)| {
            let flag = if reading.is_bad { "x" } else { "" };
            format!("{}|{}|{}.{}|{flag}\n", idx + 1, reading.year, reading.tenths / 10, reading.tenths % 10)
        });
        let data = format!("cat|year|value|flag\n{}", rows.collect::<String>());
        let beside = BTreeMap::from([(format!("{FOLDER}/data/yearly.txt"), data)]);
        let project = PaperProject::new(source, right, beside);
        let values: BTreeMap<&str, &String> = values.iter().map(|(name, value)| (*name, value)).collect();
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "year": year })),
            expected: json!({ "values": values }),
            words: [("year".to_owned(), json!(year)), ("unit".to_owned(), json!(unit))].into(),
        })
    }

    /// Works the line out in a shell, by sums that are not those of the judge.
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let year = plan["solution"]["year"].as_i64().ok_or("no year")?;
        let left_out = if wrong_way == Some("all-readings") { "NR>1" } else { "NR>1 && $4==\"\"" };
        // What is left open in the abstract is easily forgotten.
        let only = if wrong_way == Some("abstract-forgotten") { "/maketitle/,/section/!" } else { "" };
        let fit = format!(
            "awk -F'|' '{left_out} {{ n++; x=$2-2000; a+=x; b+=$3; c+=x*x; d+=x*$3; e+=$3*$3 }} END {{ \
             k=(n*d-a*b)/(n*c-a*a); i=(b-k*a)/n; r=(n*d-a*b)^2/((n*c-a*a)*(n*e-b*b)); \
             printf \"{only}s/SLOPE/%.3f/\\n{only}s/RSQUARED/%.3f/\\n{only}s/FORECAST/%.1f/\\n\", k, r, i+k*({year}-2000) }}' data/yearly.txt > fit.sed"
        );
        Ok(shell_steps(&[fit, "sed -i -f fit.sed paper.tex && rm fit.sed".to_owned()]))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["all-readings", "abstract-forgotten"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("a value left open", "a slope of ", "a slope of SLOPE or "),
                        ("one digit less", " in 20", "0 in 20"),
                        ("a sentence that does not tell it", "It leads to", "% It leads to"),
                    ],
                ),
                right: replaced(
                    left,
                    &[
                        ("a line that is broken elsewhere", "has a slope", "has a\nslope"),
                        ("a blank that does not break", "a slope of ", "a slope of~"),
                    ],
                ),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_three_points() {
        let reading = |(year, tenths, is_bad): (i64, i64, bool)| YearReading { year, tenths, is_bad };
        let readings: Vec<YearReading> = [(2000, 10, false), (2001, 20, false), (2002, 60, false), (2003, 900, true)]
            .into_iter()
            .map(reading)
            .collect();
        let line = fitted(&readings, 2004);
        // By hand: the slope is 5/2, the mean (2001, 3), and r² = 12.5 / 14.
        assert_eq!(format!("{:.3} {:.3} {:.1}", line.slope, line.r_squared, line.forecast), "2.500 0.893 10.5");
    }
}
