//! Asking the index: BM25 over weighted words, ties by the page's number.

use quintain_atlas::{Atlas, Entity, WordId};

use super::SearchIndex;
use crate::host::SiteHost;

/// What results are narrowed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchFilter {
    /// One host alone.
    pub host: Option<SiteHost>,
    /// What is dated in one year alone.
    pub year: Option<i32>,
}

/// A page that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchHit {
    /// The site.
    pub host: SiteHost,
    /// What its page is about.
    pub entity: Entity,
    /// How well it fits.
    pub score: f32,
}

/// One page of results.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPage {
    /// At most ten pages, the best one first.
    pub hits: Vec<SearchHit>,
    /// How many pages were found in all.
    pub n_found: usize,
}

/// How many results a page has.
pub(crate) const HITS_A_PAGE: usize = 10;
/// No result beyond this one is shown.
pub(crate) const MOST_HITS: usize = 200;
/// More words than these are not looked at.
const MOST_WORDS: usize = 16;

const STOP_WORDS: [&str; 30] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "did", "does", "for", "from", "had", "has", "how", "in", "is",
    "it", "its", "of", "on", "or", "that", "the", "to", "was", "what", "when", "which", "who",
];

impl SearchIndex {
    /// The results of a query on a page, from 1.
    pub fn search(&self, atlas: &Atlas, query: &str, filter: SearchFilter, page: usize) -> SearchPage {
        let typed = words_of(query);
        let known: Vec<WordId> = typed.iter().filter_map(|word| atlas.words.find(word)).collect();
        let mut found = self.ranked(atlas, &known, filter);
        let n_found = found.len();
        let first = (page.max(1) - 1).saturating_mul(HITS_A_PAGE).min(MOST_HITS);
        let end = (first + HITS_A_PAGE).min(found.len());
        let better = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if end > 0 && end < found.len() {
            found.select_nth_unstable_by(end, better);
            found.truncate(end);
        }
        found.sort_unstable_by(better);
        let hit = |&(score, number): &(f32, u32)| {
            self.page(atlas, number).map(|(host, entity)| SearchHit { host, entity, score })
        };
        let hits = found.get(first..end).unwrap_or_default().iter().filter_map(hit).collect();
        SearchPage { hits, n_found }
    }

    fn ranked(&self, atlas: &Atlas, words: &[WordId], filter: SearchFilter) -> Vec<(f32, u32)> {
        let mut scores = vec![0_f32; self.n_pages()];
        let mut touched = Vec::new();
        for word in words {
            let entries =
                &self.entries[self.starts[word.0 as usize] as usize..self.starts[word.0 as usize + 1] as usize];
            let rarity = ((self.n_pages() as f32 + 1.0) / (entries.len() as f32 + 0.5)).ln();
            for &entry in entries {
                let (page, weight) = (entry >> 8, (entry & 255) as f32);
                let length = f32::from(self.lengths[page as usize]) / self.mean_length;
                let score = &mut scores[page as usize];
                if *score == 0.0 {
                    touched.push(page);
                }
                *score += rarity * weight * 2.2 / (weight + 1.2 * (0.4 + 0.6 * length));
            }
        }
        let fits = |page: &u32| self.fits(atlas, *page, filter);
        touched.into_iter().filter(fits).map(|page| (scores[page as usize], page)).collect()
    }

    fn fits(&self, atlas: &Atlas, page: u32, filter: SearchFilter) -> bool {
        if filter == SearchFilter::default() {
            return true;
        }
        let Some((host, entity)) = self.page(atlas, page) else { return false };
        let dated = match entity {
            Entity::Paper(paper) => Some(atlas.papers.date[paper]),
            Entity::Notice(notice) => Some(atlas.notices.date[notice]),
            Entity::News(news) => Some(atlas.news.date[news]),
            _ => None,
        };
        filter.host.is_none_or(|wanted| wanted == host)
            && filter.year.is_none_or(|year| dated.is_some_and(|date| date.year() == year))
    }

    /// The query with words put right, where some are unknown and others are near. Looks through all words there are.
    pub fn suggestion(&self, atlas: &Atlas, query: &str) -> Option<String> {
        let mut is_mended = false;
        let mut mend = |word: &String| {
            let near = if atlas.words.contains(word) { None } else { self.spellings.nearest(&atlas.words, word) };
            is_mended |= near.is_some();
            near.map_or_else(|| word.clone(), str::to_lowercase)
        };
        let mended: Vec<String> = words_of(query).iter().map(&mut mend).collect();
        is_mended.then(|| mended.join(" "))
    }
}

/// The words of a query, without small ones, each once.
pub(super) fn words_of(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if !STOP_WORDS.contains(&word.as_str()) && !words.contains(&word) && words.len() < MOST_WORDS {
            words.push(word);
        }
    }
    words
}
