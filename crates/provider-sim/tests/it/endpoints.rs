//! The recipes of docs/models.md, against the simulator in the part of each service.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use quintain_agents::AgentSpec;
use quintain_core::Backoff;
use quintain_core::books::Purpose;
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::{CallOwner, Meter};
use quintain_models::model::{Message, Request};
use quintain_models::providers::retry::CallRetries;
use quintain_models::providers::{ConnectOptions, Connections, GCLOUD, ModelSpec};
use quintain_provider_sim::asked::ReadRequest;
use quintain_provider_sim::mind::MindReply;
use quintain_provider_sim::{ProviderSettings, Running, start};

/// What each host of a recipe is called where the simulator plays it.
const HOSTS: [(&str, &str); 14] = [
    ("openai.azure.com/openai/v1", "azure"),
    ("openai.azure.com", "azure-dated"),
    ("services.ai.azure.com", "foundry"),
    ("bedrock-mantle", "bedrock"),
    ("aiplatform.googleapis.com", "vertex"),
    ("openrouter.ai", "openrouter"),
    ("generativelanguage", "elsewhere"),
    ("volces.com", "elsewhere"),
    ("api.z.ai", "elsewhere"),
    ("deepinfra", "elsewhere"),
    ("models.github.ai", "elsewhere"),
    (":8000", "vllm"),
    (":30000", "sglang"),
    (":11434", "ollama"),
];

/// Every recipe, as its line has it.
fn recipes() -> Vec<ModelSpec> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let quoted = page.lines().filter_map(|line| line.split_once("| `react:")?.1.split_once('`'));
    let specs = quoted.map(|(agent, _)| match format!("react:{agent}").parse() {
        Ok(AgentSpec::Model(spec)) => spec.model,
        other => panic!("{agent}: {other:?}"),
    });
    specs.collect()
}

/// The same model where the simulator plays the service, and which one that is.
fn at(simulator: &Running, spec: &ModelSpec) -> (&'static str, ModelSpec) {
    let url = spec.base_url.as_deref().expect("every recipe has an address");
    let (_, name) = HOSTS.iter().find(|(part, _)| url.contains(part)).unwrap_or_else(|| panic!("whose is {url}?"));
    let path = url.split("://").nth(1).and_then(|rest| rest.split_once('/')).expect("a path").1;
    let base_url = Some(format!("{}/at/{name}/{path}", simulator.url()));
    let key = spec.key.clone().map(|key| if key == GCLOUD { "GCLOUD_TOKEN".to_owned() } else { key });
    (name, ModelSpec { base_url, key, ..spec.clone() })
}

fn ask(spec: &ModelSpec, key: Option<&str>) -> String {
    let retries = CallRetries { tries: 1, backoff: Backoff { first: Duration::ZERO, longest: Duration::ZERO } };
    let options = ConnectOptions { retries, ..ConnectOptions::default() };
    let connections = Connections::new(ModelCatalogue::built_in(), Meter::unbound(), options);
    let named = |variable: &str| key.filter(|_| Some(variable) == spec.key.as_deref()).map(str::to_owned);
    let request = Request {
        system: "Be brief.".to_owned(),
        messages: vec![Message::user("Who are you?")],
        tools: Vec::new(),
        must_call: false,
        max_output: 64,
        effort: None,
        purpose: Purpose::Act,
        step_idx: 0,
    };
    match connections.model_in(spec, &CallOwner::default(), "a", &named) {
        Ok(model) => match model.ask(&request, Duration::from_mins(1)) {
            Ok(response) => response.message.text(),
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_recipe_is_answered_by_its_service() {
    let mind = |asked: &ReadRequest| MindReply::words(format!("{} {}", asked.api.name(), asked.model));
    let simulator = start(&ProviderSettings::default(), Arc::new(mind)).expect("it listens");
    let recipes = recipes();
    assert!(recipes.len() >= 18, "{} recipes", recipes.len());
    let told: Vec<String> = recipes
        .iter()
        .map(|spec| {
            let (host, spec) = at(&simulator, spec);
            format!("{host}: {}", ask(&spec, Some("a-key-of-this-service")))
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

/// A service takes no header and no path but its own, so that a recipe that is wrong would be seen.
#[test]
fn what_a_service_does_not_take_is_refused() {
    let mind = |asked: &ReadRequest| MindReply::words(asked.api.name());
    let simulator = start(&ProviderSettings::default(), Arc::new(mind)).expect("it listens");
    let model = |text: &str| -> String {
        let Ok(AgentSpec::Model(spec)) = format!("react:{text},key=A_KEY").replace("SIM", &simulator.url()).parse()
        else {
            panic!("{text}")
        };
        ask(&spec.model, Some("a-key-of-this-service")).replace(&simulator.url(), "SIM")
    };
    let told = [
        model("anthropic/claude-opus-4-6,base_url=SIM/at/bedrock/anthropic"),
        model("chat/d,base_url=SIM/at/azure-dated/openai/deployments/d/chat/completions,auth=api-key"),
        model("openai/gpt-5.4,base_url=SIM/at/azure,auth=api-key"),
        model(
            "google/gemini-3.5-flash,auth=x-goog-api-key,base_url=SIM/at/vertex/v1beta1/projects/p/locations/l/publishers/google",
        ),
        model("chat/x,base_url=SIM/at/elsewhere/api/v3"),
    ];
    insta::assert_snapshot!(told.join("\n"));
}
