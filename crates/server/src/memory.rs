//! How much memory another process holds, where the system tells.

/// Resident memory of a process, bytes.
#[cfg(target_os = "linux")]
pub(crate) fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}

/// Resident memory of a process, bytes.
#[cfg(not(target_os = "linux"))]
pub(crate) fn resident(_process: u32) -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn a_process_holds_what_it_has_written_to() {
        let own = || super::resident(std::process::id()).expect("this process is there");
        let before = own();
        let held = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(own() > before + held.len() as u64 / 2, "{before} and {}", own());
    }
}
