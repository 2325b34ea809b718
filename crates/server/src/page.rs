//! The page and what it may do.

use std::sync::LazyLock;

/// The page, whole.
pub(crate) fn html() -> &'static str {
    static HTML: LazyLock<String> = LazyLock::new(|| catena_page::html(None));
    &HTML
}

/// The policy that goes with it: nothing from outside, and no frame of another page around it, which only a header can say.
pub(crate) fn content_policy() -> &'static str {
    static POLICY: LazyLock<String> = LazyLock::new(|| {
        format!("{}; frame-ancestors 'none'", catena_page::content_security_policy(false))
    });
    &POLICY
}
