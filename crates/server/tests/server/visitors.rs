//! Who may ask, and how much of the server's patience anybody gets.

use crate::served::{Served, settings, small};
use catena_server::{Limits, ServerSettings};
use serde_json::json;
use std::time::Duration;

#[test]
fn every_answer_says_what_a_browser_must_not_do_with_it() {
    let served = Served::new(small());
    for answer in [
        served.get("GET /", ""),
        served.get("GET /nowhere", ""),
        served.get("GET /api/1/openapi.json", "Origin: http://evil.example\r\n"),
        served.ask(&json!({ "do": "run" })),
    ] {
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{answer:?}");
        }
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(answer.header("cache-control").is_some_and(|value| value.starts_with("no-")));
        // other sites are not told that they may read it
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}

#[test]
fn the_page_is_at_the_root() {
    let served = Served::new(small());
    assert_eq!(served.url, format!("http://{}/", served.address));
    let page = served.get("GET /", "");
    assert_eq!(
        (page.status(), page.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    assert!(page.text().contains("<title>Catena</title>"));
}

#[test]
fn a_foreign_host_is_refused() {
    let served = Served::new(small());
    let mut client = served.client();
    client.write(format!("GET / HTTP/1.1\r\nHost: evil.example:{}\r\n\r\n", served.address.port()));
    let answer = client.answer().expect("an answer");
    assert_eq!(answer.status(), 403);
    let expected = format!(
        "request: this server does not answer for `evil.example:{0}` (open http://127.0.0.1:{0})",
        served.address.port()
    );
    assert_eq!(answer.error(), expected);
}

#[test]
fn a_foreign_origin_is_refused() {
    let served = Served::new(small());
    let body = json!({ "do": "run" }).to_string();
    let ask = |origin: &str| {
        let headers = format!(
            "Content-Type: application/json\r\nAccept: application/json\r\nOrigin: {origin}\r\n"
        );
        served.send("POST /api/1/ask", &headers, &body)
    };
    assert_eq!(ask(&format!("http://{}", served.address)).status(), 200);
    let refused = ask("http://evil.example");
    assert_eq!(refused.status(), 403);
    assert_eq!(
        refused.error(),
        "request: pages of `http://evil.example` may not ask this server (ask from the page that the server shows)"
    );
    assert_eq!(ask("null").status(), 403);
}

#[test]
fn other_sites_may_not_ask_whatever_they_leave_out() {
    let served = Served::new(small());
    for site in ["cross-site", "same-site"] {
        let answer = served.get("GET /api/1/files", &format!("Sec-Fetch-Site: {site}\r\n"));
        assert_eq!(answer.status(), 403, "{site}");
    }
    // a browser asks before it sends what needs leave: nobody gets it
    let preflight = "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n";
    assert_eq!(served.get("OPTIONS /api/1/ask", preflight).status(), 403);
    assert_eq!(served.get("OPTIONS /api/1/ask", "").status(), 405);
}

#[test]
fn what_a_form_can_send_is_no_request() {
    let served = Served::new(small());
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let answer =
            served.send("POST /api/1/ask", &format!("Content-Type: {kind}\r\n"), r#"{"do":"run"}"#);
        assert_eq!(answer.status(), 415, "{kind}");
        let error = answer.error();
        assert_eq!(
            error,
            "request: the body has another type (send `Content-Type: application/json`)"
        );
    }
    assert_eq!(served.send("POST /api/1/ask", "", r#"{"do":"run"}"#).status(), 415);
}

#[test]
fn what_is_no_request_is_refused_with_a_reason() {
    let served = Served::new(small());
    let send =
        |body: &str| served.send("POST /api/1/ask", "Content-Type: application/json\r\n", body);
    for (body, reason) in [
        ("", "the request is not a JSON object"),
        ("[\"run\"]", "the request is not a JSON object"),
        ("{\"do\":", "the request cannot be read: EOF while parsing a value"),
        ("{}", "the request cannot be read: missing field `do`"),
        ("{\"do\":5}", "the request cannot be read: invalid type: integer `5`"),
        ("{\"do\":\"a\",\"do\":\"b\"}", "the request cannot be read: duplicate field `do`"),
    ] {
        let answer = send(body);
        assert_eq!(answer.status(), 400, "{body}");
        assert!(answer.error().contains(reason), "{}", answer.error());
        assert!(answer.error().contains("a request looks like"), "{}", answer.error());
    }
    let bytes = b"{\"do\":\"run\",\"name\":\"\xff\"}";
    let answer = served.send("POST /api/1/ask", "Content-Type: application/json\r\n", bytes);
    assert_eq!(answer.status(), 400);
    assert!(answer.error().starts_with("request: the request is not UTF-8"), "{}", answer.error());
    assert_eq!(served.get("GET /api/1/ask", "").header("allow"), Some("POST"));
    assert_eq!(served.get("GET /../etc/passwd", "").status(), 404);
}

#[test]
fn a_body_that_is_too_long_is_not_read() {
    let served = Served::new(Limits { body: 3_000_000, ..small() });
    let mut client = served.client();
    let kind = "Content-Type: application/json\r\n";
    client
        .write(served.head("POST /api/1/ask", &format!("{kind}Content-Length: 999999999999\r\n")));
    let answer = client.answer().expect("an answer");
    assert_eq!(answer.status(), 413);
    assert_eq!(answer.error(), "limit: the request is longer than 2.9 MB (make the model smaller)");
    // nor one that does not say how long it is
    let mut client = served.client();
    client.write(served.head("POST /api/1/ask", &format!("{kind}Transfer-Encoding: chunked\r\n")));
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
    for _ in 0..46 {
        client.write(&chunk);
    }
    client.write("0\r\n\r\n");
    assert_eq!(client.answer().expect("an answer").status(), 413);
}

#[test]
fn slow_clients_are_sent_away_while_others_are_served() {
    let short = Duration::from_millis(200);
    let served = Served::new(Limits { head_timeout: short, body_timeout: short, ..small() });
    let mut slow_head = served.client();
    slow_head.write("GET / HTTP/1.1\r\nHost: 127");
    let mut slow_body = served.client();
    let headers = "Content-Type: application/json\r\nContent-Length: 100\r\n";
    slow_body.write(served.head("POST /api/1/ask", headers));
    slow_body.write("{\"do\":");
    assert_eq!(served.get("GET /", "").status(), 200);
    let answer = slow_body.answer().expect("an answer");
    assert_eq!(answer.status(), 408);
    assert_eq!(answer.error(), "limit: the request did not come within 0.2 s ()");
    // a head that does not come is answered with an end, or with a status that says so
    assert!(slow_head.answer().is_none_or(|answer| answer.status() == 408));
    // and so is a connection that nobody uses
    assert!(served.client().answer().is_none());
}

#[test]
fn connections_are_bounded_and_those_who_wait_are_served_later() {
    let head_timeout = Duration::from_millis(300);
    let served = Served::new(Limits { connections: 2, head_timeout, ..small() });
    // two say nothing, and the third has to wait until they are sent away
    let _silent = [served.client(), served.client()];
    assert_eq!(served.get("GET /", "").status(), 200);
}

#[test]
fn a_head_that_is_too_long_is_refused() {
    let served = Served::new(small());
    let long = format!("X-Long: {}\r\n", "x".repeat(20_000));
    assert_eq!(served.get("GET /", &long).status(), 431);
    let many = "X-Many: x\r\n".repeat(200);
    assert_eq!(served.get("GET /", &many).status(), 431);
    let mut client = served.client();
    client.write("not HTTP at all\r\n\r\n");
    assert_eq!(client.answer().expect("an answer").status(), 400);
    assert_eq!(served.get("GET /", "").status(), 200);
}

#[test]
fn a_token_can_be_asked_for_on_this_machine_too() {
    let served = Served::with(ServerSettings { token: true, ..settings(small()) });
    let (_, token) = served.url.split_once("/?token=").expect("a token in the address");
    assert_eq!(served.get("GET /api/1/files", "").status(), 401);
    let bearer = format!("Authorization: Bearer {token}\r\n");
    assert_eq!(served.get("GET /api/1/files", &bearer).status(), 200);
    // a name that was made to lead here is refused all the same
    let mut client = served.client();
    client.write(format!("GET / HTTP/1.1\r\nHost: evil.example\r\n{bearer}\r\n"));
    assert_eq!(client.answer().expect("an answer").status(), 403);
}

#[test]
fn other_machines_need_the_token() {
    let served = Served::with(ServerSettings { host: "0.0.0.0".to_owned(), ..settings(small()) });
    let (_, token) = served.url.split_once("/?token=").expect("a token in the address");
    assert_eq!(token.len(), 32, "128 bits");
    let refused = served.get("GET /", "");
    assert_eq!((refused.status(), refused.header("www-authenticate")), (401, Some("Bearer")));
    assert!(refused.error().contains("answers only those who know its token"));
    let wrong = served.get("GET /api/1/files", "Authorization: Bearer 0123456789abcdef\r\n");
    assert_eq!(wrong.status(), 401);
    let right = served.get("GET /api/1/files", &format!("Authorization: Bearer {token}\r\n"));
    assert_eq!(right.status(), 200);
    // the address that was printed is exchanged for a cookie, so that it does not stay in the browser
    let entry = served.get(&format!("GET /?token={token}"), "");
    assert_eq!((entry.status(), entry.header("location")), (303, Some("/")));
    let cookie = entry.header("set-cookie").expect("a cookie");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    let (pair, _) = cookie.split_once(';').expect("attributes");
    assert_eq!(served.get("GET /", &format!("Cookie: {pair}\r\n")).status(), 200);
}
