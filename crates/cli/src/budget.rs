//! What a whole run may use up: from what was typed to what is kept, and what is said when it is spent.

use quintain_core::books::Totals;
use quintain_core::ending::Exhausted;
use quintain_core::limits::Budget;
use quintain_core::money::dollars_and_cents;
use quintain_core::words::count;
use quintain_runner::RunSummary;
use quintain_store::RunDir;

use crate::args::BudgetArgs;

/// The budget of a run after what was typed now: whatever is not named stays as it was.
pub(crate) fn budget(args: &BudgetArgs, before: Budget) -> Budget {
    let BudgetArgs { cost: cost_usd, tokens, minutes, steps } = *args;
    Budget { steps, minutes, tokens, cost_usd }.or(before)
}

/// What is said of a run that has trials left: why, what was used so far, and how to go on.
pub(crate) fn left_words(run: &RunDir, summary: &RunSummary) -> anyhow::Result<String> {
    let totals = run.calls()?.totals;
    let used = if totals.n_calls == 0 { String::new() } else { format!("; {}", calls_words(&totals)) };
    let minutes = run.lasted()?.as_secs_f64() / 60.0;
    let so_far = format!("so far {minutes:.1} minutes{used}");
    let left = count(summary.n_left, "trial");
    Ok(match summary.exhausted.or_else(|| totals.exhausted(&run.header().budget)) {
        Some(what) => spent_words(run, what, &left, &so_far),
        None => format!("{left} left, {so_far}\nhint: quintain resume {}", run.header().name),
    })
}

/// What calls of models came to, in words.
pub(crate) fn calls_words(totals: &Totals) -> String {
    let Totals { cost_usd, tokens, n_calls, n_unknown, n_unpriced, .. } = totals;
    let unknown = if *n_unknown > 0 { format!(", nothing is known of {n_unknown} of them") } else { String::new() };
    let least = if *n_unknown + *n_unpriced > 0 { "at least " } else { "" };
    let cost = if *n_unpriced > 0 && *cost_usd == 0.0 {
        "unknown cost".to_owned()
    } else {
        format!("{least}{}", dollars_and_cents(*cost_usd))
    };
    format!("{} of models, {tokens} tokens, {cost}{unknown}", count(*n_calls, "call"))
}

fn spent_words(run: &RunDir, what: Exhausted, left: &str, so_far: &str) -> String {
    let budget = &run.header().budget;
    let (limit, option) = match what {
        Exhausted::Steps => (budget.steps.map(|steps| format!("{steps} steps")), "--run-steps"),
        Exhausted::Tokens => (budget.tokens.map(|tokens| format!("{tokens} tokens")), "--run-tokens"),
        Exhausted::Cost => (budget.cost_usd.map(dollars_and_cents), "--run-cost"),
        Exhausted::Time | Exhausted::Resources => {
            (budget.minutes.map(|minutes| format!("{minutes} minutes")), "--run-minutes")
        }
    };
    let limit = limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
    let name = &run.header().name;
    format!(
        "the run's budget{limit} is spent ({so_far}); {left} left, everything done is kept\n\
         hint: quintain resume {name} {option} MORE"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_stays_as_it_was() {
        let args = BudgetArgs { cost: Some(10.0), ..BudgetArgs::default() };
        let before = Budget { cost_usd: Some(5.0), steps: Some(100), ..Budget::default() };
        assert_eq!(budget(&args, before), Budget { cost_usd: Some(10.0), steps: Some(100), ..Budget::default() });
    }
}
