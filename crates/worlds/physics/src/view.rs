//! What the two cameras see: one stands before the table, one sits on the hand and looks forward and down past
//! the fingers.

use std::sync::{Arc, OnceLock};

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_puzzles::solid::{Camera, Lens, Light, SampleStage, Samples, SolidTurn};
use serde::{Deserialize, Serialize};

use crate::bodies::Bodies;
use crate::kinematics::{Arm, Placed};
use crate::motion::{Motion, distance, rounded};

/// Pixels between the two pictures.
pub const GAP: u32 = 4;

/// The usual number of pixels along a side of each picture.
pub(crate) fn usual_size() -> u32 {
    480
}

const GAP_COLOR: [u8; 3] = [255, 255, 255];
const BACK: [u8; 3] = [158, 168, 174];
const LIGHT: Light = Light { towards: [-0.5, -0.6, 1.0], ambient: 0.42, wrap: 0.35 };

/// A ball is seen if the arm is farther from it and from the line of sight than this, in metres.
const BALL: f64 = 0.022;

/// The middle of what the camera before the table looks at.
const LOOKED_AT: [f64; 3] = [0.0, 0.05, 0.2];

/// Where the camera before the table stands, how large its pictures are, and what it is helped by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraSetting {
    /// Pixels along a side of each of the two pictures.
    pub size: u32,
    /// Degrees by which the camera stands to the right of the table's middle.
    pub azimuth_deg: f64,
    /// Degrees by which it looks down.
    pub elevation_deg: f64,
    /// Metres from what it looks at.
    pub distance: f64,
    /// Whether dots on the table show what is right above them.
    pub marks: bool,
}

impl CameraSetting {
    /// A camera that is off its usual place by so many degrees at most.
    pub(crate) fn drawn(size: u32, jitter_deg: f64, marks: bool, rng: &mut Rng) -> Result<Self, String> {
        if !(240..=1024).contains(&size) {
            return Err(format!("`size` is {size}: 240 to 1024 pixels are possible"));
        }
        if !(0.0..=20.0).contains(&jitter_deg) {
            return Err(format!("`camera_jitter` is {jitter_deg}: 0 to 20 degrees are possible"));
        }
        let mut off = |usual: f64, most: f64| rounded(usual + rng.uniform(-most, most));
        Ok(Self {
            size,
            azimuth_deg: off(0.0, jitter_deg),
            elevation_deg: off(28.0, jitter_deg / 2.0),
            distance: off(1.55, jitter_deg / 100.0),
            marks,
        })
    }

    /// Whether the camera before the table sees a ball at a place, past the arm at rest and not stuck in it.
    pub(crate) fn sees(&self, ball: [f64; 3]) -> bool {
        let eye = self.standing().eye.map(f64::from);
        Arm::at(&[]).outline().all(|(point, radius)| apart_from_stretch(point, eye, ball) > radius + BALL)
    }

    /// The camera before the table.
    fn standing(&self) -> Camera {
        let turn = SolidTurn::about_x(-self.elevation_deg).then(SolidTurn::about_z(self.azimuth_deg));
        let place = Placed { at: LOOKED_AT, turn };
        let eye = place.point([0.0, -self.distance, 0.0]);
        Camera { eye: short(eye), target: short(LOOKED_AT), up: [0.0, 0.0, 1.0], lens: Lens::perspective(38.0) }
    }
}

/// The camera on the hand. Its picture has the same right and the same away as the other's.
fn riding(hand: &Placed) -> Camera {
    let eye = hand.point([0.0, -0.02, 0.15]);
    let target = hand.point([0.0, -0.16, 0.0]);
    let away = hand.point([0.0, -0.02, -0.85]);
    let up = [0, 1, 2].map(|i: usize| away[i] - eye[i]);
    Camera { eye: short(eye), target: short(target), up: short(up), lens: Lens::perspective(70.0) }
}

/// How far a point is from the stretch between two others. What lies just behind the second counts too: a body there
/// has a thickness, and a ball would stick in it.
fn apart_from_stretch(point: [f64; 3], from: [f64; 3], to: [f64; 3]) -> f64 {
    let along = [0, 1, 2].map(|i: usize| to[i] - from[i]);
    let offset = [0, 1, 2].map(|i: usize| point[i] - from[i]);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let share = dot(offset, along) / dot(along, along);
    distance(offset, along.map(|part| part * share.clamp(0.0, 1.0)))
}

fn short(point: [f64; 3]) -> [f32; 3] {
    point.map(|part| part as f32)
}

/// Both pictures side by side, and what they show.
pub struct Drawing {
    picture: Arc<Picture>,
    stage: SampleStage,
    setting: CameraSetting,
    goal: [f64; 3],
    shown: Motion,
}

impl Drawing {
    pub(crate) fn new(setting: &CameraSetting, goal: [f64; 3], motion: &Motion) -> Self {
        let picture = Picture::filled(2 * setting.size + GAP, setting.size, GAP_COLOR);
        let stage = SampleStage::new(setting.size, setting.size, Samples::Four);
        let (setting, shown) = (setting.clone(), motion.clone());
        let mut drawing = Self { picture: Arc::new(picture), stage, setting, goal, shown };
        drawing.draw();
        drawing
    }

    /// The picture of a state.
    pub(crate) fn show(&mut self, motion: &Motion) -> Arc<Picture> {
        if *motion != self.shown {
            self.shown = motion.clone();
            self.draw();
        }
        Arc::clone(&self.picture)
    }

    #[cfg(test)]
    pub(crate) fn picture(&self) -> Arc<Picture> {
        Arc::clone(&self.picture)
    }

    fn draw(&mut self) {
        let hand = self.shown.arm().links[6];
        let cameras = [self.setting.standing(), riding(&hand)];
        let picture = Arc::make_mut(&mut self.picture);
        for (camera, x) in cameras.iter().zip([0, self.setting.size + GAP]) {
            self.stage.clear(BACK);
            bodies().draw(&self.shown, self.goal, self.setting.marks, &mut |mesh, pose| {
                self.stage.draw(mesh, pose, camera, &LIGHT);
            });
            self.stage.show(picture, (x, 0));
        }
    }
}

fn bodies() -> &'static Bodies {
    static BODIES: OnceLock<Bodies> = OnceLock::new();
    BODIES.get_or_init(Bodies::new)
}
