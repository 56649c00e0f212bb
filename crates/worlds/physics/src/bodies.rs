//! The shapes of everything that is drawn, in the same sizes as in the scene.

use quintain_puzzles::canvas::Color;
use quintain_puzzles::solid::{Mesh, Pose, SolidTurn, shapes};

use crate::motion::Motion;
use crate::scene::BLOCK_HALF;

const PALE: Color = [232, 234, 236];
const DARK: Color = [104, 118, 140];
const HAND: Color = [74, 84, 102];
const FINGER: Color = [40, 128, 214];
const BLOCK: Color = [244, 184, 40];
const GOAL: Color = [222, 30, 38];
const TABLE: Color = [150, 118, 88];
const TILES: [Color; 2] = [[203, 190, 170], [187, 172, 150]];
const MARK_OF_HAND: Color = [30, 70, 120];
const MARK_OF_GOAL: Color = [170, 20, 28];

/// Metres from the middle of the goal's ball to its surface.
const GOAL_RADIUS: f32 = 0.02;
/// Marks and tiles lie so high above the table that they are seen.
const ABOVE: f32 = 0.001;

/// The shapes of everything that is drawn.
pub(crate) struct Bodies {
    links: [Mesh; 7],
    fingers: [Mesh; 2],
    block: Mesh,
    goal: Mesh,
    marks: [Mesh; 2],
    ground: Mesh,
}

impl Bodies {
    pub(crate) fn new() -> Self {
        // Bodies of revolution stand along y, and the links lie along their own y.
        let link = |radius: f32, color| shapes::capsule(radius, 0.23, color).shifted([0.0, -0.115, 0.0]);
        let finger = |x: f32| shapes::cuboid([0.02, 0.09, 0.028], FINGER).shifted([x, 0.025, 0.0]);
        let wrist = shapes::capsule(0.032, 0.05, DARK).shifted([0.0, -0.025, 0.0]);
        let palm = shapes::cuboid([0.15, 0.04, 0.06], HAND).shifted([0.0, -0.015, 0.0]);
        Self {
            links: [
                upright(shapes::cylinder(0.065, 0.12, DARK)),
                link(0.045, PALE),
                link(0.04, DARK),
                link(0.038, PALE),
                link(0.034, DARK),
                wrist,
                palm,
            ],
            fingers: [finger(-0.01), finger(0.01)],
            block: shapes::cuboid([2.0 * BLOCK_HALF as f32; 3], BLOCK),
            goal: shapes::sphere(GOAL_RADIUS, GOAL),
            marks: [MARK_OF_HAND, MARK_OF_GOAL].map(|color| upright(shapes::cylinder(0.009, ABOVE, color))),
            ground: ground(),
        }
    }

    /// Hands over every shape with its place, those in front first so that little is drawn over.
    pub(crate) fn draw(&self, motion: &Motion, goal: [f64; 3], marks: bool, draw: &mut dyn FnMut(&Mesh, &Pose)) {
        let arm = motion.arm();
        let short = |point: [f64; 3]| point.map(|part| part as f32);
        self.links.iter().zip(&arm.links).for_each(|(mesh, placed)| draw(mesh, &placed.pose()));
        self.fingers.iter().zip(&arm.fingers).for_each(|(mesh, placed)| draw(mesh, &placed.pose()));
        if let Some(block) = motion.placed_block() {
            draw(&self.block, &block.pose());
        }
        draw(&self.goal, &Pose::at(short(goal)));
        if marks {
            for (mesh, [x, y, _]) in self.marks.iter().zip([short(motion.hand), short(goal)]) {
                draw(mesh, &Pose::at([x, y, ABOVE]));
            }
        }
        draw(&self.ground, &Pose::default());
    }
}

/// A body that stood along y, standing along z.
fn upright(mesh: Mesh) -> Mesh {
    mesh.turned(SolidTurn::about_x(90.0))
}

/// Everything that never moves: the table with tiles of one unit, and the foot of the arm.
fn ground() -> Mesh {
    let foot = upright(shapes::cylinder(0.05, 0.7, PALE)).shifted([0.0, 0.62, -0.1]);
    let legs = [(-0.36, -0.31), (0.36, -0.31), (-0.36, 0.31), (0.36, 0.31)];
    let leg = |(x, y)| shapes::cuboid([0.04, 0.04, 0.41], TABLE).shifted([x, y, -0.245]);
    let mut ground = legs.map(leg).iter().fold(foot, Mesh::with);
    edges(&mut ground);
    for i in 0..16 {
        for j in 0..14 {
            let (x, y) = (-0.4 + i as f32 * 0.05, -0.35 + j as f32 * 0.05);
            rectangle(&mut ground, [x, y, x + 0.05, y + 0.05], 0.0, TILES[(i + j) % 2]);
        }
    }
    ground
}

/// The three edges of the table that can be seen. Its top is tiles, and nothing is drawn below them.
fn edges(mesh: &mut Mesh) {
    let (x, y, low) = (0.4, 0.35, -0.04);
    let sides = [
        ([-x, -y], [x, -y], [0.0, -1.0, 0.0]),
        ([x, -y], [x, y], [1.0, 0.0, 0.0]),
        ([-x, y], [-x, -y], [-1.0, 0.0, 0.0]),
    ];
    for ([x0, y0], [x1, y1], normal) in sides {
        mesh.polygon(&[[x0, y0, low], [x1, y1, low], [x1, y1, 0.0], [x0, y0, 0.0]], normal, TABLE);
    }
}

/// A flat rectangle that faces up.
fn rectangle(mesh: &mut Mesh, [x0, y0, x1, y1]: [f32; 4], z: f32, color: Color) {
    mesh.polygon(&[[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]], [0.0, 0.0, 1.0], color);
}
