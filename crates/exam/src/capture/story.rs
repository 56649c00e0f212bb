//! What happened in an office: who had which address when, who fetched what, and what went out.

use quintain_core::Rng;

use super::messages::HttpForm;
use super::packet::Ipv4;

/// A second and a minute, in microseconds.
pub(super) const SECOND: u64 = 1_000_000;
pub(super) const MINUTE: u64 = 60 * SECOND;
/// How long the sensor listened.
pub(super) const LENGTH: u64 = 120 * MINUTE;
/// The first day that captures are from: 10 March 2025, a quarter to seven in the morning.
const FIRST_DAY: u64 = 1_741_589_100 * SECOND;

const FIRST_NAMES: [&str; 24] = [
    "acct", "audit", "cad", "claims", "cnc", "depot", "design", "desk", "foyer", "garage", "hr", "intake", "kiosk",
    "lab", "ledger", "legal", "press", "print", "purch", "qa", "sales", "ship", "store", "travel",
];
const FOLDERS: [&str; 6] = ["/pkg", "/files/2025", "/dl", "/static/upd", "/media/cache", "/get"];
const FILE_NAMES: [&str; 8] = [
    "viewer_setup.exe",
    "kb4471.cab",
    "fontpack.msi",
    "printer_fix.exe",
    "agenda_march.scr",
    "codec-2.1.exe",
    "vpn_client.msi",
    "scan_0091.exe",
];
const HOSTS: [&str; 6] = [
    "cdn.pellworth.example",
    "files.orrin-print.example",
    "download.tabrix.example",
    "static.quillmart.example",
    "mirror.havenly.example",
    "get.osterby.example",
];

/// A computer of the office.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfficeMachine {
    pub(super) name: String,
    pub(super) mac: [u8; 6],
    pub(super) leases: Vec<AddressLease>,
}

/// An address that a machine had for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AddressLease {
    pub(super) address: Ipv4,
    pub(super) from: u64,
    /// When it was given back, where it was.
    pub(super) to: Option<u64>,
}

/// A file that a machine asked a server for.
#[derive(Clone, Debug)]
pub(super) struct FileFetch {
    pub(super) machine: usize,
    pub(super) at: u64,
    pub(super) server: usize,
    pub(super) path: String,
    pub(super) form: HttpForm,
    pub(super) is_loader: bool,
    /// Whether all of it came.
    pub(super) is_whole: bool,
}

/// A call of the implant to those who sent it; a second one may follow in the same conversation.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeaconCall {
    pub(super) machine: usize,
    pub(super) at: u64,
    pub(super) again: Option<u64>,
}

/// A file that left in the names of DNS questions.
#[derive(Clone, Debug)]
pub(super) struct TunnelSession {
    pub(super) machine: usize,
    pub(super) id: String,
    pub(super) at: u64,
    pub(super) content: Vec<u8>,
    /// Whether all of it left.
    pub(super) is_whole: bool,
}

/// Everything that happened.
#[derive(Clone, Debug)]
pub(super) struct CaptureStory {
    pub(super) began: u64,
    pub(super) machines: Vec<OfficeMachine>,
    pub(super) loader: Vec<u8>,
    pub(super) fetches: Vec<FileFetch>,
    pub(super) beacons: Vec<BeaconCall>,
    pub(super) tunnels: Vec<TunnelSession>,
    /// The zone that files leave in, and the first bytes of what beacons carry.
    pub(super) zone: String,
    pub(super) mark: [u8; 4],
}

/// Which hosts offer files, and where.
pub(super) fn server(number: usize) -> (&'static str, Ipv4) {
    (HOSTS[number], [198, 51, 100, 20 + 7 * number as u8])
}

impl CaptureStory {
    /// What happened, from a seed, in an office of so many machines of which so many were taken over.
    pub(super) fn drawn(seed: u64, n_machines: usize, n_taken: usize) -> Self {
        let rng = &mut Rng::new(seed);
        let began = FIRST_DAY + rng.below(200) as u64 * 24 * 60 * MINUTE + rng.below(3_000_000_000) as u64;
        let n_loader = 14_000 + rng.below(18_000);
        let mut story = Self {
            began,
            machines: machines(rng, n_machines),
            loader: [b"MZ\x90\0\x03\0\0\0".to_vec(), random_bytes(rng, n_loader)].concat(),
            fetches: Vec::new(),
            beacons: Vec::new(),
            tunnels: Vec::new(),
            zone: format!(
                "{}.{}.example",
                rng.choose(&["t", "s1", "x", "q"]),
                rng.choose(&["metricsync", "ntp-status", "pixelgw"])
            ),
            mark: [0x9b, rng.below(256) as u8, rng.below(256) as u8, 1 + rng.below(255) as u8],
        };
        story.lease(rng);
        for machine in 0..n_taken {
            story.take(rng, machine);
        }
        story.decoys(rng, n_taken);
        story
    }

    /// The address that a machine has then.
    pub(super) fn address(&self, machine: usize, at: u64) -> Option<Ipv4> {
        let has = |lease: &&AddressLease| lease.from <= at && lease.to.is_none_or(|to| at < to);
        self.machines[machine].leases.iter().find(has).map(|lease| lease.address)
    }

    /// Most keep an address all the time. The first that is taken over gives its own back, and the last machine gets it;
    /// the second gets what the last but one had.
    fn lease(&mut self, rng: &mut Rng) {
        let mut numbers: Vec<u8> = (40..240).collect();
        rng.shuffle(&mut numbers);
        let address = |at: usize| [10, 20, 0, numbers[at]];
        let n = self.machines.len();
        let of_length = |share: f64| self.began + (LENGTH as f64 * share) as u64;
        for at in 0..n {
            let from = self.began + 20 * SECOND + rng.below((5 * MINUTE) as usize) as u64;
            self.machines[at].leases = vec![AddressLease { address: address(at), from, to: None }];
        }
        let given_back = of_length(0.42) + rng.below((2 * MINUTE) as usize) as u64;
        self.machines[0].leases[0].to = Some(given_back);
        let anew = AddressLease { address: address(n), from: given_back + 3 * MINUTE, to: None };
        self.machines[0].leases.push(anew);
        self.machines[n - 1].leases =
            vec![AddressLease { address: address(0), from: given_back + 5 * MINUTE, to: None }];
        let left = of_length(0.3) + rng.below((2 * MINUTE) as usize) as u64;
        self.machines[n - 2].leases[0].to = Some(left);
        self.machines[1].leases = vec![AddressLease { address: address(n - 2), from: left + 4 * MINUTE, to: None }];
    }

    /// A machine fetches the loader, calls home, and sends a file away.
    fn take(&mut self, rng: &mut Rng, machine: usize) {
        let first = self.machines[machine].leases[0].from;
        let fetched = first + 3 * MINUTE + rng.below((12 * MINUTE) as usize) as u64;
        let form = [HttpForm::Chunked, HttpForm::Gzip, HttpForm::Plain][machine % 3];
        if machine.is_multiple_of(2) {
            // The first attempt broke off.
            self.fetch(rng, machine, fetched - 2 * MINUTE, HttpForm::Plain, (true, false));
        }
        self.fetch(rng, machine, fetched, form, (true, true));
        if machine == 2 {
            self.fetch(rng, machine, fetched + 9 * MINUTE, HttpForm::Plain, (true, true));
        }
        self.call_home(rng, machine, fetched + MINUTE);
        let when = fetched + 8 * MINUTE + rng.below((6 * MINUTE) as usize) as u64;
        self.tunnel(rng, machine, when, machine != 2);
        if machine == 0 {
            // Once more under the other address.
            let when = self.machines[0].leases[1].from + 20 * MINUTE;
            self.tunnel(rng, 0, when, true);
        }
    }

    fn call_home(&mut self, rng: &mut Rng, machine: usize, begin: u64) {
        let period = 200 + rng.below(160);
        let mut at = begin;
        while at < self.began + LENGTH - 5 * MINUTE {
            let near_end = self.address(machine, at + MINUTE).is_none();
            if self.address(machine, at).is_some() && !near_end {
                let again = rng.chance(0.2).then(|| at + 3 * SECOND + rng.below(2_000_000) as u64);
                self.beacons.push(BeaconCall { machine, at, again });
            }
            at += period as u64 * SECOND + rng.below(50_000_000) as u64;
        }
    }

    fn fetch(&mut self, rng: &mut Rng, machine: usize, at: u64, form: HttpForm, (is_loader, is_whole): (bool, bool)) {
        let path = format!("{}/{}", rng.choose(&FOLDERS), rng.choose(&FILE_NAMES));
        let server = rng.below(HOSTS.len());
        self.fetches.push(FileFetch { machine, at, server, path, form, is_loader, is_whole });
    }

    fn tunnel(&mut self, rng: &mut Rng, machine: usize, at: u64, is_whole: bool) {
        let n_bytes = 1200 + rng.below(2400);
        let content = random_bytes(rng, n_bytes);
        let id = format!("{:04x}{:02x}", rng.below(1 << 16), self.tunnels.len());
        self.tunnels.push(TunnelSession { machine, id, at, content, is_whole });
    }

    /// Healthy machines fetch other files, some under the very names that the loader had.
    fn decoys(&mut self, rng: &mut Rng, n_taken: usize) {
        let forms = [HttpForm::Plain, HttpForm::Chunked, HttpForm::Gzip];
        let whole = self.fetches.iter().filter(|fetch| fetch.is_whole);
        let loaders: Vec<String> = whole.map(|fetch| fetch.path.clone()).collect();
        for machine in n_taken..self.machines.len() {
            let lease = self.machines[machine].leases[0];
            let until = lease.to.unwrap_or(self.began + LENGTH) - 3 * MINUTE;
            for _ in 0..2 {
                let at = lease.from + MINUTE + rng.below((until - lease.from - 2 * MINUTE) as usize) as u64;
                let form = *rng.choose(&forms);
                self.fetch(rng, machine, at, form, (false, true));
            }
            if let Some(fetch) = self.fetches.last_mut() {
                fetch.path.clone_from(rng.choose(&loaders));
            }
        }
    }
}

fn machines(rng: &mut Rng, n_machines: usize) -> Vec<OfficeMachine> {
    let mut names = FIRST_NAMES;
    rng.shuffle(&mut names);
    let machine = |name: &str, rng: &mut Rng| OfficeMachine {
        name: format!("{name}-{:02}", 1 + rng.below(40)),
        mac: [0x3c, 0x52, 0x82, rng.below(256) as u8, rng.below(256) as u8, rng.below(256) as u8],
        leases: Vec::new(),
    };
    names[..n_machines].iter().map(|name| machine(name, rng)).collect()
}

/// Bytes of which nothing is known.
pub(super) fn random_bytes(rng: &mut Rng, n: usize) -> Vec<u8> {
    (0..n).map(|_| rng.next_u64() as u8).collect()
}
