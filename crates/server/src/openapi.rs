//! The description of the HTTP carrier for others: OpenAPI 3.1, written by hand and held to the protocol by tests.

/// The description as it is served.
pub const DESCRIPTION: &str = include_str!("openapi.json");
