//! Answers, and the headers that every one of them has.

use crate::body::AnswerBody;
use crate::reply::ErrorReply;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

pub(crate) type Answer = Response<AnswerBody>;

/// An answer that ends the work on a request before its time.
pub(crate) type Refused = Box<Answer>;

/// What a browser may do with an answer that is not the page: nothing.
const NO_CONTENT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// An answer whose body is known.
pub(crate) fn whole(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    with_body(status, kind, AnswerBody::Whole(body.into()))
}

pub(crate) fn with_body(status: StatusCode, kind: &'static str, body: AnswerBody) -> Answer {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

pub(crate) fn json(status: StatusCode, body: impl Into<Bytes>) -> Answer {
    whole(status, "application/json", body)
}

/// An answer without a body.
pub(crate) fn empty(status: StatusCode) -> Answer {
    let mut answer = Response::new(AnswerBody::Whole(Bytes::new()));
    *answer.status_mut() = status;
    answer
}

pub(crate) fn error(status: StatusCode, error: &ErrorReply) -> Answer {
    json(status, error.to_json())
}

/// A request that is to blame itself.
pub(crate) fn refused(status: StatusCode, message: &str, help: &str) -> Answer {
    error(status, &ErrorReply::new("request", message).help(help))
}

/// One more header; one whose value cannot be written is left out.
pub(crate) fn with_header(mut answer: Answer, name: HeaderName, value: &str) -> Answer {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(name, value);
    }
    answer
}

/// Nothing is guessed, framed, shared with other sites or kept, unless the answer says so itself.
pub(crate) fn with_safe_headers(mut answer: Answer) -> Answer {
    let headers = answer.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, NO_CONTENT_POLICY),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    answer
}
