//! How much pages are alike: figures that are printed, with bounds that a writer would notice.

use std::collections::{BTreeMap, BTreeSet};

use super::audit::walk;
use super::small;
use quintain_core::variables;
use quintain_sites::{Reserve, visible_text};

#[test]
fn sentences_and_ngrams_are_counted() {
    let web = small();
    let mut sentences: BTreeSet<String> = BTreeSet::new();
    let mut n_sentences = 0;
    let mut pages_of: BTreeMap<u64, usize> = BTreeMap::new();
    let mut addresses: BTreeSet<String> = BTreeSet::new();
    walk(web, 1300, |address, response| {
        if !addresses.insert(address.to_owned()) {
            return;
        }
        let main = response.html.split("<main").nth(1).unwrap_or_default().split("</main>").next().unwrap_or_default();
        let mut paragraphs = main.split("<p>").skip(1).filter_map(|rest| rest.split("</p>").next());
        let text: String = paragraphs.by_ref().map(|part| visible_text(part) + " ").collect();
        for sentence in text.split(". ").map(str::trim).filter(|sentence| sentence.len() > 12) {
            n_sentences += 1;
            sentences.insert(sentence.to_owned());
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let grams: BTreeSet<u64> = words.windows(5).map(|five| hash(&five.join(" "))).collect();
        for gram in grams {
            *pages_of.entry(gram).or_default() += 1;
        }
    });
    let shared = pages_of.values().filter(|n| **n > 1).count();
    let (distinct, percent) = (sentences.len(), shared * 100 / pages_of.len().max(1));
    println!(
        "{} pages: {n_sentences} sentences, {distinct} distinct; {percent} % of five-word runs stand on two pages or more",
        addresses.len()
    );
    assert!(distinct * 2 > n_sentences, "{distinct} of {n_sentences} sentences are distinct");
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Writes pages where `QUINTAIN_PAGES` says, so that they can be looked at.
#[test]
fn pages_can_be_written_out() {
    let Some(folder) = std::env::var_os(variables::PAGES) else { return };
    let folder = std::path::PathBuf::from(folder);
    for seed in 1..=16 {
        let reserve = if seed > 5 { Reserve::Used } else { Reserve::HeldBack };
        let web = super::world(seed, reserve);
        for (name, html) in super::samples(&web) {
            std::fs::write(folder.join(format!("{seed}-{name}.html")), html).expect("a folder that can be written");
        }
    }
}
