//! A collection of mail from a seed: conversations, their losses, copies from several mailboxes, and what only looks
//! like a copy.

use quintain_core::Rng;

use super::letter::{AddressStyle, BodyCoding, Correspondent, Letter};
use super::traps::{self, N_TRAP_FILES};

const PEOPLE: [Correspondent; 12] = [
    Correspondent { name: "Ines Ortega", address: "ines.ortega@halvorsen-mills.example" },
    Correspondent { name: "Tom Brandt", address: "tom.brandt@halvorsen-mills.example" },
    Correspondent { name: "Li Na Moreau", address: "lina.moreau@halvorsen-mills.example" },
    Correspondent { name: "Peter Okafor", address: "p.okafor@halvorsen-mills.example" },
    Correspondent { name: "Grete Lindqvist", address: "grete@lindqvist-partner.example" },
    Correspondent { name: "Samuel Adeyemi", address: "sadeyemi@lindqvist-partner.example" },
    Correspondent { name: "Ruth Kessler", address: "r.kessler@portside-freight.example" },
    Correspondent { name: "Marco Bellini", address: "marco.bellini@portside-freight.example" },
    Correspondent { name: "Yuki Tanabe", address: "yuki.tanabe@northgate-bank.example" },
    Correspondent { name: "Anouk de Wit", address: "anouk.dewit@northgate-bank.example" },
    Correspondent { name: "Farid Haddad", address: "farid@haddad-survey.example" },
    Correspondent { name: "Olga Petrova", address: "olga.petrova@haddad-survey.example" },
];
const MAILBOXES: [&str; 4] = ["ortega", "brandt", "moreau", "okafor"];
const SERVERS: [&str; 4] =
    ["mx1.halvorsen-mills.example", "mx2.halvorsen-mills.example", "journal.example", "archive.example"];
const SUBJECTS: [&str; 14] = [
    "Delivery schedule for unit 4",
    "Invoice 2231",
    "Meeting on Thursday",
    "Draft of the supply contract",
    "Penalty clause",
    "Lunch?",
    "Site visit – travel plans",
    "Question about the bearings",
    "Status",
    "Test results of the second batch",
    "Insurance for the transport",
    "Your call this morning",
    "Quarterly figures",
    "Storage in Brück",
];
const LINES: [&str; 16] = [
    "Please find the latest numbers in the shared folder.",
    "I do not think we ever agreed to that date.",
    "The surveyor was here on Monday and found no damage.",
    "Can you confirm the amount before noon?",
    "We will need a written statement from the carrier.",
    "Nobody told me about the change of plan.",
    "The bearings of the second batch are 0.2 mm off.",
    "Let us talk about it on the phone.",
    "As discussed, the penalty is capped at 5 %.",
    "The bank wants the original bill of lading.",
    "I have attached nothing this time, see my last mail.",
    "Grüße aus Brück, it is raining here.",
    "The crane is booked until Friday.",
    "Payment will be released once the report is in.",
    "Who signed for the delivery?",
    "That is not what the contract says.",
];
/// The first mail is sent on 1 March 2024.
const BEGIN: i64 = 1_709_251_200;
/// The hours from UTC that dates are told in, in minutes.
const ZONES: [i64; 5] = [0, 60, 120, -300, 330];

/// All files of a collection.
#[derive(Clone, Debug)]
pub(super) struct MailCollection {
    pub(super) letters: Vec<Letter>,
    /// For each letter, which message it is a copy of; the same number for all copies of one.
    pub(super) message_of: Vec<usize>,
}

/// A collection while it is drawn.
pub(super) struct MailDrawing {
    pub(super) rng: Rng,
    found: MailCollection,
    n_messages: usize,
    clock: i64,
    /// Pairs of copies that begin a thread; the name of the first pair's original comes later than its copy's in the
    /// alphabet, that of the second pair's earlier.
    pub(super) beginnings: Vec<[usize; 2]>,
}

impl MailCollection {
    /// A collection of so many files.
    pub(super) fn drawn(seed: u64, n_files: usize) -> Self {
        let found = Self { letters: Vec::new(), message_of: Vec::new() };
        let mut drawing =
            MailDrawing { rng: Rng::new(seed), found, n_messages: 0, clock: BEGIN, beginnings: Vec::new() };
        let n_usual = n_files.saturating_sub(N_TRAP_FILES);
        while drawing.found.letters.len() < n_usual {
            drawing.conversation(n_usual);
        }
        drawing.found.letters.truncate(n_usual);
        drawing.found.message_of.truncate(n_usual);
        traps::set(&mut drawing);
        let MailDrawing { mut found, mut rng, beginnings, .. } = drawing;
        found.name(&mut rng);
        for (pair, is_later) in beginnings.into_iter().zip([true, false]) {
            found.order_names(pair, is_later);
        }
        found
    }

    /// Sees to it that of two copies the name of the one whose path comes first is the later one in the alphabet, or the
    /// earlier one.
    fn order_names(&mut self, [one, other]: [usize; 2], is_later: bool) {
        let paths = self.letters[one].file < self.letters[other].file;
        let names = self.letters[one].message_id > self.letters[other].message_id;
        if (paths == names) != is_later {
            let name = std::mem::take(&mut self.letters[one].message_id);
            self.letters[one].message_id = std::mem::replace(&mut self.letters[other].message_id, name);
        }
    }

    /// Puts the files into mailboxes under numbers that tell nothing.
    fn name(&mut self, rng: &mut Rng) {
        let mut numbers: Vec<usize> = (1..=self.letters.len()).collect();
        rng.shuffle(&mut numbers);
        for (letter, number) in self.letters.iter_mut().zip(numbers) {
            letter.file = format!("{}/{number:04}.eml", rng.choose(&MAILBOXES));
        }
    }
}

impl MailDrawing {
    /// A conversation: answers to answers, some of which are lost, forwarded, or written anew.
    fn conversation(&mut self, n_files: usize) {
        let subject = (*self.rng.choose(&SUBJECTS)).to_owned();
        let mut said = vec![self.message(&subject, None)];
        for _ in 0..self.rng.below(8) {
            let parent = said[self.rng.below(said.len())].clone();
            let mut reply = self.message(&format!("Re: {subject}"), Some(&parent));
            match self.rng.below(10) {
                // Some programs name the message that is answered and nothing else.
                0 | 1 => reply.references.clear(),
                // Some people write a new mail and type the subject.
                2 => (reply.in_reply_to, reply.references) = (None, Vec::new()),
                3 => self.forward(&mut reply, &parent, &subject),
                _ => {}
            }
            said.push(reply);
        }
        for letter in said {
            let is_lost = self.rng.chance(0.08);
            if !is_lost && self.found.letters.len() < n_files {
                self.file(letter);
            }
        }
    }

    /// A forwarded message repeats another; whether it names it is up to the program.
    fn forward(&mut self, letter: &mut Letter, of: &Letter, subject: &str) {
        letter.subject = format!("Fwd: {subject}");
        letter.lines = ["For your information.", "", "-------- Forwarded message --------"].map(str::to_owned).to_vec();
        letter.lines.extend(of.lines.iter().cloned());
        letter.in_reply_to = None;
        if self.rng.chance(0.5) {
            letter.references.clear();
        }
    }

    pub(super) fn message(&mut self, subject: &str, parent: Option<&Letter>) -> Letter {
        self.clock += self.rng.between(400, 90_000);
        self.n_messages += 1;
        let mut people = PEOPLE;
        self.rng.shuffle(&mut people);
        let (n_to, n_cc, n_lines) = (1 + self.rng.below(3), self.rng.below(3), 1 + self.rng.below(4));
        let mut references: Vec<String> = parent.map(|parent| parent.references.clone()).unwrap_or_default();
        references.extend(parent.map(|parent| parent.message_id.clone()));
        Letter {
            file: String::new(),
            message_id: self.new_id(),
            from: people[0],
            to: people[1..=n_to].to_vec(),
            cc: people[n_to + 1..=n_to + n_cc].to_vec(),
            sent: self.clock,
            zone_minutes: *self.rng.choose(&ZONES),
            subject: subject.to_owned(),
            lines: (0..n_lines).map(|_| (*self.rng.choose(&LINES)).to_owned()).collect(),
            in_reply_to: parent.map(|parent| parent.message_id.clone()),
            references,
            received_by: SERVERS[0],
            address_style: AddressStyle::Named,
            coding: BodyCoding::Plain,
            encodes_subject: false,
        }
    }

    pub(super) fn new_id(&mut self) -> String {
        format!("{:012x}.{}@{}", self.rng.next_u64() >> 16, self.n_messages, self.rng.choose(&SERVERS))
    }

    /// Files a message, with copies of it from other mailboxes or with something that only looks like one.
    fn file(&mut self, letter: Letter) {
        self.clock += 1;
        let message = self.found.letters.len();
        for _ in 0..usize::from(self.rng.chance(0.15)) + usize::from(self.rng.chance(0.05)) {
            let copy = self.copy(&letter);
            self.put(copy, message);
        }
        if self.rng.chance(0.08) {
            let other = self.look_alike(&letter);
            let number = usize::MAX - self.found.letters.len();
            self.put(other, number);
        }
        self.put(letter, message);
    }

    /// A moment of the time that the collection spans, at which something else was said.
    pub(super) fn some_time(&mut self) -> i64 {
        BEGIN + self.rng.between(3600, (self.clock - BEGIN).max(86_400))
    }

    /// Files a message that nothing here is a copy of, and tells where.
    pub(super) fn put_new(&mut self, letter: Letter) -> usize {
        let at = self.found.letters.len();
        self.put(letter, at);
        at
    }

    /// Files a copy of a message that was filed before, and tells where.
    pub(super) fn put_copy(&mut self, letter: Letter, of: usize) -> usize {
        let at = self.found.letters.len();
        self.put(letter, self.found.message_of[of]);
        at
    }

    fn put(&mut self, letter: Letter, message: usize) {
        self.found.letters.push(letter);
        self.found.message_of.push(message);
    }

    /// The same message as another server kept it.
    fn copy(&mut self, letter: &Letter) -> Letter {
        let mut copy = letter.clone();
        copy.received_by = SERVERS[1 + self.rng.below(SERVERS.len() - 1)];
        copy.zone_minutes = *self.rng.choose(&ZONES);
        copy.coding = *self.rng.choose(&[BodyCoding::Plain, BodyCoding::QuotedPrintable, BodyCoding::Base64]);
        copy.encodes_subject = self.rng.chance(0.5);
        copy.address_style = *self.rng.choose(&[AddressStyle::Named, AddressStyle::Bare, AddressStyle::Shouted]);
        self.rng.shuffle(&mut copy.to);
        if self.rng.chance(0.3) {
            // A gateway gave it a name of its own.
            copy.message_id = self.new_id();
        }
        copy
    }

    /// Another message that differs in one thing that counts.
    fn look_alike(&mut self, letter: &Letter) -> Letter {
        let mut other = letter.clone();
        match self.rng.below(3) {
            0 => other.sent += self.rng.between(30, 200),
            1 => {
                let is_new =
                    |one: &&Correspondent| **one != letter.from && !letter.to.contains(one) && !letter.cc.contains(one);
                let more: Vec<Correspondent> = PEOPLE.iter().filter(is_new).copied().collect();
                other.cc.push(*self.rng.choose(&more));
            }
            _ => other.lines.push((*self.rng.choose(&LINES)).to_owned()),
        }
        // Sent anew, it has a name of its own, unless a program was careless.
        if self.rng.chance(0.6) {
            other.message_id = self.new_id();
        }
        other
    }
}
