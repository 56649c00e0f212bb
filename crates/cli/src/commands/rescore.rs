//! `quintain rescore`

use crate::args::{Common, RescoreArgs};
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn rescore(_args: RescoreArgs, _common: &Common, _printer: &Printer) -> anyhow::Result<Exit> {
    anyhow::bail!("not yet")
}
