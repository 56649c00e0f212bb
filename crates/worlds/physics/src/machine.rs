//! The one MuJoCo of a process: found once, each scene compiled once, data lent to whoever simulates.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use quintain_core::lock::LockAlways as _;

use quintain_core::variables;

use crate::locate::{self, LibraryPlace};
use crate::mujoco::{Data, Library, MissingPhysics, SceneModel};
use crate::scene::Scene;

/// How many steps of time an action takes, each of two thousandths of a second.
const N_STEPS: usize = 20;

/// Where MuJoCo was found, or why there is none. The search is made once.
pub fn found() -> Result<&'static Path, &'static MissingPhysics> {
    library().map(|library| library.path())
}

fn library() -> Result<&'static Arc<Library>, &'static MissingPhysics> {
    static LIBRARY: OnceLock<Result<Arc<Library>, MissingPhysics>> = OnceLock::new();
    LIBRARY.get_or_init(|| search().map(Arc::new)).as_ref()
}

fn search() -> Result<Library, MissingPhysics> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    load(locate::places(variable(variables::MUJOCO), variable("VIRTUAL_ENV")))
}

/// The first that can be used. Where none can, what is wrong with one that is there says more than that others are not.
fn load(place: LibraryPlace) -> Result<Library, MissingPhysics> {
    let files = match place {
        LibraryPlace::Named(file) => return Library::load(&file),
        LibraryPlace::Any(files) => files,
    };
    let mut missing = MissingPhysics::NotFound;
    for file in files {
        match Library::load(&file) {
            Ok(library) => return Ok(library),
            Err(MissingPhysics::NotLoadable { .. }) if !file.is_file() => {}
            Err(why) if missing == MissingPhysics::NotFound => missing = why,
            Err(_) => {}
        }
    }
    Err(missing)
}

/// A compiled scene and the data that nobody uses at the moment.
pub(crate) struct SceneMachine {
    model: Arc<SceneModel>,
    idle: Mutex<Vec<Data>>,
}

impl SceneMachine {
    /// The machine of a scene.
    pub(crate) fn of(scene: Scene) -> Result<&'static Self, &'static MissingPhysics> {
        static BARE: OnceLock<Result<SceneMachine, MissingPhysics>> = OnceLock::new();
        static BLOCK: OnceLock<Result<SceneMachine, MissingPhysics>> = OnceLock::new();
        let library = library()?;
        let cell = match scene {
            Scene::Bare => &BARE,
            Scene::Block => &BLOCK,
        };
        cell.get_or_init(|| Self::new(library, scene)).as_ref()
    }

    fn new(library: &Arc<Library>, scene: Scene) -> Result<Self, MissingPhysics> {
        let model = SceneModel::compile(library, &scene.xml())?;
        let expected = scene.n_positions() + scene.n_speeds() + 2 + 3;
        if model.n_numbers() != expected {
            return Err(MissingPhysics::Scene { why: format!("it has {} numbers, not {expected}", model.n_numbers()) });
        }
        Ok(Self { model: Arc::new(model), idle: Mutex::new(Vec::new()) })
    }

    /// The numbers of a scene after an action's time. They depend on nothing but the numbers before it.
    pub(crate) fn advanced(&self, numbers: &[f64]) -> Result<Vec<f64>, MissingPhysics> {
        self.with_data(|data| {
            data.set(numbers);
            (0..N_STEPS).for_each(|_| data.step());
            data.numbers()
        })
    }

    /// Data that are put back after use, so that there are never more than threads that simulate at once.
    pub(crate) fn with_data<T>(&self, work: impl FnOnce(&mut Data) -> T) -> Result<T, MissingPhysics> {
        let idle = self.idle.lock().always().pop();
        let mut data = idle.map_or_else(|| Data::new(&self.model), Ok)?;
        let result = work(&mut data);
        self.idle.lock().always().push(data);
        Ok(result)
    }
}
