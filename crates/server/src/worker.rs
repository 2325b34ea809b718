//! A worker: another process of this program that takes one request a line and answers with one event a line. Whatever a job
//! does to it, it can be killed and another one started.

use crate::{Limits, memory};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// How a worker is started.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The program, usually the one that serves.
    pub program: PathBuf,
    /// What the program is called, where that is not its path: some are several programs, by their names (Unix).
    pub name: Option<OsString>,
    /// What it is told to be; its limits follow.
    pub arguments: Vec<String>,
}

/// Bytes of a reply for each number of its table: base64 makes eleven of a float, and a film goes along.
const BYTES_OF_A_VALUE: usize = 16;

impl WorkerCommand {
    /// The same with its limits: what a worker knows of them it refuses in better words than those who cut it off. It ends
    /// with the server, however that ends.
    pub(crate) fn limited(
        &self,
        limits: &Limits,
        run_time: Duration,
        threads: usize,
    ) -> WorkerCommand {
        let mut command = self.clone();
        command.arguments.extend([
            "--attached".to_owned(),
            format!("--seconds={}", run_time.as_secs_f64()),
            format!("--memory={}", limits.memory),
            format!("--values={}", limits.reply / BYTES_OF_A_VALUE),
            format!("--threads={threads}"),
        ]);
        command
    }
}

/// The last bytes of standard error that are kept, to say why a worker ended.
const KEPT_LAST_WORDS: usize = 2000;

/// The number of the signal that no process survives.
#[cfg(unix)]
const KILL_SIGNAL: i32 = 9;

/// What asks a worker to end its job.
const CANCEL_LINE: &[u8] = b"{\"cancel\":true}\n";

/// Bytes of a pipe that are read at once.
const PIPE_BUFFER: usize = 64 << 10;

pub(crate) struct Worker {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// A line that has not ended yet: reading can be given up and taken up again.
    line: Vec<u8>,
    /// Whether a request is written in part only: no other can follow.
    mid_request: bool,
    last_words: Arc<Mutex<VecDeque<u8>>>,
    listener: JoinHandle<()>,
}

/// Why there is no further line.
#[derive(Debug)]
pub(crate) enum NoLine {
    /// The worker closed its output.
    Ended,
    /// The line is longer than allowed.
    TooLong,
}

/// How a worker ended that was not asked to.
#[derive(Debug)]
pub(crate) struct WorkerEnd {
    pub(crate) status: Option<ExitStatus>,
    /// The end of what it wrote to standard error.
    pub(crate) last_words: String,
}

impl Worker {
    pub(crate) fn start(command: &WorkerCommand) -> std::io::Result<Worker> {
        let mut start = Command::new(&command.program);
        start
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // Ctrl-C is for the server, which then ends its workers
        #[cfg(unix)]
        {
            start.process_group(0);
            if let Some(name) = &command.name {
                start.arg0(name);
            }
        }
        let mut process = start.spawn()?;
        let pipe = || std::io::Error::other("a pipe is missing");
        let input = process.stdin.take().ok_or_else(pipe)?;
        let output = process.stdout.take().ok_or_else(pipe)?;
        let errors = process.stderr.take().ok_or_else(pipe)?;
        let last_words = Arc::default();
        let listener = tokio::spawn(listen(errors, Arc::clone(&last_words)));
        Ok(Worker {
            process,
            input,
            output: BufReader::with_capacity(PIPE_BUFFER, output),
            line: Vec::new(),
            mid_request: false,
            last_words,
            listener,
        })
    }

    /// Hands over a request, which is one line.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> std::io::Result<()> {
        self.mid_request = true;
        self.input.write_all(request).await?;
        self.input.write_all(b"\n").await?;
        self.input.flush().await?;
        self.mid_request = false;
        Ok(())
    }

    /// Asks the worker to end its job. False if it cannot be asked.
    pub(crate) async fn cancel(&mut self) -> bool {
        !self.mid_request && self.input.write_all(CANCEL_LINE).await.is_ok()
    }

    /// The next line, without its end. Given up and called again, nothing is lost.
    pub(crate) async fn next_line(&mut self, longest: usize) -> Result<Vec<u8>, NoLine> {
        loop {
            let buffer = self.output.fill_buf().await.map_err(|_| NoLine::Ended)?;
            if buffer.is_empty() {
                return Err(NoLine::Ended);
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(buffer.len());
            if self.line.len() + taken > longest {
                return Err(NoLine::TooLong);
            }
            self.line.extend_from_slice(&buffer[..taken]);
            self.output.consume(end.map_or(taken, |end| end + 1));
            if end.is_some() {
                return Ok(std::mem::take(&mut self.line));
            }
        }
    }

    /// The number of the process; none once it has ended.
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Memory that the process holds, bytes; none where the system does not tell.
    pub(crate) fn memory(&self) -> Option<u64> {
        memory::resident(self.process.id()?)
    }

    /// Whether the process lives and can be asked.
    pub(crate) fn is_fit(&mut self) -> bool {
        let is_silent = self.line.is_empty() && self.output.buffer().is_empty();
        !self.mid_request && is_silent && matches!(self.process.try_wait(), Ok(None))
    }

    /// Ends the process, whatever it does, and waits until it is gone.
    pub(crate) async fn kill(mut self) {
        // a process that has ended already is as good
        let _ = self.process.kill().await;
    }

    /// What is known about a process that closed its output.
    pub(crate) async fn end(mut self) -> WorkerEnd {
        // one that lives on without its output is of no use either
        let wait = tokio::time::timeout(Duration::from_secs(1), self.process.wait());
        let status = wait.await.ok().and_then(Result::ok);
        let _ = self.process.kill().await;
        let _ = (&mut self.listener).await;
        let words = self.last_words.lock().expect("nobody panics with it");
        let words: Vec<u8> = words.iter().copied().collect();
        WorkerEnd { status, last_words: String::from_utf8_lossy(&words).into_owned() }
    }
}

impl WorkerEnd {
    /// Whether memory was what it lacked: an allocation failed, or the system has killed it to have some for others.
    pub(crate) fn is_for_memory(&self) -> bool {
        let killed = |status: ExitStatus| {
            #[cfg(unix)]
            return std::os::unix::process::ExitStatusExt::signal(&status) == Some(KILL_SIGNAL);
            #[cfg(not(unix))]
            return false;
        };
        self.last_words.contains("memory allocation of") || self.status.is_some_and(killed)
    }
}

/// Keeps the end of what a worker writes to standard error.
async fn listen(mut errors: ChildStderr, kept: Arc<Mutex<VecDeque<u8>>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = errors.read(&mut buffer).await {
        let mut kept = kept.lock().expect("nobody panics with it");
        kept.extend(&buffer[..count]);
        let surplus = kept.len().saturating_sub(KEPT_LAST_WORDS);
        kept.drain(..surplus);
    }
}
