//! What people do in KAlgebra over and over.

use quintain_desktop::PlannedStep;

/// Types lines into the console.
pub(super) fn console<S: AsRef<str>>(lines: &[S]) -> Vec<PlannedStep> {
    let mut steps = vec![PlannedStep::Await("page tab/Calculator".to_owned())];
    steps.extend(lines.iter().map(|line| PlannedStep::text(format!("{}\n", line.as_ref()))));
    steps
}

/// Opens the plane and draws curves in it.
pub(super) fn draw<S: AsRef<str>>(formulas: &[S]) -> Vec<PlannedStep> {
    let mut steps = vec![PlannedStep::Click("page tab/2D Graph".to_owned())];
    for formula in formulas {
        steps.push(PlannedStep::Click("page tab/Add".to_owned()));
        steps.push(PlannedStep::text(format!("{}\n", formula.as_ref())));
    }
    steps
}

/// Opens the space and draws a surface in it.
pub(super) fn draw_surface(formula: &str) -> Vec<PlannedStep> {
    vec![
        PlannedStep::Click("page tab/3D Graph".to_owned()),
        // The only text field there.
        PlannedStep::Click("text/".to_owned()),
        PlannedStep::text(format!("{formula}\n")),
    ]
}

/// Names a file in the window that asks for one.
pub(super) fn file(keys: [&str; 2], path: &str) -> Vec<PlannedStep> {
    vec![
        PlannedStep::keys(keys),
        PlannedStep::Await("text/File name:".to_owned()),
        PlannedStep::text(format!("{path}\n")),
    ]
}
