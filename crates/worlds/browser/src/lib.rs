//! Web apps in a real Chromium whose time moves only with steps.
//!
//! This is the driver. What an app is to it is the trait [`App`]; which apps there are is handed to [`Browser::new`]. An
//! app can be a whole web of server pages: a [`SiteServer`].

mod app;
mod cdp;
mod chromium;
mod clock;
mod gate;
mod inbox;
mod input_devices;
mod keyboard;
mod kind;
mod offering;
mod outside;
mod page;
mod page_gate;
mod pool;
mod sites;
mod tree;
mod world;

pub use app::{App, Apps, Bundle, NothingToAnswer, PreparedApp, Service};
pub use chromium::{BrowserSandbox, NoChromium, find as find_chromium};
pub use kind::Browser;
pub use offering::offering;
pub use outside::OutsideApp;
pub use quintain_screen::Pixels;
pub use sites::{OpenSites, PageMedium, ServerMethod, ServerRequest, ServerResponse, SiteContent, SiteServer};
