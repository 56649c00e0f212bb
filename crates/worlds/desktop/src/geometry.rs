//! Where everything on the screen is, by name: for oracles alone.

use std::collections::BTreeMap;

use quintain_machine::AccessibleElement;

/// Left, top, width and height of what is shown, by role and name. Those of the same name are told apart by numbers from
/// the second on: `table cell/k`, `table cell/k#2`.
pub(crate) fn places(programs: &[AccessibleElement]) -> BTreeMap<String, [f64; 4]> {
    let mut places = BTreeMap::new();
    for element in programs.iter().flat_map(AccessibleElement::all).filter(|element| element.is_shown()) {
        let Some(bounds) = element.bounds else { continue };
        let name = format!("{}/{}", element.role, element.name);
        let numbered = |number: usize| if number == 1 { name.clone() } else { format!("{name}#{number}") };
        let free = (1..).map(numbered).find(|name| !places.contains_key(name));
        places.extend(free.map(|name| (name, bounds.map(f64::from))));
    }
    places
}
