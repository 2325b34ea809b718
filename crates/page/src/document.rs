//! The document: the frame of `index.html` with everything inside of it.

use crate::compact::{self, Source};
use crate::files::{INDEX, text_of};
use crate::module::join;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The module that starts the page.
#[cfg(test)]
pub(crate) const ENTRY: &str = "script/app.js";
/// The module that runs in a worker and feeds the core.
pub(crate) const WORKER: &str = "script/worker.js";

/// What is the same in every page.
struct Parts {
    /// Of `index.html`, up to the style.
    head: String,
    style: String,
    /// Between the style and the script.
    body: String,
    script: String,
    /// After the script.
    foot: String,
    /// The script of workers.
    worker: String,
}

static PARTS: LazyLock<Parts> = LazyLock::new(|| match Parts::new() {
    Ok(parts) => parts,
    Err(message) => panic!("the page cannot be joined: {message}"),
});

/// The page as one document. With a core (WebAssembly, packed as LZMA) it needs no server; without, it asks the server that sent it.
///
/// The same core gives the same bytes, on every machine.
pub fn html(core: Option<&[u8]>) -> String {
    let Parts { head, style, body, script, foot, worker } = &*PARTS;
    let policy = content_security_policy(core.is_some());
    let mut page = String::with_capacity(
        head.len()
            + style.len()
            + body.len()
            + script.len()
            + core.map_or(0, <[u8]>::len) * 4 / 3
            + 4096,
    );
    page += &head.replacen(
        "<title>",
        &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<title>"),
        1,
    );
    page += &format!("<style>{style}</style>\n{body}");
    if let Some(core) = core {
        page += &format!("<script type=\"text/plain\" id=\"worker\">{worker}</script>\n");
        page += "<script type=\"application/octet-stream\" id=\"core\">";
        BASE64.encode_string(core, &mut page);
        page += "</script>\n";
    }
    page += &format!("<script>{script}</script>\n{foot}");
    page
}

/// What the page may do, as the value of the header `Content-Security-Policy`; the page says the same of itself. It may run
/// its own script and, with a core inside, WebAssembly in workers; without one it may ask the server that sent it.
pub fn content_security_policy(with_core: bool) -> String {
    let (script, style) = (hash(&PARTS.script), hash(&PARTS.style));
    let (wasm, carrier) = if with_core {
        (" 'wasm-unsafe-eval'", "worker-src blob:")
    } else {
        ("", "connect-src 'self'")
    };
    format!(
        "default-src 'none'; script-src '{script}'{wasm}; style-src '{style}'; img-src data: blob:; {carrier}; \
         base-uri 'none'; form-action 'none'"
    )
}

/// As content security policies name a script.
pub(crate) fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(text)))
}

impl Parts {
    fn new() -> Result<Parts, String> {
        let mut head = String::new();
        let mut body = String::new();
        let mut foot = String::new();
        let mut style =
            format!("\n{}{}", catena_figure::scene_style(), catena_figure::plot_style());
        let mut script = String::from("\n\"use strict\";\n");
        let (mut styled, mut scripted) = (false, false);
        for line in INDEX.lines() {
            if let Some(path) = loaded(line, "<link rel=\"stylesheet\" href=\"") {
                styled = true;
                if !is_of_figure(path) {
                    style += text_of(path)
                        .ok_or_else(|| format!("index.html loads {path}, which is not there"))?;
                }
            } else if let Some(path) = loaded(line, "<script type=\"module\" src=\"") {
                scripted = true;
                script +=
                    &joined(&[catena_figure::plot_script(), catena_figure::scene_script()], path)?;
            } else if loaded(line, "<script src=\"").is_some_and(is_of_figure) {
                scripted = true;
            } else {
                let part = if scripted {
                    &mut foot
                } else if styled {
                    &mut body
                } else {
                    &mut head
                };
                part.push_str(line);
                part.push('\n');
            }
        }
        let worker = format!("\"use strict\";\n{}", joined(&[], WORKER)?);
        for (name, text) in [("script", &script), ("style", &style), ("script", &worker)] {
            if text.to_ascii_lowercase().contains(&format!("</{name}")) || text.contains("<!--") {
                return Err(format!(
                    "a {name} must not contain `</{name}` or `<!--`: it would end there"
                ));
            }
        }
        let style = compact::style(&style);
        Ok(Parts { head, style, body, script, foot, worker })
    }
}

/// One script: others first, then the module of this path with those that it imports.
fn joined(others: &[&str], path: &str) -> Result<String, String> {
    let modules = join(path, &text_of).map_err(|error| error.to_string())?;
    let others = others.iter().map(|text| Source { text, imports: Vec::new() });
    let sources = modules.iter().map(|module| Source {
        text: &module.body,
        imports: module.imports(&modules).map(|(name, at)| (name, others.len() + at)).collect(),
    });
    Ok(compact::scripts(others.clone().chain(sources).collect()))
}

/// The path that a line of `index.html` loads in this way.
fn loaded<'a>(line: &'a str, how: &str) -> Option<&'a str> {
    line.trim().strip_prefix(how)?.split('"').next()
}

/// Scripts and styles of films and plots come from their crate.
fn is_of_figure(path: &str) -> bool {
    path.starts_with("../../figure/")
}
