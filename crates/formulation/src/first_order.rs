//! A formulation as the first-order system that integrators move.

use crate::{Breakdown, Formulation, Tangent, WholeMotion};
use catena_integrator::{Attempt, ExplicitMethod, FirstOrderSystem, Partition, WholeSteps};

/// A formulation as a first-order system, for callers who own the loop over steps.
///
/// Long motions are made of whole steps, which do not call [`Formulation::derivative`]: call it at the state in question before
/// you read accelerations or multipliers.
pub struct FirstOrder {
    formulation: Box<dyn Formulation>,
    partition: Option<Partition>,
    magnitude_bounds: Vec<f64>,
    whole: WholeMotion,
}

impl FirstOrder {
    /// Asks the formulation once how its state is made of positions and velocities.
    pub fn new(mut formulation: Box<dyn Formulation>) -> FirstOrder {
        let own = formulation.own_coordinates().map(<[String]>::len);
        let functions = formulation.evaluator().functions();
        let sizes = functions.sizes;
        let positions = own.unwrap_or(sizes.coordinates);
        let unconstrained = sizes.constraints == 0 && sizes.states == 0;
        let separable = unconstrained && functions.constant_mass && functions.velocity_free_forces;
        let partition = (positions > 0).then_some(Partition { positions, separable });
        let magnitude_bounds = formulation.magnitude_bounds();
        let whole = WholeMotion::default();
        FirstOrder { formulation, partition, magnitude_bounds, whole }
    }

    /// The equations that are integrated.
    pub fn formulation(&self) -> &dyn Formulation {
        self.formulation.as_ref()
    }

    /// The same, to be given other parameters; what was compiled of them is forgotten.
    pub fn formulation_mut(&mut self) -> &mut dyn Formulation {
        self.whole = WholeMotion::default();
        self.formulation.as_mut()
    }
}

impl FirstOrderSystem for FirstOrder {
    fn len(&self) -> usize {
        self.formulation.state_len()
    }

    fn magnitude_bound(&self, component: usize) -> f64 {
        self.magnitude_bounds.get(component).copied().unwrap_or(f64::INFINITY)
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.formulation.derivative(t, y, rate)
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.formulation.jacobian(t, y, tangent, jacobian)
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        self.formulation.after_step(t, y)
    }

    fn discount_error(&mut self, t: f64, y: &[f64], error: &mut [f64]) {
        self.formulation.discount_error(t, y, error);
    }

    fn partition(&self) -> Option<Partition> {
        self.partition
    }

    fn whole_steps(&mut self) -> Option<&mut dyn WholeSteps> {
        Some(self)
    }
}

impl WholeSteps for FirstOrder {
    fn prepare(&mut self, method: &'static ExplicitMethod, staged: u32) -> bool {
        self.whole.prepare(self.formulation.as_ref(), false, method, staged)
    }

    fn attempt(&mut self, attempt: Attempt<'_>, found: &mut [f64]) -> bool {
        self.whole.attempt(attempt, found)
    }
}
