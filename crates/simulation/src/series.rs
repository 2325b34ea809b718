//! Power series of a motion, for integrators that sum them: the right-hand side of its formulation, differentiated
//! automatically and compiled for each order that is asked for.

use catena_compile::{Aligned, Kernel, Program};
use catena_formulation::{FormulationInput, RhsProgram};
use std::sync::Arc;

/// Longer programs take longer to compile than anybody saves by them.
const MAX_SERIES_OPERATIONS: usize = 300_000;

/// The right-hand side of a formulation as a program, as its row of the catalogue has it.
pub(crate) type RhsSource = fn(&FormulationInput) -> Option<RhsProgram>;

/// The series of a motion: compiled functions are shared between clones.
#[derive(Clone)]
pub(crate) struct MotionSeries {
    source: RhsSource,
    /// The rate of the state, and of the work if any is done; `None` inside where there is no program.
    rate: Option<Option<Arc<Program>>>,
    compiled: Vec<Arc<Compiled>>,
    /// The one that was prepared last.
    present: Option<Arc<Compiled>>,
    /// t, y, the parameters, and what follows from them.
    inputs: Aligned,
    scratch: Aligned,
}

/// Coefficients up to an order; what depends on parameters alone is computed before.
struct Compiled {
    order: usize,
    prelude: Kernel,
    rest: Kernel,
}

impl MotionSeries {
    pub(crate) fn new(source: RhsSource) -> MotionSeries {
        MotionSeries {
            source,
            rate: None,
            compiled: Vec::new(),
            present: None,
            inputs: Aligned::zeros(0),
            scratch: Aligned::zeros(0),
        }
    }

    /// Makes coefficients up to an order ready for the parameters of the input.
    pub(crate) fn prepare(
        &mut self,
        input: &FormulationInput,
        order: usize,
    ) -> Result<(), &'static str> {
        let compiled = self.compiled(input, order)?;
        let Compiled { prelude, rest, .. } = compiled.as_ref();
        self.inputs = Aligned::zeros(rest.input_len());
        self.scratch = Aligned::zeros(rest.scratch_len().max(prelude.scratch_len()));
        let parameters = input.evaluator.parameters();
        let first = rest.input_len() - prelude.output_len() - prelude.input_len();
        let (given, hoisted) = self.inputs[first..].split_at_mut(prelude.input_len());
        given.copy_from_slice(parameters);
        prelude.run(given, hoisted, &mut self.scratch);
        self.present = Some(compiled);
        Ok(())
    }

    /// Writes the coefficients that were prepared.
    pub(crate) fn coefficients(&mut self, t: f64, y: &[f64], coefficients: &mut [f64]) {
        let Some(compiled) = &self.present else { return };
        self.inputs[0] = t;
        self.inputs[1..=y.len()].copy_from_slice(y);
        compiled.rest.run(&self.inputs, coefficients, &mut self.scratch);
    }

    fn compiled(
        &mut self,
        input: &FormulationInput,
        order: usize,
    ) -> Result<Arc<Compiled>, &'static str> {
        if let Some(known) = self.compiled.iter().find(|known| known.order == order) {
            return Ok(known.clone());
        }
        let rate = self.rate(input).ok_or(
            "its equations are solved in loops, which have no series: take a formulation that solves them in a straight \
             line, such as minimal or multipliers, or dop853",
        )?;
        let series = rate
            .taylor(order, MAX_SERIES_OPERATIONS)
            .ok_or("the series of so large a system is too long to be compiled: take dop853")?;
        let (prelude, rest) = series.fused().hoisted("parameters");
        let [prelude, rest] = [prelude, rest].map(|program| Kernel::new(&program));
        let compiled = Arc::new(Compiled { order, prelude, rest });
        self.compiled.push(compiled.clone());
        Ok(compiled)
    }

    fn rate(&mut self, input: &FormulationInput) -> Option<Arc<Program>> {
        let source = self.source;
        let program = self.rate.get_or_insert_with(|| {
            let functions = input.evaluator.functions();
            let power = (!functions.conservative).then_some(functions.equations.power);
            let mut rhs = source(input)?;
            Some(Arc::new(rhs.series_program(power.as_slice())))
        });
        program.clone()
    }
}
