//! Complex numbers, as AC analysis has them.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Phasor {
    pub(super) re: f64,
    pub(super) im: f64,
}

impl Phasor {
    pub(super) const ZERO: Self = Self { re: 0.0, im: 0.0 };

    pub(super) fn real(re: f64) -> Self {
        Self { re, im: 0.0 }
    }

    pub(super) fn imaginary(im: f64) -> Self {
        Self { re: 0.0, im }
    }

    pub(super) fn size_squared(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// Its size in decibels.
    pub(super) fn decibels(self) -> f64 {
        10.0 * libm::log10(self.size_squared())
    }
}

impl Add for Phasor {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Phasor {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Phasor {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl Div for Phasor {
    type Output = Self;

    fn div(self, by: Self) -> Self {
        let size = by.size_squared();
        let turned = self * Self { re: by.re, im: -by.im };
        Self { re: turned.re / size, im: turned.im / size }
    }
}

impl Neg for Phasor {
    type Output = Self;

    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

impl AddAssign for Phasor {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Phasor {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
