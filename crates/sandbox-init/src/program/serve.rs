//! Doing what is asked on standard input, one thing after the other, until it is closed.

use std::io;

use crate::protocol::{InitAnswer, InitRequest, read_frame, write_frame};
use crate::started::StartedPrograms;
use crate::{files, kernel, run};

/// Answers until the other end closes.
pub(crate) fn until_closed() -> io::Result<()> {
    kernel::keep_to_ourselves();
    let mut started = StartedPrograms::default();
    let (mut asked, mut told) = (io::stdin().lock(), io::stdout().lock());
    while let Some(frame) = read_frame(&mut asked)? {
        let answer = match InitRequest::decode(&frame) {
            Some(request) => answer(request, &mut started).unwrap_or_else(|why| InitAnswer::Failed(why.to_string())),
            None => InitAnswer::Failed("the request cannot be read".to_owned()),
        };
        write_frame(&mut told, &answer.encode())?;
    }
    Ok(())
}

fn answer(request: InitRequest, started: &mut StartedPrograms) -> io::Result<InitAnswer> {
    match request {
        InitRequest::Run(request) => run::to_its_end(&request).map(InitAnswer::Ran),
        InitRequest::Read { path, offset, max_bytes } => files::read(&path, offset, max_bytes),
        InitRequest::Write { path, bytes } => files::write(&path, &bytes),
        InitRequest::List { path, max_entries } => files::list(&path, max_entries),
        InitRequest::Start(request) => started.start(&request).map(InitAnswer::Started),
        InitRequest::Look { number } => started.look(number).map(InitAnswer::Looked),
    }
}
