//! How what was drawn and defined in KAlgebra is judged.

mod alterations;
mod formulas;
mod surface;

pub(super) use formulas::FormulasKind;
pub(super) use surface::SurfaceKind;
