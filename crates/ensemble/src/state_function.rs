//! A function of a model over many states at once: in lanes where it is a straight line of operations, by the formulation
//! elsewhere, on as many threads as there are.

use crate::lane_function::LaneKernels;
use crate::state_worker::StateWorker;
use catena_compile::{Functions, Kernel, Program, Sizes};
use catena_derivation::Equations;
use catena_formulation::RhsProgram;
use catena_linear::InstructionSet;
use catena_simulation::{Prepared, RunError, column_expressions};
use catena_symbolic::{Expr, Graph};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// States that a thread takes at a time in lanes; a multiple of all numbers of lanes.
const STATES_IN_LANES: usize = 4096;
/// The same where the formulation computes them one by one.
const STATES_ONE_BY_ONE: usize = 64;

/// What a [`StateFunction`] computes at every state, in the coordinates of the formulation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateQuantity {
    /// M, n × n.
    MassMatrix,
    /// Q, n.
    Forces,
    /// Φ, m.
    Constraints,
    /// Φq, m × n.
    ConstraintJacobian,
    /// γ, m.
    Gamma,
    /// T and V, J.
    Energies,
    /// The rate of (q, v, z), as integrators see it.
    Rate,
    /// v̇, n.
    Accelerations,
    /// λ, m.
    Multipliers,
    /// Columns of a run by their names.
    Columns(Vec<String>),
}

/// States of a system.
#[derive(Clone, Copy, Debug)]
pub struct States<'a> {
    /// How many there are.
    pub count: usize,
    /// One time for all of them, or one for each, s.
    pub times: &'a [f64],
    /// q
    pub coordinates: StateRows<'a>,
    /// v
    pub velocities: StateRows<'a>,
    /// z
    pub states: StateRows<'a>,
}

/// Numbers of many states, those of one state next to each other.
#[derive(Clone, Copy, Debug)]
pub struct StateRows<'a> {
    /// All of them.
    pub values: &'a [f64],
    /// From the first number of one state to that of the next; 0 where all states have the same.
    pub stride: usize,
}

impl States<'_> {
    pub(crate) fn time(&self, state: usize) -> f64 {
        self.times[if self.times.len() == 1 { 0 } else { state }]
    }
}

impl StateRows<'_> {
    pub(crate) fn of(&self, state: usize, len: usize) -> &[f64] {
        &self.values[state * self.stride..][..len]
    }
}

/// A function that is ready to be evaluated: constant, and shared between threads.
pub struct StateFunction {
    pub(crate) prepared: Prepared,
    pub(crate) sizes: Sizes,
    shape: Vec<usize>,
    /// How many numbers are computed.
    pub(crate) computed: usize,
    /// For each number of a result that is not zero, its place and which one it is; absent where all are there in order.
    pub(crate) places: Option<Vec<(usize, usize)>>,
    /// Absent where the function is no straight line of operations.
    pub(crate) lanes: Option<LaneKernels>,
    /// What is read off the formulation; absent where the function needs neither accelerations nor multipliers.
    pub(crate) reactions: Option<Reactions>,
    /// Workspaces that nobody uses at the moment.
    idle: Mutex<Vec<StateWorker>>,
}

/// What is read off a formulation that has found accelerations and multipliers.
pub(crate) enum Reactions {
    Rate,
    Accelerations,
    Multipliers,
    Columns(Kernel),
}

/// What is asked for, as expressions.
struct Asked {
    graph: Graph,
    values: Vec<Expr>,
    shape: Vec<usize>,
    places: Option<Vec<(usize, usize)>>,
}

impl StateFunction {
    /// Compiles a function of a prepared model; fails where a column is not there.
    pub fn new(prepared: &Prepared, quantity: &StateQuantity) -> Result<StateFunction, RunError> {
        let mut input = prepared.input().clone();
        // as if nobody had run it before
        let own = input.model.parameter_values();
        input.evaluator.set_parameters(&own);
        let functions = input.evaluator.functions().clone();
        let set = InstructionSet::best();
        let listed = match quantity {
            // a recursion has no mass matrix of its own
            StateQuantity::MassMatrix if functions.equations.mass_matrix.is_empty() => {
                let model = input.model.clone();
                let derived =
                    Equations::derive(&model, model.system(prepared.formulation().coordinates));
                Some(Functions::new(derived))
            }
            _ => None,
        };
        let functions = listed.as_ref().unwrap_or(&functions);
        let asked = Asked::new(prepared, functions, quantity)?;
        let e = &functions.equations;
        let reactions = [e.accelerations.as_slice(), &e.multipliers].concat();
        let needs_reactions = *quantity == StateQuantity::Rate
            || asked.graph.any_depends_on(&asked.values, &reactions);
        let lanes = match needs_reactions {
            false => {
                Some(LaneKernels::new(&direct_program(e, &asked), set, state_len(functions.sizes)))
            }
            true => prepared.formulation().lane_program(&input).map(|mut rhs| {
                let values = asked.values_in(prepared, functions, quantity, &mut rhs);
                LaneKernels::of_fused(&rhs.guarded_column_program(&values), set, rhs.state_len())
            }),
        };
        let reactions = needs_reactions.then(|| match quantity {
            StateQuantity::Rate => Reactions::Rate,
            StateQuantity::Accelerations => Reactions::Accelerations,
            StateQuantity::Multipliers => Reactions::Multipliers,
            _ => Reactions::Columns(functions.compile(&asked.graph, &[("columns", &asked.values)])),
        });
        Ok(StateFunction {
            prepared: prepared.clone(),
            sizes: functions.sizes,
            computed: asked.values.len(),
            shape: asked.shape,
            places: asked.places,
            lanes,
            reactions,
            idle: Mutex::default(),
        })
    }

    /// The shape of the result at one state.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many numbers the result at one state has.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the result has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many states are computed side by side on one core.
    pub fn lanes(&self) -> usize {
        self.lanes.as_ref().map_or(1, |kernels| kernels.set.lanes())
    }

    /// Writes the results of all states, one after the other; NaN where there is none. The numbers depend neither on the
    /// threads nor on the neighbours of a state. Returns whether it was not cancelled before all were there.
    ///
    /// # Panics
    /// If a slice is shorter than the states need.
    pub fn evaluate(
        &self,
        parameters: &[f64],
        states: &States<'_>,
        out: &mut [f64],
        threads: usize,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        let len = self.len();
        let out = &mut out[..len * states.count];
        if out.is_empty() {
            return true;
        }
        let at_a_time = if self.lanes.is_some() { STATES_IN_LANES } else { STATES_ONE_BY_ONE };
        if states.count <= at_a_time {
            self.with_worker(parameters, |worker| worker.fill(self, states, 0, out));
            return true;
        }
        let ended = AtomicBool::new(false);
        let parts = Mutex::new(out.chunks_mut(at_a_time * len).enumerate());
        let work = || {
            self.with_worker(parameters, |worker| {
                while !ended.load(Ordering::Relaxed) {
                    let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((number, out)) = part else { return };
                    worker.fill(self, states, number * at_a_time, out);
                    if cancelled() {
                        ended.store(true, Ordering::Relaxed);
                    }
                }
            });
        };
        std::thread::scope(|scope| {
            let others = threads.min(states.count.div_ceil(at_a_time)).saturating_sub(1);
            for _ in 0..others {
                // fewer threads than asked for are enough
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        let done = parts.into_inner().unwrap_or_else(PoisonError::into_inner).next().is_none();
        done && !ended.into_inner()
    }

    /// Lends a workspace that has these parameters.
    fn with_worker(&self, parameters: &[f64], work: impl FnOnce(&mut StateWorker)) {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let mut worker = known.unwrap_or_else(|| StateWorker::new(self));
        worker.begin(self, parameters);
        work(&mut worker);
        idle().push(worker);
    }
}

/// The length of (q, v, z).
fn state_len(sizes: Sizes) -> usize {
    2 * sizes.coordinates + sizes.states
}

/// From t, (q, v, z) and the parameters.
fn direct_program(e: &Equations, asked: &Asked) -> Program {
    let state = [e.coordinates.as_slice(), &e.velocities, &e.states].concat();
    let inputs: [(&str, &[Expr]); 3] =
        [("t", &[e.time]), ("y", &state), ("parameters", &e.parameters)];
    Program::lower(&asked.graph, &inputs, &[("values", &asked.values)])
}

impl Asked {
    fn new(
        prepared: &Prepared,
        functions: &Functions,
        quantity: &StateQuantity,
    ) -> Result<Asked, RunError> {
        let e = &functions.equations;
        let Sizes { coordinates: n, constraints: m, .. } = functions.sizes;
        let mut graph = e.graph.clone();
        let (values, shape, places) = match quantity {
            StateQuantity::MassMatrix => {
                let (mut values, mut places) = (Vec::new(), Vec::new());
                for (number, &(row, column, entry)) in e.mass_matrix.iter().enumerate() {
                    values.push(entry);
                    places.push((row * n + column, number));
                    if row != column {
                        places.push((column * n + row, number));
                    }
                }
                (values, vec![n, n], Some(places))
            }
            StateQuantity::ConstraintJacobian => {
                let entries = &e.constraint_jacobian.entries;
                let values = entries.iter().map(|&(_, _, entry)| entry).collect();
                let places = entries.iter().zip(0..);
                let places = places.map(|(&(row, column, _), number)| (row * n + column, number));
                (values, vec![m, n], Some(places.collect()))
            }
            StateQuantity::Forces => (e.forces.clone(), vec![n], None),
            StateQuantity::Constraints => (e.constraints.clone(), vec![m], None),
            StateQuantity::Gamma => (e.gamma.clone(), vec![m], None),
            StateQuantity::Energies => (vec![e.kinetic, e.potential], vec![2], None),
            StateQuantity::Accelerations => (e.accelerations.clone(), vec![n], None),
            StateQuantity::Multipliers => (e.multipliers.clone(), vec![m], None),
            StateQuantity::Rate => {
                let rate = [e.velocities.as_slice(), &e.accelerations, &e.state_rates].concat();
                let len = rate.len();
                (rate, vec![len], None)
            }
            StateQuantity::Columns(names) => {
                let columns = column_expressions(prepared.system(), e, &mut graph, names)?;
                (columns, vec![names.len()], None)
            }
        };
        Ok(Asked { graph, values, shape, places })
    }

    /// The same values in the graph of a right-hand side, which grew out of the equations' own.
    fn values_in(
        &self,
        prepared: &Prepared,
        functions: &Functions,
        quantity: &StateQuantity,
        rhs: &mut RhsProgram,
    ) -> Vec<Expr> {
        match quantity {
            StateQuantity::Columns(names) => {
                let (system, e) = (prepared.system(), &functions.equations);
                column_expressions(system, e, rhs.graph_mut(), names)
                    .expect("the names were looked up before")
            }
            _ => self.values.clone(),
        }
    }
}
