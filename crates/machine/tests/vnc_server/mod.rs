//! A screen that is served through VNC in a sandbox, all of it one window that tells what it is sent.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use quintain_machine::VncAddress;
use quintain_process::SweptFolder;
use quintain_process::sandbox::{Sandbox, SandboxCommand, SandboxPlan, SandboxProvider as _, WorkFolder, this_host};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ChangeWindowAttributesAux, ConnectionExt as _, CreateWindowAux, EventMask, KeyPressEvent, Window, WindowClass,
};
use x11rb::rust_connection::{DefaultStream, RustConnection};

use crate::ssh_server::until;

pub(crate) const SIZE: (u32, u32) = (640, 480);
const SOCKET: &str = "screen.sock";

pub(crate) struct VncServer {
    _sandbox: Box<dyn Sandbox>,
    folder: SweptFolder,
    connection: RustConnection,
    window: Window,
}

impl VncServer {
    pub(crate) fn start(security: &[&str]) -> Self {
        Self::in_folder(SweptFolder::new("quintain-vnc-test-").expect("what tests stand on"), security)
    }

    pub(crate) fn with_password(password: &str) -> Self {
        let folder = SweptFolder::new("quintain-vnc-test-").expect("what tests stand on");
        let work = folder.inner("work").expect("what tests stand on");
        let mut packer = Command::new("tigervncpasswd");
        packer.arg("-f").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut packer = packer.spawn().expect("the package tigervnc-tools");
        packer.stdin.take().expect("a pipe").write_all(password.as_bytes()).expect("what tests stand on");
        let secret = packer.wait_with_output().expect("what tests stand on").stdout;
        std::fs::write(work.join("password"), secret).expect("what tests stand on");
        Self::in_folder(folder, &["-SecurityTypes", "VncAuth", "-PasswordFile", "/work/password"])
    }

    fn in_folder(folder: SweptFolder, security: &[&str]) -> Self {
        let inside = PathBuf::from("/work");
        let work = WorkFolder {
            host: folder.inner("work").expect("what tests stand on"),
            inside: inside.clone(),
            max_bytes: 1 << 30,
            max_files: 1000,
        };
        let plan = SandboxPlan { work: Some(work), folder: inside, ..SandboxPlan::default() };
        let host = this_host().expect("what tests stand on");
        let mut sandbox = host.provider.open(&plan).expect("what tests stand on");
        let (size, socket) = (format!("{}x{}", SIZE.0, SIZE.1), format!("/work/{SOCKET}"));
        let usual = ["Xtigervnc", ":5", "-geometry", &size, "-depth", "24", "-nolisten", "tcp"];
        let served = ["-rfbport", "-1", "-rfbunixpath", &socket];
        let started = sandbox.start(&SandboxCommand::of(usual.iter().chain(&served).chain(security).copied()));
        let started = started.expect("what tests stand on");
        let mut stream = None;
        until(|| {
            let state = sandbox.look(started).expect("what tests stand on");
            assert_eq!(state.end, None, "{}", state.printed.text());
            stream = sandbox.connect("/tmp/.X11-unix/X5").ok();
            stream.is_some() && folder.path().join("work").join(SOCKET).exists()
        });
        let (stream, _) = DefaultStream::from_unix_stream(stream.expect("it was there")).expect("what tests stand on");
        let connection = RustConnection::connect_to_stream(stream, 0).expect("what tests stand on");
        let window = whole_window(&connection).expect("what tests stand on");
        Self { _sandbox: sandbox, folder, connection, window }
    }

    pub(crate) fn address(&self) -> VncAddress {
        VncAddress::Socket(self.folder.path().join("work").join(SOCKET))
    }

    /// Paints the whole screen.
    pub(crate) fn paint(&mut self, colour: u32) {
        let coloured = ChangeWindowAttributesAux::new().background_pixel(colour);
        self.connection.change_window_attributes(self.window, &coloured).expect("what tests stand on");
        self.connection.clear_area(false, self.window, 0, 0, 0, 0).expect("what tests stand on");
        self.connection.get_input_focus().expect("what tests stand on").reply().expect("what tests stand on");
    }

    /// So many events that the window is sent: keys by what they can write, buttons by where they were pressed.
    pub(crate) fn taken(&mut self, n_events: usize) -> Vec<String> {
        let mut taken = Vec::new();
        while taken.len() < n_events {
            match self.connection.wait_for_event().expect("what tests stand on") {
                Event::ButtonPress(press) => {
                    taken.push(format!("button {} at {}, {}", press.detail, press.event_x, press.event_y));
                }
                Event::KeyPress(press) => taken.push(format!("key {:x}", self.keysym(press))),
                _ => {}
            }
        }
        taken
    }

    fn keysym(&self, press: KeyPressEvent) -> u32 {
        let asked = self.connection.get_keyboard_mapping(press.detail, 1).expect("what tests stand on");
        let has_shift = u16::from(press.state) & 1;
        asked.reply().expect("what tests stand on").keysyms[usize::from(has_shift)]
    }
}

fn whole_window(connection: &RustConnection) -> Result<Window, Box<dyn std::error::Error>> {
    let root = connection.setup().roots[0].root;
    let window = connection.generate_id()?;
    let wanted = CreateWindowAux::new().event_mask(EventMask::KEY_PRESS | EventMask::BUTTON_PRESS).override_redirect(1);
    let (width, height) = (SIZE.0 as u16, SIZE.1 as u16);
    connection
        .create_window(24, window, root, 0, 0, width, height, 0, WindowClass::INPUT_OUTPUT, 0, &wanted)?
        .check()?;
    connection.map_window(window)?.check()?;
    Ok(window)
}
