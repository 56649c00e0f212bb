//! `quintain models`

mod check;
mod import;

use quintain_workshop::Workshop;

use crate::args::{ModelsArgs, ModelsWhat};
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) use check::own_models;

pub(crate) fn models(args: &ModelsArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    match &args.what {
        ModelsWhat::Check { names } => check::check(names, workshop, printer),
        ModelsWhat::Import { table, from, into } => {
            let into = into.as_deref().or(workshop.setup().models.as_deref());
            import::import(table, from, into, printer)
        }
    }
}
