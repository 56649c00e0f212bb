//! Where models are reached: keys, addresses, and what all trials of a process share.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};

use quintain_core::lock::LockAlways as _;
use quintain_core::percent::percent_encoded;
use quintain_core::{Digest, Notices, Usage};

use super::cache::Cache;
use super::codec::Codec;
use super::connection::ModelConnection;
use super::keys::{self, KeyHeader, NoKey, Secret};
use super::limiter::Limiter;
use super::provider::{ModelSpec, Provider};
use super::reach::ProviderReach;
use super::retry::CallRetries;
use super::runtime;
use crate::catalogue::ModelCatalogue;
use crate::meter::{CallOwner, Meter};
use crate::model::Model;
use crate::ration::{Ration, Unlimited};

/// Connects agents with models. HTTP connections and limits on calls at once are shared by everything it connects.
pub struct Connections {
    catalogue: ModelCatalogue,
    meter: Arc<Meter>,
    options: ConnectOptions,
    client: OnceLock<reqwest::Client>,
    limiters: Mutex<BTreeMap<String, Arc<Limiter>>>,
    reach: Arc<ProviderReach>,
}

/// How models are connected.
#[derive(Clone, Debug)]
pub struct ConnectOptions {
    /// Where answers are kept, so that the same request is paid for once; nothing means that none is.
    pub cache: Option<PathBuf>,
    /// How failed calls are made again.
    pub retries: CallRetries,
    /// The most calls under way at once to one model.
    pub most_at_once: usize,
    /// Where calls ask whether they may be made, if others use the provider too.
    pub ration: Arc<dyn Ration>,
}

/// Why a model cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotConnected {
    /// It has no key.
    #[error(transparent)]
    NoKey(#[from] NoKey),
    /// Nobody says where it is.
    #[error("nobody says where `{model}` is\nhint: give base_url=URL, or set {variable}")]
    NoBaseUrl {
        /// The model.
        model: String,
        /// The variable that would say so.
        variable: &'static str,
    },
    /// The address is none.
    #[error("`{0}` is no address of a provider\nhint: it begins with http:// or https://")]
    BadBaseUrl(String),
    /// It is at an address of Amazon's that wants what is not spoken here.
    #[error(
        "{0}\nhint: make a Bedrock API key, put it into a variable, and give base_url=https://bedrock-mantle.REGION.api.aws/anthropic \
         (or .../openai/v1 for models of OpenAI), auth=bearer and key=VARIABLE"
    )]
    Amazon(&'static str),
    /// The run has a budget in dollars and the model has no price.
    #[error(
        "the price of `{0}` is not known, so a budget in dollars cannot hold\nhint: give its prices in a file \
         (--models FILE), or limit tokens instead"
    )]
    NoPrice(String),
    /// HTTP cannot be set up.
    #[error("{0}")]
    NoClient(String),
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { cache: None, retries: CallRetries::default(), most_at_once: 256, ration: Unlimited::shared() }
    }
}

impl Connections {
    /// Connects models of this catalogue, all billed to this meter.
    pub fn new(catalogue: ModelCatalogue, meter: Arc<Meter>, options: ConnectOptions) -> Self {
        let (client, limiters, reach) = (OnceLock::new(), Mutex::new(BTreeMap::new()), Arc::default());
        Self { catalogue, meter, options, client, limiters, reach }
    }

    /// Where is said that a provider is not reached.
    pub fn notices(&self) -> &Notices {
        &self.reach.notices
    }

    /// What is known of models.
    pub fn catalogue(&self) -> &ModelCatalogue {
        &self.catalogue
    }

    /// What counts the calls.
    pub fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// Where calls ask whether they may be made.
    pub fn ration(&self) -> &Arc<dyn Ration> {
        &self.options.ration
    }

    /// Whether a model could be asked: it has a key, an address, and a price where the budget needs one.
    pub fn check(&self, spec: &ModelSpec) -> Result<(), NotConnected> {
        self.parts(spec, "", &from_process).map(|_parts| ())
    }

    /// A model that is asked for one trial. The instance is put into the address where that has a place for it.
    pub fn model(&self, spec: &ModelSpec, who: &CallOwner, instance: &str) -> Result<Arc<dyn Model>, NotConnected> {
        self.model_in(spec, who, instance, &from_process)
    }

    /// The same in an environment that is handed in.
    pub fn model_in(
        &self,
        spec: &ModelSpec,
        who: &CallOwner,
        instance: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Arc<dyn Model>, NotConnected> {
        let (base_url, key) = self.parts(spec, instance, environment)?;
        let card = self.catalogue.card(spec);
        let limiter = self.limiter(spec, key.as_ref());
        Ok(Arc::new(ModelConnection {
            auth: key.as_ref().map_or(KeyHeader::Usual, |key| KeyHeader::of(spec, &base_url, key)),
            price: self.catalogue.price(&card.name),
            card,
            provider: spec.provider,
            codec: codec(spec.provider),
            base_url,
            key,
            client: self.client()?,
            limiter,
            meter: Arc::clone(&self.meter),
            ration: Arc::clone(&self.options.ration),
            last_tokens: AtomicU64::new(0),
            cache: self.options.cache.clone().map(Cache::new),
            who: who.clone(),
            timeout: spec.timeout,
            idle: spec.silence,
            retries: self.options.retries,
            reach: Arc::clone(&self.reach),
            wasted: Mutex::new(Usage::nothing()),
            chain: Mutex::default(),
            request_id: Mutex::default(),
        }))
    }

    fn parts(
        &self,
        spec: &ModelSpec,
        instance: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(String, Option<Secret>), NotConnected> {
        let name = spec.full_name();
        let base_url = base_url(spec, environment)?;
        let key = keys::key_in(spec, environment)?;
        check_amazon(spec.provider, &base_url, key.as_ref())?;
        if self.meter.budget().cost_usd.is_some() && self.catalogue.price(&name).is_none() {
            return Err(NotConnected::NoPrice(name));
        }
        Ok((base_url.replace("{instance}", &percent_encoded(instance)), key))
    }

    fn client(&self) -> Result<reqwest::Client, NotConnected> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let client = runtime::client().map_err(NotConnected::NoClient)?;
        Ok(self.client.get_or_init(|| client).clone())
    }

    /// Limits hold for one model with one key at one place, whatever the path.
    fn limiter(&self, spec: &ModelSpec, key: Option<&Secret>) -> Arc<Limiter> {
        let place = spec.base_url.as_deref().unwrap_or_default();
        let key = Digest::of(key.map(Secret::reveal).unwrap_or_default().as_bytes()).short();
        let name = format!("{} {place} {key}", spec.full_name());
        let mut limiters = self.limiters.lock().always();
        Arc::clone(limiters.entry(name).or_insert_with(|| Limiter::new(self.options.most_at_once)))
    }
}

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connections")
            .field("options", &self.options)
            .field("meter", &self.meter)
            .finish_non_exhaustive()
    }
}

fn from_process(variable: &str) -> Option<String> {
    std::env::var(variable).ok()
}

/// The wire format of a provider.
pub fn codec(provider: Provider) -> Arc<dyn Codec> {
    provider.codec()
}

/// Where a model is: as its spec says, or the environment, or as usual.
pub fn base_url(spec: &ModelSpec, environment: &dyn Fn(&str) -> Option<String>) -> Result<String, NotConnected> {
    let variable = spec.provider.base_url_variable();
    let set = || environment(variable).filter(|url| !url.trim().is_empty());
    let usual = || spec.provider.usual_base_url().map(str::to_owned);
    let url = spec.base_url.clone().or_else(set).or_else(usual);
    let url = url.ok_or_else(|| NotConnected::NoBaseUrl { model: spec.full_name(), variable })?;
    let url = url.trim().to_owned();
    let address = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    match address.map(|rest| rest.split(['/', '?']).next().unwrap_or_default()) {
        None | Some("") => Err(NotConnected::BadBaseUrl(keys::redact(&url))),
        Some(host) => {
            hide_password(host);
            Ok(url)
        }
    }
}

/// Neither Amazon's own framing of streams nor its signatures are spoken here: both are told before a call is made.
fn check_amazon(provider: Provider, base_url: &str, key: Option<&Secret>) -> Result<(), NotConnected> {
    let host = base_url.split("://").nth(1).and_then(|rest| rest.split(['/', ':', '?']).next()).unwrap_or_default();
    if !host.ends_with(".amazonaws.com") && !host.ends_with(".api.aws") {
        return Ok(());
    }
    if provider == Provider::Anthropic && host.starts_with("bedrock-runtime") {
        return Err(NotConnected::Amazon(
            "`bedrock-runtime` frames the streams of Claude in a way of its own, which is not spoken here",
        ));
    }
    // How names of AWS's access keys begin: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
    if key.is_some_and(|key| key.reveal().starts_with("AKIA") || key.reveal().starts_with("ASIA")) {
        return Err(NotConnected::Amazon(
            "this is an access key of AWS, and requests are not signed with those here (SigV4)",
        ));
    }
    Ok(())
}

/// `user:password@host`: the password is a secret like a key.
fn hide_password(host: &str) {
    if let Some((_, password)) = host.rsplit_once('@').and_then(|(user, _)| user.split_once(':')) {
        drop(Secret::new(password, "PASSWORD"));
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::books::{NoBooks, Totals};
    use quintain_core::limits::Budget;

    use super::*;

    fn place(spec: &str, option: Option<&str>, set: Option<&str>) -> String {
        let mut spec: ModelSpec = spec.parse().unwrap();
        spec.base_url = option.map(str::to_owned);
        base_url(&spec, &|_variable| set.map(str::to_owned)).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn the_option_goes_before_the_environment_and_that_before_the_usual_place() {
        assert_eq!(place("anthropic/x", None, None), "https://api.anthropic.com");
        assert_eq!(place("anthropic/x", None, Some("http://127.0.0.1:1/a")), "http://127.0.0.1:1/a");
        assert_eq!(place("anthropic/x", Some("http://b"), Some("http://a")), "http://b");
        insta::assert_snapshot!(place("chat/x", None, None), @"
        nobody says where `chat/x` is
        hint: give base_url=URL, or set CHAT_BASE_URL
        ");
        assert!(place("chat/x", Some("localhost:8000"), None).contains("is no address of a provider"));
    }

    #[test]
    fn what_amazon_wants_and_is_not_spoken_here_is_told() {
        let check = |provider, base: &str, key: &str| match check_amazon(provider, base, Some(&Secret::new(key, "K"))) {
            Ok(()) => "fine".to_owned(),
            Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
        };
        let told = [
            check(Provider::Anthropic, "https://bedrock-mantle.us-east-1.api.aws/anthropic", "bedrock-api-key-1"),
            check(Provider::OpenAi, "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1", "bedrock-api-key-1"),
            check(Provider::Anthropic, "https://bedrock-runtime.us-east-1.amazonaws.com", "bedrock-api-key-1"),
            check(Provider::OpenAi, "https://bedrock-mantle.us-east-1.api.aws/openai/v1", "AKIAIOSFODNN7EXAMPLE"),
            check(Provider::OpenAi, "https://api.openai.com", "AKIAIOSFODNN7EXAMPLE"),
        ];
        insta::assert_snapshot!(told.join("\n"), @"
        fine
        fine
        `bedrock-runtime` frames the streams of Claude in a way of its own, which is not spoken here
        this is an access key of AWS, and requests are not signed with those here (SigV4)
        fine
        ");
    }

    #[test]
    fn a_budget_in_dollars_needs_a_price() {
        let budget = Budget { cost_usd: Some(5.0), ..Budget::default() };
        let meter = Meter::new(Arc::new(NoBooks), budget, Totals::default());
        let connections = Connections::new(ModelCatalogue::built_in(), meter, ConnectOptions::default());
        let check = |name: &str| {
            let spec = ModelSpec { base_url: Some("http://127.0.0.1:9".to_owned()), ..name.parse().unwrap() };
            connections.check(&spec)
        };
        assert_eq!(check("chat/unheard-of"), Err(NotConnected::NoPrice("chat/unheard-of".to_owned())));
        assert_eq!(check("chat/sim"), Ok(()));
    }
}
