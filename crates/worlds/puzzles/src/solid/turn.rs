//! Rotations.

use super::Pose;

/// A rotation, as the rows of its matrix: exact to the last bits of `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidTurn(pub [[f64; 3]; 3]);

impl SolidTurn {
    /// No rotation.
    pub const NONE: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// A turn by some degrees about an axis of length one: counter-clockwise for who looks against the axis.
    pub fn about([x, y, z]: [f64; 3], degrees: f64) -> Self {
        let radians = degrees.to_radians();
        let (sin, cos) = (libm::sin(radians), libm::cos(radians));
        let rest = 1.0 - cos;
        Self([
            [cos + x * x * rest, x * y * rest - z * sin, x * z * rest + y * sin],
            [y * x * rest + z * sin, cos + y * y * rest, y * z * rest - x * sin],
            [z * x * rest - y * sin, z * y * rest + x * sin, cos + z * z * rest],
        ])
    }

    /// A turn about the x axis.
    pub fn about_x(degrees: f64) -> Self {
        Self::about([1.0, 0.0, 0.0], degrees)
    }

    /// A turn about the y axis.
    pub fn about_y(degrees: f64) -> Self {
        Self::about([0.0, 1.0, 0.0], degrees)
    }

    /// A turn about the z axis.
    pub fn about_z(degrees: f64) -> Self {
        Self::about([0.0, 0.0, 1.0], degrees)
    }

    /// The rotation of a quaternion (scalar first), which need not have length one exactly.
    pub fn of_quaternion(quaternion: [f64; 4]) -> Self {
        let norm = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
        let [w, x, y, z] = quaternion.map(|part| part / norm);
        Self([
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ])
    }

    /// Its quaternion (scalar first), of length one; of the two that there are, the one whose largest part is positive.
    pub fn quaternion(self) -> [f64; 4] {
        let m = self.0;
        let squares = [
            1.0 + m[0][0] + m[1][1] + m[2][2],
            1.0 + m[0][0] - m[1][1] - m[2][2],
            1.0 - m[0][0] + m[1][1] - m[2][2],
            1.0 - m[0][0] - m[1][1] + m[2][2],
        ];
        let (d0, d1, d2) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
        let (s0, s1, s2) = (m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]);
        let largest = (0..4).fold(0, |best, i| if squares[i] > squares[best] { i } else { best });
        let four = 2.0 * squares[largest].sqrt();
        let own = four / 4.0;
        match largest {
            0 => [own, d0 / four, d1 / four, d2 / four],
            1 => [d0 / four, own, s0 / four, s1 / four],
            2 => [d1 / four, s0 / four, own, s2 / four],
            _ => [d2 / four, s1 / four, s2 / four, own],
        }
    }

    /// This turn, and after it another about axes that stay where they are.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let (a, b) = (next.0, self.0);
        Self([0, 1, 2].map(|i| [0, 1, 2].map(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])))
    }

    /// The turn that undoes it.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self([0, 1, 2].map(|i| [0, 1, 2].map(|j| self.0[j][i])))
    }

    /// The least angle, in degrees, of a single turn from this orientation to another: the geodesic distance. It is
    /// found from the distance of the matrices, which is exact for small angles too.
    pub fn angle_deg(self, other: Self) -> f64 {
        let parts = self.0.as_flattened().iter().zip(other.0.as_flattened());
        let square: f64 = parts.map(|(a, b)| (a - b) * (a - b)).sum();
        let sine = (square / 8.0).sqrt().min(1.0);
        2.0 * libm::asin(sine).to_degrees()
    }

    /// A thing turned so, its origin at some place.
    pub fn at(self, shift: [f32; 3]) -> Pose {
        Pose { turn: self.0.map(|row| row.map(|part| part as f32)), shift }
    }
}
