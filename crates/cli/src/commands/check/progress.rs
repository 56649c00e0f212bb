//! How far an examination is, told to whoever waits for it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_runner::certify::ExaminationProgress;

use crate::args::CheckArgs;
use crate::printer::Printer;

/// A bar on a terminal; lines where they are asked for and there is none.
pub(super) struct CheckProgress {
    bar: ProgressBar,
    lines: Option<Printer>,
}

impl CheckProgress {
    pub(super) fn new(args: &CheckArgs, printer: Printer) -> Self {
        let bar = bar(printer);
        let lines = Some(printer).filter(|_| args.along.progress && bar.is_hidden());
        Self { bar, lines }
    }

    /// So many more instances are to be examined.
    pub(super) fn expect(&self, n_instances: usize) {
        self.bar.inc_length(n_instances as u64);
    }

    pub(super) fn tell(&self, progress: &ExaminationProgress) {
        let words = match progress {
            ExaminationProgress::At { instance, part, n, n_all } => format!("{instance}: {part} ({n} of {n_all})"),
            ExaminationProgress::Examined(examined) => {
                self.bar.inc(1);
                format!("{}: examined ({} of {} instances)", examined.instance, examined.n_done, examined.n_all)
            }
            ExaminationProgress::Drawn { task, n_done, n_all } => {
                format!("{task}: drawing twins ({n_done} of {n_all})")
            }
        };
        if let Some(printer) = self.lines {
            printer.say(&words);
        }
        self.bar.set_message(words);
    }

    /// Lets something else be printed.
    pub(super) fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar on a terminal, which counts instances.
pub(super) fn bar(printer: Printer) -> ProgressBar {
    let target = if printer.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} instances  {msg}");
    bar.set_style(style.expect("the template is sound"));
    bar
}
