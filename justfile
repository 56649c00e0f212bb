# The commands of the project. `just` lists them.

default:
    @just --list

# Everything that must hold before a change lands: form, lints, tests.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    cargo nextest run --workspace

# The tests.
test *ARGS:
    cargo nextest run --workspace {{ARGS}}

# Write what is generated: schemas, snapshots of the command line.
gen:
    QUINTAIN_WRITE=1 cargo test -p quintain-cli --test it schema

# Look at changed snapshots.
snap:
    cargo insta review

# The binary.
build:
    cargo build --release

# Certify every task, in full: 20 seeds, ten repeats, 200 random trials.
certify: build
    target/release/quintain check puzzles --again

# CPU per step and reset of each puzzle, beside the recorded figures of VisGym.
bench-puzzles:
    cargo bench -p quintain-puzzles --bench puzzles

# Trials per second through the whole runner, beside the bare SQLite cycle.
bench-engine:
    cargo bench -p quintain-runner --bench engine

# What recording adds to a step.
bench-record:
    cargo bench -p quintain-store --bench record

# The 60-second start.
demo: build
    target/release/quintain demo

# The shapes of the characters by which the Circuit Designer's oracle reads values.
glyphs:
    cargo run -p quintain-browser --example circuit_glyphs
