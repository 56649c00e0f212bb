//! Reads a document from its beginning to its end.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use url::Url;

use crate::form::{FormField, PageForm};
use crate::{PageLink, PageReading, joined};

/// Reads a document that was found at an address.
pub(crate) fn read(address: &str, html: &str) -> PageReading {
    let mut reader = PageReader::new(address);
    let take = |event: CallbackEvent<'_>, _: Span<()>| -> Option<()> {
        reader.take(&event);
        None
    };
    let mut emitter = CallbackEmitter::new(take);
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).for_each(drop);
    reader.page
}

struct PageReader {
    base: Option<Url>,
    page: PageReading,
    tag: OpenedTag,
    place: TextPlace,
    /// Where the label of the link that is open begins in the text.
    link_from: Option<usize>,
    is_form_open: bool,
    /// Takes fields that stand in no form; it is never sent.
    stray: PageForm,
    /// What stands between the last word and the next.
    gap: WordGap,
}

/// A tag whose attributes are being read.
#[derive(Default)]
struct OpenedTag {
    name: Vec<u8>,
    attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What the text at hand belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextPlace {
    Body,
    Title,
    /// Styles and scripts.
    Hidden,
    /// A drawing: only its description is read.
    Picture,
    PictureWords,
    Option,
    Button,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum WordGap {
    None,
    Space,
    Cell,
    Line,
}

impl OpenedTag {
    fn get(&self, name: &str) -> Option<String> {
        let found = self.attributes.iter().find(|(known, _)| known == name.as_bytes());
        found.map(|(_, value)| String::from_utf8_lossy(value).into_owned())
    }

    fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(known, _)| known == name.as_bytes())
    }
}

impl PageReader {
    fn new(address: &str) -> Self {
        Self {
            base: Url::parse(address).ok(),
            page: PageReading::default(),
            tag: OpenedTag::default(),
            place: TextPlace::Body,
            link_from: None,
            is_form_open: false,
            stray: PageForm::default(),
            gap: WordGap::None,
        }
    }

    fn take(&mut self, event: &CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag.name = name.to_vec();
                self.tag.attributes.clear();
            }
            CallbackEvent::AttributeName { name } => self.tag.attributes.push((name.to_vec(), Vec::new())),
            CallbackEvent::AttributeValue { value } => {
                if let Some((_, last)) = self.tag.attributes.last_mut() {
                    last.extend_from_slice(value);
                }
            }
            CallbackEvent::CloseStartTag { .. } => {
                let tag = std::mem::take(&mut self.tag);
                self.open(&tag);
            }
            CallbackEvent::EndTag { name } => self.close(name),
            CallbackEvent::String { value } => self.text(&String::from_utf8_lossy(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
    }

    fn open(&mut self, tag: &OpenedTag) {
        match (self.place, tag.name.as_slice()) {
            (TextPlace::Picture, b"desc") => {
                self.mark("[picture: ");
                self.place = TextPlace::PictureWords;
            }
            (TextPlace::Picture | TextPlace::PictureWords | TextPlace::Hidden, _) => {}
            (_, b"style" | b"script" | b"template") => self.place = TextPlace::Hidden,
            (_, b"title") => self.place = TextPlace::Title,
            (_, b"svg") => self.open_picture(tag),
            (_, b"img") => self.picture_words(&tag.get("alt").unwrap_or_default()),
            (_, b"a") => self.open_link(tag),
            (_, b"form") => self.open_form(tag),
            (_, b"input") => self.input(tag),
            (_, b"textarea") => self.field(FormField { value: Some(String::new()), ..named(tag) }),
            (_, b"select") => self.form_mut().fields.push(named(tag)),
            (_, b"option") => self.open_option(tag),
            (_, b"button") => self.place = TextPlace::Button,
            (_, b"td" | b"th") => self.want(WordGap::Cell),
            (_, name) => self.block(name, TagEdge::Start),
        }
    }

    fn close(&mut self, name: &[u8]) {
        match (self.place, name) {
            (TextPlace::PictureWords, b"desc") => {
                self.place = TextPlace::Picture;
                self.page.text.push(']');
            }
            (TextPlace::Picture, b"svg")
            | (TextPlace::Hidden, b"style" | b"script" | b"template")
            | (TextPlace::Title, b"title")
            | (TextPlace::Option, b"option") => self.place = TextPlace::Body,
            (TextPlace::Picture | TextPlace::PictureWords | TextPlace::Hidden, _) => {}
            (_, b"a") => self.close_link(),
            (_, b"form") => self.close_form(),
            (_, b"select") => self.close_select(),
            (_, b"button") => self.close_button(),
            (_, name) => self.block(name, TagEdge::End),
        }
    }

    fn text(&mut self, text: &str) {
        match self.place {
            TextPlace::Hidden | TextPlace::Picture => {}
            TextPlace::Title => self.page.title.push_str(text),
            TextPlace::Option => {
                let option = self.form_mut().fields.last_mut().and_then(|field| field.options.last_mut());
                if let Some((_, label)) = option {
                    label.push_str(text.trim());
                }
            }
            TextPlace::Button => self.form_mut().button.push_str(text.trim()),
            TextPlace::Body | TextPlace::PictureWords => self.words(text),
        }
    }

    /// Writes words, with single spaces between them.
    fn words(&mut self, text: &str) {
        if text.starts_with(is_space) {
            self.want(WordGap::Space);
        }
        let mut is_first = true;
        for word in text.split(is_space).filter(|word| !word.is_empty()) {
            if !is_first {
                self.page.text.push(' ');
            }
            self.mark(word);
            is_first = false;
        }
        if !is_first && text.ends_with(is_space) {
            self.want(WordGap::Space);
        }
    }

    /// Writes something that stands in the text as it is.
    fn mark(&mut self, mark: &str) {
        let text = &mut self.page.text;
        match self.gap {
            WordGap::None => {}
            _ if text.is_empty() => {}
            WordGap::Space => text.push(' '),
            WordGap::Cell => text.push_str(" | "),
            WordGap::Line => text.push('\n'),
        }
        self.gap = WordGap::None;
        text.push_str(mark);
    }

    fn want(&mut self, gap: WordGap) {
        self.gap = self.gap.max(gap);
    }

    fn block(&mut self, name: &[u8], edge: TagEdge) {
        let is_inline = matches!(
            name,
            b"b" | b"i"
                | b"em"
                | b"strong"
                | b"span"
                | b"small"
                | b"sub"
                | b"sup"
                | b"abbr"
                | b"code"
                | b"mark"
                | b"time"
        );
        if is_inline {
            return;
        }
        // A cell is no block: its row is.
        if matches!(name, b"td" | b"th" | b"label" | b"input") {
            return self.want(WordGap::Space);
        }
        self.want(WordGap::Line);
        let sign = match name {
            b"h1" => "# ",
            b"h2" => "## ",
            b"h3" | b"h4" => "### ",
            b"li" => "- ",
            _ => return,
        };
        if edge == TagEdge::Start {
            self.mark(sign);
        }
    }

    fn open_picture(&mut self, tag: &OpenedTag) {
        self.place = TextPlace::Picture;
        self.picture_words(&tag.get("aria-label").unwrap_or_default());
    }

    fn picture_words(&mut self, words: &str) {
        if !words.trim().is_empty() {
            self.mark(&format!("[picture: {}]", words.trim()));
            self.want(WordGap::Space);
        }
    }

    fn open_link(&mut self, tag: &OpenedTag) {
        let Some(to) = tag.get("href") else { return };
        if self.page.text.ends_with(')') {
            self.want(WordGap::Space);
        }
        self.mark("[");
        self.link_from = Some(self.page.text.len());
        let to = joined(self.base.as_ref(), &to);
        self.page.links.push(PageLink { to, text: String::new() });
    }

    fn close_link(&mut self) {
        let Some(from) = self.link_from.take() else { return };
        let n_links = self.page.links.len();
        if let Some(link) = self.page.links.last_mut() {
            self.page.text[from..].clone_into(&mut link.text);
        }
        let is_spaced = self.gap == WordGap::Space;
        self.gap = WordGap::None;
        self.mark(&format!("]({n_links})"));
        self.gap = if is_spaced { WordGap::Space } else { WordGap::None };
    }

    /// The form that is open. Fields outside of any belong to one that is never sent.
    fn form_mut(&mut self) -> &mut PageForm {
        if self.is_form_open { self.page.forms.last_mut().expect("a form is open") } else { &mut self.stray }
    }

    fn open_form(&mut self, tag: &OpenedTag) {
        let action = joined(self.base.as_ref(), &tag.get("action").unwrap_or_default());
        let is_post = tag.get("method").is_some_and(|method| method.eq_ignore_ascii_case("post"));
        self.page.forms.push(PageForm { action, is_post, ..PageForm::default() });
        self.is_form_open = true;
        self.want(WordGap::Line);
        self.mark(&format!("Form {}:", self.page.forms.len()));
        self.want(WordGap::Space);
    }

    fn close_form(&mut self) {
        self.is_form_open = false;
        self.want(WordGap::Line);
    }

    fn input(&mut self, tag: &OpenedTag) {
        let (kind, value) = (tag.get("type").unwrap_or_default(), tag.get("value").unwrap_or_default());
        let field = named(tag);
        match kind.as_str() {
            "submit" | "button" | "reset" | "image" => self.form_mut().button = value,
            "hidden" => self.form_mut().fields.push(FormField { value: Some(value), ..field }),
            "checkbox" | "radio" => {
                let ticked = tag.has("checked").then(|| value.clone());
                let is_radio = kind == "radio";
                self.field(FormField { value: ticked, tick: Some(value), is_radio, ..field });
            }
            _ => self.field(FormField { value: Some(value), ..field }),
        }
    }

    /// Takes a field in and shows it.
    fn field(&mut self, field: FormField) {
        let shown = match &field.tick {
            Some(tick) if field.value.is_some() => format!("{{{}: {tick}, ticked}}", field.name),
            Some(tick) => format!("{{{}: {tick}, not ticked}}", field.name),
            None => format!("{{{}: \"{}\"}}", field.name, field.value.as_deref().unwrap_or_default()),
        };
        self.form_mut().fields.push(field);
        self.want(WordGap::Space);
        self.mark(&shown);
        self.want(WordGap::Space);
    }

    fn open_option(&mut self, tag: &OpenedTag) {
        self.place = TextPlace::Option;
        let is_chosen = tag.has("selected");
        let value = tag.get("value");
        let Some(field) = self.form_mut().fields.last_mut() else { return };
        // The first option is chosen unless another one says so.
        if field.options.is_empty() || is_chosen {
            field.value.clone_from(&value);
        }
        field.options.push((value.unwrap_or_default(), String::new()));
    }

    fn close_select(&mut self) {
        self.place = TextPlace::Body;
        let Some(field) = self.form_mut().fields.last() else { return };
        let labels: Vec<&str> = field.options.iter().map(|(_, label)| label.as_str()).collect();
        let shown = format!("{{{}: \"{}\" of {}}}", field.name, field.chosen(), labels.join("; "));
        self.want(WordGap::Space);
        self.mark(&shown);
        self.want(WordGap::Space);
    }

    fn close_button(&mut self) {
        self.place = TextPlace::Body;
        let shown = format!("<{}>", self.form_mut().button);
        self.want(WordGap::Space);
        self.mark(&shown);
        self.want(WordGap::Space);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagEdge {
    Start,
    End,
}

fn named(tag: &OpenedTag) -> FormField {
    FormField { name: tag.get("name").unwrap_or_default(), ..FormField::default() }
}

/// Spaces that lines may be broken at.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\t' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<!doctype html><html><head><title>Steel &amp; iron</title><style>p{color:"<red>"}</style></head>
        <body><nav><a href="/">Home</a> <a class="x" href="/a?b=1&amp;c=2">One <b>two</b></a></nav>
        <h1>Steel</h1><p>It is <i>hard</i> (<a href="https://b.web/">B</a>).</p>
        <svg><title>hidden</title><text>5</text><desc>2001: 4; 2002: 5</desc></svg>
        <table><tr><th>Year</th><th>Tonnes</th></tr><tr><td>2001</td><td>12&nbsp;000</td></tr></table>
        <form method="get" action="/search?old=1"><label>Words <input type="text" name="q" value="steel"></label>
        <select name="y"><option value="">any</option><option value="7" selected>Seven</option></select>
        <input type="hidden" name="h" value="1">
        <input type="checkbox" name="t" value="on"><button type="submit">Go</button></form></body></html>"#;

    #[test]
    fn a_page_is_read_line_by_line() {
        let page = read("https://a.web/x", PAGE);
        assert_eq!(page.title, "Steel & iron");
        let expected = "[Home](1) [One two](2)\n# Steel\nIt is hard ([B](3)).\n[picture: 2001: 4; 2002: 5]\nYear | Tonnes\n\
                        2001 | 12\u{a0}000\nForm 1: Words {q: \"steel\"} {y: \"Seven\" of any; Seven} {t: on, not ticked} <Go>";
        assert_eq!(page.text, expected);
        let links: Vec<String> = page.links.iter().map(|link| format!("{} {}", link.to, link.text)).collect();
        assert_eq!(links, ["https://a.web/ Home", "https://a.web/a?b=1&c=2 One two", "https://b.web/ B"]);
    }

    #[test]
    fn forms_send_what_stands_in_them() {
        let mut form = read("https://a.web/x", PAGE).forms.remove(0);
        assert_eq!(form.request().address, "https://a.web/search?q=steel&y=7&h=1");
        form.set("q", "a & b").unwrap();
        form.set("y", "any").unwrap();
        form.tick("t", &["on"]).unwrap();
        assert_eq!(form.request().address, "https://a.web/search?q=a+%26+b&y=&h=1&t=on");
        assert_eq!(form.set("y", "Nine").unwrap_err(), "`y` does not offer `Nine`");
        assert_eq!(form.set("z", "1").unwrap_err(), "the form has no field `z` to write in");
        assert_eq!(form.tick("t", &["off"]).unwrap_err(), "there is no box `t: off`");
        form.is_post = true;
        let sent = form.request();
        assert_eq!(
            (sent.address.as_str(), sent.body.as_deref()),
            ("https://a.web/search?old=1", Some("q=a+%26+b&y=&h=1&t=on"))
        );
    }

    #[test]
    fn whatever_is_called_html_is_read() {
        for torn in [
            "<a",
            "<a href=",
            "</a></form></select>",
            "<form><select><option>",
            "<svg><desc>x",
            "<option>x</option>",
            "<button>",
        ] {
            drop(read("no address", torn));
        }
        assert_eq!(read("https://a.web/", "<a href='x'>y").links[0].to, "https://a.web/x");
    }
}
