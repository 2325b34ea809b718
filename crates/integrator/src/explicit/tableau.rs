//! A Butcher tableau, as data.
//!
//! # Equations
//! $$k_i=f\Big(t+c_ih,\;y+h\sum_{j<i}a_{ij}k_j\Big),\qquad y_{new}=y+h\sum_{i\le s}b_ik_i,\qquad k_{s+1}=f(t+h,y_{new}).$$
//! The slope $k_{s+1}$ at the new state is the first stage of the next step, so it costs nothing and every method has
//! it. Weights of estimates and of dense output may reach it, and further stages behind it.

/// How the error of a step is estimated: $h\sum e_ik_i$.
#[derive(Debug)]
pub(crate) enum ErrorEstimator {
    /// No estimate: the step is fixed.
    None,
    /// The difference to an embedded method; with s + 1 weights the new slope takes part.
    Embedded(&'static [f64]),
    /// Two estimates of orders 5 and 3, joined as $e_5^2/\sqrt{e_5^2+0.01\,e_3^2}$.
    Pair { fifth: &'static [f64], third: &'static [f64] },
}

impl ErrorEstimator {
    /// The weights of one estimate, or of two that are joined; none if nothing is estimated.
    pub(crate) fn weights(&self) -> Vec<&'static [f64]> {
        match *self {
            ErrorEstimator::None => Vec::new(),
            ErrorEstimator::Embedded(weights) => vec![weights],
            ErrorEstimator::Pair { fifth, third } => vec![fifth, third],
        }
    }
}

/// A stage made only for dense output.
#[derive(Debug)]
pub(crate) struct Extra {
    pub(crate) c: f64,
    pub(crate) a: &'static [f64],
}

/// A Butcher tableau with its estimate and its dense output.
#[derive(Debug)]
pub(crate) struct Tableau {
    /// One for each stage; the first is 0.
    pub(crate) c: &'static [f64],
    /// Row i has i entries; the first row is empty.
    pub(crate) a: &'static [&'static [f64]],
    /// One for each stage.
    pub(crate) b: &'static [f64],
    pub(crate) estimate: ErrorEstimator,
    /// Stages behind the new slope, needed by `dense`.
    pub(crate) extra: &'static [Extra],
    /// Rows of [`crate::dense`] behind the Hermite polynomial, as weights of all slopes.
    pub(crate) dense: &'static [&'static [f64]],
    /// Where the region of stability ends on the negative real axis, as h|λ|, less a few hundredths: steps that stability
    /// holds there waver around the end. (Hairer's numbers for `dopri5` and `dop853`, 1.7 and 4.6 % inside; the others
    /// are 2 % inside.) The tests compare it with the tableau's polynomial $|R(-z)|=1$.
    pub(crate) boundary: f64,
    /// The same on the imaginary axis, where undamped oscillations are; 0 where the region has none of it.
    pub(crate) imaginary_boundary: f64,
}

impl Tableau {
    /// That of a method without stages.
    pub(crate) const EMPTY: Tableau = Tableau {
        c: &[],
        a: &[&[]],
        b: &[],
        estimate: ErrorEstimator::None,
        extra: &[],
        dense: &[],
        boundary: 0.0,
        imaginary_boundary: 0.0,
    };

    /// The number s of stages, without the slope at the new state.
    pub(crate) fn stages(&self) -> usize {
        self.b.len()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use catena_linear::dot;

    /// c and a of all slopes, the new one and the extra ones included.
    fn all_slopes(tableau: &Tableau) -> (Vec<f64>, Vec<&'static [f64]>) {
        let mut c = tableau.c.to_vec();
        let mut a = tableau.a.to_vec();
        c.push(1.0);
        a.push(tableau.b);
        for extra in tableau.extra {
            c.push(extra.c);
            a.push(extra.a);
        }
        (c, a)
    }

    /// Elementary weights: for each rooted tree up to order 5 its order, its weights φ_i and 1/γ.
    fn trees(c: &[f64], a: &[&[f64]]) -> Vec<(i32, Vec<f64>, f64)> {
        let times_a = |v: &[f64]| -> Vec<f64> { a.iter().map(|row| dot(row, v)).collect() };
        let product =
            |u: &[f64], v: &[f64]| -> Vec<f64> { u.iter().zip(v).map(|(u, v)| u * v).collect() };
        let one = vec![1.0; c.len()];
        let c2 = product(c, c);
        let c3 = product(&c2, c);
        let (ac, ac2, ac3) = (times_a(c), times_a(&c2), times_a(&c3));
        let (aac, aac2, acac) = (times_a(&ac), times_a(&ac2), times_a(&product(c, &ac)));
        vec![
            (1, one, 1.0),
            (2, c.to_vec(), 2.0),
            (3, c2.clone(), 3.0),
            (3, ac.clone(), 6.0),
            (4, c3.clone(), 4.0),
            (4, product(c, &ac), 8.0),
            (4, ac2.clone(), 12.0),
            (4, aac.clone(), 24.0),
            (5, product(&c3, c), 5.0),
            (5, product(&c2, &ac), 10.0),
            (5, product(c, &ac2), 15.0),
            (5, product(c, &aac), 30.0),
            (5, product(&ac, &ac), 20.0),
            (5, ac3, 20.0),
            (5, acac, 40.0),
            (5, aac2, 60.0),
            (5, times_a(&aac), 120.0),
        ]
    }

    /// Where |R(−z)| first exceeds 1.
    fn end_of_stability(tableau: &Tableau) -> f64 {
        let growth = |z: f64| {
            let mut slopes: Vec<f64> = Vec::new();
            for row in tableau.a {
                slopes.push(1.0 - z * dot(row, &slopes));
            }
            1.0 - z * dot(tableau.b, &slopes)
        };
        let mut places = (1..10_000).map(|i| 1e-3 * f64::from(i));
        places
            .find(|&z| growth(z).abs() > 1.0 + 1e-9)
            .expect("no explicit method is stable everywhere")
    }

    /// Where |R(iz)| first exceeds 1.
    fn end_of_imaginary_stability(tableau: &Tableau) -> f64 {
        let growth = |z: f64| {
            let (mut real, mut imaginary): (Vec<f64>, Vec<f64>) = Default::default();
            for row in tableau.a {
                let slope = (1.0 - z * dot(row, &imaginary), z * dot(row, &real));
                real.push(slope.0);
                imaginary.push(slope.1);
            }
            (1.0 - z * dot(tableau.b, &imaginary)).hypot(z * dot(tableau.b, &real))
        };
        let mut places = (1..10_000).map(|i| 1e-3 * f64::from(i));
        places.find(|&z| growth(z) > 1.0 + 1e-9).expect("no explicit method is stable everywhere")
    }

    /// Row sums, order conditions up to `order` (at most 5), the estimate's up to `embedded`, and dense output's up to
    /// `dense` (at most 5) at several points of the step.
    pub(crate) fn assert_conditions(tableau: &Tableau, order: i32, embedded: i32, dense: i32) {
        assert_eq!(tableau.a.len(), tableau.stages());
        assert_eq!(tableau.c.len(), tableau.stages());
        let (c, a) = all_slopes(tableau);
        for (i, (c, row)) in c.iter().zip(&a).enumerate() {
            assert!((row.iter().sum::<f64>() - c).abs() < 2e-13, "row {i}");
        }
        let end = end_of_stability(tableau);
        let part = tableau.boundary / end;
        assert!((0.95..0.99).contains(&part), "{} of {end}", tableau.boundary);
        let end = end_of_imaginary_stability(tableau);
        let part = tableau.imaginary_boundary / end;
        let none = end < 0.1 && tableau.imaginary_boundary == 0.0;
        assert!(none || (0.95..0.99).contains(&part), "{} of {end}", tableau.imaginary_boundary);
        let last = tableau.stages();
        for (tree, (of, weights, gamma)) in trees(&c, &a).iter().enumerate() {
            if *of <= order {
                let defect = dot(tableau.b, weights) - 1.0 / gamma;
                assert!(defect.abs() < 1e-13, "tree {tree}: {defect:e}");
            }
            if *of <= embedded {
                let defect = match tableau.estimate {
                    ErrorEstimator::None => 0.0,
                    ErrorEstimator::Embedded(e) => dot(e, weights),
                    ErrorEstimator::Pair { fifth, .. } => dot(fifth, weights),
                };
                assert!(defect.abs() < 1e-13, "estimate, tree {tree}: {defect:e}");
            }
            if *of <= dense {
                for theta in [0.1_f64, 0.35, 0.5, 0.8] {
                    let difference = dot(tableau.b, weights);
                    let bend = weights[0] - difference;
                    let mut rows = vec![difference, bend, difference - weights[last] - bend];
                    rows.extend(tableau.dense.iter().map(|row| dot(row, weights)));
                    let value = rows.iter().enumerate().rev().fold(0.0, |inner, (k, row)| {
                        (inner + row) * if k % 2 == 0 { theta } else { 1.0 - theta }
                    });
                    let defect = value - theta.powi(*of) / gamma;
                    assert!(defect.abs() < 1e-12, "dense, tree {tree}, θ = {theta}: {defect:e}");
                }
            }
        }
    }
}
