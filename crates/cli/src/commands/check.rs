//! `quintain check`

mod claimed;
mod dry;
mod fitting;
mod keeping;
mod mutating;
mod progress;
mod text;
mod twins;
mod watching;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use quintain_core::words::count;
use quintain_core::{CertificateKey, Pick, Task, WorldKind};
use quintain_runner::certify::{
    Certificate, CertificateForm, CertificateSubject, CertifyOptions, KeptCertificate, certify,
};
use quintain_runner::{in_parallel, n_cores};
use quintain_store::{CertificateStore, CertifiedState, Selection};
use quintain_workshop::{Workshop, words};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::printer;
use crate::printer::Printer;
use keeping::KeepingFolder;
use progress::CheckProgress;
use text::{staying, text};

pub(crate) fn check(args: &CheckArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    if args.along.watch {
        return watching::watch(args, workshop, printer);
    }
    check_once(args, workshop, printer)
}

fn check_once(args: &CheckArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    if let Some(folder) = &args.instead.kept {
        return fitting::tell(folder, args, workshop, printer);
    }
    if let Some(folder) = &args.instead.states {
        return claimed::tell(folder, &args.tasks, workshop, printer);
    }
    if args.instead.twins {
        return twins::tell(args, workshop, printer);
    }
    if args.instead.dry {
        return dry::tell(args, workshop, printer);
    }
    let store = CertificateStore::new(&args.certificates);
    let options = options(args)?;
    let selections = workshop.playable(&args.tasks, &|words| printer.say(words))?;
    if let Some(part) = selections.iter().find(|selection| selection.stretch.is_some()) {
        bail!(
            "a certificate is about whole instances of `{}`\nhint: leave out `+`; every start is examined",
            part.task.id
        );
    }
    if args.instead.mutate {
        return mutating::tell(&selections, workshop, printer);
    }
    let keeping = args.keep.as_deref().map(|folder| KeepingFolder::of(folder, &selections)).transpose()?;
    let progress = CheckProgress::new(args, printer);
    let office = CertificateOffice { workshop, store: &store, keeping, options: &options, args, printer, progress };
    let certificates = office.certify_all(&selections)?;
    if printer.json {
        printer.data(&certificates, String::new)?;
    }
    Ok(conclude(&certificates, selections.len() - certificates.len(), args, printer))
}

/// Where certificates are made.
struct CertificateOffice<'a> {
    workshop: &'a Workshop,
    store: &'a CertificateStore,
    keeping: Option<KeepingFolder<'a>>,
    options: &'a CertifyOptions,
    args: &'a CheckArgs,
    printer: Printer,
    progress: CheckProgress,
}

impl CertificateOffice<'_> {
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
        let made = in_parallel(selections.len(), self.options.n_threads, &work, &mut |idx, outcome| {
            texts.extend(outcome.iter().flatten().map(|outcome| (idx, outcome.text())));
            while let Some(text) = texts.remove(&n_told).filter(|_| told.is_ok()) {
                told = self.tell(&text);
                n_told += 1;
            }
        });
        self.progress.finish();
        told?;
        let outcomes = made.into_iter().flatten().collect::<anyhow::Result<Vec<_>>>()?;
        Ok(outcomes.into_iter().filter_map(CheckOutcome::certificate).collect())
    }

    /// Makes the certificate, unless one is kept that proves as much.
    fn certify(&self, selection: &Selection) -> anyhow::Result<CheckOutcome> {
        let world = self.workshop.offerings()?.world_for(&selection.task)?.as_ref();
        let options = narrowed_options(selection, self.options);
        if let Some(keeping) = self.keeping.as_ref().filter(|_| !self.args.again)
            && let Some(kept) = keeping.fitting(self.workshop, &selection.task)?
            && kept.covers(options.form, options.seeds.len())
        {
            return Ok(CheckOutcome::Kept(kept));
        }
        let certificate = certified(selection, world, &options, self)?;
        if let Some(keeping) = &self.keeping {
            keeping.keep(self.workshop, &selection.task, &certificate, &|words| self.printer.say(words))?;
        }
        Ok(CheckOutcome::Made(certificate))
    }

    fn tell(&self, text: &str) -> anyhow::Result<()> {
        if self.printer.json { Ok(()) } else { self.progress.beside(|| printer::plain(text)) }
    }
}

/// What came of one task.
enum CheckOutcome {
    /// Its certificate.
    Made(Certificate),
    /// Nothing was played: what is kept proves as much.
    Kept(KeptCertificate),
}

impl CheckOutcome {
    fn text(&self) -> String {
        match self {
            Self::Made(certificate) => text(certificate),
            Self::Kept(kept) => format!("kept    {}: {}, fits", kept.task, kept.form.name()),
        }
    }

    fn certificate(self) -> Option<Certificate> {
        match self {
            Self::Made(certificate) => Some(certificate),
            Self::Kept(_) => None,
        }
    }
}

fn options(args: &CheckArgs) -> anyhow::Result<CertifyOptions> {
    Ok(CertifyOptions {
        seeds: words::seeds(&args.seeds)?,
        canonical: false,
        form: if args.quick { CertificateForm::Quick } else { CertificateForm::Full },
        n_threads: n_cores(),
    })
}

/// The certificate of what was selected: a written one that covers it, else a new one. One that is worth more is never lost
/// to a new one, unless the new one finds something wrong.
fn certified(
    selection: &Selection,
    world: &dyn WorldKind,
    options: &CertifyOptions,
    office: &CertificateOffice<'_>,
) -> anyhow::Result<Certificate> {
    let CertificateOffice { workshop, store, args, printer, .. } = *office;
    let task = &selection.task;
    let key = workshop.certificate_key(task)?;
    let written = written(store, task, &key, world, printer);
    let canonical = options.canonical.then(Pick::default);
    let wanted: Vec<Pick> = canonical.into_iter().chain(selection.picks(&options.seeds)).collect();
    match &written {
        Some(written) if !args.again && written.is_sound() && covers(written, &wanted, options.form) => {
            return Ok(written.clone());
        }
        _ => {}
    }
    office.progress.expect(wanted.len());
    let certificate = prove(&narrowed(selection), world, options, office)?;
    match written {
        Some(written) if certificate.is_sound() && written.outweighs(&certificate) => {
            printer.say(staying(&store.path(&task.id), &written, &certificate));
        }
        _ => store.write(&task.id, &key, &certificate)?,
    }
    Ok(certificate)
}

/// The seeds to examine, and whether the canonical instance is. A task whose instances are the canonical one and its
/// twins is examined on that one too, and in the quick form on that one alone.
fn narrowed_options(selection: &Selection, options: &CertifyOptions) -> CertifyOptions {
    let canonical = selection.task.has_canonical() && selection.seed.is_none();
    let seeds = match selection.seed {
        Some(seed) => vec![seed],
        None if canonical && options.form == CertificateForm::Quick => Vec::new(),
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

/// The certificate that was written of this task with this key. One that cannot be read proves nothing.
fn written(
    store: &CertificateStore,
    task: &Task,
    key: &CertificateKey,
    world: &dyn WorldKind,
    printer: Printer,
) -> Option<Certificate> {
    match store.read::<Certificate>(&task.id, key) {
        Ok(CertifiedState::Valid(certificate)) => certificate.is_valid_for(task, world).then_some(certificate),
        Ok(_) => None,
        Err(error) => {
            printer.say(format!("the certificate kept of {} counts no more: {error}", task.id));
            None
        }
    }
}

fn covers(certificate: &Certificate, wanted: &[Pick], form: CertificateForm) -> bool {
    let proven: BTreeSet<&Pick> = certificate.instances().into_iter().map(|instance| &instance.pick).collect();
    certificate.form >= form && wanted.iter().all(|pick| proven.contains(pick))
}

fn prove(
    task: &Task,
    world: &dyn WorldKind,
    options: &CertifyOptions,
    office: &CertificateOffice<'_>,
) -> anyhow::Result<Certificate> {
    let (panel, verifiers) = office.workshop.judges(task)?;
    let subject = CertificateSubject { task, world, panel: &panel, derive: verifiers.as_ref() };
    Ok(certify(subject, options, &|progress| office.progress.tell(progress)))
}

fn conclude(certificates: &[Certificate], n_kept: usize, args: &CheckArgs, printer: Printer) -> Exit {
    let n_refused = certificates.iter().filter(|certificate| !certificate.is_sound()).count();
    let kept = if n_kept > 0 { format!("; {n_kept} more were kept already") } else { String::new() };
    let folder = args.keep.as_ref().unwrap_or(&args.certificates).display();
    printer.say(format!("{}, {n_refused} refused{kept}; certificates in {folder}", count(certificates.len(), "task")));
    if n_refused == 0 { Exit::Success } else { Exit::Refused }
}
