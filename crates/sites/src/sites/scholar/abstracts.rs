//! Abstracts: what a paper asks and how, in words of its title. They tell no findings, for none are on record.

use quintain_atlas::PaperId;

use super::slots;
use crate::html::Html;
use crate::page::{Narrator, PageWriter};

/// In which order an abstract tells what it tells; where a paragraph ends there is an empty name.
const PLANS: [&[&str]; 8] = [
    &["motive", "aim", "stance", "approach", "where", "", "scope", "close"],
    &["question", "motive", "approach", "", "basis", "where", "close"],
    &["motive", "question", "approach", "where", "", "stance", "scope"],
    &["aim", "approach", "where", "", "motive", "scope", "close"],
    &["aim", "stance", "motive", "where", "approach", "close"],
    &["motive", "where", "aim", "", "basis", "approach", "scope", "close"],
    &["aim", "basis", "approach", "where", "", "scope", "close"],
    &["question", "stance", "approach", "where", "", "motive", "close"],
];

/// Writes the abstract of a paper.
pub(super) fn write(page: &mut PageWriter, paper: PaperId, into: &mut Html) {
    let atlas = &page.web.atlas;
    let parts = atlas.paper_title_parts(paper);
    let (has_side, has_method) = (parts.aspect.is_some(), parts.method.is_some());
    let n_cited = atlas.papers.cites.of(paper).len();
    let group = atlas.topics.field[atlas.papers.topic[paper]].group();
    let plan = *page.draw.fork_text("abstract").choose(&PLANS);
    let given = slots(paper.into());
    let mut narrator = Narrator::new(page, paper.into(), "");
    for &part in plan {
        let key = match part {
            "" => {
                narrator.paragraph(into);
                continue;
            }
            // A title without a side of its topic is about the method itself.
            "aim" | "question" if !has_side => "tool".to_owned(),
            "approach" if !has_side => continue,
            "basis" if n_cited < 2 => continue,
            "approach" if !has_method => "reasoning".to_owned(),
            "motive" | "scope" => format!("{part}.{group}"),
            part => part.to_owned(),
        };
        narrator.sentence(&format!("scholar.abstract.{key}"), &given);
    }
    narrator.paragraph(into);
}
