//! Crash points: the process may die between any two calls.

use std::time::Duration;

use super::{Ground, TestedEngine, bed, fault, release, units};
use crate::engine::{AttemptEnd, Engine, Lease, LeaseOrder, RunDirection};

/// Plays a fixed story once without a break, then once for every point at which the process could die and be started
/// again, and wants the same end each time.
pub async fn any_crash_point_changes_nothing<G: Ground>(ground: G) {
    let whole = CrashStory::new(&ground, &[]).tell().await;
    assert_eq!(whole, CrashStory::new(&ground, &[]).of_run("again").tell().await);
    for cut in 0..N_CALLS {
        let told = CrashStory::new(&ground, &[cut]).of_run(&format!("cut-{cut}")).tell().await;
        assert_eq!(told, whole, "when the process dies before call {cut}");
    }
    let every: Vec<usize> = (0..N_CALLS).collect();
    assert_eq!(CrashStory::new(&ground, &every).of_run("every").tell().await, whole);
}

/// How many calls the story makes.
const N_CALLS: usize = 13;
/// How often a server is looked at again until a lease has run out.
const N_LOOKS: u32 = 40;

struct CrashStory<'a, G> {
    ground: &'a G,
    cuts: &'a [usize],
    run: String,
}

impl<'a, G: Ground> CrashStory<'a, G> {
    fn new(ground: &'a G, cuts: &'a [usize]) -> Self {
        Self { ground, cuts, run: "whole".to_owned() }
    }

    fn of_run(mut self, run: &str) -> Self {
        run.clone_into(&mut self.run);
        self
    }

    /// Four units: one is done, one breaks and is done, one is lost and done twice, one is put down and left.
    async fn tell(self) -> String {
        let mut calls = CrashingCalls { story: &self, bed: Some(bed(self.ground).await), n: 0 };
        calls.next().await.0.enqueue(&self.units()).await.expect("units can be added");
        let leases = calls.lease(4).await;
        calls.next().await.commit(&leases[0], "a").await;
        calls.next().await.release(&leases[1], &release(fault(), Duration::ZERO)).await;
        calls.next().await.release(&leases[3], &release(AttemptEnd::PutDown, Duration::ZERO)).await;
        let again = calls.lease(1).await.remove(0);
        calls.next().await.commit(&again, "b").await;
        self.ground.pass(self.ground.lease_for() * 2).await;
        let rest = calls.lease_both().await;
        let lost = rest.iter().find(|lease| lease.unit == "unit-2").expect("it has run out");
        calls.next().await.commit(&leases[2], "late, and first").await;
        calls.next().await.commit(lost, "second").await;
        calls.next().await.commit(&leases[0], "a again").await;
        calls.next().await.0.direct(&self.run, RunDirection::Cancel).await.expect("a run can be directed");
        calls.end().await
    }

    /// What is asked for: at most so many of this story's units, as they are now.
    fn order(&self, max: usize) -> LeaseOrder {
        LeaseOrder { classes: vec![self.run.clone()], max, wait: Duration::ZERO }
    }

    fn units(&self) -> Vec<crate::engine::Unit> {
        let mut units = units(4);
        for unit in &mut units {
            self.run.clone_into(&mut unit.run);
            unit.class.clone_from(&self.run); // Stories that share an engine must not lease each other's units.
        }
        units
    }
}

struct CrashingCalls<'a, G: Ground> {
    story: &'a CrashStory<'a, G>,
    bed: Option<TestedEngine<G::Engine>>,
    n: usize,
}

impl<G: Ground> CrashingCalls<'_, G> {
    /// The engine for the next call, opened anew where the process is to die before it.
    async fn next(&mut self) -> &TestedEngine<G::Engine> {
        if self.story.cuts.contains(&self.n) {
            self.bed = None;
        }
        self.n += 1;
        if self.bed.is_none() {
            self.bed = Some(bed(self.story.ground).await);
        }
        self.bed.as_ref().expect("it is open")
    }

    async fn lease(&mut self, max: usize) -> Vec<Lease> {
        let order = self.story.order(max);
        self.next().await.0.lease(&order).await.expect("units can be leased")
    }

    /// Two leases, by one call where both are there. A server that is busy may see later that one has run out.
    async fn lease_both(&mut self) -> Vec<Lease> {
        let mut leases = self.lease(2).await;
        for _ in 0..N_LOOKS {
            if leases.len() >= 2 {
                break;
            }
            self.story.ground.pass(self.story.ground.lease_for() / 4).await;
            let engine = &self.bed.as_ref().expect("it was leased from").0;
            leases.extend(engine.lease(&self.story.order(1)).await.expect("units can be leased"));
        }
        leases
    }

    async fn end(mut self) -> String {
        let run = &self.story.run;
        let engine = &self.next().await.0;
        let attempts = engine.attempts(run).await.expect("attempts can be read");
        let outcomes = engine.outcomes(run, 0, 99).await.expect("outcomes can be read");
        let progress = engine.progress(run).await.expect("progress can be read");
        assert_eq!(self.n, N_CALLS, "the story has another number of calls than it says");
        let attempts: Vec<_> =
            attempts.iter().map(|a| format!("{} {} {:?} {:?}", a.unit, a.attempt, a.end, a.place)).collect();
        let outcomes: Vec<_> =
            outcomes.iter().map(|o| format!("{} {} {}", o.unit, o.attempt, o.outcome.place)).collect();
        format!("{}\n{}\n{progress:?}", attempts.join("\n"), outcomes.join("\n"))
    }
}
