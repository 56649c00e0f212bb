//! What the tasks of the suite `exam` work on: professional work in files. One folder each: what makes the files
//! (`collection`), what is right (`truth`), and how it is done with the tools that an agent has (`solution`), which share
//! no code.

mod alerts;
mod bell;
mod brand;
mod calendar;
mod capture;
mod catalogues;
mod ccd;
mod cells;
mod close;
mod drainage;
mod economy;
mod filter;
mod hydrants;
mod linear;
mod loudness;
mod mail;
mod plan;
mod rtl;
mod scripted;
mod software;
mod statements;
mod stroop;
mod texts;
mod trial;
mod variants;

use quintain_core::offering::{CodeDigests, Offering};
use quintain_workspace::{Assignments, Workspace};

/// All of them.
const ALL: Assignments = &[
    &alerts::AlertingRules,
    &brand::ApplyBrand,
    &capture::CaptureTriage,
    &catalogues::RepairCatalogues,
    &ccd::CcdReduction,
    &close::ReconcileAndClose,
    &drainage::StreetFlooding,
    &economy::ImpulseResponses,
    &filter::ActiveFilter,
    &hydrants::HydrantFlow,
    &loudness::LoudnessDelivery,
    &mail::MailThreads,
    &rtl::RtlFunnel,
    &statements::ThreeStatements,
    &stroop::PreregisteredModel,
    &trial::PrimaryEndpoint,
    &variants::DirtyVariants,
];

/// The code of this crate, as its build script found it: certificates are keyed by it.
static CODE: CodeDigests = include!(concat!(env!("OUT_DIR"), "/code.rs"));

/// Workspaces with these.
pub fn offering() -> Offering {
    Offering { code: Some(CODE.shared()), ..Workspace::offering(ALL) }
}
