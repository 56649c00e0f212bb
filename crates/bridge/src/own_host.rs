//! Who listens on loopback answers only to names of loopback: a page of the web whose name was made to point here would
//! otherwise reach us through a browser on this machine.

use std::net::{IpAddr, SocketAddr};

use axum::Router;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};

/// The router as it answers at an address. Who listens to other machines is called by whatever name they have for it.
pub(crate) fn at_own_host(router: Router, address: SocketAddr) -> Router {
    if address.ip().is_loopback() { router.layer(from_fn(refuse_foreign)) } else { router }
}

async fn refuse_foreign(request: Request, next: Next) -> Response {
    match asked_host(request.headers()) {
        Some(host) if !is_loopback(&host) => {
            let why = "this server is on loopback and answers to 127.0.0.1 and localhost only";
            (StatusCode::MISDIRECTED_REQUEST, why).into_response()
        }
        // HTTP/1.0 has no such header, and no browser speaks it.
        _ => next.run(request).await,
    }
}

/// The host that was asked for, without its port; one that cannot be read is foreign.
pub(crate) fn asked_host(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?;
    let authority = host.to_str().ok().and_then(|host| host.parse::<Authority>().ok());
    Some(authority.map_or_else(String::new, |authority| authority.host().to_owned()))
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    // Names below `localhost` lead to loopback by their definition, whoever is asked (RFC 6761).
    let last = host.rsplit('.').next().unwrap_or(host);
    last.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::routing::get;
    use quintain_models::providers::runtime;
    use tower::ServiceExt as _;

    use super::*;

    fn status(address: &str, host: Option<&str>) -> u16 {
        let router = at_own_host(Router::new().route("/", get(|| async { "here" })), address.parse().unwrap());
        let mut request = Request::builder().uri("/");
        if let Some(host) = host {
            request = request.header(header::HOST, host);
        }
        let request = request.body(Body::empty()).unwrap();
        runtime::runtime().block_on(async { router.oneshot(request).await.unwrap().status().as_u16() })
    }

    #[test]
    fn only_names_of_loopback_are_answered_to_there() {
        let hosts = [
            "127.0.0.1:8",
            "localhost:8",
            "LocalHost",
            "[::1]:8",
            "a.localhost:8",
            "rebound.example:8",
            "127.0.0.1.example",
            "localhost.example",
            "a b",
        ];
        let told = hosts.map(|host| {
            let [inside, outside] = ["127.0.0.1:8", "0.0.0.0:8"].map(|address| status(address, Some(host)));
            format!("{host}: {inside} {outside}")
        });
        let unnamed = format!("none: {}", status("127.0.0.1:8", None));
        insta::assert_snapshot!(format!("{}\n{unnamed}", told.join("\n")), @r"
        127.0.0.1:8: 200 200
        localhost:8: 200 200
        LocalHost: 200 200
        [::1]:8: 200 200
        a.localhost:8: 200 200
        rebound.example:8: 421 200
        127.0.0.1.example: 421 200
        localhost.example: 421 200
        a b: 421 200
        none: 200
        ");
    }
}
