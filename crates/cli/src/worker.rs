//! `catena worker`: the protocol over standard input and output, for programs that start this one.
//!
//! A request is a line of JSON. While it works it prints events, a line each, and in the end `done` with the reply. A line
//! `{"cancel": true}` ends what has been asked for up to there.

use catena_protocol::{Event, Host, Limits, Workbench};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

/// Progress is told no more often than this.
const LEAST_SILENCE: Duration = Duration::from_millis(50);

#[derive(clap::Args)]
pub(crate) struct Worker {
    /// Seconds that a request may take
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Bytes of memory that this process may use; more ends it (Unix)
    #[arg(long, value_name = "BYTES")]
    memory: Option<u64>,
    /// Rows of a run, times its columns
    #[arg(long, value_name = "N")]
    values: Option<usize>,
    /// Threads that share the work of one request
    #[arg(long, value_name = "N", default_value = "1")]
    threads: usize,
    /// End when the input ends, whatever is being answered: whoever asked is gone
    #[arg(long)]
    attached: bool,
}

impl Worker {
    pub(crate) fn run(self) -> ExitCode {
        if let Some(bytes) = self.memory {
            limit_memory(bytes);
        }
        // the number of the last request that is to end: one that comes after it is not meant, whichever is looked at first
        let cancelled = AtomicUsize::new(0);
        let (requests, waiting) = mpsc::channel();
        let mut workbench = Workbench::default();
        std::thread::scope(|scope| {
            let cancelled = &cancelled;
            scope.spawn(move || {
                let mut number = 0;
                for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                    let is_cancel = serde_json::from_str::<Value>(&line)
                        .is_ok_and(|line| line.get("cancel").is_some() && line.get("do").is_none());
                    if is_cancel {
                        cancelled.store(number, Ordering::Relaxed);
                    } else if !line.trim().is_empty() {
                        number += 1;
                        if requests.send((number, line)).is_err() {
                            return;
                        }
                    }
                }
                if self.attached {
                    std::process::exit(0);
                }
            });
            for (number, request) in waiting {
                let is_cancelled = || cancelled.load(Ordering::Relaxed) >= number;
                self.answer(&mut workbench, &request, &is_cancelled);
            }
        });
        ExitCode::SUCCESS
    }

    fn answer(
        &self,
        workbench: &mut Workbench,
        request: &str,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) {
        let began = Instant::now();
        let told = Mutex::new(None::<Instant>);
        let is_late = || self.seconds.is_some_and(|most| began.elapsed().as_secs_f64() > most);
        let host = Host {
            clock: &|| began.elapsed().as_secs_f64(),
            stop: &|| is_cancelled() || is_late(),
            tell: &|event| match event {
                Event::Progress(part) => {
                    let Ok(mut told) = told.lock() else { return };
                    let now = Instant::now();
                    if told.is_none_or(|last| now - last >= LEAST_SILENCE) {
                        *told = Some(now);
                        print(&json!({ "event": "progress", "part": part }));
                    }
                }
                Event::Part(part) => print(&json!({ "event": "part", "part": part })),
            },
            threads: self.threads.max(1),
            limits: Limits {
                values: self.values.unwrap_or(Limits::default().values),
                ..Limits::default()
            },
        };
        // what a panic leaves behind in the workbench is thrown away with it
        let answered = catch_unwind(AssertUnwindSafe(|| workbench.answer(request, &host)));
        let mut reply = answered.unwrap_or_else(|_| {
            *workbench = Workbench::default();
            json!({ "error": {
                "kind": "failed",
                "message": "this is a fault of Catena: it broke off while it was at work",
                "help": "please report it with the model and what was asked",
            } })
        });
        if is_late() {
            let most = self.seconds.unwrap_or_default();
            let message = format!("stopped after {most} s, the most that is allowed here");
            match reply.get("error") {
                None => reply["late"] = json!(message),
                Some(_) => {
                    reply = json!({ "error": {
                        "kind": "limit",
                        "message": message,
                        "help": "ask for less: a shorter time, fewer points, a looser tolerance",
                    } });
                }
            }
        }
        print(&json!({ "event": "done", "reply": reply }));
    }
}

/// Prints a line. Where nobody reads any more there is nobody to work for.
fn print(line: &Value) {
    let mut output = std::io::stdout().lock();
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}

#[cfg(unix)]
fn limit_memory(bytes: u64) {
    use nix::sys::resource::{Resource, setrlimit};
    // addresses that are only set aside, as allocators do for each thread, cost nothing; Linux can tell
    let limited = match cfg!(target_os = "linux") {
        true => Resource::RLIMIT_DATA,
        false => Resource::RLIMIT_AS,
    };
    // where the limit cannot be set, the caller's other means remain
    let _ = setrlimit(limited, bytes, bytes);
}

#[cfg(not(unix))]
fn limit_memory(_: u64) {}
