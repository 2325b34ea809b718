//! A diagnosis as JSON.

use catena_simulation::{Diagnosis, StartValue};
use serde_json::{Value, json};

/// Everything that was found out about a model, as one JSON object.
pub fn diagnosis_json(title: &str, diagnosis: &Diagnosis) -> Value {
    let findings = diagnosis.findings.iter().map(|finding| {
        json!({
            "message": finding.kind.message(),
            "help": finding.kind.help(),
            "can_run": finding.can_run,
        })
    });
    let start = diagnosis.start.as_ref().map(|start| {
        let values = diagnosis.start_values.iter().map(value_json);
        json!({ "solved": start.solved, "values": values.collect::<Vec<_>>() })
    });
    let energy = diagnosis
        .energies
        .map(|[kinetic, potential]| json!({ "kinetic": kinetic, "potential": potential }));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "title": title,
        "coordinates": diagnosis.coordinates,
        "constraints": diagnosis.constraints,
        "states": diagnosis.states,
        "freedom_by_rank": diagnosis.freedom_by_rank(),
        "freedom_by_count": diagnosis.freedom_by_count(),
        "angles": diagnosis.angles,
        "start": start,
        "energy": energy,
        "findings": findings.collect::<Vec<_>>(),
        "notes": diagnosis.notes(),
        "can_run": diagnosis.can_run(),
    })
}

fn value_json(value: &StartValue) -> Value {
    json!({
        "name": value.name,
        "value": value.value,
        "unit": value.unit,
        "degrees": value.degrees(),
        "rate": value.rate,
        "rate_unit": value.rate_unit(),
    })
}
