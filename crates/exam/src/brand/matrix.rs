//! Transforms of a drawing.

/// `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawingTransform([f64; 6]);

impl DrawingTransform {
    pub(super) const NONE: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Reads an attribute; what is not known does nothing.
    pub(super) fn read(text: &str) -> Self {
        let steps = text.split(')').filter_map(|step| step.split_once('('));
        steps.fold(Self::NONE, |all, (name, numbers)| {
            let name = name.trim_matches(|c: char| !c.is_alphabetic());
            all.then_inner(Self::step(name, &numbers_of(numbers)).unwrap_or(Self::NONE))
        })
    }

    fn step(name: &str, numbers: &[f64]) -> Option<Self> {
        Some(match (name, numbers) {
            ("matrix", all) => Self(all.try_into().ok()?),
            ("translate", [x]) => Self([1.0, 0.0, 0.0, 1.0, *x, 0.0]),
            ("translate", [x, y]) => Self([1.0, 0.0, 0.0, 1.0, *x, *y]),
            ("scale", [s]) => Self([*s, 0.0, 0.0, *s, 0.0, 0.0]),
            ("scale", [x, y]) => Self([*x, 0.0, 0.0, *y, 0.0, 0.0]),
            ("rotate", [degrees]) => {
                let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
                Self([cos, sin, -sin, cos, 0.0, 0.0])
            }
            _ => return None,
        })
    }

    /// This one around another.
    pub(super) fn then_inner(self, inner: Self) -> Self {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, inner.0);
        Self([a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f])
    }

    pub(super) fn of(self, x: f64, y: f64) -> [f64; 2] {
        let [a, b, c, d, e, f] = self.0;
        [a * x + c * y + e, b * x + d * y + f]
    }

    /// How much larger it makes things that it leaves upright and in proportion; nothing if it does not.
    pub(super) fn scale(self) -> Option<f64> {
        let [a, b, c, d, ..] = self.0;
        let is_upright = a > 0.0 && [b, c, a - d].iter().all(|off| off.abs() <= 0.002 * a);
        is_upright.then_some(a)
    }
}

/// Numbers with blanks or commas between them.
pub(super) fn numbers_of(text: &str) -> Vec<f64> {
    text.split([' ', ',', '\n', '\t'])
        .filter_map(|word| word.parse().ok())
        .filter(|number: &f64| number.is_finite())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_are_read_in_their_order() {
        let at = |text: &str| DrawingTransform::read(text).of(1.0, 2.0).map(|value| (value * 1000.0).round() / 1000.0);
        assert_eq!(at("translate(10,20) scale(2)"), [12.0, 24.0]);
        assert_eq!(at("scale(2) translate(10 20)"), [22.0, 44.0]);
        assert_eq!(at("matrix(1,0,0,-1,5,6)"), [6.0, 4.0]);
        assert_eq!(at("rotate(90)"), [-2.0, 1.0]);
        assert_eq!(at("nonsense(1) matrix(1,2)"), [1.0, 2.0]);
        assert_eq!(DrawingTransform::read("scale(3)").scale(), Some(3.0));
        assert_eq!(DrawingTransform::read("scale(3,2)").scale(), None);
        assert_eq!(DrawingTransform::read("rotate(5)").scale(), None);
    }
}
