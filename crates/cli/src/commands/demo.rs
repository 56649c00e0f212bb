//! `quintain demo`

use crate::args::{BudgetArgs, Common, DemoArgs, HowArgs, OnFleetArgs, RunArgs, WorkingArgs};
use crate::commands::run;
use crate::exit::Exit;
use crate::files;
use crate::printer::Printer;

pub(crate) fn demo(args: &DemoArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    printer
        .say("the puzzles, easy and hard, two seeds each: the oracle plays them, and a random agent for comparison\n");
    let name = files::free_name(&args.name, '-', common);
    let demo = RunArgs {
        tasks: vec!["puzzles".to_owned()],
        agent: vec!["oracle".to_owned(), "random".to_owned()],
        seeds: Some("2".to_owned()),
        repeats: 1,
        name: Some(name.clone()),
        how: HowArgs::default(),
        cache: None,
        working: WorkingArgs { workers: None, attempts: 3, log: None },
        on_fleet: OnFleetArgs::default(),
        dry_run: false,
        pilot: None,
        budget: BudgetArgs::default(),
    };
    let exit = run::run(&demo, common, printer)?;
    printer.say(format!(
        "\nnext:\n  quintain show {name}                        every trial of this run\n  \
         quintain play puzzles/sliding-block@easy    play one yourself\n  \
         quintain run puzzles/maze-2d --agent \"cmd:python3 examples/agent.py\" --show ascii,feedback    let a program play"
    ));
    Ok(exit)
}
