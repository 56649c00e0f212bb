//! The examination of one instance.

mod cheating;
mod stretches;

use std::collections::BTreeSet;

use quintain_agents::script::STOP;
use quintain_agents::{Idle, Random};
use quintain_core::task::ResultKind;
use quintain_core::{Digest, Ending, Instance, InstanceId, ObservationPart, Pick, Reply};

use super::certificate::{CertificateRefusal, PickProof, Reason};
use super::chance::Guesses;
use super::cheats::Cheat;
use super::effort::{Breadth, CertificateEffort};
use super::file_twists::twist_files;
use super::leaks::{self, Secrets};
use super::rehearsal::{Canonical, Rehearsal, all_parts, blind};
use super::twists::{TwistResults, twist};
use super::{CertificateSubject, ExaminationProgress};

/// Who examines one instance.
pub(super) struct Examiner<'a> {
    pub(super) subject: CertificateSubject<'a>,
    pub(super) effort: CertificateEffort,
    pub(super) pick: Pick,
    /// How many of the blind guesses fall to this instance.
    pub(super) n_guesses: u32,
    /// Whether no other instance of the preset comes before it.
    pub(super) is_first: bool,
    pub(super) canonical: Option<&'a Canonical>,
    /// Whether what is right in the canonical instance must be wrong here.
    pub(super) twins_must_differ: bool,
    /// Told which part begins.
    pub(super) progress: &'a (dyn Fn(&ExaminationProgress) + Sync),
}

/// The parts of an examination, in order.
const PARTS: [&str; 9] = [
    "doing nothing",
    "the oracle",
    "blind guesses",
    "cheats",
    "the oracle without what it is shown",
    "the oracle again",
    "near misses and variations",
    "what is hidden",
    "starts after milestones",
];

/// What came of it.
#[derive(Debug)]
pub(super) struct ExaminationResult {
    pub(super) instance: InstanceId,
    pub(super) proof: Option<PickProof>,
    pub(super) guesses: Guesses,
    pub(super) refusals: Vec<CertificateRefusal>,
}

/// An examination under way.
struct Examination<'a> {
    subject: CertificateSubject<'a>,
    instance: &'a Instance,
    secrets: &'a Secrets,
    leaks: BTreeSet<String>,
    /// The pictures whose files were searched for secrets.
    searched: BTreeSet<Digest>,
    n_texts: usize,
    refusals: Vec<CertificateRefusal>,
}

impl Examiner<'_> {
    /// A part of the examination begins.
    fn at(&self, part: &'static str) {
        let n = PARTS.iter().position(|known| *known == part).map_or(0, |place| place + 1);
        (self.progress)(&ExaminationProgress::At { instance: self.id(), part, n, n_all: PARTS.len() });
    }

    /// Whether parts of what is shown are switched off, and replies said that every instance answers alike.
    fn tries_surface(&self) -> bool {
        self.is_first || self.effort.breadth == Breadth::Whole
    }

    /// Whether a cheat is tried in this instance.
    fn tries(&self, cheat: Cheat) -> bool {
        let may_differ = cheat.may_differ_by_instance() && self.effort.breadth == Breadth::Wide;
        may_differ || self.tries_surface()
    }

    fn id(&self) -> InstanceId {
        InstanceId { task: self.subject.task.id.clone(), pick: self.pick.clone() }
    }

    /// The outcome where something panicked.
    pub(super) fn crashed(&self, text: &str) -> ExaminationResult {
        self.refused(Reason::Breaks, format!("something panicked: {text}"))
    }

    fn refused(&self, reason: Reason, why: String) -> ExaminationResult {
        let refusals = vec![CertificateRefusal { reason, instance: Some(self.id()), why }];
        ExaminationResult { instance: self.id(), proof: None, guesses: Guesses::default(), refusals }
    }

    /// Examines the instance.
    pub(super) fn examine(&self) -> ExaminationResult {
        let instance = match self.subject.world.instantiate(self.subject.task, &self.pick) {
            Ok(instance) => instance,
            Err(error) => return self.refused(Reason::NotPlayable, format!("the instance cannot be made: {error}")),
        };
        let (secrets, astray) = Secrets::of(self.subject.task, &instance);
        let mut examination = Examination {
            subject: self.subject,
            instance: &instance,
            secrets: &secrets,
            leaks: BTreeSet::new(),
            searched: BTreeSet::new(),
            n_texts: 0,
            refusals: Vec::new(),
        };
        for pointer in astray {
            examination
                .refuse(Reason::Leak, format!("the secret `{pointer}` leads nowhere, so nothing is kept secret"));
        }
        let mut guesses = Guesses::default();
        let proof = examination.all(self, &mut guesses).unwrap_or_else(|why| {
            examination.refuse(Reason::NotPlayable, why);
            None
        });
        ExaminationResult { instance: self.id(), proof, guesses, refusals: examination.refusals }
    }
}

impl Examination<'_> {
    /// Everything, in order. No proof where the oracle fails: nothing that follows would mean anything.
    fn all(&mut self, examiner: &Examiner<'_>, guesses: &mut Guesses) -> Result<Option<PickProof>, String> {
        self.same_instance()?;
        examiner.at(PARTS[0]);
        let idle = self.idle(examiner.effort.breadth)?;
        examiner.at(PARTS[1]);
        let mut player = self.subject.oracle(self.instance)?;
        let wants_geometry = player.wants_geometry();
        let oracle = self.show("oracle", |subject, instance| {
            subject.rehearse(instance, ("oracle", 0), all_parts(), player.as_mut())
        })?;
        examiner.at(PARTS[2]);
        guesses.add(&self.guess(examiner.n_guesses)?);
        examiner.at(PARTS[3]);
        let cheats = self.cheats(examiner, &idle, guesses)?;
        if !self.oracle_solves(&oracle) {
            self.report_leaks();
            return Ok(None);
        }
        examiner.at(PARTS[4]);
        let n_without_geometry = if wants_geometry { self.without_geometry(&oracle)? } else { 0 };
        examiner.at(PARTS[5]);
        self.repeats(&examiner.effort, &oracle, n_without_geometry)?;
        self.stops_half_way(&oracle)?;
        examiner.at(PARTS[6]);
        let twisted = self.twists(&oracle, &idle, examiner.effort.breadth);
        let canonical_end = self.canonical_end(examiner);
        examiner.at(PARTS[7]);
        let hidden = if examiner.tries_surface() { self.hides(&idle)? } else { Vec::new() };
        examiner.at(PARTS[8]);
        let stretches = self.stretches(&oracle, &idle, examiner.effort.breadth)?;
        self.report_leaks();
        Ok(Some(PickProof {
            instance: self.instance.id.clone(),
            instance_digest: self.instance.digest(),
            oracle_steps: oracle.turns.len() as u32,
            oracle_digest: oracle.digest(),
            n_repeats: examiner.effort.n_repeats,
            n_without_geometry,
            canonical_end,
            n_near_misses: twisted.n_near_misses,
            n_variations: twisted.n_variations,
            n_secrets: self.secrets.len() as u32,
            n_texts: self.n_texts as u32,
            hidden,
            cheats,
            stretches,
        }))
    }

    fn refuse(&mut self, reason: Reason, why: impl Into<String>) {
        self.refusals.push(CertificateRefusal { reason, instance: Some(self.instance.id.clone()), why: why.into() });
    }

    /// Plays a trial and looks at what was shown in it.
    fn show(
        &mut self,
        who: &str,
        play: impl FnOnce(CertificateSubject<'_>, &Instance) -> Result<Rehearsal, String>,
    ) -> Result<Rehearsal, String> {
        let rehearsal = play(self.subject, self.instance)?;
        self.leaks.extend(self.secrets.shown_in(&rehearsal, &mut self.searched));
        self.n_texts += leaks::n_texts(&rehearsal);
        let verdict = rehearsal.verdict();
        if verdict.ending.is_fault() {
            let why = verdict.fault.clone().unwrap_or_default();
            self.refuse(Reason::Breaks, format!("{who}: the trial ends in a {}: {why}", verdict.ending));
        }
        if let Some(idx) = rehearsal.invisible_effect().filter(|_| self.subject.world.is_deterministic()) {
            let why = format!("{who}: turn {idx} looks different although the action before it had no effect");
            self.refuse(Reason::InvisibleEffect, why);
        }
        Ok(rehearsal)
    }

    fn report_leaks(&mut self) {
        for leak in std::mem::take(&mut self.leaks) {
            self.refuse(Reason::Leak, leak);
        }
    }

    /// The same pick gives the same instance.
    fn same_instance(&mut self) -> Result<(), String> {
        let again = self.subject.world.instantiate(self.subject.task, &self.instance.id.pick);
        if again.map_err(|error| error.to_string())? != *self.instance {
            self.refuse(Reason::RepeatsDiffer, "the same seed does not give the same instance");
        }
        Ok(())
    }

    /// Doing nothing is worth nothing: neither stopping at once nor never stopping.
    fn idle(&mut self, breadth: Breadth) -> Result<Rehearsal, String> {
        let ways = [("stopping at once", Idle::new(), all_parts()), ("never doing anything", Idle::endless(), blind())];
        let n_ways = if breadth == Breadth::Narrow { 1 } else { ways.len() };
        let mut first = None;
        for (who, mut agent, show) in ways.into_iter().take(n_ways) {
            let rehearsal =
                self.show(who, |subject, instance| subject.rehearse(instance, (who, 0), show, &mut agent))?;
            let verdict = rehearsal.verdict();
            if verdict.solved || verdict.score.value() > 0.0 {
                let solved = if verdict.solved { " and solves it" } else { "" };
                self.refuse(Reason::IdleScores, format!("{who} scores {}{solved}", verdict.score.value()));
            }
            first = first.or(Some(rehearsal));
        }
        Ok(first.expect("there is a way of doing nothing"))
    }

    fn oracle_solves(&mut self, oracle: &Rehearsal) -> bool {
        let verdict = oracle.verdict();
        if verdict.solved && verdict.score.is_full() {
            return true;
        }
        let because = verdict.findings.iter().find(|finding| !finding.score.is_full());
        let because = because.map_or_else(String::new, |finding| format!("; {}: {}", finding.check, finding.because));
        let why = format!("the oracle scores {} (ended: {}){because}", verdict.score.value(), verdict.ending);
        self.refuse(Reason::OracleFails, why);
        false
    }

    /// Blind trials. Nothing is shown in them, as a random agent looks at nothing.
    fn guess(&mut self, n: u32) -> Result<Guesses, String> {
        let mut guesses = Guesses { n, ..Guesses::default() };
        for repeat in 0..n {
            let rehearsal = self.show("random", |subject, instance| {
                subject.rehearse(instance, ("random", repeat), blind(), &mut Random::new(0))
            })?;
            guesses.n_solved += u32::from(rehearsal.verdict().solved);
        }
        Ok(guesses)
    }

    /// An oracle that is shown where things are acts by mouse and keyboard alone: what it did gives the same trial
    /// without it. Tells how often that was tried.
    fn without_geometry(&mut self, oracle: &Rehearsal) -> Result<u32, String> {
        let replies: Vec<Reply> = oracle.turns.iter().map(|turn| turn.reply.clone()).collect();
        let again =
            self.show("oracle", |subject, instance| subject.recite(instance, "oracle", all_parts(), replies))?;
        self.differ("what the oracle did, without being shown where things are,", oracle, &again);
        Ok(1)
    }

    /// The same actions give the same trial: the oracle's and, where a world goes by its actions alone, those of a random
    /// agent, which elsewhere looks around once. So many of the oracle's repeats were made already.
    fn repeats(&mut self, effort: &CertificateEffort, oracle: &Rehearsal, n_made: u32) -> Result<(), String> {
        for repeat in 1 + n_made..effort.n_repeats {
            let mut again = self.subject.oracle(self.instance)?;
            let again = self.show("oracle", |subject, instance| {
                subject.rehearse(instance, ("oracle", 0), all_parts(), again.as_mut())
            })?;
            if self.differ(&format!("repeat {repeat} of the oracle"), oracle, &again) {
                return Ok(());
            }
        }
        if effort.breadth == Breadth::Narrow {
            return Ok(());
        }
        let is_deterministic = self.subject.world.is_deterministic();
        let mut random = || {
            self.show("random", |subject, instance| {
                subject.rehearse(instance, ("random", 0), all_parts(), &mut Random::new(0))
            })
        };
        let one = random()?;
        if is_deterministic {
            let other = random()?;
            self.differ("a repeat of the random agent", &one, &other);
        }
        Ok(())
    }

    fn differ(&mut self, who: &str, one: &Rehearsal, other: &Rehearsal) -> bool {
        let difference = if self.subject.world.is_deterministic() {
            one.first_difference(other)
        } else {
            let outcome = |rehearsal: &Rehearsal| (rehearsal.verdict().solved, rehearsal.verdict().score);
            (outcome(one) != outcome(other)).then(|| "the verdict is not the same".to_owned())
        };
        if let Some(difference) = &difference {
            self.refuse(Reason::RepeatsDiffer, format!("{who} is not like the first time: {difference}"));
        }
        difference.is_some()
    }

    /// The first half of a solution does not solve it.
    fn stops_half_way(&mut self, oracle: &Rehearsal) -> Result<(), String> {
        let n_turns = oracle.turns.len();
        if n_turns < 3 || self.subject.task.spec.result.kind != ResultKind::State {
            return Ok(());
        }
        let half = oracle.turns[..n_turns / 2].iter().map(|turn| turn.reply.clone());
        let replies: Vec<Reply> = half.chain([Reply::text(STOP)]).collect();
        let rehearsal =
            self.show("half the oracle", |subject, instance| subject.recite(instance, "half", blind(), replies))?;
        if rehearsal.verdict().solved {
            let why = format!("the first {} of the oracle's {n_turns} steps solve it already", n_turns / 2);
            self.refuse(Reason::NearMissPasses, why);
        }
        Ok(())
    }

    /// Altered end states. Where giving up is right, there are none to alter.
    fn twists(&mut self, oracle: &Rehearsal, idle: &Rehearsal, breadth: Breadth) -> TwistResults {
        if oracle.verdict().ending == Ending::GaveUp {
            return TwistResults::default();
        }
        let reference = self.instance.reference(self.subject.task);
        let how = (breadth, self.instance.digest());
        let mut twisted = twist(self.subject, &oracle.evidence, &idle.evidence, (&oracle.left, &reference), how);
        twisted.add(twist_files(self.subject, self.instance, &oracle.evidence, (&oracle.left, &reference)));
        for (reason, why) in std::mem::take(&mut twisted.refusals) {
            self.refuse(reason, why);
        }
        twisted
    }

    /// A part that is switched off is shown nowhere, neither as itself nor within another part.
    fn hides(&mut self, idle: &Rehearsal) -> Result<Vec<ObservationPart>, String> {
        let offered = idle.briefing.as_ref().map(|briefing| briefing.surface.parts.clone()).unwrap_or_default();
        let said = ["Let me see.", STOP].map(Reply::text);
        let open =
            self.show("looking on", |subject, instance| subject.recite(instance, "look", all_parts(), said.clone()))?;
        for &part in &offered {
            let mut show = all_parts();
            show.remove(&part);
            let hidden =
                self.show("looking away", |subject, instance| subject.recite(instance, "look", show, said.clone()))?;
            if let Some(how) = shows(&hidden, part, &open) {
                self.refuse(Reason::HiddenPartShown, format!("`{part:?}` is switched off, but {how}").to_lowercase());
            }
        }
        Ok(offered.into_iter().collect())
    }
}

/// How a trial shows a part that it should not, compared with a trial that may.
fn shows(hidden: &Rehearsal, part: ObservationPart, open: &Rehearsal) -> Option<String> {
    if hidden.briefing.as_ref().is_some_and(|briefing| briefing.surface.parts.contains(&part)) {
        return Some("the briefing offers it".to_owned());
    }
    for (idx, turn) in hidden.turns.iter().enumerate() {
        if turn.shown.pictures.contains_key(&part) || turn.shown.texts.contains_key(&part) {
            return Some(format!("turn {idx} shows it"));
        }
        let Some(other) = open.turns.get(idx) else { continue };
        let alike = |picture| other.shown.pictures.values().filter(|shown| *shown == picture).count() > 1;
        if let Some(picture) = other.shown.pictures.get(&part).filter(|picture| !alike(*picture))
            && turn.shown.pictures.values().any(|shown| shown == picture)
        {
            return Some(format!("turn {idx} shows its picture as another part"));
        }
        if let Some(text) = other.shown.texts.get(&part).filter(|text| text.chars().count() >= 8)
            && turn.shown.texts.values().any(|shown| shown.contains(text.as_str()))
        {
            return Some(format!("turn {idx} has its text in another part"));
        }
    }
    None
}
