//! `quintain tree`

use std::time::Duration;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_core::words::{count, printable};
use quintain_workshop::{BuildProgress, HostTrees, ListedTree, ReadRecipe};
use serde_json::json;

use crate::args::{TreeArgs, TreeBuildArgs, TreeWhat};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;

/// How much is shown of a step and of what it prints.
const SHOWN_CHARS: usize = 100;

pub(crate) fn tree(args: &TreeArgs, printer: Printer) -> anyhow::Result<Exit> {
    let of_host = || HostTrees::of_host().context("there is no HOME to keep trees in\nhint: give --trees");
    let trees = args.trees.as_deref().map_or_else(of_host, |folder| Ok(HostTrees::at(folder)))?;
    match &args.what {
        TreeWhat::Build(args) => build(args, &trees, printer),
        TreeWhat::List => list(&trees, printer),
        TreeWhat::Remove { name } => remove(name, &trees, printer),
    }
}

fn build(args: &TreeBuildArgs, trees: &HostTrees, printer: Printer) -> anyhow::Result<Exit> {
    let recipe = recipe(args)?;
    for remark in recipe.remarks() {
        printer.say(format!("remark: {remark}"));
    }
    let within = Duration::from_secs(args.minutes * 60);
    let bar = spinner(printer);
    let mut tell = |progress: BuildProgress<'_>| match progress {
        BuildProgress::Step { number, n_steps, what } => {
            bar.suspend(|| printer.say(format!("[{number}/{n_steps}] {}", shortened(what))));
        }
        BuildProgress::Line(line) => bar.set_message(shortened(line)),
    };
    let built = trees.build(&args.name, &recipe, within, &mut tell);
    bar.finish_and_clear();
    let tree = built?;
    printer.data(&tree, || {
        let below = tree.below.as_deref().unwrap_or("nothing");
        let (size, files) = (megabytes(tree.bytes), count(tree.n_files, "file"));
        format!("{}: {size} MB in {files}, over {below}", tree.folder.display())
    })?;
    Ok(Exit::Success)
}

fn recipe(args: &TreeBuildArgs) -> anyhow::Result<ReadRecipe> {
    match &args.dockerfile {
        Some(file) => ReadRecipe::of_dockerfile(file, args.context.as_deref()),
        None => ReadRecipe::of_packages(&args.packages),
    }
}

fn list(trees: &HostTrees, printer: Printer) -> anyhow::Result<Exit> {
    let listed = trees.list();
    printer.data(&listed, || {
        if listed.is_empty() {
            return format!("there are no trees in {}", trees.folder().display());
        }
        let head = ["tree", "digest", "from", "over", "MB", "files", "packages", "seconds"].map(str::to_owned).to_vec();
        table(&std::iter::once(head).chain(listed.iter().map(row)).collect::<Vec<_>>())
    })?;
    Ok(Exit::Success)
}

fn row(tree: &ListedTree) -> Vec<String> {
    let or_dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
    vec![
        tree.name.clone(),
        tree.digest.clone(),
        or_dash(&tree.from),
        or_dash(tree.below.as_deref().unwrap_or_default()),
        megabytes(tree.bytes),
        tree.n_files.to_string(),
        tree.n_packages.to_string(),
        format!("{:.1}", tree.build_millis as f64 / 1e3),
    ]
}

fn remove(name: &str, trees: &HostTrees, printer: Printer) -> anyhow::Result<Exit> {
    let bytes = trees.remove(name)?;
    printer.data(&json!({"removed": name, "bytes": bytes}), || format!("{name} is gone: {} MB", megabytes(bytes)))?;
    Ok(Exit::Success)
}

fn spinner(printer: Printer) -> ProgressBar {
    let target = if printer.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(None, target);
    bar.set_style(ProgressStyle::with_template("{spinner} {elapsed}  {msg}").expect("the template is sound"));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn shortened(text: &str) -> String {
    let short: String = printable(text).chars().take(SHOWN_CHARS).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}
