//! What a page may load: the app's own files under a made-up origin, and nothing else.

/// At most so many refusals are taken down; more prove nothing new.
const MAX_REFUSED: usize = 1000;
/// The longest address that is written out.
const MAX_ADDRESS: usize = 300;
/// What the served pages may run. What they may load is decided here, and taken down.
const POLICY: &str = "script-src 'self'; object-src 'none'; worker-src 'none'; base-uri 'none'; form-action 'none'";

/// What was tried and refused, in order.
#[derive(Debug, Default)]
pub(crate) struct RefusalList(Vec<String>);

impl RefusalList {
    /// Takes one down.
    pub(crate) fn add(&mut self, what: impl Into<String>) {
        if self.0.len() < MAX_REFUSED {
            self.0.push(what.into());
        }
    }

    pub(crate) fn lines(&self) -> &[String] {
        &self.0
    }
}

/// Lets the app's files through and takes down everything else that was tried.
#[derive(Debug)]
pub(crate) struct RequestGate {
    host: String,
    files: &'static [(&'static str, &'static [u8])],
    refused: RefusalList,
}

/// A file that is served into the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ServedFile {
    pub(crate) mime: &'static str,
    pub(crate) bytes: &'static [u8],
}

impl ServedFile {
    /// The headers it is served with.
    pub(crate) fn headers(self) -> [(&'static str, &'static str); 4] {
        [
            ("content-type", self.mime),
            ("content-security-policy", POLICY),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
        ]
    }
}

impl RequestGate {
    pub(crate) fn new(app: &str, files: &'static [(&'static str, &'static [u8])]) -> Self {
        Self { host: format!("{app}.test"), files, refused: RefusalList::default() }
    }

    /// Where the app begins.
    pub(crate) fn home(&self) -> String {
        format!("https://{}/", self.host)
    }

    /// The file behind an address, or nothing where the address leads out of the app; that is taken down.
    pub(crate) fn request(&mut self, method: &str, address: &str) -> Option<ServedFile> {
        let served = (method == "GET").then(|| self.file(address)).flatten();
        // Browsers ask for this one by themselves.
        if served.is_none() && address != format!("{}favicon.ico", self.home()) {
            self.refuse(format!("{method} {}", shortened(address)));
        }
        served
    }

    /// Whether an agent may go to an address: the app's own pages, without a detour.
    pub(crate) fn leads_home(&self, address: &str) -> bool {
        let address = address.trim();
        address == "/" || address.split(['#', '?']).next() == Some(self.home().as_str())
    }

    /// Takes down something that was tried and refused.
    pub(crate) fn refuse(&mut self, what: impl Into<String>) {
        self.refused.add(what);
    }

    /// Everything that was refused so far, in order.
    pub(crate) fn refused(&self) -> &[String] {
        self.refused.lines()
    }

    fn file(&self, address: &str) -> Option<ServedFile> {
        let path = address.strip_prefix(&self.home())?;
        let path = path.split(['#', '?']).next().filter(|path| !path.is_empty()).unwrap_or("index.html");
        let (name, bytes) = self.files.iter().find(|(name, _)| *name == path)?;
        Some(ServedFile { mime: mime_of(name), bytes })
    }
}

/// An address as far as it is worth reading.
pub(crate) fn shortened(address: &str) -> String {
    match address.char_indices().nth(MAX_ADDRESS) {
        None => address.to_owned(),
        Some((end, _)) => format!("{}... ({} bytes)", &address[..end], address.len()),
    }
}

pub(crate) fn mime_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FILES: [(&str, &[u8]); 2] = [("index.html", b"<p>"), ("app.js", b"1")];

    #[test]
    fn only_the_apps_own_files_come_through() {
        let mut gate = RequestGate::new("demo", &FILES);
        let tried = [
            ("GET", "https://demo.test/"),
            ("GET", "https://demo.test/app.js?v=1"),
            ("GET", "https://demo.test/favicon.ico"),
            ("POST", "https://demo.test/app.js"),
            ("GET", "https://demo.test/export"),
            ("GET", "https://demo.test/../app.js"),
            ("GET", "https://other.test/app.js"),
            ("GET", "http://demo.test/app.js"),
            ("GET", "http://127.0.0.1:9222/json"),
            ("GET", "file:///etc/passwd"),
        ];
        let told: Vec<String> = tried
            .iter()
            .map(|(method, address)| {
                let served = gate.request(method, address).map_or("refused", |served| served.mime);
                format!("{method} {address}: {served}")
            })
            .collect();
        insta::assert_snapshot!(format!("{}\n\nrefused:\n{}", told.join("\n"), gate.refused().join("\n")), @r"
        GET https://demo.test/: text/html; charset=utf-8
        GET https://demo.test/app.js?v=1: text/javascript; charset=utf-8
        GET https://demo.test/favicon.ico: refused
        POST https://demo.test/app.js: refused
        GET https://demo.test/export: refused
        GET https://demo.test/../app.js: refused
        GET https://other.test/app.js: refused
        GET http://demo.test/app.js: refused
        GET http://127.0.0.1:9222/json: refused
        GET file:///etc/passwd: refused

        refused:
        POST https://demo.test/app.js
        GET https://demo.test/export
        GET https://demo.test/../app.js
        GET https://other.test/app.js
        GET http://demo.test/app.js
        GET http://127.0.0.1:9222/json
        GET file:///etc/passwd
        ");
    }

    #[test]
    fn agents_may_only_go_home() {
        let gate = RequestGate::new("demo", &FILES);
        for address in
            ["/", "https://demo.test/", "https://demo.test/?x", "https://demo.test/#here", " https://demo.test/ "]
        {
            assert!(gate.leads_home(address), "{address}");
        }
        for address in [
            "",
            "https://demo.test",
            "https://demo.test/export",
            "https://demo.test@evil.test/",
            "https://demo.test.evil.test/",
            "javascript:https://demo.test/",
            "view-source:https://demo.test/",
            "file:///",
            "about:blank",
        ] {
            assert!(!gate.leads_home(address), "{address}");
        }
    }
}
