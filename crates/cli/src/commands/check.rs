//! `quintain check`

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_core::{Pick, Task, WorldKind};
use quintain_runner::certify::{Certificate, CertifyOptions, Form, Subject, certify};
use quintain_runner::in_parallel;
use quintain_store::{CertificateStore, Certified, Selection};
use quintain_workshop::{Workshop, words};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::printer;
use crate::printer::Printer;

/// The most refusals of one task that are printed.
const N_PRINTED: usize = 10;

pub(crate) fn check(args: &CheckArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let store = CertificateStore::new(&args.certificates);
    let options = options(args)?;
    let selections = workshop.playable(&args.tasks, &|words| printer.say(words))?;
    if let Some(part) = selections.iter().find(|selection| selection.stretch.is_some()) {
        bail!(
            "a certificate is about whole instances of `{}`\nhint: leave out `+`; every start is examined",
            part.task.id
        );
    }
    let office = Office { workshop, store: &store, options: &options, args, printer, bar: bar(printer) };
    let certificates = office.certify_all(&selections)?;
    if printer.json {
        printer.data(&certificates, String::new)?;
    }
    Ok(conclude(&certificates, args, printer))
}

/// Where certificates are made.
struct Office<'a> {
    workshop: &'a Workshop,
    store: &'a CertificateStore,
    options: &'a CertifyOptions,
    args: &'a CheckArgs,
    printer: Printer,
    bar: ProgressBar,
}

impl Office<'_> {
    /// Examines several tasks at once, and tells of each in the order they were named.
    fn certify_all(&self, selections: &[Selection]) -> anyhow::Result<Vec<Certificate>> {
        let has_failed = AtomicBool::new(false);
        // After a failure nothing more is begun.
        let work = |idx: usize| {
            let certificate = (!has_failed.load(Ordering::Relaxed)).then(|| self.certify(&selections[idx]))?;
            has_failed.fetch_or(certificate.is_err(), Ordering::Relaxed);
            Some(certificate)
        };
        let (mut texts, mut n_told, mut told) = (BTreeMap::new(), 0, Ok(()));
        let made = in_parallel(selections.len(), self.options.n_threads, &work, &mut |idx, certificate| {
            texts.extend(certificate.iter().flatten().map(|certificate| (idx, text(certificate))));
            while let Some(text) = texts.remove(&n_told).filter(|_| told.is_ok()) {
                told = self.tell(&text);
                n_told += 1;
            }
        });
        self.bar.finish_and_clear();
        told?;
        made.into_iter().flatten().collect()
    }

    fn certify(&self, selection: &Selection) -> anyhow::Result<Certificate> {
        let world = self.workshop.offerings()?.world_for(&selection.task)?.as_ref();
        certified(selection, world, self)
    }

    fn tell(&self, text: &str) -> anyhow::Result<()> {
        if self.printer.json { Ok(()) } else { self.bar.suspend(|| printer::plain(text)) }
    }
}

fn options(args: &CheckArgs) -> anyhow::Result<CertifyOptions> {
    Ok(CertifyOptions {
        seeds: words::seeds(&args.seeds)?,
        canonical: false,
        form: if args.quick { Form::Quick } else { Form::Full },
        n_threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    })
}

/// The certificate of what was selected: a kept one that covers it, else a new one. A fuller one is never lost to a new
/// one, unless the new one finds something wrong.
fn certified(selection: &Selection, world: &dyn WorldKind, office: &Office<'_>) -> anyhow::Result<Certificate> {
    let Office { store, options, args, printer, .. } = *office;
    let task = &selection.task;
    let kept = kept(store, task, world, printer);
    let options = &narrowed_options(selection, options);
    let canonical = options.canonical.then(Pick::default);
    let wanted: Vec<Pick> = canonical.into_iter().chain(selection.picks(&options.seeds)).collect();
    match &kept {
        Some(kept) if !args.again && kept.is_sound() && covers(kept, &wanted, options.form) => return Ok(kept.clone()),
        _ => {}
    }
    office.bar.inc_length(wanted.len() as u64);
    let certificate = prove(&narrowed(selection), world, options, office)?;
    match kept {
        Some(kept) if certificate.is_sound() && !covers(&certificate, &picks_of(&kept), kept.form) => {
            printer.say(format!("the certificate kept of {} proves more and stays", task.id));
        }
        _ => store.write(&task.id, task.digest, world.digest(task), &certificate)?,
    }
    Ok(certificate)
}

/// The seeds to examine, and whether the canonical instance is. A task whose instances are the canonical one and its
/// twins is examined on that one too, and in the quick form on that one alone.
fn narrowed_options(selection: &Selection, options: &CertifyOptions) -> CertifyOptions {
    let canonical = selection.task.has_canonical() && selection.seed.is_none();
    let seeds = match selection.seed {
        Some(seed) => vec![seed],
        None if canonical && options.form == Form::Quick => Vec::new(),
        None => options.seeds.clone(),
    };
    CertifyOptions { seeds, canonical, ..options.clone() }
}

/// The task with no other preset than the one that was asked for. Its digest stays that of the folder.
fn narrowed(selection: &Selection) -> Task {
    let mut task = selection.task.clone();
    if let Some(only) = &selection.preset {
        task.spec.presets.retain(|preset, _| preset == only);
    }
    task
}

/// The certificate that is kept of this task in this world. One that cannot be read proves nothing.
fn kept(store: &CertificateStore, task: &Task, world: &dyn WorldKind, printer: Printer) -> Option<Certificate> {
    match store.read::<Certificate>(&task.id, task.digest, world.digest(task)) {
        Ok(Certified::Valid(certificate)) => certificate.is_valid_for(task, world).then_some(certificate),
        Ok(_) => None,
        Err(error) => {
            printer.say(format!("the certificate kept of {} counts no more: {error}", task.id));
            None
        }
    }
}

fn covers(certificate: &Certificate, wanted: &[Pick], form: Form) -> bool {
    let proven = picks_of(certificate);
    let thorough = certificate.form == Form::Full || form == Form::Quick;
    thorough && wanted.iter().all(|pick| proven.contains(pick))
}

/// The instances a certificate is about: those proven and those refused.
fn picks_of(certificate: &Certificate) -> Vec<Pick> {
    let proven = certificate.picks.iter().map(|proof| &proof.instance);
    let refused = certificate.refusals.iter().filter_map(|refusal| refusal.instance.as_ref());
    proven.chain(refused).map(|instance| instance.pick.clone()).collect()
}

fn prove(
    task: &Task,
    world: &dyn WorldKind,
    options: &CertifyOptions,
    office: &Office<'_>,
) -> anyhow::Result<Certificate> {
    let (panel, verifiers) = office.workshop.judges(task)?;
    let subject = Subject { task, world, panel: &panel, derive: verifiers.as_ref() };
    Ok(certify(subject, options, &mut |progress| {
        office.bar.inc(1);
        office.bar.set_message(progress.instance.to_string());
    }))
}

fn bar(printer: Printer) -> ProgressBar {
    let target = if printer.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(0), target);
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
    let n_stretches = picks.iter().map(|pick| pick.stretches.len()).sum::<usize>();
    if n_stretches > 0 {
        let _infallible = write!(text, ", {n_stretches} stretches");
    }
    for refusal in refusals.iter().take(N_PRINTED) {
        let _infallible = write!(text, "\n  {refusal}");
    }
    if refusals.len() > N_PRINTED {
        let _infallible = write!(text, "\n  and {} more", refusals.len() - N_PRINTED);
    }
    text
}

fn conclude(certificates: &[Certificate], args: &CheckArgs, printer: Printer) -> Exit {
    let n_refused = certificates.iter().filter(|certificate| !certificate.is_sound()).count();
    printer.say(format!(
        "{} tasks, {n_refused} refused; certificates in {}",
        certificates.len(),
        args.certificates.display()
    ));
    if n_refused == 0 { Exit::Success } else { Exit::Refused }
}
