//! Benches print tables; see `benches/`.
