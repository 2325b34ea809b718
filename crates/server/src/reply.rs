//! Replies in the words of the protocol that the server itself has to give: what it refuses before any worker sees it, and
//! what it says when a job was cut off.

use serde_json::json;

/// Why there is no answer. The kinds are those of the protocol.
#[derive(Debug, Clone)]
pub(crate) struct ErrorReply {
    /// `request`, `limit`, `busy`, `cancelled` or `failed`.
    pub(crate) kind: &'static str,
    /// One sentence about what is wrong.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: Option<String>,
}

impl ErrorReply {
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> ErrorReply {
        ErrorReply { kind, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> ErrorReply {
        self.help = Some(help.into());
        self
    }

    /// The reply as one line of JSON.
    pub(crate) fn to_json(&self) -> String {
        let mut error = json!({ "kind": self.kind, "message": self.message });
        if let Some(help) = &self.help {
            error["help"] = json!(help);
        }
        json!({ "error": error }).to_string()
    }
}

/// A number of bytes as people say it.
pub(crate) fn bytes_in_words(bytes: u64) -> String {
    for (unit, size) in [("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)] {
        if bytes >= size {
            let count = (bytes as f64 / size as f64 * 10.0).round() / 10.0;
            return format!("{count} {unit}");
        }
    }
    format!("{bytes} bytes")
}

/// A number of seconds as people say it.
pub(crate) fn seconds_in_words(time: std::time::Duration) -> String {
    format!("{} s", (time.as_secs_f64() * 10.0).round() / 10.0)
}
