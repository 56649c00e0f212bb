//! Headlines. They say what an item is about, never figures, names or days that it tells.

use quintain_atlas::NewsId;

use super::HOST;
use super::story::{NewsStory, asked};
use crate::draw::Draw;
use crate::facts::Fact;
use crate::page::{PageWriter, capitalised, indefinite};
use crate::phrases::{Article, PhrasePart};
use crate::web::Web;

/// The headline of an item, without any page that states it.
pub(crate) fn plain_headline(web: &Web, news: NewsId) -> String {
    headline(&mut PageWriter::new(web, HOST), news)
}

/// The headline of an item. What it names is stated on the page, as of the day of the item.
pub(super) fn headline(page: &mut PageWriter, news: NewsId) -> String {
    let atlas = &page.web.atlas;
    let story = NewsStory::of(atlas, asked(atlas, news));
    let is_correction = atlas.news.corrects[news].is_some();
    let draw = page.web.draw.fork(HOST as u64).fork_text("headline").fork(u64::from(story.news.0));
    let day = std::mem::replace(&mut page.as_of, atlas.news.date[story.news]);
    let text = filled(page, &format!("herald.headline.{}", story.family()), &story.slots, draw);
    page.as_of = day;
    if is_correction { format!("{} {text}", page.web.phrases.plain("herald.correction.mark", draw)) } else { text }
}

/// A wording with its slots filled, without links.
fn filled(page: &mut PageWriter, key: &str, slots: &[(&'static str, Fact)], draw: Draw) -> String {
    let Some(line) = page.web.phrases.wording(key, draw) else { return String::new() };
    let mut text = String::new();
    for part in &line.parts {
        match *part {
            PhrasePart::Text(piece) => text.push_str(piece),
            PhrasePart::Slot { name, article } => {
                let fact = slots.iter().find(|(slot, _)| *slot == name).map(|(_, fact)| *fact);
                let told = fact.and_then(|fact| page.say(fact)).unwrap_or_default();
                if article == Article::Indefinite {
                    text.push_str(indefinite(&told));
                }
                text.push_str(&told);
            }
        }
    }
    capitalised(&text)
}
