//! Forms: what can be set in them, and what is sent.

use url::form_urlencoded::Serializer;

/// A form of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageForm {
    /// The whole address it is sent to.
    pub action: String,
    /// Whether it is sent to change something.
    pub is_post: bool,
    /// What is written on its button.
    pub button: String,
    /// Its fields, in order.
    pub fields: Vec<FormField>,
}

/// A field of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormField {
    /// The name that its value is sent under.
    pub name: String,
    /// What is sent if nobody touches it; nothing for a box that is not ticked.
    pub value: Option<String>,
    /// The value of a box that can be ticked.
    pub tick: Option<String>,
    /// Whether of the boxes of its name only one can be ticked.
    pub is_radio: bool,
    /// The values and labels of its options, where it has some.
    pub options: Vec<(String, String)>,
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormRequest {
    /// Where to, with the fields where nothing is changed.
    pub address: String,
    /// The fields, where something is changed.
    pub body: Option<String>,
}

impl PageForm {
    /// Whether it has a field of a name.
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }

    /// Sets a text, or chooses an option by its label or value. Why not, in a sentence, where that cannot be.
    pub fn set(&mut self, name: &str, wish: &str) -> Result<(), String> {
        let field = self.fields.iter_mut().find(|field| field.name == name && field.tick.is_none());
        let field = field.ok_or_else(|| format!("the form has no field `{name}` to write in"))?;
        field.value = Some(field.meant_by(wish).ok_or_else(|| format!("`{name}` does not offer `{wish}`"))?);
        Ok(())
    }

    /// Ticks the boxes of a name that have one of these values, and no others.
    pub fn tick(&mut self, name: &str, wishes: &[&str]) -> Result<(), String> {
        let mut boxes: Vec<&mut FormField> =
            self.fields.iter_mut().filter(|field| field.name == name && field.tick.is_some()).collect();
        if let Some(unknown) = wishes.iter().find(|wish| !boxes.iter().any(|one| one.tick.as_deref() == Some(wish))) {
            return Err(format!("there is no box `{name}: {unknown}`"));
        }
        if boxes.iter().any(|one| one.is_radio) && wishes.len() > 1 {
            return Err(format!("only one of the boxes `{name}` can be ticked"));
        }
        for one in &mut boxes {
            one.value = one.tick.clone().filter(|value| wishes.contains(&value.as_str()));
        }
        Ok(())
    }

    /// The values of the boxes of a name that can be ticked.
    pub fn boxes<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |field| field.name == name).filter_map(|field| field.tick.as_deref())
    }

    /// What is sent as it stands: all its fields, the empty ones too.
    pub fn request(&self) -> FormRequest {
        let mut encoded = Serializer::new(String::new());
        for field in &self.fields {
            if let Some(value) = &field.value {
                encoded.append_pair(&field.name, value);
            }
        }
        let encoded = encoded.finish();
        if self.is_post {
            return FormRequest { address: self.action.clone(), body: Some(encoded) };
        }
        let path = self.action.split('?').next().unwrap_or(&self.action);
        FormRequest { address: format!("{path}?{encoded}"), body: None }
    }
}

impl FormField {
    /// The value that a text or a label means; nothing where it is not among the options.
    fn meant_by(&self, wish: &str) -> Option<String> {
        if self.options.is_empty() {
            return Some(wish.to_owned());
        }
        let by_label = self.options.iter().find(|(_, label)| label == wish);
        by_label.or_else(|| self.options.iter().find(|(value, _)| value == wish)).map(|(value, _)| value.clone())
    }

    /// The label of what is chosen.
    pub(crate) fn chosen(&self) -> &str {
        let value = self.value.as_deref().unwrap_or_default();
        self.options.iter().find(|(known, _)| known == value).map_or(value, |(_, label)| label)
    }
}
