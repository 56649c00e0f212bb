//! `quintain show`

mod certificate;
mod left_files;
mod sent;
mod trial;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use quintain_core::agent::Briefing;
use quintain_core::instance::Pick;
use quintain_core::observation::{ObservationPart, Screen};
use quintain_core::{OpenContext, Settings, Task};
use quintain_report::ending_of;
use quintain_store::{RunDir, Selection};
use quintain_workshop::{Workshop, WrongWord, agents_line, rows_of};
use serde_json::{Value, json};

use crate::args::ShowArgs;
use crate::disk;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;
use certificate::TaskCertificate;

pub(crate) fn show(args: &ShowArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    if RunDir::is_at(&workshop.run_path(&args.what)) {
        let run = workshop.open_run(&args.what)?;
        match &args.trial {
            Some(trial) => match (args.sent, &args.files) {
                (Some(number), _) => sent::show(&run, trial, number, printer)?,
                (None, Some(folder)) => left_files::write(&run, trial, folder, printer)?,
                (None, None) => trial::show(&run, trial, printer)?,
            },
            None => show_run(&run, printer)?,
        }
        return Ok(Exit::Success);
    }
    if args.what.contains('~') {
        bail!(WrongWord(format!("`{0}` is a trial: name its run too\nhint: quintain show RUN {0}", args.what)));
    }
    let selections = workshop.suites()?.select(&args.what).context("no run of that name either")?;
    let [selection] = selections.as_slice() else {
        bail!(WrongWord(format!(
            "`{}` names {} tasks\nhint: name one; `quintain list tasks` lists them",
            args.what,
            selections.len()
        )));
    };
    let Selection { preset, seed, stretch, .. } = selection;
    if preset.is_some() || seed.is_some() || stretch.is_some() || args.screen.is_some() || args.goal.is_some() {
        show_instance(selection, args, workshop, printer)?;
    } else {
        show_task(&selection.task, workshop, printer)?;
    }
    Ok(Exit::Success)
}

fn show_task(task: &Task, workshop: &Workshop, printer: Printer) -> anyhow::Result<()> {
    let certificate = TaskCertificate::of(task, workshop);
    let json = json!({
        "id": task.id,
        "digest": task.digest,
        "spec": task.spec,
        "instruction": task.instruction,
        "certificate": certificate.json(),
    });
    printer.data(&json, || {
        let mut text = format!("{}: {}\ndigest {}\n", task.id, task.spec.task.title, task.digest.short());
        let _infallible = writeln!(text, "{}", certificate.line(task));
        for (name, parameter) in &task.spec.parameters {
            let about = parameter.about.as_deref().unwrap_or_default();
            let _infallible = writeln!(text, "  {name} = {}  {about}", parameter.value);
        }
        for (name, preset) in &task.spec.presets {
            let _infallible = writeln!(text, "  @{name}: {}", json!(preset.parameters));
        }
        for (idx, milestone) in task.spec.milestones.iter().enumerate() {
            let asks = milestone.instruction.as_deref().unwrap_or_default();
            let _infallible = writeln!(text, "  milestone {}, {}  {asks}", idx + 1, milestone.name);
        }
        format!("{text}\n{}", task.instruction)
    })
}

/// The preset, seed and stretch that were asked for; where they were not, the canonical instance, or the first preset and seed 0.
pub(crate) fn pick_of(selection: &Selection) -> Pick {
    let first = || selection.task.spec.presets.keys().next().cloned();
    let usual_seed = (!selection.task.has_canonical()).then_some(0);
    let preset = selection.preset.clone().or_else(first);
    Pick { preset, seed: selection.seed.or(usual_seed), ..Pick::default() }.over(selection.stretch.unwrap_or_default())
}

fn show_instance(selection: &Selection, args: &ShowArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<()> {
    let offerings = workshop.offerings()?;
    let kind = offerings.world_for(&selection.task)?;
    let instance = kind.instantiate(&selection.task, &pick_of(selection))?;
    let settings = Settings::default();
    let mut world = kind.open_with(&instance, &OpenContext::of(&selection.task, &settings))?;
    let briefing = Briefing {
        instruction: instance.instruction.clone(),
        surface: settings.offered(world.surface(), &selection.task.spec.world),
        limits: selection.task.limits(&instance.id.pick),
        answer: selection.task.spec.result.shape(),
        history: None,
        effort: None,
        seed: 0,
    };
    for (part, path) in [(ObservationPart::Screen, &args.screen), (ObservationPart::Goal, &args.goal)] {
        let Some(path) = path else { continue };
        let shown = world.observe(&BTreeSet::from([part]), Duration::from_secs(30))?;
        let screen = shown.pictures.get(&part).with_context(|| format!("`{}` has no such picture", instance.id))?;
        write_picture(path, screen)?;
        printer.say(format!("wrote {}", path.display()));
    }
    let json = json!({
        "id": instance.id,
        "digest": instance.digest(),
        "parameters": instance.parameters,
        "source": instance.source,
        "briefing": briefing,
    });
    printer.data(&json, || format!("{}\n\n{}", instance.id, briefing.prompt()))
}

pub(crate) fn write_picture(path: &Path, screen: &Screen) -> anyhow::Result<()> {
    let png = match screen {
        Screen::Raw(picture) => quintain_png::encode(picture).map_err(anyhow::Error::msg)?,
        Screen::Png { bytes, .. } => bytes.to_vec(),
    };
    disk::write(path, &png)
}

fn show_run(run: &RunDir, printer: Printer) -> anyhow::Result<()> {
    let rows = rows_of(run)?;
    let trials: Vec<Value> = rows
        .iter()
        .map(|row| json!({ "trial": row.trial, "verdict": row.verdict, "spent": row.spent, "attempts": row.attempts }))
        .collect();
    printer.data(&json!({ "run": run.header(), "trials": trials }), || {
        let mut lines: Vec<Vec<String>> =
            vec![["trial", "score", "ending", "steps", "attempts"].map(str::to_owned).to_vec()];
        lines.extend(rows.iter().map(|row| {
            vec![
                row.trial.to_string(),
                format!("{:.2}", row.verdict.score.value()),
                ending_of(&row.verdict),
                row.spent.steps.to_string(),
                row.attempts.to_string(),
            ]
        }));
        format!("{}\nagents: {}", table(&lines).trim_end(), agents_line(run.header()))
    })
}
