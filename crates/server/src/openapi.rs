//! The description of the HTTP carrier for others: OpenAPI 3.1, written by hand but for the lists that catalogues have, and
//! held to the protocol by tests.

use serde_json::{Value, json};
use std::sync::LazyLock;

/// What is written by hand.
const WRITTEN: &str = include_str!("openapi.json");

/// The description as it is served.
pub fn description() -> &'static str {
    static DESCRIPTION: LazyLock<String> = LazyLock::new(|| {
        let mut description: Value = serde_json::from_str(WRITTEN).unwrap_or_default();
        description["info"]["version"] = json!(env!("CARGO_PKG_VERSION"));
        let schemas = &mut description["components"]["schemas"];
        let systems = catena::systems::SYSTEMS.iter().map(|system| system.name);
        schemas["ReadySystem"]["enum"] = systems.collect();
        let questions = catena::analysis::ANALYSES.iter().map(|question| question.name);
        schemas["Question"]["enum"] = questions.collect();
        description.to_string()
    });
    &DESCRIPTION
}
