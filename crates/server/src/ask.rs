//! `POST /api/1/ask`: a request of the protocol becomes a job, and what it tells becomes a stream of events or one reply.

use crate::answer::{Answer, Refused, error, json, refused, with_body, with_header};
use crate::body::{AnswerBody, EventStream, UnreadBody, read_body};
use crate::event::{Event, EventName, error_kind};
use crate::lane::Full;
use crate::reply::{ErrorReply, bytes_in_words, seconds_in_words};
use crate::service::Service;
use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap};
use hyper::http::request::Parts;
use serde::Deserialize;
use std::sync::Arc;
use tokio::sync::mpsc;

/// After how many seconds somebody who found the queue full may ask again.
const RETRY_AFTER: &str = "2";

/// All that the server knows of a request; the rest is the worker's.
#[derive(Deserialize)]
struct RequestHead {
    #[serde(rename = "do")]
    work: String,
}

pub(crate) async fn ask(
    service: &Service,
    head: &Parts,
    body: Incoming,
) -> Result<Answer, Refused> {
    require_type(&head.headers, "application/json")?;
    let body = read(service, body).await?;
    let crew = Arc::clone(service.crews.for_work(&work_of(&body)?));
    let turn = crew.enter().map_err(|full| busy(&full))?;
    let added = service.jobs.add(on_one_line(body));
    let (job, events) = added.map_err(|cause| no_identifier(&cause))?;
    let id = job.id.clone();
    tokio::spawn(async move { crew.see_through(turn, job).await });
    if wants_reply_alone(&head.headers) {
        return Ok(reply_alone(events).await);
    }
    let stream = EventStream::new(Event::accepted(&id), events);
    Ok(with_body(StatusCode::OK, "text/event-stream", AnswerBody::Events(stream)))
}

/// The body of a request, or the answer to somebody who sends too much or too slowly.
pub(crate) async fn read(service: &Service, body: Incoming) -> Result<Vec<u8>, Refused> {
    let limits = &service.limits;
    let unread = match read_body(body, limits.body, limits.body_timeout).await {
        Ok(body) => return Ok(body),
        Err(unread) => unread,
    };
    let answer = match unread {
        UnreadBody::TooLong => {
            let longest = bytes_in_words(limits.body as u64);
            let message = format!("the request is longer than {longest}");
            let limit = ErrorReply::new("limit", message).help("make the model smaller");
            error(StatusCode::PAYLOAD_TOO_LARGE, &limit)
        }
        UnreadBody::TooSlow => {
            let time = seconds_in_words(limits.body_timeout);
            let message = format!("the request did not come within {time}");
            error(StatusCode::REQUEST_TIMEOUT, &ErrorReply::new("limit", message))
        }
        UnreadBody::Broken => {
            refused(StatusCode::BAD_REQUEST, "the request broke off", "send all of it")
        }
    };
    // the rest of the body is not waited for
    Err(with_header(answer, header::CONNECTION, "close").into())
}

/// Refuses other types: forms of other sites can send some of those without being asked.
pub(crate) fn require_type(headers: &HeaderMap, expected: &str) -> Result<(), Refused> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let given = given.and_then(|text| text.split(';').next()).unwrap_or("").trim();
    if given.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    let help = format!("send `Content-Type: {expected}`");
    Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body has another type", &help).into())
}

fn work_of(body: &[u8]) -> Result<String, Refused> {
    let example =
        "a request looks like {\"do\":\"catalogue\"}; /api/1/openapi.json describes all of them";
    // a list could pass for an object: its parts would be taken for the values, in their order
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(
            refused(StatusCode::BAD_REQUEST, "the request is not a JSON object", example).into()
        );
    }
    let Ok(text) = std::str::from_utf8(body) else {
        return Err(refused(StatusCode::BAD_REQUEST, "the request is not UTF-8", example).into());
    };
    match serde_json::from_str::<RequestHead>(text) {
        Ok(head) => Ok(head.work),
        Err(error) => {
            let message = format!("the request cannot be read: {error}");
            Err(refused(StatusCode::BAD_REQUEST, &message, example).into())
        }
    }
}

/// Ends of lines stand only between the parts of JSON, never inside a text: there they are written as `\n`.
fn on_one_line(mut body: Vec<u8>) -> Vec<u8> {
    for byte in &mut body {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    body
}

fn busy(full: &Full) -> Refused {
    let message = format!("busy, position {}", full.position);
    let busy = ErrorReply::new("busy", message).help("the queue is full; ask again in a moment");
    let answer = error(StatusCode::TOO_MANY_REQUESTS, &busy);
    with_header(answer, header::RETRY_AFTER, RETRY_AFTER).into()
}

fn no_identifier(cause: &getrandom::Error) -> Refused {
    let message = format!("the system has no random numbers: {cause}");
    error(StatusCode::INTERNAL_SERVER_ERROR, &ErrorReply::new("failed", message)).into()
}

fn wants_reply_alone(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let accepted: Vec<&str> = accepted.collect();
    let names = |kind: &str| accepted.iter().any(|text| text.contains(kind));
    names("application/json") && !names("text/event-stream")
}

/// Waits for the last event. A client that goes away drops the channel, which cancels the job.
async fn reply_alone(mut events: mpsc::Receiver<Event>) -> Answer {
    while let Some(event) = events.recv().await {
        if event.name == EventName::Done {
            return json(status_of(&event.data), event.data);
        }
    }
    let lost = ErrorReply::new("failed", "the job was lost");
    error(StatusCode::INTERNAL_SERVER_ERROR, &lost)
}

/// A question that was answered is a success, whatever the answer is.
fn status_of(reply: &[u8]) -> StatusCode {
    match error_kind(reply).as_deref() {
        Some("request") => StatusCode::BAD_REQUEST,
        Some("failed") => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::OK,
    }
}
