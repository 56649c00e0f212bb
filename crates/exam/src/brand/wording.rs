//! What invented houses announce.

/// A series of evenings.
pub(super) struct EventTheme {
    pub(super) kicker: &'static str,
    pub(super) title: [&'static str; 2],
    pub(super) subtitle: [&'static str; 2],
    pub(super) intro: [&'static str; 3],
    pub(super) sessions: [&'static str; 9],
}

/// The names of houses are made of letters that [`super::logo`] can draw.
pub(super) const HOUSES: [&str; 6] = ["HALVE", "KELMA", "TINVA", "NEFKA", "VELTHA", "MALKIN"];

pub(super) const THEMES: [EventTheme; 4] = [
    EventTheme {
        kicker: "Lecture series, autumn term",
        title: ["Maps of", "the Tide"],
        subtitle: ["Six centuries of charts, pilots", "and coasts that would not hold still"],
        intro: [
            "Who drew the shoals, and who paid for the ink? An evening series on",
            "how coasts were measured, copied and sold, with originals from the",
            "collection on the table and time for questions afterwards.",
        ],
        sessions: [
            "The harbour that moved north",
            "Soundings, knots and other guesses",
            "A pilot book and its forgers",
            "Mud as an archive",
            "Reading the margins of a chart",
            "Lighthouses that lied",
            "The last copper plate",
            "Islands nobody found again",
            "Drawing a coast from a moving deck",
        ],
    },
    EventTheme {
        kicker: "Open workshops for everyone",
        title: ["Hands on", "Timber"],
        subtitle: ["A week of joints, shavings and glue", "for beginners and for old hands"],
        intro: [
            "Bring an apron, the tools are here. Every workshop ends with a piece",
            "that you take home, and nobody needs to have held a plane before.",
            "Children from the age of twelve are welcome with an adult.",
        ],
        sessions: [
            "Sharpening without fear",
            "The dovetail in one evening",
            "Green wood and the shaving horse",
            "Stools with three legs",
            "Bending ash over steam",
            "Oil, wax and patience",
            "Repairing a chair, honestly",
            "Boxes that close with a sigh",
            "A spoon from a fallen branch",
        ],
    },
    EventTheme {
        kicker: "Chamber concerts in the old mill",
        title: ["Quiet", "Engines"],
        subtitle: ["New music for strings, wheels", "and a building that hums along"],
        intro: [
            "The mill wheel turns again. Composers were asked to write for a room",
            "that is never silent, and for players who listen to it. All concerts",
            "last about an hour and have no interval.",
        ],
        sessions: [
            "Quartet for a slow wheel",
            "Three studies in belt noise",
            "Water over stones, for viola",
            "Night shift with double bass",
            "Songs from the ledger",
            "Music for an idle turbine",
            "The miller counts to eleven",
            "Duo for cello and radiator",
            "Variations on a warning bell",
        ],
    },
    EventTheme {
        kicker: "City walks and talks",
        title: ["Below", "the Street"],
        subtitle: ["Cellars, conduits and the people", "who keep a town dry and lit"],
        intro: [
            "Every town has a second one underneath. Engineers, archivists and a",
            "retired lamplighter open doors that are usually locked. Sturdy shoes",
            "and a warm jacket are a good idea, even in summer.",
        ],
        sessions: [
            "The brick river",
            "How to find a lost cistern",
            "Gas, glow and the night watch",
            "Pipes made of elm",
            "A cellar with two owners",
            "Cold stores of the brewers",
            "Reading manhole covers",
            "The tunnel that was never dug",
            "Rats, rumours and real figures",
        ],
    },
];

pub(super) const SPEAKERS: [&str; 14] = [
    "Ines Ortega, Institute of Coastal Studies",
    "Tom Brandt, town archive",
    "Li Na Moreau, independent researcher",
    "Peter Okafor with guests",
    "Grete Lindqvist, Workshop Nine",
    "Samuel Adeyemi, School of Design",
    "Ruth Kessler and Marco Bellini",
    "Yuki Tanabe, guest of the house",
    "Anouk de Wit, municipal works",
    "Farid Haddad in conversation",
    "Olga Petrova, Museum of Trade",
    "Jonas Vale, co-operative of the quay",
    "Marta Szabo, Academy of Crafts",
    "Elif Demir, with a short walk",
];

pub(super) const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
pub(super) const MONTHS: [&str; 6] = ["March", "April", "May", "September", "October", "November"];
pub(super) const STREETS: [&str; 6] =
    ["Tanner Row", "Old Mill Lane", "Quay Street", "Elm Yard", "Bell Court", "Weir Road"];
pub(super) const TOWNS: [&str; 5] = ["Northwick", "Halden Bay", "Marrow Hill", "Eastmere", "Stonebrook"];
pub(super) const NOTES: [&str; 5] = [
    "Free entry, no booking needed",
    "Tickets at the door from 6 pm",
    "Doors open at 18:30",
    "Please come early: few seats",
    "Step-free access by the yard",
];
