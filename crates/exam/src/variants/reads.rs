//! Pairs of reads as a sequencer writes them.

use std::fmt::Write as _;

use quintain_core::Rng;

use super::genome::{LocusKind, other_base};
use super::library::{DirtyLibrary, DnaFragment};

/// How many bases are read of each end.
pub(super) const READ_LENGTH: usize = 150;
/// What is read behind the end of a short fragment.
pub(super) const ADAPTERS: [&str; 2] = ["AGATCGGAAGAGCACACGTCTGAACTCCAGTCA", "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT"];

/// The two files of a run.
pub(super) fn written(library: &DirtyLibrary, rng: &mut Rng) -> [String; 2] {
    let mut order: Vec<usize> = Vec::new();
    for (at, fragment) in library.fragments.iter().enumerate() {
        order.extend(std::iter::repeat_n(at, fragment.n_copies));
    }
    rng.shuffle(&mut order);
    let flow_cell = format!("{:05X}", rng.below(1 << 20));
    let mut files = [String::new(), String::new()];
    let mut damage = DamageCount::default();
    for (number, at) in order.into_iter().enumerate() {
        let fragment = &library.fragments[at];
        let place = format!("{}:{}:{}", 1101 + number / 400, 1000 + rng.below(30_000), 1000 + rng.below(30_000));
        let ends = ends(library, fragment, &mut damage);
        for (mate, bases) in ends.into_iter().enumerate() {
            let (bases, qualities) = sequenced(rng, bases, ADAPTERS[mate]);
            let name = format!("QS04:31:H{flow_cell}XY:1:{place} {}:N:0:ACTGATCA", mate + 1);
            write!(files[mate], "@{name}\n{bases}\n+\n{qualities}\n").ok();
        }
    }
    files
}

/// How many reads could have shown damage so far: five of six do.
#[derive(Default)]
struct DamageCount(usize);

/// Both ends of a fragment as they would be read without faults: the one that is read first comes first.
fn ends(library: &DirtyLibrary, fragment: &DnaFragment, damage: &mut DamageCount) -> [Vec<u8>; 2] {
    let sequence = &library.sequences[fragment.origin].bases;
    let mut bases = sequence[fragment.from..fragment.to].to_vec();
    if let Some((place, base)) = fragment.error {
        bases[place - fragment.from] = base;
    }
    let n_read = bases.len().min(READ_LENGTH);
    let mut left = bases[..n_read].to_vec();
    let mut right = bases[bases.len() - n_read..].to_vec();
    damage.show(library, fragment, &mut left, &mut right);
    let right: Vec<u8> = right.iter().rev().map(|base| complement(*base)).collect();
    if fragment.is_turned { [right, left] } else { [left, right] }
}

impl DamageCount {
    /// Damage of guanine shows in reads of one strand, that of cytosine in reads of the other.
    fn show(&mut self, library: &DirtyLibrary, fragment: &DnaFragment, left: &mut [u8], right: &mut [u8]) {
        let Some((contig, _)) = library.haplotype_of(fragment.origin) else { return };
        for locus in contig.loci.iter().filter(|locus| locus.kind == LocusKind::OneStrand) {
            let place = library.sequences[fragment.origin].find(locus.at);
            let right_from = fragment.to - right.len();
            let base = match locus.artefact {
                Some(b'T') => place.checked_sub(fragment.from).and_then(|at| left.get_mut(at)),
                _ => place.checked_sub(right_from).and_then(|at| right.get_mut(at)),
            };
            if let (Some(base), Some(artefact)) = (base, locus.artefact) {
                self.0 += 1;
                if !self.0.is_multiple_of(6) {
                    *base = artefact;
                }
            }
        }
    }
}

/// A read with its faults: behind the end of the fragment comes the adapter, and towards its own end it gets worse.
fn sequenced(rng: &mut Rng, mut bases: Vec<u8>, adapter: &str) -> (String, String) {
    let tail = adapter.bytes().chain(std::iter::repeat(b'G'));
    bases.extend(tail.take(READ_LENGTH - bases.len()));
    let is_poor = rng.chance(0.08);
    let mut qualities = String::new();
    for (cycle, base) in bases.iter_mut().enumerate() {
        let fall = cycle.saturating_sub(if is_poor { 85 } else { 110 }) / if is_poor { 2 } else { 5 };
        let quality = 37_usize.saturating_sub(fall + rng.below(5)).max(3);
        if rng.chance(10_f64.powf(quality as f64 / -10.0)) {
            *base = other_base(rng, &[*base]);
        }
        qualities.push(char::from(33 + quality as u8));
    }
    (String::from_utf8_lossy(&bases).into_owned(), qualities)
}

fn complement(base: u8) -> u8 {
    match base {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        _ => b'A',
    }
}
