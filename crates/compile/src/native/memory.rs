//! Memory that code runs in: written once, then executable and not writable any more.

use memmap2::{Mmap, MmapOptions};

/// Machine code, ready to be run.
#[derive(Debug)]
pub(super) struct ExecutableMemory(Mmap);

impl ExecutableMemory {
    /// Memory that holds this code; `None` where the system gives none.
    pub(super) fn holding(code: &[u8]) -> Option<ExecutableMemory> {
        let mut memory = MmapOptions::new().len(code.len()).map_anon().ok()?;
        memory.copy_from_slice(code);
        let memory = memory.make_exec().ok()?;
        #[cfg(target_arch = "aarch64")]
        forget_old_instructions(&memory);
        Some(ExecutableMemory(memory))
    }

    /// Where the code begins.
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }
}

/// Instructions are fetched through a cache of their own, which does not see what was stored: the stores are written
/// back to where both caches meet, then what was fetched from there before is dropped (Arm Architecture Reference
/// Manual, B2.4.4).
#[cfg(all(target_arch = "aarch64", not(windows)))]
fn forget_old_instructions(code: &[u8]) {
    use std::arch::asm;
    let cache_type: usize;
    // SAFETY: reads a register that programs may read
    unsafe {
        asm!("mrs {}, ctr_el0", out(reg) cache_type, options(nomem, nostack, preserves_flags))
    };
    let lines = |log2_words: usize| {
        let len = 4 << (log2_words & 15);
        let start = code.as_ptr().addr();
        (start & !(len - 1)..start + code.len()).step_by(len)
    };
    for line in lines(cache_type >> 16) {
        // SAFETY: the line holds bytes of the code; what is in memory stays as it is
        unsafe { asm!("dc cvau, {}", in(reg) line, options(nostack, preserves_flags)) };
    }
    // SAFETY: waits for the above
    unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
    for line in lines(cache_type) {
        // SAFETY: as above
        unsafe { asm!("ic ivau, {}", in(reg) line, options(nostack, preserves_flags)) };
    }
    // SAFETY: waits for the above, here and on the other processors
    unsafe { asm!("dsb ish", "isb", options(nostack, preserves_flags)) };
}

/// The same, asked of Windows.
#[cfg(all(target_arch = "aarch64", windows))]
fn forget_old_instructions(code: &[u8]) {
    use std::ffi::c_void;
    unsafe extern "system" {
        fn GetCurrentProcess() -> *mut c_void;
        fn FlushInstructionCache(process: *mut c_void, start: *const c_void, len: usize) -> i32;
    }
    // SAFETY: the range is memory of this process
    unsafe { FlushInstructionCache(GetCurrentProcess(), code.as_ptr().cast(), code.len()) };
}
