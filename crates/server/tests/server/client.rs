//! A client that can misbehave: it writes whatever bytes it is told to.
// every file of tests uses some of this
#![allow(dead_code)]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A server that has said nothing by then hangs, however busy the machine is.
const HANG_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    pub(crate) stream: BufReader<TcpStream>,
}

/// An answer without its body.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
}

impl Head {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn status(&self) -> u16 {
        self.head.status
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.header(name)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("answers are UTF-8")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The message of an error, and what to do.
    pub(crate) fn error(&self) -> String {
        let error = &self.json()["error"];
        let word = |key: &str| error[key].as_str().unwrap_or("").to_owned();
        format!("{}: {} ({})", word("kind"), word("message"), word("help"))
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("the server lets clients in");
        stream.set_read_timeout(Some(HANG_TIMEOUT)).expect("a timeout can be set");
        stream.set_write_timeout(Some(HANG_TIMEOUT)).expect("a timeout can be set");
        Client { stream: BufReader::new(stream) }
    }

    pub(crate) fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.get_mut().write_all(bytes.as_ref()).expect("the server listens");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("the server answers");
        line.trim_end_matches(['\r', '\n']).to_owned()
    }

    /// Reads the head of an answer; none if the connection was closed instead.
    pub(crate) fn head(&mut self) -> Option<Head> {
        let status = self.line();
        let status = status.split(' ').nth(1)?.parse().expect("a status is a number");
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_owned(), value.trim().to_owned()));
        }
        Some(Head { status, headers })
    }

    /// Reads a whole answer.
    pub(crate) fn answer(&mut self) -> Option<Answer> {
        let head = self.head()?;
        let mut body = Vec::new();
        if let Some(length) = head.header("content-length") {
            body.resize(length.parse().expect("a length is a number"), 0);
            self.stream.read_exact(&mut body).expect("the body is as long as it says");
        } else if head.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk() {
                body.extend(chunk);
            }
        }
        Some(Answer { head, body })
    }

    /// A piece of a body that comes in pieces; none at its end.
    fn chunk(&mut self) -> Option<Vec<u8>> {
        let line = self.line();
        let length = usize::from_str_radix(&line, 16).unwrap_or_else(|_| panic!("`{line}`"));
        let mut chunk = vec![0; length];
        self.stream.read_exact(&mut chunk).expect("the piece is as long as it says");
        assert_eq!(self.line(), "", "after a piece");
        (length > 0).then_some(chunk)
    }

    /// The next event of a stream whose head has been read; none at its end.
    pub(crate) fn event(&mut self) -> Option<(String, Value)> {
        let mut text = String::new();
        while !text.ends_with("\n\n") {
            text += std::str::from_utf8(&self.chunk()?).expect("events are UTF-8");
        }
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let (Some(name), Some(data)) = (field("event: "), field("data: ")) else {
            // a sign of life
            return self.event();
        };
        Some((name.to_owned(), serde_json::from_str(data).expect("data is JSON")))
    }

    /// All events up to the end.
    pub(crate) fn events(&mut self) -> Vec<(String, Value)> {
        std::iter::from_fn(|| self.event()).collect()
    }
}
