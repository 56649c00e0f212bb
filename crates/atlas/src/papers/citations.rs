//! What papers cite: older papers, mostly of their topic, and those most that are cited already.

use crate::column::RowId;
use crate::column::{Column, Grouped};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey};
use crate::ids::{PaperId, TopicId};

/// The lists of all papers.
pub(super) fn citations(
    key: WorldKey,
    dates: &Column<PaperId, Date>,
    topics: &Column<PaperId, TopicId>,
    n_topics: usize,
) -> Grouped<PaperId, PaperId> {
    let mut lists = Grouped::new();
    let mut older: Vec<Vec<PaperId>> = vec![Vec::new(); n_topics];
    let mut list = Vec::with_capacity(24);
    for (paper, &topic) in topics.iter() {
        let mut dice = key.dice(Strand::Citation, u64::from(paper.0));
        let wanted = 3 + dice.below(14);
        list.clear();
        for _ in 0..wanted {
            let of_topic = &older[topic.index()];
            let cited = drawn(&lists, of_topic, paper, &mut dice);
            if let Some(cited) = cited.filter(|cited| dates[*cited] < dates[paper] && !list.contains(cited)) {
                list.push(cited);
            }
        }
        lists.push(list.iter().copied());
        older[topic.index()].push(paper);
    }
    lists
}

/// An older paper: of the same topic, or one that such a paper cites, or any.
fn drawn(lists: &Grouped<PaperId, PaperId>, of_topic: &[PaperId], paper: PaperId, dice: &mut Dice) -> Option<PaperId> {
    let any = (paper.index() > 0 && dice.chance(120)).then(|| PaperId::from_index(dice.below(paper.index())));
    if any.is_some() || of_topic.is_empty() {
        return any;
    }
    let recent = dice.unit();
    let near = of_topic[of_topic.len() - 1 - (of_topic.len() as f64 * recent * recent) as usize];
    let through = lists.of(near);
    Some(if through.is_empty() || dice.chance(450) { near } else { *dice.choose(through) })
}
