//! Making the sites of a world of standard size, pages of each kind, and queries.
//!
//! `cargo bench -p quintain-sites --bench sites`. Times are of one thread and include everything but the world itself.

#![expect(clippy::print_stdout, reason = "a bench prints")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_atlas::{Atlas, Edition, Size};
use quintain_sites::{SearchFilter, SiteHost, SiteRequest, SiteState, Web, WebSetup, respond};

fn main() {
    let atlas = Arc::new(Atlas::new(Edition::FIRST, 1, Size::Standard));
    let start = Instant::now();
    let web = Web::new(atlas, WebSetup::default());
    let (pages, megabytes) = (web.index.n_pages(), web.index.n_bytes() as f64 / 1e6);
    println!("sites of a standard world: {:?}; index of {pages} pages, {megabytes:.1} MB", start.elapsed());
    queries(&web);
    let mut known = [SiteHost::Pedia, SiteHost::Registry].map(SiteHost::home).to_vec();
    known.push("https://find.web/search?q=bank".to_owned());
    known.push("https://registry.web/search".to_owned());
    walk(&web, known);
    // The index of papers leads to no other site.
    let search = "https://scholar.web/search?title=re&author=a&sort=citations&retracted=hide";
    walk(&web, vec![SiteHost::Scholar.home(), search.to_owned()]);
    let notices = ["notices", "notices?kind=ordinances&order=oldest", "search?q=market+stalls"];
    walk(&web, notices.map(|path| SiteHost::Gazette.home() + path).to_vec());
    walk(&web, vec![SiteHost::Numbers.home()]);
    walk(&web, vec![SiteHost::Herald.home()]);
}

/// Queries of one to four words from titles.
fn queries(web: &Web) {
    let words: Vec<&str> = web.atlas.words.iter().map(|(_, word)| word).filter(|word| word.len() > 3).collect();
    let typed = |nth: usize| -> String {
        let word = |at: usize| words[(nth * 7919 + at * 104_729) % words.len()];
        let common = ["bank", "company", "institute", "person", "town"][nth % 5];
        [common].into_iter().chain((0..nth % 4).map(word)).collect::<Vec<_>>().join(" ")
    };
    let times = (0..3000).map(|nth| {
        let query = typed(nth);
        least(|| {
            let found = web.index.search(&web.atlas, &query, SearchFilter::default(), 1);
            assert!(found.hits.len() <= 10);
        })
    });
    print("query", times.collect());
}

/// A walk along links, from some pages.
fn walk(web: &Web, mut known: Vec<String>) {
    let mut state = SiteState::default();
    let mut times: std::collections::BTreeMap<String, Vec<Duration>> = std::collections::BTreeMap::new();
    let mut n_bytes = 0;
    for nth in 0..30_000_usize {
        let url = known[(nth * 7919) % known.len()].clone();
        let request = SiteRequest::get(&url);
        let response = respond(web, &mut state, &request);
        let elapsed = least(|| {
            assert_eq!(respond(web, &mut SiteState::default(), &request).status, response.status);
        });
        n_bytes += response.html.len();
        let kind: String = url.split('/').skip(2).take(2).collect::<Vec<_>>().join("/");
        times.entry(kind.split('?').next().unwrap_or_default().to_owned()).or_default().push(elapsed);
        times.entry("all pages".to_owned()).or_default().push(elapsed);
        let host = url.split('/').take(3).collect::<Vec<_>>().join("/");
        let links = response.html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let links = links.map(|link| if link.starts_with('/') { format!("{host}{link}") } else { link.to_owned() });
        if known.len() < 20_000 {
            known.extend(links.map(|link| link.replace("&amp;", "&")));
        }
    }
    for (kind, times) in times {
        print(&kind, times);
    }
    println!("mean page: {:.1} kB", n_bytes as f64 / 30_000.0 / 1e3);
}

/// The least of three times: on a shared machine the others tell what else was running.
fn least(mut what: impl FnMut()) -> Duration {
    let time = |()| {
        let start = Instant::now();
        what();
        start.elapsed()
    };
    [(), (), ()].map(time).into_iter().min().unwrap_or_default()
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{what:28} n {:6}  p50 {:>9.1?}  p99 {:>9.1?}  most {:>9.1?}", times.len(), at(0.5), at(0.99), at(1.0));
}
