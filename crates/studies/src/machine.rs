//! The machine that times belong to.

/// The processor and its threads, as far as the system tells.
pub(crate) fn machine() -> String {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let plural = if threads == 1 { "" } else { "s" };
    format!("{}, {threads} thread{plural}, {}", processor(), std::env::consts::OS)
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()));
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
