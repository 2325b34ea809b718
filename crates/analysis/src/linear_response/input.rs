//! The input of a transfer function: what the drive moves by itself.

use super::LinearResponseError;
use crate::rest::Rest;
use catena_symbolic::Expr;

/// The only definition that depends on time alone, or the only output if there is no such definition.
pub(super) fn only(rest: &Rest<'_>) -> Result<String, LinearResponseError> {
    let [definitions, outputs] = moved_by_time(rest);
    let mut candidates = if definitions.is_empty() { outputs } else { definitions };
    match candidates.len() {
        0 => Err(LinearResponseError::NamelessInput),
        1 => Ok(candidates.remove(0)),
        _ => Err(LinearResponseError::SeveralInputs { candidates }),
    }
}

/// Everything that depends on time alone, by its first name.
pub(super) fn candidates(rest: &Rest<'_>) -> Vec<String> {
    moved_by_time(rest).concat()
}

/// Definitions, then outputs that are none of them.
fn moved_by_time(rest: &Rest<'_>) -> [Vec<String>; 2] {
    let (e, system) = (&rest.driven, rest.system);
    let moving: Vec<Expr> =
        [e.coordinates.as_slice(), &e.velocities, &e.accelerations, &e.states, &e.multipliers]
            .concat();
    let mut seen: Vec<Expr> = Vec::new();
    [(&system.definitions, &e.definitions), (&system.outputs, &e.outputs)].map(|(names, exprs)| {
        let mut found = Vec::new();
        for (entry, &expr) in names.iter().zip(exprs) {
            let by_time = e.graph.depends_on(expr, &[e.time]) && !e.graph.depends_on(expr, &moving);
            // equal expressions are one node, so a second name of the same drive is seen
            if by_time && !seen.contains(&expr) {
                seen.push(expr);
                found.push(entry.name.clone());
            }
        }
        found
    })
}
