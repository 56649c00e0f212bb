//! Many sites at loopback, for a person to look at in a browser of his own: each host is a name below `localhost`.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::own_host::asked_host;
use super::running_server::RunningServer;

/// Sites that answer what is asked by their own addresses, `https://HOST/...`.
pub trait ServedSites: Send + Sync {
    /// The names of all hosts, the one to begin with first.
    fn hosts(&self) -> Vec<String>;

    /// The page at one of their addresses.
    fn page(&self, address: &str) -> ServedPage;
}

/// What a site answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedPage {
    /// The status of HTTP.
    pub status: u16,
    /// What kind of content.
    pub mime: String,
    /// The content.
    pub body: String,
    /// Where to go instead.
    pub location: Option<String>,
}

/// Nothing but pages, pictures and styles of these sites: they have no scripts.
const POLICY: &str =
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:";

/// A server of sites. When it is dropped, it closes.
pub struct SiteHosting {
    server: RunningServer,
    hosts: Vec<String>,
}

#[derive(Clone)]
struct HostedSites {
    sites: Arc<dyn ServedSites>,
    hosts: Vec<String>,
    port: u16,
}

impl SiteHosting {
    /// Serves sites to be read; port 0 means any that is free.
    pub fn open(port: u16, sites: Arc<dyn ServedSites>) -> io::Result<Self> {
        let hosts = sites.hosts();
        let known = hosts.clone();
        let server = RunningServer::open(port, |address| {
            let hosted = HostedSites { sites, hosts: known, port: address.port() };
            Router::new().fallback(answer).with_state(hosted)
        })?;
        Ok(Self { server, hosts })
    }

    /// The addresses of all hosts, the one to begin with first.
    pub fn addresses(&self) -> Vec<String> {
        let port = self.server.address().port();
        self.hosts.iter().map(|host| format!("{}/", outside_address(host, port))).collect()
    }
}

/// What a host is called on this machine.
fn outside_address(host: &str, port: u16) -> String {
    format!("http://{host}.localhost:{port}")
}

async fn answer(State(hosted): State<HostedSites>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return (StatusCode::METHOD_NOT_ALLOWED, "these sites are here to be read").into_response();
    }
    let name = asked_host(request.headers()).map(|host| host.to_ascii_lowercase());
    let host = name.as_deref().and_then(|name| name.strip_suffix(".localhost")).unwrap_or_default();
    if !hosted.hosts.iter().any(|known| known == host) {
        return hosted.to_first();
    }
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let address = format!("https://{host}{path}");
    // Making a page is work, which does not hold up the other requests.
    let page = tokio::task::spawn_blocking({
        let sites = Arc::clone(&hosted.sites);
        move || sites.page(&address)
    });
    page.await.map_or_else(|_panicked| StatusCode::INTERNAL_SERVER_ERROR.into_response(), |page| hosted.served(page))
}

impl HostedSites {
    /// Whoever asks by another name is shown the first site.
    fn to_first(&self) -> Response {
        let first = self.hosts.first().map_or_else(String::new, |host| outside_address(host, self.port));
        (StatusCode::SEE_OTHER, [(header::LOCATION, format!("{first}/"))]).into_response()
    }

    fn served(&self, page: ServedPage) -> Response {
        let status = StatusCode::from_u16(page.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = [
            (header::CONTENT_TYPE, page.mime),
            (header::CONTENT_SECURITY_POLICY, POLICY.to_owned()),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        ];
        let location = page.location.map(|to| [(header::LOCATION, self.by_outside_names(&to))]);
        match location {
            Some(location) => (status, headers, location, String::new()).into_response(),
            None => (status, headers, self.by_outside_names(&page.body)).into_response(),
        }
    }

    /// A text in which the sites' own addresses are those of this machine.
    fn by_outside_names(&self, text: &str) -> String {
        self.hosts.iter().fold(text.to_owned(), |text, host| {
            text.replace(&format!("https://{host}"), &outside_address(host, self.port))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use super::*;

    struct TwoSites;

    impl ServedSites for TwoSites {
        fn hosts(&self) -> Vec<String> {
            vec!["find.web".to_owned(), "pedia.web".to_owned()]
        }

        fn page(&self, address: &str) -> ServedPage {
            let location = address.ends_with("/old").then(|| "https://pedia.web/new".to_owned());
            let status = if location.is_some() { 303 } else { 200 };
            let body = format!("<p>{address}</p><a href=\"https://pedia.web/x\">x</a>");
            ServedPage { status, mime: "text/html; charset=utf-8".to_owned(), body, location }
        }
    }

    fn asked(hosting: &SiteHosting, method: &str, host: &str, path: &str) -> String {
        let address = hosting.server.address();
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}:{}\r\nConnection: close\r\n\r\n", address.port())
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let kept = |line: &&str| line.starts_with("HTTP") || line.starts_with("location") || line.starts_with('<');
        let kept: Vec<&str> = text.lines().filter(kept).collect();
        kept.join(" | ").replace(&address.port().to_string(), "PORT")
    }

    #[test]
    fn every_site_has_a_name_below_localhost_and_links_lead_there() {
        let hosting = SiteHosting::open(0, Arc::new(TwoSites)).unwrap();
        let lines = [
            asked(&hosting, "GET", "pedia.web.localhost", "/a?b=c"),
            asked(&hosting, "GET", "pedia.web.localhost", "/old"),
            asked(&hosting, "GET", "localhost", "/"),
            asked(&hosting, "GET", "other.localhost", "/"),
            asked(&hosting, "GET", "pedia.web", "/"),
            asked(&hosting, "POST", "pedia.web.localhost", "/"),
        ];
        insta::assert_snapshot!(lines.join("\n"), @r#"
        HTTP/1.1 200 OK | <p>http://pedia.web.localhost:PORT/a?b=c</p><a href="http://pedia.web.localhost:PORT/x">x</a>
        HTTP/1.1 303 See Other | location: http://pedia.web.localhost:PORT/new
        HTTP/1.1 303 See Other | location: http://find.web.localhost:PORT/
        HTTP/1.1 303 See Other | location: http://find.web.localhost:PORT/
        HTTP/1.1 421 Misdirected Request
        HTTP/1.1 405 Method Not Allowed
        "#);
    }
}
