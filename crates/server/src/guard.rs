//! Who may ask. A page of another site runs in the same browser and can reach a loopback address, too: it is known by what the
//! browser says about it (`Host`, `Origin`, `Sec-Fetch-Site`), and refused. Where other machines can ask there is a token.

use crate::answer::{Refused, refused, with_header};
use crate::token;
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use std::net::SocketAddr;

/// The port that addresses leave out.
const HTTP_PORT: u16 = 80;

/// The name of the cookie with the token; the port is added, because cookies are shared between ports.
const COOKIE: &str = "catena-";

pub(crate) struct Guard {
    /// Where the server listens.
    pub(crate) address: SocketAddr,
    /// Needed by everybody who asks, always if other machines can.
    pub(crate) token: Option<String>,
}

impl Guard {
    /// Lets a request pass or says why not.
    pub(crate) fn check(&self, head: &Parts) -> Result<(), Refused> {
        let host = self.host(head)?;
        check_origin(&head.headers, host)?;
        check_site(head)?;
        self.check_token(head)
    }

    /// The address that the client believes to talk to. On the loopback it must be one of this machine: a name of somebody
    /// else that was made to lead here (DNS rebinding) is not. Elsewhere the machine has names that only the token's holder knows.
    fn host<'a>(&self, head: &'a Parts) -> Result<&'a str, Refused> {
        let mut hosts = head.headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().ok(),
            _ => None,
        };
        let other = head.uri.authority().is_some_and(|authority| Some(authority.as_str()) != host);
        let Some(host) = host.filter(|_| !other) else {
            let message = "the request does not say which host it is for";
            return Err(refused(StatusCode::BAD_REQUEST, message, "send one `Host` header").into());
        };
        if !self.address.ip().is_loopback() || self.is_own(host) {
            return Ok(host);
        }
        let message = format!("this server does not answer for `{host}`");
        let help = format!("open http://{}", self.address);
        Err(refused(StatusCode::FORBIDDEN, &message, &help).into())
    }

    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(HTTP_PORT)),
        };
        let names = ["127.0.0.1", "localhost", "[::1]"];
        port == Some(self.address.port()) && names.iter().any(|own| name.eq_ignore_ascii_case(own))
    }

    fn check_token(&self, head: &Parts) -> Result<(), Refused> {
        let Some(secret) = &self.token else { return Ok(()) };
        let given = [bearer(&head.headers), self.cookie(&head.headers), query_token(head)];
        if given.into_iter().flatten().any(|given| token::is_same(given, secret)) {
            return Ok(());
        }
        let message = "this server answers only those who know its token";
        let help =
            "open the address that `catena serve` printed, or send `Authorization: Bearer TOKEN`";
        let answer = refused(StatusCode::UNAUTHORIZED, message, help);
        Err(with_header(answer, header::WWW_AUTHENTICATE, "Bearer").into())
    }

    fn cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let name = format!("{COOKIE}{}", self.address.port());
        let cookies =
            headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|text| text.split(';'));
        pairs.find_map(|pair| pair.trim().strip_prefix(&name)?.strip_prefix('='))
    }

    /// What a browser that came with the token in the address is told, so that it need not stay there: a cookie.
    pub(crate) fn cookie_for(&self, head: &Parts) -> Option<String> {
        let secret = self.token.as_ref()?;
        query_token(head).filter(|given| token::is_same(given, secret))?;
        Some(format!("{COOKIE}{}={secret}; Path=/; HttpOnly; SameSite=Strict", self.address.port()))
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// `?token=…`, for the page alone: elsewhere addresses end up in logs.
fn query_token(head: &Parts) -> Option<&str> {
    let query = head.uri.query().filter(|_| head.uri.path() == "/")?;
    query.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// The site of the page that asks, if a page asks.
fn check_origin(headers: &HeaderMap, host: &str) -> Result<(), Refused> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    if authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host)) {
        return Ok(());
    }
    let message = format!("pages of `{origin}` may not ask this server");
    Err(refused(StatusCode::FORBIDDEN, &message, "ask from the page that the server shows").into())
}

/// Other sites may link to the page, and nothing else.
fn check_site(head: &Parts) -> Result<(), Refused> {
    let said = |name: &'static str| head.headers.get(HeaderName::from_static(name));
    let site = match said("sec-fetch-site") {
        None => return Ok(()),
        Some(site) => site.as_bytes(),
    };
    let link = head.method == Method::GET
        && head.uri.path() == "/"
        && said("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
        && said("sec-fetch-dest").is_some_and(|destination| destination == "document");
    if site == b"same-origin" || site == b"none" || link {
        return Ok(());
    }
    let message = "pages of other sites may not ask this server";
    Err(refused(StatusCode::FORBIDDEN, message, "ask from the page that the server shows").into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn on_loopback(port: u16) -> Guard {
        Guard { address: ([127, 0, 0, 1], port).into(), token: None }
    }

    fn passes(guard: &Guard, address: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().uri(address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        guard.check(&request.body(()).expect("a request").into_parts().0).is_ok()
    }

    #[test]
    fn only_names_of_this_machine_with_this_port_are_answered_for() {
        let guard = on_loopback(8080);
        for host in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"] {
            assert!(passes(&guard, "/", &[("host", host)]), "{host}");
        }
        for host in [
            "evil.example:8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1:8081",
            "[::1]",
            "",
            "127.0.0.1.evil.example:8080",
            "localhost.:8080",
            "127.0.0.1:8080:8080",
            "a@localhost:8080",
        ] {
            assert!(!passes(&guard, "/", &[("host", host)]), "{host}");
        }
        assert!(!passes(&guard, "/", &[]));
        assert!(!passes(&guard, "/", &[("host", "localhost:8080"), ("host", "evil:8080")]));
        assert!(!passes(&guard, "http://evil:8080/", &[("host", "localhost:8080")]));
        assert!(passes(&on_loopback(80), "/", &[("host", "localhost")]));
    }

    #[test]
    fn a_page_of_another_origin_may_not_ask() {
        let guard = on_loopback(8080);
        let asks = |origin| passes(&guard, "/", &[("host", "localhost:8080"), ("origin", origin)]);
        assert!(asks("http://localhost:8080"));
        for origin in
            ["null", "", "http://evil.example", "http://localhost:8081", "http://127.0.0.1:8080"]
        {
            assert!(!asks(origin), "{origin}");
        }
    }

    #[test]
    fn other_sites_may_link_to_the_page_and_do_nothing_else() {
        let guard = on_loopback(8080);
        let host = ("host", "localhost:8080");
        for site in ["cross-site", "same-site"] {
            let site = ("sec-fetch-site", site);
            let link = [host, site, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
            let frame = [host, site, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
            assert!(!passes(&guard, "/", &[host, site]));
            assert!(passes(&guard, "/", &link));
            assert!(!passes(&guard, "/", &frame));
            assert!(!passes(&guard, "/api/1/files", &link));
        }
        assert!(passes(&guard, "/api/1/files", &[host, ("sec-fetch-site", "same-origin")]));
        assert!(passes(&guard, "/api/1/files", &[host, ("sec-fetch-site", "none")]));
    }

    #[test]
    fn a_token_comes_as_bearer_as_cookie_or_in_the_address_of_the_page() {
        let guard =
            Guard { address: ([0, 0, 0, 0], 8080).into(), token: Some("secret".to_owned()) };
        let host = ("host", "lab.example:8080");
        assert!(!passes(&guard, "/", &[host]));
        assert!(passes(&guard, "/?token=secret", &[host]));
        assert!(!passes(&guard, "/?token=secre", &[host]));
        assert!(!passes(&guard, "/api/1/files?token=secret", &[host]));
        assert!(passes(&guard, "/api/1/files", &[host, ("authorization", "Bearer secret")]));
        assert!(!passes(&guard, "/api/1/files", &[host, ("authorization", "Basic secret")]));
        assert!(passes(&guard, "/", &[host, ("cookie", "a=b; catena-8080=secret")]));
        assert!(!passes(&guard, "/", &[host, ("cookie", "catena-8081=secret")]));
        let foreign = ("origin", "http://evil.example");
        assert!(!passes(&guard, "/", &[host, foreign, ("authorization", "Bearer secret")]));
    }
}
