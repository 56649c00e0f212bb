//! How an answer is found: what to open, what to look at, what to note.

/// One thing to do on the way to an answer. Whoever has a screen, a keyboard and a mouse can do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waypoint {
    /// An address is typed.
    Visit {
        /// The address.
        address: String,
    },
    /// Words are looked up, and a page among what was found is opened.
    Search {
        /// The words.
        words: String,
        /// The address of the page.
        opens: String,
    },
    /// A link of the page that is open is followed.
    Follow {
        /// Where it leads.
        to: String,
    },
    /// A form of the page that is open is filled in and sent.
    Fill {
        /// Which form of the page, counted from 1.
        form: usize,
        /// What is set.
        entries: Vec<FormEntry>,
        /// What is written on the button.
        button: String,
        /// Which of the buttons with this on it, counted from 1.
        nth: usize,
    },
    /// Something that the page says is brought into view and read.
    See {
        /// What is to be read, as it is shown.
        shown: String,
        /// Whether it is written or only drawn.
        form: ShownForm,
    },
    /// Fields of the answer are noted.
    Note {
        /// Which.
        fields: Vec<String>,
    },
}

impl Waypoint {
    /// How many deeds this takes with mouse and keyboard where nothing has to be scrolled to. A picture is looked at in two.
    pub fn n_deeds(&self) -> usize {
        match self {
            Self::Visit { .. } => 3,
            Self::Search { .. } => 4,
            Self::Follow { .. } | Self::Note { .. } => 1,
            Self::Fill { entries, .. } => 1 + entries.iter().map(FormEntry::n_deeds).sum::<usize>(),
            Self::See { form: ShownForm::Written, .. } => 0,
            Self::See { form: ShownForm::Drawn, .. } => 2,
        }
    }
}

impl FormEntry {
    fn n_deeds(&self) -> usize {
        match self {
            Self::Choose { .. } => 2,
            Self::Write { .. } => 3,
            Self::Tick { .. } => 1,
        }
    }
}

/// What a field of a form is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormEntry {
    /// An option is chosen.
    Choose {
        /// The field.
        name: String,
        /// The value of the option.
        value: String,
    },
    /// A text is typed.
    Write {
        /// The field.
        name: String,
        /// The text.
        text: String,
    },
    /// A box is ticked.
    Tick {
        /// The field.
        name: String,
        /// Its value.
        value: String,
    },
}

/// How something is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownForm {
    /// As text.
    Written,
    /// In a picture: a chart, a map, a scan.
    Drawn,
}
