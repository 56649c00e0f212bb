use proptest::prelude::*;

use super::Mask;

/// A mask drawn in characters.
fn drawn(rows: &[&str]) -> Mask {
    let mut mask = Mask::default();
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row.bytes().enumerate().filter(|(_, byte)| *byte == b'#') {
            mask.push([y as u32, x as u32, x as u32 + 1]);
        }
    }
    mask
}

#[test]
fn a_mask_knows_where_it_is() {
    let mask = drawn(&["......", ".####.", ".####.", ".####.", ".#...."]);
    assert_eq!(mask.spans(), [[1, 1, 5], [2, 1, 5], [3, 1, 5], [4, 1, 2]]);
    assert_eq!(mask.area(), 13);
    let bounds = mask.bounds();
    assert_eq!((bounds.x, bounds.y, bounds.width, bounds.height), (1, 1, 4, 4));
    assert!(mask.contains((4, 3)) && !mask.contains((2, 4)) && !mask.contains((0, 1)));
    let squared = |point| (mask.distance(point) * mask.distance(point)).round() as u32;
    assert_eq!([squared((2, 2)), squared((5, 2)), squared((8, 7))], [0, 1, 32]);
    assert!(Mask::default().distance((0, 0)).is_infinite());
}

#[test]
fn the_inmost_point_is_deepest_and_not_merely_central() {
    assert_eq!(drawn(&["#####", "#####", "#####", "#####", "#####"]).inmost(), (2, 2));
    // The centre of mass of a ring lies outside of it.
    let ring = drawn(&["#######", "#.....#", "#.....#", "#.....#", "#.....#", "#######"]);
    assert!(ring.contains(ring.inmost()));
    let hook = drawn(&["#########", "........#", "......###", "......###", "......###"]);
    assert_eq!(hook.inmost(), (7, 3));
    assert_eq!(drawn(&["#"]).inmost(), (0, 0));
}

proptest! {
    #[test]
    fn the_inmost_point_is_inside(rows in prop::collection::vec("[#.]{1,12}", 1..12)) {
        let mask = drawn(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assume!(mask.area() > 0);
        prop_assert!(mask.contains(mask.inmost()));
        let (x, y) = mask.centre();
        let bounds = mask.bounds();
        prop_assert!(x >= f64::from(bounds.x) && x <= f64::from(bounds.x + bounds.width));
        prop_assert!(y >= f64::from(bounds.y) && y <= f64::from(bounds.y + bounds.height));
    }
}
