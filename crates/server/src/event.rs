//! What a job tells on its way, as server-sent events carry it.

use crate::reply::ErrorReply;
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

/// One event: its name and one line of JSON.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) name: EventName,
    pub(crate) data: Bytes,
}

/// The events of the HTTP carrier. A worker sends the last three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventName {
    /// The job has an identifier, by which it can be cancelled.
    Accepted,
    /// The job waits, at this position.
    Queued,
    /// A part of the work, 0 to 1, is done.
    Progress,
    /// A part of the result is known.
    Part,
    /// The reply; nothing follows.
    Done,
}

impl EventName {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            EventName::Accepted => "accepted",
            EventName::Queued => "queued",
            EventName::Progress => "progress",
            EventName::Part => "part",
            EventName::Done => "done",
        }
    }
}

/// What a worker writes: `{"event":"progress","part":0.4}`, `{"event":"part","part":{…}}`, `{"event":"done","reply":{…}}`.
#[derive(Deserialize)]
struct WorkerLine<'a> {
    event: &'a str,
    #[serde(borrow)]
    part: Option<&'a RawValue>,
    #[serde(borrow)]
    reply: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ReplyHead {
    error: Option<ErrorHead>,
}

#[derive(Deserialize)]
struct ErrorHead {
    kind: String,
}

impl Event {
    pub(crate) fn accepted(job: &str) -> Event {
        let data = json!({ "job": job });
        Event { name: EventName::Accepted, data: data.to_string().into() }
    }

    pub(crate) fn queued(position: usize) -> Event {
        let data = json!({ "position": position });
        Event { name: EventName::Queued, data: data.to_string().into() }
    }

    /// A reply of the server itself.
    pub(crate) fn error(error: &ErrorReply) -> Event {
        Event { name: EventName::Done, data: error.to_json().into() }
    }

    /// A line of a worker; none if it is not one of the protocol. Parts and replies stay as they were written.
    pub(crate) fn from_worker(line: Bytes) -> Option<Event> {
        let head: WorkerLine<'_> = serde_json::from_slice(&line).ok()?;
        let written = |value: &RawValue| line.slice_ref(value.get().as_bytes());
        let (name, data) = match head.event {
            "progress" => {
                let part: f64 = serde_json::from_str(head.part?.get()).ok()?;
                (EventName::Progress, json!({ "part": part }).to_string().into())
            }
            "part" => (EventName::Part, written(head.part?)),
            "done" => (EventName::Done, written(head.reply?)),
            _ => return None,
        };
        Some(Event { name, data })
    }

    /// The event as it goes over the wire: its name, its data, an empty line. The data is not copied.
    pub(crate) fn frames(self) -> [Bytes; 3] {
        let head = format!("event: {}\ndata: ", self.name.as_str());
        [head.into(), self.data, Bytes::from_static(b"\n\n")]
    }
}

/// The kind of error that a reply tells of, if it does.
pub(crate) fn error_kind(reply: &[u8]) -> Option<String> {
    let head: ReplyHead = serde_json::from_slice(reply).ok()?;
    head.error.map(|error| error.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_keeps_every_byte_that_the_worker_wrote() {
        let line = r#"{"event":"done","reply":{"x":1e-8, "y":[0.10]}}"#;
        let event = Event::from_worker(line.into()).expect("a line of the protocol");
        assert_eq!(
            (event.name, &event.data[..]),
            (EventName::Done, &br#"{"x":1e-8, "y":[0.10]}"#[..])
        );
    }

    #[test]
    fn what_is_no_event_is_not_passed_on() {
        for line in [
            "",
            "thread 'main' panicked",
            r#"{"event":"accepted","reply":{}}"#,
            r#"{"event":"done"}"#,
            r#"{"event":"progress","part":"much"}"#,
            "[]",
        ] {
            assert!(Event::from_worker(line.into()).is_none(), "{line}");
        }
    }

    #[test]
    fn errors_are_found_in_replies_and_in_nothing_else() {
        let event = Event::error(&ErrorReply::new("limit", "a \"limit\"\nof two lines"));
        assert_eq!(error_kind(&event.data).as_deref(), Some("limit"));
        assert_eq!(error_kind(br#"{"certificate":{"error":{"kind":"x"}}}"#), None);
    }
}
