//! `catena serve`

use crate::{WRONG_USAGE, output, report, signals};
use catena_server::{Limits, Server, ServerSettings, WorkerCommand};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Serve {
    /// A folder whose model files can be opened and saved from the page; without one no file is touched
    folder: Option<PathBuf>,
    /// The port of the address; 0 takes any that is free
    #[arg(long, value_name = "P", default_value = "8484")]
    port: u16,
    /// The name or address of this machine to serve at; others than 127.0.0.1 let other machines ask, with a token
    #[arg(long, value_name = "H", default_value = "127.0.0.1")]
    host: String,
    /// Ask for a token on this machine, too, so that others who work on it cannot ask
    #[arg(long)]
    token: bool,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Seconds that a job may run
    #[arg(long, value_name = "S", default_value = "600", value_parser = seconds)]
    seconds: Duration,
    /// Memory that a job may use: 500M, 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    memory: u64,
    /// Jobs that may wait until others have run
    #[arg(long, value_name = "N", default_value = "32")]
    queue: usize,
}

impl Serve {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(self) -> Result<ExitCode, ExitCode> {
        let refused = |error: catena_server::ServeError| {
            report::error(&error.to_string(), error.help().as_deref());
            ExitCode::from(WRONG_USAGE)
        };
        let open = self.open;
        let server = Server::bind(self.settings()?).map_err(refused)?;
        output::print(&format!("Catena is at {} (Ctrl-C ends it)\n", server.url()));
        if open && !open_in_browser(&server.url()) {
            report::doubt("no browser could be opened", Some("open the address above yourself"));
        }
        signals::catch();
        server.run(&signals::received).map_err(refused)?;
        Ok(ExitCode::SUCCESS)
    }

    fn settings(self) -> Result<ServerSettings, ExitCode> {
        let program = own_program().map_err(|error| {
            report::error(&format!("cannot find this program to start workers: {error}"), None)
        })?;
        let limits = Limits {
            run_time: self.seconds,
            memory: self.memory,
            queue: self.queue,
            ..Limits::default()
        };
        let (name, arguments) = (std::env::args_os().next(), vec!["worker".to_owned()]);
        let worker = WorkerCommand { program, name, arguments };
        let Serve { host, port, folder, token, .. } = self;
        Ok(ServerSettings { host, port, folder, token, worker, limits })
    }
}

/// This program, so that copies of it can be started: the file that runs, also when another one has taken its name.
fn own_program() -> std::io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Ok(running) } else { std::env::current_exe() }
}

/// Hands an address to whatever the system opens addresses with; whether that could be started.
fn open_in_browser(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        // the empty text is the title of a window, for which `start` would take the address
        "windows" => ("cmd", &["/c", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let time = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "give a number of seconds greater than 0".to_owned())
}

fn size(text: &str) -> Result<u64, String> {
    let units = [("k", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];
    let unit = units.iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, *size)));
    let (number, unit) = unit.unwrap_or((text, 1));
    let bytes = number.parse().ok().and_then(|number: u64| number.checked_mul(unit));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "write a size as 500M or 2G".to_owned())
}
