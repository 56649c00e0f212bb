//! Programs of the shell, and what becomes of them.

use std::io::Read as _;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use super::*;

const SOON: Duration = Duration::from_mins(1);

fn shell(script: &str) -> SpawnOptions {
    SpawnOptions::new("sh").args(["-c", script])
}

/// How a script ends by itself, as it is seen before it is reaped; reaping says the same.
fn seen(script: &str) -> String {
    let mut group = shell(script).spawn().unwrap();
    let status = group.wait(SOON).unwrap().expect("it leaves by itself");
    assert_eq!((group.status(), group.end()), (Some(status), Some(status)));
    format!("{:?}: {status}", ProcessEnd::of(status))
}

#[test]
fn an_end_is_told_as_it_was() {
    assert_eq!(seen("exit 0"), "Exited(0): exit status: 0");
    assert_eq!(seen("exit 255"), "Exited(255): exit status: 255");
    assert_eq!(seen("kill -TERM $$"), "Signalled(15): signal: 15 (SIGTERM)");
    assert_eq!(seen("kill -KILL $$"), "Killed: signal: 9 (SIGKILL)");
    assert!(seen("kill -ABRT $$").starts_with("Signalled(6): signal: 6 (SIGABRT)"));
}

/// Whoever holds the pipe is alive: that it closes says that all are gone.
#[test]
fn everything_that_was_started_goes_with_its_owner() {
    for script in ["sleep 1000 & echo; wait", "sleep 1000 & echo; exit 3", "(sh -c 'sleep 1000' & echo) & wait"] {
        let mut group = shell(script).output(Stdio::piped()).spawn().unwrap();
        let mut printed = group.take_pipes().output.unwrap();
        printed.read_exact(&mut [0]).expect("the sleeper was started");
        if script.ends_with('3') {
            assert_eq!(group.wait(SOON).unwrap().and_then(|status| status.code()), Some(3));
        }
        drop(group);
        assert_eq!(printed.read(&mut [0]).unwrap(), 0, "{script}");
    }
}

#[test]
fn what_runs_on_is_not_waited_for_and_can_be_ended() {
    let mut group = shell("sleep 1000").spawn().unwrap();
    assert_eq!((group.wait(Duration::from_millis(20)).unwrap(), group.status()), (None, None));
    assert_eq!(group.end().map(ProcessEnd::of), Some(ProcessEnd::Killed));
}

#[test]
fn work_is_limited() {
    let mut group = shell("while :; do :; done").cpu_seconds(1).spawn().unwrap();
    assert_eq!(group.wait(SOON).unwrap().map(ProcessEnd::of), Some(ProcessEnd::UsedUp));
}

#[test]
fn the_end_is_told_to_whoever_wants_to_hear_of_it() {
    let mut group = shell("read line; exit 7").input(Stdio::piped()).spawn().unwrap();
    let (tell, told) = channel();
    group.on_end(move || tell.send("gone").unwrap()).unwrap();
    assert!(told.try_recv().is_err());
    drop(group.take_pipes());
    assert_eq!(told.recv_timeout(SOON), Ok("gone"));
    assert_eq!(group.status().and_then(|status| status.code()), Some(7));
}

#[test]
fn of_what_is_printed_the_end_is_kept() {
    let options = shell("seq 1 20000; seq 1 3 >&2").output(Stdio::piped()).errors(Stdio::piped());
    let mut group = options.spawn().unwrap();
    let pipes = group.take_pipes();
    let (output, errors) = (OutputTail::of(pipes.output, 12).unwrap(), OutputTail::of(pipes.errors, 12).unwrap());
    assert!(group.wait(SOON).unwrap().is_some());
    assert_eq!((output.text(), errors.text()), ("19999\n20000\n".to_owned(), "1\n2\n3\n".to_owned()));
}

#[test]
fn a_question_has_an_answer_or_an_end() {
    let answer = shell("echo yes; echo but >&2; exit 1").ask(SOON, 100).unwrap();
    assert_eq!((answer.output.as_str(), answer.errors.as_str()), ("yes\n", "but\n"));
    assert_eq!(answer.status.and_then(|status| status.code()), Some(1));
    let late = shell("sleep 1000").ask(Duration::from_millis(20), 100).unwrap();
    assert_eq!((late.status, late.output.as_str()), (None, ""));
}

#[test]
fn a_program_has_the_environment_folder_and_descriptors_it_is_given() {
    let said = |options: SpawnOptions| options.ask(SOON, 1000).unwrap().output;
    assert_eq!(said(shell("echo $GIVEN; pwd").env([("GIVEN", "it")]).folder("/")), "it\n/\n");
    assert_eq!(said(shell("echo ${HOME-none} $GIVEN").only_env([("GIVEN", "it")])), "none it\n");
    assert_eq!(said(shell("echo ${HOME-none}").unset(&["HOME"])), "none\n");
    let (mut ours, theirs) = std::io::pipe().unwrap();
    said(shell("echo through >&7").descriptors([(theirs.into(), 7)]).unwrap());
    let mut heard = String::new();
    ours.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "through\n");
}

#[test]
fn what_cannot_be_started_is_told() {
    assert_eq!(SpawnOptions::of_argv(&[]).unwrap_err().to_string(), "no program is named");
    let nowhere = SpawnOptions::of_argv(&["/no/such/program".to_owned()]).unwrap().spawn();
    assert_eq!(nowhere.unwrap_err().kind(), std::io::ErrorKind::NotFound);
}
