"""Triage of input/capture.pcap. The first arguments say how (everything but `right` is wrong) and what is known."""

import base64
import csv
import datetime
import gzip
import hashlib
import os
import subprocess
import sys
import zlib

how, loader, mark, zone = sys.argv[1:5]
mark = bytes.fromhex(mark)
FIELDS = """frame.time_epoch ip.src ip.dst tcp.stream tcp.dstport tcp.seq tcp.payload dhcp.option.dhcp dhcp.hw.mac_addr
dhcp.ip.your dhcp.ip.client dhcp.option.hostname dns.flags.response dns.qry.name""".split()
command = "tshark -r input/capture.pcap -T fields -E occurrence=f".split() + ["-Y", "tcp.len > 0 || dhcp || dns"]
for field in FIELDS:
    command += ["-e", field]
listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
packets = [dict(zip(FIELDS, line.split("\t"))) for line in listing.splitlines()]


def moment(epoch):
    seconds = datetime.datetime.fromtimestamp(int(float(epoch)), datetime.timezone.utc)
    return seconds.strftime("%Y-%m-%dT%H:%M:%SZ")


# Who had which address from when on.
names, leases = {}, []
for packet in packets:
    mac = packet["dhcp.hw.mac_addr"]
    if packet["dhcp.option.hostname"]:
        names[mac] = packet["dhcp.option.hostname"]
    if packet["dhcp.option.dhcp"] == "5":
        leases.append((float(packet["frame.time_epoch"]), packet["dhcp.ip.your"], mac))


def machine(address, epoch):
    held = [mac for begin, of, mac in leases if of == address and (begin <= float(epoch) or how == "last-lease")]
    return held[-1]


# What was said on port 80, each direction put together by sequence numbers.
streams = {}
for packet in packets:
    if packet["tcp.payload"]:
        side = 0 if packet["tcp.dstport"] == "80" else 1
        segment = (int(packet["tcp.seq"]), bytes.fromhex(packet["tcp.payload"].replace(":", "")), packet)
        streams.setdefault(packet["tcp.stream"], ([], []))[side].append(segment)


def joined(segments):
    """All bytes, and for each piece that added some: where they begin and the packet that brought them first."""
    if how == "as-captured":
        return b"".join(payload for _, payload, _ in segments), [(0, segments[0][2])]
    content, origins = b"", []
    for seq, payload, packet in sorted(segments, key=lambda one: (one[0], float(one[2]["frame.time_epoch"]))):
        known = len(content) - (seq - 1)
        if known < 0:
            break
        if known < len(payload):
            origins.append((len(content), packet))
            content += payload[known:]
    return content, origins


def messages(content):
    """Start line, headers, body and place of each complete message."""
    at = 0
    while b"\r\n\r\n" in content[at:]:
        begin = at
        head, _, _ = content[at:].partition(b"\r\n\r\n")
        at += len(head) + 4
        start, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = b""
        if headers.get("transfer-encoding") == "chunked":
            size = -1
            while size != 0:
                line, found, _ = content[at:].partition(b"\r\n")
                if not found:
                    return
                size = int(line, 16)
                at += len(line) + 2
                if at + size + 2 > len(content):
                    return
                body += content[at : at + size]
                at += size + 2
        else:
            size = int(headers.get("content-length", 0))
            if at + size > len(content):
                return
            body = content[at : at + size]
            at += size
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        yield start, headers, body, begin


def read(segments):
    content, origins = joined(segments) if segments else (b"", [])
    found = []
    try:
        for start, headers, body, begin in messages(content):
            packet = [packet for at, packet in origins if at <= begin][-1]
            found.append((start, headers, body, packet))
    except (ValueError, OSError, EOFError, zlib.error):
        pass
    return found


fetched, beacons = [], {}
for asked, answered in streams.values():
    requests = read(asked)
    for (start, headers, body, packet), answer in zip(requests, read(answered)):
        if start.startswith("GET"):
            fetched.append((packet, start.split()[1], hashlib.sha256(answer[2]).hexdigest()))
    calls = [packet for start, _, body, packet in requests if start.startswith("POST") and body.startswith(mark)]
    if how == "every-copy":
        calls = [packet for _, payload, packet in asked if payload.startswith(mark)]
    for packet in calls:
        beacons.setdefault(machine(packet["ip.src"], packet["frame.time_epoch"]), []).append(packet)

bad_paths = {path for _, path, digest in fetched if digest == loader}
infected = {}
for packet, path, digest in sorted(fetched, key=lambda one: float(one[0]["frame.time_epoch"])):
    if digest == loader or (how == "by-name" and path in bad_paths):
        mac = machine(packet["ip.src"], packet["frame.time_epoch"])
        row = [names[mac], mac, packet["ip.src"], packet["ip.dst"], path, moment(packet["frame.time_epoch"])]
        infected.setdefault(mac, row)

sessions = {}
for packet in packets:
    name = packet["dns.qry.name"].lower()
    is_question = packet["dns.flags.response"] == "0" and packet["ip.src"].startswith("10.20.0.")
    if is_question and name.endswith("." + zone):
        count, *data, session = name[: -len(zone) - 1].split(".")
        number, total = (int(part, 16) for part in count.split("-"))
        text = "".join(data).upper()
        piece = base64.b32decode(text + "=" * (-len(text) % 8))
        sessions.setdefault(session, []).append((number, total, piece, packet))

exfiltrated = []
for session, pieces in sessions.items():
    first, total = pieces[0][3], pieces[0][1]
    known = {number: piece for number, _, piece, _ in pieces}
    if len(known) == total:
        content = b"".join(known[number] for number in range(total))
        if how == "chunks-as-captured":
            content = b"".join(piece for _, _, piece, _ in pieces)
        name = names[machine(first["ip.src"], first["frame.time_epoch"])]
        digest = hashlib.sha256(content).hexdigest()
        exfiltrated.append([session, name, len(content), digest, moment(first["frame.time_epoch"])])

os.makedirs("output", exist_ok=True)


def leave(name, columns, rows):
    with open(f"output/{name}.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns.split())
        table.writerows(sorted(rows))


leave("infected", "hostname mac address server path requested", infected.values())
calls = []
for mac, found in beacons.items():
    found.sort(key=lambda packet: float(packet["frame.time_epoch"]))
    ends = [moment(packet["frame.time_epoch"]) for packet in (found[0], found[-1])]
    calls.append([names[mac], found[0]["ip.dst"], len(found), *ends])
leave("beacons", "hostname server n_beacons first last", calls)
leave("exfiltrated", "session hostname n_bytes sha256 began", exfiltrated)
