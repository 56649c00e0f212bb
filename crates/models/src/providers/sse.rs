//! Server-sent events: bytes in, events out, however the bytes are cut into chunks.

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// Its name; empty where it has none.
    pub name: String,
    /// Its data, lines joined by line feeds.
    pub data: String,
}

/// Reads a stream of server-sent events.
#[derive(Debug, Default)]
pub struct SseReader {
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
    /// Whether the last byte was a carriage return, so that a line feed behind it belongs to the same line end.
    after_return: bool,
    name: String,
    data: Option<String>,
    began: bool,
}

impl SseReader {
    /// A reader at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a chunk and returns the events that it completes.
    pub fn feed(&mut self, chunk: &[u8]) -> Vec<SseEvent> {
        let mut events = Vec::new();
        for &byte in chunk {
            let ends_line = match byte {
                b'\n' => !self.after_return,
                b'\r' => true,
                _ => {
                    self.line.push(byte);
                    false
                }
            };
            self.after_return = byte == b'\r';
            if ends_line {
                events.extend(self.end_line());
            }
        }
        events
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let line = if self.began { &text } else { text.trim_start_matches('\u{feff}') };
        self.began = true;
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.add(value),
            // Comments (an empty field), ids and retry times are of no use here.
            _ => {}
        }
        None
    }

    fn add(&mut self, value: &str) {
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }

    /// An empty line ends an event; one without data is none.
    fn dispatch(&mut self) -> Option<SseEvent> {
        let name = std::mem::take(&mut self.name);
        self.data.take().map(|data| SseEvent { name, data })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> String {
        let events = SseReader::new().feed(text.as_bytes());
        events.iter().map(|event| format!("{}|{:?}", event.name, event.data)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn events_have_names_and_data() {
        insta::assert_snapshot!(read(
            "\u{feff}event: message_start\ndata: {\"a\":1}\n\n: a comment\n\ndata: one\r\ndata:two\r\n\r\nevent: ping\n\ndata\n\n\
             data: never finished\n"
        ), @r#"
        message_start|"{\"a\":1}"
        |"one\ntwo"
        |""
        "#);
    }

    proptest! {
        #[test]
        fn chunks_make_no_difference(text in "(event: [a-z]{0,3}|data: [äß:a-z ]{0,5}|: x|)(\n|\r\n|\r)|\n\n|(data: é\n\n){1,3}", cuts in prop::collection::vec(0usize..40, 0..6)) {
            let whole = SseReader::new().feed(text.as_bytes());
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let mut reader = SseReader::new();
            let pieces: Vec<SseEvent> =
                cuts.windows(2).flat_map(|pair| reader.feed(&text.as_bytes()[pair[0]..pair[1]])).collect();
            prop_assert_eq!(whole, pieces);
        }

        #[test]
        fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            SseReader::new().feed(&bytes);
        }
    }
}
