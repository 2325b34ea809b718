//! The page as it is sent: joined, small, with a policy that fits it.

use crate::document::{ENTRY, WORKER, content_security_policy, hash, html};
use crate::files::{FILES, INDEX, text_of};
use crate::module::reached;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::io::Write as _;

/// Of the page without a core, gzipped.
const MAX_SIZE: usize = 119_500;

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let from = text.find(start).unwrap_or_else(|| panic!("there is {start}")) + start.len();
    let length = text[from..].find(end).unwrap_or_else(|| panic!("there is {end}"));
    &text[from..from + length]
}

#[test]
fn the_page_is_small() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(html(None).as_bytes()).expect("memory can be written");
    let size = gzip.finish().expect("memory can be written").len();
    println!("{size} bytes gzipped");
    assert!(size <= MAX_SIZE, "{size} bytes gzipped, at most {MAX_SIZE}");
}

#[test]
fn the_policy_allows_exactly_the_script_and_the_style_of_the_page() {
    for core in [None, Some(&b"core"[..])] {
        let page = html(core);
        let policy = content_security_policy(core.is_some());
        let stated = between(&page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
        assert_eq!(stated, policy);
        let script = hash(between(&page, "<script>", "</script>"));
        let style = hash(between(&page, "<style>", "</style>"));
        assert!(policy.contains(&format!("script-src '{script}'")), "{policy}");
        assert!(policy.contains(&format!("style-src '{style}'")), "{policy}");
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        for loose in ["'unsafe-inline'", "'unsafe-eval'", "http:", "https:", "*"] {
            assert!(!policy.contains(loose), "{loose} in {policy}");
        }
        assert_eq!(page.matches("<script>").count(), 1);
        assert_eq!(page.matches("<style>").count(), 1);
    }
}

#[test]
fn only_a_page_with_a_core_may_compile_it_and_only_one_without_may_ask_a_server() {
    let (served, alone) = (content_security_policy(false), content_security_policy(true));
    assert!(
        served.contains("connect-src 'self'") && !served.contains("wasm-unsafe-eval"),
        "{served}"
    );
    assert!(!alone.contains("connect-src") && alone.contains("'wasm-unsafe-eval'"), "{alone}");
    assert!(alone.contains("worker-src blob:"), "{alone}");
}

#[test]
fn a_core_travels_inside_of_the_page() {
    let core = b"\0asm and more bytes \xff";
    let page = html(Some(core));
    let packed =
        between(&page, "<script type=\"application/octet-stream\" id=\"core\">", "</script>");
    assert_eq!(BASE64.decode(packed).expect("it is base64"), core);
    assert!(!html(None).contains("id=\"core\""));
}

#[test]
fn every_time_it_is_the_same_page() {
    assert_eq!(html(None), html(None));
    let mut sorted: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
    sorted.sort_unstable();
    let folders = FILES.iter().map(|(path, _)| *path).collect::<Vec<_>>();
    assert_eq!(folders, sorted);
}

#[test]
fn the_page_loads_nothing() {
    let page = html(None);
    for load in
        ["<link rel=\"stylesheet\"", "<script src", "<script type=\"module\"", "<iframe", "<img"]
    {
        assert!(!page.contains(load), "{load} loads something");
    }
    let style = between(&page, "<style>", "</style>");
    assert!(!style.contains("@import") && !style.contains("url("), "a style loads something");
    // names of spaces are no addresses
    for (path, text) in FILES {
        for (at, line) in text.lines().enumerate() {
            let line = line.replace("http://www.w3.org/", "");
            let address = line.contains("http://") || line.contains("https://");
            assert!(!address, "{path}, line {}: an address", at + 1);
        }
    }
}

#[test]
fn texts_never_become_markup_or_programs() {
    let forbidden = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "setAttribute(\"style\"",
    ];
    for (path, text) in FILES {
        for (at, line) in text.lines().enumerate() {
            for word in forbidden {
                assert!(!line.contains(word), "{path}, line {}: {word}", at + 1);
            }
        }
    }
}

#[test]
fn every_script_and_every_style_is_part_of_the_page() {
    let mut used = reached(ENTRY, &text_of).expect("modules can be joined");
    used.extend(reached(WORKER, &text_of).expect("modules can be joined"));
    for (path, _) in FILES {
        let named = INDEX.contains(&format!("\"{path}\""));
        let is_part = used.iter().any(|known| known == path) || named;
        assert!(is_part, "{path} is used by nobody");
    }
}

#[test]
fn nothing_in_the_frame_breaks_its_own_policy() {
    assert!(!INDEX.contains(" style=\""), "styles in markup are forbidden by the policy");
    assert!(!INDEX.contains(" onclick=") && !INDEX.contains("javascript:"));
    assert!(!html(None).contains('\r'), "browsers change line ends before they compare hashes");
}
