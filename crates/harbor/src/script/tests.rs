use super::*;

fn told(script: &str) -> String {
    match offline_test_script(script) {
        Ok(made) => format!("{}\n-- {}", made.text.trim_end(), made.changes.join("\n-- ")),
        Err(reasons) => format!("?? {}", reasons.join("\n?? ")),
    }
}

#[test]
fn uv_and_pytest_become_the_sandbox_s_own_pytest() {
    let script = r#"#!/bin/bash
# curl is needed below
apt-get update
apt-get install -y curl && \
    curl -LsSf https://astral.sh/uv/0.9.7/install.sh | sh
source $HOME/.local/bin/env
if [ "$PWD" = "/" ]; then
    echo "no WORKDIR"
    exit 1
fi
uvx \
    -p 3.12 \
    -w pytest==8.4.1 \
    --with 'pytest-json-ctrf==0.3.5' \
    pytest --ctrf /logs/verifier/ctrf.json "/tests/test_all.py" -rA
if [ $? -eq 0 ]; then
    echo 1 > /logs/verifier/reward.txt
else
    echo 0 > /logs/verifier/reward.txt
fi
"#;
    insta::assert_snapshot!(told(script));
    let other = "if ! command -v uv; then\n  curl -LsSf https://astral.sh/uv/install.sh | sh\nfi\nuv venv /v\n. /v/bin/activate\nuv pip install pytest==8.3\nuv run python -m pytest /tests\n";
    insta::assert_snapshot!(told(other));
}

#[test]
fn whatever_else_fetches_is_named() {
    let scripts = [
        "pip install numpy==2.0\npython3 /tests/check.py\n",
        "python3 -m pip install --quiet pandas",
        "wget -q https://example.org/data.csv",
        "x=\"$(curl -s https://example.org/a)\"",
        "apt-get update && apt-get install -y jq",
        "git clone https://example.org/r.git",
        "npm ci && npm test",
        "uvx -w pytest -w numpy pytest /tests",
        "uv run /tests/check.py",
        "cd /app && sudo apt install -y make",
    ];
    let lines: Vec<String> = scripts.iter().map(|script| told(script)).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn what_only_looks_like_fetching_stays_as_it_is() {
    let scripts = [
        "curl -s http://localhost:8000/health || exit 1\n",
        "cat > /tmp/x.py <<'EOF'\nimport os  # pip install numpy\nEOF\npython3 /tmp/x.py\n",
        "echo 'curl https://example.org' # wget https://example.org\n",
        "git clone /srv/repo /tmp/repo\n",
        "npm test\ngrep -c 'apt-get install' /app/notes.txt\n",
        "bash /tests/inner.sh\nsource /tests/helpers.sh\n",
        "cat <<A <<B\nwget x\nA\nwget y\nB\n",
    ];
    for script in scripts {
        assert_eq!(
            offline_test_script(script),
            Ok(OfflineScript { text: script.to_owned(), changes: Vec::new() }),
            "{script}"
        );
    }
}
