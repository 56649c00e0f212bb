use std::num::NonZeroU32;

use quintain_core::task::CheckSpec;

use super::super::tests::{prepared, tasks};
use super::*;
use crate::workflow::checks::compare_since;

/// The tasks of the app that have milestones.
fn tasks_with_milestones() -> Vec<Task> {
    tasks().into_iter().filter(|task| !task.spec.milestones.is_empty()).collect()
}

fn whole(task: &Task, seed: Option<u64>) -> Value {
    let (prepared, _) = prepared(task, seed);
    json!({ "document": prepared.document, "expected": prepared.expected, "plan": prepared.plan })
}

fn document(value: &Value) -> Document {
    Document::read(value).expect("it is a document")
}

#[test]
fn what_was_given_and_what_is_left_come_to_the_whole() {
    let tasks = tasks_with_milestones();
    assert_eq!(tasks.len(), 3);
    for (task, seed) in tasks.iter().flat_map(|task| [None, Some(1), Some(2)].map(|seed| (task, seed))) {
        let whole = whole(task, seed);
        for stretch in task.starts().into_iter().skip(1) {
            let part = start(task, &whole, stretch).expect("it can begin there");
            assert_eq!(part, start(task, &whole, stretch).expect("it can begin there"));
            assert_eq!((&part["origin"], &part["expected"]), (&whole["document"], &whole["expected"]));
            let plan = SolutionPlan::read(&part).expect("there is a plan");
            let mut draft = plan.draft().expect("the edits can be made");
            for edit in plan.own() {
                draft.make(edit).expect("the edit can be made");
            }
            let origin = document(&whole["document"]);
            assert!(compare_since(&origin, &document(&whole["expected"]), &draft.document).is_equal(), "{stretch}");
        }
    }
}

#[test]
fn an_instance_opens_with_nodes_beside_each_other() {
    for task in tasks_with_milestones() {
        let whole = whole(&task, Some(3));
        for stretch in task.starts().into_iter().skip(1) {
            let part = start(&task, &whole, stretch).expect("it can begin there");
            let opened = document(&part["document"]);
            assert_eq!(opened.problems(), Vec::<String>::new());
            let shown = opened.workflow(opened.open.as_deref().expect("one is open")).expect("it is there");
            assert!(shown.nodes.len() > 1);
            let mut places: Vec<(i64, i64)> =
                shown.nodes.iter().map(|node| (node.position.x, node.position.y)).collect();
            places.dedup();
            assert_eq!(places.len(), shown.nodes.len());
        }
    }
}

#[test]
fn a_stretch_ends_with_what_its_milestone_asks_for() {
    let task = &tasks_with_milestones()[2];
    let whole = whole(task, None);
    let ends = |stretch| right_end(&start(task, &whole, stretch).expect("it can end there")).expect("it has an end");
    let first = document(&ends(Stretch { until: NonZeroU32::new(1), ..Stretch::WHOLE }));
    assert_eq!(first.workflows.last().map(|made| (made.nodes.len(), made.edges.len())), Some((3, 0)));
    assert_eq!(ends(Stretch::after(1)), whole["expected"]);
    assert_eq!(right_end(&whole).as_ref(), Some(&whole["expected"]));
}

#[test]
fn what_cannot_begin_after_a_milestone_is_refused() {
    let told = |alter: &dyn Fn(&mut Task)| {
        let mut task = tasks_with_milestones().remove(2);
        alter(&mut task);
        match start(&task, &whole(&task, None), Stretch::after(1)) {
            Ok(start) => format!("after {} edits", start["plan"]["given"]),
            Err(why) => why,
        }
    };
    let check = |task: &mut Task, alter: &dyn Fn(&mut CheckSpec)| alter(&mut task.spec.milestones[1].checks[0]);
    let edits =
        |n: u64| move |task: &mut Task| check(task, &|spec| drop(spec.options.insert("edits".to_owned(), n.into())));
    let lines = [
        told(&|_| {}),
        told(&edits(4)),
        told(&edits(9)),
        told(&edits(0)),
        told(&|task| check(task, &|spec| "exact".clone_into(&mut spec.kind))),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    after 4 edits
    milestone `connections` of task `gauntlet/workflow-three-nodes`: it asks for no more edits than the one before it
    milestone `connections` of task `gauntlet/workflow-three-nodes`: it asks for 9 edits, and the solution has 8
    milestone `connections` of task `gauntlet/workflow-three-nodes`: `edits` must be a whole number of 1 or more, not 0
    milestone `connections` of task `gauntlet/workflow-three-nodes`: `exact` judges it, but the Workflow Builder begins after milestones of `workflow-graph` alone
    ");
}
