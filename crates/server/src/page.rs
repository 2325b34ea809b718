//! The page and what it may do.

/// The page, whole.
pub(crate) fn html() -> &'static str {
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Catena</title><p>Catena is serving.</p></html>"
}

/// The policy that goes with it: nothing from outside.
pub(crate) fn content_policy() -> &'static str {
    "default-src 'none'; frame-ancestors 'none'"
}
