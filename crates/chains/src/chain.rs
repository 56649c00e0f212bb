//! A chain, and how its instances are drawn.

use std::collections::BTreeMap;

use quintain_atlas::Atlas;
use quintain_atlas::query::Misreading;
use quintain_core::task::ChainSpec;
use quintain_core::{Pick, Rng, Task};

use crate::draw::DrawSpec;
use crate::find::Variables;
use crate::idle::idle_condition;
use crate::proof::{DrawRefusal, is_clear, traps};
use crate::solve::{ChainInstance, SolvedField, Unsolved, fields, solve_field};

/// So many draws are tried. The families of the suite need a few hundred at most.
const MOST_DRAWS: usize = 20_000;
/// Which share of a task's steps a way may take, where nothing has to be scrolled to and nobody takes a wrong turn.
const GONE_AT_MOST: f64 = 0.6;

/// A chain of questions.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionChain {
    /// What `chain.toml` says.
    pub spec: ChainSpec,
    /// The wrong readings that the instruction settles.
    pub settles: Vec<Misreading>,
    pub(crate) draws: Vec<DrawSpec>,
}

/// What an instance should be like.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainWish {
    /// The parameters of the task.
    pub parameters: Variables,
    /// How many wrong readings must change something, at least and at most.
    pub traps: (usize, usize),
    /// How many deeds its way may take.
    pub most_deeds: usize,
}

impl ChainWish {
    /// What a task asks of an instance with these parameters.
    pub fn of(task: &Task, pick: &Pick, parameters: Variables) -> Result<Self, String> {
        let traps = parameters.get("traps").map_or(Ok((0, usize::MAX)), |traps| {
            serde_json::from_value(traps.clone()).map_err(|error| format!("parameter `traps`: {error}"))
        })?;
        let most_deeds = (f64::from(task.limits(pick).steps) * GONE_AT_MOST) as usize;
        Ok(Self { parameters, traps, most_deeds })
    }
}

impl QuestionChain {
    /// Reads the text of `chain.toml`.
    pub fn read(text: &str) -> Result<Self, String> {
        let spec = ChainSpec::read(text).map_err(|error| error.to_string())?;
        let draw = |draw: &serde_json::Value| serde_json::from_value(draw.clone()).map_err(|error| error.to_string());
        let misreading =
            |name: &String| serde_json::from_value(name.as_str().into()).map_err(|error| format!("`settles`: {error}"));
        let draws = spec.draws.iter().map(draw).collect::<Result<_, _>>()?;
        let settles = spec.settles.iter().map(misreading).collect::<Result<_, _>>()?;
        Ok(Self { spec, settles, draws })
    }

    /// Draws an instance in a world.
    pub fn draw(&self, atlas: &Atlas, wish: &ChainWish, rng: &mut Rng) -> Result<ChainInstance, String> {
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for _ in 0..MOST_DRAWS {
            match self.try_draw(atlas, wish, rng)? {
                Ok(instance) => return Ok(instance),
                Err(why) => *refused.entry(why.reason()).or_default() += 1,
            }
        }
        let mut refused: Vec<(usize, String)> = refused.into_iter().map(|(why, n)| (n, why)).collect();
        refused.sort_by(|one, other| other.cmp(one));
        let told: Vec<String> = refused.iter().take(5).map(|(n, why)| format!("{why} ({n})")).collect();
        Err(format!("none of {MOST_DRAWS} draws is an instance: {}", told.join("; ")))
    }

    /// One draw: an instance, or why it is none. What is wrong with the chain itself is told apart.
    pub fn try_draw(
        &self,
        atlas: &Atlas,
        wish: &ChainWish,
        rng: &mut Rng,
    ) -> Result<Result<ChainInstance, DrawRefusal>, String> {
        let mut drawn = wish.parameters.clone();
        for draw in &self.draws {
            let Some(value) = draw.draw(atlas, &drawn, rng)? else {
                return Ok(Err(DrawRefusal::NoDraw(draw.name.clone())));
            };
            drawn.insert(draw.name.clone(), value);
        }
        let solved = match self.solve_clearly(atlas, &drawn)? {
            Ok(solved) => solved,
            Err(why) => return Ok(Err(why)),
        };
        let pairs = fields(&self.spec).map(|(_, field)| field).zip(&solved);
        let (least, most) = wish.traps;
        Ok(match traps(atlas, pairs, &self.settles) {
            Ok(traps) if !(least..=most).contains(&traps.len()) => Err(DrawRefusal::Traps(traps.len())),
            Ok(_) => match idle_condition(atlas, &self.spec, &drawn, &solved) {
                Some(list) => Err(DrawRefusal::Idle(list)),
                None => Ok(ChainInstance { drawn, fields: solved }),
            },
            Err(why) => Err(why),
        })
    }

    /// Works out all fields, and stops at the first that is not clear.
    fn solve_clearly(&self, atlas: &Atlas, drawn: &Variables) -> Result<Result<Vec<SolvedField>, DrawRefusal>, String> {
        let mut known = drawn.clone();
        let mut solved = Vec::new();
        for (step, field) in fields(&self.spec) {
            let one = match solve_field(atlas, field, step, &known, &Atlas::evaluate) {
                Ok(one) => one,
                Err(Unsolved::Wrong(why)) => return Err(why),
                Err(Unsolved::Nothing(name)) => return Ok(Err(DrawRefusal::Nothing(name))),
            };
            if let Err(why) = is_clear(atlas, field, &one, &known)? {
                return Ok(Err(why));
            }
            known.insert(field.name.clone(), one.value.variable());
            solved.push(one);
        }
        Ok(Ok(solved))
    }
}
