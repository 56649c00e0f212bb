//! The programs that a line of a shell starts, as far as one sees without running it.

/// How deep scripts in scripts are looked at.
const MAX_DEPTH: usize = 4;

/// One program and its arguments, without quotes.
pub(super) type CommandWords = Vec<String>;

/// All programs that a script names, those in substitutions and in scripts for other shells included.
pub(super) fn commands(script: &str) -> Vec<CommandWords> {
    let mut found = Vec::new();
    collect(script, MAX_DEPTH, &mut found);
    found
}

fn collect(script: &str, depth: usize, found: &mut Vec<CommandWords>) {
    let mut splitter = CommandSplitter::default();
    splitter.read(script);
    for words in splitter.commands {
        if let Some(inner) = shell_script(&words).filter(|_script| depth > 0) {
            collect(inner, depth - 1, found);
        }
        found.push(plain(words));
    }
    if depth > 0 {
        splitter.inner.iter().for_each(|inner| collect(inner, depth - 1, found));
    }
}

/// What `sh -c` and its kin are given.
fn shell_script(words: &[String]) -> Option<&str> {
    let shell = words.iter().position(|word| ["sh", "bash", "dash"].contains(&base_name(word)))?;
    let flag = words[shell..].iter().position(|word| word.starts_with('-') && word.ends_with('c'))?;
    words.get(shell + flag + 1).map(String::as_str)
}

/// A command without what stands before its program.
fn plain(words: CommandWords) -> CommandWords {
    let before = [
        "!", "if", "then", "else", "elif", "do", "while", "until", "sudo", "exec", "env", "time", "command", "nohup",
        "yes",
    ];
    let is_before = |word: &String| {
        let is_set =
            word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        is_set || before.contains(&word.as_str())
    };
    words.into_iter().skip_while(is_before).collect()
}

/// The last part of a path.
pub(super) fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[derive(Default)]
struct CommandSplitter {
    commands: Vec<CommandWords>,
    /// What stands in substitutions within quotes.
    inner: Vec<String>,
}

impl CommandSplitter {
    fn read(&mut self, script: &str) {
        let (mut words, mut word): (CommandWords, Option<String>) = Default::default();
        let mut rest = script.char_indices();
        let mut quote = None;
        while let Some((at, c)) = rest.next() {
            match (c, quote) {
                (_, Some(open)) if c == open => quote = None,
                ('\\', None | Some('"')) => word.get_or_insert_default().extend(rest.next().map(|(_, c)| c)),
                ('"' | '\'', None) => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                ('$' | '`', Some('"')) => {
                    self.inner.extend(substituted(&script[at..]));
                    word.get_or_insert_default().push(c);
                }
                (';' | '&' | '|' | '\n' | '(' | ')' | '{' | '}' | '`', None) => {
                    words.extend(word.take());
                    self.commands.push(std::mem::take(&mut words));
                }
                (_, None) if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        self.commands.push(words);
        self.commands.retain(|command| !command.is_empty());
    }
}

/// What a substitution holds, up to the next closing sign: enough to see which program it starts.
fn substituted(from: &str) -> Option<String> {
    let (inner, close) =
        if let Some(inner) = from.strip_prefix("$(") { (inner, ')') } else { (from.strip_prefix('`')?, '`') };
    Some(inner.split(close).next().unwrap_or(inner).to_owned())
}
