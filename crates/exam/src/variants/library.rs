//! What a laboratory makes of the DNA: fragments of three origins, copied unevenly.

use quintain_core::Rng;

use super::genome::{self, LocusKind, PlantedContig, PlantedLocus, SequenceChange};
use super::haplotype::{CarriedSequence, N_HAPLOTYPES};
use super::reads::READ_LENGTH;

/// How often every base of the person and of the other organism is read, copies not counted.
const DEPTH: usize = 66;
const DEPTH_OF_RELATIVE: usize = 40;
/// Of so many fragments, how many come from each haplotype: somebody else's are three in 25.
const DECK: [usize; 25] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 2];
/// How many copies there are of fragments that took over.
const N_COPIES_OF_ERROR: usize = 45;
const N_COPIES_OF_ALLELE: usize = 170;

/// A piece of DNA.
#[derive(Clone, Debug)]
pub(super) struct DnaFragment {
    /// Which of the library's sequences it is of.
    pub(super) origin: usize,
    pub(super) from: usize,
    pub(super) to: usize,
    /// Whether its right end is read first.
    pub(super) is_turned: bool,
    pub(super) n_copies: usize,
    /// A base that the amplification has changed: its place in the sequence, and what it is now.
    pub(super) error: Option<(usize, u8)>,
}

/// Everything that goes into the sequencer.
#[derive(Clone, Debug)]
pub(super) struct DirtyLibrary {
    pub(super) contigs: Vec<PlantedContig>,
    /// For each contig its haplotypes and then its relative.
    pub(super) sequences: Vec<CarriedSequence>,
    pub(super) fragments: Vec<DnaFragment>,
}

impl DirtyLibrary {
    /// A seed with which every allele is seen about as often as its origin says.
    pub(super) fn clear_seed(rng: &mut Rng, n_rounds: usize) -> u64 {
        loop {
            let seed = rng.next_u64();
            if Self::drawn(seed, n_rounds).is_clear() {
                return seed;
            }
        }
    }

    /// What goes into the sequencer, from a seed.
    pub(super) fn drawn(seed: u64, n_rounds: usize) -> Self {
        let rng = &mut Rng::new(seed);
        let contigs = genome::drawn(rng, n_rounds);
        let sequences = contigs.iter().flat_map(|contig| {
            let carried = (0..N_HAPLOTYPES).map(|haplotype| CarriedSequence::of(contig, haplotype));
            carried.chain([CarriedSequence::plain(&contig.relative)])
        });
        let mut library = Self { sequences: sequences.collect(), contigs, fragments: Vec::new() };
        for at in 0..library.contigs.len() {
            library.shear(rng, at);
            library.shear_relative(rng, at);
            for locus in library.contigs[at].loci.clone() {
                library.take_over(rng, at, &locus);
            }
        }
        library
    }

    /// Which contig a sequence belongs to and which of its haplotypes it is; no relative is one.
    pub(super) fn haplotype_of(&self, origin: usize) -> Option<(&PlantedContig, usize)> {
        let (contig, of_contig) = (origin / (N_HAPLOTYPES + 1), origin % (N_HAPLOTYPES + 1));
        (of_contig < N_HAPLOTYPES).then(|| (&self.contigs[contig], of_contig))
    }

    fn shear(&mut self, rng: &mut Rng, contig: usize) {
        let length = self.contigs[contig].bases.len();
        let n_starts = length * DEPTH / (2 * READ_LENGTH);
        // One begins in every stretch of this length, so that no place is bare.
        let stretch = (length - READ_LENGTH) as f64 / n_starts as f64;
        let starts: Vec<usize> = (0..n_starts).map(|at| ((at as f64 + rng.unit()) * stretch) as usize).collect();
        for starts in starts.chunks(DECK.len()) {
            let mut deck = DECK;
            rng.shuffle(&mut deck);
            for (start, haplotype) in starts.iter().zip(deck) {
                let origin = contig * (N_HAPLOTYPES + 1) + haplotype;
                let from = self.sequences[origin].find(*start);
                self.cut(rng, origin, from);
            }
        }
    }

    fn shear_relative(&mut self, rng: &mut Rng, contig: usize) {
        let origin = contig * (N_HAPLOTYPES + 1) + N_HAPLOTYPES;
        let length = self.sequences[origin].bases.len();
        for _ in 0..length * DEPTH_OF_RELATIVE / (2 * READ_LENGTH) {
            let from = rng.below(length - READ_LENGTH);
            self.cut(rng, origin, from);
        }
    }

    fn cut(&mut self, rng: &mut Rng, origin: usize, from: usize) {
        let length = match rng.below(10) {
            0 => 90 + rng.below(60),
            1 => 150 + rng.below(70),
            _ => 220 + rng.below(200),
        };
        let to = (from + length).min(self.sequences[origin].bases.len());
        let n_copies = 1 + usize::from(rng.chance(0.12)) + usize::from(rng.chance(0.04));
        let is_turned = rng.chance(0.5);
        self.fragments.push(DnaFragment { origin, from, to, is_turned, n_copies, error: None });
    }

    /// Adds the fragment that was copied too often, where there is one. Both of its reads cover the place.
    fn take_over(&mut self, rng: &mut Rng, contig: usize, locus: &PlantedLocus) {
        let has_change = |haplotype: usize| locus.changes.iter().any(|change| change.on[haplotype]);
        let (haplotype, n_copies) = match locus.kind {
            LocusKind::PcrError => (rng.below(2), N_COPIES_OF_ERROR),
            LocusKind::HiddenByCopies => (usize::from(has_change(0)), N_COPIES_OF_ALLELE),
            LocusKind::DoubledByCopies => (usize::from(!has_change(0)), N_COPIES_OF_ALLELE),
            _ => return,
        };
        let origin = contig * (N_HAPLOTYPES + 1) + haplotype;
        let place = self.sequences[origin].find(locus.at);
        let from = place - 80 - rng.below(25);
        let to = place + 80 + rng.below(25);
        let error = locus.artefact.map(|base| (place, base));
        self.fragments.push(DnaFragment { origin, from, to, is_turned: rng.chance(0.5), n_copies, error });
    }

    /// Whether every allele is seen about as often as its origin says, copies not counted.
    fn is_clear(&self) -> bool {
        self.contigs.iter().enumerate().all(|(at, contig)| {
            let changes = contig.loci.iter().flat_map(|locus| &locus.changes);
            let mut changes = changes.map(|change| (change, self.seen(at, change)));
            changes.all(|(change, (n_with, n_all))| {
                let share = n_with as f64 / n_all.max(1) as f64;
                let range = match change.on {
                    [true, true, ..] => 0.82..1.01,
                    [false, false, ..] => 0.08..0.17,
                    _ => 0.36..0.64,
                };
                n_all >= 35 && range.contains(&share)
            })
        })
    }

    /// How many fragments show a change, and how many could.
    fn seen(&self, contig: usize, change: &SequenceChange) -> (usize, usize) {
        let mut seen = (0, 0);
        let first = contig * (N_HAPLOTYPES + 1);
        let of_contig = |fragment: &&DnaFragment| (first..first + N_HAPLOTYPES).contains(&fragment.origin);
        for fragment in self.fragments.iter().filter(of_contig) {
            let place = self.sequences[fragment.origin].find(change.at);
            let is_read = (fragment.from..(fragment.from + READ_LENGTH).min(fragment.to)).contains(&place)
                || (fragment.from.max(fragment.to.saturating_sub(READ_LENGTH))..fragment.to).contains(&place);
            seen.1 += usize::from(is_read);
            seen.0 += usize::from(is_read && change.on[fragment.origin - first]);
        }
        seen
    }
}
