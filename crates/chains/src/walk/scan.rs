//! Links and forms of a page. The sites write their pages themselves, always in the same way, so no parser of whatever
//! else is called HTML is needed.

/// A link of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLink {
    /// The whole address it leads to.
    pub to: String,
    /// What is written on it.
    pub text: String,
}

/// A form of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageForm {
    /// The whole address it is sent to.
    pub action: String,
    /// What is written on its button.
    pub button: String,
    /// Its fields, in order.
    pub fields: Vec<FormField>,
}

/// A field of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormField {
    pub(super) name: String,
    /// What is sent if nobody touches it; nothing for a box that is not ticked.
    pub(super) value: Option<String>,
    /// The value of a box that can be ticked.
    pub(super) tick: Option<String>,
    /// The values and labels of its options, where it has some.
    pub(super) options: Vec<(String, String)>,
}

/// A tag, and where the text behind it begins and ends.
struct PageTag<'a> {
    name: &'a str,
    attributes: &'a str,
    /// The text up to the next tag.
    text: &'a str,
}

impl PageTag<'_> {
    fn attribute(&self, name: &str) -> Option<String> {
        let rest = self.attributes.split_once(&format!(" {name}=\""))?.1;
        Some(unescaped(rest.split('"').next()?))
    }

    fn has(&self, name: &str) -> bool {
        self.attributes.split_whitespace().any(|word| word == name || word.starts_with(&format!("{name}=")))
    }
}

fn tags(html: &str) -> impl Iterator<Item = PageTag<'_>> {
    html.split('<').skip(1).filter_map(|piece| {
        let (tag, text) = piece.split_once('>')?;
        let end = tag.find(char::is_whitespace).unwrap_or(tag.len());
        Some(PageTag { name: &tag[..end], attributes: &tag[end..], text })
    })
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

/// An address as the browser makes it whole.
fn whole(base: &str, address: &str) -> String {
    if address.starts_with("https://") {
        return address.to_owned();
    }
    let host_end = base.find("://").map_or(0, |at| at + 3);
    let host_end = base[host_end..].find('/').map_or(base.len(), |at| host_end + at);
    match address.strip_prefix('?') {
        Some(_) => format!("{}{address}", base.split('?').next().unwrap_or(base)),
        None => format!("{}{address}", &base[..host_end]),
    }
}

/// The links of a page, in order.
pub(super) fn links(base: &str, html: &str) -> Vec<PageLink> {
    let mut links: Vec<PageLink> = Vec::new();
    let mut is_open = false;
    for tag in tags(html) {
        match tag.name {
            "a" => {
                is_open = true;
                links.extend(
                    tag.attribute("href").map(|href| PageLink { to: whole(base, &href), text: unescaped(tag.text) }),
                );
            }
            "/a" => is_open = false,
            _ if is_open => {
                if let Some(link) = links.last_mut() {
                    link.text.push_str(&unescaped(tag.text));
                }
            }
            _ => {}
        }
    }
    links
}

/// The forms of a page, in order.
pub(super) fn forms(base: &str, html: &str) -> Vec<PageForm> {
    let mut forms: Vec<PageForm> = Vec::new();
    let mut is_open = false;
    for tag in tags(html) {
        match tag.name {
            "form" => {
                let action = whole(base, &tag.attribute("action").unwrap_or_default());
                forms.push(PageForm { action, ..PageForm::default() });
                is_open = true;
            }
            "/form" => is_open = false,
            _ if is_open => forms.last_mut().expect("a form is open").read(&tag),
            _ => {}
        }
    }
    forms
}

impl PageForm {
    fn read(&mut self, tag: &PageTag<'_>) {
        let name = tag.attribute("name").unwrap_or_default();
        match tag.name {
            "input" => self.fields.extend(input(name, tag)),
            "select" => self.fields.push(FormField { name, ..FormField::default() }),
            "option" => {
                let Some(field) = self.fields.last_mut() else { return };
                let label = unescaped(tag.text.trim());
                let value = tag.attribute("value").unwrap_or_else(|| label.clone());
                // The first option is chosen unless another one says so.
                if field.value.is_none() || tag.has("selected") {
                    field.value = Some(value.clone());
                }
                field.options.push((value, label));
            }
            "button" => self.button = unescaped(tag.text.trim()),
            _ => {}
        }
    }
}

fn input(name: String, tag: &PageTag<'_>) -> Option<FormField> {
    let value = tag.attribute("value").unwrap_or_default();
    match tag.attribute("type").as_deref() {
        Some("submit" | "button" | "reset") => None,
        Some("checkbox" | "radio") => {
            let ticked = tag.has("checked").then(|| value.clone());
            Some(FormField { name, value: ticked, tick: Some(value), options: Vec::new() })
        }
        _ => Some(FormField { name, value: Some(value), ..FormField::default() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_forms_are_read_off_a_page() {
        let html = "<p><a class=\"x\" href=\"/a?b=1&amp;c=2\">One <b>two</b></a> <a href=\"https://b.web/\">B</a></p>\
                    <form method=\"get\" action=\"/search\"><input type=\"text\" name=\"q\" value=\"steel\">\
                    <select name=\"y\"><option value=\"\">any</option><option value=\"7\" selected>Seven</option></select>\
                    <input type=\"checkbox\" name=\"t\" value=\"on\"><button type=\"submit\">Go</button></form>";
        let links = links("https://a.web/x", html);
        let told: Vec<String> = links.iter().map(|link| format!("{} {}", link.to, link.text)).collect();
        assert_eq!(told, ["https://a.web/a?b=1&c=2 One two", "https://b.web/ B"]);
        let forms = forms("https://a.web/x", html);
        let fields: Vec<String> =
            forms[0].fields.iter().map(|field| format!("{}={:?}", field.name, field.value)).collect();
        assert_eq!(fields, ["q=Some(\"steel\")", "y=Some(\"7\")", "t=None"]);
        assert_eq!((forms[0].action.as_str(), forms[0].button.as_str()), ("https://a.web/search", "Go"));
    }
}
