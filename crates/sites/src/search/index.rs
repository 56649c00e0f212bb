//! The index: which words stand in the heads of which pages.

use quintain_atlas::{Atlas, Entity, Kind, TermField, WordId};

use super::spelling::Spellings;
use crate::host::SiteHost;
use crate::sites::{is_listed, searchable};

/// The pages of one kind on one host: they stand together.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageRun {
    pub(super) host: SiteHost,
    pub(super) kind: Kind,
    pub(super) first: u32,
    pub(super) n: u32,
}

/// What search knows: for each word the pages that have it in their head, with a weight for where it stands there.
#[derive(Clone, Debug)]
pub struct SearchIndex {
    pub(super) runs: Vec<PageRun>,
    // Where the list of each word begins, and the end of all.
    pub(super) starts: Vec<u32>,
    // Number of the page in the upper 24 bits, weight in the lower 8.
    pub(super) entries: Vec<u32>,
    // The weights of all words of each page.
    pub(super) lengths: Vec<u8>,
    pub(super) mean_length: f32,
    pub(super) spellings: Spellings,
}

const TITLE_WEIGHT: u32 = 4;
const OTHER_WEIGHT: u32 = 2;

impl SearchIndex {
    /// Makes the index of a world.
    pub fn new(atlas: &Atlas) -> Self {
        let mut runs = Vec::new();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut lengths = Vec::new();
        for host in SiteHost::ALL {
            for &kind in searchable(host) {
                runs.push(PageRun { host, kind, first: lengths.len() as u32, n: atlas.count(kind) as u32 });
                atlas.entities(kind).for_each(|entity| add_page(atlas, host, entity, &mut pairs, &mut lengths));
            }
        }
        let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        let (starts, entries) = by_word(&pairs, atlas.words.len());
        let n_listed = lengths.iter().filter(|length| **length > 0).count();
        let mean_length = total as f32 / n_listed.max(1) as f32;
        Self { runs, starts, entries, lengths, mean_length, spellings: Spellings::new(&atlas.words) }
    }

    /// How many pages it knows, those included that have a number and no words.
    pub fn n_pages(&self) -> usize {
        self.lengths.len()
    }

    /// How many bytes its lists take.
    pub fn n_bytes(&self) -> usize {
        self.entries.len() * 4 + self.starts.len() * 4 + self.lengths.len() + self.spellings.n_bytes()
    }

    /// The numbers of a kind's entities on a host whose titles have a word, in order.
    pub(crate) fn titled(&self, host: SiteHost, kind: Kind, word: WordId) -> impl Iterator<Item = usize> {
        let run = self.runs.iter().find(|run| run.host == host && run.kind == kind);
        let (first, end) = run.map_or((0, 0), |run| (run.first, run.first + run.n));
        let word = word.0 as usize;
        let entries = &self.entries[self.starts[word] as usize..self.starts[word + 1] as usize];
        let begin = entries.partition_point(|entry| entry >> 8 < first);
        let of_run = entries[begin..].iter().take_while(move |entry| **entry >> 8 < end);
        of_run.filter(|entry| **entry & 255 == TITLE_WEIGHT).map(move |entry| (entry >> 8) as usize - first as usize)
    }

    /// The page of a number.
    pub(super) fn page(&self, atlas: &Atlas, number: u32) -> Option<(SiteHost, Entity)> {
        let at = self.runs.partition_point(|run| run.first + run.n <= number);
        let run = self.runs.get(at)?;
        Some((run.host, atlas.entity(run.kind, (number - run.first) as usize)?))
    }
}

/// Adds the words of a page. Numbers of pages go by entities: what has no page has a number, and no words.
fn add_page(atlas: &Atlas, host: SiteHost, entity: Entity, pairs: &mut Vec<(u32, u32)>, lengths: &mut Vec<u8>) {
    if !is_listed(atlas, host, entity) {
        lengths.push(0);
        return;
    }
    let page = lengths.len() as u32;
    let first = pairs.len();
    let mut length = 0;
    atlas.search_terms(entity, &mut |field, word| {
        let weight = if field == TermField::Title { TITLE_WEIGHT } else { OTHER_WEIGHT };
        length += weight;
        match pairs[first..].iter_mut().find(|(other, _)| *other == word.0) {
            // A word counts where it weighs most, so that what is named after a place does not outdo the place.
            Some((_, entry)) => *entry = page << 8 | weight.max(*entry & 255),
            None => pairs.push((word.0, page << 8 | weight)),
        }
    });
    lengths.push(length.min(255) as u8);
}

/// Sorts entries by their words, by counting.
fn by_word(pairs: &[(u32, u32)], n_words: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; n_words + 1];
    for &(word, _) in pairs {
        starts[word as usize + 1] += 1;
    }
    (0..n_words).for_each(|word| starts[word + 1] += starts[word]);
    let mut next = starts.clone();
    let mut entries = vec![0; pairs.len()];
    for &(word, entry) in pairs {
        entries[next[word as usize] as usize] = entry;
        next[word as usize] += 1;
    }
    (starts, entries)
}
