//! The nouns of an evaluation, and the story of one trial.
//!
//! Read [`trial::play`] first: it is the whole story. Everything else is a noun it uses, in reading order below.
//! This crate does no I/O, reads no clock and draws no randomness but from a seed it is handed.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod action;
pub mod agent;
pub mod backoff;
pub mod books;
pub mod certificate_key;
pub mod check;
pub mod clock;
pub mod digest;
pub mod ending;
pub mod event;
pub mod evidence;
pub mod exchange;
pub mod files;
pub mod instance;
pub mod judge;
pub mod limits;
pub mod lock;
pub mod manual;
pub mod money;
pub mod notices;
pub mod observation;
pub mod offering;
pub mod percent;
pub mod picture;
pub mod reference;
pub mod rng;
pub mod score;
pub mod seed_key;
pub mod settings;
pub mod suggest;
pub mod surface;
pub mod task;
pub mod template;
pub mod trajectory;
pub mod trial;
pub mod variables;
pub mod verdict;
pub mod verifier;
pub mod words;
pub mod world;

pub use action::{Action, Call, Place, Point};
pub use agent::{Agent, AgentError, AgentIsolation, Briefing, Reply, Turn, Usage};
pub use backoff::{Backoff, BackoffWaits};
pub use certificate_key::CertificateKey;
pub use check::{Case, Check, CheckKind, CheckManual, Finding, Measures};
pub use clock::Clock;
pub use digest::Digest;
pub use ending::{Boundary, Breakdown, Ending, Exhausted};
pub use event::{Event, TrialEvent};
pub use evidence::Evidence;
pub use files::{FileHandle, FileSet, FileSource};
pub use instance::{ContentSource, Instance, InstanceGoal, InstanceId, Pick, StartChoice, Stretch};
pub use judge::{Judge, VerifierCase, VerifierRunner};
pub use limits::{Budget, Limits, Remaining, Spent};
pub use notices::Notices;
pub use observation::{Observation, ObservationPart, Screen};
pub use offering::{Offering, Offerings};
pub use picture::Picture;
pub use reference::Reference;
pub use rng::Rng;
pub use score::Score;
pub use settings::Settings;
pub use surface::{CallSchema, Surface, ValueType};
pub use task::{Task, TaskId};
pub use trajectory::{Feedback, Step, Trajectory};
pub use trial::{Trial, TrialId};
pub use verdict::Verdict;
pub use verifier::VerifierKind;
pub use world::{OpenContext, World, WorldError, WorldKind, WorldSupport};
