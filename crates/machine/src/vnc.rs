//! A screen that is reached through VNC.

mod canvas;

use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::runtime::{Builder, Runtime};
use vnc::{
    ClientKeyEvent, ClientMouseEvent, PixelFormat, VncClient, VncConnector, VncEncoding, VncError, VncEvent, X11Event,
};

use crate::accessibility::AccessibleElement;
use crate::display::{Display, InputEvent, OpenWindow};
use crate::machine::MachineFault;
use crate::quiet::{QUIET, QuietSource, wait_until_quiet};
use crate::screen_pixels::ScreenPixels;
use canvas::Canvas;

/// How long a connection may take until its first picture is there.
const OPEN_LIMIT: Duration = Duration::from_secs(20);
/// How long the server may take to take what was sent, before more is sent.
const TAKEN_LIMIT: Duration = Duration::from_secs(5);
/// The protocol has a bit for so many buttons.
const MOST_BUTTONS: u8 = 8;

/// The symbols of the two Shift keys.
const SHIFTS: [u32; 2] = [0xffe1, 0xffe2];

/// Where a screen is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VncAddress {
    /// A host and a port.
    Network(String),
    /// A socket of this host.
    Socket(std::path::PathBuf),
}

/// A screen that is reached through VNC: pixels, mouse and keys. It tells neither of windows nor of elements.
pub struct VncDisplay {
    runtime: Runtime,
    client: VncClient,
    canvas: Canvas,
    pointer: (u16, u16),
    /// The buttons that are down, one bit each.
    buttons: u8,
    /// Whether whoever acts holds Shift.
    has_shift: bool,
    /// How long the server last took to answer.
    round_trip: Duration,
}

impl VncDisplay {
    /// Connects, and waits for the first picture. The password is asked for by some servers.
    pub fn open(address: &VncAddress, password: Option<&str>) -> Result<Self, MachineFault> {
        // A thread of its own: what was sent goes out while nobody waits for an answer.
        let runtime =
            Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(MachineFault::display)?;
        let connected = runtime.block_on(async {
            let connecting = connect(address, password.map(ToOwned::to_owned));
            tokio::time::timeout(OPEN_LIMIT, connecting).await.map_err(|_late| late())?
        });
        let client = connected?;
        let mut display = Self {
            runtime,
            client,
            canvas: Canvas::default(),
            pointer: (0, 0),
            buttons: 0,
            has_shift: false,
            round_trip: Duration::ZERO,
        };
        let deadline = Instant::now() + OPEN_LIMIT;
        while !display.canvas.is_painted() {
            if display.hear(deadline)?.is_none() {
                return Err(late());
            }
        }
        Ok(display)
    }

    fn tell(&self, event: X11Event) -> Result<(), MachineFault> {
        self.runtime.block_on(self.client.input(event)).map_err(broken)
    }

    /// What comes next, put on the canvas; nothing if nothing comes in time. Says how many pixels were painted.
    fn hear(&mut self, deadline: Instant) -> Result<Option<u64>, MachineFault> {
        let heard = self
            .runtime
            .block_on(async { tokio::time::timeout_at(deadline.into(), self.client.recv_event()).await.ok() });
        let Some(event) = heard.transpose().map_err(broken)? else { return Ok(None) };
        let n_painted = match event {
            VncEvent::SetResolution(size) => {
                self.canvas.resize(size.width, size.height);
                0
            }
            VncEvent::RawImage(place, pixels) => self.canvas.paint(place, &pixels),
            VncEvent::Copy(to, from) => self.canvas.copy(from, to),
            VncEvent::Error(why) => return Err(broken(why)),
            _ => 0,
        };
        if n_painted > 0 {
            // The server tells of the next change only if it is asked to.
            self.tell(X11Event::Refresh)?;
        }
        Ok(Some(n_painted))
    }

    /// Asks for the whole screen, which the server shows when it has taken everything before; says whether that was in time.
    fn whole_screen(&mut self, deadline: Instant) -> Result<bool, MachineFault> {
        let asked = Instant::now();
        self.tell(X11Event::FullRefresh)?;
        let mut n_missing = self.canvas.n_pixels();
        while n_missing > 0 {
            let Some(n_painted) = self.hear(deadline)? else { return Ok(false) };
            n_missing = n_missing.saturating_sub(n_painted);
        }
        self.round_trip = asked.elapsed();
        Ok(true)
    }

    fn point(&self) -> Result<(), MachineFault> {
        let (position_x, position_y) = self.pointer;
        self.tell(X11Event::PointerEvent(ClientMouseEvent { position_x, position_y, bottons: self.buttons }))
    }

    /// A key goes down or up. People hold Shift for some letters, and servers guess what to do where nobody does.
    fn stroke(&mut self, keysym: u32, is_down: bool) -> Result<(), MachineFault> {
        if SHIFTS.contains(&keysym) {
            self.has_shift = is_down;
        }
        let key = |keycode| X11Event::KeyEvent(ClientKeyEvent { keycode, down: is_down });
        if self.has_shift || !wants_shift(keysym) {
            return self.tell(key(keysym));
        }
        let [first, second] = if is_down { [SHIFTS[0], keysym] } else { [keysym, SHIFTS[0]] };
        self.tell(key(first)).and_then(|()| self.tell(key(second)))
    }

    fn send_one(&mut self, event: InputEvent) -> Result<(), MachineFault> {
        match event {
            InputEvent::Pointer { x, y } => {
                self.pointer = (x, y);
                self.point()
            }
            InputEvent::Button { number, is_down } if (1..=MOST_BUTTONS).contains(&number) => {
                let bit = 1 << (number - 1);
                self.buttons = if is_down { self.buttons | bit } else { self.buttons & !bit };
                self.point()
            }
            InputEvent::Button { .. } => Ok(()),
            InputEvent::Key { keysym, is_down } => self.stroke(keysym, is_down),
            InputEvent::Taken => self.whole_screen(Instant::now() + TAKEN_LIMIT).map(|_is_taken| ()),
            InputEvent::Pause { millis } => {
                let until = Instant::now() + Duration::from_millis(millis);
                while self.hear(until)?.is_some() {}
                Ok(())
            }
        }
    }
}

async fn connect(address: &VncAddress, password: Option<String>) -> Result<VncClient, MachineFault> {
    match address {
        VncAddress::Network(place) => {
            let stream = TcpStream::connect(place).await.map_err(|error| broken(format!("{place}: {error}")))?;
            stream.set_nodelay(true).map_err(broken)?;
            greet(stream, password).await
        }
        VncAddress::Socket(path) => {
            let stream = UnixStream::connect(path).await;
            greet(stream.map_err(|error| broken(format!("{}: {error}", path.display())))?, password).await
        }
    }
}

async fn greet<S>(stream: S, password: Option<String>) -> Result<VncClient, MachineFault>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + Sync + 'static,
{
    let encodings = [VncEncoding::Zrle, VncEncoding::CopyRect, VncEncoding::Raw, VncEncoding::DesktopSizePseudo];
    let connector = VncConnector::new(stream)
        .set_auth_method(async move { password.ok_or(VncError::NoPassword) })
        .set_pixel_format(PixelFormat::bgra())
        .allow_shared(true);
    let connector = encodings.into_iter().fold(connector, VncConnector::add_encoding);
    let state = connector.build().map_err(refused)?.try_start().await.map_err(refused)?;
    state.finish().map_err(refused)
}

/// Why nobody is let in.
fn refused(error: VncError) -> MachineFault {
    match error {
        VncError::NoPassword => broken("the server asks for a password, and none is given"),
        VncError::General(why) => broken(why),
        other => broken(other),
    }
}

/// Whether a keyboard writes it with Shift, as the usual one has it.
fn wants_shift(keysym: u32) -> bool {
    char::from_u32(keysym)
        .is_some_and(|letter| letter.is_ascii_uppercase() || "~!@#$%^&*()_+{}|:\"<>?".contains(letter))
}

fn late() -> MachineFault {
    MachineFault::Stuck("the screen was not shown".to_owned())
}

fn broken(error: impl std::fmt::Display) -> MachineFault {
    MachineFault::Display(format!("VNC: {error}"))
}

impl QuietSource for VncDisplay {
    fn painted(&mut self, until: Instant) -> Result<bool, MachineFault> {
        while let Some(n_painted) = self.hear(until)? {
            if n_painted > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn taken(&mut self, deadline: Instant) -> Result<bool, MachineFault> {
        self.whole_screen(deadline)
    }

    /// What is painted is seen only when it has come all the way.
    fn quiet(&self) -> Duration {
        QUIET + self.round_trip
    }
}

impl Display for VncDisplay {
    fn size(&self) -> (u32, u32) {
        self.canvas.size()
    }

    fn capture(&mut self) -> Result<ScreenPixels, MachineFault> {
        if !self.whole_screen(Instant::now() + TAKEN_LIMIT)? {
            return Err(late());
        }
        Ok(self.canvas.pixels())
    }

    fn send(&mut self, events: &[InputEvent]) -> Result<(), MachineFault> {
        events.iter().try_for_each(|event| self.send_one(*event))
    }

    fn settle(&mut self, within: Duration) -> Result<bool, MachineFault> {
        wait_until_quiet(self, within)
    }

    fn windows(&mut self) -> Result<Vec<OpenWindow>, MachineFault> {
        Ok(Vec::new())
    }

    fn elements(&mut self, _within: Duration) -> Result<Option<Vec<AccessibleElement>>, MachineFault> {
        Ok(None)
    }
}
