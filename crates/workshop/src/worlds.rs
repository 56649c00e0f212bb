//! The kinds of worlds of this program: the only place that names them, a line each.

use std::sync::Arc;

use quintain_core::offering::{BrokenSources, Offering, Offerings};

pub use quintain_browser::BrowserSandbox;
pub use quintain_puzzles::SourcePaths;

/// What worlds want to know of the user's wishes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldSettings {
    /// What instances are made of.
    pub sources: SourcePaths,
    /// Whether browsers run in a sandbox of their own.
    pub sandbox: BrowserSandbox,
}

/// What each kind of world offers, or which of its sources are broken.
pub type OfferedWorlds = Vec<Result<Offering, BrokenSources>>;

/// Opens all kinds of worlds. A program with worlds of its own: [`crate::ProgramParts`].
pub type OfferWorlds = Arc<dyn Fn(&WorldSettings) -> OfferedWorlds + Send + Sync>;

/// All kinds of worlds that are built in.
pub fn offered(settings: &WorldSettings) -> OfferedWorlds {
    vec![
        quintain_puzzles::offering(&settings.sources),
        Ok(quintain_browser::offering(quintain_apps::ALL, settings.sandbox)),
        Ok(quintain_physics::offering()),
        Ok(quintain_exam::offering()),
        Ok(quintain_science::offering()),
        Ok(quintain_container::HarborPlay::offering()),
    ]
}

/// All of them, if no source is broken.
pub fn whole(offered: OfferedWorlds) -> Result<Offerings, BrokenSources> {
    Ok(Offerings::new(offered.into_iter().collect::<Result<Vec<_>, _>>()?))
}

/// The built-in ones, made of nothing that a user brings.
pub fn built_in() -> Result<Offerings, BrokenSources> {
    whole(offered(&WorldSettings::default()))
}
