//! How an item is told: which sentences, in which paragraphs.

use quintain_atlas::{Entity, NewsId};

use super::story::{NewsStory, asked};
use crate::draw::Draw;
use crate::facts::{Aspect, Fact};
use crate::html::Html;
use crate::page::{Narrator, PageWriter};

/// Some paragraphs about one entity; each paragraph is a list of sentences.
struct StoryPassage {
    about: Entity,
    paragraphs: Vec<Vec<String>>,
}

/// Tells the first sentence of an item: kind, place and era, nothing that anybody asks for.
pub(super) fn tell_lead(page: &mut PageWriter, news: NewsId, into: &mut Html) {
    let atlas = &page.web.atlas;
    let story = NewsStory::of(atlas, asked(atlas, news));
    let key = lead_key(page, news, &story);
    Narrator::new(page, story.about, "").sentence(&key, &story.slots).paragraph(into);
}

fn lead_key(page: &PageWriter, news: NewsId, story: &NewsStory) -> String {
    if page.web.atlas.news.corrects[news].is_some() {
        "herald.correction.lead".to_owned()
    } else {
        format!("herald.{}.lead", story.family())
    }
}

/// Tells an item, with what stands in front of its first sentence.
pub(super) fn tell(page: &mut PageWriter, news: NewsId, story: &NewsStory, dateline: Html, into: &mut Html) {
    let mut dateline = Some(dateline);
    for passage in passages(page, news, story) {
        let noun = noun(passage.about);
        let mut narrator = Narrator::new(page, passage.about, noun);
        for paragraph in &passage.paragraphs {
            for sentence in paragraph {
                narrator.sentence(sentence, &story.slots);
            }
            let told = narrator.taken();
            if !told.is_empty() {
                into.element("p", &[], |html| {
                    html.piece(&dateline.take().unwrap_or_default()).piece(&told);
                });
            }
        }
    }
}

const fn noun(about: Entity) -> &'static str {
    match about {
        Entity::Company(_) => "the company",
        Entity::Country(_) => "the country",
        Entity::Region(_) => "the region",
        Entity::Place(_) => "the town",
        Entity::Institution(_) => "the institution",
        _ => "",
    }
}

fn passages(page: &PageWriter, news: NewsId, story: &NewsStory) -> Vec<StoryPassage> {
    if page.web.atlas.news.corrects[news].is_some() {
        return vec![StoryPassage { about: story.about, paragraphs: correction(story) }];
    }
    let mut draw = page.draw.fork_text("plan");
    let mut paragraphs = vec![vec![lead_key(page, news, story)]];
    let told = |paragraph: &&[&str]| {
        let suiting: Vec<&str> = paragraph.iter().copied().filter(|sentence| suits(page, story, sentence)).collect();
        sentences(&suiting)
    };
    paragraphs.extend(core(&story.key).iter().map(told));
    joined(&mut paragraphs, &mut draw);
    let mut passages = vec![StoryPassage { about: story.about, paragraphs }];
    if let Some(person) = story.person {
        let of_person = ["person.origin", "person.ended", "person.still", "person.first"];
        let told: Vec<&str> = of_person.into_iter().filter(|sentence| suits(page, story, sentence)).collect();
        passages.push(StoryPassage { about: person.into(), paragraphs: vec![sentences(&told)] });
    }
    let last = last_paragraphs(page, story, &mut draw);
    if passages.len() == 1 {
        passages[0].paragraphs.extend(last);
    } else {
        passages.push(StoryPassage { about: story.about, paragraphs: last });
    }
    passages
}

/// What stands below the news: what else is known, what was printed before, where to look further.
fn last_paragraphs(page: &PageWriter, story: &NewsStory, draw: &mut Draw) -> Vec<Vec<String>> {
    let mut last = background(page, story.about, draw);
    let earlier = sentences(&["earlier", close(&story.key)]);
    match last.last_mut() {
        Some(paragraph) if draw.chance(35) => paragraph.extend(earlier),
        _ if draw.chance(60) => last.push(earlier),
        _ => last.push(sentences(&[close(&story.key)])),
    }
    last
}

/// Sets some paragraphs in one: the news after the first sentence, or what is to be added after the news.
fn joined(paragraphs: &mut Vec<Vec<String>>, draw: &mut Draw) {
    let at = if draw.chance(50) { 1 } else { 2 };
    if at < paragraphs.len() {
        let next = paragraphs.remove(at);
        paragraphs[at - 1].extend(next);
    }
}

fn sentences(of: &[&str]) -> Vec<String> {
    of.iter().map(|sentence| format!("herald.{sentence}")).collect()
}

/// What a correction says. Figures of companies stand in the item alone.
fn correction(story: &NewsStory) -> Vec<Vec<String>> {
    let first = sentences(&["correction.lead", "correction.what"]);
    if story.family() == "results" || story.key.starts_with("local.") {
        return vec![first, sentences(&["correction.rest"])];
    }
    let again = core(&story.key).first().map(|paragraph| sentences(paragraph)).unwrap_or_default();
    let second = sentences(&["correction.should"]).into_iter().chain(again).collect();
    vec![first, second, sentences(&["correction.rest"])]
}

/// Whether a sentence fits, of those of which only one does.
fn suits(page: &PageWriter, story: &NewsStory, sentence: &str) -> bool {
    let known = |slot: &str| story.slots.iter().any(|(name, fact)| *name == slot && page.ask(*fact).is_some());
    match sentence {
        "person.ended" => known("earlier_to"),
        "person.still" => known("earlier_at") && !known("earlier_to"),
        "person.first" => !known("earlier_at"),
        "published.single" => !known("team"),
        _ => true,
    }
}

/// What the item is there for, by paragraphs.
fn core(key: &str) -> &'static [&'static [&'static str]] {
    match key {
        "rounded" => &[&["rounded.figure"], &["results.caveat"]],
        "premature" => &[&["premature.figure"], &["results.caveat"]],
        "restated" => &[&["restated.years", "restated.reason"], &["restated.rule"]],
        "restated-years" => &[&["restated-years.years", "restated.reason"], &["restated.rule"]],
        "renamed" => &[&["renamed.names"], &["renamed.rule"]],
        "chair" => &[&["chair.who"], &["chair.before"]],
        "chief" => &[&["chief.who"], &["chief.before"]],
        "head" => &[&["head.who", "head.since"], &["head.before"]],
        "rate-up" => &[&["rate-up.figure", "rate.force"], &["rate.before"]],
        "rate-down" => &[&["rate-down.figure", "rate.force"], &["rate.before"]],
        "rate-set" => &[&["rate-set.figure", "rate.force"]],
        "licence-granted" => &[&["licence-granted.scope"], &["licence.rule"]],
        "licence-withdrawn" => &[&["licence-withdrawn.scope"], &["licence.rule"]],
        "ordinance" => &[&["ordinance.fee"], &["ordinance.rule"]],
        "amended" => &[&["amended.fee", "amended.before"], &["ordinance.rule"]],
        "repeal" => &[&["repeal.end", "repeal.before"]],
        "climate" => &[&["climate.plan", "climate.target"], &["climate.rule"]],
        "climate-amended" => &[&["climate.plan", "climate.target"], &["climate.before"]],
        "published" => &[&["published.paper", "published.team", "published.single"], &["published.rule"]],
        "retracted" => &[&["retracted.paper", "retracted.day"], &["retracted.rule"]],
        "estimate" => &[&["estimate.figure"], &["estimate.before"], &["estimate.caveat"]],
        _ => &[&["local.more"]],
    }
}

/// What else is known of whom the item is about: some of it, in some order, in one paragraph or two.
fn background(page: &PageWriter, about: Entity, draw: &mut Draw) -> Vec<Vec<String>> {
    let sentences: &[&str] = match about {
        Entity::Company(_) => {
            &["company.founded", "company.parent", "company.region", "company.trade", "company.town", "company.form"]
        }
        Entity::Country(_) => &["country.capital", "country.people", "country.money", "country.regions"],
        Entity::Region(_) => &["region.largest", "region.trade", "region.country", "region.towns"],
        Entity::Place(_) => &["place.people", "place.old", "place.region", "place.trade"],
        Entity::Institution(_) => &["institution.seat", "institution.kind"],
        _ => &[],
    };
    let is_owned = page.ask(Fact::new(about, Aspect::Parent)).is_some();
    let is_known = |sentence: &&&str| is_owned || **sentence != "company.parent";
    let known = sentences.iter().filter(is_known);
    let mut chosen: Vec<String> = known.map(|sentence| format!("herald.{sentence}")).collect();
    for at in (1..chosen.len()).rev() {
        chosen.swap(at, draw.below(at + 1));
    }
    chosen.truncate(3 + draw.below(2));
    let rest = if chosen.len() > 3 { chosen.split_off(2) } else { Vec::new() };
    [chosen, rest].into_iter().filter(|paragraph| !paragraph.is_empty()).collect()
}

/// The line at the foot of an item: where its reader may look further.
fn close(key: &str) -> &'static str {
    match key {
        "rounded" | "premature" | "restated" | "restated-years" | "renamed" | "chair" | "chief" => "close.business",
        "estimate" => "close.figures",
        "published" | "retracted" => "close.science",
        key if key.starts_with("local.") => "close.regions",
        _ => "close.state",
    }
}
