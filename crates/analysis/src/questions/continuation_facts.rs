//! The results of a continuation as a table and as JSON.

use super::continuation::value_of;
use crate::{FollowedKind, FollowedQuantity, MotionPoint, SolutionBranch, SolutionCurves};
use catena_linear::{Complex, ProductEigenvalue};
use catena_simulation::Table;
use serde_json::{Map, Value, json};

/// Multipliers or eigenvalues in tables.
const LISTED_MULTIPLIERS: usize = 4;

/// A row for each point. What is true is 1; what a point does not have is not a number.
pub(super) fn table(found: &SolutionCurves) -> Table {
    let motions = found.branches.iter().any(|branch| branch.kind == FollowedKind::Motions);
    let rests = found.branches.iter().any(|branch| branch.kind == FollowedKind::Equilibria);
    let mut names = vec!["branch".to_owned()];
    if let FollowedQuantity::Parameter(name) = &found.followed {
        names.push(name.clone());
    }
    names.extend(motions.then(|| "period".to_owned()));
    names.extend(found.columns.iter().cloned());
    names.extend(["stable", "unstable_directions", "residual"].map(str::to_owned));
    for number in 1..=LISTED_MULTIPLIERS {
        let parts = |what: &str| [format!("{what}{number}_re"), format!("{what}{number}_im")];
        names.extend(motions.then(|| parts("multiplier")).into_iter().flatten());
        names.extend(motions.then(|| format!("multiplier{number}_ln")));
        names.extend(rests.then(|| parts("eigenvalue")).into_iter().flatten());
    }
    let mut table = Table::new(names, 0);
    let mut special = Vec::new();
    for (number, branch) in found.branches.iter().enumerate() {
        for point in &branch.points {
            let mut row = vec![number as f64 + 1.0];
            if let FollowedQuantity::Parameter(_) = &found.followed {
                row.push(point.parameter);
            }
            row.extend(motions.then_some(point.period));
            row.extend(&point.amplitudes);
            row.extend([
                f64::from(u8::from(point.is_stable())),
                point.unstable as f64,
                point.residual,
            ]);
            for at in 0..LISTED_MULTIPLIERS {
                let multiplier = point.multipliers.get(at);
                let value = multiplier.map_or(Complex::new(f64::NAN, f64::NAN), |one| one.value());
                row.extend(motions.then_some([value.re, value.im]).into_iter().flatten());
                row.extend(motions.then_some(multiplier.map_or(f64::NAN, |one| one.log_modulus)));
                let none = Complex::new(f64::NAN, f64::NAN);
                let value = point.eigenvalues.get(at).copied().unwrap_or(none);
                row.extend(rests.then_some([value.re, value.im]).into_iter().flatten());
            }
            table.push(row);
            let name = point.special.map_or("", |special| special.kind.name());
            special.push(name.to_owned());
        }
    }
    table.with_words("special", special)
}

/// Every branch with its points.
pub(super) fn branches_json(found: &SolutionCurves) -> Value {
    Value::Array(found.branches.iter().map(|branch| branch_json(found, branch)).collect())
}

fn branch_json(found: &SolutionCurves, branch: &SolutionBranch) -> Value {
    json!({
        "of": match branch.kind {
            FollowedKind::Equilibria => "equilibrium",
            FollowedKind::Motions => "periodic",
        },
        "multiple": branch.multiple,
        "origin": branch.origin.map(|(parent, point)| json!({ "branch": parent, "point": point })),
        "end": branch.end,
        "points": branch.points.iter().map(|point| point_json(found, point)).collect::<Vec<_>>(),
    })
}

fn point_json(found: &SolutionCurves, point: &MotionPoint) -> Value {
    let by_column = |values: &[f64]| {
        let values = values.iter().map(|value| json!(value));
        Value::Object(found.columns.iter().cloned().zip(values).collect::<Map<_, _>>())
    };
    let complex = |value: Complex| json!([value.re, value.im]);
    let multiplier = |one: &ProductEigenvalue| json!({ "value": complex(one.value()), "log_modulus": one.log_modulus, "argument": one.argument });
    json!({
        found.followed.name(): value_of(found, point),
        "period": point.period,
        "amplitude": by_column(&point.amplitudes),
        "largest": by_column(&point.largest),
        "stable": point.is_stable(),
        "unstable_directions": point.unstable,
        "multipliers": point.multipliers.iter().map(multiplier).collect::<Vec<_>>(),
        "eigenvalues": point.eigenvalues.iter().copied().map(complex).collect::<Vec<_>>(),
        "trivial_multiplier_error": point.trivial_error,
        "unfolding": point.unfolding,
        "residual": point.residual,
        "special": point.special.map(|special| special.kind.name()),
        "special_error": point.special.and_then(|special| special.error),
        "state": point.state,
    })
}
