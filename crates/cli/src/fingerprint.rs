//! What a run was made with, in its header: enough to say why two runs differ.

use std::collections::BTreeMap;

use quintain_agents::loops::prompts;
use quintain_store::Selection;

use crate::args::Common;
use crate::commands::doctor;
use crate::models;

/// The fingerprint of this binary on this machine, with the browser where one is needed. Holds no secrets and no user
/// names.
pub(crate) fn here(common: &Common, selections: &[Selection]) -> BTreeMap<String, String> {
    let kinds = selections.iter().map(|selection| selection.task.spec.world.kind.as_str());
    of(common, kinds)
}

/// The fingerprint of a host that plays in these kinds of world, whatever the agents.
pub(crate) fn of_host(common: &Common, kinds: &[String]) -> BTreeMap<String, String> {
    let mut fingerprint = of(common, kinds.iter().map(String::as_str));
    fingerprint.insert(models::PROMPTS.to_owned(), prompts::digest().short());
    fingerprint
}

fn of<'a>(common: &Common, kinds: impl Iterator<Item = &'a str>) -> BTreeMap<String, String> {
    let kinds: Vec<&str> = kinds.collect();
    let needs_browser = kinds.contains(&"browser");
    let needs_physics = kinds.contains(&quintain_physics::KIND);
    let mujoco = needs_physics.then(|| quintain_physics::found().map_or("not found", |_| quintain_physics::VERSION));
    let browser = needs_browser.then(|| doctor::chromium_version().unwrap_or_else(|| "not found".to_owned()));
    let n_cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let photos = common.photos.as_ref().map_or("generated scenes".to_owned(), |_| "a folder".to_owned());
    let meshes = common.meshes.as_ref().map_or("generated toys".to_owned(), |_| "a folder".to_owned());
    [
        ("quintain", env!("CARGO_PKG_VERSION").to_owned()),
        ("build", if cfg!(debug_assertions) { "debug".to_owned() } else { "release".to_owned() }),
        ("os", std::env::consts::OS.to_owned()),
        ("arch", std::env::consts::ARCH.to_owned()),
        ("cores", n_cores.to_string()),
        ("photographs", photos),
        ("clips", common.clips.as_ref().map_or("generated happenings".to_owned(), |_| "a folder".to_owned())),
        ("labels", common.labels.as_ref().map_or("generated pictures".to_owned(), |_| "a file".to_owned())),
        ("meshes", meshes),
    ]
    .into_iter()
    .chain(browser.map(|browser| ("browser", browser)))
    .chain(mujoco.map(|version| ("mujoco", version.to_owned())))
    .map(|(key, value)| (key.to_owned(), value))
    .collect()
}
