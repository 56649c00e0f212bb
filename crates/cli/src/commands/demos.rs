//! `quintain demos`

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_agents::AgentSpec;
use quintain_core::instance::Stretch;
use quintain_core::words::count;
use quintain_core::world::OracleStyle;
use quintain_core::{Offerings, Settings, Task, suggest};
use quintain_runner::certify::CertificateSubject;
use quintain_runner::demos::{
    DemoError, DemoProgress, DemoRecipe, MadeDemos, OfStratum, Reasons, SeedSpace, Stratum, make,
};
use quintain_runner::n_cores;
use quintain_store::{DemoDir, DemoFormat, PictureForm, Selection};
use quintain_workshop::Workshop;
use quintain_workshop::offers::check_tasks_of;
use serde_json::json;

use crate::args::{DemosArgs, DemosFormat, DemosPart, HowArgs, PointSpace};
use crate::diagnosis::offers;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;
use crate::{interrupt, resolve};

pub(crate) fn demos(args: &DemosArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let offerings = workshop.offerings()?;
    let selections = selections(args, workshop, printer)?;
    check_names(args, &selections, offerings)?;
    let settings = settings(args, &selections)?;
    let judges = selections.iter().map(|selection| workshop.judges(&selection.task));
    let judges = judges.collect::<anyhow::Result<Vec<_>>>()?;
    let mut strata = Vec::new();
    for (selection, (panel, derive)) in selections.iter().zip(&judges) {
        let task = &selection.task;
        let world = offerings.world_for(task)?.as_ref();
        let strategies = strategies(task, known_strategies(task, offerings), &args.strategy)?;
        let subject = CertificateSubject { task, world, panel, derive: derive.as_ref() };
        let presets: Vec<_> = presets(selection, args.preset.as_deref()).collect();
        let stratum = |(preset, stretch): (&Option<String>, Stretch)| Stratum {
            subject,
            preset: preset.clone(),
            stretch,
            strategies: strategies.clone(),
            quota: None,
        };
        let parts = stretches(task, args.by);
        let all = presets.iter().flat_map(|preset| parts.iter().map(move |stretch| (preset, *stretch))).map(stratum);
        let there: Vec<Stratum<'_>> = all.filter(|stratum| can_begin(stratum, printer)).collect();
        let quotas = quotas(args.per_task, there.len());
        strata.extend(there.into_iter().zip(quotas).map(|(stratum, quota)| Stratum { quota, ..stratum }));
    }
    if strata.is_empty() && args.by == DemosPart::Subtask {
        bail!(
            "no task that is named has a subtask to demonstrate\nhint: `quintain show TASK` lists a task's milestones"
        );
    }
    carry_out(args, &recipe(args, settings, strata), printer)
}

/// The stretches of a task that are demonstrated.
fn stretches(task: &Task, by: DemosPart) -> Vec<Stretch> {
    let n_milestones = task.spec.milestones.len() as u32;
    match by {
        DemosPart::Instance => vec![Stretch::WHOLE],
        DemosPart::Subtask => (1..=n_milestones).filter_map(NonZeroU32::new).map(Stretch::only).collect(),
    }
}

/// Whether the world can begin there. One that cannot is told and left out; whole instances are not asked about.
fn can_begin(stratum: &Stratum<'_>, printer: Printer) -> bool {
    if stratum.stretch.is_whole() {
        return true;
    }
    let CertificateSubject { task, world, .. } = stratum.subject;
    match world.instantiate(task, &stratum.pick(Some(*SeedSpace::Train.seeds().start()))) {
        Ok(_instance) => true,
        Err(why) => {
            printer.say(format!("left out: `{}{}`, for {why}", task.id, stratum.stretch));
            false
        }
    }
}

/// Every task that is meant, once. Seeds are not for the user to choose.
fn selections(args: &DemosArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Vec<Selection>> {
    let mut selections: Vec<Selection> = Vec::new();
    for selector in &args.tasks {
        for selection in workshop.playable(std::slice::from_ref(selector), &|words| printer.say(words))? {
            if selection.seed.is_some() {
                bail!("`{selector}` names a seed\nhint: demonstrations have seeds of their own; leave out `#`");
            }
            if selection.stretch.is_some() {
                bail!("`{selector}` names a stretch\nhint: demonstrations are of whole instances; leave out `+`");
            }
            let same = |known: &Selection| known.task.id == selection.task.id && known.preset == selection.preset;
            if !selections.iter().any(same) {
                selections.push(selection);
            }
        }
    }
    Ok(selections)
}

/// What falls to each of so many presets: equal parts of what a task may have, the first ones one more.
fn quotas(per_task: Option<u64>, n_presets: usize) -> impl Iterator<Item = Option<u64>> {
    let n = n_presets.max(1) as u64;
    (0..n).map(move |idx| per_task.map(|quota| quota / n + u64::from(idx < quota % n)))
}

fn presets<'a>(selection: &'a Selection, only: Option<&'a [String]>) -> impl Iterator<Item = Option<String>> + 'a {
    let presets: BTreeSet<Option<String>> = selection.picks(&[0]).into_iter().map(|pick| pick.preset).collect();
    let is_meant = move |preset: &Option<String>| {
        only.is_none_or(|only| preset.as_ref().is_some_and(|preset| only.contains(preset)))
    };
    presets.into_iter().filter(is_meant)
}

/// Refuses names of strategies and presets that no task has: a slip would go unnoticed beside a name that is right.
fn check_names(args: &DemosArgs, selections: &[Selection], offerings: &Offerings) -> anyhow::Result<()> {
    let is_word = |name: &&String| WORDS.contains(&name.as_str());
    if let (Some(word), 2..) = (args.strategy.iter().find(is_word), args.strategy.len()) {
        bail!("`{word}` is asked for together with other strategies\nhint: leave out it or them");
    }
    let strategies: BTreeSet<&str> =
        selections.iter().flat_map(|selection| known_strategies(&selection.task, offerings)).copied().collect();
    check_known("strategy", args.strategy.iter().filter(|name| !is_word(name)), &strategies)?;
    let names: Vec<String> = selections.iter().flat_map(|selection| presets(selection, None)).flatten().collect();
    let presets: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    check_known("preset", args.preset.iter().flatten(), &presets)
}

fn check_known<'a>(
    what: &str,
    mut asked: impl Iterator<Item = &'a String>,
    known: &BTreeSet<&str>,
) -> anyhow::Result<()> {
    match asked.find(|name| !known.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let hint = suggest::hint(name, known.iter().copied());
            bail!("no task that is named has a {what} `{name}`\nhint: {hint}")
        }
    }
}

/// What stands alone for strategies.
const WORDS: [&str; 2] = ["usual", "all"];

fn known_strategies(task: &Task, offerings: &Offerings) -> &'static [&'static str] {
    offerings.of(task).map_or(&[], |offering| offering.strategies_of(task))
}

/// The strategies that are drawn from for a task; none for the usual one.
fn strategies(task: &Task, known: &[&str], asked: &[String]) -> anyhow::Result<Vec<String>> {
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

/// What is shown. What a run would refuse is refused here too.
fn settings(args: &DemosArgs, selections: &[Selection]) -> anyhow::Result<Settings> {
    let how = HowArgs { show: args.show.clone(), resolution: args.resolution, ..HowArgs::default() };
    let settings = resolve::settings(&how)?;
    check_tasks_of(&settings, selections)?;
    if settings.resolution.is_some() {
        offers::check_resolution(&[AgentSpec::Oracle(OracleStyle::default())], selections)?;
    }
    Ok(settings)
}

fn recipe<'a>(args: &DemosArgs, settings: Settings, strata: Vec<Stratum<'a>>) -> DemoRecipe<'a> {
    let quotas: u64 = strata.iter().filter_map(|stratum| stratum.quota).sum();
    DemoRecipe {
        strata,
        n: args.n.unwrap_or(quotas),
        n_a_shard: args.shard,
        lengths: args.length.clone(),
        settings,
        steps: args.steps,
        space: match args.seed_space {
            PointSpace::Train => SeedSpace::Train,
            PointSpace::Validation => SeedSpace::Validation,
        },
        n_evaluation: args.evaluation,
        packing: args.picture,
        reasons: if args.reasons { Reasons::Told } else { Reasons::Untold },
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn carry_out(args: &DemosArgs, recipe: &DemoRecipe<'_>, printer: Printer) -> anyhow::Result<Exit> {
    let formats = formats(args);
    let pictures = if args.inline { PictureForm::Inline } else { PictureForm::Linked };
    let dir = DemoDir::open(&args.out, recipe.plan(&formats, pictures), &formats, pictures)?;
    let n_threads = args.workers.map_or_else(n_cores, |workers| workers as usize);
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
fn show(bar: &ProgressBar, progress: DemoProgress) {
    if bar.position() == 0 && progress.n == progress.n_before {
        bar.set_position(progress.n);
        bar.reset_eta();
    } else {
        bar.set_position(progress.n);
    }
}

fn tell(made: &MadeDemos, n_before: u64, took: Duration, args: &DemosArgs, printer: Printer) -> anyhow::Result<Exit> {
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
        printer.say(shortfall(made));
        return Ok(Exit::Refused);
    }
    Ok(Exit::Success)
}

/// Why there are fewer than were asked for.
fn shortfall(made: &MadeDemos) -> String {
    let given_up: Vec<String> = made.strata.iter().filter(|of| of.count.given_up).map(name).collect();
    match given_up.as_slice() {
        [] => format!("there are no more than {} different starts", made.n),
        names => format!("too many in a row were not solved: {}", names.join(", ")),
    }
}

fn name(of: &OfStratum) -> String {
    let preset = of.preset.as_ref().map_or_else(String::new, |preset| format!("@{preset}"));
    let stretch = of.stretch.map_or_else(String::new, |stretch| format!("+{stretch}"));
    format!("{}{preset}{stretch}", of.task)
}

fn text(made: &MadeDemos, (n_files, n_bytes): (u64, u64), args: &DemosArgs) -> String {
    let mut rows = vec![["task", "made", "same problem", "in evaluation", "unsolved"].map(str::to_owned).to_vec()];
    for of in &made.strata {
        let remark = match &of.count {
            count if count.given_up => " (no more solved)",
            count if count.exhausted => " (all there are)",
            _ => "",
        };
        rows.push(vec![
            name(of),
            format!("{}{remark}", of.count.n),
            of.count.n_duplicate.to_string(),
            of.count.n_in_evaluation.to_string(),
            of.count.n_unsolved.to_string(),
        ]);
    }
    format!(
        "{}\n\n{} with {} in {}: {} of {:.1} MB in {}\nno two begin alike and ask for the same, and none begins like one of {} instances of the \
         evaluation; seeds {} and up, which no evaluation uses",
        table(&rows),
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
