//! The sounds of eight cultures, as data.

use serde::{Deserialize, Serialize};

/// One of the eight cultures, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CultureId(pub u8);

/// How names of a culture are made: sounds for the stem of a word, and how words of each use end.
pub(crate) struct Culture {
    pub(crate) onsets: &'static [&'static str],
    pub(crate) nuclei: &'static [&'static str],
    pub(crate) codas: &'static [&'static str],
    /// How many syllables of a thousand have a coda.
    pub(crate) closed: usize,
    pub(crate) countries: &'static [&'static str],
    pub(crate) regions: &'static [&'static str],
    pub(crate) places: &'static [&'static str],
    pub(crate) families: &'static [&'static str],
    pub(crate) women: &'static [&'static str],
    pub(crate) men: &'static [&'static str],
    pub(crate) stems: &'static [&'static str],
    /// How companies are marked: public first, then private.
    pub(crate) legal_forms: [&'static str; 2],
}

impl CultureId {
    /// How many cultures there are.
    pub const COUNT: usize = CULTURES.len();

    pub(crate) fn culture(self) -> &'static Culture {
        &CULTURES[usize::from(self.0)]
    }
}

static CULTURES: [Culture; 8] = [
    Culture {
        onsets: &["b", "br", "d", "f", "g", "h", "k", "kl", "l", "m", "n", "r", "s", "st", "t", "tr", "v"],
        nuclei: &["a", "e", "i", "o", "u", "ei", "au"],
        codas: &["l", "n", "r", "s", "rn", "ld", "nt"],
        closed: 450,
        countries: &["mark", "land", "aven", "oria"],
        regions: &["gau", "ost", "wald", "heim"],
        places: &["burg", "dorf", "feld", "bruck", "haven", "stedt", "au"],
        families: &["er", "mann", "ing", "hoff", "stein", "ke", "en"],
        women: &["a", "e", "ine", "hild", "lind"],
        men: &["", "o", "bert", "win", "rik"],
        stems: &["on", "ex", "or", "al", "ia"],
        legal_forms: ["AG", "GmbH"],
    },
    Culture {
        onsets: &["c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "b", "gr", "pr", "tr"],
        nuclei: &["a", "e", "i", "o", "u", "ia", "io"],
        codas: &["l", "n", "r", "s", "m"],
        closed: 300,
        countries: &["ania", "esia", "ara", "ova"],
        regions: &["ande", "ora", "eto", "aggia"],
        places: &["ello", "ano", "ezza", "ino", "ona", "aro", "este"],
        families: &["i", "elli", "ardo", "oni", "ese", "ucci", "ato"],
        women: &["a", "ina", "ella", "ia"],
        men: &["o", "io", "ino", "e"],
        stems: &["ia", "ex", "are", "io", "anto"],
        legal_forms: ["S.p.A.", "S.r.l."],
    },
    Culture {
        onsets: &["b", "d", "dr", "g", "k", "kr", "m", "n", "p", "r", "s", "sl", "t", "v", "vl", "z", "zd", "l"],
        nuclei: &["a", "e", "i", "o", "u", "ya"],
        codas: &["k", "l", "n", "r", "s", "v", "sk", "sh"],
        closed: 400,
        countries: &["ovia", "ensk", "avia", "istra"],
        regions: &["shchina", "ovina", "oblas", "ije"],
        places: &["ovo", "grad", "ice", "insk", "evka", "opol", "nik"],
        families: &["ov", "enko", "ic", "sky", "uk", "ak", "evich"],
        women: &["a", "ana", "ina", "mila", "ka"],
        men: &["", "mir", "slav", "an", "ko"],
        stems: &["ex", "prom", "ta", "on", "va"],
        legal_forms: ["a.d.", "d.o.o."],
    },
    Culture {
        onsets: &["k", "s", "t", "n", "h", "m", "y", "r", "w", "sh", "ch", "ts", "g", "z"],
        nuclei: &["a", "i", "u", "e", "o", "ai", "ou"],
        codas: &["n"],
        closed: 180,
        countries: &["kuni", "sato", "noro", "yama"],
        regions: &["shu", "hara", "kei", "do"],
        places: &["mura", "kawa", "shima", "tsu", "zaki", "nome", "hama"],
        families: &["moto", "da", "gawa", "saki", "no", "be", "zawa"],
        women: &["ko", "mi", "na", "ri", "e"],
        men: &["ro", "to", "shi", "ta", "ji"],
        stems: &["ra", "ka", "no", "ten", "sei"],
        legal_forms: ["K.K.", "G.K."],
    },
    Culture {
        onsets: &["b", "d", "f", "h", "j", "k", "m", "n", "q", "r", "s", "sh", "t", "w", "z", "gh"],
        nuclei: &["a", "i", "u", "aa", "ee", "ou"],
        codas: &["b", "d", "l", "m", "n", "r", "s", "f", "h"],
        closed: 520,
        countries: &["istan", "irah", "aman", "ubia"],
        regions: &["iya", "abad", "at", "een"],
        places: &["abah", "iyah", "ur", "arah", "een", "oum", "al"],
        families: &["i", "awi", "ani", "our", "addin", "zadeh", "ari"],
        women: &["a", "ah", "een", "iya"],
        men: &["", "im", "id", "ar", "an"],
        stems: &["co", "an", "ar", "ia", "im"],
        legal_forms: ["P.J.S.C.", "W.L.L."],
    },
    Culture {
        onsets: &["b", "d", "k", "l", "m", "n", "ng", "ny", "s", "t", "w", "z", "mb", "nd", "k", "f", "gw"],
        nuclei: &["a", "e", "i", "o", "u"],
        codas: &["n", "m"],
        closed: 80,
        countries: &["bwe", "anda", "swa", "ulu"],
        regions: &["ani", "oro", "unda", "eni"],
        places: &["bo", "ndu", "kala", "mbe", "wezi", "oro", "seni"],
        families: &["we", "ye", "nga", "la", "eke", "osi", "mba"],
        women: &["a", "i", "ani", "esi"],
        men: &["u", "o", "ile", "wani"],
        stems: &["ko", "ma", "ta", "zi", "la"],
        legal_forms: ["Plc", "Ltd"],
    },
    Culture {
        onsets: &["h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "j", "b", "hj", "sk", "f"],
        nuclei: &["a", "e", "i", "o", "u", "y", "ie", "uo", "aa"],
        codas: &["l", "n", "r", "s", "t", "k", "lm", "nd"],
        closed: 420,
        countries: &["maa", "ala", "vik", "lund"],
        regions: &["salmi", "mark", "stad", "ska"],
        places: &["nes", "vik", "jarvi", "koski", "by", "fors", "holm"],
        families: &["nen", "lund", "sen", "la", "kvist", "berg", "dal"],
        women: &["a", "i", "ja", "rid", "ne"],
        men: &["o", "i", "ar", "vin", "mo"],
        stems: &["a", "ko", "io", "is", "ek"],
        legal_forms: ["Abp", "Oyj"],
    },
    Culture {
        onsets: &["ch", "c", "h", "l", "ll", "m", "n", "p", "q", "s", "t", "tl", "x", "y", "z", "hu"],
        nuclei: &["a", "e", "i", "o", "u", "ue", "ay"],
        codas: &["c", "l", "n", "tl", "z", "s"],
        closed: 330,
        countries: &["uay", "alco", "atla", "echa"],
        regions: &["lapa", "suyo", "cango", "mayo"],
        places: &["tepec", "pampa", "lan", "cocha", "tanco", "bamba", "titlan"],
        families: &["ez", "qui", "atl", "ado", "illo", "aca", "uri"],
        women: &["a", "ita", "chi", "el"],
        men: &["o", "an", "tli", "os"],
        stems: &["ca", "mex", "ra", "tec", "al"],
        legal_forms: ["S.A.B.", "S. de R.L."],
    },
];
