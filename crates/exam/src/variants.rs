//! Genomics: what a person carries, from the reads of a sample that is anything but clean.

mod genome;
mod haplotype;
mod library;
mod reads;
mod truth;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quintain_core::offering::WorldNeed;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters, alterations};
use serde_json::{Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::PYTHON;
use crate::texts::texts;
use library::DirtyLibrary;
use reads::ADAPTERS;

/// The name in `task.toml`.
const NAME: &str = "dirty-variants";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("variants/solution.py");
/// The deliverable.
const TABLE: &str = "variants.csv";

/// Call the variants of a person in a sample with duplicates, damage and DNA of others.
pub(crate) struct DirtyVariants;

impl Assignment for DirtyVariants {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_rounds = parameters.number("n_rounds", 1..=6)?;
        let seed = DirtyLibrary::clear_seed(rng, n_rounds as usize);
        Ok(PreparedWork::of(
            seeded(seed, [("n_rounds", n_rounds)]),
            json!({ "variants": expected(&DirtyLibrary::drawn(seed, n_rounds as usize)) }),
        ))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let seed = seed_of(plan)?;
        let n_rounds = size_of(plan, "n_rounds")?;
        Ok(files(seed, n_rounds))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "ls -l input; head -4 input/sample_R1.fastq; grep '>' input/*.fa",
            ("call.py", SOLUTION),
            format!("python3 call.py {way} && head -5 output/{TABLE}"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &[
            "duplicates-kept",
            "one-reference",
            "callers-genotypes",
            "both-strands-not-asked",
            "as-called",
            "mask-from-one",
        ]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        let Some(text) = alterations::text_of(left, TABLE) else { return altered };
        let text = text.replace('\r', "");
        let with = |(how, text): (&str, String)| alterations::with(left, TABLE, how, text.into_bytes());
        altered.wrong.extend(near_misses(&text).into_iter().map(with));
        altered.right.extend(variations(&text).into_iter().map(with));
        altered
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let all =
            [("bwa", "apt install bwa"), ("samtools", "apt install samtools"), ("bcftools", "apt install bcftools")];
        let need = |(program, mend)| Software { program, package: program, mend }.need(NAME);
        all.map(need).into_iter().chain([PYTHON.need(NAME)]).collect()
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("variants")
    }
}

/// The table that is expected.
fn expected(library: &DirtyLibrary) -> Value {
    let rows = truth::of(&library.contigs).into_iter().map(|variant| {
        json!({
            "contig": variant.contig,
            "position": variant.position.to_string(),
            "ref": variant.reference,
            "alt": variant.alternative,
            "genotype": variant.genotype,
        })
    });
    let columns = ["contig", "position", "ref", "alt", "genotype"].map(|name| (name.to_owned(), json!("exact")));
    json!({
        "columns": BTreeMap::from(columns),
        "key": ["contig", "position", "ref", "alt"],
        "rows": rows.collect::<Vec<_>>(),
    })
}

fn files(seed: u64, n_rounds: usize) -> InputFiles {
    let library = DirtyLibrary::drawn(seed, n_rounds);
    let [first, second] = reads::written(&library, &mut Rng::for_purpose(seed, "reads"));
    let contigs = &library.contigs;
    let reference: Vec<(&str, &[u8])> = contigs.iter().map(|one| (one.name.as_str(), one.bases.as_slice())).collect();
    let names = ["mealworm_gut_isolate_1", "mealworm_gut_isolate_2"];
    let relatives: Vec<(&str, &[u8])> =
        names.into_iter().zip(contigs).map(|(name, one)| (name, one.relative.as_slice())).collect();
    let adapters: Vec<(&str, &[u8])> = ["read_1", "read_2"].into_iter().zip(ADAPTERS.map(str::as_bytes)).collect();
    let mut masked = String::new();
    for (contig, range) in contigs.iter().flat_map(|one| one.masked.iter().map(move |range| (one, range))) {
        writeln!(masked, "{}\t{}\t{}", contig.name, range.start, range.end).ok();
    }
    let all = [
        ("reference.fa", fasta(&reference)),
        ("contaminant.fa", fasta(&relatives)),
        ("adapters.fa", fasta(&adapters)),
        ("not_reported.bed", masked),
        ("sample_R1.fastq", first),
        ("sample_R2.fastq", second),
    ];
    texts(all)
}

fn fasta(sequences: &[(&str, &[u8])]) -> String {
    let mut text = String::new();
    for (name, bases) in sequences {
        writeln!(text, ">{name}").ok();
        for line in bases.chunks(60) {
            writeln!(text, "{}", String::from_utf8_lossy(line)).ok();
        }
    }
    text
}

/// The rows of a table without its names, and these.
fn rows_of(text: &str) -> (&str, Vec<Vec<&str>>) {
    let mut lines = text.lines();
    (lines.next().unwrap_or_default(), lines.map(|line| line.split(',').collect()).collect())
}

fn table_of(names: &str, rows: &[Vec<&str>]) -> String {
    let rows = rows.iter().map(|row| row.join(","));
    [names.to_owned()].into_iter().chain(rows).collect::<Vec<_>>().join("\n") + "\n"
}

/// Tables that are wrong in one thing.
fn near_misses(text: &str) -> Vec<(&'static str, String)> {
    let (names, rows) = rows_of(text);
    let Some(last) = rows.last().cloned().filter(|last| last.len() >= 5) else { return Vec::new() };
    let but_last = |row: Option<Vec<&str>>| {
        let mut rows = rows[..rows.len() - 1].to_vec();
        rows.extend(row);
        table_of(names, &rows)
    };
    let from_zero = |row: &Vec<&str>| {
        let position: i64 = row[1].parse().unwrap_or(0);
        [row[0], &(position - 1).to_string(), row[2], row[3], row[4]].join(",")
    };
    let from_zero = rows.iter().map(from_zero).collect::<Vec<_>>().join("\n");
    let other = if last[4] == "het" { "hom" } else { "het" };
    let mut all = vec![
        ("a variant is missing", but_last(None)),
        ("a genotype is the other one", but_last(Some([&last[..4], &[other]].concat()))),
        ("alleles have changed places", but_last(Some(vec![last[0], last[1], last[3], last[2], last[4]]))),
        ("a variant too many", format!("{text}{},100,A,C,het\n", last[0])),
        ("places are counted from 0", format!("{names}\n{from_zero}\n")),
        ("a row stands twice", format!("{text}{}\n", last.join(","))),
    ];
    if let Some(at) = rows.iter().position(|row| row[2].len() != row[3].len()) {
        let (reference, alternative) = (format!("{}A", rows[at][2]), format!("{}A", rows[at][3]));
        let mut longer = rows.clone();
        longer[at] = vec![rows[at][0], rows[at][1], &reference, &alternative, rows[at][4]];
        all.push(("an indel has a base too many", table_of(names, &longer)));
    }
    all
}

/// The same table, written otherwise.
fn variations(text: &str) -> Vec<(&'static str, String)> {
    let (names, rows) = rows_of(text);
    let turned = |line: &str| line.split(',').rev().collect::<Vec<_>>().join(",");
    let mut sorted = rows.clone();
    sorted.sort_by_key(|row| row.get(3).copied().unwrap_or_default().to_owned());
    vec![
        ("columns in another order", text.lines().map(turned).collect::<Vec<_>>().join("\n")),
        ("rows by their alternative", table_of(names, &sorted)),
        ("blanks around cells", text.replace(',', " , ")),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::genome::{LocusKind, PlantedLocus};
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_files_and_others_give_others() {
        assert_eq!(files(7, 1), files(7, 1));
        let expected: BTreeSet<String> =
            (0..50).map(|seed| expected(&DirtyLibrary::drawn(seed, 1)).to_string()).collect();
        assert_eq!(expected.len(), 50);
    }

    /// Every wrong way meets something of its kind.
    #[test]
    fn every_sample_holds_every_trap() {
        for seed in 0..50 {
            let library = DirtyLibrary::drawn(seed, 1);
            let rows = truth::of(&library.contigs);
            assert_eq!(rows.len(), 21, "seed {seed}");
            let loci: Vec<_> = library.contigs.iter().flat_map(|contig| &contig.loci).collect();
            let n_of = |kind: LocusKind| loci.iter().filter(|locus| locus.kind == kind).count();
            let traps = [LocusKind::PcrError, LocusKind::Foreign, LocusKind::OneStrand, LocusKind::BesideMask];
            assert_eq!(traps.map(n_of), [3, 4, 2, 1]);
            for contig in &library.contigs {
                let beside = |at: usize| contig.masked.iter().any(|range| range.start == at + 1);
                let kept = rows.iter().filter(|row| row.contig == contig.name).map(|row| row.position - 1);
                let edges = contig.loci.iter().filter(|locus| locus.kind == LocusKind::BesideMask).count();
                assert_eq!(kept.filter(|at| beside(*at)).count(), edges, "seed {seed}");
                assert!(contig.relative.len() > 2000);
                let in_repeat =
                    |one: &&PlantedLocus| matches!(one.kind, LocusKind::HetInRepeat | LocusKind::HomInRepeat);
                for change in contig.loci.iter().filter(in_repeat).flat_map(|one| &one.changes) {
                    // As it was planted it is not in normal form.
                    assert!(truth::normal_form(&contig.bases, change).0 + 1 < change.at, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn nearly_right_tables_are_made_of_right_ones() {
        let text = "contig,position,ref,alt,genotype\ns,5,A,C,het\ns,9,AT,A,hom\n";
        let misses: BTreeSet<String> = near_misses(text).into_iter().map(|(_, text)| text).collect();
        assert_eq!((misses.len(), misses.contains(text)), (7, false));
        assert!(near_misses("nonsense").is_empty());
        assert!(variations(text)[0].1.starts_with("genotype,alt,ref,position,contig\nhet,C,A,5,s"));
    }
}
