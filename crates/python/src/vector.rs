//! Many environments at once, stepped by a pool of threads while Python does something else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use numpy::{PyArray1, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quintain_core::lock::LockAlways as _;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::env_slot::{EnvSlot, SlotEnd, StepOutcome};
use crate::episode_source::{EpisodeSource, EpisodeSurface, EpisodeWish, training_seeds_from};
use crate::error::{because, raised};
use crate::frame;
use crate::session::parameters_of;
use crate::settings::{SourceFolders, workshop};

/// Pictures, rewards, terminated, truncated, infos.
type VectorStep<'py> = (
    Py<PyArray4<u8>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyDict>,
);

/// Rewards, terminated, truncated.
type VectorEnds<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

/// Many environments of one task. Their pictures are one array, which every step writes anew.
#[pyclass(module = "quintain._quintain", frozen)]
pub(crate) struct Lanes {
    environments: Mutex<Vec<EnvSlot>>,
    n_environments: usize,
    pictures: Py<PyArray4<u8>>,
    size: (u32, u32),
    pool: ThreadPool,
}

#[pymethods]
impl Lanes {
    #[new]
    #[pyo3(signature = (task, n, threads, preset, seed, parameters, canvas, max_steps, sources))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords become arguments here")]
    fn new(
        py: Python<'_>,
        task: String,
        n: usize,
        threads: Option<usize>,
        preset: Option<String>,
        seed: Option<u64>,
        parameters: Option<BTreeMap<String, Bound<'_, PyAny>>>,
        canvas: Option<(u32, u32)>,
        max_steps: Option<u32>,
        sources: SourceFolders,
    ) -> PyResult<Self> {
        let surface = EpisodeSurface::Screen(None);
        let wish = EpisodeWish { task, preset, parameters: parameters_of(parameters)?, surface, max_steps };
        let OpenedSlots { lanes, pool, .. } = py.detach(|| OpenedSlots::open(wish, n, threads, seed, sources))?;
        let size = canvas.map_or_else(|| largest(&lanes), Ok).map_err(raised)?;
        let pictures = PyArray4::zeros(py, [n, size.0 as usize, size.1 as usize, 3], false);
        let environments = Mutex::new(lanes);
        Ok(Self { environments, n_environments: n, pictures: pictures.unbind(), size, pool })
    }

    /// Environments, rows, columns and bytes a pixel of the pictures.
    #[getter]
    fn shape(&self) -> (usize, u32, u32, u32) {
        (self.n_environments, self.size.0, self.size.1, 3)
    }

    /// Threads in the pool.
    #[getter]
    fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Begins an episode in every environment: of seeds that count up from one, of these seeds, or of those that are next.
    #[pyo3(signature = (seeds))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seeds: Option<ResetSeeds>,
    ) -> PyResult<(Py<PyArray4<u8>>, Bound<'py, PyDict>)> {
        let n = self.n_environments;
        ResetSeeds::check(seeds.as_ref(), n)?;
        let outcomes = self.each(py, |i, lane| lane.reset(ResetSeeds::of(seeds.as_ref(), i, lane, n)))?;
        Ok((self.pictures.clone_ref(py), infos(py, &outcomes)?))
    }

    /// Carries out an action in every environment. Where an episode is over, its next one begins instead, with the next
    /// seed that no other environment comes to.
    fn step<'py>(&self, py: Python<'py>, actions: Vec<String>) -> PyResult<VectorStep<'py>> {
        let n = self.n_environments;
        if actions.len() != n {
            return Err(because(format!("{} actions were given for {n} environments", actions.len())));
        }
        let outcomes = self.each(py, |i, lane| lane.step_or_reset(&actions[i], n as u64))?;
        let (rewards, terminated, truncated) = ends(py, &outcomes);
        Ok((self.pictures.clone_ref(py), rewards, terminated, truncated, infos(py, &outcomes)?))
    }
}

/// Environments of one task that were opened together, and the threads that step them.
pub(crate) struct OpenedSlots {
    pub(crate) course: Arc<EpisodeSource>,
    pub(crate) lanes: Vec<EnvSlot>,
    pub(crate) pool: ThreadPool,
}

impl OpenedSlots {
    /// Opens so many environments, whose seeds count up.
    pub(crate) fn open(
        wish: EpisodeWish,
        n: usize,
        threads: Option<usize>,
        seed: Option<u64>,
        sources: SourceFolders,
    ) -> PyResult<Self> {
        if n == 0 {
            return Err(because("a vector of no environments has nothing to step: n must be at least 1"));
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build().map_err(raised)?;
        let course = Arc::new(EpisodeSource::new(&workshop(sources, None)?, wish).map_err(raised)?);
        let first = seed.unwrap_or_else(training_seeds_from);
        let make = |i: usize| EnvSlot::new(Arc::clone(&course), first.wrapping_add(i as u64));
        let lanes = pool.install(|| (0..n).into_par_iter().map(make).collect::<anyhow::Result<Vec<_>>>());
        Ok(Self { lanes: lanes.map_err(raised)?, course, pool })
    }
}

/// Rows and columns on which all pictures have room.
fn largest(lanes: &[EnvSlot]) -> anyhow::Result<(u32, u32)> {
    let sizes = lanes.iter().map(EnvSlot::size).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(sizes.into_iter().fold((0, 0), |most, size| (most.0.max(size.0), most.1.max(size.1))))
}

/// The seeds of a reset.
#[derive(FromPyObject)]
pub(crate) enum ResetSeeds {
    From(u64),
    Each(Vec<u64>),
}

impl ResetSeeds {
    fn fit(&self, n: usize) -> bool {
        !matches!(self, Self::Each(seeds) if seeds.len() != n)
    }

    /// The seed of an environment of so many.
    pub(crate) fn of(seeds: Option<&Self>, i: usize, lane: &EnvSlot, n: usize) -> u64 {
        match seeds {
            None => lane.next_seed(n as u64),
            Some(Self::From(first)) => first.wrapping_add(i as u64),
            Some(Self::Each(seeds)) => seeds[i],
        }
    }

    /// Refuses a list that is not one for each.
    pub(crate) fn check(seeds: Option<&Self>, n: usize) -> PyResult<()> {
        match seeds.filter(|seeds| !seeds.fit(n)) {
            Some(Self::Each(seeds)) => Err(because(format!("{} seeds were given for {n} environments", seeds.len()))),
            _ => Ok(()),
        }
    }
}

/// What an environment tells.
pub(crate) struct EnvReport {
    pub(crate) seed: u64,
    pub(crate) outcome: StepOutcome,
}

impl Lanes {
    /// Does something in every environment, each writing its picture where it belongs, with Python's lock released. One
    /// that fails is put down and its place is left black; the others do it all the same.
    fn each(
        &self,
        py: Python<'_>,
        play: impl Fn(usize, &mut EnvSlot) -> anyhow::Result<StepOutcome> + Sync + Send,
    ) -> PyResult<Vec<EnvReport>> {
        let mut pictures = self.pictures.bind(py).try_readwrite().map_err(|error| because(error.to_string()))?;
        let pictures = pictures.as_slice_mut().map_err(|error| because(error.to_string()))?;
        let n_bytes = frame::n_bytes(self.size);
        py.detach(|| {
            let mut lanes = self.environments.lock().always();
            let turn = |(i, (lane, picture)): (usize, (&mut EnvSlot, &mut [u8]))| {
                let told = self.tell(play(i, lane), lane, picture);
                if told.is_err() {
                    lane.put_down();
                    picture.fill(0);
                }
                told
            };
            let places = lanes.par_iter_mut().zip(pictures.par_chunks_mut(n_bytes)).enumerate();
            let told: Vec<anyhow::Result<EnvReport>> = self.pool.install(|| places.map(turn).collect());
            told.into_iter().collect::<anyhow::Result<Vec<_>>>()
        })
        .map_err(raised)
    }

    /// What an environment tells of what it did, its picture written if that is another.
    fn tell(
        &self,
        played: anyhow::Result<StepOutcome>,
        lane: &EnvSlot,
        picture: &mut [u8],
    ) -> anyhow::Result<EnvReport> {
        let outcome = played?;
        if outcome.is_redrawn {
            lane.write(self.size, picture)?;
        }
        Ok(EnvReport { seed: lane.seed(), outcome })
    }
}

/// Rewards, and whether episodes were ended by their agents or cut short.
pub(crate) fn ends<'py>(py: Python<'py>, told: &[EnvReport]) -> VectorEnds<'py> {
    let ends = || told.iter().map(|told| told.outcome.end.as_ref());
    let truncated: Vec<bool> = ends().map(|end| end.is_some_and(SlotEnd::is_truncated)).collect();
    let terminated: Vec<bool> = ends().zip(&truncated).map(|(end, cut)| end.is_some() && !cut).collect();
    let rewards: Vec<f64> = ends().map(|end| end.map_or(0.0, |end| end.reward)).collect();
    (PyArray1::from_vec(py, rewards), PyArray1::from_vec(py, terminated), PyArray1::from_vec(py, truncated))
}

/// What is told beside the pictures, in gymnasium's form: an array for each key.
pub(crate) fn infos<'py>(py: Python<'py>, told: &[EnvReport]) -> PyResult<Bound<'py, PyDict>> {
    let infos = PyDict::new(py);
    infos.set_item("seed", PyArray1::from_vec(py, told.iter().map(|told| told.seed).collect()))?;
    infos.set_item("feedback", texts(py, told.iter().map(|told| told.outcome.words()).collect())?)?;
    infos.set_item("effect", texts(py, told.iter().map(|told| told.outcome.effect()).collect())?)?;
    let remaining = told.iter().map(|told| i64::from(told.outcome.remaining_steps)).collect();
    infos.set_item("remaining_steps", PyArray1::from_vec(py, remaining))?;
    let ends: Vec<Option<&SlotEnd>> = told.iter().map(|told| told.outcome.end.as_ref()).collect();
    if ends.iter().any(Option::is_some) {
        tell_ends(py, &infos, &ends)?;
    }
    Ok(infos)
}

/// What is told of the episodes that are over.
fn tell_ends(py: Python<'_>, infos: &Bound<'_, PyDict>, ends: &[Option<&SlotEnd>]) -> PyResult<()> {
    let is_over: Vec<bool> = ends.iter().map(Option::is_some).collect();
    let solved = ends.iter().map(|end| end.is_some_and(|end| end.solved)).collect();
    infos.set_item("solved", PyArray1::from_vec(py, solved))?;
    infos.set_item("_solved", PyArray1::from_vec(py, is_over.clone()))?;
    let endings: Vec<String> =
        ends.iter().map(|end| end.map_or_else(String::new, |end| end.ending.to_string())).collect();
    infos.set_item("ending", texts(py, endings.iter().map(String::as_str).collect())?)?;
    infos.set_item("_ending", PyArray1::from_vec(py, is_over))?;
    let faults: Vec<Option<&str>> = ends.iter().map(|end| end.and_then(|end| end.fault.as_deref())).collect();
    if faults.iter().any(Option::is_some) {
        infos.set_item("fault", texts(py, faults.iter().map(|why| why.unwrap_or_default()).collect())?)?;
        infos.set_item("_fault", PyArray1::from_vec(py, faults.iter().map(Option::is_some).collect()))?;
    }
    Ok(())
}

/// Texts, as an array of objects.
fn texts<'py>(py: Python<'py>, texts: Vec<&str>) -> PyResult<Bound<'py, PyArray1<Py<PyAny>>>> {
    let objects = texts.into_iter().map(|text| Ok(text.into_pyobject(py)?.into_any().unbind()));
    Ok(PyArray1::from_vec(py, objects.collect::<PyResult<Vec<Py<PyAny>>>>()?))
}
