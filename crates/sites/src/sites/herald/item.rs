//! The page of an item.

use quintain_atlas::news::Outlet;
use quintain_atlas::provenance::Source;
use quintain_atlas::{CountryId, Entity, NewsId};

use super::archive::{printed_between, subjects};
use super::headline::headline;
use super::lists::{StoryRow, rows};
use super::story::{NewsStory, asked};
use super::telling::tell;
use super::{HOST, HeraldPage};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, NewsAspect};
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::pictures::{flag, locator_map, logo};
use crate::response::SiteResponse;
use crate::sites::entity_address;
use crate::web::Web;

/// How many other items a page names at most, in each of its lists.
const MOST_RELATED: usize = 6;

/// An item, or a correction.
pub(super) fn item(web: &Web, news: NewsId) -> SiteResponse {
    let atlas = &web.atlas;
    let mut page = writer(web, news);
    let mut story = NewsStory::of(atlas, asked(atlas, news));
    story.slots.extend(archive_slots(web, news));
    let title = headline(&mut page, news);
    let mut main = Html::new();
    main.wrap("p", &[("class", "byline")], &byline(&mut page, news));
    correction_note(&mut page, news, &mut main);
    main.element("div", &[("class", "story")], |html| {
        let dateline = dateline(&mut page, &story);
        tell(&mut page, news, &story, dateline, html);
    });
    corrected_item(&mut page, news, &mut main);
    related(&mut page, &story, news, &mut main);
    let aside = beside(&mut page, &story, news);
    let section = web.archive.section(news);
    let (year, month, _) = atlas.news.date[news].parts();
    let month = HeraldPage::Month(year, month as u8, Some(section));
    let crumbs = vec![
        ("Front page".to_owned(), "/".to_owned()),
        (section.label().to_owned(), HeraldPage::Section(section).path(web)),
        ("The same month".to_owned(), month.path(web)),
    ];
    page.finish(&PageBody { title, crumbs, main, aside })
}

/// A page that speaks as the paper that printed an item, as of its day.
pub(super) fn writer(web: &Web, news: NewsId) -> PageWriter<'_> {
    let source = match web.atlas.news.outlet[news] {
        Outlet::Herald => Source::Herald,
        Outlet::Courier => Source::Courier,
    };
    PageWriter::about(web, HOST, news.into(), web.atlas.news.date[news]).told_by(source)
}

/// The days of other items that an item speaks of: the last one on the same subject, and the one that is put right.
fn archive_slots(web: &Web, news: NewsId) -> impl Iterator<Item = (&'static str, Fact)> {
    let printed = |news: NewsId| Fact::new(news, Aspect::News(NewsAspect::Printed));
    let subject = subjects(&web.atlas, news)[0];
    let day = web.atlas.news.date[news];
    let is_earlier = |other: &NewsId| web.atlas.news.date[*other] < day;
    let last = subject.and_then(|subject| web.archive.about(subject).rev().find(is_earlier));
    let wrong = web.atlas.news.corrects[news];
    let slots = [("last_day", last), ("wrong_day", wrong)];
    slots.into_iter().filter_map(move |(slot, other)| Some((slot, printed(other?))))
}

fn byline(page: &mut PageWriter, news: NewsId) -> Html {
    let own = |aspect| Fact::new(news, Aspect::News(aspect));
    let paper = page.say(own(NewsAspect::PrintedIn)).unwrap_or_default();
    let day = page.say(own(NewsAspect::Printed)).unwrap_or_default();
    let section = page.web.archive.section(news);
    let desk = page.web.phrases.plain(&format!("herald.byline.{}", section.slug()), page.draw.fork_text("byline"));
    let mut html = Html::new();
    html.leaf("b", &[], &desk).text(&format!(" \u{b7} {paper}, {day}"));
    html
}

/// The place from which an item was sent, in front of its first sentence.
fn dateline(page: &mut PageWriter, story: &NewsStory) -> Html {
    let place = page.web.atlas.title(story.from.into()).to_uppercase();
    page.state_as(Fact::new(story.from, Aspect::Name), &place);
    let mut html = Html::new();
    html.leaf("span", &[("class", "dateline")], &place).text(" \u{2014} ");
    html
}

/// A corrected item says so, and where.
fn correction_note(page: &mut PageWriter, news: NewsId, main: &mut Html) {
    let Some(by) = page.web.atlas.news.corrected_by[news] else { return };
    let day = page.say(Fact::new(by, Aspect::News(NewsAspect::Printed))).unwrap_or_default();
    let path = HeraldPage::Item(by).path(page.web);
    let words = page.words("herald.corrected.note");
    main.element("p", &[("class", "note")], |html| {
        html.text(&words).text(" ").link(&path, &format!("See the correction of {day}")).text(".");
    });
}

/// A correction names the item that it puts right.
fn corrected_item(page: &mut PageWriter, news: NewsId, main: &mut Html) {
    let Some(wrong) = page.web.atlas.news.corrects[news] else { return };
    main.leaf("h2", &[], "The item in question");
    rows(page, [wrong].into_iter(), StoryRow::Plain, main);
}

/// Other items about the same, the nearest in time.
fn related(page: &mut PageWriter, story: &NewsStory, news: NewsId, main: &mut Html) {
    let subject = subjects(&page.web.atlas, news)[0].unwrap_or(story.about);
    let own = [Some(news), page.web.atlas.news.corrects[news]];
    let mut others: Vec<NewsId> =
        page.web.archive.about(subject).filter(|other| !own.contains(&Some(*other))).collect();
    let n_others = others.len();
    others.sort_by_key(|other| (other.0.abs_diff(news.0), *other));
    others.truncate(MOST_RELATED);
    others.sort_unstable();
    if others.is_empty() {
        return;
    }
    main.leaf("h2", &[], "From the archive");
    rows(page, others.into_iter().rev(), StoryRow::Plain, main);
    if n_others > MOST_RELATED {
        let path = HeraldPage::Topic(subject).path(page.web);
        let name = page.web.atlas.title(subject);
        main.element("p", &[("class", "more")], |html| {
            html.link(&path, "Everything that was printed on this");
        });
        page.state_as(Fact::new(subject, Aspect::Name), &name);
    }
}

fn beside(page: &mut PageWriter, story: &NewsStory, news: NewsId) -> Html {
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        picture(page, story.about, html);
        html.leaf("h2", &[], "More about");
        html.element("ul", &[("class", "plain")], |html| {
            for subject in subjects(&page.web.atlas, news).into_iter().flatten() {
                html.wrap("li", &[], &page.name(subject));
            }
        });
    });
    same_day(page, news, &mut aside);
    elsewhere(page.web, story.about, &mut aside);
    aside
}

fn picture(page: &PageWriter, about: Entity, html: &mut Html) {
    let (web, geography) = (page.web, &page.web.atlas.geography);
    let coast = |country: CountryId| web.draw.fork_text("coast").fork(u64::from(country.0));
    match about {
        Entity::Company(company) => {
            html.piece(&logo(web.draw.fork(u64::from(company.0)).fork_text("logo"), 84));
        }
        Entity::Country(country) => {
            html.piece(&flag(web.draw.fork_text("flag").fork(u64::from(country.0)), 130));
        }
        Entity::Region(region) => {
            let country = geography.regions.country[region];
            html.piece(&locator_map(&web.atlas, country, Some(geography.regions.middle[region]), coast(country)));
        }
        Entity::Place(place) => {
            let country = geography.country_of_place(place);
            html.piece(&locator_map(&web.atlas, country, Some(geography.places.point[place]), coast(country)));
        }
        _ => {}
    }
}

/// What else was printed on the day.
fn same_day(page: &mut PageWriter, news: NewsId, aside: &mut Html) {
    let day = page.web.atlas.news.date[news];
    let ids = printed_between(&page.web.atlas, day, day.plus_days(1));
    let others = ids.map(|at| NewsId(at as u32)).filter(|&other| other != news).take(MOST_RELATED);
    let others: Vec<NewsId> = others.collect();
    if others.is_empty() {
        return;
    }
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Printed on the same day");
        html.element("ul", &[("class", "plain")], |html| {
            for other in others {
                let title = headline(page, other);
                html.element("li", &[], |html| {
                    html.link(&HeraldPage::item_path(page.web, other, &title), &title);
                });
            }
        });
    });
}

/// Other sites on somebody or something, official ones first.
pub(super) fn elsewhere(web: &Web, about: Entity, aside: &mut Html) {
    let hosts = [SiteHost::Registry, SiteHost::Gazette, SiteHost::Numbers, SiteHost::Scholar, SiteHost::Pedia];
    let found = hosts.into_iter().filter_map(|host| Some((host, entity_address(web, host, about)?)));
    let found: Vec<(SiteHost, String)> = found.collect();
    if found.is_empty() {
        return;
    }
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "On other sites");
        html.element("ul", &[("class", "plain")], |html| {
            for (host, address) in found {
                html.element("li", &[], |html| {
                    html.link(&address, web.look(host).brand);
                });
            }
        });
    });
}
