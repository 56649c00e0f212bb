//! The style of an invented house: its page, its grid, its colours and its type.

use std::collections::BTreeMap;

use quintain_core::Rng;
use serde_json::{Map, Value, json};

/// Names of colours, and schemes of them: three dark ones, one that stands out, two light ones.
pub(super) const COLOURS: [&str; 6] = ["ink", "deep", "field", "signal", "sand", "paper"];
const SCHEMES: [[u32; 6]; 5] = [
    [0x001d_2233, 0x001f_5f7a, 0x003f_6b4a, 0x00d9_482b, 0x00e6_cfa2, 0x00f4_f0e6],
    [0x002a_1a2e, 0x003b_4a8c, 0x007a_2f5b, 0x00f0_8a24, 0x00f2_cdb9, 0x00f6_f4ec],
    [0x0014_281d, 0x0024_6c5f, 0x005f_6b1f, 0x00c8_385a, 0x00d0_dca4, 0x00f2_f4ea],
    [0x0023_1f20, 0x007a_2e2e, 0x002f_4f7f, 0x000f_9d8a, 0x00f0_d090, 0x00f5_f1e9],
    [0x001a_1f4a, 0x0050_3a80, 0x001d_6f74, 0x00e8_5d75, 0x00cf_dbe8, 0x00f4_f4f2],
];
/// Pages: what they are called, and their widths and heights.
const PAGES: [(&str, f64, f64); 3] = [("A3", 297.0, 420.0), ("A2", 420.0, 594.0), ("B2", 500.0, 707.0)];
/// How many columns a page has, and in which of them its texts begin.
const GRIDS: [(usize, usize); 4] = [(12, 4), (8, 3), (10, 3), (6, 2)];
/// Families for what is large and for what is read.
const FAMILIES: [(&str, &str); 3] =
    [("DejaVu Serif", "DejaVu Sans"), ("DejaVu Sans", "DejaVu Serif"), ("DejaVu Sans", "DejaVu Sans")];
/// Roles of type: whether it is large, whether it is bold, its size on an A3 page, its leading in lines of the grid.
const TYPE_ROLES: [(&str, bool, bool, f64, usize); 10] = [
    ("kicker", false, true, 17.0, 1),
    ("title", true, true, 78.0, 6),
    ("subtitle", false, false, 19.0, 2),
    ("date", true, true, 22.0, 2),
    ("intro", false, false, 12.0, 1),
    ("time", true, true, 14.0, 1),
    ("session", true, true, 17.0, 2),
    ("speaker", false, false, 12.0, 1),
    ("address", false, false, 11.0, 1),
    ("note", false, true, 11.0, 1),
];

/// What a house's posters hold to.
#[derive(Clone, Debug)]
pub(super) struct HouseStyle {
    pub(super) house: &'static str,
    pub(super) format: &'static str,
    pub(super) page_mm: [f64; 2],
    /// Top, right, bottom, left.
    pub(super) margins_mm: [f64; 4],
    pub(super) n_columns: usize,
    /// The column in which texts begin.
    pub(super) text_column: usize,
    pub(super) gutter_mm: f64,
    pub(super) baseline_mm: f64,
    /// By their names, as `#rrggbb`.
    pub(super) palette: BTreeMap<&'static str, String>,
    /// The name of the colour of each role.
    pub(super) paints: BTreeMap<&'static str, &'static str>,
    pub(super) types: BTreeMap<&'static str, TypeStyle>,
    pub(super) rule_mm: f64,
    pub(super) logo_width_mm: f64,
    /// How much has to stay clear on all sides of the logo, as a share of its height.
    pub(super) clear_share: f64,
}

/// How a role of text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeStyle {
    pub(super) family: &'static str,
    pub(super) weight: &'static str,
    pub(super) size_pt: f64,
    pub(super) leading_lines: usize,
}

impl HouseStyle {
    pub(super) fn drawn(rng: &mut Rng, house: &'static str) -> Self {
        let (format, width, height) = *rng.choose(&PAGES);
        let scale = width / 297.0;
        let half = |value: f64| (value * scale * 2.0).round() / 2.0;
        let (n_columns, text_column) = *rng.choose(&GRIDS);
        let mut margin = || half(rng.uniform(16.0, 23.0));
        Self {
            house,
            format,
            page_mm: [width, height],
            margins_mm: [margin(), margin(), margin(), margin()],
            n_columns,
            text_column,
            gutter_mm: half(rng.uniform(3.0, 5.5)),
            baseline_mm: half(5.0),
            palette: palette(rng),
            paints: paints(rng),
            types: types(rng, scale),
            rule_mm: *rng.choose(&[0.6, 0.8, 1.0]),
            logo_width_mm: half(rng.uniform(52.0, 62.0)),
            clear_share: *rng.choose(&[0.6, 0.7, 0.8]),
        }
    }

    /// The left edge of a column; the first is 1.
    pub(super) fn left_mm(&self, column: usize) -> f64 {
        self.margins_mm[3] + (column - 1) as f64 * (self.column_mm() + self.gutter_mm)
    }

    /// The right edge of a column.
    pub(super) fn right_mm(&self, column: usize) -> f64 {
        self.left_mm(column) + self.column_mm()
    }

    fn column_mm(&self) -> f64 {
        let gutters = (self.n_columns - 1) as f64 * self.gutter_mm;
        (self.page_mm[0] - self.margins_mm[1] - self.margins_mm[3] - gutters) / self.n_columns as f64
    }

    /// How far down a line of the grid is.
    pub(super) fn line_mm(&self, line: usize) -> f64 {
        self.margins_mm[0] + line as f64 * self.baseline_mm
    }

    /// The last line of the grid that is above the margin.
    pub(super) fn last_line(&self) -> usize {
        ((self.page_mm[1] - self.margins_mm[0] - self.margins_mm[2]) / self.baseline_mm) as usize
    }

    /// The colour of a role.
    pub(super) fn colour(&self, role: &str) -> &str {
        self.paints.get(role).and_then(|name| self.palette.get(name)).map_or("#000000", String::as_str)
    }

    /// The tokens as a file.
    pub(super) fn tokens(&self) -> String {
        let [top, right, bottom, left] = self.margins_mm;
        let role = |(role, colour): (&&str, &&str)| {
            let mut told = json!({ "fill": colour });
            if let Some(set) = self.types.get(*role) {
                told["font_family"] = json!(set.family);
                told["font_weight"] = json!(set.weight);
                told["font_size_pt"] = json!(set.size_pt);
                told["leading_lines"] = json!(set.leading_lines);
            }
            ((*role).to_owned(), told)
        };
        let mut roles: Map<String, Value> = self.paints.iter().map(role).collect();
        roles["rule"]["height_mm"] = json!(self.rule_mm);
        let tokens = json!({
            "house": self.house,
            "page": {
                "format": self.format, "width_mm": self.page_mm[0], "height_mm": self.page_mm[1],
                "margins_mm": { "top": top, "right": right, "bottom": bottom, "left": left },
            },
            "grid": { "columns": self.n_columns, "gutter_mm": self.gutter_mm, "line_mm": self.baseline_mm },
            "palette": self.palette,
            "roles": roles,
            "logo": {
                "width_mm": self.logo_width_mm, "corner": "bottom right",
                "clear_space_in_logo_heights": self.clear_share,
            },
        });
        format!("{tokens:#}\n")
    }
}

/// The hex form of a colour.
pub(super) fn hex(rgb: [u8; 3]) -> String {
    format!("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2])
}

/// A colour a little off.
pub(super) fn shifted(rng: &mut Rng, rgb: [u8; 3], most: i64) -> [u8; 3] {
    rgb.map(|channel| (i64::from(channel) + rng.between(-most, most)).clamp(0, 255) as u8)
}

/// The channels of `#rrggbb`; black where it is something else.
pub(super) fn channels(hex: &str) -> [u8; 3] {
    let value = u32::from_str_radix(hex.trim_start_matches('#'), 16).unwrap_or_default();
    [(value >> 16) as u8, (value >> 8) as u8, value as u8]
}

fn palette(rng: &mut Rng) -> BTreeMap<&'static str, String> {
    let scheme = *rng.choose(&SCHEMES);
    let mut colour = |value: u32| hex(shifted(rng, [(value >> 16) as u8, (value >> 8) as u8, value as u8], 6));
    COLOURS.into_iter().zip(scheme.map(&mut colour)).collect()
}

fn paints(rng: &mut Rng) -> BTreeMap<&'static str, &'static str> {
    let panel = *rng.choose(&["ink", "deep", "field"]);
    let other = *rng.choose(&["ink", "deep", "field"].map(|dark| if dark == panel { "signal" } else { dark }));
    BTreeMap::from([
        ("ground", "paper"),
        ("panel", panel),
        ("rule", *rng.choose(&[panel, "signal", "ink"])),
        ("ornament", *rng.choose(&["signal", "sand"])),
        ("logo-mark", *rng.choose(&["signal", panel])),
        ("logo-word", *rng.choose(&["ink", panel])),
        ("kicker", *rng.choose(&["sand", "paper"])),
        ("title", "paper"),
        ("subtitle", *rng.choose(&["sand", "paper"])),
        ("date", "sand"),
        ("intro", "ink"),
        ("time", other),
        ("session", *rng.choose(&["ink", panel])),
        ("speaker", *rng.choose(&["ink", "deep", "field"])),
        ("address", "ink"),
        ("note", *rng.choose(&["signal", "deep", "field"])),
    ])
}

fn types(rng: &mut Rng, scale: f64) -> BTreeMap<&'static str, TypeStyle> {
    let (large, read) = *rng.choose(&FAMILIES);
    let mut set = |(role, is_large, is_bold, size, leading_lines): (&'static str, bool, bool, f64, usize)| {
        let size_pt = (size * scale * rng.uniform(0.94, 1.06) * 2.0).round() / 2.0;
        let family = if is_large { large } else { read };
        (role, TypeStyle { family, weight: if is_bold { "bold" } else { "normal" }, size_pt, leading_lines })
    };
    TYPE_ROLES.into_iter().map(&mut set).collect()
}
