//! Which network a role of a task may use.

use core::net::{IpAddr, Ipv6Addr};

use serde::Serialize;

use crate::table_reader::TableReader;

/// A network policy by its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkMode {
    /// No network.
    NoNetwork,
    /// The whole network.
    Public,
    /// Named hosts.
    Allowlist,
}

/// What a role may reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetworkPolicy {
    /// The policy.
    pub mode: NetworkMode,
    /// The hosts, where they are named.
    pub hosts: Vec<String>,
}

const MODES: [(&str, NetworkMode); 3] =
    [("no-network", NetworkMode::NoNetwork), ("public", NetworkMode::Public), ("allowlist", NetworkMode::Allowlist)];

/// What a role says for itself; nothing where it follows its environment.
pub(crate) fn of_phase(reader: &mut TableReader<'_>) -> Option<NetworkPolicy> {
    let has_mode = reader.choice("network_mode", &MODES);
    let hosts = hosts(reader);
    if has_mode.is_none() && hosts.is_some() {
        reader.wrong("allowed_hosts", ONLY_ALLOWLIST);
    }
    has_mode.map(|mode| policy(reader, mode, hosts))
}

/// What an environment says. The old `allow_internet` counts only where nothing newer is said.
pub(crate) fn of_environment(reader: &mut TableReader<'_>) -> NetworkPolicy {
    let mode = reader.choice("network_mode", &MODES);
    let hosts = hosts(reader);
    let old = reader.flag("allow_internet").filter(|_| mode.is_none() && hosts.is_none());
    let usual = if old == Some(false) { NetworkMode::NoNetwork } else { NetworkMode::Public };
    policy(reader, mode.unwrap_or(usual), hosts)
}

const ONLY_ALLOWLIST: &str = "is for `network_mode = \"allowlist\"` only";

fn policy(reader: &mut TableReader<'_>, mode: NetworkMode, hosts: Option<Vec<String>>) -> NetworkPolicy {
    let hosts = hosts.unwrap_or_default();
    if mode != NetworkMode::Allowlist && !hosts.is_empty() {
        reader.wrong("allowed_hosts", ONLY_ALLOWLIST);
    }
    NetworkPolicy { mode, hosts }
}

fn hosts(reader: &mut TableReader<'_>) -> Option<Vec<String>> {
    let hosts: Vec<String> = reader
        .texts("allowed_hosts")?
        .iter()
        .map(|host| host.trim().to_lowercase().trim_end_matches('.').to_owned())
        .collect();
    for host in hosts.iter().filter(|host| !is_host(host)) {
        reader.wrong("allowed_hosts", format!("holds `{host}`, which is no host name, address or range of addresses"));
    }
    Some(hosts)
}

/// A host name, one with a leading `*.`, an address, or a range of addresses that begins at its first.
fn is_host(host: &str) -> bool {
    if let Some((address, prefix)) = host.split_once('/') {
        return address
            .parse()
            .ok()
            .zip(prefix.parse().ok())
            .is_some_and(|(address, prefix)| is_range(address, prefix));
    }
    if host.contains(':') {
        return host.parse::<Ipv6Addr>().is_ok();
    }
    let (name, is_wild) = host.strip_prefix("*.").map_or((host, false), |rest| (rest, true));
    name.split('.').all(is_label) && !(is_wild && name.parse::<IpAddr>().is_ok())
}

fn is_range(address: IpAddr, prefix: u32) -> bool {
    let (bits, width) = match address {
        IpAddr::V4(address) => (u128::from(u32::from(address)) << 96, 32),
        IpAddr::V6(address) => (u128::from(address), 128),
    };
    prefix <= width && bits.checked_shl(prefix).unwrap_or(0) == 0
}

fn is_label(label: &str) -> bool {
    let is_of_label = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=63).contains(&label.len())
        && label.chars().all(is_of_label)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_addresses_and_ranges() {
        let hosts = ["example.org", "*.example.org", "192.0.2.1", "192.0.2.0/24", "2001:db8::/32", "::1", "0.0.0.0/0"];
        assert!(hosts.iter().all(|host| is_host(host)));
        let others = ["", "*", "a.*.b", "https://a.b", "a.b:80", "192.0.2.1/24", "*.192.0.2.1", "a_b.c", "-a", "a..b"];
        assert_eq!(others.iter().filter(|host| is_host(host)).collect::<Vec<_>>(), Vec::<&&str>::new());
    }
}
