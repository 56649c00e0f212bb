# The commands of the project. `just` lists them.

default:
    @just --list

# Everything that must hold before a change lands: form, lints, tests.
check: lint
    cargo nextest run --workspace

# Form and lints of Rust, Python and TypeScript, and what Cargo.lock brings in.
lint: deny
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    ruff check
    ruff format --check
    cd web && npm ci --no-audit --no-fund && npm run check

# Write the form of Rust, Python and TypeScript.
format:
    cargo fmt --all
    ruff format
    cd web && npm ci --no-audit --no-fund && npm run format

# Licences and sources by deny.toml; advisories too where cargo-deny is installed.
deny:
    if command -v cargo-deny >/dev/null; then cargo deny check; else python3 .ci/deny.py; fi

# The tests.
test *ARGS:
    cargo nextest run --workspace {{ARGS}}

# Write what is generated: the schema of tasks, the pages of environment variables and of what authors can write.
gen:
    QUINTAIN_WRITE=1 cargo test -p quintain-cli --test it is_current

# The commands that README and docs show, run. `just docs --only docs/cli.md` runs those of one page.
docs *ARGS:
    cargo build --workspace
    QUINTAIN="$PWD/target/debug/quintain" python3 .ci/docs.py {{ARGS}}

# Look at changed snapshots.
snap:
    cargo insta review

# The binary.
build:
    cargo build --release

# The apps: form, types, tests, and the bundles that are committed under web/dist.
web:
    cd web && npm ci --no-audit --no-fund && npm run check && npm test && npm run build

# Certify every task in full, and keep small files of it in `certificates`: puzzles with 20 seeds, ten repeats and 200 random
# trials, everything else with fewer twins. Leaves out what is kept and fits, so that it goes on where it was interrupted.
certify: build
    target/release/quintain check puzzles --certificates target/certificates --keep certificates
    target/release/quintain check gauntlet --seeds 5 --certificates target/certificates --keep certificates
    target/release/quintain check exam --seeds 5 --certificates target/certificates --keep certificates
    target/release/quintain check science --seeds 2 --certificates target/certificates --keep certificates
    target/release/quintain check --kept certificates

# Twenty oracle trials of apps and four of chains three times, once with pauses of up to two seconds: every document and every
# pixel compared.
determinism:
    QUINTAIN_FULL=1 cargo test --release -p quintain-cli --test it however_slowly -- --nocapture

# Sixteen trials at once while browsers are killed.
storm:
    QUINTAIN_FULL=1 cargo test --release -p quintain-cli --test it browsers_die -- --nocapture

# Sixteen desktops at once for twenty minutes while X servers, programs and sandboxes are killed.
desktop-storm:
    QUINTAIN_FULL=1 cargo test --release -p quintain-cli --test it when_desktops_die -- --nocapture

# CPU per step and reset of each puzzle, beside the recorded figures of VisGym.
bench-puzzles:
    cargo bench -p quintain-puzzles --bench puzzles

# Time and memory to make a fictional world of each size, and how long questions over it take.
bench-atlas:
    cargo bench -p quintain-atlas --bench atlas

# What a sandbox costs, beside the program alone.
bench-sandbox:
    cargo bench -p quintain-process --bench sandbox

# What a desktop costs: reset, step and tree, beside bare X, a bare encoder and pyatspi.
bench-desktop:
    cargo bench -p quintain-science --bench desktop

# How long the judges of the exam take, and how large the software of its tasks is.
bench-verifiers *ARGS: build
    python3 benches/verifiers.py target/release/quintain {{ARGS}}

# Trials per second through the whole runner, beside the bare SQLite cycle.
bench-engine:
    cargo bench -p quintain-runner --bench engine

# The same of the two puzzles with an arm, where MuJoCo is found.
bench-fetch:
    cargo bench -p quintain-physics --bench fetch

# Steps and blind play of puzzles, as docs/puzzles.md and the puzzles' own pages tell them: `just difficulty 100 colorization`.
difficulty SEEDS="200" *PUZZLES="maze-2d maze-3d sliding-block matchstick-equation matchstick-rotation jigsaw":
    cargo run --release -p quintain-puzzles --example puzzle_difficulty -- suites {{SEEDS}} {{PUZZLES}}

# Everything that figures in the docs name, measured again: hours, on a machine that does nothing else.
figures: bench-puzzles bench-sandbox bench-desktop bench-verifiers bench-harness bench-fetch difficulty bench-fleet simulate limits test-python bench-vector bench-text

# What recording adds to a step.
bench-record:
    cargo bench -p quintain-store --bench record

# Every loop and every client on all puzzles and ten apps' tasks, against the provider simulator.
models:
    QUINTAIN_FULL=1 cargo test --release -p quintain-cli --test it every_loop -- --nocapture

# All chains proven with twenty twins, then played from every start: two seeds of each preset as text, one of `easy` in a browser.
chains: build
    target/release/quintain check chains --dry
    target/release/quintain run chains --seeds 1..3 --agent oracle --surface text --after all --name chains-text
    target/release/quintain run chains@easy#1 --agent oracle --after all --name chains-played

# Two hundred damages to the files of a run of 300 trials, ten at once, and every command on what is left.
damage:
    QUINTAIN_FULL=1 cargo test --release -p quintain-cli --test it whatever_is_damaged -- --nocapture

# A hundred thousand replies of agents and as many task files that something has been at: nothing panics.
mangled:
    QUINTAIN_FULL=1 cargo test --release -p quintain-core --test it replies:: -- --nocapture
    QUINTAIN_FULL=1 cargo test --release -p quintain-store --test it mangled:: -- --nocapture

# 500 trials, 32 at once, against a provider that goes wrong all the time.
chaos:
    QUINTAIN_FULL=1 cargo test --release -p quintain-cli --test it in_chaos -- --nocapture

# CPU of a step of every client in both loops, beside reqwest that posts the same bodies: `just bench-harness react:google`.
bench-harness *ARGS:
    cargo bench -p quintain-provider-sim --bench harness -- {{ARGS}}

# A step in a browser world beside the bare pipe client and Playwright, and how long a warm trial takes to open.
bench-browser *ARGS:
    cargo bench -p quintain-apps --bench browser -- {{ARGS}}

# The 60-second start.
demo: build
    target/release/quintain demo

# The shapes of the characters by which the Circuit Designer's oracle reads values.
glyphs:
    cargo run -p quintain-apps --example circuit_glyphs

# Workers, servers, stewards, the allocator, the object store and a network die under 20,000 trials each.
kill:
    QUINTAIN_FULL=1 cargo test --release -p quintain-fleet --test kill -- --nocapture --test-threads 1

# Files of 2 GiB through a laptop's run, a directory and a bucket: how much memory each process takes at most.
files:
    QUINTAIN_FULL=1 cargo test --release -p quintain-fleet --test worker large:: -- --nocapture --test-threads 1

# The 100 requests a minute and 5 dollars of the whole fleet, for three minutes.
limits:
    QUINTAIN_FULL=1 cargo test --release -p quintain-fleet --test limits -- --nocapture

# Six puzzles and all apps' tasks on three hosts in network namespaces, one of them killed twice.
hosts:
    QUINTAIN_FULL=1 cargo test --release -p quintain-cli --test it three_hosts -- --nocapture

# No-op trials through a fleet beside the bare cycle of JetStream; `just bench-fleet million` plays a million of them.
bench-fleet *ARGS:
    cargo bench -p quintain-fleet --bench fleet -- {{ARGS}}

# A fleet of 10,000 hosts and a million trials, simulated: the real steward on an engine in memory.
simulate *ARGS:
    cargo run --release -p quintain-fleet --example simulation -- {{ARGS}}

# The Python wheel, in target/wheels. It brings the command along.
wheel:
    cd python && maturin build --release --out ../target/wheels

# The tests of the Python package, against the wheel, in a virtual environment of its own.
test-python: wheel
    python3 -m venv target/venv
    target/venv/bin/pip install --quiet --force-reinstall target/wheels/quintain-*.whl pandas pandas-stubs pytest mypy
    cd python && ../target/venv/bin/pytest tests

# Steps per second of a vector of environments, from Python.
bench-vector *ARGS:
    target/venv/bin/python python/bench/vector.py {{ARGS}}

# Steps a second of the chains as text, from Python, on one thread and on two.
bench-text *ARGS:
    target/venv/bin/python python/bench/text.py {{ARGS}}
