//! The encyclopaedia.

use quintain_atlas::{Entity, Value};
use quintain_sites::SiteHost;

use crate::walk::Walker;

/// Reads something off an article.
pub(super) fn article(walker: &mut Walker<'_>, of: Entity, value: &Value) -> Result<(), String> {
    walker.look_up(SiteHost::Pedia, of)?;
    walker.see(of, value)
}
