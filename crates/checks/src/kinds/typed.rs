//! A single value, compared by a declared type.

use quintain_core::check::{Check, CheckKind, CheckManual};
use quintain_core::task::CheckSpec;

use super::has_places;
use super::single::{SINGLE, comparing};
use crate::likeness::{DeclaredType, Likeness};
use crate::options::{self, TYPE_SAYS};

/// The value is the expected one, read by its type: a date is the same date however it is written.
#[derive(Clone, Copy, Debug)]
pub struct TypedValue;

impl CheckKind for TypedValue {
    fn kind(&self) -> &'static str {
        "typed"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "The value is the expected one, read by its type: a date is the same date however it is written.",
            options: &[("type", TYPE_SAYS)],
            ..SINGLE
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        let declared = spec.options.get("type").ok_or("`options.type` is missing, for example \"date\"")?;
        let declared = DeclaredType::read(declared)?;
        let expect = options::expected(spec)?;
        if !has_places(&expect) {
            declared.fits(&expect)?;
        }
        comparing(spec, expect, Box::new(declared))
    }
}
