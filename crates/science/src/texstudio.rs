//! TeXstudio: an editor for LaTeX that builds and shows what is written with it.

mod alterations;
mod citations;
mod draft;
mod editing;
mod figures;
mod formula;
mod front_matter;
mod impossible;
mod land_use;
mod latex;
mod lists;
mod model;
mod plotted;
mod probe;
mod project;
mod repair;
mod root;
mod rounding;
mod sections;
mod summary;
mod totals;
mod trend;
mod typesetting;
mod verifier;

use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::Digest;
use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_desktop::{AppLaunch, AppProbe, DesktopApp, DesktopScenario};
use quintain_workspace::Software;
use serde_json::Value;

use crate::kde_settings;

const NAME: &str = "texstudio";
const SOFTWARE: [Software; 4] = [
    Software { program: "texstudio", package: "texstudio", mend: "apt install --no-install-recommends texstudio" },
    Software {
        program: "pdflatex",
        package: "texlive-latex-base",
        mend: "apt install --no-install-recommends texlive-latex-base",
    },
    // Two reports are about what KAlgebra works out.
    Software { program: "calgebra", package: "kalgebra", mend: "apt install --no-install-recommends kalgebra" },
    Software { program: "pdftotext", package: "poppler-utils", mend: "apt install poppler-utils" },
];
/// Its settings: what is typed is what is written, nothing is completed; it asks nothing and looks for nothing when it starts.
const SETTINGS: &[u8] = include_bytes!("texstudio/texstudio.ini");
/// Variables that make it tell what it shows, without a caret that blinks, and that fix the day of what it builds.
const VARIABLES: [(&str, &str); 6] = [
    ("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"),
    ("QT_HASH_SEED", "0"),
    ("XDG_CURRENT_DESKTOP", "KDE"),
    ("KDE_SESSION_VERSION", "5"),
    ("SOURCE_DATE_EPOCH", "1700000000"),
    ("FORCE_SOURCE_DATE", "1"),
];

/// TeXstudio.
pub(crate) struct TeXstudio;

impl DesktopApp for TeXstudio {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        2
    }

    fn launch(&self, plan: &Value) -> Result<AppLaunch, String> {
        let project = project::PaperProject::of(plan)?;
        let main = format!("{}/{}/{}.tex", quintain_desktop::HOME, project.folder, project.name);
        let mut files: std::collections::BTreeMap<String, Vec<u8>> =
            project.found.into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
        files.insert(".config/texstudio/texstudio.ini".to_owned(), SETTINGS.to_vec());
        files.insert(kde_settings::PATH.to_owned(), kde_settings::TEXT.to_vec());
        Ok(AppLaunch {
            argv: vec!["texstudio".to_owned(), main],
            variables: VARIABLES.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            files,
            folders: [typesetting::TEX_FOLDER, "/var/cache/fontconfig"].map(PathBuf::from).into(),
        })
    }

    fn is_ready(&self, shown: &AppProbe<'_>) -> bool {
        probe::is_ready(shown)
    }

    fn probe(&self, shown: &AppProbe<'_>) -> Value {
        probe::document(shown)
    }

    fn told_files(&self) -> &'static [&'static str] {
        &[project::MAIN]
    }

    /// It has a terminal of its own.
    fn has_command_line(&self) -> bool {
        true
    }

    fn scenarios(&self) -> &'static [&'static dyn DesktopScenario] {
        &[
            &citations::CiteWorks,
            &figures::InsertFigure,
            &formula::AddFormula,
            &front_matter::FrontMatter,
            &impossible::ExportWord,
            &impossible::MissingPlot,
            &land_use::LandReport,
            &lists::MakeList,
            &model::ModelReport,
            &repair::MendBuild,
            &root::RootReport,
            &sections::ReorderSections,
            &summary::SummaryTable,
            &totals::FillTotals,
            &trend::TrendReport,
        ]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        SOFTWARE.iter().map(|software| software.need(NAME)).collect()
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(verifier::LatexPaper)]
    }

    fn code(&self) -> Option<Digest> {
        crate::CODE.of(NAME)
    }
}
