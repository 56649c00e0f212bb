//! What the tasks of the suite `science` work with and ask for: scientific programs, one folder each. In a folder, the app
//! itself (how it is started, and how a judge reads what it holds) and one file for each family of what is asked.

mod grass;
mod kalgebra;
mod kde_settings;
mod parameters;
mod texstudio;

use quintain_core::offering::{CodeDigests, Offering};
use quintain_desktop::{Desktop, DesktopApps};

/// All of them.
const ALL: DesktopApps = &[&grass::Grass, &kalgebra::KAlgebra, &texstudio::TeXstudio];

/// The code of this crate, as its build script found it: certificates are keyed by it.
static CODE: CodeDigests = include!(concat!(env!("OUT_DIR"), "/code.rs"));

/// Desktops with these.
pub fn offering() -> Offering {
    Offering { code: Some(CODE.shared()), ..Desktop::offering(ALL) }
}
