//! Pages of one kind on one host that have the words of a query: what the archives of sites ask.

use quintain_atlas::{Atlas, Kind, WordId};

use super::SearchIndex;
use super::query::words_of;
use crate::host::SiteHost;

impl SearchIndex {
    /// The numbers of the entities of a kind whose pages have most of the words, in order. Words that no page has count
    /// for nothing, and whoever has fewer of the words than another is left out.
    pub(crate) fn with_words(
        &self,
        atlas: &Atlas,
        (host, kind): (SiteHost, Kind),
        query: &str,
        fits: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let Some(run) = self.runs.iter().find(|run| run.host == host && run.kind == kind) else { return Vec::new() };
        let mut n_words = vec![0_u8; run.n as usize];
        let words: Vec<WordId> = words_of(query).iter().filter_map(|word| atlas.words.find(word)).collect();
        for word in words {
            let (start, end) = (self.starts[word.0 as usize] as usize, self.starts[word.0 as usize + 1] as usize);
            let entries = &self.entries[start..end];
            let first = entries.partition_point(|entry| entry >> 8 < run.first);
            let of_run = entries[first..].iter().take_while(|&&entry| entry >> 8 < run.first + run.n);
            of_run.for_each(|entry| n_words[((entry >> 8) - run.first) as usize] += 1);
        }
        let found = |at_least: u8| {
            let n_words = &n_words;
            let fits = &fits;
            (0..n_words.len()).filter(move |&at| n_words[at] >= at_least && fits(at))
        };
        let most = found(1).map(|at| n_words[at]).max();
        most.map(|most| found(most).collect()).unwrap_or_default()
    }
}
