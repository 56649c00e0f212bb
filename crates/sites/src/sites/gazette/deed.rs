//! The text of a notice: head, preamble, clauses, place and day, signature.

use quintain_atlas::companies::LicenceKind;
use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::{Entity, NoticeId, Value};

use super::{NoticeAspect, of_notice};
use crate::facts::{Aspect, Fact, bank_of};
use crate::html::Html;
use crate::page::{Narrator, PageWriter};

/// A part of a notice's text.
pub(super) enum DeedPart {
    /// Whose gazette it is.
    Mast(String),
    /// Number and day.
    Line(String),
    /// The title.
    Title(String),
    /// The heading of a clause.
    Heading(String),
    /// A paragraph.
    Text(Html),
    /// Who signed, and as what.
    Signature(String, String),
}

/// A clause: what it is about, and its sentences.
type ClausePlan = (&'static str, &'static [&'static str]);

/// The clause in which an ordinance fixes its fee. Amendments name it.
const FEE_CLAUSE: u8 = 3;
/// The clause in which a plan fixes its target.
const TARGET_CLAUSE: u8 = 2;

const ORDINANCE: &[ClausePlan] = &[
    ("Scope", &["ordinance.scope", "ordinance.terms"]),
    ("Duty to pay", &["ordinance.duty", "ordinance.notice"]),
    ("Fee", &["ordinance.fee", "ordinance.money"]),
    ("Collection", &["ordinance.collection", "ordinance.arrears"]),
    ("Breaches", &["ordinance.breach"]),
    ("Administration", &["ordinance.office"]),
    ("Entry into force", &["force"]),
];
const AMENDMENT: &[ClausePlan] = &[
    ("Fee", &["amendment.fee"]),
    ("Transition", &["amendment.transition"]),
    ("Other provisions", &["amendment.rest"]),
    ("Entry into force", &["force"]),
];
const REPEAL: &[ClausePlan] =
    &[("Repeal", &["repeal.act"]), ("Fees already due", &["repeal.pending"]), ("Records", &["repeal.records"])];
const PLAN: &[ClausePlan] = &[
    ("Purpose", &["plan.purpose", "plan.meaning"]),
    ("Target", &["plan.target", "plan.counting"]),
    ("Duties", &["plan.duties", "plan.means"]),
    ("Reports", &["plan.reports"]),
    ("Earlier plan", &["plan.replaces"]),
    ("Entry into force", &["force"]),
];
const PLAN_AMENDMENT: &[ClausePlan] = &[
    ("Target", &["plan.amended", "plan.counting"]),
    ("Other provisions", &["amendment.rest"]),
    ("Entry into force", &["force"]),
];
const RATE_UP: &[ClausePlan] = &[
    ("Policy rate", &["rate.rate", "rate.raised"]),
    ("Reasons", &["rate.reasons"]),
    ("Application", &["rate.use"]),
    ("Effect", &["rate.effect", "rate.lapse"]),
];
const RATE_DOWN: &[ClausePlan] = &[
    ("Policy rate", &["rate.rate", "rate.lowered"]),
    ("Reasons", &["rate.reasons"]),
    ("Application", &["rate.use"]),
    ("Effect", &["rate.effect", "rate.lapse"]),
];
const RATE_FIRST: &[ClausePlan] =
    &[("Policy rate", &["rate.rate"]), ("Application", &["rate.use"]), ("Effect", &["rate.effect"])];
const GRANT_FULL: &[ClausePlan] = &[
    ("Grant", &["licence.grant"]),
    ("Permitted business", &["licence.full"]),
    ("Supervision", &["licence.duties", "licence.books"]),
    ("Effect", &["licence.from"]),
];
const GRANT_LIMITED: &[ClausePlan] = &[
    ("Grant", &["licence.grant"]),
    ("Permitted business", &["licence.limited"]),
    ("Supervision", &["licence.duties", "licence.books"]),
    ("Effect", &["licence.from"]),
];
const WITHDRAWAL: &[ClausePlan] = &[
    ("Withdrawal", &["licence.withdrawn"]),
    ("Effect", &["licence.until"]),
    ("Consequences", &["licence.after", "licence.claims"]),
];
const APPOINTMENT: &[ClausePlan] = &[
    ("Appointment", &["appointment.who", "appointment.powers"]),
    ("Succession", &["appointment.after"]),
    ("Effect", &["appointment.from", "appointment.publicity"]),
];

/// Writes the text of one notice.
pub(super) struct DeedWriter<'p, 'w> {
    page: &'p mut PageWriter<'w>,
    notice: NoticeId,
}

impl<'p, 'w> DeedWriter<'p, 'w> {
    pub(super) fn new(page: &'p mut PageWriter<'w>, notice: NoticeId) -> Self {
        Self { page, notice }
    }

    fn matter(&self) -> NoticeMatter {
        self.page.web.atlas.notices.matter[self.notice]
    }

    fn say(&mut self, aspect: NoticeAspect) -> String {
        self.page.say(of_notice(self.notice, aspect)).unwrap_or_default()
    }

    /// Whose gazette it is, number, day, title and preamble.
    pub(super) fn head(&mut self) -> Vec<DeedPart> {
        let country = self.page.web.atlas.notices.country[self.notice];
        let state = self.page.say(Fact::new(country, Aspect::StateForm)).unwrap_or_default();
        let (number, date) = (self.say(NoticeAspect::Number), self.say(NoticeAspect::Date));
        let title = self.page.say(Fact::new(self.notice, Aspect::Name)).unwrap_or_default();
        if let Some(bank) = bank_of(&self.page.web.atlas.notices, self.notice) {
            let name = self.page.web.atlas.company_name(bank, self.page.as_of);
            self.page.state_as(of_notice(self.notice, NoticeAspect::Bank), &name);
        }
        let preamble = match self.matter() {
            NoticeMatter::Ordinance { .. } | NoticeMatter::Repeal { .. } => "preamble.ordinance",
            NoticeMatter::ClimatePlan { .. } => "preamble.plan",
            NoticeMatter::LicenceGranted { .. } | NoticeMatter::LicenceWithdrawn { .. } => "preamble.licence",
            NoticeMatter::RateDecision { .. } => "preamble.rate",
            NoticeMatter::Appointment { .. } => "preamble.appointment",
        };
        // An amendment names the text that it amends, with its day.
        let amended = self.page.web.atlas.notices.amends[self.notice].map(|_| "recital.amended");
        let keys: Vec<&str> = amended.into_iter().chain([preamble]).collect();
        vec![
            DeedPart::Mast(format!("Official Gazette of the {state}")),
            DeedPart::Line(format!("No. {number} \u{2013} {date}")),
            DeedPart::Title(title),
            DeedPart::Text(self.sentences(&keys)),
        ]
    }

    /// Which clauses the notice has.
    fn plan(&self) -> Vec<ClausePlan> {
        let is_first = self.page.web.atlas.notices.version[self.notice] == 1;
        let clauses = match self.matter() {
            NoticeMatter::Ordinance { .. } if is_first => ORDINANCE,
            NoticeMatter::Ordinance { .. } => AMENDMENT,
            NoticeMatter::Repeal { .. } => REPEAL,
            NoticeMatter::ClimatePlan { .. } if is_first => PLAN,
            NoticeMatter::ClimatePlan { .. } => PLAN_AMENDMENT,
            NoticeMatter::RateDecision { change_bp, .. } => match change_bp.signum() {
                1 => RATE_UP,
                -1 => RATE_DOWN,
                _ => RATE_FIRST,
            },
            NoticeMatter::LicenceGranted { kind: LicenceKind::Full, .. } => GRANT_FULL,
            NoticeMatter::LicenceGranted { kind: LicenceKind::Limited, .. } => GRANT_LIMITED,
            NoticeMatter::LicenceWithdrawn { .. } => WITHDRAWAL,
            NoticeMatter::Appointment { .. } => APPOINTMENT,
        };
        clauses.iter().copied().filter(|clause| self.has(clause.0)).collect()
    }

    /// Some clauses stand in some acts alone.
    fn has(&self, caption: &str) -> bool {
        let mut draw = self.page.draw.fork_text(caption);
        let is_known = |aspect| self.page.ask(of_notice(self.notice, aspect)).is_some();
        match caption {
            "Breaches" | "Administration" => draw.chance(55),
            "Reports" => draw.chance(75),
            "Application" | "Transition" | "Reasons" | "Records" => draw.chance(70),
            "Succession" => is_known(NoticeAspect::Predecessor),
            "Earlier plan" => is_known(NoticeAspect::Replaces),
            _ => true,
        }
    }

    /// The line above a sheet that is not the first one.
    pub(super) fn running_head(&mut self) -> Vec<DeedPart> {
        let country = self.page.web.atlas.notices.country[self.notice];
        let state = self.page.say(Fact::new(country, Aspect::StateForm)).unwrap_or_default();
        let number = self.say(NoticeAspect::Number);
        vec![DeedPart::Line(format!("Official Gazette of the {state} \u{2013} No. {number}"))]
    }

    /// How many clauses the notice has.
    pub(super) fn n_clauses(&self) -> usize {
        self.plan().len()
    }

    /// The clauses that are wanted, with their headings.
    pub(super) fn clauses(&mut self, wanted: impl Fn(usize) -> bool) -> Vec<DeedPart> {
        let country = self.page.web.atlas.notices.country[self.notice];
        let has_captions = self.page.web.draw.fork_text("captions").fork(u64::from(country.0)).chance(65);
        let mut parts = Vec::new();
        for (at, (caption, keys)) in self.plan().into_iter().enumerate().filter(|(at, _)| wanted(*at)) {
            let heading = self.say(NoticeAspect::Clause(at as u8 + 1));
            parts.push(DeedPart::Heading(if has_captions { format!("{heading}. {caption}") } else { heading }));
            parts.push(DeedPart::Text(self.sentences(keys)));
        }
        parts
    }

    /// Place and day, and who signed.
    pub(super) fn end(&mut self) -> Vec<DeedPart> {
        let mut parts = vec![DeedPart::Text(self.sentences(&["given"]))];
        let signed = (self.say(NoticeAspect::SignedBy), self.say(NoticeAspect::SignedAs));
        if signed.0.is_empty() {
            let issuer = self.say(NoticeAspect::Issuer);
            parts.push(DeedPart::Signature(String::new(), format!("For the {issuer}")));
        } else {
            parts.push(DeedPart::Signature(signed.0, signed.1));
        }
        parts
    }

    fn sentences(&mut self, keys: &[&str]) -> Html {
        let given = self.slots();
        let mut narrator = Narrator::new(self.page, self.notice.into(), "");
        for key in keys {
            narrator.sentence(&format!("gazette.{key}"), &given);
        }
        let mut text = Html::new();
        narrator.paragraph(&mut text);
        text
    }

    /// What the slots of wordings stand for.
    fn slots(&self) -> Vec<(&'static str, Fact)> {
        let (atlas, notice) = (&self.page.web.atlas, self.notice);
        let country = atlas.notices.country[notice];
        let of_country = |aspect| Fact::new(country, aspect);
        let mut slots: Vec<(&'static str, Fact)> =
            OF_NOTICE.map(|(slot, aspect)| (slot, of_notice(notice, aspect))).to_vec();
        slots.push(("state_form", of_country(Aspect::StateForm)));
        slots.push(("currency", of_country(Aspect::Currency)));
        slots.push(("code", of_country(Aspect::CurrencyCode)));
        if let Some(Value::Entity(Entity::Notice(before))) = self.page.ask(of_notice(notice, NoticeAspect::Replaces)) {
            slots.push(("replaced_date", of_notice(before, NoticeAspect::Date)));
        }
        if let Some(before) = atlas.notices.amends[notice] {
            slots.push(("before_date", of_notice(before, NoticeAspect::Date)));
        }
        if let Some(bank) = bank_of(&atlas.notices, notice) {
            slots.push(("bank", Fact::new(bank, Aspect::Name)));
            slots.push(("seat", Fact::new(bank, Aspect::Seat)));
        }
        slots
    }
}

const OF_NOTICE: [(&str, NoticeAspect); 23] = [
    ("date", NoticeAspect::Date),
    ("number", NoticeAspect::Number),
    ("issuer", NoticeAspect::Issuer),
    ("place", NoticeAspect::Place),
    ("matter", NoticeAspect::Matter),
    ("conduct", NoticeAspect::Conduct),
    ("unit", NoticeAspect::FeeUnit),
    ("fee", NoticeAspect::Fee),
    ("target", NoticeAspect::Target),
    ("by_year", NoticeAspect::TargetYear),
    ("base_year", NoticeAspect::BaseYear),
    ("rate", NoticeAspect::Rate),
    ("change", NoticeAspect::RateChange),
    ("licence", NoticeAspect::LicenceKind),
    ("appointee", NoticeAspect::Appointee),
    ("post", NoticeAspect::Post),
    ("predecessor", NoticeAspect::Predecessor),
    ("act", NoticeAspect::Act),
    ("before", NoticeAspect::Amends),
    ("after", NoticeAspect::AmendedBy),
    ("replaced", NoticeAspect::Replaces),
    ("fee_clause", NoticeAspect::Clause(FEE_CLAUSE)),
    ("target_clause", NoticeAspect::Clause(TARGET_CLAUSE)),
];
