//! Power series of a motion, for integrators that sum them: the right-hand side of its formulation, differentiated
//! automatically and compiled for each order that is asked for. The work done is a quadrature of its own, so that the state
//! has the same bits whether work is counted or not.

use catena_compile::{Aligned, Kernel, Program};
use catena_formulation::{FormulationInput, RhsProgram};
use std::sync::Arc;

/// Longer programs take longer to compile than anybody saves by them.
pub const MAX_SERIES_OPERATIONS: usize = 300_000;

/// The right-hand side of a formulation as a program, as its row of the catalogue has it.
pub(crate) type RhsSource = fn(&FormulationInput) -> Option<RhsProgram>;

/// The series of a motion: compiled functions are shared between clones.
#[derive(Clone)]
pub(crate) struct MotionSeries {
    source: RhsSource,
    /// The rates of the state and of the work, once they were asked for; `None` inside where there is no program.
    rates: Option<Option<Arc<Rates>>>,
    compiled: Vec<Arc<Compiled>>,
    /// The one that was prepared last.
    present: Option<Arc<Compiled>>,
    /// t, y, the parameters, and what follows from them.
    inputs: Aligned,
    /// Coefficients of the state alone.
    of_state: Aligned,
    /// t, y, the parameters, and the coefficients of the state.
    integrand_inputs: Aligned,
    of_work: Aligned,
    scratch: Aligned,
}

struct Rates {
    state: Program,
    work: Option<Program>,
}

/// Coefficients up to an order.
struct Compiled {
    order: usize,
    /// What depends on parameters alone, and the rest.
    prelude: Kernel,
    rest: Kernel,
    work: Option<Kernel>,
}

impl MotionSeries {
    pub(crate) fn new(source: RhsSource) -> MotionSeries {
        let empty = || Aligned::zeros(0);
        MotionSeries {
            source,
            rates: None,
            compiled: Vec::new(),
            present: None,
            inputs: empty(),
            of_state: empty(),
            integrand_inputs: empty(),
            of_work: empty(),
            scratch: empty(),
        }
    }

    /// Makes coefficients up to an order ready for the parameters of the input.
    pub(crate) fn prepare(
        &mut self,
        input: &FormulationInput,
        order: usize,
    ) -> Result<(), &'static str> {
        let compiled = self.compiled(input, order)?;
        let Compiled { prelude, rest, work, .. } = compiled.as_ref();
        let scratch = rest.scratch_len().max(prelude.scratch_len());
        let for_work = work
            .as_ref()
            .map_or([0; 3], |work| [work.input_len(), work.output_len(), work.scratch_len()]);
        self.inputs = Aligned::zeros(rest.input_len());
        self.of_state = Aligned::zeros(rest.output_len());
        self.integrand_inputs = Aligned::zeros(for_work[0]);
        self.of_work = Aligned::zeros(for_work[1]);
        self.scratch = Aligned::zeros(scratch.max(for_work[2]));
        let parameters = input.evaluator.parameters();
        let first = rest.input_len() - prelude.output_len() - parameters.len();
        let (given, hoisted) = self.inputs[first..].split_at_mut(parameters.len());
        given.copy_from_slice(parameters);
        prelude.run(given, hoisted, &mut self.scratch);
        if work.is_some() {
            self.integrand_inputs[first..first + parameters.len()].copy_from_slice(parameters);
        }
        self.present = Some(compiled);
        Ok(())
    }

    /// Writes the coefficients that were prepared, those of the work behind each order of the state.
    pub(crate) fn coefficients(&mut self, t: f64, y: &[f64], coefficients: &mut [f64]) {
        let Some(compiled) = &self.present else { return };
        let n = y.len();
        self.inputs[0] = t;
        self.inputs[1..=n].copy_from_slice(y);
        let Some(work) = &compiled.work else {
            return compiled.rest.run(&self.inputs, coefficients, &mut self.scratch);
        };
        compiled.rest.run(&self.inputs, &mut self.of_state, &mut self.scratch);
        let known = n * (compiled.order - 1);
        let first = self.integrand_inputs.len() - known;
        self.integrand_inputs[0] = t;
        self.integrand_inputs[1..=n].copy_from_slice(y);
        self.integrand_inputs[first..].copy_from_slice(&self.of_state[..known]);
        work.run(&self.integrand_inputs, &mut self.of_work, &mut self.scratch);
        for (k, of_order) in coefficients.chunks_exact_mut(n + 1).enumerate() {
            of_order[..n].copy_from_slice(&self.of_state[k * n..(k + 1) * n]);
            of_order[n] = self.of_work[k];
        }
    }

    fn compiled(
        &mut self,
        input: &FormulationInput,
        order: usize,
    ) -> Result<Arc<Compiled>, &'static str> {
        if let Some(known) = self.compiled.iter().find(|known| known.order == order) {
            return Ok(known.clone());
        }
        let rates = self.rates(input).ok_or(
            "its equations are solved in loops, which have no series: take a formulation that solves them in a straight \
             line, such as projection or multipliers (minimal where nothing is constrained), or dop853",
        )?;
        let too_long = "the series of so large a system is too long to be compiled: take dop853";
        let series = rates.state.taylor(order, MAX_SERIES_OPERATIONS).ok_or(too_long)?;
        let work = match &rates.work {
            Some(work) => Some(work.quadrature(order, MAX_SERIES_OPERATIONS).ok_or(too_long)?),
            None => None,
        };
        let (prelude, rest) = series.fused().hoisted("parameters");
        let [prelude, rest] = [prelude, rest].map(|program| Kernel::new(&program));
        let work = work.map(|program| Kernel::new(&program));
        let compiled = Arc::new(Compiled { order, prelude, rest, work });
        self.compiled.push(compiled.clone());
        Ok(compiled)
    }

    fn rates(&mut self, input: &FormulationInput) -> Option<Arc<Rates>> {
        let source = self.source;
        let rates = self.rates.get_or_insert_with(|| {
            let functions = input.evaluator.functions();
            let mut rhs = source(input)?;
            let power = (!functions.conservative).then_some(functions.equations.power);
            let state = rhs.series_program();
            let work = power.map(|power| rhs.integrand_program(&[power]));
            Some(Arc::new(Rates { state, work }))
        });
        rates.clone()
    }
}
