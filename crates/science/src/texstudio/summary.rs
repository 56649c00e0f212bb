//! Readings that are summed up in a table.

use std::collections::BTreeMap;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing, other_place};
use super::editing::{shell_steps, table_of_rows};
use super::project::{FOLDER, PaperProject};
use crate::parameters::Parameters;

/// Readings for each station. With seven of them in tenths, no mean lies halfway between two hundredths.
const N_READINGS: usize = 7;
const N_STATIONS: usize = 4;

/// The mean and the greatest reading of each station go into a table.
pub(super) struct SummaryTable;

/// Readings of a station, in tenths.
struct StationReadings {
    station: &'static str,
    tenths: Vec<i64>,
}

impl StationReadings {
    /// The mean in hundredths, rounded.
    fn mean_hundredths(&self) -> i64 {
        let n = self.tenths.len() as i64;
        (self.tenths.iter().sum::<i64>() * 20 + n) / (2 * n)
    }

    fn row(&self) -> [String; 3] {
        let (mean, most) = (self.mean_hundredths(), self.tenths.iter().max().copied().unwrap_or(0));
        [self.station.to_owned(), format!("{}.{:02}", mean / 100, mean % 100), tenths(most)]
    }
}

fn tenths(number: i64) -> String {
    format!("{}.{}", number / 10, number % 10)
}

fn stations(rng: &mut Rng, first: &'static str) -> Vec<StationReadings> {
    let mut names = vec![first];
    let mut stations: Vec<StationReadings> = Vec::new();
    while stations.len() < N_STATIONS {
        let station = *names.last().unwrap_or(&first);
        let level = rng.between(120, 900);
        let tenths = (0..N_READINGS).map(|_| level + rng.between(-90, 90)).collect();
        let drawn = StationReadings { station, tenths };
        if stations.iter().all(|other| other.mean_hundredths() != drawn.mean_hundredths()) {
            stations.push(drawn);
            names.push(other_place(rng, &names));
        }
    }
    stations
}

impl DesktopScenario for SummaryTable {
    fn name(&self) -> &'static str {
        "summary-table"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 4);
        let mut stations = stations(rng, before.place);
        let mut lines: Vec<String> = (0..N_STATIONS * N_READINGS)
            .map(|idx| (&stations[idx / N_READINGS], idx % N_READINGS))
            .map(|(station, day)| format!("{}|{}|{}", station.station, day + 1, tenths(station.tenths[day])))
            .collect();
        rng.shuffle(&mut lines);
        let rows = lines.iter().enumerate().map(|(idx, line)| format!("{}|{line}\n", idx + 1));
        let data = format!("cat|station|day|value\n{}", rows.collect::<String>());
        stations.sort_by_key(|station| -station.mean_hundredths());
        let at = 1 + rng.below(3);
        before.sections[at].lines.push(format!("Table XX sums up the {} readings.", N_STATIONS * N_READINGS));
        let caption = format!("Readings of the {} by station", before.topic.quantity);
        let label = format!("tab:{}", before.topic.quantity.split(' ').next().unwrap_or("all"));
        let mut rows = vec![["Station", "Mean", "Maximum"].map(str::to_owned)];
        rows.extend(stations.iter().map(StationReadings::row));
        let mut after = before.clone();
        let lines = &mut after.sections[at].lines;
        if let Some(open) = lines.last_mut() {
            *open = open.replace("XX", &format!("\\ref{{{label}}}"));
        }
        lines.push(format!("\\begin{{table}}\n\\caption{{{caption}}}\n\\label{{{label}}}\n\\begin{{tabular}}{{lrr}}"));
        lines.extend(rows.iter().map(|row| format!("{} \\\\", row.join(" & "))));
        lines.push("\\end{tabular}\n\\end{table}".to_owned());
        let section = before.sections[at].title.clone();
        let asked = json!({ "section": section, "caption": caption, "label": label, "unit": before.topic.unit });
        let beside = BTreeMap::from([(format!("{FOLDER}/data/readings.txt"), data)]);
        let project = PaperProject::new(before.source(), after.source(), beside);
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "asked": asked })),
            expected: json!({
                "tables": [{
                    "caption": caption, "label": label, "columns": "lrr", "rows": rows,
                    "section": format!("section: {section}"),
                }],
                "references": [label],
            }),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    /// Works the rows out in a shell, as anybody would: nothing of this is taken from what is expected.
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let asked = |name: &str| plan["solution"]["asked"][name].as_str().unwrap_or_default();
        let ordered = if wrong_way == Some("lowest-first") { "n" } else { "nr" };
        let digits = if wrong_way == Some("one-digit") { 1 } else { 2 };
        let rows = format!(
            "awk -F'|' 'NR>1 {{ s[$2]+=$4; n[$2]++; if (!($2 in m) || $4>m[$2]) m[$2]=$4 }} \
             END {{ for (k in s) printf \"%s & %.{digits}f & %.1f \\\\\\\\\\n\", k, s[k]/n[k], m[k] }}' data/readings.txt | LC_ALL=C sort -t'&' -k2,2{ordered} > rows"
        );
        let table = table_of_rows(asked("caption"), asked("label"), "lrr", "Station & Mean & Maximum");
        let placed = format!(
            "sed -i -e 's/Table XX/Table~\\\\ref{{{}}}/' -e '/sums up the/r table' paper.tex && rm rows table",
            asked("label")
        );
        Ok(shell_steps(&[rows, table, placed]))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["lowest-first", "one-digit"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("another heading", "Mean &", "Average &"),
                        ("columns that are aligned otherwise", "{lrr}", "{lll}"),
                        ("a row that is commented out", "Station & Mean", "% Station & Mean"),
                        ("a reference that was typed", "Table~\\ref", "Table 1%\\ref"),
                        ("another label", "\\label{tab:", "\\label{tab:x"),
                    ],
                ),
                right: replaced(
                    left,
                    &[
                        ("lines between the columns", "{lrr}", "{|l|r|r|}"),
                        ("columns that are counted", "{lrr}", "{@{}l*{2}{r}@{}}"),
                        ("a heading in bold type", "Station &", "\\textbf{Station} &"),
                        ("no rules", "\\hline\n", ""),
                        ("no room after a cell", " & ", "&"),
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
    fn means_are_rounded_to_hundredths() {
        let row = |tenths: &[i64]| StationReadings { station: "A", tenths: tenths.to_vec() }.row().join(" ");
        // 70.5 / 7 = 10.0714…, 100.4 / 7 = 14.3428…, 7.1 / 7 = 1.0142…
        assert_eq!(row(&[100, 101, 102, 100, 101, 100, 101]), "A 10.07 10.2");
        assert_eq!(row(&[143, 143, 143, 143, 143, 143, 146]), "A 14.34 14.6");
        assert_eq!(row(&[10, 10, 10, 10, 10, 10, 11]), "A 1.01 1.1");
    }
}
