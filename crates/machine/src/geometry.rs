//! Where everything on the screen is, by name: for oracles alone.

use std::collections::BTreeMap;

use crate::accessibility::AccessibleElement;

/// Left, top, width and height of what is shown, by role and name. Those of the same name are told apart by numbers from
/// the second on: `table cell/k`, `table cell/k#2`.
pub(crate) fn places(programs: &[AccessibleElement]) -> BTreeMap<String, [f64; 4]> {
    let (mut places, mut n_named) = (BTreeMap::new(), BTreeMap::<String, usize>::new());
    for element in programs.iter().flat_map(AccessibleElement::all).filter(|element| element.is_shown()) {
        let Some(bounds) = element.bounds else { continue };
        let name = format!("{}/{}", element.role, element.name);
        let number = n_named.entry(name.clone()).or_default();
        *number += 1;
        let name = if *number == 1 { name } else { format!("{name}#{number}") };
        places.insert(name, bounds.map(f64::from));
    }
    places
}
