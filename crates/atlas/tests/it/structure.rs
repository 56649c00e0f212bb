//! What holds of the relations of every world.

use quintain_atlas::people::{Post, Term};
use quintain_atlas::{Atlas, Date, PersonId};

use crate::{ALL, world};

fn all_terms(atlas: &Atlas) -> Vec<(Post, &[Term])> {
    let companies = &atlas.companies;
    let chairs = companies.name.ids().map(|id| (Post::Chair(id), companies.chairs.of(id)));
    let leaders = companies.name.ids().map(|id| (Post::ChiefExecutive(id), companies.chief_executives.of(id)));
    let countries = atlas.geography.countries.name.ids();
    let heads = countries.map(|id| (Post::HeadOfGovernment(id), atlas.governments.heads.of(id)));
    let rectors = atlas.institutions.name.ids().map(|id| (Post::Rector(id), atlas.institutions.rectors.of(id)));
    chairs.chain(leaders).chain(heads).chain(rectors).collect()
}

#[test]
fn one_person_at_a_time_holds_a_post_alive_and_of_age() {
    for (size, seed) in ALL {
        let atlas = world(size, seed);
        for (post, terms) in all_terms(atlas) {
            assert!(!terms.is_empty(), "{post:?}");
            for pair in terms.windows(2) {
                assert!(pair[0].to.expect("only the last term goes on") < pair[1].from, "{post:?} {pair:?}");
            }
            for term in terms {
                let born = atlas.people.born[term.person];
                let last = term.to.unwrap_or(Date::TODAY);
                assert!(term.from.0 - born.0 >= 25 * 365 && term.from <= last, "{post:?} {term:?} {born}");
                assert!(atlas.people.died[term.person].is_none_or(|died| last < died), "{post:?} {term:?}");
            }
        }
    }
}

#[test]
fn posts_told_from_both_sides_agree() {
    let (size, seed) = ALL[0];
    let atlas = world(size, seed);
    for (post, terms) in all_terms(atlas) {
        for term in terms {
            let held = atlas.tenures.of(term.person);
            assert!(held.iter().any(|it| (it.post, it.from, it.to) == (post, term.from, term.to)), "{post:?}");
        }
    }
}

#[test]
fn papers_cite_older_papers_and_counts_agree_both_ways() {
    for (size, seed) in ALL {
        let papers = &world(size, seed).papers;
        let mut n_citations = 0;
        for paper in papers.topic.ids() {
            let cited = papers.cites.of(paper);
            assert!(cited.iter().all(|&cited| papers.date[cited] < papers.date[paper] && cited < paper));
            assert!(cited.iter().all(|&cited| papers.cited_by.of(cited).contains(&paper)));
            assert!(cited.iter().enumerate().all(|(nth, one)| !cited[..nth].contains(one)), "cited twice");
            assert!(papers.authors.of(paper).contains(&papers.corresponding[paper]));
            assert!(papers.retracted[paper].is_none_or(|noticed| noticed > papers.date[paper]));
            n_citations += papers.n_citations(paper);
        }
        assert_eq!(n_citations, papers.cites.items().len());
        assert!(n_citations > papers.topic.len() * 4);
    }
}

#[test]
fn authors_are_grown_up_and_their_institutions_founded() {
    for (size, seed) in ALL {
        let atlas = world(size, seed);
        for paper in atlas.papers.topic.ids() {
            let date = atlas.papers.date[paper];
            let is_adult = |&author: &PersonId| date.0 - atlas.people.born[author].0 > 22 * 365;
            assert!(atlas.papers.authors.of(paper).iter().all(is_adult), "{paper:?}");
            let institution = atlas.papers.institution[paper];
            assert!(i32::from(atlas.institutions.founded[institution]) <= date.year(), "{paper:?}");
            assert_eq!(atlas.employer(atlas.papers.corresponding[paper], date), Some(institution));
        }
    }
}

#[test]
fn companies_do_nothing_before_they_are_founded() {
    for (size, seed) in ALL {
        let atlas = world(size, seed);
        for company in atlas.companies.name.ids() {
            let founded = atlas.companies.founded[company];
            assert_eq!(atlas.accounts(company, founded.year()), None);
            assert!(atlas.companies.chairs.of(company)[0].from >= founded);
            assert!(atlas.companies.parent[company].is_none_or(|parent| parent.since >= founded));
            assert!(atlas.companies.licences.of(company).iter().all(|licence| licence.granted >= founded));
            assert_ne!(atlas.auditor(company, 2020), company);
        }
        let restated = atlas.companies.name.ids().filter_map(|company| atlas.restatement(company)).collect::<Vec<_>>();
        let share = restated.len() as f64 / atlas.companies.name.len() as f64;
        assert!((0.10..0.17).contains(&share), "{share} of companies have restated");
        assert!(restated.iter().all(|it| it.filed.year() > it.last_year && it.filed < Date::TODAY));
    }
}

#[test]
fn amendments_follow_what_they_amend() {
    for (size, seed) in ALL {
        let notices = &world(size, seed).notices;
        for notice in notices.ids() {
            assert!(notices.date[notice] < Date::TODAY);
            let Some(before) = notices.amends[notice] else { continue };
            assert!(notices.date[before] < notices.date[notice] && notices.amended_by[before] == Some(notice));
            assert_eq!(notices.version[notice], notices.version[before] + 1);
            assert_eq!(notices.versions(notice)[usize::from(notices.version[notice]) - 1], notice);
        }
    }
}

#[test]
fn news_is_in_order_and_errata_follow() {
    for (size, seed) in ALL {
        let atlas = world(size, seed);
        let news = &atlas.news;
        assert!(news.date.as_slice().is_sorted() && news.date.as_slice().iter().all(|&date| date < Date::TODAY));
        for item in news.ids() {
            let Some(wrong) = news.corrects[item] else { continue };
            assert!(news.date[wrong] < news.date[item] && news.corrected_by[wrong] == Some(item));
        }
        assert_eq!(news.len(), size.counts().news);
    }
}
