//! Whether a task can be played here.
//!
//! Here is a sandbox on Linux with a tree of Debian 12 and no network, in which one container's worth of files is built from a
//! `Dockerfile`. What a task wants beyond that is a reason not to play it, in a sentence that names the field; what it wants
//! and will do without is a remark.

use serde::Serialize;

use crate::config::{CollectHook, EnvironmentSection, HarborOs, MAIN_SERVICE, VerifierMode};
use crate::network::{NetworkMode, NetworkPolicy};
use crate::script::offline_test_script;
use crate::task::{HarborRound, HarborTask};
use crate::variables::resolve_variables;

/// What a sandbox has; who asks for more is told.
const MOST_CPUS: i64 = 2;
const MOST_MEMORY_MB: i64 = 2048;
const MOST_STORAGE_MB: i64 = 9000;

/// Whether a task can be played here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fitness {
    /// Why it cannot; nothing where it can.
    pub reasons: Vec<String>,
    /// What is otherwise than the task asks for, and played all the same.
    pub remarks: Vec<String>,
}

impl Fitness {
    /// Whether it can be played here.
    pub fn runs_here(&self) -> bool {
        self.reasons.is_empty()
    }

    fn not(&mut self, is_so: bool, reason: impl Into<String>) {
        if is_so {
            self.reasons.push(reason.into());
        }
    }

    fn but(&mut self, is_so: bool, remark: impl Into<String>) {
        if is_so {
            self.remarks.push(remark.into());
        }
    }
}

/// Whether a task can be played here, given what stands in the way of building its `Dockerfile`.
pub fn fitness(task: &HarborTask, dockerfile_problems: &[String]) -> Fitness {
    let mut found = Fitness::default();
    of_machine(task, &mut found);
    of_image(task, dockerfile_problems, &mut found);
    of_network(task, &mut found);
    of_roles(task, &mut found);
    of_variables(task, &mut found);
    of_judging(task, &mut found);
    of_rest(task, &mut found);
    for said in [&mut found.reasons, &mut found.remarks] {
        let mut seen = std::collections::BTreeSet::new();
        said.retain(|sentence| seen.insert(sentence.clone()));
    }
    found
}

fn of_machine(task: &HarborTask, found: &mut Fitness) {
    for (field, environment) in environments(task) {
        let EnvironmentSection { os, gpus, tpu, cpus, memory_mb, storage_mb, .. } = environment;
        found.not(*os == Some(HarborOs::Windows), format!("`{field}.os` is Windows, and here is Linux"));
        let gpus = gpus.unwrap_or(0);
        found.not(gpus > 0, format!("`{field}.gpus` asks for {gpus}, and there is none"));
        found.not(tpu.is_some(), format!("`{field}.tpu` asks for tensor processors, and there are none"));
        let wants = [
            ("cpus", *cpus, MOST_CPUS),
            ("memory_mb", *memory_mb, MOST_MEMORY_MB),
            ("storage_mb", *storage_mb, MOST_STORAGE_MB),
        ];
        for (what, wanted, most) in wants {
            let wanted = wanted.unwrap_or(0);
            found.but(wanted > most, format!("`{field}.{what}` asks for {wanted}, and a sandbox has {most}"));
        }
    }
}

/// The environments of a task by the names of their tables.
fn environments(task: &HarborTask) -> Vec<(String, &EnvironmentSection)> {
    let own = task.config.verifier.environment.as_ref();
    let of_steps = task.config.steps.iter().enumerate().filter_map(|(idx, step)| {
        Some((format!("steps[{idx}].verifier.environment"), step.verifier.environment.as_ref()?))
    });
    let of_task = own.map(|environment| ("verifier.environment".to_owned(), environment));
    [("environment".to_owned(), &task.config.environment)].into_iter().chain(of_task).chain(of_steps).collect()
}

fn of_image(task: &HarborTask, dockerfile_problems: &[String], found: &mut Fitness) {
    let has = |name: &str| task.files.contains_key(&format!("environment/{name}"));
    let has_compose = ["docker-compose.yaml", "docker-compose.yml"].into_iter().find(|name| has(name));
    if let Some(name) = has_compose {
        found.not(true, format!("`environment/{name}` asks for several containers, and here is one sandbox"));
    }
    let image = task.config.environment.docker_image.as_deref();
    match (task.dockerfile(), image) {
        (Some(_), image) => {
            let problems = dockerfile_problems.iter().map(|problem| format!("`environment/Dockerfile`: {problem}"));
            found.reasons.extend(problems);
            let built = "and the sandbox is built from `environment/Dockerfile` instead";
            found.but(image.is_some(), format!("`environment.docker_image` names an image, {built}"));
        }
        (None, Some(image)) => {
            let why = "which cannot be fetched, and there is no `environment/Dockerfile`";
            found.not(true, format!("`environment.docker_image` is `{image}`, {why}"));
        }
        (None, None) => {
            found.not(has_compose.is_none(), "there is no `environment/Dockerfile` to build a sandbox from");
        }
    }
}

fn of_network(task: &HarborTask, found: &mut Fitness) {
    for round in &task.rounds {
        let field = field_of(round, "network_mode");
        let policy = &round.agent_network;
        found.not(wants_hosts(policy), format!("{} lets the agent reach {}, {NOBODY}", field, listed(&policy.hosts)));
        let is_public = policy.mode == NetworkMode::Public;
        found.but(is_public, "the agent may use the network, and has none here: nothing says whether it is needed");
        let policy = &round.verifier_network;
        found.not(wants_hosts(policy), format!("{} lets the tests reach {}, {NOBODY}", field, listed(&policy.hosts)));
    }
}

const NOBODY: &str = "and here nobody is reached";

fn wants_hosts(policy: &NetworkPolicy) -> bool {
    policy.mode == NetworkMode::Allowlist && !policy.hosts.is_empty()
}

fn field_of(round: &HarborRound, name: &str) -> String {
    round.step.as_ref().map_or_else(|| format!("`{name}`"), |step| format!("`{name}` of step `{step}`"))
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 3;
    let more = names.len().saturating_sub(MOST);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", names[..names.len() - more].join(", "))
}

fn of_roles(task: &HarborTask, found: &mut Fitness) {
    let config = &task.config;
    for server in &config.environment.mcp_servers {
        found.not(true, format!("`environment.mcp_servers` has `{}`, and agents are given no servers", server.name));
    }
    let is_other =
        |user: &Option<String>| user.as_deref().filter(|user| !["root", "0", ""].contains(user)).map(str::to_owned);
    for round in &task.rounds {
        let users = [("agent.user", &round.agent_user), ("verifier.user", &round.verifier_user)];
        let of_hooks = round.collect.iter().map(|hook| ("verifier.collect.user", &hook.user));
        for (field, user) in users.into_iter().chain(of_hooks) {
            let user = is_other(user);
            let user_told = user.as_deref().unwrap_or_default();
            found.not(user.is_some(), format!("`{field}` is `{user_told}`, and a sandbox has one user, root"));
        }
    }
    let checks = config.steps.iter().map(|step| (format!("healthcheck` of step `{}", step.name), &step.healthcheck));
    let of_task = [("environment.healthcheck".to_owned(), &config.environment.healthcheck)];
    for (field, _) in of_task.into_iter().chain(checks).filter(|(_, check)| check.is_some()) {
        found.not(true, format!("`{field}` waits for something to have started, and nothing is started here"));
    }
}

fn of_variables(task: &HarborTask, found: &mut Fitness) {
    let of_rounds = task.rounds.iter().map(|round| ("verifier.env", &round.verifier_env));
    for (field, env) in [("environment.env", &task.config.environment.env)].into_iter().chain(of_rounds) {
        for missing in resolve_variables(env).err().into_iter().flatten() {
            found.not(true, format!("`{field}`: {missing}"));
        }
    }
    for missing in resolve_variables(&task.config.solution_env).err().into_iter().flatten() {
        found.but(true, format!("`solution.env`: {missing}, so the solution is left out"));
    }
}

fn of_judging(task: &HarborTask, found: &mut Fitness) {
    for round in &task.rounds {
        let hooks: Vec<&CollectHook> = round.collect.iter().filter(|hook| hook.service != MAIN_SERVICE).collect();
        for hook in hooks {
            let service = &hook.service;
            found.not(true, format!("`verifier.collect` runs in the service `{service}`, and here is one sandbox"));
        }
        for service in round.artifacts.iter().filter_map(|artifact| artifact.service.as_deref()) {
            let is_other = service != MAIN_SERVICE;
            found.not(is_other, format!("`artifacts` are taken from the service `{service}`, and here is one sandbox"));
        }
        let shared = "the tests run in a fresh sandbox with what the agent changed, not in the agent's own";
        found.but(round.verifier_mode == VerifierMode::Shared, shared);
        match &round.test_script {
            None => found.not(true, "the tests come in an image of their own, and here one sandbox is built"),
            Some(path) => of_script(task, path, found),
        }
        let own = round.tests.iter().map(|folder| format!("{folder}/Dockerfile"));
        for path in own.filter(|path| task.files.contains_key(path)).filter(|_| is_separate(round)) {
            found.not(true, format!("`{path}` builds an image for the tests, and here one sandbox is built"));
        }
    }
}

fn is_separate(round: &HarborRound) -> bool {
    round.verifier_mode == VerifierMode::Separate
}

fn of_script(task: &HarborTask, path: &str, found: &mut Fitness) {
    let Some(script) = task.text(path) else {
        return found.not(true, format!("`{path}` is no text"));
    };
    match offline_test_script(&script) {
        Ok(made) => {
            let changes = made.changes.join("; ");
            found.but(!changes.is_empty(), format!("`{path}` installs its tools, and is rewritten: {changes}"));
        }
        Err(reasons) => {
            for why in reasons {
                found.not(true, format!("`{path}` needs the network: {why}"));
            }
        }
    }
}

fn of_rest(task: &HarborTask, found: &mut Fitness) {
    let seeds = task.files.keys().filter(|path| path.rsplit('/').next() == Some("trajectory.json"));
    for path in
        seeds.filter(|path| *path == "trajectory.json" || path.starts_with("steps/") && path.matches('/').count() == 2)
    {
        found.not(true, format!("`{path}` is what an agent did before, and no agent here can be given that"));
    }
    let skills = task.config.environment.skills_dir.is_some();
    found.but(skills, "`environment.skills_dir` names skills, and no agent here is given any");
    let unsolved = task.rounds.iter().any(|round| round.solution.is_none());
    found.but(unsolved, "there is no solution to prove it with");
    for folder in task.rounds.iter().filter_map(|round| round.solution.as_ref()) {
        let script = task.text(&format!("{folder}/solve.sh")).unwrap_or_default();
        for why in offline_test_script(&script).err().into_iter().flatten() {
            found.but(true, format!("`{folder}/solve.sh` needs the network: {why}"));
        }
    }
    if !task.unknown.is_empty() {
        found.but(true, format!("`task.toml` has fields that mean nothing: {}", task.unknown.join(", ")));
    }
    let version = &task.config.schema_version;
    let is_known = ["1", "1.0", "1.1", "1.2", "1.3", "1.4"].contains(&version.as_str());
    found.but(!is_known, format!("`schema_version` is `{version}`, and 1.4 is the newest that is known"));
}
