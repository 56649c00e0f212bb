//! Vessels: a mug, a teapot, a watering can.

use quintain_core::rng::Rng;

use super::kit::{BROWN, WHITE, about, ball, joined, rod, shade, two_paints};
use crate::solid::{Mesh, SolidTurn, shapes};

/// A mug with a handle, a stripe and something in it.
pub(super) fn mug(rng: &mut Rng) -> Mesh {
    let (paint, stripe) = two_paints(rng);
    let (radius, height) = (about(rng, 0.62, 0.12), about(rng, 1.3, 0.15));
    let inner = radius - 0.07;
    let foot = radius * about(rng, 0.85, 0.1);
    let wall = [[0.0, 0.0], [foot, 0.0], [radius, height * 0.3], [radius, height], [inner, height]];
    let band = [[radius + 0.01, height * 0.5], [radius + 0.01, height * 0.68]];
    let reach = about(rng, 0.42, 0.2);
    let arc = shapes::arc([radius - 0.04, height * 0.55], [reach, height * 0.3], -90.0, 90.0, 12);
    joined([
        shapes::lathe(&wall, 24, paint),
        shapes::lathe(&band, 24, stripe),
        shapes::lathe(&[[inner, height * 0.8], [0.0, height * 0.8]], 24, BROWN),
        shapes::lathe(&[[inner, height], [inner, height * 0.8]], 24, WHITE),
        shapes::tube(&arc, &[0.085; 13], 10, stripe),
    ])
}

/// A teapot with a spout, a handle and a lid.
pub(super) fn teapot(rng: &mut Rng) -> Mesh {
    let (paint, trim) = two_paints(rng);
    let (radius, height) = (about(rng, 0.8, 0.1), about(rng, 1.05, 0.12));
    let belly: Vec<[f32; 2]> =
        [[0.0, 0.0], [0.5, 0.0], [0.82, 0.16], [1.0, 0.42], [0.94, 0.68], [0.7, 0.9], [0.42, 1.0], [0.0, 1.0]]
            .map(|[r, h]: [f32; 2]| [r * radius, h * height])
            .into();
    let lid: Vec<[f32; 2]> =
        [[0.46, 0.99], [0.46, 1.04], [0.3, 1.13], [0.0, 1.17]].map(|[r, h]: [f32; 2]| [r * radius, h * height]).into();
    let tip = about(rng, 1.0, 0.1);
    let spout = [
        [radius * 0.8, height * 0.32, 0.0],
        [radius * 1.25, height * 0.42, 0.0],
        [radius * 1.45, height * 0.7, 0.0],
        [radius * 1.75, height * tip, 0.0],
    ];
    let handle = shapes::arc([-radius * 0.82, height * 0.55], [radius * 0.62, height * 0.36], 90.0, 270.0, 12);
    joined([
        shapes::lathe(&belly, 24, paint),
        shapes::lathe(&lid, 24, trim),
        ball([0.0, height * 1.22, 0.0], [0.1; 3], trim),
        shapes::tube(&spout, &[0.2, 0.15, 0.11, 0.08], 14, paint),
        shapes::tube(&handle, &[0.08; 13], 10, trim),
    ])
}

/// A watering can: a drum, a long spout with a rose, a bow over it.
pub(super) fn watering_can(rng: &mut Rng) -> Mesh {
    let (paint, trim) = two_paints(rng);
    let (radius, height) = (about(rng, 0.58, 0.1), about(rng, 1.0, 0.12));
    let rose = [radius + about(rng, 0.8, 0.12), height * about(rng, 1.15, 0.08), 0.0];
    let from = [radius * 0.8, height * 0.25, 0.0];
    let wall = [
        [0.0, 0.0],
        [radius, 0.0],
        [radius * 0.88, height],
        [radius * 0.8, height],
        [radius * 0.8, height * 0.7],
        [0.0, height * 0.7],
    ];
    let bow = shapes::arc([-radius * 0.5, height * 0.75], [radius * 0.95, height * 0.62], 20.0, 215.0, 14);
    let head = shapes::cone(0.07, 0.22, 0.16, trim).turned(SolidTurn::about_z(-48.0)).shifted(rose);
    joined([
        shapes::lathe(&wall, 24, paint),
        shapes::lathe(&[[radius * 0.97, height * 0.3], [radius * 0.95, height * 0.42]], 24, trim),
        shapes::tube(&[from, rose], &[0.13, 0.06], 12, shade(paint, 0.9)),
        head,
        shapes::tube(&bow, &[0.055; 15], 8, trim),
        rod(
            [radius * 0.75, height * 0.9, 0.0],
            [f32::midpoint(from[0], rose[0]), f32::midpoint(from[1], rose[1]), 0.0],
            0.035,
            trim,
        ),
    ])
}
