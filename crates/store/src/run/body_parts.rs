//! Where the bodies of requests are cut, so that what they share is stored once.
//!
//! A conversation is sent whole with every call, each a little longer than the last. The cuts follow from what stands around
//! them and not from where they are: what comes before and after an insertion is cut as it was.

use fastcdc::v2020::FastCDC;

/// So short a body is not cut.
pub(super) const KEPT_WHOLE: usize = 64 * 1024;

/// The least, the usual and the greatest length of a part.
const LENGTHS: (usize, usize, usize) = (4 * 1024, 16 * 1024, 64 * 1024);

/// The parts of a body, in order; together they are the body.
pub(super) fn parts(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (least, usual, greatest) = LENGTHS;
    FastCDC::new(body, least, usual, greatest).map(|part| &body[part.offset..part.offset + part.length])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use quintain_core::Rng;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_parts_are_the_body(body in prop::collection::vec(any::<u8>(), 0..150_000)) {
            prop_assert_eq!(parts(&body).collect::<Vec<_>>().concat(), body);
        }
    }

    /// Text that does not repeat, as pictures in base64 are.
    fn picture(seed: u64) -> String {
        let mut rng = Rng::for_purpose(seed, "picture");
        (0..100_000).map(|_| char::from(b'A' + rng.below(58) as u8)).collect()
    }

    /// Thirty calls of a conversation that grows by a picture a call, its mark for caches moving along.
    #[test]
    fn a_conversation_takes_what_its_new_pictures_take() {
        let pictures: Vec<String> = (0..30).map(picture).collect();
        let mut stored: BTreeMap<&[u8], usize> = BTreeMap::new();
        let bodies: Vec<String> = (1..=pictures.len()).map(|n| pictures[..n].concat() + ",mark").collect();
        for part in bodies.iter().flat_map(|body| parts(body.as_bytes())) {
            stored.insert(part, part.len());
        }
        let (sent, kept): (usize, usize) = (bodies.iter().map(String::len).sum(), stored.values().sum());
        let new = pictures.iter().map(String::len).sum::<usize>();
        assert!(kept < new * 3 / 2, "{kept} bytes for {new} bytes of pictures");
        assert!(sent > 10 * kept, "{sent} bytes were sent");
    }
}
