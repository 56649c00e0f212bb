//! Time and memory to make a world of each size, and how long questions take.
//!
//! `cargo bench -p quintain-atlas --bench atlas`. Memory is what the process holds more than before. Of the processor's
//! times to make a world the least and the middle one are told, of those of questions the middle one and the 99th of a hundred.

#![expect(clippy::print_stdout, reason = "a bench prints")]

use std::time::{Duration, Instant};

use quintain_atlas::companies::{LicenceKind, Sector};
use quintain_atlas::query::{Ask, Comparison, EntityPool, Link, Measure, Order, Query, Test};
use quintain_atlas::statistics::known;
use quintain_atlas::{Atlas, BlocId, CountryId, Date, Edition, Kind, PaperId, RegionId, RowId, Size};

fn main() {
    println!("| size | entities | processor ms, least | middle | by the clock, middle | memory |");
    println!("|---|---|---|---|---|---|");
    for size in Size::ALL {
        let before = resident_mb();
        let atlas = Atlas::new(Edition::FIRST, 1, size);
        let memory = resident_mb() - before;
        let n_entities: usize = Kind::ALL.into_iter().map(|kind| atlas.count(kind)).sum();
        drop(atlas);
        let mut busy = Vec::new();
        let mut times = Vec::new();
        for seed in 0..9 {
            let start = busy_ms();
            times.push(timed(|| drop(Atlas::new(Edition::FIRST, seed, size))));
            busy.push(busy_ms() - start);
        }
        busy.sort_by(f64::total_cmp);
        times.sort();
        println!("| {size:?} | {n_entities} | {:.0} | {:.0} | {:.0?} | {memory:.0} MB |", busy[0], busy[4], times[4]);
    }
    println!("\n| question | size | p50 | p99 | candidates |");
    println!("|---|---|---|---|---|");
    for size in Size::ALL {
        let atlas = Atlas::new(Edition::FIRST, 1, size);
        for (name, question) in QUESTIONS {
            tell_question(&atlas, name, question);
        }
    }
}

type Question = fn(&Atlas, usize) -> Query;

const QUESTIONS: [(&str, Question); 6] = [
    ("most cited paper of topic, venue and years", most_cited),
    ("most cited paper of a venue, by looking at all papers", most_cited_anywhere),
    ("ten largest companies of sector and region", ten_largest),
    ("largest company of a sector, by looking at all companies", largest_anywhere),
    ("rank gained by banks of a country", rank_gain),
    ("members of a bloc that grew", grown),
];

fn most_cited(atlas: &Atlas, nth: usize) -> Query {
    let paper = PaperId::from_index(nth * 7919 % atlas.papers.topic.len());
    let year = atlas.papers.date[paper].year();
    let topic = Test::Is(Link::Topic, atlas.papers.topic[paper].into());
    let venue = Test::Is(Link::Venue, atlas.papers.venue[paper].into());
    let tests = vec![topic, venue, Test::Years(year - 4, year + 4), Test::NotRetracted];
    EntityPool::all(Kind::Paper, tests).most(Measure::Citations)
}

fn most_cited_anywhere(atlas: &Atlas, nth: usize) -> Query {
    let paper = PaperId::from_index(nth * 7919 % atlas.papers.topic.len());
    let venue = Test::Is(Link::Venue, atlas.papers.venue[paper].into());
    EntityPool::all(Kind::Paper, vec![venue, Test::NotRetracted]).most(Measure::Citations)
}

fn ten_largest(atlas: &Atlas, nth: usize) -> Query {
    let region = RegionId::from_index(nth % atlas.geography.regions.name.len());
    let sector = atlas.geography.regions.specialities[region][0];
    let tests = vec![Test::Is(Link::Sector, sector.into()), Test::Is(Link::Region, region.into())];
    EntityPool::all(Kind::Company, tests).top(10, Measure::TotalAssets(2024), Order::Most).ask(Ask::List)
}

fn largest_anywhere(_: &Atlas, nth: usize) -> Query {
    let sector = Sector::ALL[nth % Sector::ALL.len()];
    EntityPool::all(Kind::Company, vec![Test::Is(Link::Sector, sector.into())])
        .most(Measure::revenue_growth(2016, 2024))
}

fn rank_gain(atlas: &Atlas, nth: usize) -> Query {
    let country = CountryId::from_index(nth % atlas.geography.countries.name.len());
    let tests = vec![Test::Is(Link::Country, country.into()), Test::HeldLicence(LicenceKind::Full, 2022)];
    let gain = Measure::rank_gain(Measure::InterestMargin(2016), Measure::InterestMargin(2022));
    EntityPool::all(Kind::Company, tests).most(gain)
}

fn grown(atlas: &Atlas, nth: usize) -> Query {
    let bloc = BlocId::from_index(nth % atlas.blocs.name.len());
    let growth = Measure::indicator_growth(known::OUTPUT_REAL, 2012, 2022);
    let tests = vec![Test::Compare(growth, Comparison::Above, 20.0)];
    let members = EntityPool::related(bloc, Link::Members(Date::year_end(2022)), tests);
    members.least(Measure::indicator_growth(known::EMISSIONS_A_HEAD, 2012, 2022))
}

fn tell_question(atlas: &Atlas, name: &str, question: Question) {
    let mut n_candidates = 0;
    let mut times: Vec<Duration> = (0..200)
        .map(|nth| {
            let query = question(atlas, nth);
            timed(|| n_candidates += atlas.evaluate(&query).candidates.len())
        })
        .collect();
    times.sort();
    println!("| {name} | {:?} | {:.1?} | {:.1?} | {} |", atlas.size, times[100], times[197], n_candidates / 200);
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// What the process holds in memory, where the system tells.
fn resident_mb() -> f64 {
    let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = told.split_whitespace().nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or_default() * 4096.0 / 1e6
}

/// How long the processor has worked for this thread, where the system tells.
fn busy_ms() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or_default() / 1e6
}
