//! `quintain check`

use anyhow::anyhow;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_checks::Panel;
use quintain_core::judge::NothingToDerive;
use quintain_core::{Task, WorldKind};
use quintain_runner::certify::{Certificate, CertifyOptions, Form, Refusal, Subject, certify};
use quintain_store::{CertificateStore, Certified};

use crate::args::{CheckArgs, Common};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{cast, files};

/// The most refusals of one task that are printed.
const N_PRINTED: usize = 10;

pub(crate) fn check(args: &CheckArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let suites = cast::suites(common)?;
    let worlds = cast::worlds(common)?;
    let store = CertificateStore::new(&args.certificates);
    let options = options(&args)?;
    let mut tasks = Vec::new();
    for selector in &args.tasks {
        tasks.extend(suites.tasks(selector)?);
    }
    let mut certificates = Vec::new();
    for task in &tasks {
        let world = cast::world_of(&worlds, task)?.as_ref();
        let kept = if args.again { None } else { kept(&store, task, world, &options)? };
        let certificate = match kept {
            Some(certificate) => certificate,
            None => prove(task, world, &options, printer)?,
        };
        store.write(&task.id, task.digest, world.digest(task), &certificate)?;
        if !printer.is_json() {
            printer.plain(&text(&certificate));
        }
        certificates.push(certificate);
    }
    if printer.is_json() {
        printer.data(&certificates, String::new)?;
    }
    conclude(&certificates, &args, printer)
}

fn options(args: &CheckArgs) -> anyhow::Result<CertifyOptions> {
    Ok(CertifyOptions {
        seeds: files::seeds(&args.seeds)?,
        form: if args.quick { Form::Quick } else { Form::Full },
        n_threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    })
}

/// A certificate that still counts and covers what is asked for.
fn kept(
    store: &CertificateStore,
    task: &Task,
    world: &dyn WorldKind,
    options: &CertifyOptions,
) -> anyhow::Result<Option<Certificate>> {
    let Certified::Valid(certificate) = store.read::<Certificate>(&task.id, task.digest, world.digest(task))? else {
        return Ok(None);
    };
    let covers = options.seeds.iter().all(|seed| certificate.seeds.contains(seed));
    let thorough = certificate.form == Form::Full || options.form == Form::Quick;
    Ok((certificate.is_valid_for(task, world) && certificate.is_sound() && covers && thorough).then_some(certificate))
}

fn prove(
    task: &Task,
    world: &dyn WorldKind,
    options: &CertifyOptions,
    printer: Printer,
) -> anyhow::Result<Certificate> {
    let panel =
        Panel::new(task, &cast::palette()).map_err(|problems| anyhow!("{}: {}", task.id, problems.join("; ")))?;
    let bar = bar(printer);
    let subject = Subject { task, world, panel: &panel, derive: &NothingToDerive };
    let certificate = certify(subject, options, &mut |progress| {
        bar.set_length(progress.n_all as u64);
        bar.set_position(progress.n_done as u64);
        bar.set_message(progress.instance.to_string());
    });
    bar.finish_and_clear();
    Ok(certificate)
}

fn bar(printer: Printer) -> ProgressBar {
    let target = if printer.is_quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(None, target);
    bar.set_style(
        ProgressStyle::with_template("{bar:32} {pos}/{len} instances  {msg}").expect("the template is sound"),
    );
    bar
}

fn text(certificate: &Certificate) -> String {
    let Certificate { task, picks, chance, refusals, .. } = certificate;
    let sum = |count: fn(&quintain_runner::certify::PickProof) -> u32| picks.iter().map(count).sum::<u32>();
    let guesses: Vec<String> = chance
        .iter()
        .map(|proof| {
            let preset = proof.preset.as_deref().map_or(String::new(), |preset| format!(" {preset}"));
            format!("{} of {}{preset}", proof.n_solved, proof.n_guesses)
        })
        .collect();
    let mark = if refusals.is_empty() { "sound  " } else { "REFUSED" };
    let mut text = format!(
        "{mark} {task}: {} instances, {} near misses, {} variations, {} cheats, random solved {}",
        picks.len(),
        sum(|pick| pick.n_near_misses),
        sum(|pick| pick.n_variations),
        picks.iter().map(|pick| pick.cheats.len()).sum::<usize>(),
        guesses.join(", ")
    );
    for refusal in refusals.iter().take(N_PRINTED) {
        text.push_str(&format!("\n  {}", sentence(refusal)));
    }
    if refusals.len() > N_PRINTED {
        text.push_str(&format!("\n  and {} more", refusals.len() - N_PRINTED));
    }
    text
}

fn sentence(refusal: &Refusal) -> String {
    match &refusal.instance {
        Some(instance) => format!("{instance}: {}", refusal.why),
        None => refusal.why.clone(),
    }
}

fn conclude(certificates: &[Certificate], args: &CheckArgs, printer: Printer) -> anyhow::Result<Exit> {
    let n_refused = certificates.iter().filter(|certificate| !certificate.is_sound()).count();
    printer.say(format!(
        "{} tasks, {n_refused} refused; certificates in {}",
        certificates.len(),
        args.certificates.display()
    ));
    Ok(if n_refused == 0 { Exit::Success } else { Exit::Refused })
}
