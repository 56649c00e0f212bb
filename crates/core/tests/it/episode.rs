//! A trial that is played from outside comes to what `play` comes to.

use std::sync::Arc;
use std::time::Duration;

use quintain_core::agent::Reply;
use quintain_core::digest::Digest;
use quintain_core::judge::NothingToDerive;
use quintain_core::observation::ObservationPart;
use quintain_core::trial::{Episode, EpisodeTerms, Judges, Played, TrialResult};
use quintain_core::verdict::Verdict;

use crate::ladder::{Game, Ladder, TopReached, lines, steps};

fn episode(game: &Game) -> Episode {
    let (id, instance) = game.instance();
    let terms = EpisodeTerms {
        id,
        task: Arc::new(game.task.clone()),
        instance: Arc::new(instance),
        world: Digest::of(b"ladder"),
        settings: Arc::new(game.settings.clone()),
        limits: game.task.spec.limits.clone(),
        call_limit: Duration::from_secs(5),
    };
    Episode::new(terms, Box::new(Ladder { height: 0 }))
}

/// Plays the lines from outside: what was seen before each, and the verdict.
fn sit(game: &Game, text: &str) -> (Vec<String>, Verdict) {
    let mut episode = episode(game);
    let mut seen = Vec::new();
    for line in lines(text).said {
        seen.push(episode.observe().expect("it can be seen").texts.into_values().collect::<Vec<_>>().join(" | "));
        if let Some(over) = episode.reply(&Reply::text(line)) {
            return (
                seen,
                episode.conclude(over, Judges { derive: &NothingToDerive, judge: &TopReached }).expect("it is judged"),
            );
        }
    }
    panic!("the lines end the trial");
}

#[test]
fn an_episode_shows_and_judges_as_a_trial_does() {
    let game = Game::new();
    let endings = [
        "step(1); step(2); stop()",
        "I shall stop now.; step(-1); step(3); stop()",
        "step(3); x; x; x; x; x; stop()",
        "step(1); step(9)",
        "step(8)",
        "step(2); step(7)",
        "step(1); give_up('too high')",
    ];
    for text in endings {
        let (played, memory) = game.play(&mut lines(text), &[]);
        let Ok(Played::Ended(TrialResult { verdict, .. })) = played else { panic!("{text}: {played:?}") };
        let shown: Vec<String> = steps(&memory.events)
            .into_iter()
            .map(|step| step.shown.texts.into_values().collect::<Vec<_>>().join(" | "))
            .collect();
        assert_eq!(sit(&game, text), (shown, verdict), "{text}");
    }
}

#[test]
fn what_a_sitting_tells_besides_pictures() {
    let mut episode = episode(&Game::new());
    assert_eq!(episode.briefing().instruction, "Climb to rung 3.");
    assert_eq!(episode.briefing().surface.calls[0].name, "step");
    assert_eq!(episode.remaining().steps, 6);
    assert_eq!(episode.reply(&Reply::text("step(2)")), None);
    assert_eq!(episode.remaining().steps, 5);
    assert_eq!(episode.feedback().unwrap().text, "climbed");
    assert_eq!(episode.observe().expect("it can be seen").texts[&ObservationPart::Text], "rung 2");
}
