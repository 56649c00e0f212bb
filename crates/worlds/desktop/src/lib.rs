//! A kind of world: real programs on a real screen.
//!
//! What a task works with is a [`DesktopApp`]: how it is started, when it is ready, and how the judge reads what it truly
//! holds (its probe). What a task asks for is a [`DesktopScenario`]: it makes an instance and knows how it is solved with mouse,
//! keyboard and shell. `science` is a crate of such.

mod app;
mod desktop_screen;
mod kind;
mod opening;
mod scenario;
mod world;

pub use app::{AppLaunch, AppProbe, DesktopApp, DesktopApps};
pub use kind::Desktop;
pub use quintain_machine::PlannedStep;
pub use scenario::{DesktopScenario, PreparedScenario};

/// The home of whoever sits at the computer, and where it works.
pub const HOME: &str = "/work";
