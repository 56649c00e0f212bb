//! The reference page of everything that authors can write is made of what the code says of itself.

use std::fmt::Write;

use quintain_core::check::CheckManual;
use quintain_core::manual::ManualEntry;
use quintain_workshop::compose::palette;
use quintain_workshop::worlds;

use crate::command::{Place, generated};

const HEAD: &str = "# Reference for authors

Made by `just gen` from what stands beside the code. How a task is written is in [tasks.md](tasks.md) and [apps.md](apps.md).

## Checks

`[[checks]]` of `task.toml`. Every check has a `name` of its own and a `kind`; `weight` says how much it counts (1 unless told, 0 for
not at all), `gate = true` that nothing else counts unless it holds, and the option `file` which file of the reference it belongs to
(for `pairwise-files`).
";

#[test]
fn the_reference_page_is_current() {
    let offerings = worlds::built_in().expect("the worlds are there");
    let mut page = HEAD.to_owned();
    for (name, manual) in palette(&offerings).manuals() {
        assert!(manual.says.ends_with('.'), "`{name}` does not say what it demands");
        section(&mut page, "###", name, manual.says, &keys(&manual));
    }
    for chapter in offerings.iter().flat_map(|offering| &offering.manual) {
        write!(page, "\n## {}\n\n{}\n", chapter.title, chapter.says).expect("strings take text");
        entries(&mut page, &chapter.entries);
    }
    generated("docs/reference.md", &page);
}

/// The keys of a check, in the order of a declaration.
fn keys(manual: &CheckManual) -> Vec<(String, String)> {
    let plain = [("selector", manual.selector), ("expect", manual.expect), ("tolerance", manual.tolerance)];
    let plain = plain.into_iter().filter_map(|(key, says)| Some((key.to_owned(), says?.to_owned())));
    let options = manual.options.iter().map(|(name, says)| (format!("options.{name}"), (*says).to_owned()));
    plain.chain(options).collect()
}

/// Short entries in one table; those with keys get a table each.
fn entries(page: &mut String, entries: &[ManualEntry]) {
    let (plain, rich): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.keys.is_empty());
    let plain: Vec<(String, String)> = plain.iter().map(|entry| (entry.name.clone(), entry.says.clone())).collect();
    table(page, &plain);
    for entry in rich {
        section(page, "###", &entry.name, &entry.says, &entry.keys);
    }
}

fn section(page: &mut String, mark: &str, name: &str, says: &str, keys: &[(String, String)]) {
    write!(page, "\n{mark} `{name}`\n\n{says}\n").expect("strings take text");
    table(page, keys);
}

fn table(page: &mut String, rows: &[(String, String)]) {
    if rows.is_empty() {
        return;
    }
    page.push_str("\n| | |\n|---|---|\n");
    for (name, says) in rows {
        assert!(!says.is_empty(), "`{name}` says nothing");
        writeln!(page, "| `{name}` | {} |", says.replace('|', "\\|")).expect("strings take text");
    }
}

#[test]
fn checks_are_listed_with_what_they_demand() {
    let listed = Place::new().json("list checks");
    let rows = listed.as_array().expect("rows");
    assert!(rows.len() >= 10, "{listed}");
    assert!(rows.iter().all(|row| row["says"].as_str().is_some_and(|says| says.ends_with('.'))), "{listed}");
}
