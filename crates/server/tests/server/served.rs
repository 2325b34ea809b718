//! A server of one test, with workers that do what they are told.

use crate::client::{Answer, Client};
use catena_server::{Limits, Server, ServerSettings, WorkerCommand};
use serde_json::Value;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What has not happened by then never does, however busy the machine is.
const HANG_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) url: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Limits that tests reach soon, and no others.
pub(crate) fn small() -> Limits {
    Limits { workers: 1, queue: 2, ..Limits::default() }
}

pub(crate) fn settings(limits: Limits) -> ServerSettings {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stand_in.py");
    ServerSettings {
        host: "127.0.0.1".to_owned(),
        port: 0,
        folder: None,
        token: false,
        worker: WorkerCommand {
            program: "python3".into(),
            name: None,
            arguments: vec![script.display().to_string()],
        },
        limits,
    }
}

impl Served {
    pub(crate) fn new(limits: Limits) -> Served {
        Served::with(settings(limits))
    }

    pub(crate) fn with(settings: ServerSettings) -> Served {
        let server = Server::bind(settings).expect("a free port");
        let (address, url) = (server.address(), server.url());
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            server.run(&|| stopped.load(Ordering::Relaxed)).expect("the server runs");
        });
        Served { address, url, stop, thread: Some(thread) }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// The head of a request as a program sends it, with more lines of headers.
    pub(crate) fn head(&self, line: &str, headers: &str) -> String {
        format!("{line} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", self.address)
    }

    /// Sends a request without a body.
    pub(crate) fn get(&self, line: &str, headers: &str) -> Answer {
        let mut client = self.client();
        client.write(self.head(line, headers));
        client.answer().expect("an answer")
    }

    /// Sends a request with a body.
    pub(crate) fn send(&self, line: &str, headers: &str, body: impl AsRef<[u8]>) -> Answer {
        let mut client = self.client();
        let length = body.as_ref().len();
        client.write(self.head(line, &format!("{headers}Content-Length: {length}\r\n")));
        client.write(body);
        client.answer().expect("an answer")
    }

    /// Asks for the reply alone.
    pub(crate) fn ask(&self, request: &Value) -> Answer {
        let headers = "Content-Type: application/json\r\nAccept: application/json\r\n";
        self.send("POST /api/1/ask", headers, request.to_string())
    }

    /// Asks for events; the head of the answer has been read.
    pub(crate) fn stream(&self, request: &Value) -> Client {
        let mut client = self.client();
        let body = request.to_string();
        let headers =
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        client.write(self.head("POST /api/1/ask", &headers));
        client.write(body);
        let head = client.head().expect("an answer");
        assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
        client
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        // one failure is enough
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))), "the server panicked");
    }
}

/// Waits until something is so.
pub(crate) fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < HANG_TIMEOUT, "waited {HANG_TIMEOUT:?} until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A temporary folder of one test, removed in the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("catena-server-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        Scratch(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).expect("the temporary folder can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // a folder that stays behind is no reason to fail
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
