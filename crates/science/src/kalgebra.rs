//! KAlgebra: a calculator with variables, functions, and graphs in two and three dimensions.

mod checks;
mod define;
mod evaluate;
mod files;
mod formula;
mod infeasible;
mod left_files;
mod plot;
mod probe;
mod steps;
mod sums;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::Digest;
use quintain_core::check::CheckKind;
use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_desktop::{AppLaunch, AppProbe, DesktopApp, DesktopScenario};
use quintain_workspace::Software;
use serde_json::Value;

use crate::kde_settings;

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
        2
    }

    fn launch(&self, plan: &Value) -> Result<AppLaunch, String> {
        let mut files = given_files(plan)?;
        files.insert(kde_settings::PATH.to_owned(), kde_settings::TEXT.to_vec());
        Ok(AppLaunch {
            argv: vec!["kalgebra".to_owned()],
            variables: VARIABLES.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            files,
            folders: Vec::<PathBuf>::new(),
        })
    }

    fn is_ready(&self, shown: &AppProbe<'_>) -> bool {
        probe::is_ready(shown)
    }

    fn probe(&self, shown: &AppProbe<'_>) -> Value {
        probe::document(shown)
    }

    fn scenarios(&self) -> &'static [&'static dyn DesktopScenario] {
        &[
            &define::DefineFunction,
            &define::DefineProduct,
            &define::DefineValue,
            &evaluate::AnswerExpression,
            &evaluate::AnswerRecurrence,
            &evaluate::AnswerRoot,
            &evaluate::AnswerSlope,
            &files::ExportPlane,
            &files::ExportSurface,
            &files::LoadScript,
            &files::SaveScript,
            &files::TabulateValues,
            &infeasible::FindAntiderivative,
            &infeasible::FindDeterminant,
            &plot::AnswerCrossing,
            &plot::HideOne,
            &plot::PlotCircle,
            &plot::PlotEllipse,
            &plot::PlotFunctions,
            &plot::PlotTangent,
            &plot::PlotWithVariable,
            &sums::AnswerSum,
        ]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        vec![SOFTWARE.need(NAME)]
    }

    fn checks(&self) -> Vec<Arc<dyn CheckKind>> {
        vec![Arc::new(checks::FormulasKind), Arc::new(checks::SurfaceKind)]
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(left_files::SCRIPT), Arc::new(left_files::SURFACE)]
    }

    fn code(&self) -> Option<Digest> {
        crate::CODE.of(NAME)
    }
}

/// The files that are in the home from the start, where a plan names some.
fn given_files(plan: &Value) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let Some(files) = plan.get("files") else { return Ok(BTreeMap::new()) };
    let files: BTreeMap<String, String> = serde_json::from_value(files.clone()).map_err(|error| error.to_string())?;
    Ok(files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect())
}
