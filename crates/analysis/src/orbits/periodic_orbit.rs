//! Periodic orbits of the return map, stable or not: P^m(x) = x by Newton's method with differences.

use super::OrbitDriver;
use crate::Refusal;
use crate::returns::Chain;
use catena_ensemble::Engine;
use catena_linear::{Lu, Singular};

/// Steps of Newton's method.
const MAX_NEWTON_STEPS: usize = 20;
/// A smaller Newton step than this, relative to the size of the components, is the last one.
const NEWTON_TOLERANCE: f64 = 1e-9;
/// A larger Newton step than this leads to another orbit.
const MAX_NEWTON_STEP: f64 = 0.5;
/// Crossings earlier than this part of the shortest return belong to a start that is off the section by a difference.
const EARLY_CROSSING: f64 = 1e-2;

/// An orbit of m points at a value of the parameter.
#[derive(Clone, Debug)]
pub(super) struct PeriodicOrbit {
    pub(super) value: f64,
    pub(super) state: Vec<f64>,
    /// det(DP^m + 1), which is zero where an eigenvalue is −1.
    pub(super) doubling_test: f64,
}

/// Where the search for an orbit begins.
#[derive(Clone, Debug)]
pub(super) struct Guess<'a> {
    pub(super) state: &'a [f64],
    /// When the drive has the phase of the state, s.
    pub(super) time: f64,
    /// How many points the orbit has.
    pub(super) multiple: u64,
    /// The shortest time between two points, s; for sections.
    pub(super) shortest: f64,
    /// The step of central differences, relative to the size of the component.
    pub(super) difference: f64,
}

/// P^m at a state, and its derivative, row by row.
struct Image {
    state: Vec<f64>,
    slopes: Vec<f64>,
}

impl OrbitDriver<'_> {
    /// The orbit near a guess; none where there is no such orbit.
    pub(super) fn periodic_orbit(
        &self,
        engine: &Engine,
        value: f64,
        guess: &Guess<'_>,
    ) -> Result<Option<PeriodicOrbit>, Refusal> {
        let len = guess.state.len();
        let mut state = guess.state.to_vec();
        let sizes: Vec<f64> = state.iter().map(|x| x.abs().max(1.0)).collect();
        for _ in 0..MAX_NEWTON_STEPS {
            let Some(image) = self.image(engine, value, guess, &state, &sizes)? else {
                return Ok(None);
            };
            let off = |at: usize| self.circle.difference(at, image.state[at], state[at]);
            let mut step: Vec<f64> = (0..len).map(off).collect();
            let mut lu = Lu::<f64>::default();
            lu.resize(len);
            for (at, entry) in lu.entries_mut().iter_mut().enumerate() {
                *entry = image.slopes[at] - if at % (len + 1) == 0 { 1.0 } else { 0.0 };
            }
            if let Err(Singular) = lu.factor() {
                return Ok(None);
            }
            lu.solve(&mut step);
            let largest = step.iter().zip(&sizes).map(|(x, size)| (x / size).abs());
            let largest = largest.fold(0.0, f64::max);
            if largest.is_nan() || largest > MAX_NEWTON_STEP {
                return Ok(None);
            }
            state.iter_mut().zip(&step).for_each(|(x, step)| *x += step);
            if largest <= NEWTON_TOLERANCE {
                let doubling_test = determinant_with_one(&image.slopes, len);
                return Ok(Some(PeriodicOrbit { value, state, doubling_test }));
            }
        }
        Ok(None)
    }

    /// None where a motion does not come back.
    fn image(
        &self,
        engine: &Engine,
        value: f64,
        guess: &Guess<'_>,
        state: &[f64],
        sizes: &[f64],
    ) -> Result<Option<Image>, Refusal> {
        let len = state.len();
        let mut link = self.link(value, guess.multiple - 1, 1)?;
        if link.period.is_none() {
            // a drive, if there is one, has the phase of the guess
            (link.t_start, link.after) = (guess.time, EARLY_CROSSING * guess.shortest);
        }
        let mut starts = vec![state.to_vec()];
        for at in 0..len {
            for sign in [1.0, -1.0] {
                let mut start = state.to_vec();
                start[at] += sign * guess.difference * sizes[at];
                starts.push(start);
            }
        }
        let chains: Vec<Chain> = starts
            .into_iter()
            .map(|start| Chain { start: Some(start), links: vec![link.clone()] })
            .collect();
        let (seen, _) = self.returns(engine).run(&chains, &|_| false);
        let mut images = Vec::with_capacity(seen.len());
        for seen in &seen {
            match seen.first() {
                Some(points) if points.failure.is_none() && points.columns.len() > len => {
                    images.push(points.columns[..len].to_vec());
                }
                _ => return Ok(None),
            }
        }
        let mut slopes = vec![0.0; len * len];
        for column in 0..len {
            let [up, down] = [&images[1 + 2 * column], &images[2 + 2 * column]];
            for row in 0..len {
                let change = self.circle.difference(row, down[row], up[row]);
                slopes[row * len + column] = change / (2.0 * guess.difference * sizes[column]);
            }
        }
        Ok(Some(Image { state: images.swap_remove(0), slopes }))
    }
}

/// det(A + 1) of a square matrix, row by row, by elimination with row exchanges.
fn determinant_with_one(matrix: &[f64], n: usize) -> f64 {
    let mut a = matrix.to_vec();
    a.iter_mut().step_by(n + 1).for_each(|entry| *entry += 1.0);
    let mut determinant = 1.0;
    for k in 0..n {
        let by_size = |i: &usize, j: &usize| a[i * n + k].abs().total_cmp(&a[j * n + k].abs());
        let pivot = (k..n).max_by(by_size).unwrap_or(k);
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            determinant = -determinant;
        }
        determinant *= a[k * n + k];
        if a[k * n + k] == 0.0 {
            return 0.0;
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    determinant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_function_is_the_product_of_eigenvalues_plus_one() {
        let triangular = [0.5, 7.0, 0.0, -2.0];
        assert!((determinant_with_one(&triangular, 2) + 1.5).abs() < 1e-15);
        let exchanged = [-1.0, 2.0, 3.0, -1.0];
        assert!((determinant_with_one(&exchanged, 2) + 6.0).abs() < 1e-15);
    }
}
