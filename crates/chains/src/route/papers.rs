//! The index of papers.

use quintain_atlas::query::{EntityPool, Link, Test};
use quintain_atlas::{Atlas, Entity, Value};
use quintain_sites::SiteHost;

use crate::walk::{Entry, Walker};

/// The papers on a topic, in a journal, of some years: the most cited first.
pub(super) fn list(atlas: &Atlas, walker: &mut Walker<'_>, pool: &EntityPool) -> Result<(), String> {
    let (mut topic, mut venue, mut years, mut sound) = (None, None, None, false);
    for test in &pool.tests {
        match test {
            Test::Is(Link::Topic, of) => topic = Some(atlas.title(*of)),
            Test::Is(Link::Venue, of) => venue = Some(atlas.title(*of)),
            Test::Years(from, to) => years = Some((from.to_string(), to.to_string())),
            Test::NotRetracted => sound = true,
            other => return Err(format!("papers are not found by {other:?}")),
        }
    }
    walker.visit(SiteHost::Scholar)?;
    walker.follow("the search for papers", |link| link.to.ends_with("/search"))?;
    let mut entries = vec![Entry::Choose("sort", "Most cited first")];
    entries.extend(topic.iter().map(|topic| Entry::Choose("topic", topic)));
    entries.extend(venue.iter().map(|venue| Entry::Choose("venue", venue)));
    if let Some((from, to)) = &years {
        entries.extend([Entry::Write("from", from), Entry::Write("to", to)]);
    }
    entries.extend(sound.then_some(Entry::Tick("retracted")));
    walker.fill("Find papers", &entries)
}

/// What a paper cites, or what cites it.
pub(super) fn citations(walker: &mut Walker<'_>, paper: Entity, link: Link) -> Result<(), String> {
    walker.look_up(SiteHost::Scholar, paper)?;
    match link {
        Link::CitedBy => walker.follow("what cites it", |link| link.to.contains("/cited-by/")),
        _ => Ok(()),
    }
}

/// The papers of an author.
pub(super) fn of_author(walker: &mut Walker<'_>, person: Entity) -> Result<(), String> {
    walker.look_up(SiteHost::Scholar, person)
}

/// Reads something off a paper's own page.
pub(super) fn paper(walker: &mut Walker<'_>, paper: Entity, value: &Value) -> Result<(), String> {
    walker.look_up(SiteHost::Scholar, paper)?;
    walker.see(paper, value)
}
