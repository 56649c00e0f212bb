//! `quintain tree`

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_container::host_trees;
use quintain_core::words::{count, printable};
use quintain_root_tree::{BuildProgress, Mmdebstrap, RootTree, TreeFault, TreeOrder, TreeRecipe, TreeStore};
use quintain_workshop::WrongWord;
use serde::Serialize;
use serde_json::json;

use crate::args::{TreeArgs, TreeBuildArgs, TreeWhat};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;

/// How much is shown of a step and of what it prints.
const SHOWN_CHARS: usize = 100;
/// The longest Dockerfile that is read.
const MAX_RECIPE: u64 = 1 << 20;

pub(crate) fn tree(args: &TreeArgs, printer: Printer) -> anyhow::Result<Exit> {
    let of_host = || host_trees().context("there is no HOME to keep trees in\nhint: give --trees");
    let store = args.trees.as_ref().map_or_else(of_host, |folder| Ok(TreeStore::at(folder)))?;
    match &args.what {
        TreeWhat::Build(args) => build(args, &store, printer),
        TreeWhat::List => list(&store, printer),
        TreeWhat::Remove { name } => remove(name, &store, printer),
    }
}

fn build(args: &TreeBuildArgs, store: &TreeStore, printer: Printer) -> anyhow::Result<Exit> {
    let (recipe, context) = recipe(args)?;
    for remark in &recipe.remarks {
        printer.say(format!("remark: {remark}"));
    }
    let within = Duration::from_secs(args.minutes * 60);
    let order = TreeOrder { name: &args.name, recipe: &recipe, context: context.as_deref(), within };
    let bar = spinner(printer);
    let mut tell = |progress: BuildProgress<'_>| match progress {
        BuildProgress::Step { number, n_steps, what } => {
            bar.suspend(|| printer.say(format!("[{number}/{n_steps}] {}", shortened(what))));
        }
        BuildProgress::Line(line) => bar.set_message(shortened(line)),
    };
    let built = store.build(&order, &Mmdebstrap, &mut tell);
    bar.finish_and_clear();
    let tree = built.map_err(told)?;
    printer.data(&ListedTree::of(&tree), || {
        let below = tree.record.below.as_deref().unwrap_or("nothing");
        let (size, files) = (megabytes(tree.record.bytes), count(tree.record.n_files as usize, "file"));
        format!("{}: {size} MB in {files}, over {below}", tree.folder.display())
    })?;
    Ok(Exit::Success)
}

/// The recipe, and where what it copies lies.
fn recipe(args: &TreeBuildArgs) -> anyhow::Result<(TreeRecipe, Option<PathBuf>)> {
    let Some(file) = &args.dockerfile else {
        return Ok((TreeRecipe::of_packages(&args.packages).map_err(TreeFault::from)?, None));
    };
    let size = std::fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?.len();
    anyhow::ensure!(size <= MAX_RECIPE, "{} is no recipe: it has {size} bytes", file.display());
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let beside = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let context = args.context.clone().unwrap_or_else(|| beside.to_owned());
    Ok((TreeRecipe::read(&text).map_err(TreeFault::from)?, Some(context)))
}

fn list(store: &TreeStore, printer: Printer) -> anyhow::Result<Exit> {
    let trees = store.list();
    let listed: Vec<ListedTree<'_>> = trees.iter().map(ListedTree::of).collect();
    printer.data(&listed, || {
        if listed.is_empty() {
            return format!("there are no trees in {}", store.folder().display());
        }
        let head = ["tree", "digest", "from", "over", "MB", "files", "packages", "seconds"].map(str::to_owned).to_vec();
        table(&std::iter::once(head).chain(listed.iter().map(ListedTree::row)).collect::<Vec<_>>())
    })?;
    Ok(Exit::Success)
}

fn remove(name: &str, store: &TreeStore, printer: Printer) -> anyhow::Result<Exit> {
    let bytes = store.remove(name).map_err(told)?;
    printer.data(&json!({"removed": name, "bytes": bytes}), || format!("{name} is gone: {} MB", megabytes(bytes)))?;
    Ok(Exit::Success)
}

/// A tree as it is listed: all that is written of it but its packages, of which there are hundreds.
#[derive(Serialize)]
struct ListedTree<'a> {
    name: &'a str,
    digest: &'a str,
    folder: &'a Path,
    layers: &'a [PathBuf],
    below: Option<&'a str>,
    from: &'a str,
    remarks: &'a [String],
    bytes: u64,
    n_files: u64,
    n_packages: usize,
    built_at_unix_secs: u64,
    build_millis: u64,
}

impl<'a> ListedTree<'a> {
    fn of(tree: &'a RootTree) -> Self {
        let record = &tree.record;
        Self {
            name: &record.name,
            digest: &record.digest,
            folder: &tree.folder,
            layers: &tree.layers,
            below: record.below.as_deref(),
            from: &record.from,
            remarks: &record.remarks,
            bytes: record.bytes,
            n_files: record.n_files,
            n_packages: record.packages.len(),
            built_at_unix_secs: record.built_at_unix_secs,
            build_millis: record.build_millis,
        }
    }

    fn row(&self) -> Vec<String> {
        let or_dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        vec![
            self.name.to_owned(),
            self.digest.to_owned(),
            or_dash(self.from),
            or_dash(self.below.unwrap_or_default()),
            megabytes(self.bytes),
            self.n_files.to_string(),
            self.n_packages.to_string(),
            format!("{:.1}", self.build_millis as f64 / 1e3),
        ]
    }
}

/// With what helps, and as a wrong word where it is one.
fn told(fault: TreeFault) -> anyhow::Error {
    let mend = fault.mend().map(|mend| format!("\nhint: {mend}")).unwrap_or_default();
    match fault {
        TreeFault::Name(_) | TreeFault::Unknown(_) => WrongWord(fault.to_string()).into(),
        _ if mend.is_empty() => fault.into(),
        _ => anyhow::anyhow!("{fault}{mend}"),
    }
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
