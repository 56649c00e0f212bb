//! What the apps' tasks need of a host.

use quintain_browser::{BrowserSandbox, offering};

use super::tasks;
use crate::ALL;

#[test]
fn only_circuits_need_a_simulator() {
    let offering = offering(ALL, BrowserSandbox::On);
    let names: Vec<String> = offering.classes().iter().map(|class| class.name.clone()).collect();
    assert_eq!(names, ["browser+ngspice", "browser"]);
    let class_of = |task: &str| {
        let tasks = tasks(task);
        offering.class_of(tasks.first().expect("the task is there"))
    };
    assert_eq!(class_of("circuit-555-astable"), "browser+ngspice");
    assert_eq!(class_of("circuit-parity"), "browser+ngspice", "an agent may draw whatever there is");
    assert_eq!(class_of("workflow-insert-wait"), "browser");
}
