//! What a job tells on its way, as server-sent events carry it.

use crate::reply::ErrorReply;
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

/// One event: its name, and one line of JSON that names it again.
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

#[derive(Deserialize)]
struct WorkerLine<'a> {
    event: &'a str,
}

#[derive(Deserialize)]
struct DoneLine<'a> {
    #[serde(borrow)]
    reply: &'a RawValue,
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
        let data = json!({ "event": "accepted", "job": job });
        Event { name: EventName::Accepted, data: data.to_string().into() }
    }

    pub(crate) fn queued(position: usize) -> Event {
        let data = json!({ "event": "queued", "position": position });
        Event { name: EventName::Queued, data: data.to_string().into() }
    }

    /// A reply of the server itself.
    pub(crate) fn error(error: &ErrorReply) -> Event {
        let data = format!("{{\"event\":\"done\",\"reply\":{}}}", error.to_json());
        Event { name: EventName::Done, data: data.into() }
    }

    /// A line of a worker; none if it is not one of the protocol.
    pub(crate) fn from_worker(line: Bytes) -> Option<Event> {
        let head: WorkerLine<'_> = serde_json::from_slice(&line).ok()?;
        let names = [EventName::Progress, EventName::Part, EventName::Done];
        let name = names.into_iter().find(|name| name.as_str() == head.event)?;
        Some(Event { name, data: line })
    }

    /// The reply of a last event, as the worker wrote it.
    pub(crate) fn reply(&self) -> Option<Bytes> {
        let line: DoneLine<'_> = serde_json::from_slice(&self.data).ok()?;
        Some(self.data.slice_ref(line.reply.get().as_bytes()))
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
        assert_eq!(event.name, EventName::Done);
        assert_eq!(event.reply().expect("a reply"), r#"{"x":1e-8, "y":[0.10]}"#);
    }

    #[test]
    fn what_is_no_event_is_not_passed_on() {
        for line in
            ["", "thread 'main' panicked", "{\"event\":\"accepted\"}", "{\"event\":1}", "[]"]
        {
            assert!(Event::from_worker(line.into()).is_none(), "{line}");
        }
    }

    #[test]
    fn errors_are_found_in_replies_and_in_nothing_else() {
        let reply = Event::error(&ErrorReply::new("limit", "a \"limit\"\nof two lines")).reply();
        assert_eq!(error_kind(&reply.expect("a reply")).as_deref(), Some("limit"));
        assert_eq!(error_kind(br#"{"certificate":{"error":{"kind":"x"}}}"#), None);
    }
}
