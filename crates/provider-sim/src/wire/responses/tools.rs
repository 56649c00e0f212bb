//! The tools of a request: functions, and one of the two computer tools.

use super::items::is_preview;
use crate::asked::{Function, OfferedComputer};
use crate::wire::WrongRequest;
use crate::wire::openai::{self, PlacedValue};

/// What may be called.
#[derive(Debug, Default)]
pub(super) struct ResponsesOffer {
    pub(super) functions: Vec<Function>,
    pub(super) computer: Option<OfferedComputer>,
    pub(super) must_call: bool,
}

/// Reads `tools` and `tool_choice`.
pub(super) fn read(at: &PlacedValue, model: &str) -> Result<ResponsesOffer, WrongRequest> {
    let mut offer = ResponsesOffer::default();
    for tool in at.list_of("tools")? {
        offer.tool(&tool, model)?;
    }
    openai::check_names(&offer.functions)?;
    if offer.computer.is_some() && is_preview(model) && at.maybe("truncation").is_none_or(|at| *at.value() != "auto") {
        return Err(WrongRequest::request(format!(
            "Model {model} with the computer tool needs 'truncation' set to 'auto'."
        )));
    }
    match at.maybe("tool_choice") {
        Some(choice) => offer.chosen(&choice),
        None => Ok(offer),
    }
}

impl ResponsesOffer {
    fn tool(&mut self, at: &PlacedValue, model: &str) -> Result<(), WrongRequest> {
        let kind = at.field("type")?.one_of(&["function", "computer", "computer_use_preview"])?;
        if kind == "function" {
            at.only(&["type", "name", "description", "parameters", "strict"])?;
            self.functions.push(openai::function(at)?);
            return Ok(());
        }
        if is_preview(model) != (kind == "computer_use_preview") {
            return Err(WrongRequest::request(format!("Tool '{kind}' is not supported with {model}.")));
        }
        let again = self.computer.replace(OfferedComputer { size: size(at, kind)?, excluded: Vec::new() });
        if again.is_some() {
            return Err(WrongRequest::request(format!("Duplicate tool: '{kind}' in '{}'.", at.path())));
        }
        Ok(())
    }

    /// What is left once the choice is heard.
    fn chosen(self, at: &PlacedValue) -> Result<Self, WrongRequest> {
        if !at.value().is_object() {
            return match at.one_of(&["none", "auto", "required"])? {
                "none" => Ok(Self::default()),
                "required" if self.functions.is_empty() && self.computer.is_none() => {
                    Err(WrongRequest::request("Tool choice 'required' must be specified with 'tools' parameter."))
                }
                word => Ok(Self { must_call: word == "required", ..self }),
            };
        }
        at.only(&["type", "name"])?;
        let kind = at.field("type")?.one_of(&["function", "computer", "computer_use_preview"])?;
        let wanted = if kind == "function" { at.text_of("name")? } else { kind };
        let functions: Vec<Function> =
            self.functions.into_iter().filter(|function| kind == "function" && function.name == wanted).collect();
        let computer = self.computer.filter(|_| kind != "function");
        if functions.is_empty() && computer.is_none() {
            return Err(WrongRequest::request(format!("Tool choice '{wanted}' not found in 'tools' parameter.")));
        }
        Ok(Self { functions, computer, must_call: true })
    }
}

/// The size of the display, which only the older tool declares.
fn size(at: &PlacedValue, kind: &str) -> Result<Option<(u32, u32)>, WrongRequest> {
    if kind == "computer" {
        at.only(&["type"])?;
        return Ok(None);
    }
    at.only(&["type", "display_width", "display_height", "environment"])?;
    at.field("environment")?.one_of(&["windows", "mac", "linux", "ubuntu", "browser"])?;
    let side = |name| -> Result<u32, WrongRequest> {
        let side = at.field(name)?.at_least(1)?;
        u32::try_from(side)
            .map_err(|error| WrongRequest::request(format!("Invalid value: {side} in '{name}': {error}.")))
    };
    Ok(Some((side("display_width")?, side("display_height")?)))
}
