//! Lists of papers: their order, whether retracted ones are left out, their rows.

use std::cmp::Reverse;

use quintain_atlas::papers::FIRST_PAPER_YEAR;
use quintain_atlas::{Date, Entity, PaperId};

use super::{HOST, of};
use crate::draw::Draw;
use crate::facts::PaperAspect;
use crate::html::{Html, OptionState};
use crate::page::{ListPage, PageRange, PageWriter, pager};
use crate::request::SiteQuery;
use crate::web::Web;

/// In which order papers are listed. Papers that are alike in it come in no particular order, so that no list tells
/// more of days than their years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PaperOrder {
    /// By year, the last one first.
    #[default]
    Newest,
    /// By year, the first one first.
    Oldest,
    /// The most cited one first.
    Citations,
}

impl PaperOrder {
    /// All orders.
    pub const ALL: [Self; 3] = [Self::Newest, Self::Oldest, Self::Citations];

    /// The value of the parameter `sort`.
    pub const fn value(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::Citations => "citations",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Newest => "Newest year first",
            Self::Oldest => "Oldest year first",
            Self::Citations => "Most cited first",
        }
    }
}

/// Whether a list shows retracted papers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RetractedShown {
    /// It does, with a mark.
    #[default]
    Marked,
    /// It does not.
    Hidden,
}

/// How a list of papers is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PaperView {
    pub(super) order: PaperOrder,
    pub(super) retracted: RetractedShown,
}

const ROWS_A_PAGE: usize = 20;

impl PaperView {
    /// The parameters of every list of papers.
    pub(super) const OFFERED: [&'static str; 3] = ["sort", "retracted", "page"];

    /// How a list is asked for; `None` where it is asked for in a way that is not offered.
    pub(super) fn read(query: &SiteQuery) -> Option<Self> {
        let order = match query.parameter("sort") {
            Some(value) => PaperOrder::ALL.into_iter().find(|order| order.value() == value)?,
            None => PaperOrder::default(),
        };
        let retracted = match query.parameter("retracted") {
            Some("hide") => RetractedShown::Hidden,
            Some(_) => return None,
            None => RetractedShown::Marked,
        };
        Some(Self { order, retracted })
    }

    /// Whether the list shows a paper.
    pub(super) fn shows(self, web: &Web, paper: PaperId) -> bool {
        self.retracted == RetractedShown::Marked || web.atlas.papers.retracted[paper].is_none()
    }

    /// The papers of one page of a list that comes with the oldest first.
    fn cut(self, web: &Web, papers: &[PaperId], range: PageRange) -> Vec<PaperId> {
        match self.order {
            PaperOrder::Citations => most_cited(web, papers, range),
            PaperOrder::Newest => by_year(web, papers, (FIRST_PAPER_YEAR..=LAST_PAPER_YEAR).rev(), range),
            PaperOrder::Oldest => by_year(web, papers, FIRST_PAPER_YEAR..=LAST_PAPER_YEAR, range),
        }
    }
}

/// The year before today.
const LAST_PAPER_YEAR: i32 = Date::TODAY.year() - 1;

/// The rows of a page in the order of years. Only years that the page shows are looked into: lists may be long.
fn by_year(web: &Web, papers: &[PaperId], years: impl Iterator<Item = i32>, range: PageRange) -> Vec<PaperId> {
    let before = |day: Date| papers.partition_point(|&paper| web.atlas.papers.date[paper] < day);
    let mut rows = Vec::with_capacity(ROWS_A_PAGE);
    let mut n_before = 0;
    for year in years {
        let of_year = &papers[before(Date::year_start(year))..before(Date::year_start(year + 1))];
        let first = range.first.saturating_sub(n_before).min(of_year.len());
        let end = range.end.saturating_sub(n_before).min(of_year.len());
        n_before += of_year.len();
        if first < end {
            let mut mixed = of_year.to_vec();
            mixed.sort_by_cached_key(|&paper| place_among_equals(web.draw, paper));
            rows.extend_from_slice(&mixed[first..end]);
        }
    }
    rows
}

/// The rows of a page in the order of citations. Only the page itself is put in order.
fn most_cited(web: &Web, papers: &[PaperId], range: PageRange) -> Vec<PaperId> {
    let key = |paper: PaperId| {
        let n = web.atlas.papers.n_citations(paper) as u32;
        (Reverse(n), place_among_equals(web.draw, paper), paper)
    };
    let mut keyed: Vec<_> = papers.iter().map(|&paper| key(paper)).collect();
    if range.end < keyed.len() {
        keyed.select_nth_unstable(range.end);
        keyed.truncate(range.end);
    }
    if range.first > 0 && range.first < keyed.len() {
        keyed.select_nth_unstable(range.first);
    }
    let rows = &mut keyed[range.first.min(range.end)..];
    rows.sort_unstable();
    rows.iter().map(|(_, _, paper)| *paper).collect()
}

/// A number by which papers that are alike in the order of a list are mixed.
fn place_among_equals(draw: Draw, paper: PaperId) -> u32 {
    draw.fork(u64::from(paper.0)).next_u64() as u32
}

/// A list of papers with its controls and its pages, and which of them the page shows; `None` where there is no such page.
pub(super) fn paper_list(
    page: &mut PageWriter,
    query: &SiteQuery,
    papers: &[PaperId],
    into: &mut Html,
) -> Option<Vec<PaperId>> {
    let view = query.takes_only(&PaperView::OFFERED).then(|| PaperView::read(query))??;
    controls(view, &query.path, into);
    let shown: Vec<PaperId> = papers.iter().copied().filter(|&paper| view.shows(page.web, paper)).collect();
    paged_table(page, query, view, &shown, into)
}

/// One page of a list of papers, and which of them it shows; `None` where there is no such page.
pub(super) fn paged_table(
    page: &mut PageWriter,
    query: &SiteQuery,
    view: PaperView,
    shown: &[PaperId],
    into: &mut Html,
) -> Option<Vec<PaperId>> {
    let range = ListPage { n_rows: shown.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    if shown.is_empty() {
        into.leaf("p", &[], &page.words("scholar.list.none"));
        return Some(Vec::new());
    }
    let rows = view.cut(page.web, shown, range);
    paper_table(page, &rows, into);
    let kept = query.parameters.iter().filter(|(name, _)| name != "page");
    let kept: Vec<(&str, &str)> = kept.map(|(name, value)| (name.as_str(), value.as_str())).collect();
    pager(into, page.web.look(HOST).pager, range, &query.path, &kept);
    Some(rows)
}

/// States what papers have in common because a list has them, though no row says it.
pub(super) fn imply(page: &mut PageWriter, rows: &[PaperId], aspect: PaperAspect) {
    for &paper in rows {
        page.state_as(of(paper, aspect), "by the list");
    }
}

fn controls(view: PaperView, path: &str, into: &mut Html) {
    into.element("form", &[("class", "query"), ("method", "get"), ("action", path)], |html| {
        view_fields(view, html);
        html.leaf("button", &[("type", "submit")], "Apply");
    });
}

/// The fields of a form that say how a list is shown.
pub(super) fn view_fields(view: PaperView, html: &mut Html) {
    html.element("label", &[], |html| {
        html.text("Order").element("select", &[("name", "sort")], |html| {
            for order in PaperOrder::ALL {
                let choice = if order == view.order { OptionState::Chosen } else { OptionState::Other };
                html.open_option(order.value(), choice).text(order.label()).close("option");
            }
        });
    });
    html.element("label", &[("class", "tick")], |html| {
        let box_of = [("type", "checkbox"), ("name", "retracted"), ("value", "hide"), ("checked", "")];
        let n = if view.retracted == RetractedShown::Hidden { 4 } else { 3 };
        html.open("input", &box_of[..n]).text("Hide retracted papers");
    });
}

/// Papers as a table, in the order in which they come.
pub(super) fn paper_table(page: &mut PageWriter, papers: &[PaperId], into: &mut Html) {
    into.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Paper</th><th class=\"num\">Year</th><th class=\"num\">Citations</th></tr>");
        for &paper in papers {
            row(page, paper, html);
        }
    });
}

fn row(page: &mut PageWriter, paper: PaperId, html: &mut Html) {
    let title = page.name(paper);
    let retracted = page.say(of(paper, PaperAspect::RetractedMark));
    let authors = authors(page, paper);
    // The page of a journal need not name it in every row.
    let is_known = page.about == Some(Entity::from(page.web.atlas.papers.venue[paper]));
    let venue = if is_known { None } else { page.tell(of(paper, PaperAspect::Venue)) };
    html.element("tr", &[], |html| {
        html.element("td", &[], |html| {
            html.piece(&title);
            retracted_mark(retracted.as_deref(), html);
            html.element("div", &[("class", "small")], |html| {
                html.piece(&authors);
                if let Some(venue) = venue {
                    html.text(" \u{b7} ").wrap("i", &[], &venue);
                }
            });
        });
        for aspect in [PaperAspect::AppearedYear, PaperAspect::Citations] {
            html.leaf("td", &[("class", "num")], &page.say(of(paper, aspect)).unwrap_or_default());
        }
    });
}

/// The mark of a retracted paper.
pub(super) fn retracted_mark(said: Option<&str>, html: &mut Html) {
    if let Some(said) = said {
        html.text(" ").leaf("span", &[("class", "mark")], said);
    }
}

/// The authors of a paper in their order, each linked.
pub(super) fn authors(page: &mut PageWriter, paper: PaperId) -> Html {
    let mut html = Html::new();
    for nth in 0..page.web.atlas.papers.authors.of(paper).len() as u32 {
        if nth > 0 {
            html.text(", ");
        }
        html.piece(&page.tell(of(paper, PaperAspect::Author(nth))).unwrap_or_default());
    }
    html
}
