use super::*;
use crate::row::TrialRow;
use crate::row::tests::row;

/// Twenty instances of two tasks, played with feedback and without: without, those of the maze are not solved.
fn rows() -> Vec<TrialRow> {
    let lines = (0..20).flat_map(|i| {
        let task = if i % 2 == 0 { "maze" } else { "block" };
        let without = if task == "maze" || i == 1 { "0.0" } else { "1.0" };
        let with = if i < 2 { "0.0" } else { "1.0" };
        [
            format!("p/{task}#{i}~sim~0 done {with} 5"),
            format!("p/{task}#{i}~sim+feedback-off~0 done {without} 5"),
            format!("p/{task}#{i}~sim+history-1~0 done {with} 5"),
        ]
    });
    lines.map(|line| row(&line)).collect()
}

fn planned(rows: &[TrialRow], label: &str, task: &str) -> Vec<TrialId> {
    let meant = |row: &&TrialRow| row.trial.agent == label && row.task().contains(task);
    rows.iter().filter(meant).map(|row| row.trial.clone()).collect()
}

fn question(rows: &[TrialRow], factor: &str, levels: &[(&str, &str)], task: &str) -> DiagnosisQuestion {
    let side = |(level, tag): &(&str, &str)| QuestionSide {
        level: (*level).to_owned(),
        label: format!("sim{tag}"),
        planned: planned(rows, &format!("sim{tag}"), task),
    };
    DiagnosisQuestion { agent: "sim".to_owned(), factor: factor.to_owned(), levels: levels.iter().map(side).collect() }
}

fn diagnosed() -> Diagnosis {
    let rows = rows();
    let questions = [
        question(&rows, "feedback", &[("on", ""), ("off", "+feedback-off")], "p/"),
        question(&rows, "history", &[("1 turn", "+history-1"), ("all", "")], "p/"),
        question(&rows, "goal", &[("off", ""), ("on", "+goal-on")], "p/"),
    ];
    diagnosis(&questions, &rows)
}

#[test]
fn a_planted_difference_is_found_and_no_other() {
    insta::assert_snapshot!(diagnosed().text(), @"
    sim (our code)

    feedback  instances  tasks  solved          95 %  against on     95 % paired  McNemar p
    on               20      2  90.0 %  [69.9, 97.2]
    off              20      2  45.0 %  [25.8, 65.8]     -45.0 %  [-70.0, -20.0]      0.004
      off: less is solved: the paired interval leaves out zero, McNemar's p is 0.004

    history  instances  tasks  solved          95 %  against all    95 % paired  McNemar p
    1 turn          20      2  90.0 %  [69.9, 97.2]       +0.0 %  [-16.1, 16.1]      1.000
    all             20      2  90.0 %  [69.9, 97.2]
      1 turn: no difference is shown; only one of 36.6 % or more would have been likely to

    goal  instances  tasks  solved  95 %  against off  95 % paired  McNemar p
    off           0      0       -     -
    on            0      0       -     -            -            -          -
      on: nothing could be compared
    ");
}

/// Four pairs that all flip: their interval leaves out zero, but chance alone does that once in eight times.
#[test]
fn few_flips_are_not_called_a_difference() {
    let lines = (0..4)
        .flat_map(|i| [format!("p/maze#{i}~sim~0 done 0.0 5"), format!("p/maze#{i}~sim+feedback-off~0 done 1.0 5")]);
    let rows: Vec<TrialRow> = lines.map(|line| row(&line)).collect();
    let asked = question(&rows, "feedback", &[("on", ""), ("off", "+feedback-off")], "p/");
    let found = diagnosis(&[asked], &rows);
    let level = &found.agents[0].factors[0].levels[1];
    assert!(level.is_shown().is_none(), "{level:?}");
    insta::assert_snapshot!(level.conclusion.as_deref().unwrap(), @"not told apart: the paired interval leaves out zero, but McNemar's p is 0.125");
}

#[test]
fn only_instances_that_another_side_has_count_for_the_runs_own_setting() {
    let rows = rows();
    let mut question = question(&rows, "feedback", &[("on", ""), ("off", "+feedback-off")], "p/");
    question.levels[1].planned = planned(&rows, "sim+feedback-off", "block");
    let found = diagnosis(&[question], &rows);
    let levels = &found.agents[0].factors[0].levels;
    let counted: Vec<_> = levels.iter().map(|level| (level.n_instances, level.n_tasks, level.n_solved)).collect();
    assert_eq!(counted, [(10, 1, 9), (10, 1, 9)]);
    assert!(levels[1].is_shown().is_none());
    assert!(levels[1].against_base.as_ref().unwrap().left_out.only_a == 0, "nothing of the others is called left out");
}

#[test]
fn the_plot_and_the_page_are_whole_and_say_nothing_that_is_not_escaped() {
    let mut found = diagnosed();
    found.agents[0].agent = "<script>".to_owned();
    let picture = svg(&found.agents[0]);
    assert!(picture.starts_with("<svg xmlns=") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(picture.matches("class=\"fewer\"").count(), 1, "one difference is shown");
    assert!(!picture.contains("NaN") && !picture.contains("<script"));
    let page = page("night", "sim on <b>", &found);
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script") && page.contains("sim on &lt;b&gt;"));
    assert!(!page.contains("{{"), "every place is filled");
}
