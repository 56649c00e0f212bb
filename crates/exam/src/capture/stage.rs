//! What the sensor saw of a story.

use quintain_core::Rng;

use super::messages::{DhcpKind, DhcpMessage, HttpForm, base32, dns, found, get, post_head};
use super::packet::{CapturedPacket, Ipv4, SocketEnd, udp};
use super::story::{BeaconCall, CaptureStory, FileFetch, LENGTH, MINUTE, SECOND, TunnelSession, random_bytes, server};
use super::talk::{TalkEnd, TcpTalk, Weather};

const RESOLVER: Ipv4 = [10, 9, 0, 2];
const UPSTREAM: Ipv4 = [192, 0, 2, 53];
const DHCP_SERVER: Ipv4 = [10, 9, 0, 5];
const RELAY: Ipv4 = [10, 20, 0, 1];
/// Where beacons go.
pub(super) const C2: [(&str, Ipv4); 2] =
    [("stats.velmora.example", [203, 0, 113, 77]), ("img.brixton-ads.example", [203, 0, 113, 142])];
/// Where honest programs send what they counted.
const TELEMETRY: (&str, Ipv4) = ("telemetry.tabrix.example", [198, 51, 100, 201]);
const SITES: [(&str, Ipv4); 5] = [
    ("www.harbourpost.example", [192, 0, 2, 80]),
    ("intranet.office.example", [10, 9, 0, 20]),
    ("maps.wayfare.example", [192, 0, 2, 113]),
    ("mail.office.example", [10, 9, 0, 25]),
    ("news.larkfield.example", [192, 0, 2, 140]),
];
/// How many bytes of a file go into one question.
const PER_QUESTION: usize = 60;
const TXT: u16 = 16;

/// The packets while they are collected.
pub(super) struct CaptureStage<'a> {
    story: &'a CaptureStory,
    rng: Rng,
    packets: Vec<CapturedPacket>,
    /// How many ports were opened so far: none is opened twice before all were.
    n_ports: u16,
}

/// All that the sensor saw, with so many visits of ordinary pages.
pub(super) fn played(story: &CaptureStory, seed: u64, n_visits: usize) -> Vec<CapturedPacket> {
    let mut stage = CaptureStage { story, rng: Rng::for_purpose(seed, "packets"), packets: Vec::new(), n_ports: 0 };
    stage.dhcp();
    story.fetches.iter().for_each(|fetch| stage.fetch(fetch));
    for (at, call) in story.beacons.iter().enumerate() {
        let is_first = story.beacons[..at].iter().all(|other| other.machine != call.machine);
        stage.beacon(call, is_first);
    }
    story.tunnels.iter().for_each(|session| stage.tunnel(session));
    for _ in 0..n_visits {
        stage.everyday();
    }
    stage.packets
}

impl CaptureStage<'_> {
    fn end_of(&mut self, address: Ipv4) -> SocketEnd {
        self.n_ports += 1;
        SocketEnd { address, port: 49_152 + (u32::from(self.n_ports) * 4567 % 16_000) as u16 }
    }

    fn datagram(&mut self, at: u64, from: SocketEnd, to: SocketEnd, content: &[u8]) {
        self.packets.push(CapturedPacket { at, bytes: udp(from, to, content) });
    }

    fn dhcp(&mut self) {
        for machine in &self.story.machines {
            for lease in &machine.leases {
                let message = |kind, transaction, address| DhcpMessage {
                    kind,
                    transaction,
                    mac: machine.mac,
                    name: &machine.name,
                    address,
                    relay: RELAY,
                    server: DHCP_SERVER,
                };
                let number = self.rng.next_u64() as u32;
                let kinds = [DhcpKind::Discover, DhcpKind::Offer, DhcpKind::Request, DhcpKind::Ack];
                for (step, kind) in kinds.into_iter().enumerate() {
                    let at = lease.from - SECOND + step as u64 * 30_000;
                    self.relayed(at, &message(kind, number, lease.address));
                }
                if let Some(to) = lease.to {
                    self.relayed(to, &message(DhcpKind::Release, number ^ 0x55, lease.address));
                }
            }
        }
    }

    fn relayed(&mut self, at: u64, message: &DhcpMessage<'_>) {
        let server = SocketEnd { address: DHCP_SERVER, port: 67 };
        let relay = match message.kind {
            DhcpKind::Release => SocketEnd { address: message.address, port: 68 },
            _ => SocketEnd { address: RELAY, port: 67 },
        };
        let is_answer = matches!(message.kind, DhcpKind::Offer | DhcpKind::Ack);
        let (from, to) = if is_answer { (server, relay) } else { (relay, server) };
        self.datagram(at, from, to, &message.written());
    }

    /// A name is looked up: the resolver asks another where it does not know.
    fn look_up(&mut self, at: u64, client: Ipv4, name: &str, kind: u16, answer: &[u8]) {
        let number = self.rng.next_u64() as u16;
        let (asking, resolver) = (self.end_of(client), SocketEnd { address: RESOLVER, port: 53 });
        let (onward, upstream) = (self.end_of(RESOLVER), SocketEnd { address: UPSTREAM, port: 53 });
        let (question, told) = (dns(number, name, kind, None), dns(number, name, kind, Some(answer)));
        let forwarded = dns(number ^ 0x1234, name, kind, None);
        let told_onward = dns(number ^ 0x1234, name, kind, Some(answer));
        self.datagram(at, asking, resolver, &question);
        self.datagram(at + 900, onward, upstream, &forwarded);
        self.datagram(at + 19_000, upstream, onward, &told_onward);
        self.datagram(at + 19_700, resolver, asking, &told);
    }

    fn fetch(&mut self, fetch: &FileFetch) {
        let Some(client) = self.story.address(fetch.machine, fetch.at) else { return };
        let (host, address) = server(fetch.server);
        self.look_up(fetch.at - 120_000, client, host, 1, &address);
        let client = self.end_of(client);
        let content = self.content_of(fetch);
        let weather = if fetch.is_loader { Weather::Foul } else { *self.rng.choose(&[Weather::Fair, Weather::Foul]) };
        let server = SocketEnd { address, port: 80 };
        let mut talk = TcpTalk::open(&mut self.rng, client, server, fetch.at - 60_000, weather);
        talk.wait_until(fetch.at);
        talk.ask(&get(host, &fetch.path));
        let answer = found(fetch.form, "application/octet-stream", &content);
        let (n_sent, end) =
            if fetch.is_whole { (answer.len(), TalkEnd::Closed) } else { (answer.len() / 2, TalkEnd::Reset) };
        talk.answer(&answer[..n_sent]);
        self.packets.extend(talk.end(end));
    }

    /// The loader, or something of about its size that begins like it.
    fn content_of(&mut self, fetch: &FileFetch) -> Vec<u8> {
        let mut content = self.story.loader.clone();
        if !fetch.is_loader {
            let n = content.len() - self.rng.below(3000);
            content.truncate(600);
            content.extend(random_bytes(&mut self.rng, n));
        }
        content
    }

    fn beacon(&mut self, call: &BeaconCall, is_first: bool) {
        let Some(client) = self.story.address(call.machine, call.at) else { return };
        let (host, address) = C2[call.machine % C2.len()];
        if is_first {
            self.look_up(call.at - 200_000, client, host, 1, &address);
        }
        let client = self.end_of(client);
        let weather = if is_first || self.rng.chance(0.35) { Weather::Foul } else { Weather::Fair };
        let mark = self.story.mark;
        let mut bodies = Vec::new();
        for _ in 0..=usize::from(call.again.is_some()) {
            let n_bytes = 60 + self.rng.below(300);
            bodies.push([mark.to_vec(), random_bytes(&mut self.rng, n_bytes)].concat());
        }
        let server = SocketEnd { address, port: 80 };
        let mut talk = TcpTalk::open(&mut self.rng, client, server, call.at - 60_000, weather);
        for (at, body) in [Some(call.at), call.again].into_iter().flatten().zip(bodies) {
            talk.wait_until(at);
            talk.ask(&post_head(host, "/api/v2/sync", body.len()));
            talk.ask(&body);
            talk.answer(&found(HttpForm::Plain, "text/plain", b"ok"));
        }
        self.packets.extend(talk.end(TalkEnd::Closed));
    }

    /// Questions whose names hold a file: not in its order, some asked twice.
    fn tunnel(&mut self, session: &TunnelSession) {
        let Some(client) = self.story.address(session.machine, session.at) else { return };
        let pieces: Vec<&[u8]> = session.content.chunks(PER_QUESTION).collect();
        let mut order: Vec<usize> = (0..pieces.len()).collect();
        for window in order.chunks_mut(5) {
            self.rng.shuffle(window);
        }
        let repeated: Vec<usize> = order.iter().copied().filter(|_| self.rng.chance(0.15)).collect();
        order.extend(repeated.into_iter().chain([0]));
        if !session.is_whole {
            let lost = pieces.len() / 2;
            order.retain(|at| *at != lost);
        }
        let mut at = session.at;
        for number in order {
            let name = self.question(session, number, pieces[number], pieces.len());
            self.look_up(at, client, &name, TXT, b"\x02ok");
            at += 300_000 + self.rng.below(900_000) as u64;
        }
    }

    fn question(&mut self, session: &TunnelSession, number: usize, piece: &[u8], n_all: usize) -> String {
        let coded = base32(piece);
        let (one, other) = coded.split_at(coded.len() / 2);
        let name = format!("{number:x}-{n_all:x}.{one}.{other}.{}.{}", session.id, self.story.zone);
        // Resolvers play with capital letters, to know their answers again.
        name.chars().map(|letter| if self.rng.chance(0.5) { letter.to_ascii_uppercase() } else { letter }).collect()
    }

    /// Something that happens in every office.
    fn everyday(&mut self) {
        let machine = self.rng.below(self.story.machines.len());
        let at = self.story.began + MINUTE + self.rng.below((LENGTH - 3 * MINUTE) as usize) as u64;
        let is_there = |at: u64| self.story.address(machine, at);
        let (Some(client), Some(_), Some(_)) = (is_there(at), is_there(at + 20 * SECOND), is_there(at - 2 * SECOND))
        else {
            return;
        };
        match self.rng.below(10) {
            0..=3 => self.page(at, client),
            4..=6 => self.secret(at, client),
            7 => self.telemetry(at, client),
            8 => self.look_at_odd_name(at, client),
            _ => self.clock(at, client),
        }
    }

    fn page(&mut self, at: u64, client: Ipv4) {
        let (host, address) = *self.rng.choose(&SITES);
        self.look_up(at - 100_000, client, host, 1, &address);
        let client = self.end_of(client);
        let words = 40 + self.rng.below(400);
        let page = format!("<html><body>{}</body></html>\n", "<p>All quiet on the quay today.</p>\n".repeat(words / 4));
        let weather = if self.rng.chance(0.2) { Weather::Foul } else { Weather::Fair };
        let path = format!("/p/{}.html", self.rng.below(9000));
        let form = *self.rng.choose(&[HttpForm::Plain, HttpForm::Chunked, HttpForm::Gzip]);
        let mut talk = TcpTalk::open(&mut self.rng, client, SocketEnd { address, port: 80 }, at, weather);
        talk.ask(&get(host, &path));
        talk.answer(&found(form, "text/html", page.as_bytes()));
        self.packets.extend(talk.end(TalkEnd::Closed));
    }

    /// Looks like TLS from outside.
    fn secret(&mut self, at: u64, client: Ipv4) {
        let address = [192, 0, 2, 160 + self.rng.below(60) as u8];
        let client = self.end_of(client);
        let mut record = |kind: u8, n: usize| {
            [&[kind, 3, 3], (n as u16).to_be_bytes().as_slice(), &random_bytes(&mut self.rng, n)].concat()
        };
        let records = [record(22, 510), record(22, 2900), record(23, 400), record(23, 5000)];
        let mut talk = TcpTalk::open(&mut self.rng, client, SocketEnd { address, port: 443 }, at, Weather::Fair);
        for pair in records.chunks(2) {
            talk.ask(&pair[0]);
            talk.answer(&pair[1]);
        }
        self.packets.extend(talk.end(TalkEnd::Closed));
    }

    /// Honest programs post too. What they send may hold the mark of beacons, but never begins with it.
    fn telemetry(&mut self, at: u64, client: Ipv4) {
        let (host, address) = TELEMETRY;
        self.look_up(at - 100_000, client, host, 1, &address);
        let client = self.end_of(client);
        let (n_before, n_after) = (1 + self.rng.below(40), 50 + self.rng.below(300));
        let before = vec![b'{'; n_before];
        let body = [before, self.story.mark.to_vec(), random_bytes(&mut self.rng, n_after)].concat();
        let mut talk = TcpTalk::open(&mut self.rng, client, SocketEnd { address, port: 80 }, at, Weather::Fair);
        talk.ask(&post_head(host, "/api/v2/sync", body.len()));
        talk.ask(&body);
        // The server's answer begins with the mark: it is no request.
        talk.answer(&found(HttpForm::Plain, "application/octet-stream", &self.story.mark));
        self.packets.extend(talk.end(TalkEnd::Closed));
    }

    /// Programs against viruses ask for names that look as if they held something.
    fn look_at_odd_name(&mut self, at: u64, client: Ipv4) {
        let coded = base32(&random_bytes(&mut self.rng, 30));
        let name = format!("{:x}-{:x}.{coded}.avqs.sentry-cloud.example", self.rng.below(40), 40);
        self.look_up(at, client, &name, TXT, b"\x05clean");
    }

    fn clock(&mut self, at: u64, client: Ipv4) {
        let (client, server) = (self.end_of(client), SocketEnd { address: [192, 0, 2, 123], port: 123 });
        let content = [vec![0x23], vec![0; 39], random_bytes(&mut self.rng, 8)].concat();
        self.datagram(at, client, server, &content);
        self.datagram(at + 17_000, server, client, &[vec![0x24], content[1..].to_vec()].concat());
    }
}
