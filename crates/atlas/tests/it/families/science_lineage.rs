//! Family 1: the most cited paper, the oldest work it cites, its author, birthplace, institution and other papers.

use quintain_atlas::query::{Ask, EntityPool, Link, Measure, Misreading, QueryOutcome, Test};
use quintain_atlas::{Atlas, Entity, Kind, PaperId, RowId};
use quintain_core::Rng;

use super::{candidates, clear};

pub(super) fn draw(atlas: &Atlas, rng: &mut Rng, variant: u64) -> Option<Vec<QueryOutcome>> {
    let seen = PaperId::from_index(rng.below(atlas.papers.topic.len()));
    let year = atlas.papers.date[seen].year();
    let (from, to) = (year - rng.between(1, 7) as i32, year + rng.between(1, 7) as i32);
    let about = |link, entity| Test::Is(link, entity);
    let tests = vec![
        about(Link::Topic, atlas.papers.topic[seen].into()),
        about(Link::Venue, atlas.papers.venue[seen].into()),
        Test::Years(from, to),
        Test::NotRetracted,
    ];
    let first = EntityPool::all(Kind::Paper, tests).most(Measure::Citations);
    let most_cited = clear(atlas, &first)?;
    if !candidates(atlas.size).contains(&most_cited.candidates.len()) {
        return None;
    }
    let best = most_cited.entity()?;
    let oldest = clear(atlas, &EntityPool::related(best, Link::Cites, Vec::new()).least(Measure::Dated))?;
    let old = oldest.entity()?;
    let author = clear(atlas, &EntityPool::one(old).ask(Ask::Follow(Link::CorrespondingAuthor)))?;
    let institution = clear(atlas, &EntityPool::one(old).ask(Ask::Follow(Link::GivenInstitution)))?;
    let born = EntityPool::one(author.entity()?).ask(Ask::Follow(Link::Birthplace));
    let founded = EntityPool::one(institution.entity()?).ask(Ask::Table(vec![Measure::Founded]));
    let person = author.entity()?;
    let years = || vec![Test::Years(from - 6, to + 12), Test::NotRetracted];
    let papers = |ask| EntityPool { tests: years(), ..EntityPool::related(person, Link::Papers, vec![]) }.ask(ask);
    let n_papers = clear(atlas, &papers(Ask::Count))?;
    let own_best =
        clear(atlas, &papers(Ask::Best { by: Measure::Citations, order: quintain_atlas::query::Order::Most }))?;
    let changes = |query, misreading| atlas.evaluate_misread(query, misreading).answer != atlas.evaluate(query).answer;
    let is_trap = changes(&born, Misreading::Homonym)
        && match variant % 3 {
            1 => {
                changes(&first, Misreading::RetractedCounted)
                    || changes(&papers(Ask::Count), Misreading::RetractedCounted)
            }
            2 => changes(&founded, Misreading::OutdatedEncyclopaedia),
            _ => true,
        };
    let is_rich = n_papers.number()?.scaled >= 3 && matches!(author.entity()?, Entity::Person(_));
    let outcomes = vec![
        most_cited,
        oldest,
        author,
        institution,
        clear(atlas, &born)?,
        clear(atlas, &founded)?,
        n_papers,
        own_best,
    ];
    (is_trap && is_rich).then_some(outcomes)
}
