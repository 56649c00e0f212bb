//! What a run was made with, in its header: enough to say why two runs differ.

use std::collections::BTreeMap;

use crate::args::Common;

/// The fingerprint of this binary on this machine. Holds no secrets and no user names.
pub(crate) fn here(common: &Common) -> BTreeMap<String, String> {
    let n_cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let photos = common.photos.as_ref().map_or("generated scenes".to_owned(), |_| "a folder".to_owned());
    [
        ("quintain", env!("CARGO_PKG_VERSION").to_owned()),
        ("build", if cfg!(debug_assertions) { "debug".to_owned() } else { "release".to_owned() }),
        ("os", std::env::consts::OS.to_owned()),
        ("arch", std::env::consts::ARCH.to_owned()),
        ("cores", n_cores.to_string()),
        ("photographs", photos),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value))
    .collect()
}
