//! The built apps, as they are in the binary.

use quintain_browser::Bundle;

static BUNDLES: &[(&str, Bundle)] = include!(concat!(env!("OUT_DIR"), "/bundles.rs"));

/// The files of an app; none where it has not been built.
pub(crate) fn bundle(app: &str) -> Bundle {
    BUNDLES.iter().find(|(name, _)| *name == app).map_or(&[], |(_, files)| files)
}
