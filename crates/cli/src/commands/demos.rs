//! `quintain demos`

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_checks::Panel;
use quintain_core::{Derive, Settings, Task, suggest};
use quintain_puzzles::kind;
use quintain_runner::certify::Subject;
use quintain_runner::demos::{DemoError, Made, Progress, Recipe, SeedSpace, Stratum, make};
use quintain_store::{DemoDir, DemoFormat, Selection};
use serde_json::json;

use crate::args::{Common, DemosArgs, DemosFormat, HowArgs, Space};
use crate::exit::Exit;
use crate::printer::{Printer, count};
use crate::{cast, files, interrupt, playable};

pub(crate) fn demos(args: &DemosArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let worlds = cast::worlds(common)?;
    let selections = selections(args, common, printer)?;
    let judges = selections.iter().map(judges).collect::<anyhow::Result<Vec<_>>>()?;
    let mut strata = Vec::new();
    for (selection, (panel, derive)) in selections.iter().zip(&judges) {
        let task = &selection.task;
        let world = cast::world_of(&worlds, task)?.as_ref();
        let strategies = strategies(task, &args.strategy)?;
        let subject = Subject { task, world, panel, derive: derive.as_ref() };
        let presets = presets(selection, args.preset.as_deref());
        strata.extend(presets.map(|preset| Stratum { subject, preset, strategies: strategies.clone() }));
    }
    let recipe = recipe(args, strata)?;
    carry_out(args, &recipe, printer)
}

/// Every task that is meant, once. Seeds are not for the user to choose.
fn selections(args: &DemosArgs, common: &Common, printer: Printer) -> anyhow::Result<Vec<Selection>> {
    let suites = cast::suites(common)?;
    let mut selections: Vec<Selection> = Vec::new();
    for selector in &args.tasks {
        for selection in playable::selected(&suites, std::slice::from_ref(selector), printer)? {
            if selection.seed.is_some() {
                bail!("`{selector}` names a seed\nhint: demonstrations have seeds of their own; leave out `#`");
            }
            let same = |known: &Selection| known.task.id == selection.task.id && known.preset == selection.preset;
            if !selections.iter().any(same) {
                selections.push(selection);
            }
        }
    }
    Ok(selections)
}

/// Who judges a task, and what runs its verifiers.
type Judges = (Panel, Box<dyn Derive + Send + Sync>);

fn judges(selection: &Selection) -> anyhow::Result<Judges> {
    let task = &selection.task;
    let panel = Panel::new(task, &cast::palette());
    let panel = panel.map_err(|problems| anyhow!("{}: {}", task.id, problems.join("; ")))?;
    let derive = cast::verifiers(task).map_err(|problem| anyhow!("{}: {problem}", task.id))?;
    Ok((panel, derive))
}

fn presets<'a>(selection: &'a Selection, only: Option<&'a [String]>) -> impl Iterator<Item = Option<String>> + 'a {
    let presets: BTreeSet<Option<String>> = selection.picks(&[0]).into_iter().map(|pick| pick.preset).collect();
    let is_meant = move |preset: &Option<String>| {
        only.is_none_or(|only| preset.as_ref().is_some_and(|preset| only.contains(preset)))
    };
    presets.into_iter().filter(is_meant)
}

/// The strategies that are drawn from for a task; none for the usual one.
fn strategies(task: &Task, asked: &[String]) -> anyhow::Result<Vec<String>> {
    let entry = kind::ALL.iter().chain(quintain_physics::ALL).find(|entry| entry.name() == task.spec.world.app);
    let known = entry.map_or(&[][..], |entry| entry.strategies());
    match asked {
        [one] if one == "usual" => Ok(Vec::new()),
        [one] if one == "all" => Ok(known.iter().map(|name| (*name).to_owned()).collect()),
        names => {
            let found: Vec<String> = names.iter().filter(|name| known.contains(&name.as_str())).cloned().collect();
            if found.is_empty() {
                let hint = suggest::hint(&names.join(","), known.iter().copied());
                bail!("the solver of `{}` has no strategy `{}`\nhint: {hint}", task.id, names.join(","));
            }
            Ok(found)
        }
    }
}

fn recipe<'a>(args: &DemosArgs, strata: Vec<Stratum<'a>>) -> anyhow::Result<Recipe<'a>> {
    if strata.is_empty() {
        bail!(
            "no task has any of the presets {}",
            args.preset.iter().flatten().cloned().collect::<Vec<_>>().join(", ")
        );
    }
    let how = HowArgs { show: args.show.clone(), resolution: args.resolution, ..HowArgs::default() };
    let settings: Settings = files::settings(&how)?;
    Ok(Recipe {
        strata,
        n: args.n,
        n_a_shard: args.shard,
        lengths: args.length.clone(),
        settings,
        steps: args.steps,
        space: match args.seed_space {
            Space::Train => SeedSpace::Train,
            Space::Validation => SeedSpace::Validation,
        },
        n_evaluation: args.evaluation,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

fn carry_out(args: &DemosArgs, recipe: &Recipe<'_>, printer: Printer) -> anyhow::Result<Exit> {
    let formats = formats(args);
    let dir = DemoDir::open(&args.out, recipe.plan(&formats, args.inline), &formats, args.inline)?;
    let n_threads = args.workers.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |workers| workers as usize,
    );
    let bar = bar(recipe.n, printer);
    let interrupted = interrupt::flag_on_signal(|| {})?;
    let (mut n_before, began) = (0, Instant::now());
    let made = make(recipe, dir, n_threads, &interrupted, &mut |progress| {
        n_before = progress.n_before;
        show(&bar, progress);
    });
    bar.finish_and_clear();
    match made {
        Ok(made) => tell(&made, n_before, began.elapsed(), args, printer),
        Err(DemoError::Interrupted) => {
            printer.say("interrupted; the same command goes on after the last whole shard");
            Ok(Exit::Interrupted)
        }
        Err(error) => Err(error.into()),
    }
}

fn formats(args: &DemosArgs) -> Vec<DemoFormat> {
    let format = |format: &DemosFormat| match format {
        DemosFormat::Sharegpt => DemoFormat::ShareGpt,
        DemosFormat::Openai => DemoFormat::OpenAi,
        DemosFormat::Atif => DemoFormat::Atif,
        DemosFormat::Parquet => DemoFormat::Parquet,
    };
    args.format.iter().map(format).collect::<BTreeSet<_>>().into_iter().collect()
}

fn bar(n: u64, printer: Printer) -> ProgressBar {
    let target = if printer.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(n), target);
    let template = "{bar:32} {pos}/{len} demonstrations  {per_sec}  {eta} left";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
    bar
}

/// Those that were there before do not count for the rate.
fn show(bar: &ProgressBar, progress: Progress) {
    if bar.position() == 0 && progress.n == progress.n_before {
        bar.set_position(progress.n);
        bar.reset_eta();
    } else {
        bar.set_position(progress.n);
    }
}

fn tell(made: &Made, n_before: u64, took: Duration, args: &DemosArgs, printer: Printer) -> anyhow::Result<Exit> {
    let (n_files, n_bytes) = size(&args.out)?;
    let per_second = (made.n - n_before) as f64 / took.as_secs_f64().max(1e-9);
    let json = json!({
        "out": args.out,
        "made": made,
        "n_before": n_before,
        "seconds": took.as_secs_f64(),
        "per_second": per_second,
        "n_files": n_files,
        "n_bytes": n_bytes,
    });
    printer.data(&json, || text(made, (n_files, n_bytes), args))?;
    if made.n > n_before {
        printer.say(format!("{} made in {:.1} s, {per_second:.1} a second", made.n - n_before, took.as_secs_f64()));
    }
    if !made.complete {
        printer.say(format!("there are no more than {} different starts", made.n));
        return Ok(Exit::Refused);
    }
    Ok(Exit::Success)
}

fn text(made: &Made, (n_files, n_bytes): (u64, u64), args: &DemosArgs) -> String {
    let mut rows = vec![["task", "made", "same start", "in evaluation", "unsolved"].map(str::to_owned).to_vec()];
    for of in &made.strata {
        let preset = of.preset.as_deref().map_or(String::new(), |preset| format!("@{preset}"));
        let exhausted = if of.count.exhausted { " (all there are)" } else { "" };
        rows.push(vec![
            format!("{}{preset}", of.task),
            format!("{}{exhausted}", of.count.n),
            of.count.n_duplicate.to_string(),
            of.count.n_in_evaluation.to_string(),
            of.count.n_unsolved.to_string(),
        ]);
    }
    format!(
        "{}\n\n{} with {} in {}: {} of {:.1} MB in {}\nno two begin alike, and none like one of {} instances of the \
         evaluation; seeds {} and up, which no evaluation uses",
        files::table(&rows),
        count(made.n, "demonstration"),
        count(made.n_turns, "turn"),
        count(made.n_shards as u64, "shard"),
        count(n_files, "file"),
        n_bytes as f64 / 1e6,
        args.out.display(),
        made.disjoint.n_compared,
        made.disjoint.first_seed,
    )
}

/// How many files a folder holds, and how many bytes they have.
fn size(folder: &Path) -> anyhow::Result<(u64, u64)> {
    let (mut n_files, mut n_bytes) = (0, 0);
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let (files, bytes) = if metadata.is_dir() { size(&entry.path())? } else { (1, metadata.len()) };
        n_files += files;
        n_bytes += bytes;
    }
    Ok((n_files, n_bytes))
}
