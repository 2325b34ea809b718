//! The flow of a model together with tangent vectors: how a state moves, and how its neighbours move relative to it.
//!
//! # Equations
//! $$\dot y = f(t,y),\qquad \dot w_i = \frac{\partial f}{\partial y}(t,y)\,w_i$$
//! with y = (q, v, z) and the exact Jacobian of the graph, all integrated together. Constrained states live on
//! $\{\Phi = 0,\ \Phi_q v + \Phi_t = 0\}$, whose tangent space is the null space of
//! $$\begin{bmatrix} \Phi_q & 0 & 0\\ (\Phi_q v+\Phi_t)_q & \Phi_q & 0\end{bmatrix};$$
//! the flow leads tangent vectors of it to tangent vectors of it, so that there are 2(n − m) independent ones and the
//! first-order states.
//!
//! # When to choose it
//! Shooting, Floquet multipliers and Lyapunov exponents. Not for right-hand sides that jump: tangent vectors jump there
//! too, which is not told by a Jacobian.
//!
//! # Reference
//! E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 1993, section I.14;
//! M. D. Hartl, "Lyapunov exponents in constrained and nonconstrained ordinary differential equations", 2003

use crate::Prepared;
use crate::variational_system::VariationalSystem;
use catena_compile::Kernel;
use catena_formulation::{Entry, Formulation, references_for, rigid};
use catena_integrator::{Breakdown, IntegrationError, Integrator, Options};
use catena_linear::{Matrix, RowSpace, dot};
use catena_model::Model;
use catena_symbolic::Expr;
use std::sync::Arc;

/// Steps in which a motion must come from one time to the next, however many it may take in all: one that takes more is stuck.
const MOST_STEPS_AT_ONCE: u64 = 200_000;
/// From the start on, s: where it is looked how long steps may be that see everything harmonic in time.
const LOOKED_AT_TIMES: [f64; 2] = [0.0, 100.0];

/// Why a state has not been moved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FlowError {
    /// The state of the formulation is not made of the coordinates of the model.
    #[error("tangent vectors need the coordinates of the model, and `{formulation}` has its own")]
    OwnCoordinates {
        /// The name of the formulation.
        formulation: &'static str,
    },
    /// The motion of the formulation is only near that of the model.
    #[error(
        "tangent vectors need exact constraints, and `{formulation}` has springs in their place"
    )]
    Approximate {
        /// The name of the formulation.
        formulation: &'static str,
    },
    /// The equations jump as the state changes.
    #[error(
        "tangent vectors need equations that do not jump, and these do where `{place}` changes its sign"
    )]
    Jump {
        /// Zero where they jump.
        place: String,
    },
    /// The motion, or a tangent vector, could not be continued.
    #[error(transparent)]
    Integration(#[from] IntegrationError),
    /// A state could not be evaluated or brought back to its constraints.
    #[error("at t = {time} s {source}")]
    Breakdown {
        /// In s.
        time: f64,
        /// What broke.
        source: Breakdown,
    },
}

/// Moves a state y = (q, v, z) and any number of tangent vectors of the same length. One for each thread: a clone shares
/// what was compiled.
pub struct TangentFlow {
    prepared: Prepared,
    integrator_entry: &'static catena_integrator::Entry,
    options: Options,
    integrator: Box<dyn Integrator>,
    system: VariationalSystem,
    /// Rows of the matrix whose null space is the tangent space; none for models without constraints.
    constraint_rows: Option<Arc<Kernel>>,
    /// y and the tangent vectors on their way into the integrator.
    joined: Vec<f64>,
}

impl Clone for TangentFlow {
    fn clone(&self) -> Self {
        TangentFlow {
            prepared: self.prepared.clone(),
            integrator_entry: self.integrator_entry,
            options: self.options.clone(),
            integrator: self.integrator_entry.build(&self.options),
            system: self.system.clone(),
            constraint_rows: self.constraint_rows.clone(),
            joined: Vec::new(),
        }
    }
}

impl TangentFlow {
    /// The formulation whose state is that of the model: `minimal` without constraints, `projection` with them.
    pub fn formulation_of(model: &Model) -> &'static Entry {
        let has_constraints = !model.own.constraints.is_empty();
        let of_own = references_for(model).into_iter().find(|entry| entry.name == "minimal");
        if has_constraints { rigid() } else { of_own.unwrap_or_else(rigid) }
    }

    /// The flow of a prepared model with its own parameters, by an explicit integrator with step control such as
    /// [`catena_integrator::for_exact_motions`]. Tolerances hold for tangent vectors as they do for the state.
    pub fn new(
        prepared: &Prepared,
        integrator: &'static catena_integrator::Entry,
        options: Options,
    ) -> Result<TangentFlow, FlowError> {
        let parameters = prepared.model().parameter_values();
        let mut formulation = prepared.built(&parameters);
        let name = prepared.formulation().name;
        if formulation.own_coordinates().is_some() {
            return Err(FlowError::OwnCoordinates { formulation: name });
        }
        if !prepared.formulation().is_exact() {
            return Err(FlowError::Approximate { formulation: name });
        }
        let jump = prepared.short_features.as_ref().and_then(|features| features.jump_of_state());
        if let Some(place) = jump {
            return Err(FlowError::Jump { place: place.to_owned() });
        }
        let constraints = formulation.evaluator().sizes().constraints;
        let rows = (constraints > 0).then(|| Arc::new(compile_rows(formulation.as_mut())));
        let max_steps = options.max_steps.min(MOST_STEPS_AT_ONCE);
        let options = Options { max_steps, ..options };
        let mut flow = TangentFlow {
            prepared: prepared.clone(),
            integrator_entry: integrator,
            integrator: integrator.build(&options),
            options,
            system: VariationalSystem::new(formulation),
            constraint_rows: rows,
            joined: Vec::new(),
        };
        flow.set_parameters(&parameters);
        Ok(flow)
    }

    /// Other parameters, in the order of the model.
    pub fn set_parameters(&mut self, parameters: &[f64]) {
        self.system.formulation.begin(parameters);
        let bounded = self.prepared.bounded(&self.options, parameters, LOOKED_AT_TIMES);
        if bounded.resolving_step != self.options.resolving_step {
            self.integrator = self.integrator_entry.build(&bounded);
            self.options = bounded;
        }
    }

    /// From now on steps are chosen by these tolerances.
    pub fn set_tolerances(&mut self, rtol: f64, atol: f64) {
        self.options = Options { rtol, atol, ..self.options.clone() };
        self.integrator = self.integrator_entry.build(&self.options);
    }

    /// The parameters, in the order of the model.
    pub fn parameters(&mut self) -> &[f64] {
        self.system.formulation.evaluator().parameters()
    }

    /// The model in the coordinates of the formulation, and everything that was compiled.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// Adds ε v to the accelerations: damping of the wrong sign, which lets periodic motions of conservative systems be
    /// found as those of a family of flows, at ε = 0 (Muñoz-Almaraz et al. 2003). It keeps constraints that do not
    /// depend on time.
    pub fn set_unfolding(&mut self, epsilon: f64) {
        self.system.unfolding = epsilon;
    }

    /// N, the length of y.
    pub fn len(&self) -> usize {
        self.system.size
    }

    /// Whether the model has neither coordinates nor states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of constraints, whether they are independent or not.
    pub fn constraints(&mut self) -> usize {
        self.system.formulation.evaluator().sizes().constraints
    }

    /// For each component of y whether it is an angle, with which a full turn leads to the same pose.
    pub fn angles(&self) -> Vec<bool> {
        let is_angle = &self.prepared.words.is_angle;
        (0..self.len()).map(|at| is_angle.get(at).copied().unwrap_or(false)).collect()
    }

    /// y from coordinates, velocities and first-order states.
    pub fn pack(&self, q: &[f64], v: &[f64], states: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.len()];
        self.system.formulation.pack(q, v, states, &mut y);
        y
    }

    /// Coordinates, velocities and first-order states from y.
    pub fn unpack<'y>(&self, y: &'y [f64]) -> [&'y [f64]; 3] {
        let n = self.prepared.input().coordinates.len();
        [&y[..n], &y[n..2 * n], &y[2 * n..]]
    }

    /// f(t, y)
    pub fn rate(&mut self, t: f64, y: &[f64]) -> Result<Vec<f64>, FlowError> {
        let mut rate = vec![0.0; self.len()];
        self.system
            .rate(t, y, &mut rate)
            .map_err(|source| FlowError::Breakdown { time: t, source })?;
        Ok(rate)
    }

    /// Functions of the model at a state and its reactions, as compiled by [`catena_compile::Functions::compile`].
    pub fn evaluate(&mut self, t: f64, y: &[f64], functions: &Kernel) -> Result<&[f64], FlowError> {
        self.rate(t, y)?;
        let formulation = &mut self.system.formulation;
        let [accelerations, multipliers] =
            [formulation.accelerations().to_vec(), formulation.multipliers().to_vec()];
        let evaluator = formulation.evaluator();
        evaluator.set_reactions(&accelerations, &multipliers);
        Ok(evaluator.run(functions))
    }

    /// Moves y from t0 to t1, and behind it the tangent vectors, N numbers each, one after the other; there may be none.
    pub fn advance(
        &mut self,
        t0: f64,
        t1: f64,
        y: &mut [f64],
        tangents: &mut [f64],
    ) -> Result<(), FlowError> {
        self.advance_watched(t0, t1, y, tangents, |_, _| {})
    }

    /// The same; after each step the time and state there are shown, the start included.
    pub fn advance_watched(
        &mut self,
        t0: f64,
        t1: f64,
        y: &mut [f64],
        tangents: &mut [f64],
        mut seen: impl FnMut(f64, &[f64]),
    ) -> Result<(), FlowError> {
        if t0 == t1 {
            return Ok(());
        }
        // a motion that cannot begin is told at once, not after ever smaller steps
        self.rate(t0, y)?;
        let n = self.len();
        self.system.vectors = tangents.len() / n.max(1);
        self.joined.clear();
        self.joined.extend_from_slice(y);
        self.joined.extend_from_slice(tangents);
        self.integrator.begin(&mut self.system, t0, &self.joined, t1)?;
        seen(t0, y);
        while self.integrator.time() != t1 {
            self.integrator.step(&mut self.system)?;
            seen(self.integrator.time(), &self.integrator.state()[..n]);
        }
        let (state, moved) = self.integrator.state().split_at(n);
        y.copy_from_slice(state);
        tangents.copy_from_slice(moved);
        self.system.vectors = 0;
        Ok(())
    }

    /// Moves y from t0 to t1, and shows it at these times between, in rising order, by dense output.
    pub fn advance_sampled(
        &mut self,
        t0: f64,
        t1: f64,
        y: &mut [f64],
        times: &[f64],
        mut seen: impl FnMut(f64, &[f64]),
    ) -> Result<(), FlowError> {
        self.system.vectors = 0;
        self.integrator.begin(&mut self.system, t0, y, t1)?;
        let mut between = y.to_vec();
        let mut waiting = times.iter().copied().peekable();
        loop {
            let now = self.integrator.time();
            let inside: Vec<f64> =
                std::iter::from_fn(|| waiting.next_if(|&time| time <= now)).collect();
            if !inside.is_empty() && now > t0 {
                self.integrator.prepare_dense(&mut self.system);
            }
            for time in inside {
                self.integrator.interpolate(time, &mut between);
                seen(time, &between);
            }
            if now == t1 {
                break;
            }
            self.integrator.step(&mut self.system)?;
        }
        y.copy_from_slice(self.integrator.state());
        Ok(())
    }

    /// ∂f/∂y at a state, row by row.
    pub fn jacobian(&mut self, t: f64, y: &[f64]) -> Result<Matrix, FlowError> {
        let n = self.len();
        let found = self.system.linearise(t, y);
        found.map_err(|source| FlowError::Breakdown { time: t, source })?;
        Ok(Matrix::from_fn(n, n, |row, column| self.system.jacobian[row * n + column]))
    }

    /// Brings a state back to its constraints.
    pub fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), FlowError> {
        let projected = self.system.formulation.after_step(t, y);
        projected.map(drop).map_err(|source| FlowError::Breakdown { time: t, source })
    }

    /// The matrix, 2m × N, whose null space is the tangent space of the constraints at a state.
    pub fn constraint_tangents(&mut self, t: f64, y: &[f64]) -> Matrix {
        let n = self.len();
        let Some(kernel) = &self.constraint_rows else { return Matrix::zeros(0, n) };
        let evaluator = self.system.formulation.evaluator();
        evaluator.set_joined_state(t, y);
        let (coordinates, constraints) =
            (evaluator.sizes().coordinates, evaluator.sizes().constraints);
        let entries = evaluator.run(kernel);
        let width = 2 * coordinates;
        Matrix::from_fn(2 * constraints, n, |row, column| {
            if column < width { entries[row * width + column] } else { 0.0 }
        })
    }

    /// An orthonormal basis of the tangent space, a row of N numbers for each direction: 2(n − rank Φq) and the
    /// first-order states. Redundant constraints do not count. Without constraints, the axes.
    pub fn manifold_basis(&mut self, t: f64, y: &[f64]) -> Matrix {
        let n = self.len();
        if self.constraint_rows.is_none() {
            return Matrix::from_fn(n, n, |row, column| f64::from(row == column));
        }
        let directions = RowSpace::of(&self.constraint_tangents(t, y)).null_space();
        Matrix::from_fn(directions.len(), n, |row, column| directions[row][column])
    }

    /// Takes from tangent vectors, N numbers each, what leads off the constraints.
    pub fn project_tangents(&mut self, t: f64, y: &[f64], tangents: &mut [f64]) {
        if self.constraint_rows.is_none() {
            return;
        }
        let basis = self.manifold_basis(t, y);
        for vector in tangents.chunks_exact_mut(y.len().max(1)) {
            let parts: Vec<f64> = (0..basis.rows()).map(|at| dot(basis.row(at), vector)).collect();
            vector.fill(0.0);
            for (at, part) in parts.iter().enumerate() {
                vector.iter_mut().zip(basis.row(at)).for_each(|(x, b)| *x += part * b);
            }
        }
    }
}

/// The gradients of Φ and of Φ̇ = Φq v + Φt by q and v, row by row.
fn compile_rows(formulation: &mut dyn Formulation) -> Kernel {
    let functions = formulation.evaluator().functions().clone();
    let e = &functions.equations;
    let mut graph = e.graph.clone();
    let by: Vec<Expr> = [e.coordinates.as_slice(), &e.velocities].concat();
    let both = e.constraints.iter().chain(&e.constraint_velocity);
    let rows: Vec<Expr> = both.flat_map(|&value| graph.gradient(value, &by)).collect();
    functions.compile(&graph, &[("rows", &rows)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_formulation::OptionValues;
    use catena_integrator::for_exact_motions;
    use catena_linear::max_abs;
    use catena_model::Source;

    const ANGLE: &str = "coordinates = { a = \"\" }\n[energy]\nkinetic = \"1/2*a'^2\"\n\
        potential = \"-9.81*cos(a)\"\ndissipation = \"0.1*a'^2\"\n[forces]\na = \"3*cos(2*t)\"";
    /// The same pendulum in Cartesian coordinates, with its rod written twice.
    const CARTESIAN: &str = "coordinates = { x = \"\", y = \"\" }\n[energy]\n\
        kinetic = \"1/2*(x'^2 + y'^2)\"\npotential = \"9.81*y\"\ndissipation = \"0.1*(x'^2 + y'^2)\"\n\
        [forces]\nx = \"-3*cos(2*t)*y\"\ny = \"3*cos(2*t)*x\"\n\
        [constraints]\nrod = \"x^2 + y^2 - 1\"\nagain = \"sqrt(x^2 + y^2) - 1\"";

    fn flow(text: &str) -> TangentFlow {
        let model = Model::read(Source::new("test.toml", text), &[]).expect("it is a model");
        let entry = TangentFlow::formulation_of(&model);
        let prepared = Prepared::new(&model, entry, OptionValues::default()).expect("it fits");
        let options = Options { rtol: 1e-11, atol: 1e-12, ..Options::default() };
        TangentFlow::new(&prepared, for_exact_motions(), options).expect("it has tangents")
    }

    /// (x, y, ẋ, ẏ) of the pendulum at an angle, and how they change with it and its rate.
    fn cartesian(a: f64, rate: f64) -> ([f64; 4], [[f64; 4]; 2]) {
        let (sin, cos) = a.sin_cos();
        let by_angle = [cos, sin, -sin * rate, cos * rate];
        ([sin, -cos, cos * rate, sin * rate], [by_angle, [0.0, 0.0, cos, sin]])
    }

    #[test]
    fn tangent_vectors_are_differences_of_neighbouring_motions() {
        let mut flow = flow(ANGLE);
        let (y0, h) = ([1.1, -0.4], 1e-5);
        let (mut y, mut tangents) = (y0, [1.0, 0.0, 0.0, 1.0]);
        flow.advance(0.3, 2.1, &mut y, &mut tangents).expect("it moves");
        for component in 0..2 {
            let mut ends = [y0, y0];
            for (end, sign) in ends.iter_mut().zip([1.0, -1.0]) {
                end[component] += sign * h;
                flow.advance(0.3, 2.1, end, &mut []).expect("it moves");
            }
            for row in 0..2 {
                let slope = (ends[0][row] - ends[1][row]) / (2.0 * h);
                assert!((slope - tangents[2 * component + row]).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn constrained_tangents_are_those_of_minimal_coordinates_and_stay_on_the_constraints() {
        let (mut minimal, mut constrained) = (flow(ANGLE), flow(CARTESIAN));
        let (mut angle, mut by_angle) = ([1.1, -0.4], [1.0, 0.0, 0.0, 1.0]);
        let (mut y, tangents) = cartesian(1.1, -0.4);
        let mut tangents = tangents.concat();
        assert_eq!(constrained.manifold_basis(0.0, &y).rows(), 2);
        minimal.advance(0.0, 3.0, &mut angle, &mut by_angle).expect("it moves");
        constrained.advance(0.0, 3.0, &mut y, &mut tangents).expect("it moves");
        let (expected, [first, second]) = cartesian(angle[0], angle[1]);
        assert!(y.iter().zip(expected).all(|(y, expected)| (y - expected).abs() < 1e-8));
        for (vector, parts) in tangents.chunks_exact(4).zip(by_angle.chunks_exact(2)) {
            let expected = (0..4).map(|at| parts[0] * first[at] + parts[1] * second[at]);
            assert!(vector.iter().zip(expected).all(|(entry, other)| (entry - other).abs() < 1e-8));
        }
        let rows = constrained.constraint_tangents(3.0, &y);
        let off = |vector: &[f64]| {
            max_abs(&(0..4).map(|at| dot(rows.row(at), vector)).collect::<Vec<_>>())
        };
        assert!(tangents.chunks_exact(4).all(|vector| off(vector) < 1e-8));
        let mut aside = vec![1.0, 2.0, 3.0, 4.0];
        assert!(off(&aside) > 1.0);
        constrained.project_tangents(3.0, &y, &mut aside);
        assert!(off(&aside) < 1e-12);
    }

    #[test]
    fn formulations_with_a_state_of_their_own_are_refused() {
        let model = Model::read(Source::new("test.toml", CARTESIAN), &[]).expect("it is a model");
        let refusal = |name: &str| {
            let entry = catena_formulation::find(name).expect("it is in the catalogue");
            let prepared = Prepared::new(&model, entry, OptionValues::default()).expect("it fits");
            let flow = TangentFlow::new(&prepared, for_exact_motions(), Options::default());
            flow.err().map(|error| error.to_string())
        };
        let springs = refusal("penalty").expect("springs are no constraints");
        assert!(springs.contains("springs"), "{springs}");
        assert_eq!(refusal("projection"), None);
    }
}
