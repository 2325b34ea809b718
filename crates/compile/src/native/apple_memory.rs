//! Memory that code runs in, on Apple silicon. There a page of code is made for that purpose (`MAP_JIT`), and is either
//! writable or executable, as the thread says that looks at it: each thread finds it executable until it says otherwise.
//!
//! Source: Apple, *Porting just-in-time compilers to Apple silicon*.

use std::ffi::c_void;
use std::ptr;

/// Machine code, ready to be run.
#[derive(Debug)]
pub(super) struct ExecutableMemory {
    start: *mut c_void,
    len: usize,
}

// SAFETY: nothing is written after the memory was made
unsafe impl Send for ExecutableMemory {}
// SAFETY: as above
unsafe impl Sync for ExecutableMemory {}

unsafe extern "C" {
    fn sys_icache_invalidate(start: *mut c_void, len: usize);
}

impl ExecutableMemory {
    /// Memory that holds this code; `None` where the system gives none, as it does to programs that are signed with the
    /// hardened runtime and lack the entitlement `com.apple.security.cs.allow-jit`.
    pub(super) fn holding(code: &[u8]) -> Option<ExecutableMemory> {
        let access = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_JIT;
        let len = code.len();
        // SAFETY: new memory, at an address that the system chooses
        let start = unsafe { libc::mmap(ptr::null_mut(), len, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: the memory has this length, and is writable for this thread in between
        unsafe {
            libc::pthread_jit_write_protect_np(0);
            ptr::copy_nonoverlapping(code.as_ptr(), start.cast(), len);
            libc::pthread_jit_write_protect_np(1);
            sys_icache_invalidate(start, len);
        }
        Some(ExecutableMemory { start, len })
    }

    /// Where the code begins.
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.start.cast()
    }
}

impl Drop for ExecutableMemory {
    fn drop(&mut self) {
        // SAFETY: mapped by `holding`, with this length
        unsafe { libc::munmap(self.start, self.len) };
    }
}
