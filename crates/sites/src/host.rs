//! The hosts of the web.

use quintain_atlas::provenance::Source;
use serde::{Deserialize, Serialize};

/// What every host ends in. Nothing of it is looked up anywhere: requests are answered before they leave the browser.
pub const DOMAIN: &str = "web";

macro_rules! hosts {
    ($($(#[$doc:meta])* $name:ident, $label:literal, $source:expr, [$($brand:literal),*];)*) => {
        /// A site of the web.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum SiteHost {
            $($(#[$doc])* $name,)*
        }

        impl SiteHost {
            /// All hosts.
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            /// The first part of the host's name.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$name => $label,)*
                }
            }

            /// As whom the site speaks; search says nothing of its own.
            pub const fn source(self) -> Option<Source> {
                match self {
                    $(Self::$name => $source,)*
                }
            }

            /// What the site may be called; which of them is drawn for each world.
            pub(crate) const fn brands(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => &[$($brand),*],)*
                }
            }
        }
    };
}

hosts! {
    /// Search over all sites.
    Find, "find", None, ["Find", "Finder", "Findable", "Find It", "Wayfind", "Findstone"];
    /// The encyclopaedia.
    Pedia, "pedia", Some(Source::Encyclopaedia), ["Allpedia", "Commonpedia", "Openpedia", "The Pedia", "Lumipedia", "Worldpedia"];
    /// The register of companies and institutions.
    Registry, "registry", Some(Source::Registry), [
        "Companies Registry", "Joint Registry of Companies", "The Business Registry", "Registry of Undertakings",
        "Common Companies Registry", "Registry Online"
    ];
    /// The statistics portal.
    Numbers, "numbers", Some(Source::Numbers), ["Numbers", "World in Numbers", "The Numbers Portal", "Open Numbers"];
    /// Official notices.
    Gazette, "gazette", Some(Source::Gazette), ["The Official Gazette", "Joint Gazette", "Gazette Online", "The Gazettes"];
    /// The newspapers.
    Herald, "herald", Some(Source::Herald), ["The Herald", "The Morning Herald", "Herald & Courier", "The World Herald"];
    /// The index of papers.
    Scholar, "scholar", Some(Source::Scholar), ["Scholar", "Scholar Index", "OpenScholar", "The Scholar's Index"];
}

impl SiteHost {
    /// The whole name of the host.
    pub fn name(self) -> String {
        format!("{}.{DOMAIN}", self.label())
    }

    /// The address of its first page.
    pub fn home(self) -> String {
        format!("https://{}/", self.name())
    }

    /// The host of a name such as `pedia.web`.
    pub fn of_name(name: &str) -> Option<Self> {
        let label = name.strip_suffix(DOMAIN)?.strip_suffix('.')?;
        Self::ALL.into_iter().find(|host| host.label() == label)
    }
}
