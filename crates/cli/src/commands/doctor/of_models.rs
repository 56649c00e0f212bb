//! What the doctor says of the models that the user's own file names.

use quintain_core::words::count;
use quintain_workshop::Workshop;

use super::DoctorFinding;
use crate::commands::models::own_models;

/// How many models are named that are gone.
const N_NAMED: usize = 5;

/// One finding for the whole file; nothing where there is none.
pub(super) fn findings(workshop: &Workshop) -> Option<DoctorFinding> {
    let file = workshop.setup().models.as_deref()?;
    let (is_fine, detail) = match own_models(Some(file)) {
        Ok(known) => {
            let retired: Vec<&str> =
                known.iter().filter(|model| model.retired).map(|model| model.model.as_str()).collect();
            let told = count(known.len(), "model");
            match retired.as_slice() {
                [] => (true, told),
                gone => (false, format!("{told}, of which their providers no longer offer {}", listed(gone))),
            }
        }
        Err(error) => (false, format!("{error:#}").lines().next().unwrap_or_default().to_owned()),
    };
    let mend =
        Some("`quintain models check` tells what is known of each; `quintain models import` brings prices up to date");
    Some(DoctorFinding { what: format!("models ({})", file.display()), fine: is_fine, needed: false, detail, mend })
}

/// The first names, and how many more there are.
fn listed(names: &[&str]) -> String {
    let first = names.iter().take(N_NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(N_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
