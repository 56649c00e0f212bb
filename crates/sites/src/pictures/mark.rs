//! Marks of sites and logos of companies.

use crate::draw::Draw;
use crate::html::Html;
use crate::look::Look;

/// The mark beside a site's name.
pub(crate) fn mark(look: &Look) -> Html {
    shape(look.mark, "currentColor", 26)
}

/// The logo of a company.
pub(crate) fn logo(mut draw: Draw, size: usize) -> Html {
    let hue = draw.below(24) * 15;
    let colour = format!("hsl({hue} {}% {}%)", 45 + draw.below(30), 32 + draw.below(16));
    shape(draw.next_u64(), &colour, size)
}

fn shape(bits: u64, colour: &str, size: usize) -> Html {
    let size = size.to_string();
    let mut html = Html::new();
    let open = [
        ("width", size.as_str()),
        ("height", &size),
        ("viewBox", "0 0 40 40"),
        ("fill", colour),
        ("aria-hidden", "true"),
    ];
    html.element("svg", &open, |html| {
        html.markup(match bits % 8 {
            0 => "<circle cx='20' cy='20' r='18'/><circle cx='26' cy='16' r='9' fill='#fff'/>",
            1 => "<path d='M4 4h32v32H4z'/><path d='M4 36 36 4v32z' fill='#fff' opacity='.55'/>",
            2 => "<path d='M20 2 38 20 20 38 2 20z'/><path d='M20 12 28 20 20 28 12 20z' fill='#fff'/>",
            3 => "<path d='M6 36V4h10v32zM24 36V14h10v22z'/>",
            4 => "<path d='M2 30C10 8 30 8 38 30z'/><path d='M2 34h36v4H2z'/>",
            5 => "<path d='M20 3 36 12v16L20 37 4 28V12z'/><path d='M20 12l8 4.5v8L20 29l-8-4.5v-8z' fill='#fff'/>",
            6 => "<circle cx='13' cy='20' r='11'/><circle cx='27' cy='20' r='11' opacity='.55'/>",
            _ => "<path d='M4 4h14v14H4zM22 4h14v14H22zM4 22h14v14H4z'/><circle cx='29' cy='29' r='7'/>",
        });
    });
    html
}
