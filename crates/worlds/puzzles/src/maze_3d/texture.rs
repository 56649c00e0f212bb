//! The surfaces of the maze: brick walls, a slab floor, a coffered ceiling. Made by arithmetic, once.
//!
//! Seen from an axis-parallel viewpoint a surface is shrunk by different amounts in its two directions but never turned,
//! so each texture is kept at every pair of sizes, and a line of it at the right pair is all that drawing needs.

use std::sync::OnceLock;

/// The texels of a texture across and down, as a power of two.
const BITS: u32 = 8;
const SIZE: usize = 1 << BITS;
/// The smallest size has two texels.
const LEVELS: usize = BITS as usize;
/// One texel as a place on a line.
pub(super) const ONE_TEXEL: f64 = 65_536.0;

/// Red, green, blue and full cover.
pub(super) type Rgba = [u8; 4];

/// A colour with its channels 16 bits apart, so that all four are mixed at once.
#[derive(Clone, Copy)]
struct Channels(u64);

/// The dark that distance fades into.
const DUSK: Channels = Channels(0x00ff_0018_0010_000e);

/// All surfaces.
pub(super) struct Surfaces {
    /// Walls that look east or west.
    pub(super) sideways: MazeTexture,
    /// Walls that look north or south.
    pub(super) lengthways: MazeTexture,
    pub(super) floor: MazeTexture,
    pub(super) ceiling: MazeTexture,
}

/// The surfaces, made when first asked for.
pub(super) fn surfaces() -> &'static Surfaces {
    static SURFACES: OnceLock<Surfaces> = OnceLock::new();
    SURFACES.get_or_init(|| Surfaces {
        sideways: MazeTexture::new(|u, v| bricks(u, v, [206.0, 174.0, 136.0])),
        lengthways: MazeTexture::new(|u, v| bricks(u, v, [136.0, 146.0, 166.0])),
        floor: MazeTexture::new(slabs),
        ceiling: MazeTexture::new(coffer),
    })
}

/// Which of a texture's two directions is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextureAxis {
    /// From left to right, or from west to east.
    U,
    /// From top to bottom, or from north to south.
    V,
}

/// A texture that repeats with every cell, at every pair of sizes.
pub(super) struct MazeTexture {
    /// At `level_u * LEVELS + level_v`; within a level, texels of the same u lie together.
    levels: Vec<Vec<Channels>>,
}

/// A line of texels along one axis of a texture. Places on it are counted in texels with 16 bits of fraction, from the
/// middle of the first texel, and go round.
pub(super) struct TexelLine {
    /// The first stands once more behind the last.
    texels: [Channels; SIZE + 1],
    bits: u32,
}

impl MazeTexture {
    fn new(color: impl Fn(f32, f32) -> [f32; 3]) -> Self {
        let at = |index: usize| (index as f32 + 0.5) / SIZE as f32;
        let texel = |index: usize| Channels::of(pack(color(at(index / SIZE), at(index % SIZE))));
        let mut levels = vec![(0..SIZE * SIZE).map(texel).collect::<Vec<Channels>>()];
        for level in 1..LEVELS * LEVELS {
            let smaller = match level % LEVELS {
                0 => halved_across(&levels[level - LEVELS]),
                _ => halved_down(&levels[level - 1]),
            };
            levels.push(smaller);
        }
        Self { levels }
    }

    /// The line along an axis at a place on the other axis (a fraction of a cell in 32 bits), where a pixel spans so
    /// much of a cell along it and so much of the other axis, in a light of at most 256.
    pub(super) fn line(&self, along: TextureAxis, place: u32, spans: (f64, f64), light: u32, line: &mut TexelLine) {
        let (level_along, level_other) = (level(spans.0), level(spans.1));
        let (level_u, level_v) = match along {
            TextureAxis::U => (level_along, level_other),
            TextureAxis::V => (level_other, level_along),
        };
        let texels = &self.levels[level_u * LEVELS + level_v];
        let n_v = SIZE >> level_v;
        let (near, far, weight) = neighbours(place, BITS - level_other as u32);
        line.bits = BITS - level_along as u32;
        let mixed = |one: Channels, other| DUSK.mixed(one.mixed(other, weight), light);
        let n_texels = 1 << line.bits;
        match along {
            TextureAxis::U => {
                for (texel, texels) in line.texels.iter_mut().zip(texels.chunks_exact(n_v)) {
                    *texel = mixed(texels[near], texels[far]);
                }
            }
            TextureAxis::V => {
                let pairs = texels[near * n_v..][..n_v].iter().zip(&texels[far * n_v..][..n_v]);
                for (texel, (one, other)) in line.texels.iter_mut().zip(pairs) {
                    *texel = mixed(*one, *other);
                }
            }
        }
        line.texels[n_texels] = line.texels[0];
    }
}

impl TexelLine {
    pub(super) fn new() -> Self {
        Self { texels: [DUSK; SIZE + 1], bits: BITS }
    }

    /// How many texels it has.
    pub(super) fn n_texels(&self) -> u32 {
        1 << self.bits
    }

    /// The place on the line that is a fraction of a cell in 32 bits.
    #[inline]
    pub(super) fn place(&self, fraction: u32) -> u32 {
        (fraction >> (16 - self.bits)).wrapping_sub(ONE_TEXEL as u32 / 2)
    }

    /// The colour at a place.
    #[inline]
    pub(super) fn at(&self, place: u32) -> Rgba {
        self.channels(place).rgba()
    }

    /// The colour at a place where a share of the light is left, of 256.
    #[inline]
    pub(super) fn dimmed(&self, place: u32, share: u32) -> Rgba {
        let [red, green, blue, _] = self.channels(place).dimmed(share).rgba();
        [red, green, blue, 255]
    }

    #[inline]
    fn channels(&self, place: u32) -> Channels {
        let near = ((place >> 16) & (self.n_texels() - 1)) as usize & (SIZE - 1);
        self.texels[near].mixed(self.texels[near + 1], (place >> 8) & 255)
    }
}

impl Channels {
    const ALL: u64 = 0x00ff_00ff_00ff_00ff;

    fn of(color: Rgba) -> Self {
        let color = u64::from(u32::from_le_bytes(color));
        let halves = (color | color << 16) & 0x0000_ffff_0000_ffff;
        Self((halves | halves << 8) & Self::ALL)
    }

    #[inline]
    fn rgba(self) -> Rgba {
        let halves = (self.0 | self.0 >> 8) & 0x0000_ffff_0000_ffff;
        ((halves | halves >> 16) as u32).to_le_bytes()
    }

    /// A colour between two, the second counting so much of 256. What one channel borrows from the next while the
    /// difference is taken, the sum gives back.
    #[inline]
    fn mixed(self, other: Self, weight: u32) -> Self {
        let difference = other.0.wrapping_sub(self.0).wrapping_mul(u64::from(weight));
        Self(((self.0 << 8).wrapping_add(difference) >> 8) & Self::ALL)
    }

    #[inline]
    fn dimmed(self, share: u32) -> Self {
        Self(((self.0 * u64::from(share)) >> 8) & Self::ALL)
    }
}

/// The two texels around a place among `1 << bits`, and how much the second counts, of 256.
fn neighbours(place: u32, bits: u32) -> (usize, usize, u32) {
    let place = place.wrapping_sub(1 << (31 - bits));
    let near = place >> (32 - bits);
    (near as usize, ((near + 1) & ((1 << bits) - 1)) as usize, (place << bits) >> 24)
}

/// The size at which a pixel spans about one texel.
fn level(span: f64) -> usize {
    let texels = span * SIZE as f64;
    (0..LEVELS - 1).find(|level| texels < 1.4 * f64::from(1_u32 << level)).unwrap_or(LEVELS - 1)
}

/// A colour between two, the second counting so much of 256.
pub(super) fn mix(one: Rgba, other: Rgba, weight: u32) -> Rgba {
    Channels::of(one).mixed(Channels::of(other), weight).rgba()
}

/// A colour as bytes.
pub(super) fn pack(color: [f32; 3]) -> Rgba {
    let [red, green, blue] = color.map(|channel| channel.clamp(0.0, 255.0) as u8);
    [red, green, blue, 255]
}

fn halved_down(texels: &[Channels]) -> Vec<Channels> {
    texels.chunks_exact(2).map(|pair| pair[0].mixed(pair[1], 128)).collect()
}

/// Half as many texels across; there are as many down as at full size.
fn halved_across(texels: &[Channels]) -> Vec<Channels> {
    let pairs = texels.chunks_exact(2 * SIZE).map(|pair| pair.split_at(SIZE));
    pairs.flat_map(|(one, other)| one.iter().zip(other).map(|(one, other)| one.mixed(*other, 128))).collect()
}

/// Where the cornice ends and the plinth begins, from the top.
const CORNICE: f32 = 0.055;
const PLINTH: f32 = 0.905;
/// Rows of bricks between them.
const COURSES: f32 = 7.0;

/// Bricks between a plinth and a cornice.
fn bricks(u: f32, v: f32, base: [f32; 3]) -> [f32; 3] {
    let grain = 0.90 + 0.20 * roughness(u, v, 1);
    if !(CORNICE..PLINTH).contains(&v) {
        let is_lip = (CORNICE - 0.01..PLINTH + 0.01).contains(&v);
        return base.map(|channel| channel * grain * if is_lip { 1.2 } else { 0.62 });
    }
    let level = (v - CORNICE) / (PLINTH - CORNICE) * COURSES;
    let course = level.floor();
    let shifted = u * 3.0 + 0.5 * (course % 2.0);
    let brick = shifted.floor() % 3.0;
    let (x, y) = (shifted - shifted.floor(), level - course);
    let to_edge = (x.min(1.0 - x) / 3.0).min(y.min(1.0 - y) / (COURSES + 1.0));
    if to_edge < 0.006 {
        return base.map(|channel| channel * 0.50 * grain);
    }
    let bevel = if to_edge > 0.014 { 1.0 } else { 1.0 + if y < 0.5 { 0.10 } else { -0.14 } };
    let own = 0.84 + 0.22 * noise(brick as i32, course as i32, 7);
    base.map(|channel| channel * own * bevel * grain)
}

/// Four slabs to a cell, light and dark.
fn slabs(u: f32, v: f32) -> [f32; 3] {
    let (x, y) = (u * 2.0 - (u * 2.0).floor(), v * 2.0 - (v * 2.0).floor());
    let is_dark = (u < 0.5) != (v < 0.5);
    let grain = 0.88 + 0.24 * roughness(u, v, 3);
    let to_edge = x.min(1.0 - x).min(y.min(1.0 - y));
    let joint = if to_edge < 0.018 { 0.55 } else { 1.0 };
    let base = if is_dark { [104.0, 100.0, 96.0] } else { [152.0, 147.0, 138.0] };
    base.map(|channel: f32| channel * grain * joint)
}

/// A plastered panel in a wooden frame for each cell.
fn coffer(u: f32, v: f32) -> [f32; 3] {
    let to_edge = u.min(1.0 - u).min(v.min(1.0 - v));
    let grain = 0.90 + 0.20 * roughness(u, v, 5);
    let base = match to_edge {
        _ if to_edge < 0.10 => [74.0, 58.0, 46.0],
        _ if to_edge < 0.12 => [44.0, 34.0, 28.0],
        _ => [120.0, 118.0, 116.0],
    };
    base.map(|channel: f32| channel * grain)
}

/// Smooth noise from 0 to 1 that repeats with the texture: three sizes of it added up.
fn roughness(u: f32, v: f32, seed: u32) -> f32 {
    let octave = |n: i32| {
        let (x, y) = (u * n as f32, v * n as f32);
        let (x0, y0) = (x.floor(), y.floor());
        let corner = |dx: i32, dy: i32| noise((x0 as i32 + dx) % n, (y0 as i32 + dy) % n, seed + n as u32);
        let (tx, ty) = (x - x0, y - y0);
        let top = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * tx;
        let bottom = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * tx;
        top + (bottom - top) * ty
    };
    0.5 * octave(8) + 0.3 * octave(32) + 0.2 * octave(128)
}

/// A number from 0 to 1 that belongs to a place.
fn noise(x: i32, y: i32, seed: u32) -> f32 {
    let mut hash = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77) ^ seed;
    hash = (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d);
    hash = (hash ^ (hash >> 12)).wrapping_mul(0x297a_2d39);
    (hash ^ (hash >> 15)) as f32 / u32::MAX as f32
}
