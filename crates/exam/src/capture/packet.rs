//! Packets as they go over the wire, and the file that a sensor keeps them in.

/// An address of version 4.
pub(super) type Ipv4 = [u8; 4];

/// The cards on both sides of the sensor: everything goes through a router on its way.
const NEAR: [u8; 6] = [0x00, 0x1b, 0x54, 0xa1, 0x07, 0x10];
const FAR: [u8; 6] = [0x00, 0x1b, 0x54, 0xc3, 0x22, 0x9e];

/// TCP's flags.
pub(super) const FIN: u8 = 1;
pub(super) const SYN: u8 = 2;
pub(super) const RST: u8 = 4;
pub(super) const PSH: u8 = 8;
pub(super) const ACK: u8 = 16;

/// A packet and when the sensor saw it, in microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CapturedPacket {
    pub(super) at: u64,
    pub(super) bytes: Vec<u8>,
}

/// An end of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SocketEnd {
    pub(super) address: Ipv4,
    pub(super) port: u16,
}

/// What a TCP segment says besides its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentHead {
    pub(super) sequence: u32,
    pub(super) acknowledged: u32,
    pub(super) flags: u8,
}

/// A datagram on its way.
pub(super) fn udp(from: SocketEnd, to: SocketEnd, content: &[u8]) -> Vec<u8> {
    let length = (8 + content.len()) as u16;
    let mut segment = [from.port.to_be_bytes(), to.port.to_be_bytes(), length.to_be_bytes(), [0; 2]].concat();
    segment.extend(content);
    ethernet(from.address, to.address, 17, segment, 6)
}

/// A segment on its way.
pub(super) fn tcp(from: SocketEnd, to: SocketEnd, head: SegmentHead, content: &[u8]) -> Vec<u8> {
    let mut segment = [from.port.to_be_bytes(), to.port.to_be_bytes()].concat();
    segment.extend(head.sequence.to_be_bytes());
    segment.extend(head.acknowledged.to_be_bytes());
    let is_opening = head.flags & SYN != 0;
    segment.extend([if is_opening { 0x60 } else { 0x50 }, head.flags, 0xfa, 0xf0, 0, 0, 0, 0]);
    if is_opening {
        // The most that a segment may carry: 1460 bytes.
        segment.extend([2, 4, 0x05, 0xb4]);
    }
    segment.extend(content);
    ethernet(from.address, to.address, 6, segment, 16)
}

fn ethernet(from: Ipv4, to: Ipv4, protocol: u8, mut segment: Vec<u8>, checksum_at: usize) -> Vec<u8> {
    let length = segment.len() as u16;
    let mut pseudo = [from.as_slice(), &to, &[0, protocol], &length.to_be_bytes()].concat();
    pseudo.extend(&segment);
    segment[checksum_at..checksum_at + 2].copy_from_slice(&checksum(&pseudo).to_be_bytes());
    let identification = checksum(&segment[..8]).to_be_bytes();
    let mut head = vec![0x45, 0];
    head.extend((20 + length).to_be_bytes());
    head.extend([identification[0], identification[1], 0x40, 0, 63, protocol, 0, 0]);
    head.extend(from.iter().chain(&to));
    let sum = checksum(&head).to_be_bytes();
    head[10..12].copy_from_slice(&sum);
    let (source, target) = if from[0] == 10 && from[1] == 20 { (NEAR, FAR) } else { (FAR, NEAR) };
    [target.as_slice(), &source, &[0x08, 0x00], &head, &segment].concat()
}

/// The sum that IP, TCP and UDP carry.
fn checksum(bytes: &[u8]) -> u16 {
    let word = |pair: &[u8]| u32::from(pair[0]) << 8 | u32::from(pair.get(1).copied().unwrap_or(0));
    let mut sum: u32 = bytes.chunks(2).map(word).sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

/// A file of packets in the order of their times (pcap, microseconds, Ethernet).
pub(super) fn pcap(mut packets: Vec<CapturedPacket>) -> Vec<u8> {
    packets.sort_by_key(|packet| packet.at);
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 262_144, 1] {
        file.extend(word.to_le_bytes());
    }
    for packet in packets {
        let length = packet.bytes.len() as u32;
        for word in [(packet.at / 1_000_000) as u32, (packet.at % 1_000_000) as u32, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(packet.bytes);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        assert_eq!(checksum(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]), 0x220d);
        assert_eq!(checksum(&[0xff]), 0x00ff);
        let end = |port| SocketEnd { address: [10, 20, 0, 9], port };
        let bytes = udp(end(53), end(99), b"abc");
        assert_eq!((bytes.len(), checksum(&bytes[14..34])), (45, 0));
    }

    #[test]
    fn packets_are_kept_in_the_order_of_their_times() {
        let packet = |at: u64| CapturedPacket { at, bytes: vec![at as u8; 2] };
        let file = pcap(vec![packet(1_000_002), packet(7)]);
        assert_eq!(file.len(), 24 + 2 * 18);
        assert_eq!(file[24..42], [0, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 7]);
    }
}
