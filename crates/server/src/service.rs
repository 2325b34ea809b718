//! Addresses and what answers there.

use crate::answer::{self, Answer, Refused, empty, refused, whole, with_header, with_safe_headers};
use crate::ask::ask;
use crate::crew::Crews;
use crate::folder::{self, Folder};
use crate::guard::Guard;
use crate::job::Jobs;
use crate::reply::ErrorReply;
use crate::{Limits, openapi, page};
use hyper::body::Incoming;
use hyper::header;
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use std::sync::Arc;

/// All that requests share.
pub(crate) struct Service {
    pub(crate) limits: Arc<Limits>,
    pub(crate) crews: Crews,
    pub(crate) jobs: Jobs,
    pub(crate) guard: Guard,
    /// Model files that may be read and written; none unless somebody chose a folder.
    pub(crate) folder: Option<Arc<Folder>>,
}

impl Service {
    /// Answers one request.
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Answer {
        let (head, body) = request.into_parts();
        let answer = match self.guard.check(&head) {
            Ok(()) => self.route(&head, body).await,
            Err(refused) => Err(refused),
        };
        with_safe_headers(answer.unwrap_or_else(|refused| *refused))
    }

    async fn route(&self, head: &Parts, body: Incoming) -> Result<Answer, Refused> {
        let path = head.uri.path();
        // who may read may ask how long it is
        let method = if head.method == Method::HEAD { &Method::GET } else { &head.method };
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        let answer = match parts[..] {
            [""] => match *method {
                Method::GET => self.page(head),
                _ => wrong_method("GET, HEAD"),
            },
            ["api", "1", "ask"] => match *method {
                Method::POST => return ask(self, head, body).await,
                _ => wrong_method("POST"),
            },
            ["api", "1", "jobs", id] => match *method {
                Method::DELETE => self.cancel(id),
                _ => wrong_method("DELETE"),
            },
            ["api", "1", "openapi.json"] => match *method {
                Method::GET => answer::json(StatusCode::OK, openapi::description()),
                _ => wrong_method("GET, HEAD"),
            },
            ["api", "1", "files"] => match *method {
                Method::GET => folder::list(self.folder.as_ref()).await,
                _ => wrong_method("GET, HEAD"),
            },
            ["api", "1", "files", name] => match *method {
                Method::GET => return folder::get(self.folder.as_ref(), name).await,
                Method::PUT => return folder::put(self, head, name, body).await,
                _ => wrong_method("GET, HEAD, PUT"),
            },
            _ => {
                let help = "/ is the page, /api/1/openapi.json describes the rest";
                refused(StatusCode::NOT_FOUND, "there is nothing here", help)
            }
        };
        Ok(answer)
    }

    fn page(&self, head: &Parts) -> Answer {
        if let Some(cookie) = self.guard.cookie_for(head) {
            let answer = with_header(empty(StatusCode::SEE_OTHER), header::LOCATION, "/");
            return with_header(answer, header::SET_COOKIE, &cookie);
        }
        let answer = whole(StatusCode::OK, "text/html; charset=utf-8", page::html());
        let answer = with_header(answer, header::CONTENT_SECURITY_POLICY, page::content_policy());
        // another program may be behind this address next time
        with_header(answer, header::CACHE_CONTROL, "no-cache")
    }

    fn cancel(&self, id: &str) -> Answer {
        if self.jobs.cancel(id) {
            return empty(StatusCode::NO_CONTENT);
        }
        let gone = ErrorReply::new("request", "no job of this name waits or runs");
        answer::error(StatusCode::NOT_FOUND, &gone)
    }
}

fn wrong_method(allowed: &str) -> Answer {
    let help = format!("allowed here: {allowed}");
    let answer = refused(StatusCode::METHOD_NOT_ALLOWED, "this cannot be done here", &help);
    with_header(answer, header::ALLOW, allowed)
}
