//! Addresses of pages: `/<word>/<slug>-<code>`, with codes that cannot be guessed.

use crate::draw::{Draw, mix};
use crate::host::SiteHost;
use crate::web::Web;

/// The pages of a site that are about something.
pub(crate) trait SitePage: Copy {
    /// The site.
    const HOST: SiteHost;

    /// The number of the page's kind, below 32, and the number of what it is about, below 2^28.
    fn key(self) -> (u32, u32);

    /// The page of a key, where there is one.
    fn of_key(web: &Web, kind: u32, subject: u32) -> Option<Self>;

    /// The first part of the path.
    fn word(self) -> &'static str;

    /// What the page is about, in words.
    fn title(self, web: &Web) -> String;

    /// The path of the page on its host.
    fn path(self, web: &Web) -> String {
        let (kind, subject) = self.key();
        let code = web.codes.code(Self::HOST, kind, subject);
        format!("/{}/{}-{code}", self.word(), slug(&self.title(web)))
    }

    /// The whole address.
    fn address(self, web: &Web) -> String {
        format!("https://{}{}", Self::HOST.name(), self.path(web))
    }

    /// The page of a path. Only the one address that the sites themselves write leads to it.
    fn of_path(web: &Web, path: &str) -> Option<Self> {
        let code = path.rsplit('-').next()?;
        let (kind, subject) = web.codes.read(Self::HOST, code)?;
        Self::of_key(web, kind, subject).filter(|page| page.path(web) == path)
    }
}

/// A text in small letters with dashes, as addresses have it.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') && !matches!(c, '.' | '\'') {
            slug.push('-');
        }
    }
    slug.truncate(60);
    slug.truncate(slug.trim_end_matches('-').len());
    if slug.is_empty() { "page".to_owned() } else { slug }
}

const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const N_LETTERS: usize = 11;
const N_SUBJECT_BITS: u32 = 28;
const N_CHECK_BITS: u32 = 22;

/// Makes and reads the codes of a world. A code is 55 bits: what it names and 22 noughts, turned over by a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageCodes(Draw);

impl PageCodes {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Draw::of_world(seed, "codes of pages"))
    }

    /// The code of a kind of page and its subject on a host.
    pub(crate) fn code(self, host: SiteHost, kind: u32, subject: u32) -> String {
        let plain = u64::from(kind & 31) << N_SUBJECT_BITS | u64::from(subject) & ((1 << N_SUBJECT_BITS) - 1);
        let turned = self.turned(host, plain << N_CHECK_BITS);
        (0..N_LETTERS).map(|at| char::from(LETTERS[(turned >> (5 * at) & 31) as usize])).collect()
    }

    /// What a code names; `None` for nearly everything that was not made by [`PageCodes::code`].
    pub(crate) fn read(self, host: SiteHost, code: &str) -> Option<(u32, u32)> {
        let letter = |c: u8| LETTERS.iter().position(|&letter| letter == c).map(|at| at as u64);
        let letters: Vec<u64> = code.bytes().map(letter).collect::<Option<_>>()?;
        if letters.len() != N_LETTERS {
            return None;
        }
        let turned = letters.iter().rev().fold(0, |sum, letter| sum << 5 | letter);
        let plain = self.turned_back(host, turned);
        let named = plain >> N_CHECK_BITS;
        let is_ours = plain & ((1 << N_CHECK_BITS) - 1) == 0;
        is_ours.then_some(((named >> N_SUBJECT_BITS) as u32, (named & ((1 << N_SUBJECT_BITS) - 1)) as u32))
    }

    /// A Feistel network over halves of 27 and 28 bits, six rounds.
    fn turned(self, host: SiteHost, plain: u64) -> u64 {
        let (mut left, mut right) = (plain >> 28, plain & ((1 << 28) - 1));
        for round in 0..6 {
            let (target, other, bits) = if round % 2 == 0 { (&mut left, right, 27) } else { (&mut right, left, 28) };
            *target ^= self.round(host, round, other) & ((1 << bits) - 1);
        }
        left << 28 | right
    }

    fn turned_back(self, host: SiteHost, turned: u64) -> u64 {
        let (mut left, mut right) = (turned >> 28 & ((1 << 27) - 1), turned & ((1 << 28) - 1));
        for round in (0..6).rev() {
            let (target, other, bits) = if round % 2 == 0 { (&mut left, right, 27) } else { (&mut right, left, 28) };
            *target ^= self.round(host, round, other) & ((1 << bits) - 1);
        }
        left << 28 | right
    }

    fn round(self, host: SiteHost, round: u64, half: u64) -> u64 {
        mix(self.0.fork(host as u64 * 8 + round).next_u64() ^ half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back_on_their_own_host_and_in_their_own_world_alone() {
        let codes = PageCodes::new(1);
        for (kind, subject) in [(0, 0), (1, 5), (31, (1 << 28) - 1), (7, 1234)] {
            let code = codes.code(SiteHost::Pedia, kind, subject);
            assert_eq!(codes.read(SiteHost::Pedia, &code), Some((kind, subject)), "{code}");
            assert_eq!(codes.read(SiteHost::Registry, &code), None);
            assert_eq!(PageCodes::new(2).read(SiteHost::Pedia, &code), None);
        }
        let mut draw = Draw::of_world(3, "guesses");
        let guess = |draw: &mut Draw| -> String { (0..N_LETTERS).map(|_| char::from(*draw.choose(LETTERS))).collect() };
        let n_read = (0..100_000).filter(|_| codes.read(SiteHost::Pedia, &guess(&mut draw)).is_some()).count();
        assert!(n_read <= 1, "{n_read} guesses were read");
        assert_eq!(slug("Ngworo & Sons S.p.A."), "ngworo-sons-spa");
    }
}
