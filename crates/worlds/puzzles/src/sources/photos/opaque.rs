//! Pixels that can be seen through, four bytes each.

/// Whether no pixel can be seen through.
pub(in crate::sources) fn is_opaque(rgba: &[u8]) -> bool {
    rgba.chunks_exact(4).all(|pixel| pixel[3] == 255)
}

/// Puts see-through pixels on white.
pub(in crate::sources) fn lay_on_white(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4).filter(|pixel| pixel[3] != 255) {
        let alpha = u32::from(pixel[3]);
        for byte in &mut pixel[..3] {
            *byte = ((u32::from(*byte) * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        }
        pixel[3] = 255;
    }
}
