//! Real processes in temporary folders: what commands answer, and how they end when they are interrupted.
// every file of tests uses some of this
#![allow(dead_code)]

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A program that has not answered by then hangs, however busy the machine is.
const HANG_TIMEOUT: Duration = Duration::from_secs(120);

/// A temporary folder of one test, removed in the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Folder {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let name: String = test.chars().filter(char::is_ascii_alphanumeric).collect();
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("catena-{}-{number}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        Folder(path)
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// The same as an argument of a command.
    pub(crate) fn file(&self, file: &str) -> String {
        self.path(file).display().to_string()
    }

    /// Writes a file and names it as an argument of a command.
    pub(crate) fn with(&self, file: &str, contents: impl AsRef<[u8]>) -> String {
        self.write(file, contents);
        self.file(file)
    }

    pub(crate) fn write(&self, file: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(file), contents).expect("the temporary folder can be written");
    }

    pub(crate) fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    pub(crate) fn text(&self, file: &str) -> String {
        String::from_utf8(self.read(file)).expect("answers are UTF-8")
    }

    /// Files that were to become others.
    pub(crate) fn parts(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.0).expect("the folder can be listed");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "part")).collect()
    }

    /// A command inside the folder, so that no path of this machine gets into a message; its answers go
    /// into files, so that what hangs can be stopped without a reader that hangs with it.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let create = |name: &str| File::create(self.path(name)).expect("a file can be made");
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&self.0)
            .env("NO_COLOR", "1")
            .env("CATENA", env!("CARGO_BIN_EXE_catena"))
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .stdout(create("output"))
            .stderr(create("message"));
        command
    }

    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        let mut command = self.command(env!("CARGO_BIN_EXE_catena"), arguments);
        hear_hang_ups(&mut command);
        Running(command.spawn().expect("the program can be started"))
    }

    pub(crate) fn answer(&self, status: ExitStatus) -> Answer {
        let (output, message) = (self.text("output"), self.text("message"));
        let answer = Answer { code: status.code(), output, message };
        assert!(!answer.message.contains("panicked"), "{}", answer.message);
        answer
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        self.answer(self.start(arguments).wait())
    }

    /// Runs a line of the shell, in which `$CATENA` is the program.
    pub(crate) fn shell(&self, line: &str) -> Answer {
        let mut command = self.command("sh", &["-c", line]);
        self.answer(Running(command.spawn().expect("there is a shell")).wait())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // a folder that stays behind is no reason to fail
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Tests may themselves run under `nohup`, which programs would take over from them.
fn hear_hang_ups(command: &mut Command) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigHandler, Signal, signal};
        use std::os::unix::process::CommandExt;
        let hear = || {
            // SAFETY: the default action runs no code of ours
            unsafe { signal(Signal::SIGHUP, SigHandler::SigDfl) }?;
            Ok(())
        };
        // SAFETY: between fork and exec nothing is called but `signal`, which may be
        unsafe { command.pre_exec(hear) };
    }
}

/// A program at work; killed if a test fails over it.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn new(child: Child) -> Running {
        Running(child)
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn wait(mut self) -> ExitStatus {
        let status = self.until("it ends", |child| child.try_wait().expect("it can be waited for"));
        status.expect("it ended")
    }

    /// Waits for a condition; none if the program ends before.
    pub(crate) fn until<T>(
        &mut self,
        what: &str,
        mut condition: impl FnMut(&mut Child) -> Option<T>,
    ) -> Option<T> {
        let start = Instant::now();
        loop {
            let ended = self.0.try_wait().expect("it can be waited for").is_some();
            let found = condition(&mut self.0);
            if found.is_some() || ended {
                return found;
            }
            assert!(start.elapsed() < HANG_TIMEOUT, "waited {HANG_TIMEOUT:?} until {what}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let line = format!("kill -{name} {}", self.0.id());
        // a program that is gone has no use for a signal
        let _ = Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status();
    }

    /// Waits until the program looks after Ctrl-C itself: SIGINT is the second bit of the mask.
    #[cfg(target_os = "linux")]
    pub(crate) fn until_ctrl_c_is_caught(&mut self) {
        let status = format!("/proc/{}/status", self.0.id());
        let caught = |_: &mut Child| {
            let text = std::fs::read_to_string(&status).ok()?;
            let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
            let mask = u64::from_str_radix(mask.trim(), 16).expect("a mask is hexadecimal");
            (mask & 0b10 != 0).then_some(())
        };
        self.until("Ctrl-C is caught", caught).expect("it runs on");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // most have ended already
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) output: String,
    /// Standard error.
    pub(crate) message: String,
}

impl Answer {
    /// What a command prints that must succeed.
    pub(crate) fn printed(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.output, self.message);
        self.output
    }

    /// The message of a command that must fail with this exit code and print nothing else.
    pub(crate) fn refused(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.output, self.message);
        assert_eq!(self.output, "", "what was refused has no output");
        assert!(self.message.contains("error"), "{}", self.message);
        self.message
    }

    /// What `check` found in a model that could be read.
    pub(crate) fn found(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.output, self.message);
        assert_eq!(self.message, "");
        self.output
    }
}

/// Runs the program in a folder that nobody looks into.
pub(crate) fn catena(arguments: &[&str]) -> Answer {
    Folder::new("nowhere").run(arguments)
}
