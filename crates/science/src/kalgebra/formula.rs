//! KAlgebra's expressions as far as tasks ask for them: read from their text, computed, and compared by what they mean.

mod functions;
mod meaning;
mod reading;
mod term;
mod value;

pub(super) use meaning::{NameRule, are_alike};
pub(super) use reading::term_of;
pub(super) use term::AlgebraTerm;
pub(super) use value::{Definitions, TermScope};
