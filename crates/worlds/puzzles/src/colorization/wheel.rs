//! The wheel of hues and saturations.

use std::sync::OnceLock;

use quintain_core::picture::Picture;

use super::color::Tint;
use crate::canvas::{Area, Color, circle};

/// The wheel's radius in pixels.
pub(super) const RADIUS: i32 = 176;
/// How far the mark reaches from its middle, its rims included, in pixels.
const MARK_REACH: i32 = 12;

const RIM: Color = [70, 70, 76];
const BLACK: Color = [0, 0, 0];
const WHITE: Color = [255, 255, 255];

/// A point of the wheel: where it is from the middle of the wheel, its hue, and how far out it is, of [`FULL`].
struct WheelPoint {
    dx: i16,
    dy: i16,
    hue: u16,
    share: u16,
}

/// The whole way from the middle to the rim.
const FULL: i32 = 1 << 12;

/// All points of the wheel, found once: they are the same for every value.
fn points() -> &'static [WheelPoint] {
    static POINTS: OnceLock<Vec<WheelPoint>> = OnceLock::new();
    POINTS.get_or_init(|| {
        let places = (-RADIUS..RADIUS).flat_map(|dy| (-RADIUS..RADIUS).map(move |dx| (dx, dy)));
        places.filter_map(|(dx, dy)| point(dx, dy)).collect()
    })
}

/// The point of the wheel in a pixel, if it is on the wheel.
fn point(dx: i32, dy: i32) -> Option<WheelPoint> {
    // Twice the way from the middle of the wheel to the middle of the pixel.
    let (right, up) = (2 * dx + 1, -2 * dy - 1);
    let square = right * right + up * up;
    let share = (square as f32).sqrt() / (2 * RADIUS) as f32 * FULL as f32;
    let hue = (degrees(right as f32, up as f32) + 0.5) as u16 % 360;
    (square < 4 * RADIUS * RADIUS).then_some(WheelPoint { dx: dx as i16, dy: dy as i16, hue, share: share as u16 })
}

/// Draws the wheel for one value: red at the top, hues clockwise, grey in the middle, vivid at the rim.
pub(super) fn paint(picture: &mut Picture, (x, y): (i32, i32), value: u8) {
    circle(picture, (x as f32, y as f32), RADIUS as f32 + 2.5, RIM);
    let rims = rims(value);
    let stride = picture.width() as i32;
    let pixels = picture.rgba_mut().as_chunks_mut::<4>().0;
    let full = i32::from(value);
    for point in points() {
        let rim = rims[usize::from(point.hue)];
        let mixed = rim.map(|channel| (full - (full - i32::from(channel)) * i32::from(point.share) / FULL) as u8);
        let at = (y + i32::from(point.dy)) * stride + x + i32::from(point.dx);
        pixels[at as usize] = [mixed[0], mixed[1], mixed[2], 255];
    }
}

/// The most vivid pixel of every hue.
fn rims(value: u8) -> Vec<[u8; 4]> {
    (0..360).map(|hue| Tint { hue, saturation: 255 }.shade(value)).collect()
}

/// Degrees clockwise from straight up, from 0 to 360. Arithmetic alone, so that it is the same on any machine; the
/// series is good to a thousandth of a degree.
fn degrees(right: f32, up: f32) -> f32 {
    let (long, short) = (right.abs().max(up.abs()), right.abs().min(up.abs()));
    let z = short / long;
    let square = z * z;
    let series =
        0.999_866 + square * (-0.330_299_5 + square * (0.180_141 + square * (-0.085_133 + square * 0.020_835_1)));
    let from_axis = z * series * (180.0 / std::f32::consts::PI);
    let from_up = if up.abs() >= right.abs() { from_axis } else { 90.0 - from_axis };
    match (right >= 0.0, up >= 0.0) {
        (true, true) => from_up,
        (true, false) => 180.0 - from_up,
        (false, false) => 180.0 + from_up,
        (false, true) => 360.0 - from_up,
    }
}

/// Where a tint is on a wheel about a middle, in pixels.
fn place((x, y): (i32, i32), tint: Tint) -> (f32, f32) {
    let radians = tint.hue as f64 * std::f64::consts::PI / 180.0;
    let reach = f64::from(RADIUS) * tint.saturation as f64 / 255.0;
    ((f64::from(x) + libm::sin(radians) * reach) as f32, (f64::from(y) - libm::cos(radians) * reach) as f32)
}

/// Draws the mark of a tint: a spot of it in a white ring in a black ring.
pub(super) fn mark(picture: &mut Picture, middle: (i32, i32), tint: Tint, value: u8) {
    let at = place(middle, tint);
    let [red, green, blue, _] = tint.shade(value);
    circle(picture, at, 11.0, BLACK);
    circle(picture, at, 9.0, WHITE);
    circle(picture, at, 6.0, BLACK);
    circle(picture, at, 5.0, [red, green, blue]);
}

/// All pixels that the mark of a tint can touch.
pub(super) fn marked(middle: (i32, i32), tint: Tint) -> Area {
    let (x, y) = place(middle, tint);
    Area::new(x as i32 - MARK_REACH, y as i32 - MARK_REACH, 2 * MARK_REACH + 2, 2 * MARK_REACH + 2)
}
