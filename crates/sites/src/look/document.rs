//! A whole document: header, body, footer in the site's look.

use crate::host::SiteHost;
use crate::html::Html;
use crate::look::Look;
use crate::page::PageBody;
use crate::pictures::mark;
use crate::sites::shell;
use crate::web::Web;

/// What a site's header and footer hold.
#[derive(Clone, Debug)]
pub(crate) struct ShellParts {
    /// Links of the header: label and path.
    pub(crate) links: Vec<(&'static str, String)>,
    /// The path of the search form, the name of its field, and the hint in it.
    pub(crate) seek: Option<(&'static str, &'static str, &'static str)>,
    /// Lines of the footer.
    pub(crate) footer: Vec<String>,
}

/// Writes a document.
pub(crate) fn document(web: &Web, host: SiteHost, body: &PageBody) -> String {
    let look = web.look(host);
    let parts = shell(web, host);
    let mut html = Html::new();
    html.markup("<!doctype html>").element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| head(html, look, body));
        html.element("body", &[], |html| {
            html.element("div", &[("class", "page")], |html| {
                html.element("header", &[("class", "top")], |html| header(html, look, &parts));
                html.element("div", &[("class", "body")], |html| middle(html, body));
                html.element("footer", &[("class", "foot")], |html| footer(html, &parts));
            });
        });
    });
    html.into_string()
}

fn head(html: &mut Html, look: &Look, body: &PageBody) {
    let title =
        if body.title.is_empty() { look.brand.to_owned() } else { format!("{} \u{2013} {}", body.title, look.brand) };
    html.markup("<meta charset=\"utf-8\">").leaf("title", &[], &title);
    // Style sheets are made by the program from its own colours and files alone; quotes in them are no markup.
    html.style(&look.css);
}

fn header(html: &mut Html, look: &Look, parts: &ShellParts) {
    html.element("div", &[("class", "in")], |html| {
        html.element("a", &[("class", "brand"), ("href", "/")], |html| {
            html.piece(&mark(look)).text(look.brand);
        });
        html.element("nav", &[("class", "nav")], |html| {
            parts.links.iter().for_each(|(label, path)| {
                html.link(path, label);
            });
        });
        if let Some(seek) = parts.seek {
            seek_form(html, seek, "");
        }
    });
}

/// A form with one field and a button.
pub(crate) fn seek_form(html: &mut Html, (path, field, hint): (&str, &str, &str), value: &str) {
    html.element("form", &[("class", "seek"), ("action", path), ("method", "get")], |html| {
        let typed = [("type", "text"), ("name", field), ("placeholder", hint), ("aria-label", hint), ("value", value)];
        html.open("input", if value.is_empty() { &typed[..4] } else { &typed });
        html.leaf("button", &[("type", "submit")], "Search");
    });
}

fn middle(html: &mut Html, body: &PageBody) {
    html.element("div", &[("class", "in")], |html| {
        if !body.crumbs.is_empty() {
            html.element("div", &[("class", "crumbs")], |html| crumbs(html, body));
        }
        html.element("div", &[("class", "cols")], |html| {
            html.element("main", &[("class", "main")], |html| {
                if !body.title.is_empty() {
                    html.leaf("h1", &[], &body.title);
                }
                html.piece(&body.main);
            });
            if !body.aside.is_empty() {
                html.wrap("aside", &[("class", "aside")], &body.aside);
            }
        });
    });
}

fn crumbs(html: &mut Html, body: &PageBody) {
    for (label, path) in &body.crumbs {
        html.link(path, label).text(" \u{203a} ");
    }
    html.text(&body.title);
}

fn footer(html: &mut Html, parts: &ShellParts) {
    html.element("div", &[("class", "in")], |html| {
        for line in &parts.footer {
            html.leaf("p", &[], line);
        }
        html.element("p", &[], |html| {
            html.link("/about", "About");
        });
    });
}
