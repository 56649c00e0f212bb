//! Parts that pages of all sites have: lists that are cut into pages, and lists to choose from.

use crate::html::{Html, OptionState};
use crate::look::PagerStyle;
use crate::request::with_parameters;

/// Which rows of a list a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageRange {
    /// The page, from 1.
    pub(crate) number: usize,
    /// How many pages there are, at least one.
    pub(crate) n_pages: usize,
    /// The first row.
    pub(crate) first: usize,
    /// The row after the last.
    pub(crate) end: usize,
}

/// How a list is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListPage {
    /// How many rows there are in all.
    pub(crate) n_rows: usize,
    /// How many rows a page has, at most 50.
    pub(crate) rows_a_page: usize,
}

impl ListPage {
    /// The rows of a page; `None` where the list has no such page.
    pub(crate) fn range(self, number: usize) -> Option<PageRange> {
        let n_pages = self.n_rows.div_ceil(self.rows_a_page).max(1);
        let first = (number.checked_sub(1)?).checked_mul(self.rows_a_page)?;
        let end = (first + self.rows_a_page).min(self.n_rows);
        (number <= n_pages).then_some(PageRange { number, n_pages, first, end })
    }
}

/// Links to the other pages of a list. `parameters` are kept; `page` is put to them.
pub(crate) fn pager(html: &mut Html, style: PagerStyle, range: PageRange, path: &str, parameters: &[(&str, &str)]) {
    if range.n_pages < 2 {
        return;
    }
    let address = |number: usize| {
        let number = number.to_string();
        let page = [("page", if number == "1" { "" } else { number.as_str() })];
        with_parameters(path, &[parameters, &page].concat())
    };
    html.element("nav", &[("class", "pager"), ("aria-label", "Pages")], |html| {
        step(html, "Previous", "\u{2190} ", "", (range.number > 1).then(|| address(range.number - 1)));
        if style == PagerStyle::Numbers {
            numbers(html, range, &address);
        } else {
            html.leaf("span", &[("class", "here")], &format!("Page {} of {}", range.number, range.n_pages));
        }
        step(html, "Next", "", " \u{2192}", (range.number < range.n_pages).then(|| address(range.number + 1)));
    });
}

fn step(html: &mut Html, label: &str, before: &str, after: &str, address: Option<String>) {
    let text = format!("{before}{label}{after}");
    match address {
        Some(address) => html.link(&address, &text),
        None => html.leaf("span", &[("class", "off")], &text),
    };
}

fn numbers(html: &mut Html, range: PageRange, address: &impl Fn(usize) -> String) {
    let near = |number: &usize| *number == 1 || *number == range.n_pages || number.abs_diff(range.number) <= 2;
    let mut last = 0;
    for number in (1..=range.n_pages).filter(near) {
        if number > last + 1 {
            html.leaf("span", &[("class", "off")], "\u{2026}");
        }
        if number == range.number {
            html.leaf("span", &[("class", "here")], &number.to_string());
        } else {
            html.link(&address(number), &number.to_string());
        }
        // Readers of the bare text must not take two numbers for one.
        html.text(" ");
        last = number;
    }
}

/// A labelled list of options, values and labels, of which one is chosen.
pub(crate) fn select(html: &mut Html, label: &str, name: &str, options: &[(String, String)], chosen: &str) {
    html.element("label", &[], |html| {
        html.text(label).element("select", &[("name", name)], |html| {
            for (value, label) in options {
                // An option without a value of its own would be sent as its label.
                let choice = if value == chosen { OptionState::Chosen } else { OptionState::Other };
                html.open_option(value, choice).text(label).close("option");
            }
        });
    });
}

/// Options behind one that leaves the choice open.
pub(crate) fn or_any(label: &str, options: impl IntoIterator<Item = (String, String)>) -> Vec<(String, String)> {
    std::iter::once((String::new(), label.to_owned())).chain(options).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_into_pages() {
        let list = ListPage { n_rows: 101, rows_a_page: 50 };
        assert_eq!(list.range(3), Some(PageRange { number: 3, n_pages: 3, first: 100, end: 101 }));
        assert_eq!((list.range(0), list.range(4), list.range(usize::MAX)), (None, None, None));
        assert_eq!(ListPage { n_rows: 0, rows_a_page: 50 }.range(1).unwrap().end, 0);
    }
}
