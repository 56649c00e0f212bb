//! One demonstration: a candidate played by the solver and judged.

use std::time::Duration;

use quintain_agents::AgentSpec;
use quintain_agents::casting::{AgentOccasion, cast};
use quintain_agents::loops::{Demonstrator, ToldConversation};
use quintain_core::clock::StoppedClock;
use quintain_core::event::{Record, RecordError};
use quintain_core::limits::LimitOverrides;
use quintain_core::rng::Rng;
use quintain_core::trial::{Played, TrialParts, TrialPast, TrialResult, play};
use quintain_core::world::OracleStyle;
use quintain_core::{Agent, Digest, Limits, OpenContext, Screen, Trial, TrialEvent, TrialId, Verdict};
use quintain_models::model::{MessageRole, Piece};
use quintain_process::sandbox::ProgramAccess;
use quintain_store::demos::{
    DemoMessage, DemoSegment, PackedPicture, PicturePacking, ReasonOrigin, SolverReason, Speaker,
};
use quintain_store::{AttemptRecord, DemoFacts, Demonstration, LineRange, export};

use super::choose::DemoCandidate;
use super::{DemoRecipe, Reasons, Stratum};
use crate::panics::caught;
use crate::reduced::as_seen;
use crate::scratch::WithScratch;

/// The longest that one call of the world or the agent may take.
const CALL_LIMIT: Duration = Duration::from_mins(1);

/// Plays a candidate; why not, where it is not solved. Its number is not known yet and is 0.
pub(super) fn perform(candidate: &DemoCandidate, recipe: &DemoRecipe<'_>) -> Result<Demonstration, String> {
    caught(|| performed(candidate, recipe)).unwrap_or_else(|why| Err(format!("{} {why}", candidate.instance.id)))
}

fn performed(candidate: &DemoCandidate, recipe: &DemoRecipe<'_>) -> Result<Demonstration, String> {
    let stratum = &recipe.strata[candidate.stratum];
    let limits = limits(candidate, recipe);
    let style = style(candidate, recipe, &limits);
    let asked = asked_of_oracle(stratum, &style);
    let mut demonstrator = Demonstrator::new(oracle(candidate, stratum, &asked)?);
    let record = played(candidate, recipe, &limits, &mut demonstrator)?;
    let told = demonstrator.told();
    let facts = DemoFacts {
        n: 0,
        instance: candidate.instance.id.clone(),
        start: candidate.start,
        problem: candidate.problem,
        strategy: style.strategy,
        length: style.length,
        turns: record.n_turns() as u32,
        reasons: if recipe.reasons == Reasons::Told { reasons(candidate, stratum, &asked) } else { Vec::new() },
        segments: record.verdict().map_or_else(Vec::new, segments),
    };
    Ok(Demonstration {
        facts,
        pictures: packed(pictures(&told), recipe.packing)?,
        packing: recipe.packing,
        messages: told.messages.iter().map(message).collect::<Result<_, _>>()?,
        system: told.system,
        record,
    })
}

fn limits(candidate: &DemoCandidate, recipe: &DemoRecipe<'_>) -> Limits {
    let limits = recipe.strata[candidate.stratum].subject.task.limits(&candidate.instance.id.pick);
    LimitOverrides { steps: recipe.steps, ..LimitOverrides::default() }.over(limits)
}

/// How it is solved, drawn from its seed.
fn style(candidate: &DemoCandidate, recipe: &DemoRecipe<'_>, limits: &Limits) -> OracleStyle {
    let strategies = &recipe.strata[candidate.stratum].strategies;
    let seed = candidate.instance.id.pick.seed.unwrap_or_default();
    let mut rng = Rng::for_purpose(seed, &format!("demonstration of {}", candidate.instance.id.task));
    let strategy = (!strategies.is_empty()).then(|| strategies[rng.below(strategies.len())].clone());
    let length = recipe.lengths.as_ref().map(|lengths| {
        let drawn = lengths.start() + rng.below((lengths.end() - lengths.start() + 1) as usize) as u32;
        drawn.min(limits.steps)
    });
    OracleStyle { strategy, length, seed: rng.next_u64() }
}

/// How the oracle plays: as it was drawn, or plainly where nothing is asked of it and the task brings a solution.
fn asked_of_oracle(stratum: &Stratum<'_>, style: &OracleStyle) -> OracleStyle {
    let plain = style.strategy.is_none() && style.length.is_none() && stratum.subject.task.oracle.is_some();
    if plain { OracleStyle::default() } else { style.clone() }
}

/// Why the solver does what it does; of a solution that the task brings nobody knows.
fn reasons(candidate: &DemoCandidate, stratum: &Stratum<'_>, style: &OracleStyle) -> Vec<SolverReason> {
    if stratum.subject.task.oracle.is_some() && *style == OracleStyle::default() {
        return Vec::new();
    }
    let told = stratum.subject.world.reasons(&candidate.instance, style).into_iter().enumerate();
    told.filter_map(|(turn, reason)| {
        Some(SolverReason { turn: turn as u32, reason: reason?, origin: ReasonOrigin::Solver })
    })
    .collect()
}

/// The turns of each milestone that was reached, in the order in which they were.
fn segments(verdict: &Verdict) -> Vec<DemoSegment> {
    let reached = verdict.asked().filter_map(|milestone| Some((milestone.after_steps?, milestone.name.clone())));
    let mut reached: Vec<(u32, String)> = reached.collect();
    reached.sort_by_key(|(after_steps, _)| *after_steps); // Stable: together means in the order of the task.
    let begins: Vec<u32> = std::iter::once(0).chain(reached.iter().map(|(after_steps, _)| *after_steps)).collect();
    let segment = |(from, (to, subtask)): (u32, (u32, String))| DemoSegment { subtask, from, to };
    begins.into_iter().zip(reached).map(segment).collect()
}

/// The world's own solver; where nothing is asked of the style and the task brings a solution, that.
fn oracle(
    candidate: &DemoCandidate,
    stratum: &Stratum<'_>,
    style: &OracleStyle,
) -> Result<Box<dyn Agent + Send>, String> {
    let recording = |_run: &str| Err("nothing is recorded here".to_owned());
    let occasion = AgentOccasion {
        task: stratum.subject.task,
        instance: &candidate.instance,
        world: stratum.subject.world,
        recording: &recording,
        access: &ProgramAccess::Host,
        models: None,
    };
    cast(&AgentSpec::Oracle(style.clone()), &occasion).map_err(|error| error.to_string())
}

/// The record of the trial, where it was solved.
fn played(
    candidate: &DemoCandidate,
    recipe: &DemoRecipe<'_>,
    limits: &Limits,
    agent: &mut dyn Agent,
) -> Result<AttemptRecord, String> {
    let subject = recipe.strata[candidate.stratum].subject;
    let instance = &candidate.instance;
    let id = TrialId { instance: instance.id.clone(), agent: "oracle".to_owned(), repeat: 0 };
    let world = subject.world.digest(subject.task);
    let trial = Trial { id: &id, task: subject.task, instance, world, settings: &recipe.settings, limits };
    let mut events = KeptEvents::default();
    let mut stage = TrialParts {
        open: &|| {
            let given = OpenContext::of(subject.task, &recipe.settings);
            Ok(as_seen(subject.world.open_with(instance, &given)?, &recipe.settings))
        },
        agent,
        reference: &|| Ok(instance.reference(subject.task)),
        derive: &WithScratch(subject.derive),
        judge: subject.panel,
        record: &mut events,
        clock: &StoppedClock,
        interrupted: &|| false,
        call_limit: CALL_LIMIT,
    };
    match play(&trial, &mut stage, TrialPast::default()).map_err(|error| error.to_string())? {
        Played::Ended(TrialResult { verdict, .. }) if verdict.solved => Ok(events.record(id)),
        Played::Ended(TrialResult { verdict, .. }) => {
            Err(format!("{} was not solved by its solver: {}", instance.id, verdict.ending))
        }
        Played::Interrupted => Err(format!("{} broke off", instance.id)),
    }
}

/// Every picture that is shown, once, in the order in which they first are.
fn pictures(told: &ToldConversation) -> Vec<(Digest, PackedPicture)> {
    let mut pictures: Vec<(Digest, PackedPicture)> = Vec::new();
    for piece in told.messages.iter().flat_map(|message| &message.pieces) {
        let Piece::Picture(image) = piece else { continue };
        let Some(digest) = image.shows() else { continue };
        if !pictures.iter().any(|(known, _)| *known == digest) {
            pictures.push((digest, image.png().into()));
        }
    }
    pictures
}

/// The pictures as the recipe wants them packed.
fn packed(pictures: PictureFiles, packing: PicturePacking) -> Result<PictureFiles, String> {
    pictures.into_iter().map(|(digest, png)| Ok((digest, packing.pack(&png)?))).collect()
}

/// Pictures by the hash of their pixels.
type PictureFiles = Vec<(Digest, PackedPicture)>;

fn message(said: &quintain_models::model::Message) -> Result<DemoMessage, String> {
    let speaker = match said.role {
        MessageRole::User => Speaker::User,
        MessageRole::Assistant => Speaker::Assistant,
    };
    let piece = |piece: &Piece| match piece {
        Piece::Text { text } => Ok(export::ProsePiece::Text(text.clone())),
        Piece::Picture(image) => {
            image.shows().map(export::ProsePiece::Picture).ok_or("a picture of no screen was shown")
        }
        Piece::Thought { .. } | Piece::Call(_) | Piece::Outcome { .. } => Err("the turns loop called a tool"),
    };
    Ok(DemoMessage { speaker, pieces: said.pieces.iter().map(piece).collect::<Result<_, _>>()? })
}

/// What happened, kept in memory.
#[derive(Default)]
struct KeptEvents(Vec<TrialEvent>);

impl KeptEvents {
    fn record(self, trial: TrialId) -> AttemptRecord {
        let place = LineRange { segment: "demos".to_owned(), start: 0, end: 0 };
        AttemptRecord { trial, attempt: 1, events: self.0, place, continues: None, torn: false }
    }
}

impl Record for KeptEvents {
    fn frame(&mut self, _digest: Digest, _screen: &Screen) -> Result<(), RecordError> {
        Ok(())
    }

    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError> {
        self.0.push(event);
        Ok(())
    }
}
