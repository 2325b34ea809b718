//! `catena sweep --on dask://HOST:PORT`: the Python package computes on a cluster, into the file that this program then
//! shows.
//!
//! Dask is a thing of Python's, so a Python with the package of this version is asked: a request goes in as one line of JSON,
//! an answer comes out as another. What it says to people goes to standard error, as ours does.

use crate::{FAILED, WRONG_USAGE, report, signals};
use catena::Model;
use catena::model::{OptionValue, RUN_OPTIONS};
use catena::sweep::SweepRequest;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Names the Python that has the package.
const PYTHON_VARIABLE: &str = "CATENA_PYTHON";

/// How often signals are looked after.
const PERIOD: Duration = Duration::from_millis(50);
/// How long Python may take to end in good order after a signal.
const GRACE: Duration = Duration::from_secs(5);

/// What a cluster has done.
pub(crate) struct Done {
    /// Blocks that it computed.
    pub(crate) blocks: u64,
    /// How long that took, s.
    pub(crate) seconds: f64,
    /// The most workers that there were at once.
    pub(crate) workers: u64,
    /// Tasks that they did.
    pub(crate) tasks: u64,
}

/// Has a cluster compute what is missing in a file; `None` if a signal ended it, with what is finished in the file.
pub(crate) fn compute(
    address: &str,
    model: &Model,
    request: &SweepRequest,
    store: &Path,
    resume: bool,
) -> Result<Option<Done>, ExitCode> {
    let python = std::env::var_os(PYTHON_VARIABLE).unwrap_or_else(|| "python3".into());
    let shown = python.to_string_lossy().into_owned();
    must_have_package(&shown)?;
    let mut child = started(Command::new(&python).args(["-m", "catena._on_cluster"]), &shown)?;
    signals::catch();
    let text = request_json(address, model, request, store, resume).to_string();
    if let Some(mut input) = child.stdin.take() {
        // one that ended early says why
        let _ = writeln!(input, "{text}");
    }
    let mut output = child.stdout.take();
    let answer = std::thread::spawn(move || {
        let mut answer = String::new();
        output.as_mut().map(|output| output.read_to_string(&mut answer));
        answer
    });
    let was_interrupted = wait(&mut child);
    signals::release();
    let answer = answer.join().unwrap_or_default();
    let answer: Value = serde_json::from_str(answer.trim()).unwrap_or_default();
    if let Some(error) = answer.get("error") {
        let said = |key: &str| error.get(key).and_then(Value::as_str);
        report::error(said("message").unwrap_or_default(), said("help"));
        let is_usage = error.get("usage").and_then(Value::as_bool) == Some(true);
        return Err(ExitCode::from(if is_usage { WRONG_USAGE } else { FAILED }));
    }
    let count = |key: &str| answer.get(key).and_then(Value::as_f64);
    match (count("blocks"), count("seconds")) {
        (Some(blocks), Some(seconds)) => Ok(Some(Done {
            blocks: blocks as u64,
            seconds,
            workers: count("workers").unwrap_or_default() as u64,
            tasks: count("tasks").unwrap_or_default() as u64,
        })),
        _ if was_interrupted => Ok(None),
        _ => {
            let help = "what was committed before is kept: --resume continues from there";
            Err(report::error(&format!("`{shown}` ended without an answer"), Some(help)))
        }
    }
}

/// Python with the package of this version.
fn must_have_package(python: &str) -> Result<(), ExitCode> {
    let program = "import catena; print(catena.__version__)";
    let mut child =
        started(Command::new(python).args(["-c", program]).stderr(Stdio::null()), python)?;
    let mut version = String::new();
    child.stdout.take().map(|mut output| output.read_to_string(&mut version));
    let ended = child.wait().is_ok_and(|status| status.success());
    let (found, own) = (version.trim(), env!("CARGO_PKG_VERSION"));
    let message = match ended {
        true if found == own => return Ok(()),
        true => {
            format!("the package of `{python}` is Catena {found}, and this program is Catena {own}")
        }
        false => format!("`{python}` has no package `catena`"),
    };
    let help = format!(
        "install Catena {own} there, with Dask: pip install ./python distributed; or name another Python in {PYTHON_VARIABLE}"
    );
    Err(report::error(&message, Some(&help)))
}

fn started(command: &mut Command, python: &str) -> Result<Child, ExitCode> {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    child.map_err(|error| {
        let help = format!(
            "--on needs Python with the package `catena`; {PYTHON_VARIABLE} names one that is called otherwise"
        );
        report::error(&format!("`{python}` cannot be started: {error}"), Some(&help))
    })
}

/// Waits until it has ended; true if a signal was the reason.
fn wait(child: &mut Child) -> bool {
    let mut asked: Option<Instant> = None;
    while let Ok(None) = child.try_wait() {
        if signals::received() {
            let since = asked.get_or_insert_with(|| {
                interrupt(child);
                Instant::now()
            });
            if since.elapsed() > GRACE {
                // what is committed stays
                let _ = child.kill();
            }
        }
        std::thread::sleep(PERIOD);
    }
    signals::received()
}

/// As Ctrl-C does, which may have reached it already.
#[cfg(unix)]
fn interrupt(child: &Child) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    // one that has ended is no failure
    let _ = i32::try_from(child.id()).map(|id| kill(Pid::from_raw(id), Signal::SIGINT));
}

#[cfg(not(unix))]
fn interrupt(_: &Child) {}

/// The sweep as `catena._on_cluster` reads it.
fn request_json(
    address: &str,
    model: &Model,
    request: &SweepRequest,
    store: &Path,
    resume: bool,
) -> Value {
    let pair = |text: &str| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        json!([name, value])
    };
    let settings: Vec<Value> = model.sources.iter().skip(1).map(|it| pair(&it.text)).collect();
    let times = [
        ("t_start", &request.t_start),
        ("t_end", &request.t_end),
        ("every", &request.every),
        ("after", &request.after),
        ("step", &request.step),
    ];
    let times = times.into_iter().filter_map(|(key, text)| Some(json!([key, text.as_ref()?])));
    let mut options = Vec::new();
    for option in RUN_OPTIONS {
        let key = option.row.key;
        match option.get(&request.run) {
            None => {}
            Some(OptionValue::Number(number)) => options.push(json!([key, format!("{number:?}")])),
            Some(OptionValue::Words(words)) => {
                options.extend(words.into_iter().map(|word| json!([key, word])));
            }
            Some(other) => options.push(json!([key, other.to_string()])),
        }
    }
    let source = model.sources.first();
    json!({
        "on": address,
        "name": source.map(|source| &source.name),
        "text": source.map(|source| &source.text),
        "settings": settings,
        "over": request.over,
        "measures": request.measures,
        "times": times.collect::<Vec<_>>(),
        "options": options,
        "store": store,
        "resume": resume,
    })
}
