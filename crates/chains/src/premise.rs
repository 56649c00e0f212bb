//! What answers rest on, and whether it had been shown: somebody who hands in what is right and opened none of the pages
//! that state it has guessed, or knew it from elsewhere.

use std::collections::BTreeSet;

use quintain_atlas::{Entity, Value};
use quintain_sites::{SiteRequest, SiteState, Stated, Web, respond};

use crate::route;
use crate::walk::{Trust, is_said};
use crate::worked::WorkedChain;

/// Something that a page has to say for an answer to rest on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Premise {
    /// A value of an entity.
    Fact {
        /// Of whom.
        about: Entity,
        /// Which.
        value: Value,
        /// By whose word.
        trust: Trust,
    },
    /// Anything of an entity, so that its name is known.
    Mention(Entity),
}

impl Premise {
    /// Whether somebody who reads this knows it.
    pub(crate) fn is_in(&self, stated: &Stated) -> bool {
        match self {
            Self::Fact { about, value, trust } => is_said(stated, *about, value, *trust),
            Self::Mention(entity) => stated.fact.about == *entity || stated.value == Value::Entity(*entity),
        }
    }
}

/// The share of what the answers of a step rest on that stood on one of the pages; nothing where they rest on nothing
/// that pages say.
pub fn shown_share(worked: &WorkedChain, step: usize, pages: &BTreeSet<&str>) -> Option<f64> {
    let premises = route::premises_of_step(worked, step).ok().filter(|premises| !premises.is_empty())?;
    let stated: Vec<Stated> = pages.iter().flat_map(|address| stated_at(&worked.web, address)).collect();
    let is_shown = |premise: &&Premise| stated.iter().any(|stated| premise.is_in(stated));
    Some(premises.iter().filter(is_shown).count() as f64 / premises.len() as f64)
}

fn stated_at(web: &Web, address: &str) -> Vec<Stated> {
    respond(web, &mut SiteState::default(), &SiteRequest::get(address)).stated
}
