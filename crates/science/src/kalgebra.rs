//! KAlgebra: a calculator with variables, functions, and graphs in two and three dimensions.

mod define;
mod plot;
mod probe;
mod sums;

use std::path::PathBuf;

use quintain_core::Digest;
use quintain_core::offering::WorldNeed;
use quintain_desktop::{AppLaunch, AppProbe, DesktopApp, Scenario};
use quintain_workspace::Software;
use serde_json::Value;

const NAME: &str = "kalgebra";
const SOFTWARE: Software =
    Software { program: "kalgebra", package: "kalgebra", mend: "apt install --no-install-recommends kalgebra" };
/// Variables that make it tell what it shows, always in the same order, and without a caret that blinks.
const VARIABLES: [(&str, &str); 6] = [
    ("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"),
    ("QT_HASH_SEED", "0"),
    ("XDG_CURRENT_DESKTOP", "KDE"),
    ("KDE_SESSION_VERSION", "5"),
    // The console is a page of its own.
    ("QTWEBENGINE_CHROMIUM_FLAGS", "--force-renderer-accessibility"),
    ("QTWEBENGINE_DISABLE_SANDBOX", "1"),
];

/// KAlgebra.
pub(crate) struct KAlgebra;

impl DesktopApp for KAlgebra {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn launch(&self, _plan: &Value) -> Result<AppLaunch, String> {
        Ok(AppLaunch {
            argv: vec!["kalgebra".to_owned()],
            variables: VARIABLES.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            files: [(".config/kdeglobals".to_owned(), b"[KDE]\nCursorBlinkRate=0\n".to_vec())].into(),
            folders: Vec::<PathBuf>::new(),
        })
    }

    fn is_ready(&self, shown: &AppProbe<'_>) -> bool {
        probe::is_ready(shown)
    }

    fn probe(&self, shown: &AppProbe<'_>) -> Value {
        probe::document(shown)
    }

    fn scenarios(&self) -> &'static [&'static dyn Scenario] {
        &[&define::DefineValue, &plot::PlotFunctions, &sums::AnswerSum]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        vec![SOFTWARE.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        crate::CODE.of(NAME)
    }
}
