//! The built apps, as they are in the binary, and the hashes of their code.

use quintain_browser::Bundle;
use quintain_core::Digest;
use quintain_core::offering::CodeDigests;

static BUNDLES: &[(&str, Bundle)] = include!(concat!(env!("OUT_DIR"), "/bundles.rs"));

static CODE: CodeDigests = include!(concat!(env!("OUT_DIR"), "/code.rs"));

/// The hash of an app's own code and of what all apps share.
pub(crate) fn code(module: &str) -> Option<Digest> {
    let own = CODE.of(module)?;
    Some(Digest::of_parts([("own", &own.bytes()[..]), ("shared", &CODE.shared[..])]))
}

/// The files of an app; none where it has not been built.
pub(crate) fn bundle(app: &str) -> Bundle {
    BUNDLES.iter().find(|(name, _)| *name == app).map_or(&[], |(_, files)| files)
}
