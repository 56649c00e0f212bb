//! The workflows that tasks begin with: the files the app's templates come from, each with several sets of content.

use std::collections::BTreeMap;

use quintain_core::manual::ManualEntry;
use quintain_core::{Rng, suggest, template};
use serde::Deserialize;
use serde_json::Value;

use crate::workflow::model::{Document, Edge, MAIN, Workflow, WorkflowNode};

/// The word for a start without a workflow to work on.
const BLANK: &str = "blank";

macro_rules! start_file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../web/apps/workflow-builder/src/starts/", $name, ".json")))
    };
}

const FILES: [(&str, &str); 5] = [
    start_file!("api-data-pipeline"),
    start_file!("range-map-table"),
    start_file!("data-categorization"),
    start_file!("order-processing"),
    start_file!("enterprise-data-pipeline"),
];

/// A file of the app: a workflow with placeholders, and lists of equal length to fill them in from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkflowStart {
    choices: BTreeMap<String, Vec<String>>,
    workflow: Value,
}

/// A hub to begin with: the workflow that is meant among others, and its content as words.
pub(super) struct WorkflowHub {
    /// The document, with the hub shown.
    pub(super) document: Document,
    /// What was filled into the workflow that is meant, by name. Empty where there is none.
    pub(super) words: BTreeMap<String, Value>,
}

/// The words of its start that a task fills in itself, over those of the content that is drawn.
pub(super) type OwnWords = BTreeMap<String, String>;

/// The canonical hub of a start: the first content of every file, the workflow that is meant in the middle.
pub(super) fn canonical(start: &str, own: &OwnWords) -> Result<WorkflowHub, String> {
    let others = others(start)?.into_iter().map(|file| (file, 0)).collect::<Vec<_>>();
    hub(start, (0, own), &others[..2], 1)
}

/// A hub that a seed draws: other content than the canonical one, other company, another place in the hub.
pub(super) fn drawn(start: &str, own: &OwnWords, rng: &mut Rng) -> Result<WorkflowHub, String> {
    let n_contents = if start == BLANK { 2 } else { read(start)?.n_contents() };
    let content = 1 + rng.below(n_contents - 1);
    let mut company = others(start)?;
    rng.shuffle(&mut company);
    let mut others = Vec::new();
    for file in company.into_iter().take(2) {
        others.push((file, rng.below(read(file)?.n_contents())));
    }
    let place = *rng.choose(&[0, 2]);
    hub(start, (content, own), &others, place)
}

/// Every start, with its nodes and its words.
pub(super) fn manual() -> Vec<ManualEntry> {
    let blank = ManualEntry::plain(BLANK, "No workflow to work on: the first edit creates one.");
    let file = |name: &&str| Some(read(name).ok()?.told(name));
    let files = FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    std::iter::once(blank).chain(files.iter().filter_map(file)).collect()
}

/// The files that are not the start, in the order of the app.
fn others(start: &str) -> Result<Vec<&'static str>, String> {
    if start != BLANK {
        read(start)?;
    }
    Ok(FILES.iter().map(|(name, _)| *name).filter(|name| *name != start).collect())
}

fn hub(
    start: &str,
    (content, own): (usize, &OwnWords),
    others: &[(&str, usize)],
    place: usize,
) -> Result<WorkflowHub, String> {
    let mut document = Document::default();
    let mut words = BTreeMap::new();
    if start != BLANK {
        let file = read(start)?;
        words = file.words(content)?;
        overwrite(&mut words, own).map_err(|word| format!("start `{start}` has no word `{word}`"))?;
        document.workflows.push(file.workflow(&words)?);
    }
    for (name, content) in others {
        let file = read(name)?;
        let workflow = renumbered(file.workflow(&file.words(*content)?)?, &document);
        document.workflows.push(workflow);
    }
    if start != BLANK {
        let meant = document.workflows.remove(0);
        document.workflows.insert(place.min(document.workflows.len()), meant);
    }
    match document.problems().as_slice() {
        [] => Ok(WorkflowHub { document, words }),
        problems => Err(format!("start `{start}`: {}", problems.join("; "))),
    }
}

/// Puts a task's own words in place of those of a content, or tells which of them the content lacks.
fn overwrite(words: &mut BTreeMap<String, Value>, own: &OwnWords) -> Result<(), String> {
    for (name, text) in own {
        *words.get_mut(name).ok_or_else(|| name.clone())? = text.as_str().into();
    }
    Ok(())
}

fn read(name: &str) -> Result<WorkflowStart, String> {
    let known = FILES.iter().find(|(known, _)| *known == name);
    let (_, text) = known.ok_or_else(|| {
        let names = FILES.iter().map(|(name, _)| *name).chain([BLANK]);
        format!("the Workflow Builder has no start called `{name}`; {}", suggest::hint(name, names))
    })?;
    serde_json::from_str(text).map_err(|error| format!("start `{name}`: {error}"))
}

impl WorkflowStart {
    /// How many sets of content there are. The lists are of equal length: the shortest tells.
    fn n_contents(&self) -> usize {
        self.choices.values().map(Vec::len).min().unwrap_or(1)
    }

    /// The workflow with the names of its words in their places, and the words of the first content, for whoever writes a
    /// task.
    fn told(&self, name: &str) -> ManualEntry {
        let place = |word: &String| (word.clone(), Value::String(format!("{{{{ start.{word} }}}}")));
        let Workflow { nodes, edges, .. } =
            self.workflow(&self.choices.keys().map(place).collect()).unwrap_or_default();
        let first = |list: &Vec<String>| list.first().cloned().unwrap_or_default().replace('\n', " ");
        let title = self.choices.get("title").map(first).unwrap_or_default();
        let entry = ManualEntry::plain(name, format!("{title}."));
        let entry = nodes.iter().fold(entry, |entry, node| entry.key(&node.id, told_node(node, &edges)));
        self.choices.iter().fold(entry, |entry, (word, list)| {
            entry.key(format!("start.{word}"), format!("at first `{}`", first(list)))
        })
    }

    fn words(&self, content: usize) -> Result<BTreeMap<String, Value>, String> {
        let word = |(name, list): (&String, &Vec<String>)| {
            let chosen = list.get(content).ok_or_else(|| format!("`{name}` has no choice number {content}"))?;
            Ok((name.clone(), Value::String(chosen.clone())))
        };
        self.choices.iter().map(word).collect()
    }

    fn workflow(&self, words: &BTreeMap<String, Value>) -> Result<Workflow, String> {
        let filled = template::fill(&self.workflow, words).map_err(|error| error.to_string())?;
        serde_json::from_value(filled).map_err(|error| format!("the workflow cannot be read: {error}"))
    }
}

/// A node with its kind, the settings that are not empty, and where its edges lead.
fn told_node(node: &WorkflowNode, edges: &[Edge]) -> String {
    let settings = node.settings.iter().filter(|(_, value)| value.as_str() != Some(""));
    let settings: Vec<String> = settings.map(|(key, value)| format!("`{key}` is `{value}`")).collect();
    let leads: Vec<String> = edges.iter().filter(|edge| edge.source == node.id).map(told_end).collect();
    let settings = if settings.is_empty() { String::new() } else { format!(": {}", settings.join(", ")) };
    let leads = if leads.is_empty() { String::new() } else { format!("; leads to {}", leads.join(" and ")) };
    format!("{} (`{}`){settings}{leads}", node.name, node.kind)
}

/// Where an edge leads, and by which output where there are several.
fn told_end(edge: &Edge) -> String {
    let by = if edge.output == MAIN { String::new() } else { format!(" by `{}`", edge.output) };
    format!("`{}`{by}", edge.target)
}

/// The workflow with ids that count on after those of a document.
fn renumbered(mut workflow: Workflow, document: &Document) -> Workflow {
    let shift = |id: &mut String, letter: char| {
        let next = |id: &str| id.strip_prefix(letter).and_then(|number| number.parse::<u64>().ok());
        if let (Some(own), Some(first)) = (next(id), next(&document.next_id(letter))) {
            *id = format!("{letter}{}", own + first - 1);
        }
    };
    shift(&mut workflow.id, 'w');
    workflow.nodes.iter_mut().for_each(|node| shift(&mut node.id, 'n'));
    for edge in &mut workflow.edges {
        shift(&mut edge.id, 'e');
        shift(&mut edge.source, 'n');
        shift(&mut edge.target, 'n');
    }
    workflow
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_content_of_every_file_is_a_sound_document_of_its_own() {
        for (name, _) in FILES {
            let file = read(name).expect("the file can be read");
            let lengths: Vec<usize> = file.choices.values().map(Vec::len).collect();
            assert!(lengths.iter().all(|&n| n == lengths[0]), "{name}: lists of lengths {lengths:?}");
            let mut seen = Vec::new();
            for content in 0..file.n_contents() {
                let hub = hub(name, (content, &OwnWords::new()), &[], 0).expect("the hub is sound");
                assert!(!seen.contains(&hub.document), "{name}: content {content} stands there twice");
                seen.push(hub.document);
            }
            assert!(seen.len() >= 5, "{name} has too few contents");
        }
    }

    #[test]
    fn a_drawn_hub_differs_from_the_canonical_one_in_title_and_place() {
        for (name, _) in FILES {
            let canonical = canonical(name, &OwnWords::new()).expect("the hub is sound");
            assert_eq!(canonical.document.workflows[1].id, "w1");
            for seed in 0..20 {
                let drawn = drawn(name, &OwnWords::new(), &mut Rng::new(seed)).expect("the hub is sound");
                assert_ne!(drawn.words["title"], canonical.words["title"]);
                assert_ne!(drawn.document.workflows[1].id, "w1");
                assert_eq!(drawn.document.workflows.len(), 3);
            }
        }
    }

    #[test]
    fn a_start_is_told_with_kinds_settings_edges_and_words() {
        let told = read("order-processing").expect("the file can be read").told("order-processing");
        let of =
            |key: &str| told.keys.iter().find(|(name, _)| name == key).map_or("nothing", |(_, says)| says.as_str());
        insta::assert_snapshot!([told.says.as_str(), of("n1"), of("n3"), of("n6"), of("start.lane")].join("\n"), @r#"
        Order Processing Pipeline.
        Manual Trigger (`manualTrigger`); leads to `n2`
        If (`if`): `condition` is `"{{ start.condition }}"`; leads to `n4` by `true` and `n5` by `false`
        Merge (`merge`): `mode` is `"append"`; leads to `n7`
        at first `express`
        "#);
    }

    #[test]
    fn a_start_that_is_not_there_is_told() {
        let told = canonical("moon", &OwnWords::new()).err();
        let wanted = "the Workflow Builder has no start called `moon`; there is `api-data-pipeline`, `range-map-table`, \
                      `data-categorization`, `order-processing`, `enterprise-data-pipeline`, `blank`";
        assert_eq!(told.as_deref(), Some(wanted));
    }

    #[test]
    fn a_task_fills_in_words_of_its_own() {
        let own = |name: &str| OwnWords::from([(name.to_owned(), "Heron Count".to_owned())]);
        let hub = drawn("range-map-table", &own("title"), &mut Rng::new(3)).expect("the hub is sound");
        assert!(hub.document.workflows.iter().any(|workflow| workflow.name == "Heron Count"));
        assert_eq!(hub.words["title"], "Heron Count");
        let told = canonical("range-map-table", &own("colour")).err();
        assert_eq!(told.as_deref(), Some("start `range-map-table` has no word `colour`"));
    }
}
