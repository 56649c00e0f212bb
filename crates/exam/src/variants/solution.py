"""Variants of the person in input/. The first argument says how; everything but `right` is wrong."""

import csv
import os
import subprocess
import sys

how = sys.argv[1]


def run(command):
    subprocess.run(["bash", "-o", "pipefail", "-c", command], check=True, stderr=subprocess.DEVNULL)


def fasta(path):
    sequences = {}
    with open(path) as file:
        for line in file:
            if line.startswith(">"):
                name = line[1:].split()[0]
                sequences[name] = ""
            else:
                sequences[name] += line.strip()
    return sequences


def end_of_insert(bases, adapter):
    """Where the adapter begins: five bases of it are right, and of the next ones at most two are wrong."""
    begin = bases.find(adapter[:5])
    while begin >= 0:
        n_wrong = sum(a != b for a, b in zip(bases[begin:], adapter[:20]))
        if n_wrong <= 2:
            return begin
        begin = bases.find(adapter[:5], begin + 1)
    return len(bases)


def trim(mate):
    adapter = list(fasta("input/adapters.fa").values())[mate - 1]
    with open(f"input/sample_R{mate}.fastq") as file, open(f"trimmed_{mate}.fastq", "w") as out:
        while True:
            name, bases, plus, qualities = (file.readline().rstrip("\n") for _ in range(4))
            if not name:
                return
            end = end_of_insert(bases, adapter)
            out.write(f"{name}\n{bases[:end]}\n{plus}\n{qualities[:end]}\n")


trim(1)
trim(2)
genomes = ["input/reference.fa"] if how == "one-reference" else ["input/reference.fa", "input/contaminant.fa"]
run(f"cat {' '.join(genomes)} > genomes.fa && samtools faidx genomes.fa && bwa index genomes.fa")
run("bwa mem -t 2 genomes.fa trimmed_1.fastq trimmed_2.fastq | samtools fixmate -m - - | samtools sort -o sorted.bam -")
if how == "duplicates-kept":
    os.replace("sorted.bam", "unique.bam")
else:
    run("samtools markdup -r sorted.bam unique.bam")
run("samtools index unique.bam")
regions = ",".join(fasta("input/reference.fa"))
normal = "cat" if how == "as-called" else "bcftools norm -f genomes.fa -m -any"
run(
    f"bcftools mpileup -f genomes.fa -r {regions} -q 20 -Q 15 -d 10000 -a AD,ADF,ADR,DP unique.bam"
    f" | bcftools call -mv | {normal}"
    " | bcftools query -f '%CHROM\\t%POS\\t%REF\\t%ALT\\t%QUAL\\t[%GT\\t%DP\\t%AD\\t%ADF\\t%ADR]\\n' > called.tsv"
)

masked = []
with open("input/not_reported.bed") as file:
    for line in file:
        contig, start, end = line.split()[:3]
        masked.append((contig, int(start) + (0 if how == "mask-from-one" else 1), int(end)))

rows = []
with open("called.tsv") as file:
    for line in file:
        contig, position, ref, alt, quality, genotype, depth, *counts = line.rstrip("\n").split("\t")
        position = int(position)
        all_reads, forward, reverse = ([int(n) for n in count.split(",")] for count in counts)
        if float(quality) < 20 or any(c == contig and a <= position <= b for c, a, b in masked):
            continue
        if how != "both-strands-not-asked" and min(forward[1], reverse[1]) < 0.1 * all_reads[1]:
            continue
        share = all_reads[1] / int(depth)
        if how == "callers-genotypes":
            rows.append([contig, position, ref, alt, "hom" if genotype == "1/1" else "het"])
        elif share > 0.25:
            rows.append([contig, position, ref, alt, "hom" if share > 0.72 else "het"])

os.makedirs("output", exist_ok=True)
with open("output/variants.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["contig", "position", "ref", "alt", "genotype"])
    table.writerows(rows)
