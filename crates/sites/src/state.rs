//! What visits leave behind on the sites.

use std::collections::BTreeSet;

use quintain_atlas::CompanyId;
use serde::{Deserialize, Serialize};

use crate::host::SiteHost;

/// Everything that forms have changed, as one document. Reading changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteState {
    /// Which format the document has.
    pub version: u32,
    /// The companies of the register that the reader follows.
    pub followed: BTreeSet<CompanyId>,
    /// Every form that was posted, in order.
    pub writes: Vec<SiteWrite>,
}

/// A form that was posted, and what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteWrite {
    /// Where.
    pub host: SiteHost,
    /// The form, by its path.
    pub form: String,
    /// Its fields.
    pub fields: Vec<(String, String)>,
}

impl SiteState {
    /// The state as the one document that evidence keeps.
    pub fn document(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("plain fields are written without fail")
    }
}
