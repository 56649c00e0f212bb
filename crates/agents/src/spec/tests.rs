use proptest::prelude::*;

use super::*;

fn read(text: &str) -> String {
    match text.parse::<AgentSpec>() {
        Ok(spec) => format!("{spec} | {}", spec.label()),
        Err(error) => format!("? {error}"),
    }
}

#[test]
fn agents_are_named_by_text() {
    let texts = [
        "oracle",
        "oracle: length=20, strategy=padded,seed=0",
        "idle",
        "idle:endless",
        "random",
        "random:seed=3",
        "replay:runs/2026-01 first",
        "cmd:python3 examples/agent.py",
        "cmd:sh -c 'echo \"a b\"'",
        "react:anthropic/claude-opus-4-6",
        "turns: chat/qwen/qwen3-vl , base_url=http://127.0.0.1:8000/{instance}, points=thousandths, timeout=120",
        "generalist:openai/gpt-5.4,tools=schema,pictures=5,max_output=8192,context=200000,timeout=300,key=MY_KEY",
        "planner:google/gemini-3-pro,grounder=chat/ui-tars",
        "turns:anthropic/claude-opus-5,auth=bearer,silence=90,timeout=600",
        "react:chat/d,base_url=https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-04-01,auth=api-key",
        "react:google/gemini-3.5-flash,base_url=https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google,key=gcloud",
    ];
    insta::assert_snapshot!(texts.map(read).join("\n"), @r#"
    oracle | oracle
    oracle:strategy=padded,length=20 | oracle:strategy-padded:length-20
    idle | idle
    idle:endless | idle:endless
    random | random
    random:seed=3 | random:seed-3
    replay:runs/2026-01 first | replay:2026-01_first-cba3819a
    cmd:python3 examples/agent.py | cmd:agent.py-97028ba9
    cmd:sh -c 'echo "a b"' | cmd:sh-1cfe13fc
    react:anthropic/claude-opus-4-6 | react:anthropic-claude-opus-4-6-ebd117d5
    turns:chat/qwen/qwen3-vl,base_url=http://127.0.0.1:8000/{instance},points=thousandths | turns:chat-qwen-qwen3-vl-583285e8
    generalist:openai/gpt-5.4,key=MY_KEY,context=200000,timeout=300,tools=schema,pictures=5,max_output=8192 | generalist:openai-gpt-5.4-3988c050
    planner:google/gemini-3-pro,grounder=chat/ui-tars | planner:google-gemini-3-pro-888bd7cd
    turns:anthropic/claude-opus-5,auth=bearer,silence=90 | turns:anthropic-claude-opus-5-af05e1f3
    react:chat/d,base_url=https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-04-01,auth=api-key | react:chat-d-48fb3f87
    react:google/gemini-3.5-flash,base_url=https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google,key=gcloud | react:google-gemini-3.5-flash-4a9187a5
    "#);
}

#[test]
fn wrong_names_come_with_a_hint() {
    let texts = [
        "oracel",
        "",
        "./agent.py --fast",
        "random:sed=3",
        "random:seed=three",
        "random:seed=1,seed=2",
        "oracle:length=-1",
        "oracle:strategy=a b",
        "idle:endles",
        "replay:",
        "cmd",
        "cmd:sh -c 'open",
        "anthropic/claude-opus-4-6",
        "reakt:anthropic/claude-opus-4-6",
        "react",
        "react:claude",
        "react:antropic/claude",
        "react:anthropic/claude,tools=hands",
        "turns:anthropic/claude,tools=text",
        "react:anthropic/claude,pictures=0",
        "generalist:openai/gpt-5.4,gui_points=unit",
        "react:anthropic/claude,key=sk-ant-0123456789",
        "react:anthropic/claude,auth=basic",
        "react:chat/x,base_url=http://me:secret@host/",
        "react:chat/x,base_url=http://host/v1?key=secret",
        "react:chat/x,base_url=http://host/v1?api-version=1&key=secret",
        "planner:anthropic/claude",
    ];
    insta::assert_snapshot!(texts.map(read).join("\n"), @"
    ? there is no agent `oracel`; did you mean `oracle`?
    ? there is no agent ``; there is `oracle`, `idle`, `random`, `replay`, `cmd`, `outside`, `turns`, `react`, `generalist`, `planner`
    ? there is no agent `./agent.py --fast`; to run a program, write `cmd:./agent.py --fast`
    ? agent `random` takes no option `sed`; did you mean `seed`?
    ? option `seed` must be a whole number, not `three`
    ? option `seed` is given twice
    ? option `length` must be a whole number, not `-1`
    ? option `strategy` must be a name of letters, digits, `.`, `_` and `-`, not `a b`
    ? agent `idle` takes no option `endles`; did you mean `endless`?
    ? agent `replay` needs a run; write `replay:runs/last`
    ? agent `cmd` needs a program; write `cmd:python3 my_agent.py`
    ? the command `sh -c 'open` cannot be split into words; is a quote left open?
    ? there is no agent `anthropic/claude-opus-4-6`; a model plays in a loop: `react:anthropic/claude-opus-4-6`, `turns:anthropic/claude-opus-4-6`, `generalist:anthropic/claude-opus-4-6`
    ? there is no agent `reakt`; did you mean `react`?
    ? agent `react` needs a model; write `react:anthropic/claude-opus-4-6`
    ? `claude` names no model
    hint: write PROVIDER/NAME, for example `anthropic/claude-opus-4-6`
    ? there is no provider `antropic`
    hint: did you mean `anthropic`?
    ? option `tools` must be one of native, schema, text, marks, not `hands`
    ? agent `turns` takes no option `tools`; there is `base_url`, `key`, `auth`, `points`, `pictures`, `max_output`, `context`, `timeout`, `silence`
    ? option `pictures` must be a whole number above 0, not `0`
    ? agent `generalist` needs gui=PROVIDER/NAME beside gui_points=, which is the scale of that model (points= is that of the first); write `generalist:openai/gpt-5.4,gui=chat/qwen3-vl,gui_points=thousandths`
    ? option `key` must be the name of an environment variable, such as OPENAI_API_KEY, and never the key itself
    ? option `auth` must be one of usual, bearer, api-key, x-api-key, x-goog-api-key, not `basic`
    ? option `base_url` must be an address that begins with http:// or https:// and holds no password and no query but ?api-version=, not `one with a password`
    ? option `base_url` must be an address that begins with http:// or https:// and holds no password and no query but ?api-version=, not `one with a query`
    ? option `base_url` must be an address that begins with http:// or https:// and holds no password and no query but ?api-version=, not `one with a query`
    ? agent `planner` needs a grounder; write `planner:openai/gpt-5.4,grounder=anthropic/claude-opus-4-6`
    ");
}

proptest! {
    #[test]
    fn the_text_of_an_agent_reads_back_as_the_same_agent(
        strategy in proptest::option::of("[a-z._-]{1,8}"),
        length in proptest::option::of(any::<u32>()),
        seed in any::<u64>(),
        argv in proptest::collection::vec("[^\\x00]{1,12}", 1..5),
    ) {
        let oracle = AgentSpec::Oracle(OracleStyle { strategy, length, seed });
        let outside = AgentSpec::Outside { argv: argv.clone() };
        for spec in [oracle, AgentSpec::Random { seed }, AgentSpec::Command { argv }, outside] {
            prop_assert_eq!(spec.to_string().parse::<AgentSpec>(), Ok(spec.clone()));
            let label = spec.label();
            prop_assert!(label.chars().all(|c| c.is_ascii_alphanumeric() || "._-:".contains(c)), "{}", label);
        }
    }

    #[test]
    fn no_text_is_too_strange_to_refuse(text in "\\PC{0,40}") {
        if let Ok(spec) = text.parse::<AgentSpec>() {
            prop_assert_eq!(spec.to_string().parse::<AgentSpec>(), Ok(spec));
        }
    }
}
