//! What a task asks of its world that the world cannot do: refused when the two meet, rather than ignored.

use super::{ClockSpec, ResultKind, Task, TaskProblem, TaskProblems};
use crate::world::WorldKind;

/// Refuses a task that asks for what worlds of its kind cannot do, with everything that they cannot.
pub fn unsupported(task: &Task, world: &dyn WorldKind) -> Result<(), TaskProblems> {
    let can = world.supports(task);
    let (kind, spec) = (world.kind(), &task.spec);
    let asked = [
        (
            !task.input.is_empty() && !can.inputs,
            "input/",
            format!("worlds of kind `{kind}` take no input files"),
            "take the folder out, and put what the agent needs into the parameters or the start of the world",
        ),
        (
            spec.result.kind == ResultKind::Files && !can.file_results,
            "task.toml",
            format!("result.kind = \"files\": agents leave no files in worlds of kind `{kind}`"),
            "judge the state of the world (result.kind = \"state\") or an answer (\"fields\")",
        ),
        (
            spec.world.clock == ClockSpec::Wall && !can.wall_clock,
            "task.toml",
            format!("world.clock = \"wall\": time passes only with steps in worlds of kind `{kind}`"),
            "write clock = \"stepped\", or leave it out",
        ),
    ];
    let refused = asked.into_iter().filter(|(is_refused, ..)| *is_refused);
    let problems: Vec<TaskProblem> = refused.map(|(_, file, what, hint)| problem(file, what, hint)).collect();
    if problems.is_empty() { Ok(()) } else { Err(TaskProblems(problems)) }
}

fn problem(file: &str, what: String, hint: &str) -> TaskProblem {
    TaskProblem { file: file.to_owned(), place: None, what, hint: Some(hint.to_owned()) }
}
