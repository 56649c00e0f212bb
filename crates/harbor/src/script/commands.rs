//! A shell script taken apart into lines and simple commands, as far as it takes to see which programs it runs.

/// A word of a command, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShellWord {
    pub(super) text: String,
    /// Where it begins and ends in the script.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A command without pipes, lists and keywords.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ShellCommand {
    pub(super) words: Vec<ShellWord>,
}

/// What stands on one line, or on several that are one to the shell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ShellLine {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) commands: Vec<ShellCommand>,
}

/// Words that may stand before a program.
const BEFORE: [&str; 16] = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "sudo", "exec", "command", "nohup", "env",
    "-E",
];

impl ShellCommand {
    /// The program's name and what it is given.
    pub(super) fn program(&self) -> (&str, &[ShellWord]) {
        let first = self.words.iter().position(|word| !is_before(&word.text)).unwrap_or(self.words.len());
        match self.words[first..].split_first() {
            Some((program, rest)) => (program.text.rsplit('/').next().unwrap_or_default(), rest),
            None => ("", &[]),
        }
    }

    /// Whether it begins with these words.
    pub(super) fn starts(&self, wanted: &[&str]) -> bool {
        let (program, rest) = self.program();
        let words: Vec<&str> = std::iter::once(program).chain(rest.iter().map(|word| word.text.as_str())).collect();
        words.starts_with(wanted)
    }

    /// Whether it is a shell that runs what it is handed.
    pub(super) fn is_bare_shell(&self) -> bool {
        let (program, rest) = self.program();
        ["sh", "bash"].contains(&program) && rest.iter().all(|word| word.text.starts_with('-'))
    }
}

fn is_before(word: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    BEFORE.contains(&word) || word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// The lines of a script with their commands. Comments and texts that are handed to a command are passed over.
pub(super) fn scan(script: &str) -> Vec<ShellLine> {
    let mut scanner = ShellScanner::default();
    let mut rest = script.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, next)| *next);
        let taken = scanner.take(script, at, c, next);
        while rest.next_if(|(at, _)| *at < taken).is_some() {}
    }
    scanner.end_line(script.len());
    scanner.lines
}

#[derive(Default)]
struct ShellScanner {
    lines: Vec<ShellLine>,
    line: ShellLine,
    command: ShellCommand,
    word: Option<ShellWord>,
    /// Whether the scanner is in double quotes, and whether it was outside each bracket that is open.
    is_quoted: bool,
    outside: Vec<bool>,
    /// The marks that end texts which begin on the next line.
    heredocs: Vec<String>,
    /// Whether the line goes on after its end, as behind a pipe.
    goes_on: bool,
}

impl ShellScanner {
    /// Takes a character, and tells up to where the script was taken.
    fn take(&mut self, script: &str, at: usize, c: char, next: Option<char>) -> usize {
        let one = at + c.len_utf8();
        match c {
            '\\' if next == Some('\n') => one + 1,
            '\\' => self.take_escaped(at, next),
            '"' => {
                self.is_quoted = !self.is_quoted;
                self.extend(at, one, "");
                one
            }
            '$' if next == Some('(') => self.open(at + 2),
            ')' if !self.outside.is_empty() || !self.is_quoted => self.close(one),
            _ if self.is_quoted => self.extend(at, one, c.encode_utf8(&mut [0; 4])),
            '\'' => self.take_quoted(script, at),
            '#' if self.word.is_none() => script[at..].find('\n').map_or(script.len(), |end| at + end),
            '<' if script[at..].starts_with("<<") && !script[at..].starts_with("<<<") => self.take_mark(script, at),
            '\n' => self.take_newline(script, at),
            '(' | '`' | ';' | '&' | '|' => {
                self.end_command();
                self.goes_on = "&|".contains(c);
                one
            }
            _ if c.is_whitespace() => {
                self.end_word();
                one
            }
            _ => self.extend(at, one, c.encode_utf8(&mut [0; 4])),
        }
    }

    fn take_escaped(&mut self, at: usize, next: Option<char>) -> usize {
        let end = at + 1 + next.map_or(0, char::len_utf8);
        self.extend(at, end, &next.map(String::from).unwrap_or_default())
    }

    fn take_quoted(&mut self, script: &str, at: usize) -> usize {
        let inside = &script[at + 1..];
        let len = inside.find('\'').unwrap_or(inside.len());
        let end = (at + len + 2).min(script.len());
        self.extend(at, end, &inside[..len])
    }

    /// `<<EOF`: what follows on the next lines, up to that mark, is no command.
    fn take_mark(&mut self, script: &str, at: usize) -> usize {
        self.end_word();
        let behind = script[at + 2..].trim_start_matches(['-', ' ']);
        let len = behind.find(|c: char| c.is_whitespace() || ";&|<>)".contains(c)).unwrap_or(behind.len());
        self.heredocs.push(behind[..len].replace(['\'', '"', '\\'], ""));
        script.len() - behind.len() + len
    }

    fn take_newline(&mut self, script: &str, at: usize) -> usize {
        let mut end = at;
        for mark in std::mem::take(&mut self.heredocs) {
            let mut passed = (end + 1).min(script.len());
            let mut lines = script[passed..].split_inclusive('\n');
            for line in lines.by_ref() {
                passed += line.len();
                if line.trim() == mark {
                    break;
                }
            }
            end = passed.saturating_sub(usize::from(script[..passed].ends_with('\n'))).max(end);
        }
        let goes_on = self.goes_on && self.command.words.is_empty() && self.word.is_none();
        self.end_command();
        if !goes_on && self.outside.is_empty() {
            self.end_line(end);
        }
        end + usize::from(end == at)
    }

    fn open(&mut self, end: usize) -> usize {
        self.end_command();
        self.outside.push(self.is_quoted);
        self.is_quoted = false;
        end
    }

    fn close(&mut self, end: usize) -> usize {
        self.end_command();
        self.is_quoted = self.outside.pop().unwrap_or(false);
        end
    }

    fn extend(&mut self, at: usize, end: usize, text: &str) -> usize {
        if self.line.commands.is_empty() && self.command.words.is_empty() && self.word.is_none() {
            self.line.start = at;
        }
        let word = self.word.get_or_insert_with(|| ShellWord { text: String::new(), start: at, end });
        word.text.push_str(text);
        word.end = end;
        self.goes_on = false;
        end
    }

    fn end_word(&mut self) {
        self.command.words.extend(self.word.take());
    }

    fn end_command(&mut self) {
        self.end_word();
        let command = std::mem::take(&mut self.command);
        if !command.words.is_empty() {
            self.line.commands.push(command);
        }
    }

    fn end_line(&mut self, end: usize) {
        self.end_command();
        let line = std::mem::take(&mut self.line);
        if !line.commands.is_empty() {
            self.lines.push(ShellLine { end, ..line });
        }
    }
}
