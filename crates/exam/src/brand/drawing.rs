//! The poster as it comes in: everything is there, and hardly anything as the house wants it.

use quintain_core::Rng;

use super::house::{channels, hex, shifted};
use super::logo;
use super::poster::{BrandPoster, PosterObject, PosterPlace};
use super::svg_node::{SvgNode, number};

/// How many units of the drawing make a millimetre: points, pixels of 90 to the inch, tenths of a millimetre.
const UNITS: [f64; 3] = [72.0 / 25.4, 90.0 / 25.4, 10.0];
/// The ornament is so many tiles wide and high, each so large.
const N_TILES: usize = 4;
pub(super) const TILE: f64 = 20.0;
const MM_PER_POINT: f64 = 25.4 / 72.0;

/// Coordinates of a group: scaled, then moved.
#[derive(Clone, Copy, Debug)]
struct GroupFrame {
    scale: f64,
    x: f64,
    y: f64,
}

impl GroupFrame {
    /// A group with a frame of its own within this one.
    fn within(self, inner: GroupFrame) -> Self {
        Self { scale: self.scale * inner.scale, x: self.x + self.scale * inner.x, y: self.y + self.scale * inner.y }
    }

    /// What a group writes of this frame.
    fn transform(self) -> String {
        match [self.scale, self.x, self.y].map(number) {
            [s, x, y] if s == "1" => format!("translate({x},{y})"),
            [s, x, y] => format!("matrix({s},0,0,{s},{x},{y})"),
        }
    }
}

/// How an object says what it looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LookForm {
    Inline,
    Class,
    Attributes,
}

/// What a drawing is made with.
struct PosterSketch<'a> {
    rng: Rng,
    poster: &'a BrandPoster,
    units_per_mm: f64,
    /// The style sheet.
    rules: Vec<String>,
    n_ids: usize,
}

/// The drawing of a poster before anybody applied the style.
pub(super) fn before(poster: &BrandPoster, seed: u64) -> String {
    let mut rng = Rng::for_purpose(seed, "before");
    let units_per_mm = *rng.choose(&UNITS);
    let mut sketch = PosterSketch { rng, poster, units_per_mm, rules: Vec::new(), n_ids: 0 };
    sketch.document().document()
}

/// What is drawn, from back to front: the names of all shapes and texts.
pub(super) fn leaves(poster: &BrandPoster) -> Vec<String> {
    let n_letters = poster.style.house.len();
    let parts = |object: &PosterObject| match object.id.as_str() {
        "ornament" => (1..=N_TILES * N_TILES).map(|at| format!("tile-{at}")).collect(),
        "logo" => Vec::new(),
        "logo-mark" => (1..=3).map(|at| format!("logo-mark-{at}")).collect(),
        "logo-word" => (1..=n_letters).map(|at| format!("logo-word-{at}")).collect(),
        id => vec![id.to_owned()],
    };
    poster.objects.iter().flat_map(parts).collect()
}

/// The colour that something of this role has in the drawing: a little off, and often off another colour of the palette.
fn old_colour(rng: &mut Rng, poster: &BrandPoster, role: &str) -> String {
    let right = poster.style.paints.get(role).copied().unwrap_or("ink");
    let other = match right {
        "ink" => "deep",
        "deep" => "field",
        "field" => "ink",
        "sand" => "paper",
        "paper" if role != "ground" => "sand",
        same => same,
    };
    let is_other = matches!(role, "panel" | "title" | "session") || rng.chance(0.5);
    let from = channels(&poster.style.palette[if is_other { other } else { right }]);
    loop {
        let near = hex(shifted(rng, from, 7));
        if !poster.style.palette.values().any(|colour| *colour == near) {
            return near;
        }
    }
}

impl PosterSketch<'_> {
    fn units(&self, mm: f64) -> f64 {
        mm * self.units_per_mm
    }

    /// A distance on the page that is never small, either way.
    fn away(&mut self, least: f64, most: f64) -> f64 {
        let scale = self.poster.style.page_mm[0] / 297.0;
        let sign = if self.rng.chance(0.5) { 1.0 } else { -1.0 };
        sign * scale * self.rng.uniform(least, most)
    }

    fn next_id(&mut self, tag: &str) -> String {
        self.n_ids += 1;
        format!("{tag}{}", 1000 + 7 * self.n_ids)
    }

    fn document(&mut self) -> SvgNode {
        let layers = [self.ground(), self.hero(), self.programme(), self.foot(), self.notes()];
        let [width, height] = self.poster.style.page_mm;
        let size = format!("0 0 {} {}", number(self.units(width)), number(self.units(height)));
        let sheet = SvgNode::new("style", "style4").with("type", "text/css").saying(&self.rules.join("\n"));
        let petal = format!("M 0,0 H {TILE} A {TILE},{TILE} 0 0 1 0,{TILE} Z");
        let petal = SvgNode::new("path", "petal")
            .with("d", petal)
            .with("style", format!("fill:{};stroke:none", old_colour(&mut self.rng, self.poster, "ornament")));
        let defs = SvgNode::new("defs", "defs2").holding([sheet, self.shadow(), self.gradient(), petal]);
        SvgNode::new("svg", "svg8")
            .with("width", format!("{width}mm"))
            .with("height", format!("{height}mm"))
            .with("viewBox", size)
            .with("version", "1.1")
            .with("inkscape:version", "1.2.2 (b0a8486541, 2022-12-01)")
            .with("sodipodi:docname", "poster.svg")
            .with("xmlns:inkscape", "http://www.inkscape.org/namespaces/inkscape")
            .with("xmlns:sodipodi", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd")
            .with("xmlns:xlink", "http://www.w3.org/1999/xlink")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .holding([view(), defs])
            .holding(layers)
    }

    fn shadow(&self) -> SvgNode {
        let blur = SvgNode::new("feGaussianBlur", "feGaussianBlur31").with("stdDeviation", number(self.units(2.5)));
        SvgNode::new("filter", "shadow").with("style", "color-interpolation-filters:sRGB").holding([blur])
    }

    fn gradient(&mut self) -> SvgNode {
        let mut stop = |id: &str, offset: &str, role: &str| {
            let colour = old_colour(&mut self.rng, self.poster, role);
            let style = format!("stop-color:{colour};stop-opacity:1");
            SvgNode::new("stop", id).with("offset", offset).with("style", style)
        };
        let stops = [stop("stop11", "0", "panel"), stop("stop13", "1", "panel")];
        SvgNode::new("linearGradient", "wash")
            .with("x1", "0")
            .with("y1", "0")
            .with("x2", "1")
            .with("y2", "1")
            .holding(stops)
    }

    fn frame(&mut self, scale: f64) -> GroupFrame {
        let (x, y) = (self.away(4.0, 15.0), self.away(4.0, 15.0));
        GroupFrame { scale, x: self.units(x), y: self.units(y) }
    }

    fn object(&self, id: &str) -> PosterObject {
        let found = self.poster.objects.iter().find(|object| object.id == id);
        found.cloned().expect("every poster has it")
    }

    fn ground(&mut self) -> SvgNode {
        let [width, height] = self.poster.style.page_mm;
        let fill = old_colour(&mut self.rng, self.poster, "ground");
        let rect = SvgNode::new("rect", "background")
            .with("fill", fill)
            .with("width", number(self.units(width)))
            .with("height", number(self.units(height)))
            .with("x", "0")
            .with("y", "0");
        layer("layer1", "Ground", "", [rect])
    }

    /// The panel, the ornament and the texts on and below the panel, in a group that is scaled.
    fn hero(&mut self) -> SvgNode {
        let outer = self.frame(1.0);
        let scale = self.rng.uniform(0.55, 1.8);
        let inner = self.frame((scale * 1000.0).round() / 1000.0);
        let frame = outer.within(inner);
        let mut parts = vec![self.panel(frame), self.ornament(frame)];
        for id in ["kicker", "title", "subtitle", "date", "intro"] {
            parts.push(self.text(&self.object(id), frame, false));
        }
        let group = SvgNode::new("g", "hero").with("transform", inner.transform()).holding(parts);
        layer("layer2", "Hero", &outer.transform(), [group])
    }

    fn panel(&mut self, frame: GroupFrame) -> SvgNode {
        let PosterPlace::Block { columns, lines } = self.object("panel").place else { unreachable!("it is a block") };
        let style = &self.poster.style;
        let (left, right) = (style.left_mm(columns.0), style.right_mm(columns.1));
        let (top, bottom) = (style.line_mm(lines.0), style.line_mm(lines.1));
        let is_washed = self.rng.chance(0.5);
        let effect = if is_washed { "fill:url(#wash);stroke:none".to_owned() } else { self.shaded() };
        let by = [self.away(2.0, 6.0), self.away(2.0, 6.0)];
        self.rect("panel", frame, [left + by[0], top + by[1], right - left - 5.0, bottom - top + by[1]])
            .with("style", effect)
    }

    fn shaded(&mut self) -> String {
        let fill = old_colour(&mut self.rng, self.poster, "panel");
        format!("fill:{fill};fill-opacity:1;stroke:none;filter:url(#shadow)")
    }

    fn rect(&self, id: &str, frame: GroupFrame, [x, y, width, height]: [f64; 4]) -> SvgNode {
        let (x, y) = self.local(frame, x, y);
        SvgNode::new("rect", id)
            .with("width", number(self.units(width) / frame.scale))
            .with("height", number(self.units(height) / frame.scale))
            .with("x", number(x))
            .with("y", number(y))
    }

    /// What a place on the page is in a group.
    fn local(&self, frame: GroupFrame, x_mm: f64, y_mm: f64) -> (f64, f64) {
        ((self.units(x_mm) - frame.x) / frame.scale, (self.units(y_mm) - frame.y) / frame.scale)
    }

    /// The frame in which something that has so many units lies there on the page, so wide.
    fn fitted(&self, frame: GroupFrame, [x_mm, y_mm]: [f64; 2], (width_mm, of): (f64, f64)) -> GroupFrame {
        let (x, y) = self.local(frame, x_mm, y_mm);
        GroupFrame { scale: self.units(width_mm) / of / frame.scale, x, y }
    }

    fn ornament(&mut self, frame: GroupFrame) -> SvgNode {
        let PosterPlace::Hung { columns, line } = self.object("ornament").place else { unreachable!("it hangs") };
        let style = &self.poster.style;
        let (left, right, top) = (style.left_mm(columns.0), style.right_mm(columns.1), style.line_mm(line));
        let width = (right - left) * self.rng.uniform(0.68, 0.85);
        let at = [left + self.rng.uniform(3.0, 6.0), top + self.rng.uniform(3.0, 9.0)];
        let own = self.fitted(frame, at, (width, N_TILES as f64 * TILE));
        let tiles: Vec<SvgNode> = (0..N_TILES * N_TILES).map(|at| self.tile(at)).collect();
        SvgNode::new("g", "ornament").with("transform", own.transform()).holding(tiles)
    }

    fn tile(&mut self, at: usize) -> SvgNode {
        let (x, y) = ((at % N_TILES) as f64 * TILE, (at / N_TILES) as f64 * TILE);
        let turn = match self.rng.below(4) {
            0 => String::new(),
            quarter => format!(" rotate({},{},{})", 90 * quarter, TILE / 2.0, TILE / 2.0),
        };
        SvgNode::new("use", &format!("tile-{}", at + 1))
            .with("xlink:href", "#petal")
            .with("transform", format!("translate({x},{y}){turn}"))
    }

    fn programme(&mut self) -> SvgNode {
        let outer = self.frame(1.0);
        let n_sessions = self.poster.objects.iter().filter(|object| object.role == "session").count();
        let sessions: Vec<SvgNode> = (1..=n_sessions).map(|at| self.session(at, outer)).collect();
        layer("layer3", "Programme", &outer.transform(), sessions)
    }

    /// A session. Its speaker has the colour of the group.
    fn session(&mut self, at: usize, outer: GroupFrame) -> SvgNode {
        let name = format!("session-{at}");
        let scale = *self.rng.choose(&[1.0, 0.8, 1.25]);
        let inner = self.frame(scale);
        let frame = outer.within(inner);
        let fill = old_colour(&mut self.rng, self.poster, "speaker");
        let mut parts = vec![self.rule(&self.object(&format!("{name}-rule")), frame)];
        for (part, is_inherited) in [("time", false), ("title", false), ("speaker", true)] {
            parts.push(self.text(&self.object(&format!("{name}-{part}")), frame, is_inherited));
        }
        SvgNode::new("g", &name)
            .with("style", format!("fill:{fill}"))
            .with("transform", inner.transform())
            .holding(parts)
    }

    fn rule(&mut self, object: &PosterObject, frame: GroupFrame) -> SvgNode {
        let PosterPlace::Hung { columns, line } = object.place else { unreachable!("it hangs") };
        let style = &self.poster.style;
        let (left, right, top) = (style.left_mm(columns.0), style.right_mm(columns.1), style.line_mm(line));
        let height = style.rule_mm * 2.5;
        let by = [self.away(2.0, 5.0), self.away(1.0, 2.5)];
        let rect = self.rect(&object.id, frame, [left + by[0], top + by[1], right - left - 4.0, height]);
        let fill = old_colour(&mut self.rng, self.poster, "rule");
        let form = self.form();
        self.looking(rect, form, &[("fill", fill), ("stroke", "none".to_owned())])
    }

    fn form(&mut self) -> LookForm {
        *self.rng.choose(&[LookForm::Inline, LookForm::Class, LookForm::Attributes])
    }

    /// Gives an element its look.
    fn looking(&mut self, node: SvgNode, form: LookForm, look: &[(&'static str, String)]) -> SvgNode {
        let told: Vec<String> = look.iter().map(|(name, value)| format!("{name}:{value}")).collect();
        let told = told.join(";");
        match form {
            LookForm::Inline => node.with("style", told),
            LookForm::Attributes => look.iter().fold(node, |node, (name, value)| node.with(name, value.clone())),
            LookForm::Class => {
                let class = format!("st{}", self.rules.len());
                self.rules.push(format!(".{class}{{{told}}}"));
                node.with("class", class)
            }
        }
    }

    fn text(&mut self, object: &PosterObject, frame: GroupFrame, is_inherited: bool) -> SvgNode {
        let style = &self.poster.style;
        let set = style.types[object.role];
        let (column, line) = match object.place {
            PosterPlace::Set { columns, line } => (columns.0, line),
            _ => (style.n_columns - 2, style.last_line() - 1),
        };
        let (left, first) = (style.left_mm(column), style.line_mm(line));
        let size_mm = set.size_pt * MM_PER_POINT * self.rng.choose(&[0.88, 0.91, 1.06, 1.09]);
        let (anchor, middle_mm) = self.anchor(object, size_mm);
        let by = [self.away(2.0, 5.0) + middle_mm, self.away(1.5, 3.0)];
        let (x, y) = self.local(frame, left + by[0], first + by[1]);
        let size = self.units(size_mm) / frame.scale;
        let leading = self.units(style.baseline_mm * set.leading_lines as f64 * 0.94) / frame.scale;
        let fill = old_colour(&mut self.rng, self.poster, object.role);
        let form = self.form();
        let mut look = vec![
            ("font-family", format!("'{}'", other_family(set.family))),
            ("font-weight", if self.rng.chance(0.7) { set.weight } else { "normal" }.to_owned()),
            ("font-size", format!("{}px", number(size))),
            ("text-anchor", anchor.to_owned()),
        ];
        if !is_inherited {
            look.insert(0, ("fill", fill.clone()));
        }
        // Lines that Inkscape spaces itself need a height in a style: it is no attribute.
        let is_spaced = form != LookForm::Attributes && self.rng.chance(0.6);
        if is_spaced {
            look.push(("line-height", number(leading / size)));
        }
        let text = self.looking(SvgNode::new("text", &object.id).with("xml:space", "preserve"), form, &look);
        let own = if form == LookForm::Inline && !is_inherited {
            format!("fill:{fill};stroke-width:0.26")
        } else {
            String::new()
        };
        let role = if is_spaced { "line" } else { "" };
        let lines: Vec<SvgNode> = object
            .words
            .iter()
            .enumerate()
            .map(|(at, words)| {
                SvgNode::new("tspan", &self.next_id("tspan"))
                    .with("sodipodi:role", role)
                    .with("x", number(x))
                    .with("y", number(y + leading * at as f64))
                    .with("style", own.clone())
                    .saying(words)
            })
            .collect();
        text.with("x", number(x)).with("y", number(y)).holding(lines)
    }

    /// Some texts are centred: their anchor, and how far it is from their beginning, roughly.
    fn anchor(&mut self, object: &PosterObject, size_mm: f64) -> (&'static str, f64) {
        if self.rng.chance(0.8) {
            return ("start", 0.0);
        }
        let longest = object.words.iter().map(String::len).max().unwrap_or_default();
        ("middle", 0.3 * size_mm * longest as f64)
    }

    fn foot(&mut self) -> SvgNode {
        let scale = *self.rng.choose(&[0.75, 1.0, 1.5]);
        let frame = self.frame(scale);
        let parts = [
            self.text(&self.object("address"), frame, false),
            self.text(&self.object("note"), frame, false),
            self.logo(frame),
        ];
        layer("layer4", "Foot", &frame.transform(), parts)
    }

    fn logo(&mut self, frame: GroupFrame) -> SvgNode {
        let style = &self.poster.style;
        let (letters, end) = logo::word(style.house);
        let width = style.logo_width_mm * self.rng.uniform(0.62, 0.8);
        let height = width * logo::proportion(style.house);
        let right = style.page_mm[0] - style.margins_mm[1] + self.rng.uniform(-12.0, 5.0);
        let bottom = style.page_mm[1] - style.margins_mm[2] + self.rng.uniform(-10.0, 5.0);
        let own = self.fitted(frame, [right - width, bottom - height], (width, end));
        let mark = old_colour(&mut self.rng, self.poster, "logo-mark");
        let word = old_colour(&mut self.rng, self.poster, "logo-word");
        self.rules.push(format!(".logo-letter{{fill:{word};fill-rule:evenodd}}"));
        let letter = |(at, data): (usize, &String)| {
            let id = format!("logo-word-{}", at + 1);
            SvgNode::new("path", &id).with("class", "logo-letter").with("d", data.clone())
        };
        let word = SvgNode::new("g", "logo-word").holding(letters.iter().enumerate().map(letter));
        let mark = SvgNode::new("g", "logo-mark").with("fill", mark).holding(mark_parts());
        SvgNode::new("g", "logo")
            .with("inkscape:label", "logo")
            .with("transform", own.transform())
            .holding([mark, word])
    }

    /// A layer that is not shown.
    fn notes(&mut self) -> SvgNode {
        let [width, height] = self.poster.style.page_mm;
        let (x, y) = (self.units(width / 4.0), self.units(height / 2.0));
        let note = SvgNode::new("text", "remark")
            .with("style", format!("fill:#ff00ff;font-size:{}px;font-family:'DejaVu Sans'", number(self.units(9.0))))
            .with("x", number(x))
            .with("y", number(y))
            .saying("please check the dates again");
        SvgNode::new("g", "layer5")
            .with("inkscape:groupmode", "layer")
            .with("inkscape:label", "Remarks")
            .with("style", "display:none")
            .holding([note])
    }
}

/// A disc and two bars, in a square.
fn mark_parts() -> [SvgNode; 3] {
    let size = number(logo::MARK);
    let bar = |id: &str, x: &str| {
        SvgNode::new("rect", id).with("x", x).with("y", "0").with("width", "18").with("height", size.clone())
    };
    let disc = SvgNode::new("circle", "logo-mark-1").with("cx", "50").with("cy", "50").with("r", "24");
    [disc, bar("logo-mark-2", "0"), bar("logo-mark-3", "82")]
}

fn view() -> SvgNode {
    SvgNode::new("sodipodi:namedview", "namedview6")
        .with("pagecolor", "#ffffff")
        .with("bordercolor", "#666666")
        .with("inkscape:document-units", "mm")
        .with("showgrid", "false")
}

fn layer(id: &str, label: &str, transform: &str, parts: impl IntoIterator<Item = SvgNode>) -> SvgNode {
    SvgNode::new("g", id)
        .with("inkscape:groupmode", "layer")
        .with("inkscape:label", label)
        .with("transform", transform)
        .holding(parts)
}

fn other_family(family: &str) -> &'static str {
    if family == "DejaVu Sans" { "DejaVu Serif" } else { "DejaVu Sans" }
}
