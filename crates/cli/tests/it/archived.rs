//! Tasks that went through an archive play as the originals do, though their references stayed behind.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_browser::{Browser, BrowserSandbox};
use quintain_checks::{Palette, Panel};
use quintain_core::Task;
use quintain_core::world::WorldKind;
use quintain_puzzles::{MaterialSources, PuzzleGoal, Puzzles};
use quintain_store::Suites;
use quintain_store::archive::{public_tasks, read_tasks, reference_for};

fn worlds() -> BTreeMap<String, Arc<dyn WorldKind>> {
    let kinds: [Arc<dyn WorldKind>; 5] = [
        Arc::new(Puzzles::default()),
        Arc::new(Puzzles::new(quintain_physics::KIND, quintain_physics::ALL, MaterialSources::default())),
        Arc::new(Browser::new(quintain_apps::ALL, BrowserSandbox::On)),
        quintain_exam::offering().world,
        quintain_science::offering().world,
    ];
    kinds.into_iter().map(|kind| (kind.kind().to_owned(), kind)).collect()
}

fn palette() -> Palette {
    let palette = Palette::standard().with(Arc::new(PuzzleGoal::default().with(quintain_physics::ALL)));
    let of_apps = quintain_apps::ALL.iter().flat_map(|app| app.checks());
    of_apps.chain(quintain_science::offering().checks).fold(palette, Palette::with)
}

/// All tasks, before and after; without those that need MuJoCo where there is none.
fn tasks() -> Vec<(Task, Task)> {
    let suites = Suites::embedded();
    let all = suites.names().unwrap().into_iter().flat_map(|suite| suites.tasks(&suite).unwrap());
    let has_physics = quintain_physics::found().is_ok();
    let before: Vec<Task> = all.filter(|task| has_physics || task.spec.world.kind != quintain_physics::KIND).collect();
    let after = read_tasks(&public_tasks(&before).unwrap()).unwrap();
    before.into_iter().zip(after).collect()
}

#[test]
fn archived_tasks_have_the_same_worlds_instances_and_judges() {
    let (worlds, palette) = (worlds(), palette());
    let mut n_by_world: BTreeMap<String, usize> = BTreeMap::new();
    for (idx, (before, after)) in tasks().into_iter().enumerate() {
        let world = &worlds[&before.spec.world.kind];
        assert_eq!(after.digest, before.digest, "{}", before.id);
        assert_eq!(world.digest(&after), world.digest(&before), "{}", before.id);
        assert!(Panel::new(&after, &palette).is_ok(), "{}", before.id);
        let canonical = before.has_canonical().then(quintain_core::Pick::default);
        // Tasks made of the same code differ in their data alone: one instance of each, of presets and seeds in turn.
        let picks: Vec<_> = before.picks(&[0, 7]).into_iter().chain(canonical).collect();
        let pick = &picks[idx % picks.len()];
        let original = world.instantiate(&before, pick).unwrap();
        let archived = world.instantiate(&after, pick).unwrap();
        assert_eq!(archived, original, "{}", original.id);
        assert_eq!(archived.digest(), original.digest(), "{}", original.id);
        assert_eq!(after.limits(pick), before.limits(pick));
        let whole = reference_for(&archived, &after, before.reference.clone());
        assert_eq!(whole, original.reference(&before), "{}", original.id);
        *n_by_world.entry(before.spec.world.kind.clone()).or_default() += 1;
    }
    assert!(n_by_world["puzzles"] >= 15 && n_by_world["browser"] >= 40, "{n_by_world:?}");
}
