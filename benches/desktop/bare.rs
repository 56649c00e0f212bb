//! The bare engine: X, its picture and an encoder, with nothing of ours between but the sandbox that they run in.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

use quintain_machine::{AccessibleElement, Machine, MachinePlan, MachineProvider as _, SandboxedDesktop};
use quintain_process::sandbox::{SandboxCommand, SandboxPlan};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::{DefaultStream, RustConnection};

const WALK: &str = "
import time, pyatspi
def walk(a):
    n = 1
    try:
        a.name; a.getRole(); a.getState()
        try: a.queryComponent().getExtents(0)
        except Exception: pass
        for c in a: n += walk(c)
    except Exception: pass
    return n
apps = [a for a in pyatspi.Registry.getDesktop(0)]
t = time.time()
n = sum(walk(a) for a in apps)
print(n, (time.time() - t) * 1000)
";

/// A computer with a program on it that is spoken to directly.
pub(crate) struct BareDesktop {
    machine: Machine,
    connection: RustConnection,
    picture: File,
    size: (u32, u32),
}

impl BareDesktop {
    pub(crate) fn open(program: &str, size: (u32, u32)) -> Self {
        let mut sandbox = SandboxPlan::default();
        for (name, value) in [("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"), ("QTWEBENGINE_DISABLE_SANDBOX", "1")] {
            sandbox.variables.insert(name.to_owned(), value.to_owned());
        }
        let mut machine = SandboxedDesktop.open(&MachinePlan { sandbox, size }).expect("a computer");
        machine.guest.start(&SandboxCommand::of([program])).expect("the program");
        while machine.display.windows().expect("windows").is_empty() {}
        while !machine.display.settle(Duration::from_secs(1)).expect("a screen") {}
        let socket = machine.guest.connect("/tmp/.X11-unix/X0").expect("X");
        let (stream, _) = DefaultStream::from_unix_stream(socket).expect("a stream");
        let connection = RustConnection::connect_to_stream(stream, 0).expect("a connection");
        let picture = machine.guest.watch("/tmp/run/screen/Xvfb_screen0").expect("a picture");
        Self { machine, connection, picture, size }
    }

    /// Moves, clicks, and takes the picture as a PNG.
    pub(crate) fn click(&mut self, (x, y): (u16, u16)) -> Vec<u8> {
        let root = self.connection.setup().roots[0].root;
        for (kind, detail) in [(6, 0), (4, 1), (5, 1)] {
            let sent = self.connection.xtest_fake_input(kind, detail, 0, root, x.cast_signed(), y.cast_signed(), 0);
            sent.expect("an event");
        }
        self.connection.get_input_focus().expect("a question").reply().expect("an answer");
        let (width, height) = self.size;
        let mut bytes = vec![0; width as usize * height as usize * 4];
        let first = self.picture.metadata().expect("a size").len() - bytes.len() as u64;
        self.picture.read_exact_at(&mut bytes, first).expect("a picture");
        let rgb: Vec<u8> = bytes.chunks_exact(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect();
        let mut packed = Vec::new();
        let mut encoder = png::Encoder::new(&mut packed, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().expect("a head");
        writer.write_image_data(&rgb).and_then(|()| writer.finish()).expect("a picture");
        packed
    }

    /// How many elements there are, all of them read by us.
    pub(crate) fn n_elements(&mut self) -> usize {
        let programs = self.machine.display.elements(Duration::from_mins(1)).expect("elements").unwrap_or_default();
        programs.iter().map(AccessibleElement::count).sum()
    }

    /// How many elements pyatspi finds inside the sandbox, and the milliseconds that it takes; nothing where it is missing.
    pub(crate) fn pyatspi(&mut self) -> Option<(usize, f64)> {
        let walked = self.machine.guest.exec(&SandboxCommand::of(["python3", "-c", WALK])).expect("Python");
        let said = String::from_utf8_lossy(&walked.output.head).into_owned();
        let (n_elements, millis) = said.trim().split_once(' ')?;
        Some((n_elements.parse().ok()?, millis.parse().ok()?))
    }
}
