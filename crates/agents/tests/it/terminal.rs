//! A person at a terminal, played by a list of lines.

use std::io::{BufReader, Cursor, Read};
use std::time::Duration;

use quintain_agents::Terminal;
use quintain_core::ObservationPart;

use crate::maze::{Game, SOLUTION};

/// Types the lines and tells what was printed, and the story.
fn type_in(game: &Game, lines: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let screen = folder.path().join("screen.png");
    let mut printed = Vec::new();
    let input = Cursor::new(lines.to_owned().into_bytes());
    let mut agent = Terminal::new(input, &mut printed, &screen).expect("a thread");
    let story = game.play(&mut agent).story();
    drop(agent);
    let is_png = std::fs::read(&screen).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG"));
    assert_eq!(is_png, game.show.contains(&ObservationPart::Screen), "the screen is a file if it is shown");
    let printed =
        String::from_utf8(printed).expect("a text").replace(folder.path().to_str().expect("a text"), "FOLDER");
    format!("{printed}\n{story}")
}

#[test]
fn a_person_sees_the_task_and_types_actions() {
    let game = Game { n_steps: 4, ..Game::new() };
    insta::assert_snapshot!(type_in(&game, "move 0\n\nscreen\nmove west\n('move', 1)\nstop\n"), @r#"
    Walk to the goal.

    Type one action a line, like ('move', 0). `stop` ends the trial and hands in the state as it is; `give_up WHY` says that the task cannot be done.
    `help` lists every action, `screen` tells where the picture is, `quit` leaves.

    == turn 0 (4 steps left)
    screen: FOLDER/screen.png (7x5)
    ascii:
    #######
    #A..#.#
    ###.#.#
    #....G#
    #######
    > 
    == turn 1 (3 steps left)
    screen: FOLDER/screen.png (7x5)
    ascii:
    #######
    #.A.#.#
    ###.#.#
    #....G#
    #######
    feedback: moved
    > > screen: FOLDER/screen.png (7x5)
    > `direction` of `move` must be a whole number from 0 to 3, not "west"; nothing was done and no step taken (`help` lists the actions)
    > 
    == turn 2 (2 steps left)
    screen: FOLDER/screen.png (7x5)
    ascii:
    #######
    #.A.#.#
    ###.#.#
    #....G#
    #######
    feedback: a wall
    > 
    move(0) move(1) done | done, score 0
    "#);
}

#[test]
fn what_is_no_action_is_explained_by_what_was_meant() {
    let game = Game { show: [ObservationPart::Feedback].into(), ..Game::new() };
    let cut = format!("note {}", "x".repeat(4090));
    let told = type_in(&game, &format!("move it [0\ndance\n{cut}\nquit\n"));
    insta::assert_snapshot!(told.lines().filter(|line| line.starts_with("> ")).take(3).collect::<Vec<_>>().join("\n"), @"
    > `move` is typed like ('move', 0); nothing was done and no step taken (`help` lists the actions)
    > that is no action; nothing was done and no step taken (`help` lists the actions)
    > a terminal cuts lines after 4095 bytes, and this one was: say it in shorter ones; nothing was done and no step taken (`help` lists the actions)
    ");
}

#[test]
fn help_shows_the_task_again() {
    let game = Game { show: [ObservationPart::Feedback].into(), ..Game::new() };
    let told = type_in(&game, "help\nquit\n");
    assert_eq!(told.matches("Walk to the goal.").count(), 2, "{told}");
    assert!(told.ends_with("| interrupted"), "{told}");
}

#[test]
fn quitting_and_the_end_of_the_input_interrupt() {
    let game = Game { show: [].into(), ..Game::new() };
    for lines in ["move 0\nquit\nmove 0\n", "move 0\n", "move 0"] {
        assert!(type_in(&game, lines).ends_with("move(0) | interrupted"), "{lines:?}");
    }
}

#[test]
fn a_program_may_play_through_pipes() {
    let told = type_in(&Game::new(), &SOLUTION.join("\n"));
    assert!(told.ends_with("move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1"), "{told}");
}

#[test]
fn an_interrupted_trial_goes_on_where_it_was() {
    let past = Game::new().play(&mut quintain_agents::Script::of_lines("move(0)\nstop()")).steps[..1].to_vec();
    let told = type_in(&Game { past, show: Game::new().show, ..Game::new() }, "stop\n");
    assert!(told.contains("> move(0) (recorded before)\n\n== turn 1"), "{told}");
    assert!(told.ends_with("move(0) done | done, score 0"), "{told}");
}

#[test]
fn nobody_at_the_keyboard_is_late() {
    let (nothing, _held) = std::io::pipe().unwrap();
    let game = Game { show: [].into(), call_limit: Duration::from_millis(50), ..Game::new() };
    let mut agent = Terminal::new(BufReader::new(nothing), std::io::sink(), "unused.png").unwrap();
    insta::assert_snapshot!(game.play(&mut agent).story(), @" | out of time, score 0");
}

#[test]
fn an_endless_line_is_a_fault() {
    let endless = BufReader::new(std::io::repeat(b'x').take(1 << 20));
    let game = Game { show: [].into(), ..Game::new() };
    let mut agent = Terminal::new(endless, std::io::sink(), "unused.png").unwrap();
    insta::assert_snapshot!(game.play(&mut agent).story(), @" | harness fault, score 0: the input could not be read: a line was longer than 65536 bytes");
}
