//! A sequence that fragments are cut from.

use super::genome::PlantedContig;

/// How many haplotypes there are of a contig: two of the person, then two of somebody else.
pub(super) const N_HAPLOTYPES: usize = 4;

/// A sequence that fragments are cut from, and where its bases stand in the reference.
#[derive(Clone, Debug)]
pub(super) struct CarriedSequence {
    pub(super) bases: Vec<u8>,
    /// For each base the place in the reference, from 0; for what was inserted, that of the base before. It never falls.
    places: Vec<usize>,
}

impl CarriedSequence {
    /// One of the haplotypes of a contig.
    pub(super) fn of(contig: &PlantedContig, haplotype: usize) -> Self {
        let mut carried = Self { bases: Vec::new(), places: Vec::new() };
        let changes = contig.loci.iter().flat_map(|locus| &locus.changes).filter(|change| change.on[haplotype]);
        let mut next = 0;
        for change in changes {
            carried.copy(contig, next..change.at);
            carried.bases.extend(&change.put);
            let place = if change.n_removed > 0 { change.at } else { change.at - 1 };
            carried.places.resize(carried.bases.len(), place);
            next = change.at + change.n_removed;
        }
        carried.copy(contig, next..contig.bases.len());
        carried
    }

    /// A sequence of its own.
    pub(super) fn plain(bases: &[u8]) -> Self {
        Self { bases: bases.to_vec(), places: (0..bases.len()).collect() }
    }

    /// Where a place of the reference, or what comes next, is found in it.
    pub(super) fn find(&self, place: usize) -> usize {
        self.places.partition_point(|known| *known < place)
    }

    fn copy(&mut self, contig: &PlantedContig, range: std::ops::Range<usize>) {
        self.bases.extend(&contig.bases[range.clone()]);
        self.places.extend(range);
    }
}
