//! The texts for the terminal, on trials with long names.

#[path = "../examples/sample_report/sample.rs"]
mod sample;

use quintain_report::{TrialRow, compare, summary};

fn rows(suffix: &str) -> Vec<TrialRow> {
    let long = |mut row: TrialRow| {
        row.trial.agent = format!("{}{}", row.trial.agent, suffix.repeat(30));
        row.capabilities.push("a very long capability ".repeat(10));
        row
    };
    sample::report(200, 0).trials.into_iter().map(|trial| long(trial.row)).collect()
}

#[test]
fn no_line_of_figures_is_wider_than_a_terminal() {
    let (a, b) = (rows("-model"), rows("-other"));
    for text in [summary(&a, &[]).text(), compare(&a, &b).text("x", "y"), compare(&a, &a).text("x", "y")] {
        let named =
            |line: &&str| line.contains("-model-model") || line.contains("-other-other") || line.contains("very long");
        let figures = text.lines().filter(|line| !named(line));
        let widest = figures.max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 100, "{widest}");
    }
}

#[test]
fn several_agents_are_not_passed_off_as_one() {
    let text = summary(&rows(""), &[]).text();
    assert!(text.starts_with("trials     200 over 6 tasks") && text.lines().next().unwrap().ends_with(", 2 agents"));
}
