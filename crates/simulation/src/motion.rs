//! The system that is integrated: a formulation, and the work done on it carried along; or the linear
//! model of a formulation.

use crate::linear::Linearisation;
use crate::series::{MotionSeries, RhsSource};
use crate::short_features::EventSearch;
use crate::structural::{self, StructuralFunctions};
use catena_compile::Evaluator;
use catena_formulation::{Formulation, WholeMotion};
use catena_integrator::{
    Attempt, Breakdown, ConstrainedState, ConstrainedSystem, ConstrainedTangents, ExplicitMethod,
    FirstOrderSystem, Integrator, Partition, SeriesSystem, Tangent, WholeSteps,
};
use catena_model::System;
use std::sync::Arc;

/// y of the formulation, and behind it the work ∫ḣ dt where work is done at all.
pub(crate) struct Motion {
    pub(crate) formulation: Box<dyn Formulation>,
    /// What moves in the place of the formulation, if the run is linear.
    linear: Option<Linearisation>,
    partition: Option<Partition>,
    /// Whether v̇ depends on t and q alone, as the model is written.
    separable: bool,
    has_work: bool,
    /// |T| + |V| at the start, J: what errors of the work are measured against.
    energy_size: f64,
    /// What the components are called: coordinates, velocities, states.
    names: Vec<String>,
    /// The most that counts of the magnitudes of the coordinates.
    magnitude_bounds: Vec<f64>,
    inner_jacobian: Vec<f64>,
    /// Accelerations and multipliers on their way into the evaluator.
    reactions: [Vec<f64>; 2],
    /// Whether these are the integrator's own.
    imposed: bool,
    /// Where events are looked for; compiled when the first step is.
    pub(crate) event_search: Option<EventSearch>,
    /// What structural integrators ask for; compiled when the first of them does.
    structural: Option<Arc<StructuralFunctions>>,
    /// Why they may not, if the formulation has a state of its own.
    plain: bool,
    /// What integrators by power series ask for.
    series: MotionSeries,
    /// What explicit integrators ask for.
    whole: WholeMotion,
}

impl Motion {
    pub(crate) fn new(
        mut formulation: Box<dyn Formulation>,
        source: RhsSource,
        system: &System,
    ) -> Self {
        let coordinates: Vec<String> = match formulation.own_coordinates() {
            Some(names) => names.to_vec(),
            None => system.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect(),
        };
        let velocities = coordinates.iter().map(|name| format!("{name}'"));
        let states = system.states.iter().map(|state| state.name.clone());
        let functions = formulation.evaluator().functions().clone();
        let plain = functions.sizes.constraints == 0 && functions.sizes.states == 0;
        let partition = Partition {
            positions: coordinates.len(),
            separable: plain && functions.constant_mass && functions.velocity_free_forces,
        };
        let inner = formulation.state_len();
        let has_work = !functions.conservative;
        let sizes = functions.sizes;
        Motion {
            reactions: [vec![0.0; sizes.coordinates], vec![0.0; sizes.constraints]],
            inner_jacobian: vec![0.0; if has_work { inner * inner } else { 0 }],
            imposed: false,
            event_search: None,
            structural: None,
            series: MotionSeries::new(source),
            whole: WholeMotion::default(),
            plain: functions.sizes.states == 0,
            magnitude_bounds: formulation.magnitude_bounds(),
            names: coordinates.iter().cloned().chain(velocities).chain(states).collect(),
            formulation,
            linear: None,
            has_work,
            energy_size: 0.0,
            separable: partition.separable,
            partition: (partition.positions > 0).then_some(partition),
        }
    }

    /// Ready for another motion with these parameters.
    pub(crate) fn begin(&mut self, parameters: &[f64]) {
        self.formulation.begin(parameters);
        if let Some(search) = &mut self.event_search {
            search.begin(parameters);
        }
        self.linear = None;
        self.imposed = false;
        self.has_work = !self.formulation.evaluator().functions().conservative;
        if let Some(partition) = &mut self.partition {
            partition.separable = self.separable;
        }
    }

    /// Takes the size of the energy from the state that the motion begins with.
    pub(crate) fn measure_energy(&mut self, t: f64, q: &[f64], v: &[f64], states: &[f64]) {
        let evaluator = self.formulation.evaluator();
        evaluator.set_state(t, q, v, states);
        let energies = evaluator.energies();
        self.energy_size = energies.kinetic.abs() + energies.potential.abs();
    }

    /// Puts the linear model about a state of rest in the place of the formulation.
    pub(crate) fn linearise(&mut self, q: &[f64], states: &[f64]) {
        let mut y0 = vec![0.0; self.formulation.state_len()];
        self.formulation.pack(q, &vec![0.0; q.len()], states, &mut y0);
        let mut linear = Linearisation::new(self.formulation.as_mut(), y0);
        // what breaks here breaks again when the integrator begins, and is reported there
        let _ = linear.look_at(self.formulation.as_mut(), 0.0);
        if let Some(partition) = &mut self.partition {
            partition.separable |= linear.is_separable(partition.positions);
        }
        self.has_work = false;
        self.linear = Some(linear);
    }

    /// Whether this is a linear model, which has neither multipliers nor a balance of energy.
    pub(crate) fn is_linear(&self) -> bool {
        self.linear.is_some()
    }

    /// The functions with the accelerations and multipliers found last written down in them.
    pub(crate) fn with_reactions(&mut self) -> &mut Evaluator {
        let [accelerations, multipliers] = &mut self.reactions;
        if !self.imposed {
            accelerations.copy_from_slice(self.formulation.accelerations());
            multipliers.copy_from_slice(self.formulation.multipliers());
        }
        let evaluator = self.formulation.evaluator();
        evaluator.set_reactions(accelerations, multipliers);
        evaluator
    }

    /// Takes over the integrator's own accelerations and multipliers at a time of its last step, if it has
    /// any; returns whether it has.
    pub(crate) fn impose(&mut self, integrator: &dyn Integrator, time: f64) -> bool {
        let [accelerations, multipliers] = &mut self.reactions;
        self.imposed = integrator.reactions(time, accelerations, multipliers);
        self.imposed
    }

    /// Whether accelerations and multipliers are the integrator's own.
    pub(crate) fn is_imposed(&self) -> bool {
        self.imposed
    }

    /// Multipliers: those of the integrator, or of the last derivative.
    pub(crate) fn multipliers(&self) -> &[f64] {
        if self.imposed { &self.reactions[1] } else { self.formulation.multipliers() }
    }

    /// Time, coordinates, velocities and first-order states of y.
    pub(crate) fn parts(&mut self, t: f64, y: &[f64]) -> (f64, Vec<f64>, Vec<f64>, Vec<f64>) {
        let sizes = self.formulation.evaluator().sizes();
        let [mut q, mut v] = [vec![0.0; sizes.coordinates], vec![0.0; sizes.coordinates]];
        let mut states = vec![0.0; sizes.states];
        self.formulation.unpack(&y[..self.formulation.state_len()], &mut q, &mut v, &mut states);
        (t, q, v, states)
    }

    /// Lends the search for events, which is to be given back.
    pub(crate) fn take_event_search(&mut self) -> EventSearch {
        self.event_search.take().unwrap_or_else(|| {
            let evaluator = self.formulation.evaluator();
            let mut search = EventSearch::new(evaluator.functions());
            search.begin(evaluator.parameters());
            search
        })
    }

    /// The work done so far.
    pub(crate) fn work(&self, y: &[f64]) -> f64 {
        if self.has_work { y[self.formulation.state_len()] } else { 0.0 }
    }
}

impl Clone for Motion {
    fn clone(&self) -> Motion {
        Motion {
            formulation: self.formulation.boxed_clone(),
            linear: self.linear.clone(),
            partition: self.partition,
            separable: self.separable,
            has_work: self.has_work,
            energy_size: self.energy_size,
            names: self.names.clone(),
            magnitude_bounds: self.magnitude_bounds.clone(),
            inner_jacobian: self.inner_jacobian.clone(),
            reactions: self.reactions.clone(),
            imposed: self.imposed,
            event_search: self.event_search.clone(),
            structural: self.structural.clone(),
            series: self.series.clone(),
            whole: self.whole.clone(),
            plain: self.plain,
        }
    }
}

impl FirstOrderSystem for Motion {
    fn len(&self) -> usize {
        self.formulation.state_len() + usize::from(self.has_work)
    }

    fn controlled_len(&self) -> usize {
        self.formulation.state_len()
    }

    fn carried_size(&self) -> Option<f64> {
        self.has_work.then_some(self.energy_size)
    }

    fn magnitude_bound(&self, component: usize) -> f64 {
        self.magnitude_bounds.get(component).copied().unwrap_or(f64::INFINITY)
    }

    fn component_name(&self, component: usize) -> String {
        match self.names.get(component) {
            Some(name) => format!("`{name}`"),
            None if component == self.formulation.state_len() => "the work done".to_owned(),
            None => format!("component {component} of the formulation"),
        }
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        if let Some(linear) = &mut self.linear {
            return linear.derivative(self.formulation.as_mut(), t, y, rate);
        }
        let end = self.formulation.state_len();
        self.formulation.derivative(t, &y[..end], &mut rate[..end])?;
        if self.has_work {
            rate[end] = self.with_reactions().power();
        }
        Ok(())
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        if let Some(linear) = &mut self.linear {
            linear.look_at(self.formulation.as_mut(), t)?;
            jacobian.copy_from_slice(&linear.slopes);
            return Ok(());
        }
        let (inner, size) = (self.formulation.state_len(), self.len());
        if inner == size {
            return self.formulation.jacobian(t, y, tangent, jacobian);
        }
        self.formulation.jacobian(t, &y[..inner], tangent, &mut self.inner_jacobian)?;
        // the work is a quadrature: nothing depends on it, and Newton's method needs no slope for it
        jacobian.fill(0.0);
        for (row, entries) in self.inner_jacobian.chunks_exact(inner).enumerate() {
            jacobian[row * size..row * size + inner].copy_from_slice(entries);
        }
        Ok(())
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        if self.is_linear() {
            return Ok(false);
        }
        let end = self.formulation.state_len();
        self.formulation.after_step(t, &mut y[..end])
    }

    fn discount_error(&mut self, t: f64, y: &[f64], error: &mut [f64]) {
        if !self.is_linear() {
            let end = self.formulation.state_len();
            self.formulation.discount_error(t, &y[..end], &mut error[..end]);
        }
    }

    fn partition(&self) -> Option<Partition> {
        self.partition
    }

    fn series(&mut self) -> Option<&mut dyn SeriesSystem> {
        Some(self)
    }

    fn whole_steps(&mut self) -> Option<&mut dyn WholeSteps> {
        if self.is_linear() { None } else { Some(self) }
    }

    fn constrained_sizes(&self) -> Option<(usize, usize)> {
        let [accelerations, multipliers] = &self.reactions;
        let second_order = self.plain && self.linear.is_none() && !accelerations.is_empty();
        second_order.then_some((accelerations.len(), multipliers.len()))
    }

    fn constrained(&mut self) -> Option<&mut dyn ConstrainedSystem> {
        self.constrained_sizes()?;
        Some(self)
    }
}

impl SeriesSystem for Motion {
    fn prepare(&mut self, order: usize) -> Result<(), &'static str> {
        if self.is_linear() {
            return Err("a linear model has no series of its own: take dop853");
        }
        self.series.prepare(self.formulation.base().input(), order)
    }

    fn coefficients(&mut self, t: f64, y: &[f64], coefficients: &mut [f64]) {
        let end = self.formulation.state_len();
        self.series.coefficients(t, &y[..end], coefficients);
    }
}

impl WholeSteps for Motion {
    fn prepare(&mut self, method: &'static ExplicitMethod, staged: u32) -> bool {
        self.whole.prepare(self.formulation.as_ref(), self.has_work, method, staged)
    }

    fn attempt(&mut self, attempt: Attempt<'_>, found: &mut [f64]) -> bool {
        self.whole.attempt(attempt, found)
    }
}

impl Motion {
    /// The functions of structural integrators with a state written down.
    fn at(&mut self, state: &ConstrainedState<'_>) -> (&StructuralFunctions, &mut Evaluator) {
        let evaluator = self.formulation.evaluator();
        structural::set(evaluator, state);
        let functions = evaluator.functions().clone();
        let compiled =
            self.structural.get_or_insert_with(|| Arc::new(StructuralFunctions::new(&functions)));
        (compiled, evaluator)
    }
}

impl ConstrainedSystem for Motion {
    fn residual(
        &mut self,
        state: &ConstrainedState<'_>,
        residual: &mut [f64],
    ) -> Result<(), Breakdown> {
        let (functions, evaluator) = self.at(state);
        functions.residual(evaluator, residual);
        match residual.iter().all(|value| value.is_finite()) {
            true => Ok(()),
            false => Err(Breakdown::NotFinite { quantity: "a force or a constraint".to_owned() }),
        }
    }

    fn tangents(
        &mut self,
        state: &ConstrainedState<'_>,
        tangents: &mut ConstrainedTangents,
    ) -> Result<(), Breakdown> {
        let (functions, evaluator) = self.at(state);
        functions.tangents(evaluator, tangents);
        Ok(())
    }

    fn rates(&mut self, state: &ConstrainedState<'_>, first: &mut [f64], second: &mut [f64]) {
        let (functions, evaluator) = self.at(state);
        functions.rates(evaluator, first, second);
    }

    fn power(&mut self, state: &ConstrainedState<'_>) -> f64 {
        let (_, evaluator) = self.at(state);
        evaluator.power()
    }

    fn last_multipliers(&self) -> &[f64] {
        self.formulation.multipliers()
    }
}
