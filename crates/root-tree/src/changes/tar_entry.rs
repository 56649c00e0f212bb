//! Entries of a tar, as they are written and read here: names as bytes, long ones in an entry before.

use std::io::{self, Read, Write};

use tar::{Entries, EntryType, Header};

const BLOCK: usize = 512;
/// What fits into the header of an entry.
const SHORT: usize = 100;
/// The longest name that a path of the kernel can be.
const LONGEST: u64 = 4096;
/// What an entry is called that holds the name of the next.
const LONG_NAME: &[u8] = b"././@LongLink";

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EntryBody {
    /// A regular file of so many bytes.
    File(u64),
    Folder,
    Link(Vec<u8>),
}

/// An entry without what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TarEntry {
    pub(super) name: Vec<u8>,
    pub(super) mode: u32,
    pub(super) body: EntryBody,
}

impl TarEntry {
    /// Writes it, with the bytes of a file.
    pub(super) fn write(&self, content: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
        let (kind, size, link) = match &self.body {
            EntryBody::File(size) => (EntryType::Regular, *size, &[][..]),
            EntryBody::Folder => (EntryType::Directory, 0, &[][..]),
            EntryBody::Link(link) => (EntryType::Symlink, 0, link.as_slice()),
        };
        for (kind, name) in [(EntryType::GNULongLink, link), (EntryType::GNULongName, &self.name)] {
            if name.len() > SHORT {
                out.write_all(header(kind, LONG_NAME, b"", 0, name.len() as u64).as_bytes())?;
                padded(&mut &*name, name.len() as u64, out)?;
            }
        }
        let [name, link] = [&self.name, link].map(|name| &name[..name.len().min(SHORT)]);
        out.write_all(header(kind, name, link, self.mode, size).as_bytes())?;
        padded(content, size, out)
    }
}

/// Says that there are no more.
pub(super) fn end(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&[0; 2 * BLOCK])
}

fn header(kind: EntryType, name: &[u8], link: &[u8], mode: u32, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.as_old_mut().linkname[..link.len()].copy_from_slice(link);
    header.set_mode(mode);
    header.set_size(size);
    for number in [Header::set_uid, Header::set_gid, Header::set_mtime] {
        number(&mut header, 0);
    }
    header.set_cksum();
    header
}

/// So many bytes and no others, up to the end of a block.
fn padded(content: &mut dyn Read, size: u64, out: &mut dyn Write) -> io::Result<()> {
    if io::copy(&mut content.take(size), out)? != size {
        return Err(io::Error::other("it became shorter while it was read"));
    }
    let rest = (size % BLOCK as u64) as usize;
    out.write_all(&[0; BLOCK][..if rest == 0 { 0 } else { BLOCK - rest }])
}

/// The next entry, and where its bytes are read; nothing at the end.
pub(super) fn next<'a, R: Read>(entries: &mut Entries<'a, R>) -> io::Result<Option<(TarEntry, tar::Entry<'a, R>)>> {
    let (mut long_name, mut long_link) = (None, None);
    for entry in entries {
        let mut entry = entry?;
        let kept = match entry.header().entry_type() {
            EntryType::GNULongName => &mut long_name,
            EntryType::GNULongLink => &mut long_link,
            kind => return Ok(Some((read(kind, &entry, long_name, long_link)?, entry))),
        };
        if entry.header().size()? > LONGEST {
            return Err(io::Error::other("a name is longer than any path"));
        }
        let mut name = Vec::new();
        entry.read_to_end(&mut name)?;
        *kept = Some(name);
    }
    if long_name.is_some() || long_link.is_some() { Err(io::Error::other("it ends after a name")) } else { Ok(None) }
}

fn read(
    kind: EntryType,
    entry: &tar::Entry<'_, impl Read>,
    long_name: Option<Vec<u8>>,
    long_link: Option<Vec<u8>>,
) -> io::Result<TarEntry> {
    let old = entry.header().as_old();
    let body = match kind {
        EntryType::Regular => EntryBody::File(entry.header().size()?),
        EntryType::Directory => EntryBody::Folder,
        EntryType::Symlink => EntryBody::Link(long_link.unwrap_or_else(|| until_zero(&old.linkname))),
        other => return Err(io::Error::other(format!("an entry of kind {:?}", char::from(other.as_byte())))),
    };
    let name = long_name.unwrap_or_else(|| until_zero(&old.name));
    Ok(TarEntry { name, mode: entry.header().mode()?, body })
}

fn until_zero(field: &[u8]) -> Vec<u8> {
    field.iter().copied().take_while(|byte| *byte != 0).collect()
}
