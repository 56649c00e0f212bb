//! Blind guesses, and what they may come to.

use quintain_core::{Pick, Task};

use super::certificate::{CertificateRefusal, ChanceProof, Reason};

/// The quantile of the normal distribution for a 95 % interval.
const Z: f64 = 1.959_963_984_540_054;

/// What blind guesses came to: those of a random agent, and solutions of another instance learnt by heart.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Guesses {
    pub(super) n: u32,
    pub(super) n_solved: u32,
    pub(super) n_recited: u32,
    pub(super) n_recited_solved: u32,
}

impl Guesses {
    pub(super) fn add(&mut self, more: &Self) {
        self.n += more.n;
        self.n_solved += more.n_solved;
        self.n_recited += more.n_recited;
        self.n_recited_solved += more.n_recited_solved;
    }

    pub(super) fn proof(&self, declared: f64, preset: Option<String>) -> ChanceProof {
        let at_least = wilson_lower(self.n_solved, self.n);
        ChanceProof { preset, declared, n_guesses: self.n, n_solved: self.n_solved, at_least }
    }

    pub(super) fn refusals(&self, task: &Task, pick: &Pick) -> Vec<CertificateRefusal> {
        let declared = task.chance(pick);
        let preset = pick.preset.as_ref().map_or_else(String::new, |preset| format!("preset `{preset}`: "));
        let mut refusals = Vec::new();
        let at_least = wilson_lower(self.n_solved, self.n);
        if at_least > declared {
            let why = format!(
                "{preset}{} of {} blind trials solve it, so chance is at least {at_least:.4}, but {declared} is declared",
                self.n_solved, self.n
            );
            refusals.push(CertificateRefusal::of_task(Reason::ChanceTooLow, why));
        }
        if wilson_lower(self.n_recited_solved, self.n_recited) > declared {
            let why = format!(
                "{preset}the canonical solution learnt by heart solves {} of {} other instances",
                self.n_recited_solved, self.n_recited
            );
            refusals.push(CertificateRefusal::of_task(Reason::CheatSucceeds, why));
        }
        refusals
    }
}

/// The lower end of the 95 % Wilson interval of a share; 0 where nothing was tried.
fn wilson_lower(n_solved: u32, n: u32) -> f64 {
    if n_solved == 0 {
        return 0.0;
    }
    let (n, share) = (f64::from(n), f64::from(n_solved) / f64::from(n));
    let z2 = Z * Z;
    let centre = share + z2 / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    ((centre - spread) / (1.0 + z2 / n)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        let rounded = |n_solved, n| (wilson_lower(n_solved, n) * 1e4).round() / 1e4;
        // 1 of 10: the lower end worked out by hand is 0.0179; all of 10: 0.7225.
        assert_eq!(
            [rounded(1, 10), rounded(10, 10), rounded(0, 10), rounded(0, 0)].map(|x| (x * 1e4) as i32),
            [179, 7225, 0, 0]
        );
    }
}
