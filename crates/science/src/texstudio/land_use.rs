//! What GRASS says of the land, told in a report.

use std::collections::BTreeMap;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng, Stretch};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual, without_pdf};
use super::draft::{PaperDraft, drawing};
use super::editing::{BUILD, shell_steps, table_of_rows};
use super::latex;
use super::project::{FOLDER, PaperProject, stretched};
use super::rounding::{is_clear, printed};
use crate::parameters::Parameters;

const LABELS: [&str; 9] =
    ["forest", "open water", "meadow", "arable land", "bare rock", "built-up area", "wetland", "orchard", "dry heath"];
const N_CLASSES: usize = 5;
/// The area of a cell, in square metres.
const CELL: i64 = 100;
/// By how many cells any two classes differ at least, so that their order is the same however it is rounded.
const APART: i64 = 40;
const HEADING: [&str; 4] = ["Land use", "Hectares", "Percent", "Height"];

/// Areas and mean heights of classes of land, which two modules of GRASS wrote, go into one table.
pub(super) struct LandReport;

/// A class of land.
struct LandClass {
    number: i64,
    label: &'static str,
    n_cells: i64,
    /// The sum of the heights of its cells, in metres.
    heights: i64,
    variance: f64,
}

impl LandClass {
    fn hectares(&self) -> f64 {
        (self.n_cells * CELL) as f64 / 10_000.0
    }

    fn mean(&self) -> f64 {
        self.heights as f64 / self.n_cells as f64
    }

    /// As `r.stats -aln` has it.
    fn area_line(&self) -> String {
        format!("{}|{}|{}.000000\n", self.number, self.label, self.n_cells * CELL)
    }

    /// As `r.univar -t` has it.
    fn height_line(&self) -> String {
        let (mean, deviation) = (self.mean(), self.variance.sqrt());
        let (least, most) = (mean.floor() - 2.0 * deviation.ceil(), mean.ceil() + 2.0 * deviation.ceil());
        let numbers = [
            least,
            most,
            most - least,
            mean,
            mean,
            deviation,
            self.variance,
            100.0 * deviation / mean,
            self.heights as f64,
            self.heights as f64,
        ];
        let numbers = numbers.map(printed).join("|");
        format!("{}|{}|{}|0|{numbers}\n", self.number, self.label, self.n_cells)
    }
}

/// What all of it comes to.
struct LandTotal {
    hectares: f64,
    mean: f64,
}

impl LandTotal {
    fn of(classes: &[LandClass]) -> Self {
        let hectares = classes.iter().map(LandClass::hectares).sum();
        let heights: f64 = classes.iter().map(|class| class.hectares() * class.mean()).sum();
        Self { hectares, mean: heights / hectares }
    }

    fn percent(&self, class: &LandClass) -> f64 {
        100.0 * class.hectares() / self.hectares
    }

    fn row(&self, class: &LandClass) -> [String; 4] {
        let numbers = [class.hectares(), self.percent(class), class.mean()].map(|number| format!("{number:.1}"));
        let [hectares, percent, mean] = numbers;
        [class.label.to_owned(), hectares, percent, mean]
    }

    fn last_row(&self) -> [String; 4] {
        ["Total".to_owned(), format!("{:.1}", self.hectares), "100.0".to_owned(), format!("{:.1}", self.mean)]
    }

    fn is_clear(&self, class: &LandClass) -> bool {
        [class.hectares(), self.percent(class), class.mean()].iter().all(|number| is_clear(*number, 1))
    }
}

/// Classes by their numbers, none of whose results is rounded one way by some and another by others.
fn drawn(rng: &mut Rng) -> Vec<LandClass> {
    loop {
        let mut labels = LABELS;
        rng.shuffle(&mut labels);
        let mut number = 0;
        let mut class = |label: &'static str| {
            number += rng.between(1, 4);
            let n_cells = rng.between(700, 9_000);
            let heights = n_cells * rng.between(180, 900) + rng.between(0, n_cells);
            LandClass { number, label, n_cells, heights, variance: rng.between(2_000, 90_000) as f64 / 64.0 }
        };
        let classes: Vec<LandClass> = labels[..N_CLASSES].iter().map(|label| class(label)).collect();
        let total = LandTotal::of(&classes);
        let mut sizes: Vec<i64> = classes.iter().map(|class| class.n_cells).collect();
        sizes.sort_unstable();
        let are_apart = sizes.windows(2).all(|pair| pair[1] - pair[0] >= APART);
        // Whoever forgets that classes count by their areas gets another mean.
        let plain_mean = classes.iter().map(LandClass::mean).sum::<f64>() / N_CLASSES as f64;
        let is_all_clear =
            is_clear(total.hectares, 1) && is_clear(total.mean, 1) && (plain_mean - total.mean).abs() > 0.2;
        if are_apart && is_all_clear && classes.iter().all(|class| total.is_clear(class)) {
            return classes;
        }
    }
}

impl DesktopScenario for LandReport {
    fn name(&self) -> &'static str {
        "land-report"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 4);
        let mut classes = drawn(rng);
        let areas: String = classes.iter().map(LandClass::area_line).collect();
        let heights: String = classes.iter().map(LandClass::height_line).collect();
        let heights = format!(
            "zone|label|non_null_cells|null_cells|min|max|range|mean|mean_of_abs|stddev|variance|coeff_var|sum|sum_abs\n{heights}"
        );
        classes.sort_by_key(|class| -class.n_cells);
        let total = LandTotal::of(&classes);
        let mut rows = vec![HEADING.map(str::to_owned)];
        rows.extend(classes.iter().map(|class| total.row(class)));
        rows.push(total.last_row());
        let at = 1 + rng.below(3);
        let caption = format!("The land around {}", before.place);
        let label = format!("tab:{}", before.place.to_lowercase());
        before.abstract_lines = vec!["The greatest part of the land, SHARE percent of it, is LARGEST.".to_owned()];
        before.sections[at].lines.push("Table XX tells what the land is used for.".to_owned());
        let mut with_table = before.clone();
        let lines = &mut with_table.sections[at].lines;
        lines.push(format!("\\begin{{table}}\n\\caption{{{caption}}}\n\\label{{{label}}}\n\\begin{{tabular}}{{lrrr}}"));
        lines.extend(rows.iter().map(|row| format!("{} \\\\", row.join(" & "))));
        lines.push("\\end{tabular}\n\\end{table}".to_owned());
        let with_table = with_table.source();
        let with_reference = with_table.replace("Table XX", &format!("Table \\ref{{{label}}}"));
        let largest = &rows[1];
        let right = with_reference.replace("SHARE", &largest[2]).replace("LARGEST", &largest[0]);
        let prose = latex::outlined(&right)["prose"].clone();
        let section = before.sections[at].title.clone();
        let asked = json!({ "section": section, "caption": caption, "label": label });
        let beside = BTreeMap::from([
            (format!("{FOLDER}/data/areas.txt"), areas),
            (format!("{FOLDER}/data/heights.txt"), heights),
        ]);
        let project = PaperProject::new(before.source(), right, beside);
        let mut plan = project.plan(&json!({ "asked": asked }));
        plan["stages"] = json!([with_table, with_reference]);
        Ok(PreparedScenario {
            plan,
            expected: json!({
                "tables": [{
                    "caption": caption, "label": label, "columns": "lrrr", "rows": rows,
                    "section": format!("section: {section}"),
                }],
                "references": [label],
                "prose": prose,
            }),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    fn stretched(&self, plan: Value, stretch: Stretch) -> Result<Value, String> {
        stretched(plan, stretch)
    }

    /// Brings the two files together in a shell: nothing of this is taken from what is expected.
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let asked = |name: &str| plan["solution"]["asked"][name].as_str().unwrap_or_default();
        // Every class counts the same, however large it is.
        let weight = if wrong_way == Some("plain-mean") { "t/5" } else { "a[$1]" };
        let joined = "NR==FNR { l[$1]=$2; a[$1]=$3; t+=$3; next } FNR>1";
        let rows = format!(
            "awk -F'|' '{joined} {{ printf \"%s & %.1f & %.1f & %.1f \\\\\\\\\\n\", l[$1], a[$1]/10000, 100*a[$1]/t, $8 }}' \
             data/areas.txt data/heights.txt | LC_ALL=C sort -t'&' -k2,2nr > rows"
        );
        let largest = "awk -F' & ' 'NR==1 { printf \"s/SHARE/%s/\\ns/LARGEST/%s/\\n\", $3, $1 }' rows > largest.sed";
        let total = format!(
            "awk -F'|' '{joined} {{ w+={weight}*$8 }} END {{ printf \"Total & %.1f & 100.0 & %.1f \\\\\\\\\\n\", t/10000, w/t }}' \
             data/areas.txt data/heights.txt >> rows"
        );
        let table = table_of_rows(asked("caption"), asked("label"), "lrrr", &HEADING.join(" & "));
        let reference = format!("sed -i 's/Table XX/Table~\\\\ref{{{}}}/' paper.tex", asked("label"));
        let milestone = |name: &str| plan["solution"][name].as_u64();
        let (given, until) = (milestone("given").unwrap_or(0), milestone("until"));
        let does = |number: u64| given < number && until.is_none_or(|until| until >= number);
        let mut lines = Vec::new();
        if does(1) || does(3) {
            lines.extend([rows, largest.to_owned()]);
        }
        if does(1) {
            lines.extend([total, table, "sed -i '/tells what the land/r table' paper.tex".to_owned()]);
        }
        if does(2) {
            lines.push(reference);
        }
        if does(3) {
            lines.push("sed -i -f largest.sed paper.tex && rm -f rows table largest.sed".to_owned());
        }
        if wrong_way == Some("not-built") {
            lines.insert(0, BUILD.to_owned());
        } else if until.is_none() {
            lines.push(BUILD.to_owned());
        }
        Ok(shell_steps(&lines))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["plain-mean", "not-built"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: [
                    without_pdf(left),
                    replaced(
                        left,
                        &[
                            ("another heading", "Hectares &", "Area &"),
                            ("columns that are aligned otherwise", "{lrrr}", "{lccc}"),
                            ("no total", "Total &", "% Total &"),
                            ("shares that are added up by hand", "100.0", "100.1"),
                            ("a sign too many", " percent of it", "\\% percent of it"),
                            ("a reference that was typed", "Table~\\ref", "Table 1%\\ref"),
                        ],
                    ),
                ]
                .concat(),
                right: replaced(
                    left,
                    &[
                        ("lines between the columns", "{lrrr}", "{|l|r|r|r|}"),
                        ("a rule before the total", "Total &", "\\hline\nTotal &"),
                        ("a heading in bold type", "Land use &", "\\textbf{Land use} &"),
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

    fn class(number: i64, label: &'static str, n_cells: i64, heights: i64) -> LandClass {
        LandClass { number, label, n_cells, heights, variance: 442.25 }
    }

    #[test]
    fn the_land_as_a_whole_is_as_high_as_its_cells_on_average() {
        let classes = [class(1, "forest", 3_000, 600_000), class(4, "open water", 1_000, 100_000)];
        let total = LandTotal::of(&classes);
        assert_eq!(total.row(&classes[0]), ["forest", "30.0", "75.0", "200.0"]);
        assert_eq!(total.last_row(), ["Total", "40.0", "100.0", "175.0"]);
    }

    #[test]
    fn lines_are_those_of_grass() {
        let water = class(2, "open water", 28, 2_128);
        assert_eq!(water.area_line(), "2|open water|2800.000000\n");
        assert_eq!(
            water.height_line(),
            "2|open water|28|0|32|120|88|76|76|21.0297408448131|442.25|27.670711637912|2128|2128\n"
        );
    }
}
