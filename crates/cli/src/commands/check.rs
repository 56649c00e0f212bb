//! `quintain check`

use crate::args::{Common, CheckArgs};
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn check(_args: CheckArgs, _common: &Common, _printer: &Printer) -> anyhow::Result<Exit> {
    anyhow::bail!("not yet")
}
