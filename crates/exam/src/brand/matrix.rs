//! Transforms of a drawing.

/// `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawingTransform([f64; 6]);

impl DrawingTransform {
    pub(super) const NONE: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// From pixels of 96 to the inch to millimetres.
    pub(super) const MM_OF_PX: Self = Self([25.4 / 96.0, 0.0, 0.0, 25.4 / 96.0, 0.0, 0.0]);

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
            ("rotate", [degrees, x, y]) => {
                let there = Self::step("translate", &[*x, *y])?;
                let back = Self::step("translate", &[-x, -y])?;
                there.then_inner(Self::step("rotate", &[*degrees])?).then_inner(back)
            }
            _ => return None,
        })
    }

    /// This one around another.
    pub(super) fn then_inner(self, inner: Self) -> Self {
        let (o, i) = (self.0, inner.0);
        let [x, y] = self.of(i[4], i[5]);
        Self([
            o[0] * i[0] + o[2] * i[1],
            o[1] * i[0] + o[3] * i[1],
            o[0] * i[2] + o[2] * i[3],
            o[1] * i[2] + o[3] * i[3],
            x,
            y,
        ])
    }

    pub(super) fn of(self, x: f64, y: f64) -> [f64; 2] {
        let m = self.0;
        [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]]
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
        let at = |text: &str| DrawingTransform::read(text).of(1.0, 2.0).map(|value| format!("{value:.2}")).join(" ");
        assert_eq!(at("translate(10,20) scale(2)"), "12.00 24.00");
        assert_eq!(at("scale(2) translate(10 20)"), "22.00 44.00");
        assert_eq!(at("matrix(1,0,0,-1,5,6)"), "6.00 4.00");
        assert_eq!(at("rotate(90)"), "-2.00 1.00");
        assert_eq!(at("rotate(90,1,0)"), "-1.00 0.00");
        assert_eq!(at("nonsense(1) matrix(1,2)"), "1.00 2.00");
        assert_eq!(DrawingTransform::read("scale(3)").scale(), Some(3.0));
        assert_eq!(DrawingTransform::read("scale(3,2)").scale(), None);
        assert_eq!(DrawingTransform::read("rotate(5)").scale(), None);
    }
}
