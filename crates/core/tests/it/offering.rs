//! What worlds offer: the classes that their tasks fall into, and verifiers by their kinds.

use std::sync::Arc;

use quintain_core::offering::{AppOffered, NeedScope, Offering, Offerings, WorldNeed, class_in_words};
use quintain_core::task::{DeriveSpec, Task};
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::world::{OracleStyle, World, WorldError};
use quintain_core::{Agent, Digest, Evidence, Instance, Pick, Reference, VerifierCase, VerifierRunner, WorldKind};
use serde_json::Value;

use crate::ladder::{TASK, task};

/// A kind of world that nobody enters.
struct Closed(&'static str, Pace);

#[derive(Clone, Copy, PartialEq)]
enum Pace {
    Quick,
    Costly,
}

impl WorldKind for Closed {
    fn kind(&self) -> &str {
        self.0
    }

    fn digest(&self, _task: &Task) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn is_costly(&self) -> bool {
        self.1 == Pace::Costly
    }

    fn instantiate_whole(&self, _task: &Task, _pick: &Pick) -> Result<Instance, WorldError> {
        Err(WorldError::setup("closed"))
    }

    fn open(&self, _instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        Err(WorldError::setup("closed"))
    }

    fn oracle(&self, _instance: &Instance, _style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        Err(WorldError::setup("closed"))
    }
}

/// A verifier that says what it is called.
struct Echo;

struct Said(String);

impl VerifierKind for Echo {
    fn kind(&self) -> &'static str {
        "echo"
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        if spec.name == "mute" { Err("it says nothing".to_owned()) } else { Ok(Box::new(Said(spec.name.clone()))) }
    }
}

impl VerifierRunner for Said {
    fn derive(&self, _case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        Ok(vec![(self.0.clone(), true.into())])
    }
}

fn need(name: &'static str, scope: NeedScope) -> WorldNeed {
    let look = move || if name == "rope" { Err("no rope is found".to_owned()) } else { Ok(format!("a {name}")) };
    WorldNeed { name, label: name, purpose: "for climbing", look: Arc::new(look), mend: "buy one", scope }
}

fn offerings() -> Offerings {
    let is_high = |task: &Task| task.parameters(&Pick::default())["top"].as_i64() > Some(3);
    let ladders = Offering {
        needs: vec![
            need("wall", NeedScope::EveryTask),
            need("rope", NeedScope::Tasks(is_high)),
            need("lamp", NeedScope::Tasks(|task| !task.spec.derive.is_empty())),
        ],
        verifiers: vec![Arc::new(Echo)],
        ..Offering::of(Arc::new(Closed("ladder", Pace::Costly)))
    };
    let plain = Offering::of(Arc::new(Closed("plain", Pace::Quick)));
    Offerings::new([plain, ladders])
}

fn derive(names: &[&str]) -> String {
    let declared = names.iter().map(|name| format!("[[derive]]\nname = \"{name}\"\nkind = \"echo\"\n"));
    TASK.to_owned() + &declared.collect::<String>()
}

#[test]
fn a_task_is_of_the_class_of_what_it_needs() {
    let offerings = offerings();
    let class = |toml: &str| offerings.class_of(&task(toml));
    let high = TASK.replace("value = 3", "value = 9");
    assert_eq!(class(TASK), "ladder");
    assert_eq!(class(&high), "ladder+rope");
    assert_eq!(class(&derive(&["a"])), "ladder+lamp");
    assert_eq!(class(&derive(&["a"]).replace("value = 3", "value = 9")), "ladder+rope+lamp");
    assert_eq!(class(&TASK.replace("\"ladder\"\napp", "\"cellar\"\napp")), "cellar", "of a world that is not known");
}

#[test]
fn a_host_plays_the_classes_whose_needs_are_met() {
    let told =
        offerings().classes().iter().map(|class| format!("{}: {:?}", class.name, class.look())).collect::<Vec<_>>();
    insta::assert_snapshot!(told.join("\n"), @r#"
    ladder+rope+lamp: Err("no rope is found; buy one")
    ladder+rope: Err("no rope is found; buy one")
    ladder+lamp: Ok("with wall (a wall) and lamp (a lamp)")
    ladder: Ok("with wall (a wall)")
    plain: Ok("nothing else is needed")
    "#);
    assert_eq!(class_in_words("ladder+rope+lamp"), "with rope and lamp");
    assert_eq!(class_in_words("plain"), "that plays plain");
}

/// A task names one app: what twenty apps need makes no class together, and what two need alike makes one.
#[test]
fn what_apps_need_is_in_no_class_together() {
    let of_apps = [("pen", "letters"), ("ink", "letters"), ("pen", "lists"), ("knife", "wood")];
    let needs = of_apps.map(|(name, app)| need(name, NeedScope::App(app))).to_vec();
    let desks = Offering { needs, ..Offering::of(Arc::new(Closed("desk", Pace::Quick))) };
    let names: Vec<String> = desks.classes().into_iter().map(|class| class.name).collect();
    assert_eq!(names, ["desk+pen+ink", "desk+pen", "desk+knife", "desk"]);
}

#[test]
fn verifiers_are_made_by_their_kinds() {
    let offerings = offerings();
    let derived = |toml: &str| {
        let made = offerings.verifiers(&task(toml))?;
        let derived = made.derive(VerifierCase::of(&Evidence::default(), &Reference::default()))?;
        Ok::<_, String>(derived.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(derived(TASK), Ok(String::new()));
    assert_eq!(derived(&derive(&["b", "a"])), Ok("b a".to_owned()));
    assert_eq!(derived(&derive(&["a", "a"])), Err("two verifiers are called `a`: rename one".to_owned()));
    assert_eq!(derived(&derive(&["mute"])), Err("verifier `mute`: it says nothing".to_owned()));
    let unknown = derive(&["a"]).replace("\"echo\"", "\"ecco\"");
    assert_eq!(derived(&unknown), Err("there is no verifier of kind `ecco`; did you mean `echo`?".to_owned()));
}

#[test]
fn the_code_of_a_task_is_its_worlds_and_its_apps() {
    let digest = |text: &str| Some(Digest::of(text.as_bytes()));
    let code = |world: Option<Digest>, app: Option<Digest>| {
        let apps = [("ladder", app), ("other", digest("other"))];
        let apps = apps.map(|(name, code)| AppOffered { name, strategies: &[], code });
        let closed = Offering::of(Arc::new(Closed("ladder", Pace::Quick)));
        Offering { code: world, apps: apps.into(), ..closed }.code_of(&task(TASK))
    };
    let told = code(digest("shared"), digest("own"));
    assert_eq!(told, code(digest("shared"), digest("own")));
    assert_ne!(told, code(digest("shared, changed"), digest("own")));
    assert_ne!(told, code(digest("shared"), digest("own, changed")));
    assert_ne!(code(None, digest("same")), code(digest("same"), None));
}
