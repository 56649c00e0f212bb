//! What everybody is measured on: the largest starting workflow on the canvas, and two of its nodes to select in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_browser::Browser;
use quintain_core::action::{Action, Button};
use quintain_core::task::TaskFiles;
use quintain_core::trajectory::Effect;
use quintain_core::world::{World, WorldKind};
use quintain_core::{Instance, ObservationPart, Pick, Screen, Task};
use serde_json::{Value, json};

/// A task that begins with the largest workflow.
const TASK: &str = "workflow-new-case";
pub(crate) const APP: &str = "workflow-builder";
pub(crate) const VIEWPORT: (u32, u32) = (1280, 720);
pub(crate) const WITHIN: Duration = Duration::from_mins(1);

/// The largest starting workflow, open on the canvas.
pub(crate) fn instance(kind: &Browser) -> Instance {
    let folder = root().join("suites/gauntlet").join(TASK);
    let names = ["task.toml", "instruction.md", "oracle.toml", "reference/canary.txt"];
    let file = |name: &str| (name.to_owned(), fs::read(folder.join(name)).expect("the task has all its files"));
    let files: TaskFiles = names.into_iter().map(file).collect();
    let task = Task::from_files("gauntlet", &files).expect("the task is sound");
    let mut instance = kind.instantiate(&task, &Pick::default()).expect("the task has a canonical instance");
    let workflows = instance.start["document"]["workflows"].as_array().cloned().unwrap_or_default();
    let size = |workflow: &Value| workflow["nodes"].as_array().map_or(0, Vec::len);
    let largest = workflows.iter().max_by_key(|workflow| size(workflow)).expect("the hub has workflows");
    instance.start["document"]["open"] = largest["id"].clone();
    instance.start["viewport"] = json!([VIEWPORT.0, VIEWPORT.1]);
    instance
}

/// The middles of two nodes far from each other that do not lie under anything else, as the app says.
pub(crate) fn clicks(kind: &Browser, instance: &Instance) -> [[f64; 2]; 2] {
    let mut world = kind.open(instance).expect("the app opens");
    let told =
        world.observe(&BTreeSet::from([ObservationPart::Geometry]), WITHIN).expect("the app says where things are");
    let table: BTreeMap<String, [f64; 4]> =
        serde_json::from_str(&told.texts[&ObservationPart::Geometry]).expect("the table can be read");
    let is_node = |name: &str| name.strip_prefix("node/").is_some_and(|id| !id.contains('/'));
    let mut middles: Vec<[f64; 2]> = table
        .iter()
        .filter(|(name, _)| is_node(name))
        .map(|(_, [x, y, width, height])| [(x + width / 2.0).round(), (y + height / 2.0).round()])
        .filter(|[x, _]| *x < f64::from(VIEWPORT.0) * 0.7)
        .collect();
    middles.sort_by(|[a, _], [b, _]| a.total_cmp(b));
    [middles[0], middles[middles.len() - 1]]
}

/// One open world that is stepped.
pub(crate) struct Ours {
    world: Box<dyn World + Send>,
    actions: [Action; 2],
    n_steps: usize,
}

impl Ours {
    pub(crate) fn open(kind: &Browser, instance: &Instance, clicks: [[f64; 2]; 2]) -> Self {
        let actions = clicks.map(|[x, y]| {
            let at = Some((x, y).into());
            Action::Click { at, button: Button::Left, held: Vec::new() }
        });
        Self { world: kind.open(instance).expect("the app opens"), actions, n_steps: 0 }
    }

    /// A click that selects a node, and the settled screen after it.
    pub(crate) fn step(&mut self) -> Screen {
        let action = &self.actions[self.n_steps % self.actions.len()];
        self.n_steps += 1;
        let feedback = self.world.apply(action, WITHIN).expect("the world carries it out");
        assert_eq!(feedback.effect, Effect::Changed, "selecting another node shows");
        let shown =
            self.world.observe(&BTreeSet::from([ObservationPart::Screen]), WITHIN).expect("the world shows itself");
        shown.pictures[&ObservationPart::Screen].clone()
    }
}

/// The repository.
pub(crate) fn root() -> PathBuf {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.find(|folder| folder.join("Cargo.lock").is_file()).expect("a crate of the workspace").to_owned()
}

/// The built app.
pub(crate) fn dist() -> PathBuf {
    root().join("web/dist").join(APP)
}
