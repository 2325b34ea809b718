//! The core inside the program.

/// The core that this program was built with: WebAssembly, packed as LZMA, for [`crate::html`]. `install/page` builds it and names
/// it in the environment variable `CATENA_CORE`; a program built without has none.
pub fn core() -> Option<&'static [u8]> {
    include!(concat!(env!("OUT_DIR"), "/core.rs"))
}
