//! Vectors of three numbers.

/// Three numbers along x, y, z.
pub(crate) type Vector = [f32; 3];

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scaled(a: Vector, by: f32) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

pub(crate) fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f32 {
    dot(a, a).sqrt()
}

/// The same direction with length one; nothing stays nothing.
pub(crate) fn normalised(a: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { scaled(a, 1.0 / length) } else { a }
}

/// A point on the way from one to the other.
pub(crate) fn between(a: Vector, b: Vector, share: f32) -> Vector {
    add(a, scaled(sub(b, a), share))
}

/// A matrix of rows times a vector.
pub(crate) fn times(rows: &[Vector; 3], a: Vector) -> Vector {
    [dot(rows[0], a), dot(rows[1], a), dot(rows[2], a)]
}
