//! A computer elsewhere: a real VNC server in a sandbox and a real SSH server on loopback.

mod ssh_server;
mod vnc_server;

use std::path::Path;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_machine::{
    DesktopHand, Display, Machine, MachineFault, MachinePlan, MachineProvider as _, RemoteDesktop, VncAddress,
    VncDisplay,
};
use quintain_process::sandbox::{SandboxCommand, SandboxPlan};
use ssh_server::SshServer;
use vnc_server::{SIZE, VncServer};

const MINUTE: Duration = Duration::from_mins(1);

fn act(display: &mut dyn Display, action: &str) {
    let action: Action = serde_json::from_str(action).expect("what tests stand on");
    let events = DesktopHand::new(SIZE).events(&action, &[]).expect("what tests stand on");
    display.send(&events).expect("what tests stand on");
    assert!(display.settle(MINUTE).expect("what tests stand on"), "the screen does not become quiet");
}

/// The colour of the whole screen but for its corner, where the pointer may be.
fn colour(display: &mut dyn Display) -> [u8; 3] {
    let shown = display.capture().expect("what tests stand on");
    assert_eq!((shown.width, shown.height), SIZE);
    let [.., red, green, blue] = shown.rgb[..] else { panic!("there are no pixels") };
    [red, green, blue]
}

#[test]
fn a_screen_is_seen_and_used_through_vnc() {
    let mut server = VncServer::start(&["-SecurityTypes", "None"]);
    let mut display = VncDisplay::open(&server.address(), None).unwrap();
    assert_eq!(display.size(), SIZE);
    server.paint(0x20_40_60);
    assert!(display.settle(MINUTE).unwrap());
    assert_eq!(colour(&mut display), [0x20, 0x40, 0x60]);
    act(&mut display, r#"{"do": "click", "at": {"x": 123, "y": 45}}"#);
    act(&mut display, r#"{"do": "scroll", "at": {"x": 7, "y": 8}, "dx": 0, "dy": 100}"#);
    act(&mut display, r#"{"do": "type", "text": "aZ4?€"}"#);
    insta::assert_snapshot!(server.taken(9).join("\n"), @"
    button 1 at 123, 45
    button 5 at 7, 8
    key 61
    key ffe1
    key 5a
    key 34
    key ffe1
    key 3f
    key 10020ac
    ");
    server.paint(0xf0_10_00);
    assert!(display.settle(MINUTE).unwrap());
    assert_eq!(colour(&mut display), [0xf0, 0x10, 0x00]);
    assert_eq!(display.elements(MINUTE).unwrap(), None);
}

#[test]
fn who_knows_the_password_is_let_in() {
    let password = "pa55word";
    let server = VncServer::with_password(password);
    assert!(VncDisplay::open(&server.address(), Some(password)).is_ok());
    let refused = VncDisplay::open(&server.address(), Some("another")).err().unwrap();
    insta::assert_snapshot!(refused, @"the display broke: VNC: Authentication failure");
    let refused = VncDisplay::open(&server.address(), None).err().unwrap();
    insta::assert_snapshot!(refused, @"the display broke: VNC: the server asks for a password, and none is given");
}

#[test]
fn a_screen_that_is_gone_is_a_fault() {
    let nowhere = VncAddress::Network("127.0.0.1:1".to_owned());
    insta::assert_snapshot!(VncDisplay::open(&nowhere, None).err().unwrap(), @"the display broke: VNC: 127.0.0.1:1: Connection refused (os error 111)");
    let server = VncServer::start(&["-SecurityTypes", "None"]);
    let mut display = VncDisplay::open(&server.address(), None).unwrap();
    drop(server);
    let gone = display.settle(MINUTE).and_then(|_is_quiet| display.capture()).unwrap_err();
    assert!(matches!(gone, MachineFault::Display(_)), "{gone:?}");
}

fn opened(server: &VncServer, ssh: &SshServer, plan: &MachinePlan) -> Result<Machine, MachineFault> {
    RemoteDesktop { screen: server.address(), password: None, reach: ssh.reach() }.open(plan)
}

#[test]
fn programs_and_files_are_reached_through_ssh() {
    let (server, ssh) = (VncServer::start(&["-SecurityTypes", "None"]), SshServer::start());
    let plan = MachinePlan { sandbox: SandboxPlan::default(), size: SIZE };
    let mut machine = opened(&server, &ssh, &plan).unwrap();
    let note = ssh.folder().join("note.txt").to_string_lossy().into_owned();
    machine.guest.put(&note, b"from here").unwrap();
    let read = machine.guest.exec(&SandboxCommand::of(["sh", "-c", &format!("pwd; cat {note}; exit 3")])).unwrap();
    assert_eq!(format!("{:?} {}", read.end, read.output.text()), "Exited(3) /tmp\nfrom here");
    assert_eq!(machine.guest.get(&note, 5, 100).unwrap(), (b"here".to_vec(), 9));
    let missing = machine.guest.get("/nowhere", 0, 1).unwrap_err();
    insta::assert_snapshot!(missing, @"No such file or directory (os error 2)");
    let started = machine.guest.start(&SandboxCommand::of(["sleep", "1000"])).unwrap();
    let state = machine.guest.look(started).unwrap();
    assert_eq!(state.end, None);
    let process = format!("/proc/{}", state.process);
    assert!(Path::new(&process).exists());
    drop(machine);
    ssh_server::until(|| !Path::new(&process).exists());
}

#[test]
fn what_a_computer_elsewhere_is_not_is_said() {
    let (server, ssh) = (VncServer::start(&["-SecurityTypes", "None"]), SshServer::start());
    let plan = |sandbox: SandboxPlan, size| MachinePlan { sandbox, size };
    let said =
        |machine: Result<Machine, MachineFault>| machine.err().map(|fault| fault.to_string()).unwrap_or_default();
    let larger = said(opened(&server, &ssh, &plan(SandboxPlan::default(), (800, 600))));
    let mut with_variables = SandboxPlan::default();
    with_variables.variables.insert("A".to_owned(), "b".to_owned());
    let variables = said(opened(&server, &ssh, &plan(with_variables, SIZE)));
    let nobody = RemoteDesktop { screen: server.address(), password: None, reach: ssh.reach_with_wrong_key() };
    let nobody = said(nobody.open(&plan(SandboxPlan::default(), SIZE)));
    insta::assert_snapshot!([larger, variables, nobody].join("\n"), @"
    the screen has 640x480 pixels, and 800x600 are wanted
    a computer elsewhere cannot be given variables
    the sandbox broke: the computer is not reached: root@127.0.0.1: Permission denied (publickey).
    ");
}
