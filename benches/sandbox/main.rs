//! What a sandbox costs: how long one takes to open, to run a program in, and to close, beside the program alone.

use std::time::{Duration, Instant};

use quintain_process::SpawnOptions;
use quintain_process::sandbox::{SandboxCommand, SandboxPlan, SandboxProvider as _, this_host};

const N: u32 = 100;

#[expect(clippy::print_stdout, reason = "it tells what it measured")]
fn main() {
    let host = this_host().expect("a sandbox");
    println!("{}, limits by {}", host.examination.provider, host.examination.enforcement);
    let plan = SandboxPlan::default();
    let timed = |what: &str, mut run: Box<dyn FnMut()>| {
        let began = Instant::now();
        (0..N).for_each(|_| run());
        println!("{what}: {:.1} ms", began.elapsed().as_secs_f64() * 1000.0 / f64::from(N));
    };
    let minute = Duration::from_mins(1);
    timed("true, alone", Box::new(|| drop(SpawnOptions::new("/bin/true").ask(minute, 10).expect("an answer"))));
    let fenced = plan.clone();
    let fenced_once = move || {
        let options = host.provider.options(&fenced, &["/bin/true"]).expect("options");
        options.ask(minute, 10).expect("an answer");
    };
    timed("true, in a sandbox of its own", Box::new(fenced_once));
    let mut sandbox = host.provider.open(&plan).expect("a sandbox");
    let in_open = move || drop(sandbox.exec(&SandboxCommand::of(["/bin/true"])).expect("an answer"));
    timed("true, in a sandbox that stays", Box::new(in_open));
}
