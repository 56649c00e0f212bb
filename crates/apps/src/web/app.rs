//! The web's instances, and what it brings to the browser.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_atlas::Edition;
use quintain_browser::{App, Bundle, NothingToAnswer, OpenSites, PreparedApp, Service};
use quintain_chains::{
    ChainAnswer, ChainInstance, ChainWish, KeptChain, QuestionChain, WORLDS, WorkedChain, WorldAddress, dry, told,
};
use quintain_core::check::CheckKind;
use quintain_core::world::{DryFigures, OracleStyle};
use quintain_core::{Agent, Digest, Instance, Pick, Rng, Stretch, Task};
use quintain_sites::Web;
use serde_json::{Map, Value, json};

use super::oracle::WebOracle;
use super::server::WebServer;
use crate::bundle::code;

/// The world of an instance without a seed, which is also that of seed 1.
const FIRST_WORLD: u64 = 1;

/// The app: sites of a world that is made from the seed.
pub struct WebApp;

impl App for WebApp {
    fn name(&self) -> &'static str {
        "web"
    }

    fn version(&self) -> u32 {
        1
    }

    fn bundle(&self) -> Bundle {
        &[]
    }

    fn code(&self) -> Option<Digest> {
        code("web")
    }

    fn sites(&self) -> Option<OpenSites> {
        Some(|document, _seed| Ok(Box::new(WebServer::open(document)?)))
    }

    fn prepare(
        &self,
        task: &Task,
        pick: &Pick,
        parameters: &BTreeMap<String, Value>,
        _rng: Option<&mut Rng>,
    ) -> Result<PreparedApp, String> {
        let text = task.solution.as_deref().ok_or("the task has no chain.toml, which tells what is asked")?;
        let chain = QuestionChain::read(text).map_err(|why| format!("chain.toml: {why}"))?;
        let world = world(pick, parameters)?;
        let web = WORLDS.web(world);
        let wish = ChainWish::of(task, pick, parameters.clone())?;
        // The world is that of the seed; which of its instances, is the task's.
        let mut rng = Rng::for_purpose(world.seed, task.id.as_str());
        let worked = WorkedChain::draw(&chain, &web, &wish, &mut rng)?;
        Ok(prepared(&chain, world, &web, &worked.instance))
    }

    /// The same world; what is given is noted already, and the way begins behind it.
    fn start_of(&self, task: &Task, whole: &Value, stretch: Stretch) -> Result<Value, String> {
        let kept = KeptChain::of_start(whole).ok_or("the start of a chain holds no chain")?;
        let (n_given, n_covered) = (stretch.n_given(), stretch.n_covered(task.spec.milestones.len()));
        let given = kept.chain.steps.iter().take(n_given).flat_map(|step| &step.fields);
        let sheet = &whole["plan"]["sheet"];
        let noted: Map<String, Value> = given.map(|field| (field.name.clone(), sheet[&field.name].clone())).collect();
        let mut start = whole.clone();
        start["noted"] = Value::Object(noted);
        start["plan"]["steps"] = json!([n_given, n_covered]);
        Ok(start)
    }

    fn service(&self) -> Box<dyn Service + Send> {
        Box::new(NothingToAnswer)
    }

    fn oracle(&self, instance: &Instance, _style: &OracleStyle) -> Result<Box<dyn Agent + Send>, String> {
        Ok(Box::new(WebOracle::new(instance.start.clone())))
    }

    fn prove_dry(
        &self,
        task: &Task,
        instance: &Instance,
        by_heart: Option<&Instance>,
    ) -> Option<Result<DryFigures, Vec<String>>> {
        let sheet = by_heart.map(|other| &other.start["plan"]["sheet"]);
        Some(dry::prove(task, instance, sheet))
    }

    fn right_document(&self, _instance: &Instance) -> Option<Value> {
        None
    }

    fn blank(&self) -> Value {
        Value::Null
    }

    fn checks(&self) -> Vec<Arc<dyn CheckKind>> {
        vec![Arc::new(ChainAnswer)]
    }
}

/// The world of an instance: that of its seed, in the size of its preset.
fn world(pick: &Pick, parameters: &BTreeMap<String, Value>) -> Result<WorldAddress, String> {
    let size = parameters.get("size").cloned().unwrap_or_else(|| json!("standard"));
    let size = serde_json::from_value(size).map_err(|error| format!("parameter `size`: {error}"))?;
    Ok(WorldAddress { edition: Edition::FIRST, seed: pick.seed.unwrap_or(FIRST_WORLD), size })
}

fn prepared(chain: &QuestionChain, world: WorldAddress, web: &Web, instance: &ChainInstance) -> PreparedApp {
    let atlas = &web.atlas;
    let by_field = |value: &dyn Fn(&_, &_) -> Value| -> Map<String, Value> {
        let fields = chain.spec.fields().zip(&instance.fields);
        fields.map(|(field, solved)| (field.name.clone(), value(field, &solved.value))).collect()
    };
    let mut words = told::instruction_words(atlas, chain, &instance.drawn);
    words.insert("told".to_owned(), by_field(&|field, value| json!(told::in_words(atlas, field, value))).into());
    let kept = KeptChain { world, chain: chain.spec.clone(), drawn: instance.drawn.clone() };
    PreparedApp {
        document: json!(world),
        expected: by_field(&|field, value| told::expected(atlas, field, value)).into(),
        plan: json!({
            "chain": kept,
            "sheet": by_field(&|field, value| told::answered(atlas, field, value)),
            "steps": [0, chain.spec.steps.len()],
        }),
        words,
    }
}
