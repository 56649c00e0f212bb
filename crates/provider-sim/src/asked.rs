//! What a mind is asked, in words that no wire format owns.

use serde_json::Value;

use crate::mind::SpokenCall;

/// What `OpenHands` has a model say of every call, whatever the tool: how risky it is.
const RISK: &str = "security_risk";

/// The wire formats that are spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Api {
    /// Anthropic's Messages.
    Anthropic,
    /// `OpenAI`'s Responses.
    Responses,
    /// `OpenAI`'s Chat Completions, as other servers speak it too.
    Chat,
    /// Google's generateContent.
    Google,
}

impl Api {
    /// Its name, as the ledger writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Responses => "openai",
            Self::Chat => "chat",
            Self::Google => "google",
        }
    }
}

/// How a mind gives points in tools that are not its own, as the base URL says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// In pixels of the picture it was shown last.
    #[default]
    Pixels,
    /// From 0 to 1000 across and down.
    Thousandths,
    /// From 0 to 1 across and down.
    Unit,
    /// In pixels of the last picture after its sides were made multiples of 28, as UI-TARS sees it.
    Resized,
}

impl Units {
    /// What is usual: Google's models give thousandths everywhere, and so do many that compatible servers have.
    pub fn usual(api: Api) -> Self {
        match api {
            Api::Anthropic | Api::Responses => Self::Pixels,
            Api::Chat | Api::Google => Self::Thousandths,
        }
    }

    /// The units of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "pixels" => Some(Self::Pixels),
            "thousandths" => Some(Self::Thousandths),
            "unit" => Some(Self::Unit),
            "resized" => Some(Self::Resized),
            _ => None,
        }
    }
}

/// One request, read and found to be in order.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    /// In which wire format it came.
    pub api: Api,
    /// The model it is for.
    pub model: String,
    /// The instance that the base URL names.
    pub instance: Option<String>,
    /// How the base URL wants points.
    pub units: Units,
    /// What comes before everything else.
    pub system: String,
    /// What was said, in order.
    pub said: Vec<SaidMessage>,
    /// The functions that are offered.
    pub functions: Vec<Function>,
    /// The provider's own computer tool, where it is offered.
    pub computer: Option<OfferedComputer>,
    /// Whether it must call something.
    pub must_call: bool,
    /// Whether it may call only one thing.
    pub one_call: bool,
    /// Whether thoughts are wanted.
    pub thoughts: bool,
    /// The most tokens it may write.
    pub max_output: u64,
}

/// A function that is offered.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The JSON schema of its arguments.
    pub schema: Value,
}

/// The provider's own computer tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfferedComputer {
    /// The size it declares, where it does.
    pub size: Option<(u32, u32)>,
    /// What it was told not to use.
    pub excluded: Vec<String>,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq)]
pub struct SaidMessage {
    /// Whether the model said it.
    pub by_model: bool,
    /// What it is.
    pub what: SaidPiece,
    /// Whether what was said up to here should be kept in the provider's cache.
    pub breakpoint: bool,
    /// How many tokens it takes up.
    pub tokens: u64,
    /// A fingerprint of it.
    pub print: u64,
}

/// A piece of what was said.
#[derive(Clone, Debug, PartialEq)]
pub enum SaidPiece {
    /// Words.
    Text(String),
    /// A picture of this size.
    Picture((u32, u32)),
    /// A call.
    Call {
        /// Its id.
        id: String,
        /// Of what.
        name: String,
        /// With what.
        input: Value,
    },
    /// What came of a call: words and pictures follow as pieces of their own.
    Outcome {
        /// The call's id.
        id: String,
    },
    /// Thoughts that are handed back.
    Thought,
}

impl ReadRequest {
    /// The number in the last line `Turn N.` that was said to the model, and where it stands.
    pub fn turn(&self) -> Option<(u32, usize)> {
        let mut texts = self.said.iter().enumerate().rev().filter(|(_, said)| !said.by_model);
        texts.find_map(|(idx, said)| Some((turn_in(said.text()?)?, idx)))
    }

    /// Whether the model has already spoken in this turn, so that it is being corrected.
    pub fn is_second_try(&self) -> bool {
        self.turn().is_some_and(|(_, at)| self.said[at..].iter().any(|said| said.by_model))
    }

    /// The words that were said to the model last: everything since it spoke.
    pub fn last_words(&self) -> String {
        let since = self.said.iter().rposition(|said| said.by_model).map_or(0, |idx| idx + 1);
        let words: Vec<&str> = self.said[since..].iter().filter_map(SaidMessage::text).collect();
        words.join("\n")
    }

    /// The size of the last picture.
    pub fn last_picture(&self) -> Option<(u32, u32)> {
        self.said.iter().rev().find_map(|said| match said.what {
            SaidPiece::Picture(size) => Some(size),
            _ => None,
        })
    }

    /// The function of this name, if it is offered, as a tool of an MCP server or plainly. Programs with a loop of their
    /// own have tools of their own beside a server's, some of the same name: Gemini CLI has a `write_file`.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let served = self.functions.iter().find(|function| function.is_served(name));
        served.or_else(|| self.functions.iter().find(|function| function.name == name))
    }

    /// How many times the model has spoken.
    pub fn n_answers(&self) -> usize {
        let mut before = false;
        let begins = |said: &SaidMessage| {
            let begins = said.by_model && !before;
            before = said.by_model;
            begins
        };
        self.said.iter().map(begins).filter(|begins| *begins).count()
    }
}

impl SaidMessage {
    /// The words, if it is words.
    pub fn text(&self) -> Option<&str> {
        match &self.what {
            SaidPiece::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Function {
    /// Whether it is the tool of this name of an MCP server, in the names that programs with a loop of their own give them:
    /// `mcp__server__click` (Claude Code), `mcp__server.click` (Codex, by its namespace), `mcp_server_click` (Gemini CLI),
    /// `server__click`.
    fn is_served(&self, name: &str) -> bool {
        let Some(before) = self.name.strip_suffix(name) else { return false };
        let is_prefix = |before: &str| before.ends_with('_') || before.starts_with("mcp_");
        before.ends_with('.') || before.strip_suffix('_').is_some_and(is_prefix)
    }

    /// Whether it takes an argument of this name.
    pub fn takes(&self, argument: &str) -> bool {
        self.schema["properties"].get(argument).is_some()
    }

    /// The names of its arguments in the order in which it asks for them.
    pub fn order(&self) -> Vec<&str> {
        self.required().filter(|name| *name != RISK).collect()
    }

    /// A call of it with these arguments, and with what the program that offers it wants to be told beside them.
    pub fn called_with(&self, mut arguments: Value) -> SpokenCall {
        if let Some(fields) = arguments.as_object_mut().filter(|_| self.required().any(|name| name == RISK)) {
            fields.insert(RISK.to_owned(), "LOW".into());
        }
        SpokenCall::Function { name: self.name.clone(), arguments }
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        self.schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
    }
}

/// The number in the last line `Turn N.` of a text.
fn turn_in(text: &str) -> Option<u32> {
    let number = |line: &str| line.trim().strip_prefix("Turn ")?.strip_suffix('.')?.parse().ok();
    text.lines().rev().find_map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_servers_are_known_by_the_names_that_programs_give_them() {
        let is_click = |name: &str| Function { name: name.to_owned(), schema: Value::Null }.is_served("click");
        assert!(
            ["mcp__quintain__click", "mcp__quintain.click", "mcp_quintain_click", "quintain__click"]
                .into_iter()
                .all(is_click)
        );
        assert!(!["double_click", "click", "mcp__quintain__clicks", "Bash"].into_iter().any(is_click));
    }

    #[test]
    fn the_last_turn_line_counts_and_only_a_whole_line() {
        assert_eq!(turn_in("Turn 1.\nYou see a maze.\nTurn 12.\nMore."), Some(12));
        assert_eq!(turn_in("  Turn 3.  "), Some(3));
        assert_eq!(turn_in("It is Turn 3."), None);
        assert_eq!(turn_in("Turn left."), None);
    }
}
