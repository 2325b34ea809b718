//! The derived functions of a model over many states: arrays in, arrays out.

use crate::compiled::Compiled;
use crate::watch::beside;
use catena::ensemble::{StateQuantity, StateRows, States};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Evaluations of up to this many states keep the lock of the interpreter: to give it back would take as long.
const FEW_STATES: usize = 16;
/// From this many states on somebody may press Ctrl-C in the meantime.
const MANY_STATES: usize = 200_000;

/// The functions of a prepared model, with its parameters.
#[pyclass(frozen, module = "catena._core")]
pub(crate) struct Functions {
    compiled: Arc<Compiled>,
    parameters: Vec<f64>,
    /// Of (q, v, z).
    state_len: usize,
}

/// The name of a quantity in Python.
fn quantity(name: &str, columns: Vec<String>) -> StateQuantity {
    match name {
        "mass_matrix" => StateQuantity::MassMatrix,
        "forces" => StateQuantity::Forces,
        "constraints" => StateQuantity::Constraints,
        "constraint_jacobian" => StateQuantity::ConstraintJacobian,
        "gamma" => StateQuantity::Gamma,
        "energies" => StateQuantity::Energies,
        "rate" => StateQuantity::Rate,
        "accelerations" => StateQuantity::Accelerations,
        "multipliers" => StateQuantity::Multipliers,
        _ => StateQuantity::Columns(columns),
    }
}

impl Functions {
    pub(crate) fn new(compiled: Arc<Compiled>, parameters: Vec<f64>) -> Functions {
        let system = compiled.prepared.system();
        let state_len = 2 * system.coordinates.len() + system.states.len();
        Functions { compiled, parameters, state_len }
    }
}

#[pymethods]
impl Functions {
    /// How many coordinates, constraints and first-order states there are.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize) {
        let system = self.compiled.prepared.system();
        (system.coordinates.len(), system.constraints.len(), system.states.len())
    }

    /// Names of the outputs of the model.
    #[getter]
    fn outputs(&self) -> Vec<&str> {
        let outputs = self.compiled.prepared.system().outputs.iter();
        outputs.map(|output| output.name.as_str()).collect()
    }

    /// The shape of a result at one state.
    fn shape(&self, py: Python<'_>, name: &str, columns: Vec<String>) -> PyResult<Vec<usize>> {
        let quantity = quantity(name, columns);
        let function = py.detach(|| self.compiled.function(&quantity))?;
        Ok(function.shape().to_vec())
    }

    /// How many states are computed side by side on one core.
    fn lanes(&self, py: Python<'_>, name: &str, columns: Vec<String>) -> PyResult<usize> {
        let quantity = quantity(name, columns);
        Ok(py.detach(|| self.compiled.function(&quantity))?.lanes())
    }

    /// The rate of one state.
    fn rate<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        y: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let not_simple =
            || PyTypeError::new_err("not contiguous, not aligned, or of another length");
        if !y.data().is_aligned() {
            return Err(not_simple());
        }
        let state = y.as_slice().map_err(|_| not_simple())?;
        if state.len() != self.state_len {
            return Err(not_simple());
        }
        let rate = self.compiled.rate()?;
        let out = PyArray1::<f64>::zeros(py, self.state_len, false);
        let joined = self.joined(std::slice::from_ref(&t), 1, state);
        // SAFETY: nobody else knows the array yet
        let written = unsafe { out.as_slice_mut()? };
        rate.evaluate(&self.parameters, &joined, written, 1, &|| false);
        Ok(out)
    }

    /// The rates of states that stand one after the other.
    fn rates<'py>(
        &self,
        py: Python<'py>,
        t: PyReadonlyArray1<'py, f64>,
        y: PyReadonlyArray1<'py, f64>,
        mut out: PyReadwriteArray1<'py, f64>,
        threads: usize,
    ) -> PyResult<()> {
        let (t, y, out) = (t.as_slice()?, y.as_slice()?, out.as_slice_mut()?);
        let count = y.len() / self.state_len.max(1);
        let states = self.joined(t, count, y);
        self.fill(py, &StateQuantity::Rate, &states, out, threads)
    }

    /// A quantity at many states, whose q, v and z stand one after the other; those of one state are those of all.
    #[expect(clippy::too_many_arguments, reason = "Python calls it with everything at once")]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        columns: Vec<String>,
        count: usize,
        t: PyReadonlyArray1<'py, f64>,
        q: PyReadonlyArray1<'py, f64>,
        v: PyReadonlyArray1<'py, f64>,
        states: PyReadonlyArray1<'py, f64>,
        mut out: PyReadwriteArray1<'py, f64>,
        threads: usize,
    ) -> PyResult<()> {
        let (n, _, k) = self.sizes();
        let rows = |values, len| {
            let values: &[f64] = values;
            StateRows { values, stride: if values.len() == len { 0 } else { len } }
        };
        let states = States {
            count,
            times: t.as_slice()?,
            coordinates: rows(q.as_slice()?, n),
            velocities: rows(v.as_slice()?, n),
            states: rows(states.as_slice()?, k),
        };
        self.fill(py, &quantity(name, columns), &states, out.as_slice_mut()?, threads)
    }
}

impl Functions {
    /// States whose q, v and z are joined.
    fn joined<'a>(&self, times: &'a [f64], count: usize, y: &'a [f64]) -> States<'a> {
        let n = self.compiled.prepared.system().coordinates.len();
        let rows = |first: usize| {
            let values = y.get(first..).unwrap_or_default();
            StateRows { values, stride: self.state_len }
        };
        let (coordinates, velocities, states) = (rows(0), rows(n), rows(2 * n));
        States { count, times, coordinates, velocities, states }
    }

    fn fill(
        &self,
        py: Python<'_>,
        quantity: &StateQuantity,
        states: &States<'_>,
        out: &mut [f64],
        threads: usize,
    ) -> PyResult<()> {
        let function = py.detach(|| self.compiled.function(quantity))?;
        let parameters = &self.parameters;
        let complete = if states.count <= FEW_STATES {
            function.evaluate(parameters, states, out, 1, &|| false)
        } else if states.count < MANY_STATES {
            py.detach(|| function.evaluate(parameters, states, out, threads, &|| false))
        } else {
            beside(py, None, |stop| {
                function.evaluate(parameters, states, out, threads, &|| stop(0.0))
            })?
        };
        debug_assert!(complete, "who stops it raises an exception");
        Ok(())
    }
}
