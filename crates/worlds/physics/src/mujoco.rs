//! MuJoCo, as far as it is used: the only file with `unsafe` in it.
//!
//! Nothing here knows the layout of a structure: models and data are opaque, and go in and out as lists of numbers whose
//! length the library itself tells. The signatures are those of `mujoco.h` of version 3.17.0, and no other is loaded.

#![expect(unsafe_code, reason = "a library loaded at run time is called through pointers")]
#![deny(clippy::undocumented_unsafe_blocks)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};
use std::sync::Arc;

use libloading::Symbol;

use crate::locate::HINT;

/// The only version whose signatures and numbers are known: 3.17.0.
const VERSION: c_int = 3_017_000;

/// Why there is no physics.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MissingPhysics {
    /// It lies nowhere that was looked at.
    #[error("MuJoCo is not found; {HINT}")]
    NotFound,
    /// It lies there and cannot be used.
    #[error("MuJoCo in {path} cannot be loaded: {why}; {HINT}")]
    NotLoadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// It is another version, whose states would differ.
    #[error("MuJoCo in {path} is version {found}, and only 3.17.0 gives the same states everywhere; {HINT}")]
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// What it says it is.
        found: String,
    },
    /// It does not take our scene.
    #[error("MuJoCo does not take the scene: {why}")]
    Scene {
        /// What it says.
        why: String,
    },
}

type Pointer = *mut c_void;

/// What the library calls with a warning.
type Listener = unsafe extern "C" fn(*const c_char);

/// The functions that are used, from a library that stays loaded as long as this lives.
pub(crate) struct Library {
    parse: unsafe extern "C" fn(*const c_char, *const c_void, *mut c_char, c_int) -> Pointer,
    compile: unsafe extern "C" fn(Pointer, *const c_void) -> Pointer,
    error_of: unsafe extern "C" fn(Pointer) -> *const c_char,
    delete_spec: unsafe extern "C" fn(Pointer),
    delete_model: unsafe extern "C" fn(Pointer),
    make_data: unsafe extern "C" fn(Pointer) -> Pointer,
    delete_data: unsafe extern "C" fn(Pointer),
    reset: unsafe extern "C" fn(Pointer, Pointer),
    step: unsafe extern "C" fn(Pointer, Pointer),
    state_size: unsafe extern "C" fn(Pointer, c_int) -> c_int,
    get_state: unsafe extern "C" fn(Pointer, Pointer, *mut f64, c_int),
    set_state: unsafe extern "C" fn(Pointer, Pointer, *const f64, c_int),
    #[cfg(test)]
    forward: unsafe extern "C" fn(Pointer, Pointer),
    #[cfg(test)]
    name_to_id: unsafe extern "C" fn(Pointer, c_int, *const c_char) -> c_int,
    #[cfg(test)]
    to_global: unsafe extern "C" fn(Pointer, *mut f64, *mut f64, *const f64, *const f64, c_int, u8),
    path: PathBuf,
    _kept_open: libloading::Library,
}

impl MissingPhysics {
    /// What is wrong, without how to mend it.
    pub fn plainly(&self) -> String {
        let text = self.to_string();
        text.strip_suffix(HINT).map_or(text.clone(), |text| text.trim_end_matches("; ").to_owned())
    }
}

impl Library {
    /// Loads a file and makes sure that it is the right version.
    pub(crate) fn load(path: &Path) -> Result<Self, MissingPhysics> {
        let failed = |why: String| MissingPhysics::NotLoadable { path: path.to_owned(), why };
        // SAFETY: the file is MuJoCo's library by its name and place; its initialisers set up nothing but itself.
        let library = unsafe { libloading::Library::new(path) }.map_err(|error| failed(error.to_string()))?;
        // SAFETY: `int mj_version(void)` has had this signature in every version.
        let version: Symbol<unsafe extern "C" fn() -> c_int> =
            unsafe { library.get("mj_version") }.map_err(|error| failed(error.to_string()))?;
        // SAFETY: it takes nothing and gives a number.
        let version = unsafe { version() };
        if version != VERSION {
            return Err(MissingPhysics::WrongVersion { path: path.to_owned(), found: spelled(version) });
        }
        Self::bind(library, path).map_err(|error| failed(error.to_string()))
    }

    fn bind(library: libloading::Library, path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: each signature is that of `mujoco.h` 3.17.0, with `mjModel*`, `mjData*`, `mjSpec*` and `mjVFS*` as
        // opaque pointers and `mjtNum` as double; the version has been checked. The pointers are kept beside the
        // library that they point into. `mju_user_warning` is a variable that holds a pointer to a function, or null; like
        // all of MuJoCo's callbacks it has no lock, and whoever sets it does so while nothing loads or simulates.
        unsafe {
            silence(*library.get("mju_user_warning")?);
            Ok(Self {
                parse: *library.get("mj_parseXMLString")?,
                compile: *library.get("mj_compile")?,
                error_of: *library.get("mjs_getError")?,
                delete_spec: *library.get("mj_deleteSpec")?,
                delete_model: *library.get("mj_deleteModel")?,
                make_data: *library.get("mj_makeData")?,
                delete_data: *library.get("mj_deleteData")?,
                reset: *library.get("mj_resetData")?,
                step: *library.get("mj_step")?,
                state_size: *library.get("mj_stateSize")?,
                get_state: *library.get("mj_getState")?,
                set_state: *library.get("mj_setState")?,
                #[cfg(test)]
                forward: *library.get("mj_forward")?,
                #[cfg(test)]
                name_to_id: *library.get("mj_name2id")?,
                #[cfg(test)]
                to_global: *library.get("mj_local2Global")?,
                path: path.to_owned(),
                _kept_open: library,
            })
        }
    }

    /// The file it was loaded from.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Sees to it that warnings are not written to a file in the working folder. Where somebody else in this process, such as
/// a Python that imported the same library, listens already, he goes on listening.
///
/// The variable must be one that can be read and written, and nobody may set it at the same moment.
unsafe fn silence(listener: *mut Option<Listener>) {
    // SAFETY: as the caller promises. An optional pointer to a function is laid out as in C, with null for none, and the
    // one put there takes the same argument and lives forever.
    unsafe {
        if listener.read().is_none() {
            listener.write(Some(ignore_warning));
        }
    }
}

/// What goes wrong shows in the state.
unsafe extern "C" fn ignore_warning(_text: *const c_char) {}

fn spelled(version: c_int) -> String {
    match version {
        1_000_000.. => format!("{}.{}.{}", version / 1_000_000, version / 1000 % 1000, version % 1000),
        _ => format!("{}.{}.{}", version / 100, version / 10 % 10, version % 10),
    }
}

/// Which numbers of a scene are set and read: positions, speeds, what the motors should do, where the hand should be.
const STATE: c_int = 1 << 1 | 1 << 2 | 1 << 6 | 1 << 10;

/// A scene, ready to be simulated. It never changes.
pub(crate) struct SceneModel {
    library: Arc<Library>,
    pointer: NonNull<c_void>,
    n_numbers: usize,
}

// SAFETY: a model is only read after it was compiled; every function that is given one takes it as `const`, but the
// one that frees it, which runs when nobody else holds it.
unsafe impl Send for SceneModel {}
// SAFETY: as above.
unsafe impl Sync for SceneModel {}

impl SceneModel {
    /// Compiles a scene.
    pub(crate) fn compile(library: &Arc<Library>, xml: &str) -> Result<Self, MissingPhysics> {
        let broken = |why: &CStr| MissingPhysics::Scene { why: why.to_string_lossy().into_owned() };
        let xml = CString::new(xml).map_err(|error| MissingPhysics::Scene { why: error.to_string() })?;
        let mut said = [0_u8; 1000];
        // SAFETY: the text ends with a zero, no files are handed over, and the buffer is as long as is said.
        let spec = unsafe { (library.parse)(xml.as_ptr(), ptr::null(), said.as_mut_ptr().cast(), said.len() as c_int) };
        if spec.is_null() {
            return Err(broken(CStr::from_bytes_until_nul(&said).unwrap_or_default()));
        }
        // SAFETY: the specification was just made; it is freed once, after its last use. Its error is a text that lives
        // as long as it does, or null.
        let (model, error) = unsafe {
            let model = (library.compile)(spec, ptr::null());
            let text = (library.error_of)(spec);
            let text = if text.is_null() { CString::default() } else { CStr::from_ptr(text).to_owned() };
            (library.delete_spec)(spec);
            (model, text)
        };
        let pointer = NonNull::new(model).ok_or_else(|| broken(&error))?;
        // SAFETY: the model was just made.
        let n_numbers = unsafe { (library.state_size)(pointer.as_ptr(), STATE) };
        Ok(Self { library: Arc::clone(library), pointer, n_numbers: usize::try_from(n_numbers).unwrap_or(0) })
    }

    /// How many numbers make up its state.
    pub(crate) fn n_numbers(&self) -> usize {
        self.n_numbers
    }
}

impl Drop for SceneModel {
    fn drop(&mut self) {
        // SAFETY: all data hold the model alive, so nobody uses it any more; it is freed once.
        unsafe { (self.library.delete_model)(self.pointer.as_ptr()) }
    }
}

/// A scene that is being simulated.
pub(crate) struct Data {
    model: Arc<SceneModel>,
    data: NonNull<c_void>,
}

// SAFETY: data belong to nobody but their holder, and MuJoCo keeps nothing of them in the thread.
unsafe impl Send for Data {}

impl Data {
    /// Room to simulate a scene in.
    pub(crate) fn new(model: &Arc<SceneModel>) -> Result<Self, MissingPhysics> {
        // SAFETY: the model is whole.
        let data = unsafe { (model.library.make_data)(model.pointer.as_ptr()) };
        let data =
            NonNull::new(data).ok_or_else(|| MissingPhysics::Scene { why: "there is no room for it".to_owned() })?;
        Ok(Self { model: Arc::clone(model), data })
    }

    /// Forgets everything, then takes these numbers as the state.
    pub(crate) fn set(&mut self, numbers: &[f64]) {
        assert_eq!(numbers.len(), self.model.n_numbers, "a state has as many numbers as its scene needs");
        // SAFETY: model and data belong together, and there are as many numbers as will be read.
        unsafe {
            (self.model.library.reset)(self.model.pointer.as_ptr(), self.data.as_ptr());
            (self.model.library.set_state)(self.model.pointer.as_ptr(), self.data.as_ptr(), numbers.as_ptr(), STATE);
        }
    }

    /// Lets one step of time pass.
    pub(crate) fn step(&mut self) {
        // SAFETY: model and data belong together.
        unsafe { (self.model.library.step)(self.model.pointer.as_ptr(), self.data.as_ptr()) }
    }

    /// The state in numbers.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let mut numbers = vec![0.0; self.model.n_numbers];
        // SAFETY: model and data belong together, and there is room for as many numbers as will be written.
        unsafe {
            (self.model.library.get_state)(
                self.model.pointer.as_ptr(),
                self.data.as_ptr(),
                numbers.as_mut_ptr(),
                STATE,
            );
        }
        numbers
    }

    /// Where MuJoCo says that a body is, and how it is turned, row by row.
    #[cfg(test)]
    pub(crate) fn pose_of(&mut self, body: &str) -> ([f64; 3], [f64; 9]) {
        const BODY: c_int = 1;
        let name = CString::new(body).expect("a name");
        let (mut at, mut turn) = ([0.0; 3], [0.0; 9]);
        let (here, upright) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
        let Library { forward, name_to_id, to_global, .. } = *self.model.library;
        // SAFETY: model and data belong together; the arrays are as long as the header says.
        unsafe {
            forward(self.model.pointer.as_ptr(), self.data.as_ptr());
            let id = name_to_id(self.model.pointer.as_ptr(), BODY, name.as_ptr());
            assert!(id > 0, "there is a body `{body}`");
            let (at, turn) = (at.as_mut_ptr(), turn.as_mut_ptr());
            to_global(self.data.as_ptr(), at, turn, here.as_ptr(), upright.as_ptr(), id, 0);
        }
        (at, turn)
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        // SAFETY: it was made by `mj_makeData` and is freed once.
        unsafe { (self.model.library.delete_data)(self.data.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    static HEARD: AtomicBool = AtomicBool::new(false);

    unsafe extern "C" fn hear(_text: *const c_char) {
        HEARD.store(true, Ordering::SeqCst);
    }

    #[test]
    fn who_listens_to_warnings_goes_on_listening() {
        let (mut nobody, mut somebody): (Option<Listener>, Option<Listener>) = (None, Some(hear));
        // SAFETY: both are variables of this function, and those who listen do not look at the text.
        unsafe {
            silence(&raw mut nobody);
            silence(&raw mut somebody);
            nobody.unwrap()(ptr::null());
            assert!(!HEARD.load(Ordering::SeqCst));
            somebody.unwrap()(ptr::null());
        }
        assert!(HEARD.load(Ordering::SeqCst));
    }
}
