//! What of this host makes `apt` and `pip` find packages: where they come from, over which proxy, and whom is trusted.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_process::sandbox::{Bubblewrap, SandboxFault};
use quintain_process::{SpawnOptions, on_search_path};
use rustix::process::geteuid;

use crate::base_maker::SUITE;
use crate::fault::TreeFault;

/// Where what is handed in is seen during a build.
pub(crate) const HANDED: &str = "/run/build";
/// Where systems keep the certificates of those whom they trust.
const BUNDLES: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];
/// Variables of ours that a build sees as well.
const PASSED: [&str; 10] = [
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_TRUSTED_HOST",
    "PIP_DEFAULT_TIMEOUT",
];
/// Variables that name the bundle of certificates.
const TRUSTING: [&str; 5] =
    ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"];

/// What is handed into a build: files of the host with their places inside, and variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct BuildHost {
    pub(crate) files: Vec<(PathBuf, String)>,
    pub(crate) variables: BTreeMap<String, String>,
}

impl BuildHost {
    /// This host. What is made for it lies in the folder.
    pub(crate) fn look(folder: &Path) -> io::Result<Self> {
        let mut host = Self::default();
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        host.variables.extend(PASSED.iter().filter_map(|name| Some(((*name).to_owned(), set(name)?))));
        let settings = [set("PIP_CONFIG_FILE").map(PathBuf::from), Some("/etc/pip.conf".into())];
        if let Some(file) = settings.into_iter().flatten().find(|file| file.is_file()) {
            host.hand("PIP_CONFIG_FILE", &file, "pip.conf");
        }
        let bundle = set("SSL_CERT_FILE").map(PathBuf::from).into_iter().chain(BUNDLES.map(PathBuf::from));
        if let Some(bundle) = bundle.into_iter().find(|file| file.is_file()) {
            for name in TRUSTING {
                host.variables.insert(name.to_owned(), format!("{HANDED}/certificates.pem"));
            }
            host.files.push((bundle, format!("{HANDED}/certificates.pem")));
        }
        host.hand("APT_CONFIG", &written(folder, "apt.conf", &inner_settings(apt_settings()?))?, "apt.conf");
        let resolver = Path::new("/etc/resolv.conf");
        if resolver.is_file() {
            host.files.push((fs::canonicalize(resolver)?, "/etc/resolv.conf".to_owned()));
        }
        Ok(host)
    }

    fn hand(&mut self, variable: &str, file: &Path, name: &str) {
        self.files.push((file.to_owned(), format!("{HANDED}/{name}")));
        self.variables.insert(variable.to_owned(), format!("{HANDED}/{name}"));
    }
}

/// Why nothing can be built here, if that is so.
pub(crate) fn check_root() -> Result<(), TreeFault> {
    if geteuid().is_root() {
        return Ok(());
    }
    Err(TreeFault::NotHere {
        why: "only root can give the files of a tree to the user that sandboxes run as".to_owned(),
        mend: "sudo quintain tree build ...".to_owned(),
    })
}

/// The `bwrap` of this host.
pub(crate) fn find_bwrap() -> Result<PathBuf, TreeFault> {
    let missing =
        |fault: SandboxFault| TreeFault::NotHere { why: fault.to_string(), mend: "apt install bubblewrap".to_owned() };
    Ok(Bubblewrap::find().map_err(missing)?.program().to_owned())
}

/// Whether there is what makes the base.
pub(crate) fn check_mmdebstrap() -> Result<(), TreeFault> {
    let missing = || TreeFault::NotHere {
        why: "`mmdebstrap` was not found".to_owned(),
        mend: "apt install mmdebstrap".to_owned(),
    };
    on_search_path("mmdebstrap").map(drop).ok_or_else(missing)
}

/// Why no tree can be built here, if that is so. What a kernel can mount shows when it is asked to, which only root may do.
pub fn examine_host() -> Result<(), TreeFault> {
    check_root()?;
    find_bwrap()?;
    check_mmdebstrap()?;
    let known = fs::read_to_string("/proc/filesystems").unwrap_or_default();
    if known.lines().any(|line| line.split_whitespace().last() == Some("overlay")) {
        return Ok(());
    }
    Err(TreeFault::NotHere {
        why: "the kernel knows no overlay file system".to_owned(),
        mend: "modprobe overlay".to_owned(),
    })
}

/// How packages are fetched here: proxies, and what else `apt` was told about that.
pub(crate) fn apt_settings() -> io::Result<Vec<String>> {
    if on_search_path("apt-config").is_none() {
        return Ok(Vec::new());
    }
    let told = SpawnOptions::new("apt-config").args(["dump", "Acquire"]).ask(Duration::from_secs(20), 64 << 10)?;
    let wanted = ["Proxy", "Check-Valid-Until", "Verify-", "CAInfo", "Retries", "Timeout"];
    let is_wanted = |line: &&str| line.starts_with("Acquire::") && wanted.iter().any(|name| line.contains(name));
    Ok(told.output.lines().filter(is_wanted).map(str::to_owned).collect())
}

/// The same for a build, which sees the certificates elsewhere.
fn inner_settings(settings: Vec<String>) -> String {
    let own = format!("Acquire::https::CAInfo \"{HANDED}/certificates.pem\";");
    let kept = settings.into_iter().filter(|line| !line.contains("CAInfo"));
    kept.chain([own]).collect::<Vec<_>>().join("\n")
}

/// Where packages of the base come from here, as `apt` writes it: lines, and stanzas. Nothing where this host is of another kind.
pub(crate) fn apt_sources() -> (String, String) {
    let of_folder = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = of_folder.chain([PathBuf::from("/etc/apt/sources.list")]).collect();
    files.sort();
    let (mut lines, mut stanzas) = (String::new(), String::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("list") => {
                lines.extend(text.lines().filter(|line| is_base_line(line)).map(|line| format!("{line}\n")));
            }
            Some("sources") => stanzas.extend(base_stanzas(&text)),
            _ => {}
        }
    }
    (lines, stanzas)
}

/// Whether a suite is of the base.
fn is_base_suite(suite: &str) -> bool {
    let rest = suite.strip_prefix(SUITE);
    rest.is_some_and(|rest| ["", "-updates", "-security"].contains(&rest))
}

fn is_base_line(line: &str) -> bool {
    let without_options = |line: &str| match (line.find('['), line.find(']')) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &line[..from], &line[to + 1..]),
        _ => line.to_owned(),
    };
    let line = without_options(line.trim());
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), ["deb", _, suite, parts @ ..] if is_base_suite(suite) && parts.contains(&"main"))
}

fn base_stanzas(text: &str) -> Vec<String> {
    let plain: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let field = |stanza: &str, name: &str| -> Vec<String> {
        let line = stanza.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect()
    };
    let whole = plain.join("\n");
    let is_base = |stanza: &&str| {
        let suites = field(stanza, "Suites:");
        !suites.is_empty()
            && suites.iter().all(|suite| is_base_suite(suite))
            && field(stanza, "Components:").iter().any(|part| part == "main")
            && field(stanza, "Enabled:") != ["no"]
    };
    whole.split("\n\n").filter(is_base).map(|stanza| format!("{}\n\n", stanza.trim())).collect()
}

fn written(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, format!("{text}\n"))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sources_of_the_base_are_taken() {
        for (line, is_base) in [
            ("deb http://x.test/debian bookworm main contrib", true),
            ("deb [signed-by=/a.gpg arch=amd64] http://x.test/debian bookworm-updates main", true),
            ("# deb http://x.test/debian bookworm main", false),
            ("deb-src http://x.test/debian bookworm main", false),
            ("deb http://x.test/apt cloud-sdk-bookworm main", false),
            ("deb http://x.test/docker bookworm stable", false),
            ("deb http://x.test/debian trixie main", false),
        ] {
            assert_eq!(is_base_line(line), is_base, "{line}");
        }
        let text = "Types: deb\n# a comment\nURIs: http://x.test\nSuites: bookworm bookworm-updates\nComponents: main\n\n\
                    Types: deb\nURIs: http://y.test\nSuites: nodistro\nComponents: main\n";
        let kept = "Types: deb\nURIs: http://x.test\nSuites: bookworm bookworm-updates\nComponents: main\n\n";
        assert_eq!(base_stanzas(text), [kept]);
    }
}
