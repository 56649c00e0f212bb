//! `quintain check --twins`: how many different instances seeds give. Nothing is played.

use quintain_core::Task;
use quintain_core::words::count;
use quintain_runner::certify::{CertificateForm, TwinProof, count_twins};
use quintain_runner::n_cores;
use quintain_workshop::Workshop;
use serde_json::{Value, json};

use super::progress::bar;
use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;

/// What was found of one task.
struct CountedTwins {
    task: Task,
    twins: Vec<TwinProof>,
}

/// Tells of every task how many of its seeds differ.
pub(super) fn tell(args: &CheckArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let mut counted = Vec::new();
    let bar = bar(printer);
    for selection in workshop.playable(&args.tasks, &|words| printer.say(words))? {
        let world = workshop.offerings()?.world_for(&selection.task)?.as_ref();
        bar.set_message(selection.task.id.to_string());
        let drawn = |n_done: usize, n_all: usize| {
            bar.set_length(n_all as u64);
            bar.set_position(n_done as u64);
        };
        let twins = count_twins(&selection.task, world, CertificateForm::Full.n_twins(), n_cores(), &drawn)
            .map_err(|why| anyhow::anyhow!("{why}"))?;
        counted.push(CountedTwins { task: selection.task, twins });
    }
    bar.finish_and_clear();
    let rows: Vec<Value> = counted.iter().map(CountedTwins::json).collect();
    printer.data(&rows, || text(&counted))?;
    let n_refused = counted.iter().filter(|one| one.is_refused()).count();
    printer.say(format!("{}, {n_refused} with too few twins", count(counted.len(), "task")));
    Ok(if n_refused == 0 { Exit::Success } else { Exit::Refused })
}

impl CountedTwins {
    /// Whether a certificate would be refused for it.
    fn is_refused(&self) -> bool {
        self.task.has_canonical() && self.twins.iter().any(|twins| twins.refusal().is_some())
    }

    fn json(&self) -> Value {
        json!({ "task": self.task.id, "twins": self.twins, "refused": self.is_refused() })
    }

    fn lines(&self) -> impl Iterator<Item = Vec<String>> {
        self.twins.iter().map(|twins| {
            let preset = twins.preset.as_deref().map_or(String::new(), |preset| format!("@{preset}"));
            let bare = twins.distinct_without_labels.map_or_else(|| "-".to_owned(), |bare| bare.to_string());
            let word = match (self.is_refused(), twins.is_few()) {
                (true, _) => "REFUSED",
                (false, true) => "few",
                (false, false) => "",
            };
            let name = format!("{}{preset}", self.task.id);
            vec![name, twins.seeds.to_string(), twins.distinct.to_string(), bare, word.to_owned()]
        })
    }
}

fn text(counted: &[CountedTwins]) -> String {
    let head = ["task", "seeds", "distinct", "without names", ""].map(str::to_owned).to_vec();
    table(&[head].into_iter().chain(counted.iter().flat_map(CountedTwins::lines)).collect::<Vec<_>>())
}
