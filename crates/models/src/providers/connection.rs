//! A model at a provider: asks, waits, asks again where that helps, and writes every call in the books.

mod chain;
mod foresight;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::books::Bill;
use quintain_core::event::RecordError;
use quintain_core::lock::LockAlways as _;
use quintain_core::{Digest, Usage};
use tokio::time::{Instant, sleep, timeout_at};

use super::cache::Cache;
use super::codec::{Codec, ConversationLink, DecodedAnswer, ProviderRefusal, UsedTokens, WireRequest, wire_name};
use super::endpoint;
use super::http::{self, CallFailure, CallTimeouts, FailedCall, Outgoing, shown};
use super::keys::{KeyHeader, Secret};
use super::limiter::{Limiter, TakenPlace};
use super::mend::{self, CallOutcome, RefusedCall};
use super::provider::Provider;
use super::reach::ProviderReach;
use super::retry::{CallRetries, draw};
use super::runtime::runtime;
use crate::catalogue::Price;
use crate::meter::{CallOpening, CallOwner, Meter, NotAdmitted, OpenCall};
use crate::model::{Model, ModelCard, ModelError, Request, Response};
use crate::ration::{CallAmount, Ration};
use chain::Chain;

/// A provider that has not said a single byte for so long counts as hanging, whoever runs out of time.
const SILENCE: Duration = Duration::from_secs(10);

/// A model at a provider, asked for one trial.
pub struct ModelConnection {
    pub(super) card: ModelCard,
    pub(super) provider: Provider,
    pub(super) codec: Arc<dyn Codec>,
    pub(super) base_url: String,
    pub(super) key: Option<Secret>,
    pub(super) auth: KeyHeader,
    pub(super) client: reqwest::Client,
    pub(super) limiter: Arc<Limiter>,
    pub(super) meter: Arc<Meter>,
    pub(super) ration: Arc<dyn Ration>,
    /// What the last call used: the next one of a conversation is not much longer.
    pub(super) last_tokens: AtomicU64,
    pub(super) price: Option<Price>,
    pub(super) cache: Option<Cache>,
    pub(super) who: CallOwner,
    pub(super) timeout: Duration,
    pub(super) idle: Duration,
    pub(super) retries: CallRetries,
    pub(super) reach: Arc<ProviderReach>,
    pub(super) wasted: Mutex<Usage>,
    pub(super) chain: Mutex<Chain>,
    /// By which name the provider knows the last request.
    pub(super) request_id: Mutex<Option<String>>,
}

/// One question, from its first call to the last.
struct ModelQuestion<'a> {
    request: &'a Request,
    within: Duration,
    deadline: Instant,
    link: Option<ConversationLink>,
    n_failed: u32,
    /// How long it has waited for a place among the calls under way.
    queued: Duration,
    /// What all calls so far used.
    usage: Usage,
    /// Where the last call went.
    address: String,
    /// How the last call failed, and what may be set otherwise.
    trouble: String,
    mend: Option<String>,
}

impl Model for ModelConnection {
    fn ask(&self, request: &Request, within: Duration) -> Result<Response, ModelError> {
        runtime().block_on(async {
            let mut asking = ModelQuestion::new(request, within, self.link(request));
            let answer = self.answer(&mut asking).await;
            // Calls that led to no answer were paid for all the same; whoever keeps the trial's account asks for them later.
            if answer.is_err() {
                let mut wasted = self.wasted.lock().always();
                *wasted = wasted.plus(asking.usage);
            }
            answer
        })
    }

    fn wasted(&self) -> Usage {
        let mut wasted = self.wasted.lock().always();
        std::mem::replace(&mut *wasted, Usage::nothing())
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }

    fn request_id(&self) -> Option<String> {
        self.request_id.lock().always().clone()
    }
}

impl<'a> ModelQuestion<'a> {
    fn new(request: &'a Request, within: Duration, link: Option<ConversationLink>) -> Self {
        let deadline = Instant::now() + within;
        let (queued, usage) = (Duration::ZERO, Usage::nothing());
        Self {
            request,
            within,
            deadline,
            link,
            n_failed: 0,
            queued,
            usage,
            address: String::new(),
            trouble: String::new(),
            mend: None,
        }
    }
}

impl ModelQuestion<'_> {
    /// Whether it did not have the time that was meant: calls failed, or it had to wait for a place because the provider
    /// refused others.
    fn is_held_up(&self) -> bool {
        self.n_failed > 0 || self.queued > self.within / 10
    }
}

impl ModelConnection {
    async fn answer(&self, asking: &mut ModelQuestion<'_>) -> Result<Response, ModelError> {
        loop {
            let wire = self.codec.wire(&self.card, asking.request, asking.link.as_ref());
            let wire = endpoint::fitted(&self.base_url, wire);
            asking.address = endpoint::address(&self.base_url, &wire.path);
            let name = self.cache.is_some().then(|| Cache::name(&self.card.name, &self.base_url, &wire));
            if let Some(response) = self.kept(name.as_ref(), asking)? {
                return Ok(response);
            }
            let came = Instant::now();
            let Ok(taken) = timeout_at(asking.deadline, self.limiter.take()).await else {
                return Err(self.crowded(asking));
            };
            // A place comes first, then the share of rate and budget: shares lapse, and one that waited in the queue would be
            // taken from others for nothing.
            let call = self.admit(asking).await?;
            let began = Instant::now();
            asking.queued += began - came;
            let failed = match self.send(&wire, asking, &call).await? {
                Ok(decoded) => {
                    taken.served();
                    self.reach.answered(&self.card.name, &self.base_url);
                    return self.answered(decoded, name.as_ref(), asking, call);
                }
                Err(failed) => failed,
            };
            self.failed(&failed, asking, call, taken)?;
            self.weigh(&failed.kind, asking, began)?;
            self.wait(&failed.kind, asking).await?;
        }
    }

    /// The answer that was kept, which costs nothing: the books say that it was free.
    fn kept(&self, name: Option<&Digest>, asking: &ModelQuestion<'_>) -> Result<Option<Response>, ModelError> {
        let kept = self.cache.as_ref().zip(name).and_then(|(cache, name)| cache.get(name));
        let Some(kept) = kept else { return Ok(None) };
        self.begin(asking.request)?.end(Bill::Free, None).map_err(|error| unwritten(&error))?;
        Ok(Some(Response { message: kept.message, stop: kept.stop, usage: asking.usage, held_up: asking.is_held_up() }))
    }

    fn begin(&self, request: &Request) -> Result<OpenCall, ModelError> {
        self.meter.begin(&self.opening(request)).map_err(|error| self.not_admitted(error))
    }

    /// Waits until the call may be made, as far as others use the provider and the budget too.
    async fn admit(&self, asking: &ModelQuestion<'_>) -> Result<OpenCall, ModelError> {
        let (opening, expected) = (self.opening(asking.request), self.expected(asking.request));
        let call = self.meter.admit_rationed(&*self.ration, &opening, expected, asking.deadline).await;
        call.map_err(|error| self.not_admitted(error))
    }

    fn opening(&self, request: &Request) -> CallOpening<'_> {
        CallOpening { who: &self.who, step_idx: request.step_idx, purpose: request.purpose, model: &self.card.name }
    }

    fn not_admitted(&self, error: NotAdmitted) -> ModelError {
        match error {
            NotAdmitted::OverBudget(_) => ModelError::OverBudget,
            NotAdmitted::Books(error) => unwritten(&error),
            NotAdmitted::Late(why) => self.trouble(why),
        }
    }

    /// What a call of this request is expected to use.
    fn expected(&self, request: &Request) -> CallAmount {
        let tokens = foresight::tokens(request, self.last_tokens.load(Ordering::Relaxed));
        tokens.priced(self.price).into()
    }

    /// Ends a call: what it used is added to what the reply used, and its bill goes into the books and to whoever shares
    /// with it. All money that is spent here goes this way: the provider counts tokens, with their price they are a bill,
    /// and bills add up to the usage of the reply.
    fn settle(
        &self,
        call: OpenCall,
        bill: Bill,
        failed: Option<String>,
        asking: &mut ModelQuestion<'_>,
    ) -> Result<(), ModelError> {
        let usage = bill.usage();
        if usage.tokens() > 0 {
            self.last_tokens.store(usage.tokens(), Ordering::Relaxed);
        }
        asking.usage = asking.usage.plus(usage);
        call.end(bill, failed).map_err(|error| unwritten(&error))
    }

    async fn send(
        &self,
        wire: &WireRequest,
        asking: &ModelQuestion<'_>,
        call: &OpenCall,
    ) -> Result<Result<DecodedAnswer, FailedCall>, ModelError> {
        let key = self.key.as_ref().map(|key| self.auth.write(&*self.codec, key));
        let outgoing = Outgoing {
            url: asking.address.clone(),
            headers: http::headers(&wire.headers, key).map_err(|why| self.rejected(&why, None))?,
            body: wire.body.parts(),
        };
        let until = Instant::now().checked_add(self.timeout).map_or(asking.deadline, |at| at.min(asking.deadline));
        let patience = CallTimeouts { until, idle: self.idle.min(self.timeout) };
        let format = (&*self.codec, asking.request.tools.as_slice());
        let (request_id, answer) = http::send(&self.client, outgoing, format, call.id(), patience).await;
        *self.request_id.lock().always() = request_id;
        Ok(answer)
    }

    fn answered(
        &self,
        decoded: DecodedAnswer,
        name: Option<&Digest>,
        asking: &mut ModelQuestion<'_>,
        call: OpenCall,
    ) -> Result<Response, ModelError> {
        self.settle(call, self.bill(decoded.tokens), None, asking)?;
        let DecodedAnswer { message, stop, response_id, .. } = decoded;
        if let Some((cache, name)) = self.cache.as_ref().zip(name) {
            let kept = cache.put(name, &message, stop);
            kept.map_err(|error| ModelError::Harness(format!("the answer cannot be kept: {error}")))?;
        }
        self.chain.lock().always().extend(asking.request, &message, response_id);
        Ok(Response { message, stop, usage: asking.usage, held_up: asking.is_held_up() })
    }

    /// Writes a failed call in the books, and lets others know when there are too many.
    fn failed(
        &self,
        failed: &FailedCall,
        asking: &mut ModelQuestion<'_>,
        call: OpenCall,
        taken: TakenPlace,
    ) -> Result<(), ModelError> {
        // A call that broke off halfway may have been billed. What is not known is written as unknown, never as free.
        let is_free = matches!(failed.kind, CallFailure::Unreached(_) | CallFailure::Refused { .. });
        let bill = if is_free { Bill::Free } else { self.bill(failed.tokens) };
        asking.trouble = failed.kind.words();
        asking.mend = self.mend(&failed.kind, &asking.address);
        self.reach.failed(&self.card.name, &self.base_url, &failed.kind, asking.mend.as_deref());
        match &failed.kind {
            CallFailure::Refused { refusal: ProviderRefusal::RateLimited(_), asked, .. } => taken.refused(*asked),
            CallFailure::GaveUp(ProviderRefusal::RateLimited(_)) => taken.refused(None),
            _ => drop(taken),
        }
        self.settle(call, bill, Some(asking.trouble.clone()), asking)
    }

    /// Whether asking again may help; if not, why there is no answer.
    fn weigh(&self, failure: &CallFailure, asking: &mut ModelQuestion<'_>, began: Instant) -> Result<(), ModelError> {
        let refusal = match failure {
            CallFailure::Refused { refusal, .. } | CallFailure::GaveUp(refusal) => Some(refusal),
            _ => None,
        };
        match refusal {
            Some(ProviderRefusal::Overflow) => return Err(ModelError::Overflow { model: self.card.name.clone() }),
            // The provider may have forgotten the conversation it was linked to: then all of it is told again.
            Some(ProviderRefusal::Rejected(_)) if asking.link.take().is_some() => return Ok(()),
            Some(ProviderRefusal::Rejected(why)) if failure.shuts_out() => {
                let (model, mend) = (self.card.name.clone(), asking.mend.take());
                return Err(ModelError::Denied { model, why: shown(why), mend });
            }
            Some(ProviderRefusal::Rejected(why)) => return Err(self.rejected(why, asking.mend.take())),
            _ => {}
        }
        let is_slow = match failure {
            CallFailure::TimedOut { has_begun: true } => true,
            CallFailure::TimedOut { has_begun: false } => began.elapsed() < SILENCE.min(self.timeout),
            _ => false,
        };
        if is_slow && !asking.is_held_up() && Instant::now() >= asking.deadline {
            return Err(ModelError::Late(asking.within));
        }
        asking.n_failed += 1;
        Ok(())
    }

    /// Waits as long as the provider asks for, or gives up.
    async fn wait(&self, failure: &CallFailure, asking: &ModelQuestion<'_>) -> Result<(), ModelError> {
        if asking.n_failed == 0 {
            return Ok(());
        }
        let asked = match failure {
            CallFailure::Refused { asked, .. } => *asked,
            _ => None,
        };
        let delay = self.retries.delay(asking.n_failed, asked, draw());
        if asking.n_failed >= self.retries.tries || Instant::now() + delay >= asking.deadline {
            return Err(self.gave_up(asking));
        }
        sleep(delay).await;
        Ok(())
    }

    fn gave_up(&self, asking: &ModelQuestion<'_>) -> ModelError {
        let times = if asking.n_failed == 1 { "once".to_owned() } else { format!("{} times", asking.n_failed) };
        let why = format!("asked {times}: {}", asking.trouble);
        ModelError::Provider { model: self.card.name.clone(), why, mend: asking.mend.clone() }
    }

    /// The time was up before there was a place among the calls under way, because of refusals before.
    fn crowded(&self, asking: &ModelQuestion<'_>) -> ModelError {
        if asking.n_failed > 0 {
            return self.gave_up(asking);
        }
        let n_places = self.limiter.limit();
        self.trouble(format!("no place among {n_places} calls at once within {:?}", asking.within))
    }

    fn trouble(&self, why: String) -> ModelError {
        ModelError::Provider { model: self.card.name.clone(), why, mend: None }
    }

    fn rejected(&self, why: &str, mend: Option<String>) -> ModelError {
        ModelError::Rejected { model: self.card.name.clone(), why: shown(why), mend }
    }

    /// What may be set otherwise so that a call does not fail so.
    fn mend(&self, failure: &CallFailure, address: &str) -> Option<String> {
        let outcome = match failure {
            CallFailure::Unreached(why) => CallOutcome::Unreached(why),
            CallFailure::Refused { status, refusal: ProviderRefusal::Rejected(why), .. } => {
                CallOutcome::Refused(*status, why)
            }
            _ => return None,
        };
        let Self { provider, base_url, auth, .. } = self;
        let (key, model) = (self.key.as_ref(), wire_name(&self.card));
        let call = RefusedCall { provider: *provider, model, base_url, address, key, auth: *auth };
        mend::mend(&call, outcome)
    }

    fn bill(&self, tokens: Option<UsedTokens>) -> Bill {
        tokens.map_or(Bill::Unknown, |tokens| Bill::Told(tokens.priced(self.price)))
    }

    /// Where the provider already has the beginning of the conversation. Kept answers are found by the whole of it.
    fn link(&self, request: &Request) -> Option<ConversationLink> {
        let chain = self.chain.lock().always();
        self.cache.is_none().then(|| chain.link(request)).flatten()
    }
}

fn unwritten(error: &RecordError) -> ModelError {
    ModelError::Harness(error.to_string())
}

#[cfg(test)]
mod tests;
