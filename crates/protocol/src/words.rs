//! Words for people: texts alone, never markup.

use catena::analysis::{Line, Tone, Words};
use serde_json::{Value, json};

/// The lines of an answer.
pub(crate) fn lines(words: &Words) -> Value {
    let line = |line: &Line| match line {
        Line::Text(text) => json!({ "kind": "text", "text": text }),
        Line::Marked { tone, mark, text } => {
            let kind = match tone {
                Tone::Remark => "remark",
                Tone::Failure => "failure",
            };
            json!({ "kind": kind, "mark": mark, "text": text })
        }
        Line::Table { headings, rows } => {
            json!({ "kind": "table", "headings": headings, "rows": rows })
        }
    };
    Value::Array(words.lines.iter().map(line).collect())
}
