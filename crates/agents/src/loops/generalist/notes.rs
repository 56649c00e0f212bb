//! What the agent keeps outside of its conversation: notes and a plan.

use serde_json::Value;

/// Notes and a plan. They are shown again in full whenever the conversation was shortened.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ModelNotes {
    pub(super) notes: Vec<String>,
    pub(super) plan: Vec<String>,
}

/// What came of writing something down, in words for the model.
pub(super) type NoteResult = Result<String, String>;

impl ModelNotes {
    /// `note{text, number?}`: another note, or an earlier one written anew. All together have at most so many bytes.
    pub(super) fn note(&mut self, input: &Value, n_bytes_at_most: usize) -> NoteResult {
        let text = input["text"].as_str().map(str::trim).filter(|text| !text.is_empty());
        let text = text.ok_or("`text` must say what to note")?;
        let replaced = match input.get("number").filter(|number| !number.is_null()) {
            None => None,
            Some(number) => Some(self.index(number)?),
        };
        let before = replaced.map_or(0, |idx| self.notes[idx].len());
        if self.n_bytes() - before + text.len() > n_bytes_at_most {
            return Err(format!(
                "the notes are full ({} of {n_bytes_at_most} bytes): give `number` to write an earlier one anew, shorter",
                self.n_bytes()
            ));
        }
        let idx = replaced.unwrap_or(self.notes.len());
        self.notes.splice(idx..(idx + 1).min(self.notes.len()), [text.to_owned()]);
        Ok(format!("noted as number {}", idx + 1))
    }

    /// `plan{items}`: the plan from now on.
    pub(super) fn plan(&mut self, input: &Value, n_bytes_at_most: usize) -> NoteResult {
        let items = input["items"].as_array().ok_or("`items` must be a list of texts")?;
        let items: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
        let items = items.ok_or("`items` must be a list of texts")?;
        if items.iter().map(String::len).sum::<usize>() > n_bytes_at_most {
            return Err(format!("the plan is too long: at most {n_bytes_at_most} bytes"));
        }
        self.plan = items;
        Ok("this is the plan now".to_owned())
    }

    fn index(&self, number: &Value) -> Result<usize, String> {
        let idx = number.as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
        idx.filter(|idx| *idx < self.notes.len()).ok_or_else(|| format!("there is no note with number {number}"))
    }

    fn n_bytes(&self) -> usize {
        self.notes.iter().map(String::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn notes_are_added_and_written_anew() {
        let mut notes = ModelNotes::default();
        let mut note = |input: Value| match notes.note(&input, 30) {
            Ok(said) => format!("{said}: {:?}", notes.notes),
            Err(why) => format!("? {why}"),
        };
        let said: Vec<String> = [
            json!({"text": " valve K7: 41.3 "}),
            json!({"text": "door: open", "number": null}),
            json!({"text": "valve K7: 42", "number": 1}),
            json!({"text": "x", "number": 3}),
            json!({"text": "  "}),
            json!({"note": "x"}),
            json!({"text": "too long to be kept"}),
        ]
        .map(&mut note)
        .into();
        insta::assert_snapshot!(said.join("\n"), @r#"
        noted as number 1: ["valve K7: 41.3"]
        noted as number 2: ["valve K7: 41.3", "door: open"]
        noted as number 1: ["valve K7: 42", "door: open"]
        ? there is no note with number 3
        ? `text` must say what to note
        ? `text` must say what to note
        ? the notes are full (22 of 30 bytes): give `number` to write an earlier one anew, shorter
        "#);
    }

    #[test]
    fn a_plan_is_a_list_of_texts() {
        let mut notes = ModelNotes::default();
        let said =
            [json!({"items": ["look", "act"]}), json!({"items": [1]}), json!({}), json!({"items": ["x".repeat(99)]})];
        let said: Vec<String> =
            said.iter().map(|input| notes.plan(input, 40).unwrap_or_else(|why| format!("? {why}"))).collect();
        insta::assert_snapshot!(said.join("\n"), @"
        this is the plan now
        ? `items` must be a list of texts
        ? `items` must be a list of texts
        ? the plan is too long: at most 40 bytes
        ");
        assert_eq!(notes.plan, ["look", "act"]);
    }
}
