//! The screen of an instance, as its start tells of it.

use quintain_core::Instance;
use quintain_core::world::WorldError;

/// The screen of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DesktopScreen {
    /// Pixels across and down.
    pub(crate) size: (u32, u32),
    /// Whether the task lets agents use the shell.
    pub(crate) shell: bool,
}

impl DesktopScreen {
    pub(crate) fn of(instance: &Instance) -> Result<Self, WorldError> {
        let told = |name: &str| instance.start[name].clone();
        let broken = |name: &'static str| {
            move |error: serde_json::Error| WorldError::setup(format!("the screen of the instance: `{name}`: {error}"))
        };
        let size = serde_json::from_value(told("viewport")).map_err(broken("viewport"))?;
        let shell = serde_json::from_value(told("shell")).map_err(broken("shell"))?;
        Ok(Self { size, shell })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quintain_core::{InstanceId, Pick};
    use serde_json::{Value, json};

    use super::*;

    fn read(start: Value) -> String {
        let instance = Instance {
            id: InstanceId { task: "science/blank".parse().expect("a name"), pick: Pick::default() },
            instruction: String::new(),
            parameters: BTreeMap::new(),
            start,
            secrets: Vec::new(),
            source: None,
        };
        match DesktopScreen::of(&instance) {
            Ok(DesktopScreen { size: (width, height), shell }) => format!("{width}x{height}, shell: {shell}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_screen_that_is_not_told_is_refused() {
        let told = [
            read(json!({ "viewport": [1000, 700], "shell": false })),
            read(json!({ "viewport": "wide", "shell": true })),
            read(json!({ "shell": true })),
            read(json!({ "viewport": [1000, 700] })),
        ];
        insta::assert_snapshot!(told.join("\n"), @r#"
        1000x700, shell: false
        setup fault: the screen of the instance: `viewport`: invalid type: string "wide", expected a tuple of size 2
        setup fault: the screen of the instance: `viewport`: invalid type: null, expected a tuple of size 2
        setup fault: the screen of the instance: `shell`: invalid type: null, expected a boolean
        "#);
    }
}
