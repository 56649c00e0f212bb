//! What is right of a sample: what the person carries outside the regions that are not reported, in normal form.

use super::genome::{PlantedContig, SequenceChange};

/// A variant as it is reported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReportedVariant {
    pub(super) contig: String,
    /// The place of the first base of `reference`, from 1.
    pub(super) position: usize,
    pub(super) reference: String,
    pub(super) alternative: String,
    pub(super) genotype: &'static str,
}

/// All that is to be reported.
pub(super) fn of(contigs: &[PlantedContig]) -> Vec<ReportedVariant> {
    contigs.iter().flat_map(of_contig).collect()
}

fn of_contig(contig: &PlantedContig) -> Vec<ReportedVariant> {
    let mut all: Vec<ReportedVariant> = Vec::new();
    for change in contig.loci.iter().flat_map(|locus| &locus.changes) {
        let genotype = match change.on {
            [true, true, ..] => "hom",
            [false, false, ..] => continue,
            _ => "het",
        };
        let (at, reference, alternative) = normal_form(&contig.bases, change);
        if !contig.masked.iter().any(|range| range.contains(&at)) {
            let text = |bases: Vec<u8>| String::from_utf8_lossy(&bases).into_owned();
            let (reference, alternative) = (text(reference), text(alternative));
            let contig = contig.name.clone();
            all.push(ReportedVariant { contig, position: at + 1, reference, alternative, genotype });
        }
    }
    all
}

/// As far left and as short as it goes, with no empty allele: the place of its first base from 0, and both alleles.
pub(super) fn normal_form(bases: &[u8], change: &SequenceChange) -> (usize, Vec<u8>, Vec<u8>) {
    let (mut at, mut removed) = (change.at, bases[change.at..change.at + change.n_removed].to_vec());
    let mut put = change.put.clone();
    loop {
        match (removed.last(), put.last()) {
            (Some(one), Some(other)) if one == other => {
                removed.pop();
                put.pop();
            }
            (Some(_), Some(_)) => break,
            _ => {
                at -= 1;
                removed.insert(0, bases[at]);
                put.insert(0, bases[at]);
            }
        }
        if !removed.is_empty() && !put.is_empty() && removed.last() != put.last() {
            break;
        }
    }
    while removed.len() > 1 && put.len() > 1 && removed[0] == put[0] {
        at += 1;
        removed.remove(0);
        put.remove(0);
    }
    (at, removed, put)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_told_in_normal_form() {
        let told = |bases: &str, at: usize, n_removed: usize, put: &str| {
            let change = SequenceChange { at, n_removed, put: put.as_bytes().to_vec(), on: [true; 4] };
            let (at, reference, alternative) = normal_form(bases.as_bytes(), &change);
            format!("{at} {} {}", String::from_utf8_lossy(&reference), String::from_utf8_lossy(&alternative))
        };
        assert_eq!(told("GCACACAT", 5, 2, ""), "0 GCA G");
        assert_eq!(told("GCACACAT", 7, 0, "CA"), "0 G GCA");
        assert_eq!(told("TTGAAAAC", 5, 1, ""), "2 GA G");
        assert_eq!(told("TTGAAAAC", 6, 0, "AA"), "2 G GAA");
        assert_eq!(told("ACGT", 2, 1, "T"), "2 G T");
        assert_eq!(told("ACGTT", 1, 3, "CGA"), "3 T A");
        assert_eq!(told("ACGTACGG", 4, 2, ""), "3 TAC T");
    }
}
