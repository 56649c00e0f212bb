//! The one MuJoCo of a process: found once, each scene compiled once, data lent to whoever simulates.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use quintain_core::lock::LockAlways as _;

use quintain_core::variables;

use crate::locate::{self, Place};
use crate::mujoco::{Data, Library, Missing, Model};
use crate::scene::Scene;

/// How many steps of time an action takes, each of two thousandths of a second.
const N_STEPS: usize = 20;

/// Where MuJoCo was found, or why there is none. The search is made once.
pub fn found() -> Result<&'static Path, &'static Missing> {
    library().map(|library| library.path())
}

fn library() -> Result<&'static Arc<Library>, &'static Missing> {
    static LIBRARY: OnceLock<Result<Arc<Library>, Missing>> = OnceLock::new();
    LIBRARY.get_or_init(|| search().map(Arc::new)).as_ref()
}

fn search() -> Result<Library, Missing> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    load(locate::places(variable(variables::MUJOCO), variable("VIRTUAL_ENV")))
}

/// The first that can be used. Where none can, what is wrong with one that is there says more than that others are not.
fn load(place: Place) -> Result<Library, Missing> {
    let files = match place {
        Place::Named(file) => return Library::load(&file),
        Place::Any(files) => files,
    };
    let mut missing = Missing::NotFound;
    for file in files {
        match Library::load(&file) {
            Ok(library) => return Ok(library),
            Err(Missing::NotLoadable { .. }) if !file.is_file() => {}
            Err(why) if missing == Missing::NotFound => missing = why,
            Err(_) => {}
        }
    }
    Err(missing)
}

/// A compiled scene and the data that nobody uses at the moment.
pub(crate) struct Machine {
    model: Arc<Model>,
    idle: Mutex<Vec<Data>>,
}

impl Machine {
    /// The machine of a scene.
    pub(crate) fn of(scene: Scene) -> Result<&'static Self, &'static Missing> {
        static BARE: OnceLock<Result<Machine, Missing>> = OnceLock::new();
        static BLOCK: OnceLock<Result<Machine, Missing>> = OnceLock::new();
        let library = library()?;
        let cell = match scene {
            Scene::Bare => &BARE,
            Scene::Block => &BLOCK,
        };
        cell.get_or_init(|| Self::new(library, scene)).as_ref()
    }

    fn new(library: &Arc<Library>, scene: Scene) -> Result<Self, Missing> {
        let model = Model::compile(library, &scene.xml())?;
        let expected = scene.n_positions() + scene.n_speeds() + 2 + 3;
        if model.n_numbers() != expected {
            return Err(Missing::Scene { why: format!("it has {} numbers, not {expected}", model.n_numbers()) });
        }
        Ok(Self { model: Arc::new(model), idle: Mutex::new(Vec::new()) })
    }

    /// The numbers of a scene after an action's time. They depend on nothing but the numbers before it.
    pub(crate) fn advanced(&self, numbers: &[f64]) -> Result<Vec<f64>, Missing> {
        self.with_data(|data| {
            data.set(numbers);
            (0..N_STEPS).for_each(|_| data.step());
            data.numbers()
        })
    }

    /// Data that are put back after use, so that there are never more than threads that simulate at once.
    pub(crate) fn with_data<T>(&self, work: impl FnOnce(&mut Data) -> T) -> Result<T, Missing> {
        let idle = self.idle.lock().always().pop();
        let mut data = idle.map_or_else(|| Data::new(&self.model), Ok)?;
        let result = work(&mut data);
        self.idle.lock().always().push(data);
        Ok(result)
    }
}
