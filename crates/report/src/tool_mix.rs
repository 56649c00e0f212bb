//! Which tools agents use, over one taxonomy for all of them: shell, file, GUI, web, planning, other.
//!
//! The world's actions are counted by what they are; the tools that an agent has of its own, and those of outside agents,
//! by their names, which differ from harness to harness.

use std::collections::BTreeMap;
use std::fmt;

use quintain_core::action::Action;
use quintain_core::trajectory::Step;
use serde::{Deserialize, Serialize};

/// A class of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolClass {
    /// Command lines and program texts.
    Shell,
    /// Files, read and written without a shell.
    File,
    /// Mouse, keyboard and screen.
    Gui,
    /// Addresses, searches, pages.
    Web,
    /// Plans, notes, memory, sub-agents.
    Planning,
    /// Everything else: the functions of a puzzle, an app's own interface, endings.
    Other,
}

/// How often tools of each class were used.
pub type ToolCounts = BTreeMap<ToolClass, u64>;

impl ToolClass {
    /// Every class, in order.
    pub const ALL: [Self; 6] = [Self::Shell, Self::File, Self::Gui, Self::Web, Self::Planning, Self::Other];

    /// The class of one of the world's actions. A sequence is one use of the screen.
    pub fn of(action: &Action) -> Self {
        match action {
            Action::Shell { .. } | Action::Code { .. } => Self::Shell,
            Action::Goto { .. } | Action::Back | Action::Forward | Action::Tab { .. } => Self::Web,
            Action::Api { .. } | Action::Call(_) | Action::Answer { .. } | Action::Done | Action::GiveUp { .. } => {
                Self::Other
            }
            Action::Note { .. } => Self::Planning,
            _ => Self::Gui,
        }
    }

    /// The class of a tool by its name, as harnesses spell it: `Bash`, `read_file`, `mcp__cua__click`, `TodoWrite`.
    pub fn named(name: &str) -> Self {
        let (server, tool) = parts(name);
        if server.is_some_and(|server| SCREEN_SERVERS.contains(&server.to_lowercase().as_str())) {
            return Self::Gui;
        }
        let plain: String = tool.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let known = NAMES.iter().find(|(_, names)| names.contains(&plain.as_str()));
        known.map_or(Self::Other, |(class, _)| *class)
    }
}

/// Servers whose tools are all of the screen.
const SCREEN_SERVERS: [&str; 3] = ["cua", "computer", "desktop"];

/// Names of tools, in small letters and without what joins words.
const NAMES: [(ToolClass, &[&str]); 5] = [
    (
        ToolClass::Shell,
        &[
            "bash",
            "shell",
            "exec",
            "runshellcommand",
            "terminal",
            "execute",
            "bashcommand",
            "executecode",
            "code",
            "python",
            "execcommand",
            "localshell",
            "runcommand",
            "runterminalcmd",
        ],
    ),
    (
        ToolClass::File,
        &[
            "read",
            "write",
            "edit",
            "multiedit",
            "glob",
            "grep",
            "ls",
            "readfile",
            "writefile",
            "editfile",
            "patch",
            "applypatch",
            "listdirectory",
            "listdir",
            "listfiles",
            "searchfiles",
            "deletefile",
            "movefile",
            "notebookedit",
            "strreplacebasededittool",
            "view",
        ],
    ),
    (
        ToolClass::Gui,
        &[
            "key",
            "keydown",
            "keyup",
            "type",
            "holdkey",
            "mousemove",
            "click",
            "drag",
            "mousedown",
            "mouseup",
            "scroll",
            "screenshot",
            "cursorposition",
            "wait",
            "zoom",
            "computer",
            "computeruse",
            "doubleclick",
            "tripleclick",
            "rightclick",
        ],
    ),
    (
        ToolClass::Web,
        &[
            "websearch",
            "webfetch",
            "browsernavigate",
            "fetch",
            "goto",
            "back",
            "forward",
            "search",
            "openurl",
            "googlewebsearch",
        ],
    ),
    (
        ToolClass::Planning,
        &[
            "todowrite",
            "todoread",
            "task",
            "think",
            "delegate",
            "delegategui",
            "subagents",
            "subagent",
            "memoryget",
            "memoryset",
            "memory",
            "note",
            "notes",
            "plan",
            "updateplan",
            "exitplanmode",
            "agent",
        ],
    ),
];

/// The server and the tool of a name such as `mcp__cua__click`, `cua___screenshot` or `mcp_cua_key`.
fn parts(name: &str) -> (Option<&str>, &str) {
    if let Some(rest) = name.strip_prefix("mcp__") {
        return rest.split_once("__").map_or((None, rest), |(server, tool)| (Some(server), tool));
    }
    if let Some(rest) = name.strip_prefix("mcp_") {
        return rest.split_once('_').map_or((None, rest), |(server, tool)| (Some(server), tool));
    }
    name.split_once("___").map_or((None, name), |(server, tool)| (Some(server), tool))
}

/// How often each class was used in a trial. Replies that could not be read used none of the world's.
pub fn tools_used(steps: &[Step]) -> ToolCounts {
    let mut counts = ToolCounts::new();
    for step in steps {
        let own = step.reply.tools.iter().map(|name| ToolClass::named(name));
        for class in own.chain(step.action.as_ref().map(ToolClass::of)) {
            *counts.entry(class).or_default() += 1;
        }
    }
    counts
}

impl fmt::Display for ToolClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shell => "shell",
            Self::File => "file",
            Self::Gui => "GUI",
            Self::Web => "web",
            Self::Planning => "planning",
            Self::Other => "other",
        })
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use quintain_core::agent::Reply;
    use quintain_core::limits::Spent;
    use quintain_core::observation::Shown;

    use super::*;

    #[test]
    fn names_of_all_harnesses_fall_into_one_taxonomy() {
        let names = [
            "Bash",
            "run_shell_command",
            "execute_code",
            "Read",
            "apply_patch",
            "list_directory",
            "mcp__cua__click",
            "cua___screenshot",
            "mcp_cua_key",
            "mcp__cua__anything_new",
            "mouse_move",
            "WebSearch",
            "webFetch",
            "browser_navigate",
            "TodoWrite",
            "delegate_gui",
            "memory_get",
            "mcp__files__read_file",
            "finish",
            "",
        ];
        let lines: Vec<String> = names.iter().map(|name| format!("{name}: {}", ToolClass::named(name))).collect();
        assert_snapshot!(lines.join("\n"), @r"
        Bash: shell
        run_shell_command: shell
        execute_code: shell
        Read: file
        apply_patch: file
        list_directory: file
        mcp__cua__click: GUI
        cua___screenshot: GUI
        mcp_cua_key: GUI
        mcp__cua__anything_new: GUI
        mouse_move: GUI
        WebSearch: web
        webFetch: web
        browser_navigate: web
        TodoWrite: planning
        delegate_gui: planning
        memory_get: planning
        mcp__files__read_file: file
        finish: other
        : other
        ");
    }

    #[test]
    fn actions_and_own_tools_are_counted_together() {
        let step = |action: Option<Action>, tools: &[&str]| Step {
            shown: Shown::default(),
            reply: Reply { tools: tools.iter().map(|&name| name.to_owned()).collect(), ..Reply::default() },
            action,
            spent: Spent::default(),
            feedback: None,
        };
        let steps = [
            step(Some(Action::Screenshot), &["note", "note"]),
            step(Some(Action::Shell { command: "ls".to_owned() }), &[]),
            step(None, &[]),
            step(Some(Action::call("move", [])), &[]),
        ];
        let counts: Vec<String> = tools_used(&steps).iter().map(|(class, n)| format!("{class} {n}")).collect();
        assert_eq!(counts, ["shell 1", "GUI 1", "planning 2", "other 1"]);
    }
}
