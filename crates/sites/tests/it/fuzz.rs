//! Any request is answered, in whatever state, and nothing panics.

use std::time::Instant;

use super::audit::{links, walk};
use super::{is_full, small};
use quintain_core::Rng;
use quintain_sites::{SiteHost, SiteMethod, SiteRequest, SiteState, respond};

#[test]
fn any_request_is_answered() {
    let web = small();
    let n_requests = if is_full() { 1_000_000 } else { 20_000 };
    let mut known: Vec<String> = SiteHost::ALL
        .into_iter()
        .flat_map(|host| {
            let paths =
                ["", "about", "search", "search?q=bank", "search?name=a", "notices", "search?words=bank&from=2012"];
            paths.map(|path| host.home() + path)
        })
        .collect();
    known.push("https://scholar.web/authors?name=a".to_owned());
    known
        .push("https://scholar.web/search?title=a&author=b&from=1990&to=2010&sort=citations&retracted=hide".to_owned());
    known.extend(super::gazette::every_kind(web).into_iter().map(|(_, address)| address));
    known.extend(super::numbers::samples(web).into_iter().map(|(_, url)| url));
    walk(web, 60, |address, response| known.extend(links(address, &response.html)));
    let mut draw = Rng::for_purpose(5, "requests");
    let mut state = SiteState::default();
    let mut statuses = std::collections::BTreeMap::new();
    let mut took = Vec::with_capacity(n_requests);
    for _ in 0..n_requests {
        let url = damaged(draw.choose(&known).clone(), &mut draw);
        let method = if draw.chance(0.1) { SiteMethod::Post } else { SiteMethod::Get };
        let began = Instant::now();
        let response = respond(web, &mut state, &SiteRequest { method, url, body: String::new() });
        took.push(began.elapsed());
        *statuses.entry(response.status).or_insert(0) += 1;
        if draw.chance(0.01) {
            known.extend(links("https://find.web/", &response.html).into_iter().take(1));
        }
        state.writes.truncate(100);
    }
    took.sort_unstable();
    let at = |share: usize| took[n_requests * share / 1000];
    println!(
        "{n_requests} requests, by status: {statuses:?}; p50 {:?}, p99 {:?}, p99.9 {:?}",
        at(500),
        at(990),
        at(999)
    );
    assert!(statuses.keys().all(|status| [200, 303, 404].contains(status)) && statuses.len() >= 2, "{statuses:?}");
}

/// Most addresses are changed somewhere: a byte, a cut, a parameter, other letters.
fn damaged(url: String, draw: &mut Rng) -> String {
    let mut letters: Vec<char> = url.chars().collect();
    match draw.below(8) {
        0 | 1 => return url,
        2 => {
            let at = draw.below(letters.len());
            letters[at] = char::from_u32(draw.below(0x2fff) as u32).unwrap_or('x');
        }
        3 => letters.truncate(draw.below(letters.len() + 1)),
        4 => letters.extend("?q=%F0%9F%92%A9+bank&page=".chars().chain(draw.below(30_000).to_string().chars())),
        5 => letters.extend("&site=pedia&year=2010&sector=steel&assets=2015&country=".chars()),
        6 => letters.extend(std::iter::repeat_n('%', draw.below(400))),
        _ => {
            let at = draw.below(letters.len() + 1);
            letters.splice(at..at, "é<script>\"'&?#".chars());
        }
    }
    letters.into_iter().collect()
}
