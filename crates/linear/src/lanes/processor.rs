//! What the processor of this machine is called.

use std::sync::OnceLock;

/// The name that the processor gives itself, as `AMD EPYC 9654 96-Core Processor`; that of its family where it gives none.
pub fn processor() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let name = brand();
        if name.is_empty() { std::env::consts::ARCH.to_owned() } else { name }
    })
}

/// The brand string of `cpuid`: 48 bytes in three leaves, padded with blanks or zeros (AMD64 manual, volume 3, appendix E).
#[cfg(target_arch = "x86_64")]
fn brand() -> String {
    use std::arch::x86_64::__cpuid;
    const LEAVES: std::ops::RangeInclusive<u32> = 0x8000_0002..=0x8000_0004;
    if __cpuid(0x8000_0000).eax < *LEAVES.end() {
        return String::new();
    }
    let registers = LEAVES.map(__cpuid).flat_map(|leaf| [leaf.eax, leaf.ebx, leaf.ecx, leaf.edx]);
    let bytes: Vec<u8> = registers.flat_map(u32::to_le_bytes).filter(|&byte| byte != 0).collect();
    let text = String::from_utf8_lossy(&bytes);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn brand() -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_has_a_name_of_one_line() {
        let name = processor();
        assert!(!name.is_empty());
        assert!(name.chars().all(|letter| !letter.is_control()), "{name:?}");
        assert_eq!(name.trim(), name);
    }
}
