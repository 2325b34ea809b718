//! Harmonic forcing: a linear model about rest, shaken by its drive at one frequency.

use super::drive_frequency::DriveFrequency;
use super::transfer::{TransferError, TransferRequest};
use crate::rest::LinearModel;
use catena_compile::{Evaluator, Functions, Kernel};
use catena_linear::{Complex, RowSpace, solve_complex};
use catena_model::{Role, System};
use catena_symbolic::Expr;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Samples of one period: amplitudes are exact as long as there is no overtone beyond the 62nd.
const SAMPLES_PER_PERIOD: usize = 64;
/// The largest part of a response that may be rounding.
const MAX_ROUNDING_SHARE: f64 = 1e-2;
/// The smallest amplitude of an input, in its unit.
const MIN_INPUT_AMPLITUDE: f64 = 1e-14;
/// How far the frequency is shifted to estimate the error, in roundings.
const FREQUENCY_SHIFT: f64 = 4.0;

/// Complex amplitudes of one frequency.
struct Amplitudes {
    /// F̂, ĝ, Φ̂
    drive: Vec<Complex>,
    input: Complex,
    /// Amplitudes of the outputs while the system is held at rest.
    direct: Vec<Complex>,
}

/// A linear model with its drive, an input and outputs: a transfer function for every output.
pub(crate) struct HarmonicForcing<'a, 'b> {
    linear: &'a LinearModel<'b>,
    pub(crate) drive: DriveFrequency,
    input: String,
    functions: Arc<Functions>,
    /// Q − Φqᵀλ, ż, Φ, the input and the outputs, driven.
    kernel: Kernel,
    /// Slopes of the outputs by q, v, v̇, z and λ without the drive.
    slopes: Vec<f64>,
    /// Constraints that do not follow from others.
    constraints: Vec<usize>,
}

impl<'a, 'b> HarmonicForcing<'a, 'b> {
    /// Looks up input, outputs and drive of a request; its frequencies are left to the caller.
    pub(crate) fn new(
        linear: &'a LinearModel<'b>,
        request: &TransferRequest,
    ) -> Result<Self, TransferError> {
        let rest = &linear.rest;
        let functions = Functions::new(rest.driven.clone());
        let e = &functions.equations;
        let find = |name: &String| {
            quantity(rest.system, e, name).ok_or_else(|| TransferError::Unknown {
                name: name.clone(),
                known: quantities(rest.system),
            })
        };
        let mut asked = vec![find(&request.input)?];
        for name in &request.outputs {
            asked.push(find(name)?);
        }
        let mut graph = e.graph.clone();
        let mut driven = e.forces.clone();
        for &(row, column, entry) in &e.constraint_jacobian.entries {
            let force = graph.mul(entry, e.multipliers[row]);
            driven[column] = graph.sub(driven[column], force);
        }
        driven.extend_from_slice(&e.state_rates);
        driven.extend_from_slice(&e.constraints);
        driven.extend_from_slice(&asked);
        let kernel = functions.compile(&graph, &[("driven", &driven)]);
        let jacobian = RowSpace::of(&linear.constraint_jacobian);
        let mut constraints = jacobian.independent().to_vec();
        constraints.sort_unstable();
        let slopes = output_slopes(linear, &request.outputs);
        let drive = DriveFrequency::find(rest, request.parameter.as_deref())?;
        let (input, functions) = (request.input.clone(), Arc::new(functions));
        Ok(HarmonicForcing { linear, drive, input, functions, kernel, slopes, constraints })
    }

    /// The response of every output to an input of amplitude 1 at this frequency, Hz.
    pub(crate) fn at(&self, frequency: f64) -> Result<Vec<Complex>, TransferError> {
        self.sampled(frequency, 1.0, SAMPLES_PER_PERIOD)
    }

    /// The same in another way, for an estimate of the error: from twice the samples, which shows overtones
    /// aliased to the drive, and with the frequency shifted by a few roundings, which shows how much of a
    /// resonance is rounding.
    pub(crate) fn again(&self, frequency: f64) -> Result<Vec<Complex>, TransferError> {
        self.sampled(frequency, 1.0 + FREQUENCY_SHIFT * f64::EPSILON, 2 * SAMPLES_PER_PERIOD)
    }

    fn sampled(
        &self,
        frequency: f64,
        shift: f64,
        samples: usize,
    ) -> Result<Vec<Complex>, TransferError> {
        let omega = TAU * frequency * shift;
        let parameters = self.drive.parameters_at(self.linear.rest.model, omega);
        let amplitudes = self.amplitudes(&parameters, omega, samples);
        let input = amplitudes.input;
        if input.norm() <= MIN_INPUT_AMPLITUDE {
            return Err(TransferError::StillInput { name: self.input.clone() });
        }
        let responses = self.responses(omega, &amplitudes);
        let responses = responses.ok_or(TransferError::Resonance { frequency })?;
        Ok(responses.into_iter().map(|response| response / input).collect())
    }

    fn amplitudes(&self, parameters: &[f64], omega: f64, samples: usize) -> Amplitudes {
        let rest = &self.linear.rest;
        let mut evaluator = Evaluator::new(self.functions.clone(), parameters);
        let still = vec![0.0; rest.equilibrium.q.len()];
        let mut sums = vec![Complex::ZERO; self.kernel.output_len()];
        let mut first = vec![0.0; sums.len()];
        for sample in 0..samples {
            let angle = TAU * sample as f64 / samples as f64;
            evaluator.set_state(
                angle / omega,
                &rest.equilibrium.q,
                &still,
                &rest.equilibrium.states,
            );
            evaluator.set_reactions(&still, &rest.equilibrium.multipliers);
            let turned = Complex::from_polar(2.0 / samples as f64, -angle);
            let values = evaluator.run(&self.kernel);
            if sample == 0 {
                first.copy_from_slice(values);
            }
            // what stands still has no amplitude, not even one of roundings
            for ((sum, value), first) in sums.iter_mut().zip(values).zip(&first) {
                *sum += turned * (value - first);
            }
        }
        let driven =
            still.len() + rest.equilibrium.states.len() + rest.equilibrium.multipliers.len();
        let direct = sums.split_off(driven + 1);
        let input = sums[driven];
        sums.truncate(driven);
        Amplitudes { drive: sums, input, direct }
    }

    /// The amplitude of every output; `None` at a resonance that nothing damps.
    fn responses(&self, omega: f64, amplitudes: &Amplitudes) -> Option<Vec<Complex>> {
        let full = &self.linear.full;
        let (n, k, m) = (full.mass.rows(), full.rates_by_state.rows(), self.constraints.len());
        let (s, size) = (Complex::new(0.0, omega), n + k + m);
        let jacobian = |row: usize, column: usize| {
            Complex::from(self.linear.constraint_jacobian[(self.constraints[row], column)])
        };
        let entry = |i: usize, j: usize| match (i, j) {
            (i, j) if i < n && j < n => {
                s * s * full.mass[(i, j)] + s * full.damping[(i, j)] + full.stiffness[(i, j)]
            }
            (i, j) if i < n && j < n + k => Complex::from(-full.state_forces[(i, j - n)]),
            (i, j) if i < n => jacobian(j - n - k, i),
            (i, j) if i < n + k && j < n => {
                -full.rates_by_position[(i - n, j)] - s * full.rates_by_velocity[(i - n, j)]
            }
            (i, j) if i < n + k && j < n + k => {
                let diagonal = if i == j { s } else { Complex::ZERO };
                diagonal - full.rates_by_state[(i - n, j - n)]
            }
            (i, j) if i >= n + k && j < n => jacobian(i - n - k, j),
            _ => Complex::ZERO,
        };
        let matrix: Vec<Complex> = (0..size * size).map(|at| entry(at / size, at % size)).collect();
        let mut right: Vec<Complex> = amplitudes.drive[..n + k].to_vec();
        right.extend(self.constraints.iter().map(|&row| -amplitudes.drive[n + k + row]));
        let solution = solve_complex(&matrix, &right)?;
        if self.is_rounding(omega, &solution[..n], &right[..n]) {
            return None;
        }
        let (x, rest) = solution.split_at(n);
        let (states, reactions) = rest.split_at(k);
        let all = self.linear.constraint_jacobian.rows();
        let mut multipliers = vec![Complex::ZERO; all];
        for (&row, value) in self.constraints.iter().zip(reactions) {
            multipliers[row] = *value;
        }
        let parts =
            x.iter().copied().chain(x.iter().map(|x| s * x)).chain(x.iter().map(|x| s * s * x));
        let moved: Vec<Complex> = parts.chain(states.iter().copied()).chain(multipliers).collect();
        let rows = self.slopes.chunks_exact(moved.len().max(1)).zip(&amplitudes.direct);
        Some(
            rows.map(|(row, direct)| {
                row.iter().zip(&moved).map(|(a, b)| b * *a).sum::<Complex>() + direct
            })
            .collect(),
        )
    }

    /// Whether the forces of the response cancel down to rounding: inertia against stiffness at a
    /// resonance.
    fn is_rounding(&self, omega: f64, x: &[Complex], forces: &[Complex]) -> bool {
        let full = &self.linear.full;
        let size = |row: usize| -> f64 {
            let parts = x.iter().enumerate().map(|(column, x)| {
                let at = (row, column);
                let inertia = omega * omega * full.mass[at].abs();
                x.norm() * (inertia + omega * full.damping[at].abs() + full.stiffness[at].abs())
            });
            parts.sum()
        };
        let largest = (0..x.len()).map(size).fold(0.0, f64::max);
        let driven = forces.iter().map(|force| force.norm()).fold(0.0, f64::max);
        driven > 0.0 && largest * f64::EPSILON > MAX_ROUNDING_SHARE * driven
    }
}

/// Slopes of the outputs by q, v, v̇, z and λ at rest.
fn output_slopes(linear: &LinearModel<'_>, outputs: &[String]) -> Vec<f64> {
    let rest = &linear.rest;
    let functions = Functions::new(rest.equations.clone());
    let e = &functions.equations;
    let mut graph = e.graph.clone();
    let by: Vec<Expr> =
        [e.coordinates.as_slice(), &e.velocities, &e.accelerations, &e.states, &e.multipliers]
            .concat();
    let asked = outputs.iter().filter_map(|name| quantity(rest.system, e, name));
    let slopes: Vec<Expr> = asked.flat_map(|expr| graph.gradient(expr, &by)).collect();
    let kernel = functions.compile(&graph, &[("slopes", &slopes)]);
    let still = vec![0.0; rest.equilibrium.q.len()];
    let mut evaluator = Evaluator::new(Arc::new(functions), &rest.parameters);
    evaluator.set_state(0.0, &rest.equilibrium.q, &still, &rest.equilibrium.states);
    evaluator.set_reactions(&still, &rest.equilibrium.multipliers);
    evaluator.run(&kernel).to_vec()
}

fn quantity(system: &System, e: &catena_derivation::Equations, name: &str) -> Option<Expr> {
    if let Some(at) = system.outputs.iter().position(|output| output.name == name) {
        return Some(e.outputs[at]);
    }
    let bare = name.trim_end_matches('\'');
    match (system.names.role(bare), name.len() - bare.len()) {
        (Some(Role::Coordinate(at)), 0) => Some(e.coordinates[at]),
        (Some(Role::Coordinate(at)), 1) => Some(e.velocities[at]),
        (Some(Role::Definition(at)), 0) => Some(e.definitions[at]),
        (Some(Role::State(at)), 0) => Some(e.states[at]),
        _ => None,
    }
}

fn quantities(system: &System) -> Vec<String> {
    let coordinates = system.coordinates.iter().map(|coordinate| &coordinate.name);
    let entries = system.states.iter().chain(&system.definitions).chain(&system.outputs);
    coordinates.chain(entries.map(|entry| &entry.name)).cloned().collect()
}
