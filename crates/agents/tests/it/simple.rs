//! Agents that need nobody: idle, random, script, and casting by name.

use quintain_agents::{AgentOccasion, AgentSpec, Idle, Random, Script, cast};
use quintain_core::{Trajectory, WorldKind};
use quintain_process::sandbox::ProgramAccess;

use crate::maze::{Game, Mazes, SOLUTION, task};

#[test]
fn idle_stops_at_once_or_never() {
    let game = Game { n_steps: 3, ..Game::new() };
    insta::assert_snapshot!(game.play(&mut Idle::new()).story(), @"done | done, score 0");
    insta::assert_snapshot!(game.play(&mut Idle::endless()).story(), @"? ? ? | out of steps, score 0");
}

#[test]
fn a_script_is_played_line_by_line() {
    let mut script = Script::of_lines(&format!("# the way\n{}\n", SOLUTION.join("\n\n")));
    insta::assert_snapshot!(Game::new().play(&mut script).story(), @"move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1");
}

#[test]
fn a_script_that_ends_before_the_trial_is_a_fault() {
    insta::assert_snapshot!(Game::new().play(&mut Script::of_lines("move(0)")).story(), @"move(0) | harness fault, score 0: the script ends after 1 replies, the trial does not");
}

#[test]
fn random_draws_are_those_of_the_trial_and_the_seed() {
    let story = |seed| Game::new().play(&mut Random::new(seed)).story();
    assert_eq!(story(1), story(1));
    assert_ne!(story(1), story(2));
    insta::assert_snapshot!(story(3), @"move(2) move(0) move(3) move(1) move(1) move(3) move(2) move(1) move(1) move(1) move(2) move(2) move(0) move(3) move(2) move(0) move(2) move(0) move(0) done | done, score 0");
}

#[test]
fn a_random_trial_that_was_cut_goes_on_as_if_it_had_not_been() {
    for seed in 0..20 {
        let whole = Game::new().play(&mut Random::new(seed));
        for n_past in 1..whole.steps.len() {
            let cut = Game { past: whole.steps[..n_past].to_vec(), ..Game::new() };
            let resumed = cut.play(&mut Random::new(seed));
            assert_eq!(resumed.said(), whole.said(), "seed {seed}, cut after {n_past}");
        }
    }
}

#[test]
fn agents_are_cast_by_name() {
    let with_oracle = task(Some("# straight into the wall\nmove(1)\nstop()\n"));
    let play = |spec: &str, task: &quintain_core::Task| {
        let spec: AgentSpec = spec.parse().expect("an agent");
        let instance = Mazes.instantiate(task, &quintain_core::Pick::default()).expect("a maze");
        let recording = |run: &str| match run {
            "recorded" => Ok(Game::new().play(&mut Script::of_lines(&SOLUTION.join("\n"))).trajectory()),
            other => Err::<Trajectory, _>(format!("there is no run `{other}`")),
        };
        match cast(
            &spec,
            &AgentOccasion {
                task,
                instance: &instance,
                world: &Mazes,
                recording: &recording,
                access: &ProgramAccess::Host,
                models: None,
            },
        ) {
            Ok(mut agent) => format!("{spec}: {}", Game::new().play(agent.as_mut()).story()),
            Err(error) => format!("{spec}: {error}"),
        }
    };
    let plain = task(None);
    let specs = ["oracle", "oracle:strategy=bold", "idle", "random:seed=3", "replay:recorded", "replay:lost"];
    let mut told: Vec<String> = specs.iter().map(|spec| play(spec, &plain)).collect();
    told.push(format!("with oracle.txt {}", play("oracle", &with_oracle)));
    insta::assert_snapshot!(told.join("\n"), @"
    oracle: move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    oracle:strategy=bold: harness fault: no oracle for `test/maze`: setup fault: there is no strategy `bold`
    idle: done | done, score 0
    random:seed=3: move(2) move(0) move(3) move(1) move(1) move(3) move(2) move(1) move(1) move(1) move(2) move(2) move(0) move(3) move(2) move(0) move(2) move(0) move(0) done | done, score 0
    replay:recorded: move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    replay:lost: harness fault: there is no run `lost`
    with oracle.txt oracle: move(1) done | done, score 0
    ");
}
