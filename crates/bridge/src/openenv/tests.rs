//! What the package `openenv` itself makes of the server.

use std::path::Path;
use std::process::Command;
use std::thread;

use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::{
    Agent, InstanceId, Limits, Observation, ObservationPart, Picture, Spent, TrialId, Turn, variables,
};
use quintain_models::providers::runtime;

use super::super::offered_tasks::OfferedTask;
use super::super::reserved_address::ReservedAddress;
use super::super::seat::{Guest, GuestEnd, seat};
use super::*;

const LONG: Duration = Duration::from_mins(1);

/// Begins trials of two turns.
struct TwoTurns;

impl TrialStarter for TwoTurns {
    fn begin(&self, instance: &InstanceId) -> Result<(TrialId, Guest), NotBegun> {
        let (mut seat, guest, control) = seat(LONG);
        thread::spawn(move || {
            let surface = Surface {
                groups: [ActionGroup::Gui].into(),
                parts: [ObservationPart::Screen].into(),
                screen: Some((1280, 720)),
                ..Surface::default()
            };
            let briefing = Briefing {
                instruction: "Rename the first node.".to_owned(),
                surface,
                limits: Limits::steps(2),
                answer: None,
                history: None,
                effort: None,
                seed: 1,
            };
            seat.begin(&briefing).unwrap();
            let screen = Arc::new(Picture::filled(2, 2, [1, 2, 3]));
            let observation = Observation::default().with_picture(ObservationPart::Screen, screen);
            let remaining = Limits::steps(2).left(&Spent::default());
            for step_idx in 0..2 {
                seat.act(&Turn { step_idx, observation: &observation, remaining }, LONG).unwrap();
            }
            control.over(GuestEnd::PutDown);
        });
        Ok((TrialId { instance: instance.clone(), agent: "guest".to_owned(), repeat: 0 }, guest))
    }
}

/// Serves for as long as the test runs.
fn served() -> String {
    let menu = ["test/dial#1", "test/knob#2"]
        .map(|name| OfferedTask { instance: name.parse().unwrap(), has_canonical: false });
    let env = OpenEnv::new(Arc::new(TwoTurns), OfferedTasks::new(menu.to_vec()), OpenEnvOptions::default());
    let front = runtime::runtime().block_on(ReservedAddress::open("127.0.0.1", 0)).unwrap();
    let url = format!("{}/env", front.url());
    runtime::runtime().spawn(front.serve(env.router("/env")));
    url
}

/// Runs only where `QUINTAIN_OPENENV_PYTHON` names a Python that has `openenv`; else that is said.
#[test]
fn the_package_finds_the_server_in_order_and_plays_with_it() {
    let Ok(python) = std::env::var(variables::OPENENV_PYTHON) else {
        eprintln!("{} is not set: the package `openenv` is not asked", variables::OPENENV_PYTHON);
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openenv/check.py");
    let ran = Command::new(python).arg(script).arg(served()).output().unwrap();
    let words = String::from_utf8_lossy(&ran.stderr);
    eprintln!("{}", words.lines().next().unwrap_or_default());
    assert!(ran.status.success(), "{}{words}", String::from_utf8_lossy(&ran.stdout));
    insta::assert_snapshot!(String::from_utf8_lossy(&ran.stdout));
}
