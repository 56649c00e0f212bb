//! `quintain prune`

use anyhow::bail;
use quintain_core::words::count;
use quintain_store::KeptPictures;
use quintain_workshop::{Workshop, progress};
use serde_json::json;

use crate::args::{PictureChoice, PruneArgs};
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn prune(args: &PruneArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let mut run = workshop.open_run(&args.run)?;
    let (n_done, n_planned) = progress(&run)?;
    if n_done < n_planned && !args.dry_run {
        bail!(
            "run `{}` is not over: {n_done} of {n_planned} trials have an outcome\nhint: `quintain resume` goes on with it",
            args.run
        );
    }
    let kept = args.pictures.kept();
    let pruned = run.prunable(kept)?;
    if !args.dry_run {
        run.prune(kept, &pruned)?;
    }
    let json = json!({
        "run": run.header().name,
        "removed": pruned.files.len(),
        "bytes": pruned.n_bytes,
        "left": pruned.n_left,
        "dry_run": args.dry_run,
    });
    printer.data(&json, || {
        let (went, left) = (count(pruned.files.len(), "picture"), count(pruned.n_left, "picture"));
        let megabytes = pruned.n_bytes as f64 / 1e6;
        let words = if args.dry_run { "would go" } else { "are gone" };
        format!("{went} of {megabytes:.1} MB {words}, {left} stay")
    })?;
    Ok(Exit::Success)
}

impl PictureChoice {
    /// As a run wants to know it.
    pub(crate) fn kept(self) -> KeptPictures {
        match self {
            Self::All => KeptPictures::All,
            Self::Key => KeptPictures::Key,
            Self::Ends => KeptPictures::Ends,
        }
    }
}
