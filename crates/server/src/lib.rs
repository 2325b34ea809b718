//! The page and its protocol over HTTP, for one machine. The server computes nothing: requests become jobs, jobs wait in a
//! bounded queue for workers, and a worker is another process, so that whatever a job does to it the server goes on.

mod answer;
mod ask;
mod body;
mod connection;
mod crew;
mod event;
mod file_name;
mod folder;
mod guard;
mod impatient_stream;
mod job;
mod lane;
mod limits;
mod memory;
mod openapi;
mod page;
mod reply;
mod service;
mod supervision;
mod token;
mod worker;

pub use limits::Limits;
pub use openapi::description;
pub use worker::WorkerCommand;

use crate::crew::Crews;
use crate::folder::Folder;
use crate::guard::Guard;
use crate::service::Service;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How often it is asked whether the server is to end.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// How long a file that is being read or written is waited for in the end.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// How many ports after one that is taken are tried, to name one that is not.
const TRIED_PORTS: u16 = 100;

/// Where to serve, what and how much.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// A name or an address of this machine; others than those of the loopback let other machines ask, with a token.
    pub host: String,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// The folder whose model files can be read and written, if any.
    pub folder: Option<PathBuf>,
    /// Whether a token is needed on the loopback, too: others who work on this machine cannot ask then.
    pub token: bool,
    /// How workers are started.
    pub worker: WorkerCommand,
    /// What jobs and clients may take.
    pub limits: Limits,
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Another program listens there.
    #[error("port {port} is taken")]
    PortTaken {
        /// The port that was asked for.
        port: u16,
        /// The next one that is not taken.
        free: Option<u16>,
    },
    /// The system refuses the address.
    #[error("cannot serve at {host}:{port}: {error}")]
    NoAddress {
        /// The host that was asked for.
        host: String,
        /// The port that was asked for.
        port: u16,
        /// What the system says.
        error: std::io::Error,
    },
    /// The folder of models is none.
    #[error("cannot use the folder `{path}`: {error}")]
    NoFolder {
        /// The folder that was asked for.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The system has no random numbers or no means to wait for events.
    #[error("cannot serve: {0}")]
    NoMeans(std::io::Error),
}

impl ServeError {
    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            ServeError::PortTaken { free: Some(free), .. } => {
                Some(format!("`--port {free}` is free, and `--port 0` takes any"))
            }
            ServeError::PortTaken { .. } => Some("`--port 0` takes any that is free".to_owned()),
            ServeError::NoAddress { .. } => {
                Some("leave out `--host` to serve this machine alone".to_owned())
            }
            ServeError::NoFolder { .. } => Some("name a folder that exists".to_owned()),
            ServeError::NoMeans(_) => None,
        }
    }
}

/// A server that listens, and answers once it runs.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Option<String>,
    folder: Option<Arc<Folder>>,
    settings: ServerSettings,
}

impl Server {
    /// Takes the address and opens the folder.
    pub fn bind(settings: ServerSettings) -> Result<Server, ServeError> {
        let folder = settings.folder.as_deref().map(Folder::open).transpose();
        let folder = folder.map_err(|error| {
            let path = settings.folder.as_deref().unwrap_or("".as_ref()).display().to_string();
            ServeError::NoFolder { path, error }
        })?;
        let listener = listen(&settings.host, settings.port)?;
        let address = listener.local_addr().map_err(ServeError::NoMeans)?;
        let needs_token = settings.token || !address.ip().is_loopback();
        let token = needs_token.then(token::random).transpose();
        let token =
            token.map_err(|error| ServeError::NoMeans(std::io::Error::other(error.to_string())))?;
        Ok(Server { listener, address, token, folder: folder.map(Arc::new), settings })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page, with the token if there is one.
    pub fn url(&self) -> String {
        let port = self.address.port();
        let ip = self.address.ip();
        let host = match ip.is_unspecified() {
            // every address of this machine, of which a browser needs one
            true => "127.0.0.1".to_owned(),
            false if ip.is_ipv6() => format!("[{ip}]"),
            false => ip.to_string(),
        };
        match &self.token {
            Some(token) => format!("http://{host}:{port}/?token={token}"),
            None => format!("http://{host}:{port}/"),
        }
    }

    /// Answers until it is to stop. All workers end with it.
    pub fn run(self, stop: &dyn Fn() -> bool) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(ServeError::NoMeans)?;
        let limits = Arc::new(self.settings.limits);
        let service = Arc::new(Service {
            crews: Crews::new(&self.settings.worker, &limits),
            limits: Arc::clone(&limits),
            jobs: job::Jobs::default(),
            guard: Guard { address: self.address, token: self.token },
            folder: self.folder,
        });
        let served = runtime.block_on(async {
            self.listener.set_nonblocking(true).map_err(ServeError::NoMeans)?;
            let listener = tokio::net::TcpListener::from_std(self.listener);
            let listener = listener.map_err(ServeError::NoMeans)?;
            tokio::select! {
                () = connection::let_in(listener, Arc::clone(&service)) => {}
                () = service.crews.dismiss_idle(limits.idle_time) => {}
                () = stopped(stop) => {}
            }
            Ok(())
        });
        // workers without a job end here; with the runtime all jobs end, and with them their workers
        drop(service);
        runtime.shutdown_timeout(END_TIMEOUT);
        served
    }
}

async fn stopped(stop: &dyn Fn() -> bool) {
    while !stop() {
        tokio::time::sleep(STOP_INTERVAL).await;
    }
}

fn listen(host: &str, port: u16) -> Result<TcpListener, ServeError> {
    let error = match TcpListener::bind((host, port)) {
        Ok(listener) => return Ok(listener),
        Err(error) => error,
    };
    if error.kind() != std::io::ErrorKind::AddrInUse {
        return Err(ServeError::NoAddress { host: host.to_owned(), port, error });
    }
    let after = port.saturating_add(1)..=port.saturating_add(TRIED_PORTS);
    let free = after.into_iter().find(|port| TcpListener::bind((host, *port)).is_ok());
    Err(ServeError::PortTaken { port, free })
}
