//! Made-up trials: agents of different skill wander over a board towards a corner.

use std::collections::BTreeMap;

use quintain_core::AgentIsolation;
use quintain_core::action::Action;
use quintain_core::agent::{Briefing, Reply, Usage};
use quintain_core::check::Finding;
use quintain_core::digest::Digest;
use quintain_core::ending::{Boundary, Ending, Exhausted};
use quintain_core::limits::{Limits, Spent};
use quintain_core::observation::{ObservationPart, Shown};
use quintain_core::rng::Rng;
use quintain_core::score::Score;
use quintain_core::surface::Surface;
use quintain_core::task::Difficulty;
use quintain_core::trajectory::{Feedback, Step};
use quintain_core::trial::TrialId;
use quintain_core::verdict::{Digests, Verdict};
use quintain_report::{
    HtmlReport, HtmlTrial, LabelKind, Opinion, PagePicture, TrailMatch, TrialRow, labels, tools_used,
};

const TASKS: [&str; 6] =
    ["maze-2d", "maze-3d", "sliding-block", "matchstick-equation", "matchstick-rotation", "jigsaw"];
const SIDE: i64 = 8;
const LIMIT: u32 = 40;

/// A report of `n_trials` trials, the first `n_shown` of them with steps and pictures.
pub(crate) fn report(n_trials: usize, n_shown: usize) -> HtmlReport {
    let mut pictures = BTreeMap::new();
    let trial = |i| trial(i, i < n_shown, &mut pictures);
    let trials = (0..n_trials).map(trial).collect();
    let line = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    HtmlReport {
        name: "demo of 6 puzzles".to_owned(),
        fingerprint: vec![
            line("binary", "quintain 0.1.0"),
            line("world", &Digest::of(b"world").to_string()),
            line("settings", "show screen, feedback, remaining"),
        ],
        trials,
        pictures,
        pictures_note: None,
    }
}

fn trial(i: usize, shown: bool, pictures: &mut BTreeMap<Digest, PagePicture>) -> HtmlTrial {
    let mut rng = Rng::new(i as u64);
    let (task, hard, agent) = (TASKS[i % 6], (i / 6) % 2 == 1, ["careful", "hasty"][(i / 12) % 2]);
    let preset = if hard { "hard" } else { "easy" };
    let (seed, repeat) = (i / 48, (i / 24) % 2);
    let id: TrialId = format!("puzzles/{task}@{preset}#{seed}~{agent}~{repeat}").parse().expect("a trial's name");
    let skill = 0.95 - 0.07 * (i % 6) as f64 - if hard { 0.25 } else { 0.0 } - if agent == "hasty" { 0.2 } else { 0.0 };
    let (steps, place) = wander(&mut rng, skill, shown.then_some(pictures));
    let verdict = verdict(&id, &steps, place, &mut rng);
    let spent = steps.last().map_or_else(Spent::default, |step| step.spent);
    let labels = labels(&steps, &verdict, &briefing());
    let faulted_attempts = if i % 37 == 5 { vec![Ending::Fault(Boundary::Provider)] } else { Vec::new() };
    let row = TrialRow {
        trial: id,
        isolation: Some(AgentIsolation::OurCode),
        identity: None,
        difficulty: Some(if hard { Difficulty::Hard } else { Difficulty::Easy }),
        capabilities: vec![
            "planning".to_owned(),
            if i.is_multiple_of(2) { "navigation" } else { "perception" }.to_owned(),
        ],
        subject: None,
        verdict,
        spent,
        wasted: Spent::default(),
        cost_known: agent == "careful",
        input_tokens: 800 * u64::from(spent.steps),
        cached_tokens: 500 * u64::from(spent.steps),
        had_model: true,
        attempts: 1 + faulted_attempts.len() as u32,
        faulted_attempts,
        optimal_steps: Some(2 * SIDE as u32 - 1),
        elements: None,
        handed_in: true,
        plays: quintain_report::PlayedBy::Itself,
        labels,
        opinions: opinions(i, &steps),
        trail: TrailMatch::default(),
        tools: tools_used(&steps),
    };
    let last_screen = shown.then(|| draw(place, pictures));
    HtmlTrial {
        row,
        instruction: Some("Reach the lower right corner.".to_owned()),
        steps: shown.then_some(steps),
        last_screen,
    }
}

fn briefing() -> Briefing {
    Briefing {
        instruction: "Reach the lower right corner.".to_owned(),
        surface: Surface::default(),
        limits: Limits::steps(LIMIT),
        answer: None,
        history: None,
        effort: None,
        seed: 0,
    }
}

/// What a model says of every fifth trial.
fn opinions(i: usize, steps: &[Step]) -> BTreeMap<String, Vec<Opinion>> {
    let Some(step) = steps.first().filter(|_| i % 5 == 2) else { return BTreeMap::new() };
    let quote = step.reply.raw.clone();
    let why = "It walks without a plan.".to_owned();
    let opinion = Opinion { kind: LabelKind::WrongStrategy, step: 0, quote, why };
    [("anthropic/some-model".to_owned(), vec![opinion])].into()
}

/// Walks until the corner is reached, the agent gives in, or the steps are used up.
fn wander(
    rng: &mut Rng,
    skill: f64,
    mut pictures: Option<&mut BTreeMap<Digest, PagePicture>>,
) -> (Vec<Step>, (i64, i64)) {
    let (mut place, mut steps, mut told) = ((0, 0), Vec::new(), None::<Feedback>);
    while steps.len() < LIMIT as usize {
        let mut shown = Shown::default();
        let digest = pictures
            .as_deref_mut()
            .map_or_else(|| Digest::of(format!("{place:?}").as_bytes()), |kept| draw(place, kept));
        shown.pictures.insert(ObservationPart::Screen, digest);
        shown.texts.insert(ObservationPart::Remaining, format!("{} steps", LIMIT as usize - steps.len()));
        if let Some(feedback) = &told {
            shown.texts.insert(ObservationPart::Feedback, feedback.text.clone());
        }
        let at_end = place == (SIDE - 1, SIDE - 1) || rng.chance(0.02 * (1.0 - skill));
        let (action, feedback) = if at_end { (Some(Action::Done), None) } else { one_step(rng, skill, &mut place) };
        let spent = Spent {
            steps: steps.len() as u32 + 1,
            elapsed_ms: 900 * (steps.len() as u64 + 1),
            tokens: 850 * (steps.len() as u64 + 1),
            cost_usd: 0.0031 * (steps.len() + 1) as f64,
            n_unknown: 0,
        };
        let raw = action
            .as_ref()
            .map_or_else(|| "I am <b>not</b> sure what to do.".to_owned(), |a| format!("I will {a} now."));
        let usage = Some(Usage { input_tokens: 800, output_tokens: 50, ..Usage::default() });
        let reply =
            Reply { thought: Some("The goal is below and to the right.".to_owned()), usage, ..Reply::text(raw) };
        steps.push(Step { shown, reply, action, spent, feedback: feedback.clone() });
        told = feedback;
        if at_end {
            break;
        }
    }
    (steps, place)
}

fn one_step(rng: &mut Rng, skill: f64, place: &mut (i64, i64)) -> (Option<Action>, Option<Feedback>) {
    if rng.chance(0.1 * (1.0 - skill)) {
        return (None, Some(Feedback::misread("the reply holds no action")));
    }
    let (dx, dy) = if rng.chance(skill) {
        if place.0 < SIDE - 1 && (place.1 == SIDE - 1 || rng.chance(0.5)) { (1, 0) } else { (0, 1) }
    } else {
        *rng.choose(&[(-1, 0), (0, -1), (1, 0), (0, 1)])
    };
    let next = (place.0 + dx, place.1 + dy);
    let at = (40.0 * next.0 as f64 + 20.0, 40.0 * next.1 as f64 + 20.0);
    let action = Action::click(at);
    if !(0..SIDE).contains(&next.0) || !(0..SIDE).contains(&next.1) {
        return (Some(action), Some(Feedback::refused("there is a wall")));
    }
    *place = next;
    (Some(action), Some(Feedback::changed("moved")))
}

fn verdict(id: &TrialId, steps: &[Step], place: (i64, i64), rng: &mut Rng) -> Verdict {
    let stopped = steps.last().is_some_and(|step| step.action == Some(Action::Done));
    let left = 2 * (SIDE - 1) - place.0 - place.1;
    let score = if left == 0 { Score::ONE } else { Score::clamped(0.5 - left as f64 / 28.0) };
    let fault = rng.chance(0.02);
    let ending = match (fault, stopped) {
        (true, _) => Ending::Fault(Boundary::Provider),
        (false, true) => Ending::Done,
        (false, false) => Ending::Truncated(Exhausted::Steps),
    };
    let because = if left == 0 { "the corner is reached".to_owned() } else { format!("{left} squares away") };
    let finding = Finding {
        check: "corner".to_owned(),
        score,
        because,
        measures: [("squares_left".to_owned(), left as f64)].into(),
    };
    let named = |name: &str| Digest::of(name.as_bytes());
    Verdict {
        solved: score.is_full() && ending == Ending::Done,
        ending,
        score,
        findings: vec![finding],
        milestones: Vec::new(),
        digests: Digests {
            task: named(id.instance.task.as_str()),
            world: named("world"),
            instance: named(&id.instance.to_string()),
        },
        source: None,
        fault: fault.then(|| "the provider answered 529 three times".to_owned()),
        state_score: None,
        outside: false,
    }
}

/// Draws the board with the walker on it, unless that picture is kept already.
fn draw(place: (i64, i64), pictures: &mut BTreeMap<Digest, PagePicture>) -> Digest {
    let digest = Digest::of(format!("{place:?}").as_bytes());
    pictures.entry(digest).or_insert_with(|| {
        let width = 40 * SIDE as u32;
        PagePicture { media: "image/png", bytes: board(place), width }
    });
    digest
}

fn board(place: (i64, i64)) -> Vec<u8> {
    let size = 40 * SIDE;
    let colour = |x: i64, y: i64| match (x / 40, y / 40) {
        square if square == place => [31, 95, 191],
        (7, 7) => [11, 143, 106],
        (column, row) if (column + row) % 2 == 0 => [238, 240, 243],
        _ => [221, 225, 230],
    };
    let rgb: Vec<u8> = (0..size * size).flat_map(|i| colour(i % size, i / size)).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size as u32, size as u32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("writing to memory");
    writer.write_image_data(&rgb).expect("as many bytes as the size needs");
    writer.finish().expect("writing to memory");
    file
}
