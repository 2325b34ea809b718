//! The signals that ask a program to end: Ctrl-C, what a scheduler sends, a terminal that goes away. While a job is under
//! way they end it in good order, so that what is known by then is kept and said.

use std::process::ExitCode;
use std::sync::atomic::{AtomicI32, Ordering};

/// The first signal that came; 0 before there is one.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// What a shell adds to the number of a signal to make an exit code of it.
const EXIT_CODE_OF_SIGNALS: i32 = 128;

/// Whether the job is to end.
pub(crate) fn received() -> bool {
    RECEIVED.load(Ordering::Relaxed) != 0
}

/// The exit code of a job that a signal ended: 128 and its number, as shells have it.
pub(crate) fn exit_code() -> Option<ExitCode> {
    let signal = RECEIVED.load(Ordering::Relaxed);
    let code = u8::try_from(EXIT_CODE_OF_SIGNALS + signal).ok()?;
    (signal != 0).then(|| ExitCode::from(code))
}

/// Takes over the signals, from where a job first asks whether it is to end: before that nothing is known, and a signal
/// does what it always does.
pub(crate) fn catch() {
    system::catch();
}

/// Gives the signals back, once everything that is known is kept: a reader that hangs does not keep the program alive.
pub(crate) fn release() {
    system::release();
}

#[cfg(unix)]
mod system {
    use super::{EXIT_CODE_OF_SIGNALS, RECEIVED};
    use nix::libc;
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    use std::sync::atomic::Ordering;

    const CAUGHT: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

    /// The first signal ends the job. A second Ctrl-C ends the program at once; others often come in pairs, as a
    /// closing terminal sends one and its shell another.
    extern "C" fn handle(signal: libc::c_int) {
        let first =
            RECEIVED.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if !first && signal == libc::SIGINT {
            // SAFETY: `_exit` may be called from a handler
            unsafe { libc::_exit(EXIT_CODE_OF_SIGNALS + signal) };
        }
    }

    pub(super) fn catch() {
        for signal in CAUGHT {
            let before = set(signal, SigHandler::Handler(handle));
            // `nohup` asks that a terminal may go away
            if signal == Signal::SIGHUP && matches!(before, Some(SigHandler::SigIgn)) {
                set(signal, SigHandler::SigIgn);
            }
        }
    }

    pub(super) fn release() {
        for signal in CAUGHT {
            let before = set(signal, SigHandler::SigDfl);
            if matches!(before, Some(SigHandler::SigIgn)) {
                set(signal, SigHandler::SigIgn);
            }
        }
    }

    /// Where a signal cannot be caught it still ends the program.
    fn set(signal: Signal, handler: SigHandler) -> Option<SigHandler> {
        let action = SigAction::new(handler, SaFlags::SA_RESTART, SigSet::empty());
        // SAFETY: the handler touches an atomic number and calls `_exit`, which any handler may
        unsafe { sigaction(signal, &action) }.ok().map(|before| before.handler())
    }
}

#[cfg(not(unix))]
mod system {
    use super::{EXIT_CODE_OF_SIGNALS, RECEIVED};
    use std::sync::atomic::Ordering;

    /// The number of Ctrl-C where signals have numbers.
    const INTERRUPT: i32 = 2;

    pub(super) fn catch() {
        // set before by an earlier job of this program, it stays
        let _ = ctrlc::try_set_handler(|| {
            if RECEIVED.swap(INTERRUPT, Ordering::Relaxed) != 0 {
                std::process::exit(EXIT_CODE_OF_SIGNALS + INTERRUPT);
            }
        });
    }

    pub(super) fn release() {}
}
