//! After how many points an orbit repeats itself.

use crate::returns::Circle;

/// The smallest number of points after which the state is the same again, for all of the later half of the rows; none where
/// there is no such number up to half of the rows. Rows begin with coordinates, velocities and first-order states, so many as
/// `sizes` says. Distances are relative to the largest component of their kind, for angles to a radian at least; a coordinate
/// that happens to be zero at all points is as large as its velocity makes it between them, at `rate` = 2π over the time from
/// point to point, 1/s, and the other way round.
pub(super) fn multiple(
    rows: &[&[f64]],
    circle: &Circle,
    sizes: [usize; 2],
    rate: f64,
    tolerance: f64,
) -> Option<u64> {
    let [n, states] = sizes;
    let kinds = [0..n, n..2 * n, 2 * n..2 * n + states];
    let mut scales = kinds.clone().map(|kind| {
        let size = |at: usize| {
            let largest =
                rows.iter().map(|row| circle.wrapped(at, row[at]).abs()).fold(0.0, f64::max);
            if circle.has(at) { largest.max(1.0) } else { largest }
        };
        kind.map(size).fold(f64::MIN_POSITIVE, f64::max)
    });
    if rate.is_finite() && rate > 0.0 {
        let [q, v, _] = scales;
        (scales[0], scales[1]) = (q.max(v / rate), v.max(q * rate));
    }
    let is_same = |a: &[f64], b: &[f64]| {
        kinds.iter().zip(scales).all(|(kind, scale)| {
            kind.clone().all(|at| circle.difference(at, a[at], b[at]).abs() <= tolerance * scale)
        })
    };
    let half = rows.len() / 2;
    let repeats = |after: &usize| (half..rows.len()).all(|at| is_same(rows[at], rows[at - after]));
    (1..=half).find(repeats).map(|after| after as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::{CoordinateSet, Model, Source};

    fn circle() -> Circle {
        let text =
            "[coordinates]\nq = { text = \"\", angle = true }\n[energy]\nkinetic = \"q'^2\"\n";
        let model = Model::read(Source::new("test", text), &[]).expect("a model");
        Circle::new(&model, CoordinateSet::Own, &["q".to_owned(), "q'".to_owned()])
    }

    fn of(points: &[[f64; 2]], tolerance: f64) -> Option<u64> {
        let rows: Vec<&[f64]> = points.iter().map(|point| point.as_slice()).collect();
        multiple(&rows, &circle(), [1, 0], 1.0, tolerance)
    }

    #[test]
    fn orbits_repeat_after_the_smallest_number_of_points_that_does() {
        let cycle = |len: usize| -> Vec<[f64; 2]> {
            (0..24).map(|at| [0.1 * (at % len) as f64, 1.0]).collect()
        };
        assert_eq!([1, 2, 3, 8].map(|len| of(&cycle(len), 1e-4)), [1, 2, 3, 8].map(Some));
        assert_eq!(of(&cycle(13), 1e-4), None, "more than half of the points");
    }

    #[test]
    fn a_rotation_repeats_after_whole_turns() {
        let turning: Vec<[f64; 2]> =
            (0..10).map(|at| [std::f64::consts::TAU * f64::from(at) + 0.3, 2.0]).collect();
        assert_eq!(of(&turning, 1e-6), Some(1));
    }

    #[test]
    fn what_has_not_settled_yet_does_not_count_in_the_first_half() {
        let settling: Vec<[f64; 2]> = (0..40).map(|at| [0.5_f64.powi(at), 1.0]).collect();
        assert_eq!(of(&settling, 1e-4), Some(1));
        assert_eq!(of(&settling[..10], 1e-4), None);
    }
}
