//! What the runner asks the first program of a sandbox, and what it answers: one frame each, in turns.
//!
//! A frame is its length and then its fields, numbers in big endian and everything else preceded by its length. Both ends
//! are of one build, so there are no versions. Names of files are bytes, as they are for the kernel.

use std::io::{self, Read, Write};

/// The longest frame that either end reads.
pub const MAX_FRAME: usize = 64 << 20;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitRequest {
    /// Runs a program to its end.
    Run(CommandRequest),
    /// Reads a stretch of a file.
    Read {
        /// Where it is.
        path: Vec<u8>,
        /// The first byte.
        offset: u64,
        /// No more than so many.
        max_bytes: u64,
    },
    /// Writes a file, and the folders on the way to it.
    Write {
        /// Where it is.
        path: Vec<u8>,
        /// What is written.
        bytes: Vec<u8>,
    },
    /// Lists a folder, sorted by name.
    List {
        /// Where it is.
        path: Vec<u8>,
        /// No more than so many entries.
        max_entries: u64,
    },
    /// Starts a program and leaves it running. Its input is empty, and it has no time limit.
    Start(CommandRequest),
    /// How a program is doing that was started.
    Look {
        /// Which, as it was counted when it was started.
        number: u64,
    },
}

/// A program to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandRequest {
    /// The program and its arguments.
    pub argv: Vec<Vec<u8>>,
    /// The folder that it works in.
    pub folder: Vec<u8>,
    /// What it reads on standard input.
    pub input: Vec<u8>,
    /// How long it may take. It is killed then, with its process group.
    pub millis: u64,
    /// How much of the start and of the end of what it prints is kept, each.
    pub kept_bytes: u64,
    /// What goes to standard error is put between what goes to standard output, as a terminal shows it.
    pub is_joined: bool,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitAnswer {
    /// The program has left.
    Ran(CommandReport),
    /// A stretch of a file, and how long the file is.
    Bytes {
        /// The stretch.
        bytes: Vec<u8>,
        /// The length of the file.
        size: u64,
    },
    /// It is written.
    Written,
    /// What is in a folder.
    Entries {
        /// The first of them.
        entries: Vec<FolderEntry>,
        /// How many there are.
        n_all: u64,
    },
    /// It is started, and counted so.
    Started(u64),
    /// How a program is doing.
    Looked(ProgramState),
    /// It could not be done.
    Failed(String),
}

/// How a program is doing that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramState {
    /// Its number among the processes of the sandbox.
    pub process: u64,
    /// How it left; nothing while it runs.
    pub end: Option<CommandEnd>,
    /// What it has printed so far, errors and all.
    pub printed: KeptOutput,
}

/// How a program left, and what it printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandReport {
    /// How it left.
    pub end: CommandEnd,
    /// What it wrote to standard output.
    pub output: KeptOutput,
    /// What it wrote to standard error.
    pub errors: KeptOutput,
    /// How long it took.
    pub millis: u64,
}

/// How a program left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEnd {
    /// With a status.
    Exited(u32),
    /// By a signal.
    Signalled(u32),
    /// It was killed when its time was over.
    OutOfTime,
}

/// The start and the end of what was printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptOutput {
    /// The first bytes.
    pub head: Vec<u8>,
    /// How many bytes are left out between.
    pub n_left_out: u64,
    /// The last bytes.
    pub tail: Vec<u8>,
}

impl KeptOutput {
    /// For people: bytes that are no text by their sign, and how many are left out.
    pub fn text(&self) -> String {
        if self.n_left_out == 0 {
            return String::from_utf8_lossy(&[&self.head[..], &self.tail[..]].concat()).into_owned();
        }
        let (head, tail) = (String::from_utf8_lossy(&self.head), String::from_utf8_lossy(&self.tail));
        format!("{head}\n[... {} bytes left out ...]\n{tail}", self.n_left_out)
    }
}

/// Something in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// What it is called.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: FolderEntryKind,
    /// How long it is, if it is a file.
    pub size: u64,
}

/// What something in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderEntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, a socket or a pipe.
    Other,
}

/// Writes one frame.
pub fn write_frame(to: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let length = u32::try_from(frame.len()).map_err(|_too_long| io::Error::other("a frame is too long"))?;
    to.write_all(&length.to_be_bytes())?;
    to.write_all(frame)?;
    to.flush()
}

/// Reads one frame; nothing where the other end has closed.
pub fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(io::Error::other(format!("a frame of {length} bytes is announced")));
    }
    let mut frame = vec![0; length];
    from.read_exact(&mut frame)?;
    Ok(Some(frame))
}

impl InitRequest {
    /// As a frame.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Packer::default();
        match self {
            Self::Run(run) => {
                out.number(0).command(run);
            }
            Self::Read { path, offset, max_bytes } => {
                out.number(1).bytes(path).number(*offset).number(*max_bytes);
            }
            Self::Write { path, bytes } => {
                out.number(2).bytes(path).bytes(bytes);
            }
            Self::List { path, max_entries } => {
                out.number(3).bytes(path).number(*max_entries);
            }
            Self::Start(start) => {
                out.number(4).command(start);
            }
            Self::Look { number } => {
                out.number(5).number(*number);
            }
        }
        out.0
    }

    /// From a frame; nothing where it is none.
    pub fn decode(frame: &[u8]) -> Option<Self> {
        let mut from = Unpacker(frame);
        let request = match from.number()? {
            0 => Self::Run(from.command()?),
            1 => Self::Read { path: from.bytes()?, offset: from.number()?, max_bytes: from.number()? },
            2 => Self::Write { path: from.bytes()?, bytes: from.bytes()? },
            3 => Self::List { path: from.bytes()?, max_entries: from.number()? },
            4 => Self::Start(from.command()?),
            5 => Self::Look { number: from.number()? },
            _ => return None,
        };
        from.is_empty().then_some(request)
    }
}

impl InitAnswer {
    /// As a frame.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Packer::default();
        match self {
            Self::Ran(ran) => {
                out.number(0).end(Some(ran.end)).kept(&ran.output).kept(&ran.errors).number(ran.millis);
            }
            Self::Bytes { bytes, size } => {
                out.number(1).bytes(bytes).number(*size);
            }
            Self::Written => {
                out.number(2);
            }
            Self::Entries { entries, n_all } => {
                out.number(3).number(*n_all).number(entries.len() as u64);
                for entry in entries {
                    out.bytes(&entry.name).number(entry.kind as u64).number(entry.size);
                }
            }
            Self::Failed(why) => {
                out.number(4).bytes(why.as_bytes());
            }
            Self::Started(number) => {
                out.number(5).number(*number);
            }
            Self::Looked(state) => {
                out.number(6).number(state.process).end(state.end).kept(&state.printed);
            }
        }
        out.0
    }

    /// From a frame; nothing where it is none.
    pub fn decode(frame: &[u8]) -> Option<Self> {
        let mut from = Unpacker(frame);
        let answer = match from.number()? {
            0 => Self::Ran(CommandReport {
                end: from.end()??,
                output: from.kept()?,
                errors: from.kept()?,
                millis: from.number()?,
            }),
            1 => Self::Bytes { bytes: from.bytes()?, size: from.number()? },
            2 => Self::Written,
            3 => {
                let n_all = from.number()?;
                Self::Entries { n_all, entries: (0..from.number()?).map(|_n| from.entry()).collect::<Option<_>>()? }
            }
            4 => Self::Failed(String::from_utf8_lossy(&from.bytes()?).into_owned()),
            5 => Self::Started(from.number()?),
            6 => Self::Looked(ProgramState { process: from.number()?, end: from.end()?, printed: from.kept()? }),
            _ => return None,
        };
        from.is_empty().then_some(answer)
    }
}

/// A frame that is being written.
#[derive(Default)]
struct Packer(Vec<u8>);

impl Packer {
    fn number(&mut self, number: u64) -> &mut Self {
        self.0.extend(number.to_be_bytes());
        self
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64).0.extend(bytes);
        self
    }

    fn kept(&mut self, kept: &KeptOutput) -> &mut Self {
        self.bytes(&kept.head).number(kept.n_left_out).bytes(&kept.tail)
    }

    fn end(&mut self, end: Option<CommandEnd>) -> &mut Self {
        let (how, detail) = match end {
            Some(CommandEnd::Exited(status)) => (0, status),
            Some(CommandEnd::Signalled(signal)) => (1, signal),
            Some(CommandEnd::OutOfTime) => (2, 0),
            None => (3, 0),
        };
        self.number(how).number(u64::from(detail))
    }

    fn command(&mut self, command: &CommandRequest) -> &mut Self {
        self.number(command.argv.len() as u64);
        for word in &command.argv {
            self.bytes(word);
        }
        self.bytes(&command.folder).bytes(&command.input).number(command.millis).number(command.kept_bytes);
        self.number(u64::from(command.is_joined))
    }
}

/// What is left of a frame that is being read.
struct Unpacker<'a>(&'a [u8]);

impl Unpacker<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_be_bytes(*number))
    }

    fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes.to_vec())
    }

    fn kept(&mut self) -> Option<KeptOutput> {
        Some(KeptOutput { head: self.bytes()?, n_left_out: self.number()?, tail: self.bytes()? })
    }

    /// How a program left, which is nothing while it runs; nothing at all where it cannot be read.
    #[expect(clippy::option_option, reason = "a program that runs is not one that cannot be read")]
    fn end(&mut self) -> Option<Option<CommandEnd>> {
        let (how, detail) = (self.number()?, u32::try_from(self.number()?).ok()?);
        match how {
            0 => Some(Some(CommandEnd::Exited(detail))),
            1 => Some(Some(CommandEnd::Signalled(detail))),
            2 => Some(Some(CommandEnd::OutOfTime)),
            3 => Some(None),
            _ => None,
        }
    }

    fn command(&mut self) -> Option<CommandRequest> {
        Some(CommandRequest {
            argv: (0..self.number()?).map(|_word| self.bytes()).collect::<Option<_>>()?,
            folder: self.bytes()?,
            input: self.bytes()?,
            millis: self.number()?,
            kept_bytes: self.number()?,
            is_joined: self.flag()?,
        })
    }

    fn entry(&mut self) -> Option<FolderEntry> {
        let name = self.bytes()?;
        let kind = match self.number()? {
            0 => FolderEntryKind::File,
            1 => FolderEntryKind::Folder,
            2 => FolderEntryKind::Link,
            3 => FolderEntryKind::Other,
            _ => return None,
        };
        Some(FolderEntry { name, kind, size: self.number()? })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_left_out_of_an_output_is_said() {
        let kept =
            |head: &[u8], n_left_out, tail: &[u8]| KeptOutput { head: head.into(), n_left_out, tail: tail.into() };
        // A letter of two bytes that lies across the middle stays one.
        assert_eq!(kept(b"a\xc3", 0, b"\xa4b").text(), "a\u{e4}b");
        assert_eq!(kept(b"a", 7, b"z").text(), "a\n[... 7 bytes left out ...]\nz");
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(any::<u8>(), 0..40)
    }

    fn commands() -> impl Strategy<Value = CommandRequest> {
        let words = (proptest::collection::vec(bytes(), 0..4), bytes(), bytes(), any::<(u64, u64, bool)>());
        words.prop_map(|(argv, folder, input, (millis, kept_bytes, is_joined))| CommandRequest {
            argv,
            folder,
            input,
            millis,
            kept_bytes,
            is_joined,
        })
    }

    fn ends() -> impl Strategy<Value = CommandEnd> {
        prop_oneof![
            any::<u32>().prop_map(CommandEnd::Exited),
            any::<u32>().prop_map(CommandEnd::Signalled),
            Just(CommandEnd::OutOfTime)
        ]
    }

    fn requests() -> impl Strategy<Value = InitRequest> {
        prop_oneof![
            commands().prop_map(InitRequest::Run),
            commands().prop_map(InitRequest::Start),
            any::<u64>().prop_map(|number| InitRequest::Look { number }),
            (bytes(), any::<(u64, u64)>()).prop_map(|(path, (offset, max_bytes))| InitRequest::Read {
                path,
                offset,
                max_bytes
            }),
            (bytes(), bytes()).prop_map(|(path, bytes)| InitRequest::Write { path, bytes }),
            (bytes(), any::<u64>()).prop_map(|(path, max_entries)| InitRequest::List { path, max_entries }),
        ]
    }

    fn answers() -> impl Strategy<Value = InitAnswer> {
        let kept = || {
            (bytes(), any::<u64>(), bytes()).prop_map(|(head, n_left_out, tail)| KeptOutput { head, n_left_out, tail })
        };
        let kind = prop_oneof![
            Just(FolderEntryKind::File),
            Just(FolderEntryKind::Folder),
            Just(FolderEntryKind::Link),
            Just(FolderEntryKind::Other)
        ];
        let entry = (bytes(), kind, any::<u64>()).prop_map(|(name, kind, size)| FolderEntry { name, kind, size });
        let state = (any::<u64>(), proptest::option::of(ends()), kept());
        prop_oneof![
            state.prop_map(|(process, end, printed)| InitAnswer::Looked(ProgramState { process, end, printed })),
            any::<u64>().prop_map(InitAnswer::Started),
            (ends(), kept(), kept(), any::<u64>()).prop_map(|(end, output, errors, millis)| InitAnswer::Ran(
                CommandReport { end, output, errors, millis }
            )),
            (bytes(), any::<u64>()).prop_map(|(bytes, size)| InitAnswer::Bytes { bytes, size }),
            Just(InitAnswer::Written),
            (proptest::collection::vec(entry, 0..4), any::<u64>())
                .prop_map(|(entries, n_all)| InitAnswer::Entries { entries, n_all }),
            ".*".prop_map(InitAnswer::Failed),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(request in requests(), answer in answers()) {
            prop_assert_eq!(InitRequest::decode(&request.encode()), Some(request));
            prop_assert_eq!(InitAnswer::decode(&answer.encode()), Some(answer));
        }

        /// Those in a sandbox could speak in place of its first program.
        #[test]
        fn nothing_that_is_read_can_break_the_reader(noise in proptest::collection::vec(any::<u8>(), 0..200), cut in 0_usize..200, answer in answers()) {
            InitRequest::decode(&noise);
            InitAnswer::decode(&noise);
            let frame = answer.encode();
            let shorter = &frame[..cut.min(frame.len() - 1)];
            prop_assert_eq!(InitAnswer::decode(shorter), None);
        }
    }

    #[test]
    fn frames_are_told_apart_and_bounded() {
        let mut line = Vec::new();
        write_frame(&mut line, b"one").unwrap();
        write_frame(&mut line, b"").unwrap();
        let mut from = line.as_slice();
        let read = std::iter::from_fn(|| read_frame(&mut from).unwrap()).collect::<Vec<_>>();
        assert_eq!(read, [b"one".to_vec(), Vec::new()]);
        assert!(read_frame(&mut [0xff, 0, 0, 0].as_slice()).is_err());
        assert!(read_frame(&mut [0, 0, 0, 9, 1].as_slice()).is_err());
    }
}
