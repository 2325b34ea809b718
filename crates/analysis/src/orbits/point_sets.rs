//! How far two sets of points on a line, or on the circle, are apart.

use std::f64::consts::TAU;

/// The largest distance of a point of either set from the nearest one of the other (Hausdorff). The sets are sorted.
pub(super) fn distance(a: &[f64], b: &[f64], on_circle: bool) -> f64 {
    if a.is_empty() || b.is_empty() {
        return f64::NAN;
    }
    let far = |from: &[f64], to: &[f64]| {
        from.iter().map(|&point| nearest(point, to, on_circle)).fold(0.0, f64::max)
    };
    far(a, b).max(far(b, a))
}

/// The distance of a point from the nearest one of a sorted set.
fn nearest(point: f64, set: &[f64], on_circle: bool) -> f64 {
    let at = set.partition_point(|other| *other < point);
    let neighbours = [at.checked_sub(1), Some(at).filter(|at| *at < set.len())];
    let near = neighbours.into_iter().flatten().map(|at| (set[at] - point).abs());
    let near = near.fold(f64::INFINITY, f64::min);
    match on_circle {
        false => near,
        // the other way round, to the ends
        true => {
            let ends = [set[0], set[set.len() - 1]].map(|end| TAU - (end - point).abs());
            near.min(ends[0]).min(ends[1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_as_far_apart_as_the_point_that_is_farthest_from_the_other() {
        assert_eq!(distance(&[0.0, 1.0], &[0.1, 1.0, 3.0], false), 2.0);
        assert_eq!(distance(&[0.5], &[0.5, 0.5], false), 0.0);
        assert!((distance(&[-3.1], &[3.1], true) - (TAU - 6.2)).abs() < 1e-14);
        assert!(distance(&[], &[1.0], false).is_nan());
    }
}
