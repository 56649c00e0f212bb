//! A Stroop experiment from a seed: who came, what they were shown, what they pressed and when.

use quintain_core::Rng;

use super::edges;
use crate::bell::bell;

pub(super) const N_BLOCKS: usize = 6;
pub(super) const N_TRIALS: usize = 24;
const N_PRACTICE: usize = 10;
pub(super) const COLOURS: [&str; 4] = ["red", "green", "blue", "yellow"];
/// 8 January 2024.
const FIRST_DAY: i64 = 19_730;

/// One thing that is shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StroopTrial {
    /// 0 for practice.
    pub(super) block: usize,
    /// From 1 in each block.
    pub(super) trial: usize,
    pub(super) word: usize,
    pub(super) colour: usize,
    /// The colour whose key was pressed, and after how many tenths of a millisecond; nothing if none was.
    pub(super) pressed: Option<(usize, i64)>,
}

impl StroopTrial {
    pub(super) fn is_congruent(&self) -> bool {
        self.word == self.colour
    }

    pub(super) fn is_right(&self) -> bool {
        self.pressed.is_some_and(|(colour, _)| colour == self.colour)
    }
}

/// Where a session took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StroopLab {
    /// Tells times in milliseconds.
    First,
    /// Tells times in seconds.
    Second,
}

/// Which keys the colours have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyLayout {
    Plain,
    /// The other way round.
    Turned,
}

impl KeyLayout {
    /// The keys of the colours in their order.
    pub(super) fn keys(self) -> [&'static str; 4] {
        match self {
            Self::Plain => ["d", "f", "j", "k"],
            Self::Turned => ["k", "j", "f", "d"],
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Plain => "A",
            Self::Turned => "B",
        }
    }
}

/// Somebody's session.
#[derive(Clone, Debug)]
pub(super) struct StroopSession {
    pub(super) id: String,
    /// The same for all sessions of one person.
    pub(super) person: String,
    pub(super) day: i64,
    pub(super) lab: StroopLab,
    pub(super) age: i64,
    pub(super) sees_colours: bool,
    /// Music was played, or it was silent.
    pub(super) has_music: bool,
    pub(super) keys: KeyLayout,
    pub(super) trials: Vec<StroopTrial>,
}

/// All sessions, by their names.
#[derive(Clone, Debug)]
pub(super) struct StroopStudy {
    pub(super) sessions: Vec<StroopSession>,
}

/// Something about a participant that the preregistration does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionFlaw {
    None,
    TooOld,
    /// Too young by a few days.
    TooYoung,
    ColourBlind,
    Repeated,
    BrokenOff,
    Careless,
    /// Careless only if trials without a key press count.
    Unanswered,
}

impl StroopStudy {
    pub(super) fn drawn(seed: u64, n_sessions: usize) -> Self {
        use SessionFlaw::{BrokenOff, Careless, ColourBlind, None, Repeated, TooOld, TooYoung, Unanswered};
        let mut rng = Rng::new(seed);
        let mut flaws = vec![TooOld, TooYoung, ColourBlind, Repeated, Repeated, Repeated, BrokenOff, BrokenOff];
        flaws.extend([Careless, Careless, Unanswered]);
        flaws.resize(n_sessions, None);
        rng.shuffle(&mut flaws);
        let mut sessions: Vec<StroopSession> =
            flaws.iter().enumerate().map(|(at, flaw)| session(&mut rng, at, *flaw)).collect();
        repeat_persons(&mut rng, &mut sessions, &flaws);
        edges::plant(&mut rng, &mut sessions, &flaws);
        let mut numbers: Vec<usize> = (1..=n_sessions).collect();
        rng.shuffle(&mut numbers);
        sessions.iter_mut().zip(numbers).for_each(|(session, number)| session.id = format!("sub-{number:03}"));
        sessions.sort_by(|a, b| a.id.cmp(&b.id));
        Self { sessions }
    }
}

/// Makes repeated sessions those of persons who came days before: one was too young then, one broke off, and the rest had
/// nothing wrong with their first session.
fn repeat_persons(rng: &mut Rng, sessions: &mut [StroopSession], flaws: &[SessionFlaw]) {
    let mut having = |flaw: SessionFlaw| {
        let mut places: Vec<usize> = (0..flaws.len()).filter(|at| flaws[*at] == flaw).collect();
        rng.shuffle(&mut places);
        places
    };
    let [young, broken_off] = [SessionFlaw::TooYoung, SessionFlaw::BrokenOff].map(&mut having);
    let firsts = young.into_iter().take(1).chain(broken_off.into_iter().take(1)).chain(having(SessionFlaw::None));
    let again = having(SessionFlaw::Repeated);
    for (second, first) in again.into_iter().zip(firsts) {
        let person = sessions[first].person.clone();
        sessions[second].person = person;
        // Whoever was too young has had a birthday.
        sessions[second].age = sessions[first].age.max(edges::TOO_YOUNG + 1);
        sessions[second].day = sessions[first].day + rng.between(2, 30);
    }
}

fn session(rng: &mut Rng, at: usize, flaw: SessionFlaw) -> StroopSession {
    let has_music = at.is_multiple_of(2);
    StroopSession {
        id: String::new(),
        person: format!("{:08x}", rng.next_u64() >> 32),
        day: FIRST_DAY + rng.between(0, 80),
        lab: if rng.chance(0.45) { StroopLab::Second } else { StroopLab::First },
        age: match flaw {
            SessionFlaw::TooOld => rng.between(36, 58),
            SessionFlaw::TooYoung => edges::TOO_YOUNG,
            _ => rng.between(18, 35),
        },
        sees_colours: flaw != SessionFlaw::ColourBlind,
        has_music,
        keys: if rng.chance(0.5) { KeyLayout::Turned } else { KeyLayout::Plain },
        trials: trials(rng, has_music, flaw),
    }
}

fn trials(rng: &mut Rng, has_music: bool, flaw: SessionFlaw) -> Vec<StroopTrial> {
    let speed = 6.42 + if has_music { 0.04 } else { 0.0 } + 0.14 * bell(rng);
    let effect = 0.095 + if has_music { 0.03 } else { 0.0 } + 0.045 * bell(rng);
    let carelessness = if flaw == SessionFlaw::Careless { rng.uniform(0.24, 0.34) } else { rng.uniform(0.02, 0.07) };
    let last_block = if flaw == SessionFlaw::BrokenOff { 2 + rng.below(3) } else { N_BLOCKS };
    let mut all = Vec::new();
    for block in 0..=last_block {
        let n_trials = if block == 0 { N_PRACTICE } else { N_TRIALS };
        let mut congruent: Vec<bool> = (0..n_trials).map(|at| at % 2 == 0).collect();
        rng.shuffle(&mut congruent);
        for (at, is_congruent) in congruent.into_iter().enumerate() {
            let colour = rng.below(4);
            let word = if is_congruent { colour } else { (colour + 1 + rng.below(3)) % 4 };
            let log_ms = speed - 0.012 * block as f64 + if is_congruent { -effect } else { effect } / 2.0;
            let log_ms = log_ms + if block == 0 { 0.15 } else { 0.0 };
            let carelessness = if is_congruent { carelessness } else { carelessness * 1.6 };
            all.push(StroopTrial {
                block,
                trial: at + 1,
                word,
                colour,
                pressed: pressed(rng, colour, log_ms, carelessness),
            });
        }
    }
    all
}

/// Mostly the right key; sometimes too early, too late, the wrong one or none.
fn pressed(rng: &mut Rng, colour: usize, log_ms: f64, carelessness: f64) -> Option<(usize, i64)> {
    let is_wrong = rng.chance(carelessness);
    let colour = if is_wrong { (colour + 1 + rng.below(3)) % 4 } else { colour };
    let ms = libm::exp(log_ms + 0.2 * bell(rng) - if is_wrong { 0.1 } else { 0.0 });
    match rng.below(1000) {
        0..=5 => None,
        6..=17 => Some((colour, rng.between(700, 1990))),
        18..=27 => Some((colour, rng.between(20_010, 29_000))),
        28..=40 => Some((colour, (ms * 10.0 * rng.uniform(1.5, 2.0)).round() as i64)),
        _ => Some((colour, (ms * 10.0).round() as i64)),
    }
}
