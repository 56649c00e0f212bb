//! A small genome from a seed, and what is planted in it: what the person carries, what somebody else carries, and what
//! only the laboratory has made.

use std::ops::Range;

use quintain_core::Rng;

/// The four bases.
pub(super) const BASES: [u8; 4] = *b"ACGT";
/// What lies between two loci, before they are moved a little.
const SPACING: usize = 190;
/// What lies before the first locus and behind the last.
const MARGIN: usize = 450;
/// How many loci lie in the stretch that another organism shares.
const N_CONSERVED: usize = 5;
/// What is planted in every round.
const ROUND: [(LocusKind, usize); 14] = [
    (LocusKind::Het, 4),
    (LocusKind::Hom, 4),
    (LocusKind::HetInRepeat, 3),
    (LocusKind::HomInRepeat, 2),
    (LocusKind::LongIndel, 1),
    (LocusKind::Neighbours, 1),
    (LocusKind::TwoAlternatives, 1),
    (LocusKind::HiddenByCopies, 1),
    (LocusKind::DoubledByCopies, 1),
    (LocusKind::BesideMask, 1),
    (LocusKind::Masked, 2),
    (LocusKind::Foreign, 4),
    (LocusKind::OneStrand, 2),
    (LocusKind::PcrError, 3),
];

/// What a locus is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocusKind {
    Het,
    Hom,
    HetInRepeat,
    HomInRepeat,
    /// An insertion or deletion of many bases.
    LongIndel,
    /// Two substitutions side by side.
    Neighbours,
    /// Each haplotype has another base, and neither is that of the reference.
    TwoAlternatives,
    /// Heterozygous, with a fragment of the reference's allele that was copied many times.
    HiddenByCopies,
    /// Heterozygous, with a fragment of the other allele that was copied many times.
    DoubledByCopies,
    /// The last base before a region that is not reported.
    BesideMask,
    /// In a region that is not reported.
    Masked,
    /// Carried by somebody else, whose DNA got into the tube.
    Foreign,
    /// Damage that is seen on one strand only.
    OneStrand,
    /// An error of the amplification, in a fragment that was copied many times.
    PcrError,
}

/// Bases that are taken out of the reference and others that are put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SequenceChange {
    /// Where it begins, from 0.
    pub(super) at: usize,
    pub(super) n_removed: usize,
    pub(super) put: Vec<u8>,
    /// Which haplotypes have it: two of the person, then two of somebody else.
    pub(super) on: [bool; 4],
}

/// A place where something is planted.
#[derive(Clone, Debug)]
pub(super) struct PlantedLocus {
    pub(super) kind: LocusKind,
    pub(super) at: usize,
    pub(super) changes: Vec<SequenceChange>,
    /// What the laboratory makes of the base there.
    pub(super) artefact: Option<u8>,
}

/// A sequence of the reference with what is planted in it.
#[derive(Clone, Debug)]
pub(super) struct PlantedContig {
    pub(super) name: String,
    pub(super) bases: Vec<u8>,
    pub(super) loci: Vec<PlantedLocus>,
    /// What is not reported, as BED has it.
    pub(super) masked: Vec<Range<usize>>,
    /// The stretch of another organism's genome that is like a stretch of this, with what surrounds it there.
    pub(super) relative: Vec<u8>,
}

/// Two contigs with so many rounds of everything that can be planted.
pub(super) fn drawn(rng: &mut Rng, n_rounds: usize) -> Vec<PlantedContig> {
    let mut kinds: Vec<LocusKind> = Vec::new();
    for (kind, n) in ROUND {
        kinds.extend(std::iter::repeat_n(kind, n * n_rounds));
    }
    rng.shuffle(&mut kinds);
    let first = rng.between(11, 38);
    let halves = [&kinds[..kinds.len() / 2], &kinds[kinds.len() / 2..]];
    let named = halves.into_iter().zip([first, first + 1]);
    named.map(|(kinds, number)| PlantedContig::drawn(rng, format!("scaffold_{number}"), kinds)).collect()
}

impl PlantedContig {
    fn drawn(rng: &mut Rng, name: String, kinds: &[LocusKind]) -> Self {
        let bases = random_bases(rng, 2 * MARGIN + kinds.len() * SPACING);
        let mut contig = Self { name, bases, loci: Vec::new(), masked: Vec::new(), relative: Vec::new() };
        for (slot, kind) in kinds.iter().enumerate() {
            let at = MARGIN + slot * SPACING + SPACING / 2 + rng.below(50) - 25;
            contig.plant(rng, *kind, at);
        }
        let from = MARGIN + rng.below(kinds.len() - N_CONSERVED) * SPACING;
        contig.relative = relative_of(rng, &contig.bases[from..from + N_CONSERVED * SPACING]);
        contig
    }

    fn plant(&mut self, rng: &mut Rng, kind: LocusKind, at: usize) {
        let (mut changes, mut artefact) = (Vec::new(), None);
        match kind {
            LocusKind::HetInRepeat | LocusKind::HomInRepeat => changes.push(self.in_repeat(rng, at)),
            LocusKind::LongIndel => changes.push(long_indel(rng, at)),
            LocusKind::Neighbours => changes.extend([self.substitution(rng, at), self.substitution(rng, at + 1)]),
            LocusKind::TwoAlternatives => changes.extend(self.two_substitutions(rng, at)),
            LocusKind::OneStrand => artefact = Some(self.damage(rng, at)),
            LocusKind::PcrError => artefact = Some(other_base(rng, &[self.bases[at]])),
            _ => changes.push(self.substitution(rng, at)),
        }
        match kind {
            LocusKind::BesideMask => self.masked.push(at + 1..at + 1 + 40 + rng.below(30)),
            LocusKind::Masked if rng.chance(0.5) => self.masked.push(at - 30 - rng.below(30)..at + 1),
            LocusKind::Masked => self.masked.push(at..at + 40 + rng.below(30)),
            _ => {}
        }
        carry(rng, kind, &mut changes);
        self.loci.push(PlantedLocus { kind, at, changes, artefact });
    }

    fn substitution(&self, rng: &mut Rng, at: usize) -> SequenceChange {
        SequenceChange { at, n_removed: 1, put: vec![other_base(rng, &[self.bases[at]])], on: [false; 4] }
    }

    fn two_substitutions(&self, rng: &mut Rng, at: usize) -> [SequenceChange; 2] {
        let one = self.substitution(rng, at);
        let put = vec![other_base(rng, &[self.bases[at], one.put[0]])];
        [one.clone(), SequenceChange { put, ..one }]
    }

    /// Oxidised guanine is read as thymine: seen from the other strand, cytosine as adenine.
    fn damage(&mut self, rng: &mut Rng, at: usize) -> u8 {
        let (was, is) = if rng.chance(0.5) { (b'G', b'T') } else { (b'C', b'A') };
        self.bases[at] = was;
        is
    }

    /// Writes a repeat into the reference, and takes out some of its units or puts some in, anywhere in it.
    fn in_repeat(&mut self, rng: &mut Rng, at: usize) -> SequenceChange {
        let unit_length = 1 + rng.below(3);
        let n_units = [6 + rng.below(3), 5 + rng.below(2), 4][unit_length - 1];
        let mut unit = random_bases(rng, unit_length);
        while unit_length > 1 && unit.iter().all(|base| *base == unit[0]) {
            unit = random_bases(rng, unit_length);
        }
        let end = at + unit_length * n_units;
        for (offset, base) in self.bases[at..end].iter_mut().enumerate() {
            *base = unit[offset % unit_length];
        }
        self.bases[at - 1] = other_base(rng, &[unit[unit_length - 1]]);
        self.bases[end] = other_base(rng, &[unit[0]]);
        let n_changed = 1 + rng.below(2);
        // Neither at its first base nor at its last, so that it can be told in several ways.
        let begin = at + unit_length * (1 + rng.below(n_units - 1 - n_changed));
        let piece = unit.repeat(n_changed);
        let (n_removed, put) = if rng.chance(0.5) { (piece.len(), Vec::new()) } else { (0, piece) };
        SequenceChange { at: begin, n_removed, put, on: [false; 4] }
    }
}

/// Says who has a change.
fn carry(rng: &mut Rng, kind: LocusKind, changes: &mut [SequenceChange]) {
    let first = rng.chance(0.5);
    let mut of_person = match kind {
        LocusKind::Hom | LocusKind::HomInRepeat => [true; 2],
        LocusKind::LongIndel | LocusKind::BesideMask if rng.chance(0.4) => [true; 2],
        LocusKind::Foreign | LocusKind::OneStrand | LocusKind::PcrError => [false; 2],
        _ => [first, !first],
    };
    let of_other = match kind {
        LocusKind::Foreign => [true; 2],
        // Somebody else has some of the substitutions too.
        LocusKind::Het | LocusKind::Neighbours | LocusKind::Masked => [rng.chance(0.3), rng.chance(0.3)],
        _ => [false; 2],
    };
    for change in changes {
        change.on = [of_person[0], of_person[1], of_other[0], of_other[1]];
        if kind == LocusKind::TwoAlternatives {
            of_person.reverse();
        }
    }
}

fn long_indel(rng: &mut Rng, at: usize) -> SequenceChange {
    let n = 6 + rng.below(10);
    let (n_removed, put) = if rng.chance(0.5) { (n, Vec::new()) } else { (0, random_bases(rng, n)) };
    SequenceChange { at, n_removed, put, on: [false; 4] }
}

/// Like the stretch, but for about four bases in a hundred and a few gaps; with what is like nothing on both sides.
fn relative_of(rng: &mut Rng, stretch: &[u8]) -> Vec<u8> {
    let mut relative = random_bases(rng, 600);
    let mut until_next = 5;
    for base in stretch {
        until_next -= 1;
        if until_next > 0 {
            relative.push(*base);
            continue;
        }
        until_next = 6 + rng.below(40);
        match rng.below(14) {
            0 => {}
            1 => relative.extend([*base, *rng.choose(&BASES)]),
            _ => relative.push(other_base(rng, &[*base])),
        }
    }
    relative.extend(random_bases(rng, 600));
    relative
}

fn random_bases(rng: &mut Rng, n: usize) -> Vec<u8> {
    (0..n).map(|_| *rng.choose(&BASES)).collect()
}

/// A base that is none of these.
pub(super) fn other_base(rng: &mut Rng, than: &[u8]) -> u8 {
    let others: Vec<u8> = BASES.into_iter().filter(|base| !than.contains(base)).collect();
    *rng.choose(&others)
}
