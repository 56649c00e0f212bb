//! The tools of a request: functions, the computer, and what nobody here ever calls.

use crate::asked::{Function, OfferedComputer};
use crate::wire::WrongRequest;
use crate::wire::openai::{self, PlacedValue};

/// What a tool may be. Source: `ToolParam` of the package `openai` 3.51.0. Only functions and the computer are ever called
/// here; the others are what outside programs such as Codex offer beside them.
const KINDS: &[&str] = &[
    "function",
    "computer",
    "apply_patch",
    "code_interpreter",
    "custom",
    "file_search",
    "image_generation",
    "local_shell",
    "mcp",
    "namespace",
    "programmatic_tool_calling",
    "shell",
    "tool_search",
    "web_search",
    "web_search_preview",
];

/// What may be called.
#[derive(Debug, Default)]
pub(super) struct ResponsesOffer {
    pub(super) functions: Vec<Function>,
    pub(super) computer: Option<OfferedComputer>,
    /// Functions of namespaces, as Codex offers the tools of MCP servers: `mcp__quintain.click`.
    in_namespaces: Vec<Function>,
    /// How many tools there are that nobody here ever calls.
    n_others: usize,
    pub(super) must_call: bool,
}

/// Reads `tools` and `tool_choice`, to which these were added among what was said.
pub(super) fn read(at: &PlacedValue, added: ResponsesOffer) -> Result<ResponsesOffer, WrongRequest> {
    let mut offer = added;
    for tool in at.list_of("tools")? {
        offer.tool(&tool)?;
    }
    openai::check_names(&offer.functions)?;
    offer.functions.append(&mut offer.in_namespaces);
    match at.maybe("tool_choice") {
        Some(choice) => offer.chosen(&choice),
        None => Ok(offer),
    }
}

impl ResponsesOffer {
    /// One more tool.
    pub(super) fn tool(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        match at.field("type")?.one_of(KINDS)? {
            "function" => {
                let more = ["allowed_callers", "defer_loading", "output_schema"];
                at.only(&[&["type", "name", "description", "parameters", "strict"][..], &more].concat())?;
                self.functions.push(openai::function(at)?);
            }
            "computer" => {
                at.only(&["type"])?;
                if self.computer.replace(OfferedComputer::default()).is_some() {
                    return Err(WrongRequest::request(format!("Duplicate tool: 'computer' in '{}'.", at.path())));
                }
            }
            "namespace" => self.namespace(at)?,
            _ => self.n_others += 1,
        }
        Ok(())
    }

    /// The functions of a namespace. Source: `NamespaceToolParam` of the package `openai` 3.51.0.
    fn namespace(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        let namespace = at.text_of("name")?;
        for tool in at.list_of("tools")? {
            match tool.text_of("type")? {
                "function" => {
                    let Function { name, schema } = openai::function(&tool)?;
                    self.in_namespaces.push(Function { name: format!("{namespace}.{name}"), schema });
                }
                _ => self.n_others += 1,
            }
        }
        Ok(())
    }

    /// What is left once the choice is heard.
    fn chosen(self, at: &PlacedValue) -> Result<Self, WrongRequest> {
        if !at.value().is_object() {
            return match at.one_of(&["none", "auto", "required"])? {
                "none" => Ok(Self::default()),
                "required" if self.is_empty() => {
                    Err(WrongRequest::request("Tool choice 'required' must be specified with 'tools' parameter."))
                }
                word => Ok(Self { must_call: word == "required", ..self }),
            };
        }
        at.only(&["type", "name"])?;
        let kind = at.field("type")?.one_of(&["function", "computer"])?;
        let wanted = if kind == "function" { at.text_of("name")? } else { kind };
        let functions: Vec<Function> =
            self.functions.into_iter().filter(|function| kind == "function" && function.name == wanted).collect();
        let computer = self.computer.filter(|_| kind != "function");
        if functions.is_empty() && computer.is_none() {
            return Err(WrongRequest::request(format!("Tool choice '{wanted}' not found in 'tools' parameter.")));
        }
        Ok(Self { functions, computer, must_call: true, ..Self::default() })
    }

    fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.computer.is_none() && self.n_others == 0
    }
}
