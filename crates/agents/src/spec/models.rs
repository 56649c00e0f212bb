//! Agents that are a loop around a model: `react:anthropic/claude-opus-4-6,pictures=5`.

use std::fmt;
use std::time::Duration;

use quintain_models::model::Points;
use quintain_models::providers::keys::KeyHeader;
use quintain_models::providers::{GCLOUD, ModelSpec, keys};

use super::{NotAnAgent, Options, whole};
use crate::loops::{LoopOptions, Mode};

/// From so many turns with pictures on, a request may show more than 20 pictures: twice as many turns but one are shown, each
/// perhaps with its marks, and a goal.
const MANY_PICTURES: usize = 6;

/// Which loop, around which model, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopSpec {
    /// The loop.
    pub kind: LoopKind,
    /// The model.
    pub model: ModelSpec,
    /// The second model: a planner's grounder, or who acts on the screen for a generalist that cannot see. It is at the
    /// same address and has the same key where it is of the same provider.
    pub partner: Option<ModelSpec>,
    /// How the loop talks with its model.
    pub manner: LoopOptions,
}

/// A loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// One action a turn, as text.
    Turns,
    /// Thought, then action.
    React,
    /// One loop over everything that the world offers.
    Generalist,
    /// Two models: one decides, the other points.
    Planner,
}

impl LoopKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Turns, Self::React, Self::Generalist, Self::Planner];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turns => "turns",
            Self::React => "react",
            Self::Generalist => "generalist",
            Self::Planner => "planner",
        }
    }

    /// The names of the options that name its second model, and that say how that gives points.
    fn partner(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Planner => Some(("grounder", "grounder_points")),
            Self::Generalist => Some(("gui", "gui_points")),
            Self::Turns | Self::React => None,
        }
    }

    fn options(self) -> Vec<&'static str> {
        let says_how = matches!(self, Self::React | Self::Generalist).then_some("tools");
        let usual = ["base_url", "key", "auth", "points", "pictures", "max_output", "context", "timeout", "silence"];
        let partner = self.partner().into_iter().flat_map(|(name, points)| [name, points]);
        usual.into_iter().chain(says_how).chain(partner).collect()
    }

    fn missing(self) -> NotAnAgent {
        let (kind, example) = match self {
            Self::Turns => ("turns", "turns:anthropic/claude-opus-4-6"),
            Self::React => ("react", "react:anthropic/claude-opus-4-6"),
            Self::Generalist => ("generalist", "generalist:openai/gpt-5.4"),
            Self::Planner => ("planner", "planner:openai/gpt-5.4,grounder=anthropic/claude-opus-4-6"),
        };
        NotAnAgent::Missing { kind, what: "a model", example }
    }
}

impl LoopSpec {
    /// The models that are asked, the first being the one that decides.
    pub fn models(&self) -> impl Iterator<Item = &ModelSpec> {
        std::iter::once(&self.model).chain(&self.partner)
    }

    /// Their names, as a run's header keeps them.
    pub fn model_names(&self) -> String {
        self.models().map(ModelSpec::full_name).collect::<Vec<_>>().join(" + ")
    }

    /// Reads what follows the name of the loop.
    pub(super) fn read(kind: LoopKind, rest: &str) -> Result<Self, NotAnAgent> {
        let (model, options) = rest.split_once(',').unwrap_or((rest, ""));
        if model.trim().is_empty() {
            return Err(kind.missing());
        }
        let mut model: ModelSpec = model.trim().parse()?;
        let options = Options::read(kind.name(), options, &kind.options())?;
        address(&mut model, &options)?;
        model.points = points_of(&options, "points")?;
        model.context = positive(&options, "context")?;
        let n_pictures = positive(&options, "pictures")?.map(|n| n as usize);
        model.many_pictures = n_pictures.is_some_and(|n| n >= MANY_PICTURES);
        let partner = kind.partner().map(|names| partner(names, &options, &model)).transpose()?.flatten();
        if kind == LoopKind::Planner && partner.is_none() {
            return Err(grounder_missing());
        }
        let manner = LoopOptions {
            mode: options.get("tools").map(mode).transpose()?,
            n_pictures,
            max_output: positive(&options, "max_output")?.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
        };
        Ok(Self { kind, model, partner, manner })
    }

    fn described(&self) -> Vec<String> {
        let Self { kind, model, partner, manner } = self;
        let usual = ModelSpec::new(model.provider, model.name.clone());
        let said = |name: &str, value: Option<String>| value.map(|value| format!("{name}={value}"));
        let options = [
            said("base_url", model.base_url.clone()),
            said("key", model.key.clone()),
            said("auth", model.auth.map(|auth| auth.name().to_owned())),
            said("points", points_name(model)),
            said("context", model.context.map(|n| n.to_string())),
            said("timeout", (model.timeout != usual.timeout).then(|| model.timeout.as_secs().to_string())),
            said("silence", (model.silence != usual.silence).then(|| model.silence.as_secs().to_string())),
            said("tools", manner.mode.map(|mode| mode.name().to_owned())),
            said("pictures", manner.n_pictures.map(|n| n.to_string())),
            said("max_output", manner.max_output.map(|n| n.to_string())),
            kind.partner().and_then(|(name, _)| said(name, partner.as_ref().map(ModelSpec::full_name))),
            kind.partner().and_then(|(_, points)| said(points, partner.as_ref().and_then(points_name))),
        ];
        options.into_iter().flatten().collect()
    }
}

/// `PROVIDER/NAME,option=value`
impl fmt::Display for LoopSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = std::iter::once(self.model.full_name()).chain(self.described()).collect();
        write!(f, "{}:{}", self.kind.name(), parts.join(","))
    }
}

fn address(model: &mut ModelSpec, options: &Options<'_>) -> Result<(), NotAnAgent> {
    model.base_url = options.get("base_url").map(base_url).transpose()?;
    model.key = options.get("key").map(key).transpose()?;
    model.auth = options.get("auth").map(auth).transpose()?;
    patience(model, options)
}

/// How long is waited for a model, where it was said.
fn patience(model: &mut ModelSpec, options: &Options<'_>) -> Result<(), NotAnAgent> {
    if let Some(seconds) = positive(options, "timeout")? {
        model.timeout = Duration::from_secs(seconds);
    }
    if let Some(seconds) = positive(options, "silence")? {
        model.silence = Duration::from_secs(seconds);
    }
    Ok(())
}

fn partner(
    (name, points): (&str, &str),
    options: &Options<'_>,
    model: &ModelSpec,
) -> Result<Option<ModelSpec>, NotAnAgent> {
    let Some(named) = options.get(name) else {
        let is_left_over = name == "gui" && options.get(points).is_some();
        return if is_left_over { Err(gui_missing()) } else { Ok(None) };
    };
    let many_pictures = model.many_pictures;
    let mut partner = ModelSpec { points: points_of(options, points)?, many_pictures, ..named.parse()? };
    patience(&mut partner, options)?;
    if partner.provider != model.provider {
        return Ok(Some(partner));
    }
    let (base_url, key, auth) = (model.base_url.clone(), model.key.clone(), model.auth);
    Ok(Some(ModelSpec { base_url, key, auth, ..partner }))
}

fn points_of(options: &Options<'_>, name: &str) -> Result<Option<Points>, NotAnAgent> {
    options.get(name).map(|given| points(name, given)).transpose()
}

fn points_name(model: &ModelSpec) -> Option<String> {
    model.points.map(|points| points.name().to_owned())
}

fn grounder_missing() -> NotAnAgent {
    NotAnAgent::Missing {
        kind: "planner",
        what: "a grounder",
        example: "planner:openai/gpt-5.4,grounder=anthropic/claude-opus-4-6",
    }
}

/// How a second model points was said, but not which model that is.
fn gui_missing() -> NotAnAgent {
    NotAnAgent::Missing {
        kind: "generalist",
        what: "gui=PROVIDER/NAME beside gui_points=, which is the scale of that model (points= is that of the first)",
        example: "generalist:openai/gpt-5.4,gui=chat/qwen3-vl,gui_points=thousandths",
    }
}

/// An address is written into the header of a run, so it must hold no secret.
fn base_url(given: &str) -> Result<String, NotAnAgent> {
    let host = given.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
    let wanted = "an address that begins with http:// or https:// and holds no password and no query but ?api-version=";
    let secretive = match (host.contains('@'), !is_open(given)) {
        (true, _) => Some("one with a password"),
        (false, true) => Some("one with a query"),
        _ => None,
    };
    if let Some(given) = secretive.map(str::to_owned) {
        return Err(NotAnAgent::Value { option: "base_url".to_owned(), wanted, given });
    }
    let is_url = (given.starts_with("http://") || given.starts_with("https://")) && !host.is_empty();
    let wrong = || NotAnAgent::Value { option: "base_url".to_owned(), wanted, given: given.to_owned() };
    is_url.then(|| given.to_owned()).ok_or_else(wrong)
}

/// Whether an address asks for nothing in its query but a version, which is no secret.
fn is_open(given: &str) -> bool {
    let version = |query: &str| {
        let version = query.strip_prefix("api-version=")?;
        version.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.').then_some(())
    };
    !given.contains('#') && given.split_once('?').is_none_or(|(_, query)| version(query).is_some())
}

/// The name of a variable, or of the program that is asked. What is no such name may be the key itself and is not repeated.
fn key(given: &str) -> Result<String, NotAnAgent> {
    (keys::is_variable(given) || given == GCLOUD).then(|| given.to_owned()).ok_or(NotAnAgent::NotAVariable)
}

fn auth(given: &str) -> Result<KeyHeader, NotAnAgent> {
    let found = KeyHeader::ALL.into_iter().find(|header| header.name() == given);
    found.ok_or_else(|| unknown("auth", "one of usual, bearer, api-key, x-api-key, x-goog-api-key", given))
}

fn points(option: &str, given: &str) -> Result<Points, NotAnAgent> {
    let found = Points::ALL.into_iter().find(|points| points.name() == given);
    found.ok_or_else(|| unknown(option, "one of pixels, thousandths, unit, resized", given))
}

fn mode(given: &str) -> Result<Mode, NotAnAgent> {
    let found = Mode::ALL.into_iter().find(|mode| mode.name() == given);
    found.ok_or_else(|| unknown("tools", "one of native, schema, text, marks", given))
}

fn unknown(option: &str, wanted: &'static str, given: &str) -> NotAnAgent {
    NotAnAgent::Value { option: option.to_owned(), wanted, given: given.to_owned() }
}

fn positive(options: &Options<'_>, name: &str) -> Result<Option<u64>, NotAnAgent> {
    let Some(given) = options.get(name) else { return Ok(None) };
    let number: u64 = whole(name, given)?;
    if number == 0 { Err(unknown(name, "a whole number above 0", given)) } else { Ok(Some(number)) }
}

/// The loop of this name.
pub(super) fn kind(name: &str) -> Option<LoopKind> {
    LoopKind::ALL.into_iter().find(|kind| kind.name() == name)
}

/// A model that stands alone was probably meant to be played by a loop.
pub(super) fn hint(text: &str) -> Option<String> {
    let named: ModelSpec = text.split(',').next()?.trim().parse().ok()?;
    Some(format!("a model plays in a loop: `react:{0}`, `turns:{0}`, `generalist:{0}`", named.full_name()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::AgentSpec;

    proptest! {
        #[test]
        fn the_text_of_a_loop_reads_back_as_the_same_loop(
            kind in prop::sample::select(LoopKind::ALL.to_vec()),
            model in "(anthropic|openai|chat|google)/[a-z0-9./:-]{1,20}",
            partner in "(anthropic|chat)/[a-z0-9.-]{1,20}",
            base_url in prop::option::of("https?://[a-z0-9.:]{1,12}(/[a-z{}]{0,12})?([?]api-version=[0-9a-z.-]{1,9})?"),
            key in prop::option::of("[A-Z_]{1,12}|gcloud"),
            auth in prop::option::of(prop::sample::select(KeyHeader::ALL.to_vec())),
            numbers in prop::array::uniform5(prop::option::of(1_u32..1_000_000)),
            mode in prop::option::of(prop::sample::select(Mode::ALL.to_vec())),
            points in prop::option::of(prop::sample::select(Points::ALL.to_vec())),
            partners_points in prop::option::of(prop::sample::select(Points::ALL.to_vec())),
        ) {
            let names = ["pictures", "max_output", "context", "timeout", "silence"];
            let numbers = names.iter().zip(numbers).filter_map(|(name, n)| Some(format!("{name}={}", n?)));
            let mode = mode.filter(|_| kind.options().contains(&"tools")).map(|mode| format!("tools={}", mode.name()));
            let options = [
                base_url.map(|url| format!("base_url={url}")),
                key.map(|key| format!("key={key}")),
                auth.map(|header| format!("auth={}", header.name())),
                mode,
                points.map(|points| format!("points={}", points.name())),
                kind.partner().map(|(name, _)| format!("{name}={partner}")),
                kind.partner().zip(partners_points).map(|((_, option), points)| format!("{option}={}", points.name())),
            ];
            let options: Vec<String> = options.into_iter().flatten().chain(numbers).collect();
            let text = format!("{}:{model},{}", kind.name(), options.join(","));
            let spec: AgentSpec = text.parse().unwrap();
            prop_assert_eq!(spec.to_string().parse::<AgentSpec>(), Ok(spec.clone()));
            let label = spec.label();
            prop_assert!(label.chars().all(|c| c.is_ascii_alphanumeric() || "._-:".contains(c)), "{}", label);
        }
    }
}
