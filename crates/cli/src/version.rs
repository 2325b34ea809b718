//! `catena --version`: which version, built from what and for what, under which licence.

use std::sync::LazyLock;

/// The version with its build, `0.1.0 (4ccb826 2026-11-16, x86_64-unknown-linux-gnu, parquet)`. The commit is left out
/// where the source was no repository.
pub(crate) static WITH_BUILD: LazyLock<String> = LazyLock::new(|| {
    let build = [
        option_env!("CATENA_COMMIT"),
        Some(env!("CATENA_TARGET")),
        cfg!(target_feature = "crt-static").then_some("static"),
        cfg!(feature = "parquet").then_some("parquet"),
    ];
    let build: Vec<&str> = build.into_iter().flatten().collect();
    format!("{} ({})", env!("CARGO_PKG_VERSION"), build.join(", "))
});

/// The same, and the licence on a line of its own.
pub(crate) static WITH_LICENCE: LazyLock<String> =
    LazyLock::new(|| format!("{}\nLicence: {}", *WITH_BUILD, env!("CARGO_PKG_LICENSE")));
