//! What people read of a continuation: its branches, where they begin and end, and what happens on them.

use super::continuation::value_of;
use crate::words::{Words, fixed};
use crate::{FollowedKind, MotionPoint, SolutionBranch, SolutionCurves, SpecialPoint};
use catena_linear::{Complex, ProductEigenvalue};

/// Multipliers or eigenvalues in words.
const MULTIPLIERS_IN_WORDS: usize = 3;

pub(super) fn say(words: &mut Words, found: &SolutionCurves) {
    for (number, branch) in found.branches.iter().enumerate() {
        words.say(headline(found, number, branch));
        let ends = [("begins", branch.points.first()), ("ends", branch.points.last())];
        let [begins, ends] =
            ends.map(|(what, point)| point.map(|point| row(found, point, what, None)));
        let special = branch.points.iter().filter_map(|point| {
            let special = point.special?;
            Some(row(found, point, special.kind.name(), Some(special)))
        });
        let spectrum = match branch.kind {
            FollowedKind::Equilibria => "eigenvalues, 1/s",
            FollowedKind::Motions => "multipliers",
        };
        let mut headings = vec!["", found.followed.name(), "±"];
        headings.extend((branch.kind == FollowedKind::Motions).then_some("period, s"));
        headings.extend(found.columns.iter().map(String::as_str));
        headings.push(spectrum);
        words.table(headings, begins.into_iter().chain(special).chain(ends).collect());
        words.say("");
    }
    say_accuracy(words, found);
}

fn say_accuracy(words: &mut Words, found: &SolutionCurves) {
    let points = || found.branches.iter().flat_map(|branch| &branch.points);
    let residual = points().map(|point| point.residual).fold(0.0, f64::max);
    let mut text = format!("the equations are satisfied to {residual:.1e} of the size of a motion");
    if let Some(error) = found.integration_error {
        text += &format!("; tighter tolerances change amplitudes by {error:.1e}");
    }
    words.say(text);
    let is_conservative =
        points().any(|point| point.trivial_error.is_some() && point.unfolding != 0.0);
    let trivial = points().filter_map(|point| point.trivial_error).reduce(f64::max);
    match trivial {
        Some(_) if is_conservative => {
            let unfolding = points().map(|point| point.unfolding.abs()).fold(0.0, f64::max);
            words.say(format!(
                "the damping that was let in came out as {unfolding:.1e} 1/s: it must vanish"
            ));
        }
        Some(error) => {
            words.say(format!("the trivial multiplier is 1 to {error:.1e}"));
        }
        None => {}
    }
}

/// "branch 2, from the pitchfork of branch 1: motions of 2 periods of the drive, drive from 1.07 to 1.1 ...".
fn headline(found: &SolutionCurves, number: usize, branch: &SolutionBranch) -> String {
    let origin = branch.origin.and_then(|(parent, at)| {
        let special = found.branches[parent].points[at].special?;
        Some(format!(", from the {} of branch {}", special.kind.name(), parent + 1))
    });
    let what = match (branch.kind, branch.multiple) {
        (FollowedKind::Equilibria, _) => "equilibria".to_owned(),
        (FollowedKind::Motions, None) => "periodic motions".to_owned(),
        (FollowedKind::Motions, Some(1)) => "motions with the period of the drive".to_owned(),
        (FollowedKind::Motions, Some(multiple)) => {
            format!("motions of {multiple} periods of the drive")
        }
    };
    let stable = branch.points.iter().filter(|point| point.is_stable()).count();
    let count = branch.points.len();
    let stability = match stable {
        0 => "unstable".to_owned(),
        all if all == count => "stable".to_owned(),
        some => format!("{some} of {count} points stable"),
    };
    format!(
        "branch {}{}: {what}, {stability}; it ends {}",
        number + 1,
        origin.unwrap_or_default(),
        branch.end
    )
}

/// A line about a point; only special points have an error of their own.
fn row(
    found: &SolutionCurves,
    point: &MotionPoint,
    what: &str,
    special: Option<SpecialPoint>,
) -> Vec<String> {
    let mut row = vec![what.to_owned(), fixed(value_of(found, point), 10)];
    let error = |special: SpecialPoint| {
        special.error.map_or_else(|| "unknown".to_owned(), |error| format!("{error:.0e}"))
    };
    row.push(special.map_or_else(String::new, error));
    row.extend((point.eigenvalues.is_empty()).then(|| fixed(point.period, 9)));
    row.extend(point.amplitudes.iter().map(|value| fixed(*value, 6)));
    let multipliers = point.multipliers.iter().map(multiplier_text);
    let eigenvalues = point.eigenvalues.iter().map(complex_text);
    // of a conjugate pair one is enough
    let listed: Vec<String> = multipliers
        .zip(point.multipliers.iter().map(|value| value.argument >= 0.0))
        .chain(eigenvalues.zip(point.eigenvalues.iter().map(|value| value.im >= 0.0)))
        .filter_map(|(text, is_above)| is_above.then_some(text))
        .take(MULTIPLIERS_IN_WORDS)
        .collect();
    row.push(listed.join(", "));
    row
}

fn multiplier_text(value: &ProductEigenvalue) -> String {
    /// Below this a multiplier is written by its logarithm.
    const MIN_WRITTEN: f64 = -12.0;
    match value.log_modulus < MIN_WRITTEN {
        true => format!("exp({:.2})", value.log_modulus),
        false => complex_text(&value.value()),
    }
}

fn complex_text(value: &Complex) -> String {
    match value.im == 0.0 {
        true => format!("{:.5}", value.re),
        false => format!("{:.5} ± {:.5}i", value.re, value.im.abs()),
    }
}
