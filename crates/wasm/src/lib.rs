//! The workbench as a WebAssembly module: the carrier of the protocol in a browser.
//!
//! The host writes a request into memory that it got from `catena_alloc` and calls `catena_answer`. On the way it is
//! told events, as `catena worker` prints them; the last one is `done` with the reply. The host brings a clock, takes
//! events, and compiles what the core writes while it runs (`crates/compile/src/web`). A panic ends the instance: its
//! words are told as an event `failed` before.

#![cfg(target_arch = "wasm32")]

use catena_protocol::{Event, Host, Limits, Workbench};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::sync::Once;

/// Progress is told no more often than this, s.
const LEAST_SILENCE: f64 = 0.05;

// What the host does for us.
#[link(wasm_import_module = "catena")]
unsafe extern "C" {
    /// Seconds since some fixed moment.
    safe fn clock() -> f64;
    /// Takes an event, a JSON object.
    safe fn tell(text: *const u8, len: usize);
}

thread_local! {
    static WORKBENCH: RefCell<Workbench> = RefCell::default();
    /// When progress was told last, s.
    static TOLD: Cell<f64> = const { Cell::new(f64::NEG_INFINITY) };
}

/// Room for a request of this many bytes, which [`catena_answer`] frees.
#[unsafe(no_mangle)]
pub extern "C" fn catena_alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Answers the request in a room of this many bytes: events, the last of which is `done` with the reply.
///
/// # Safety
/// The room is from [`catena_alloc`], of this length, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_answer(request: *mut u8, len: usize) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            say(&json!({ "event": "failed", "message": panic.to_string() }));
        }));
    });
    // SAFETY: `catena_alloc` made it
    let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, len)) };
    let request = String::from_utf8_lossy(&bytes);
    let host = Host {
        clock: &|| clock(),
        // the host ends the whole instance
        stop: &|| false,
        tell: &|event| match event {
            Event::Progress(part) => {
                let now = clock();
                if now - TOLD.get() >= LEAST_SILENCE {
                    TOLD.set(now);
                    say(&json!({ "event": "progress", "part": part }));
                }
            }
            Event::Part(part) => say(&json!({ "event": "part", "part": part })),
        },
        threads: 1,
        limits: Limits::default(),
    };
    let reply = WORKBENCH.with_borrow_mut(|workbench| workbench.answer(&request, &host));
    say(&json!({ "event": "done", "reply": reply }));
}

fn say(event: &Value) {
    let text = event.to_string();
    tell(text.as_ptr(), text.len());
}
