//! The mount of a layered tree, between fork and exec: the only file of this crate with `unsafe` in it.

#![deny(clippy::undocumented_unsafe_blocks)]

use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::ptr;

/// An overlay that is mounted for one program and what it starts, and is gone with the last of them.
#[derive(Debug)]
pub(crate) struct LayeredRoot {
    pub(crate) target: CString,
    pub(crate) options: CString,
    /// Who the program becomes when all is mounted; nothing where it stays root.
    pub(crate) user: Option<libc::uid_t>,
}

impl LayeredRoot {
    /// Has a program mount it in a mount namespace of its own before it begins. Only afterwards it becomes the user that it
    /// runs as, so this takes the place of [`CommandExt::uid`], which would come first.
    #[expect(unsafe_code, reason = "what is done between fork and exec is unsafe to ask for")]
    pub(crate) fn mount_before(self, command: &mut Command) {
        let before = move || {
            self.mount()?;
            self.user.map_or(Ok(()), become_user)
        };
        // SAFETY: between fork and exec the closure makes system calls only. All it reads was made before; it takes no memory
        // and no lock, not even for errors, which are numbers.
        unsafe { command.pre_exec(before) };
    }

    fn mount(&self) -> io::Result<()> {
        unshare(libc::CLONE_NEWNS)?;
        // Nothing goes out from here, but what the host unmounts is not held back by us.
        mount(c"none", c"/", None, libc::MS_REC | libc::MS_SLAVE, None)?;
        let flags = libc::MS_NOSUID | libc::MS_NODEV;
        mount(c"overlay", &self.target, Some(c"overlay"), flags, Some(&self.options))
    }
}

#[expect(unsafe_code, reason = "functions of the C library")]
fn become_user(user: libc::uid_t) -> io::Result<()> {
    // SAFETY: numbers, and a list of none. There is one thread after a fork.
    told(unsafe { libc::setgroups(0, ptr::null()) })?;
    // SAFETY: as above.
    told(unsafe { libc::setresgid(user, user, user) })?;
    // SAFETY: as above.
    told(unsafe { libc::setresuid(user, user, user) })
}

#[expect(unsafe_code, reason = "a function of the C library")]
fn unshare(flags: libc::c_int) -> io::Result<()> {
    // SAFETY: a number.
    told(unsafe { libc::unshare(flags) })
}

#[expect(unsafe_code, reason = "a function of the C library")]
fn mount(
    source: &CStr,
    target: &CStr,
    kind: Option<&CStr>,
    flags: libc::c_ulong,
    options: Option<&CStr>,
) -> io::Result<()> {
    let [kind, options] = [kind, options].map(|text| text.map_or(ptr::null(), CStr::as_ptr));
    // SAFETY: every pointer is that of a text that ends with a zero and outlives the call, or none.
    told(unsafe { libc::mount(source.as_ptr(), target.as_ptr(), kind, flags, options.cast()) })
}

fn told(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
