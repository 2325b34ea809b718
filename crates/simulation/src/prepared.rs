//! A model that was derived and compiled once and runs many times: with other parameters, starts, tolerances and spans.

use crate::columns::Columns;
use crate::mass_columns::mass_matrix;
use crate::mass_sign::mass_sign;
use crate::motion::Motion;
use crate::pose_words::PoseWords;
use crate::short_features::ShortFeatures;
use crate::{
    Assembly, AssemblyError, RunError, RunOptions, Start, assemble, check_finite, expand_columns,
};
use catena_compile::{Evaluator, Functions};
use catena_formulation::{Entry, FORMULATIONS, Formulation, FormulationInput, OptionValues};
use catena_integrator::Options;
use catena_model::{Dimensions, Model, System, wildcard};
use std::borrow::Cow;
use std::sync::Arc;

/// A model derived and compiled once in the coordinates of a formulation. A clone shares what was compiled and has a
/// workspace of its own: one for each thread.
#[derive(Clone)]
pub struct Prepared {
    pub(crate) entry: &'static Entry,
    /// With the parameters of the last run.
    pub(crate) model: Arc<Model>,
    /// Its model keeps the parameters that it came with.
    pub(crate) input: FormulationInput,
    pub(crate) words: Arc<PoseWords>,
    pub(crate) motion: Motion,
    /// What a long step may miss, if there is anything.
    pub(crate) short_features: Option<ShortFeatures>,
    /// The columns of the last run, and what was asked for then.
    columns: Option<(ColumnChoice, Arc<Columns>)>,
}

/// Names of columns, all of them if absent, and whether the model is linear.
type ColumnChoice = (Option<Vec<String>>, bool);

impl Prepared {
    /// Derives and compiles a model for a formulation with these options; fails where it does not fit.
    pub fn new(
        model: &Model,
        formulation: &'static Entry,
        options: OptionValues,
    ) -> Result<Prepared, RunError> {
        if let Some(reason) = (formulation.refuses)(model) {
            let fit = FORMULATIONS.iter().filter(|entry| (entry.refuses)(model).is_none());
            let others = fit.map(|entry| entry.name).collect();
            return Err(RunError::Unfit { formulation: formulation.name, reason, others });
        }
        Ok(Prepared::of(formulation, FormulationInput::new(formulation, model, options)))
    }

    /// The same with its drive off: every sine and cosine of time is zero, as where the model rests.
    pub fn undriven(
        model: &Model,
        formulation: &'static Entry,
        options: OptionValues,
    ) -> Result<Prepared, RunError> {
        let driven = Prepared::new(model, formulation, options)?;
        let mut input = driven.input;
        let functions = Functions::new(input.evaluator.equations().undriven());
        input.evaluator = Evaluator::new(Arc::new(functions), &model.parameter_values());
        Ok(Prepared::of(formulation, input))
    }

    fn of(formulation: &'static Entry, input: FormulationInput) -> Prepared {
        let model = input.model.clone();
        let system = model.system(formulation.coordinates);
        let words = PoseWords::new(system, input.evaluator.equations());
        let built = (formulation.build)(input.clone());
        let motion = Motion::new(built, formulation.rhs_program, system);
        Prepared {
            entry: formulation,
            words: Arc::new(words),
            short_features: ShortFeatures::new(input.evaluator.functions()),
            motion,
            columns: None,
            input,
            model,
        }
    }

    /// The formulation it was prepared for.
    pub fn formulation(&self) -> &'static Entry {
        self.entry
    }

    /// What the formulation was built from.
    pub fn input(&self) -> &FormulationInput {
        &self.input
    }

    /// The model, with the parameters of the last run.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The description in the coordinates of the formulation.
    pub fn system(&self) -> &System {
        self.model.system(self.entry.coordinates)
    }

    /// The formulation itself, ready for these parameters.
    pub fn built(&self, parameters: &[f64]) -> Box<dyn Formulation> {
        let mut built = self.motion.formulation.boxed_clone();
        built.begin(parameters);
        built
    }

    /// The length of the state y of the formulation.
    pub fn state_len(&self) -> usize {
        self.motion.formulation.state_len()
    }

    /// y from coordinates, velocities and first-order states, with the parameters of the last run. Nothing is written
    /// down on the way: threads that only pack starts share one model.
    pub fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        self.motion.formulation.pack(q, v, states, y);
    }

    /// Coordinates, velocities and first-order states from y, as [`Prepared::pack`] wrote it.
    pub fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        self.motion.formulation.unpack(y, q, v, states);
    }

    /// Whether steps easily miss something unless each is looked at as [`Prepared::run`] does: pulses in time, steep
    /// functions of the state, and places where the equations are not smooth.
    pub fn has_short_features(&self) -> bool {
        self.short_features.as_ref().is_some_and(ShortFeatures::are_likely)
    }

    /// Tolerances and steps of a motion with these parameters, the longest of which sees what is harmonic in time.
    /// The span is from the start to the end of the motion, s.
    pub fn bounded(
        &mut self,
        integration: &Options,
        parameters: &[f64],
        span: [f64; 2],
    ) -> Options {
        let features = self.short_features.as_mut();
        let longest = features.and_then(|features| features.begin(parameters, span));
        Options { resolving_step: longest, ..integration.clone() }
    }

    /// Names of the columns of a run with these options.
    pub fn column_names(&mut self, options: &RunOptions) -> Result<Vec<String>, RunError> {
        let options = self.with_named_columns(options)?;
        self.columns(&options).map(|columns| columns.names.clone())
    }

    /// What the names of the model are measured in, as far as it says.
    pub fn dimensions(&self) -> Dimensions {
        Dimensions::new(self.system(), &self.words.is_angle)
    }

    /// Solves for what a start does not give.
    pub fn assemble(
        &mut self,
        parameters: &[f64],
        start: &Start,
    ) -> Result<Assembly, AssemblyError> {
        let evaluator = &mut self.input.evaluator;
        evaluator.set_parameters(parameters);
        assemble(self.model.system(self.entry.coordinates), evaluator, start)
    }

    /// Takes the parameters of a run, and finds where it begins.
    pub(crate) fn begin(&mut self, options: &RunOptions) -> Result<(Start, Assembly), RunError> {
        let own = || self.input.model.parameter_values();
        let parameters = options.parameters.clone().unwrap_or_else(own);
        if self.model.parameters.iter().zip(&parameters).any(|(own, other)| own.value != *other) {
            Arc::make_mut(&mut self.model).change_parameters(|at| Some(parameters[at]));
        }
        self.motion.begin(&parameters);
        let start = match &options.start {
            Some(start) => start.clone(),
            None => Start::new(&self.model, self.entry.coordinates),
        };
        let start = Start { t: options.t_start, ..start };
        let assembly = self.assemble(&parameters, &start)?;
        Ok((start, assembly))
    }

    /// The same options with names in the place of patterns for columns.
    pub(crate) fn with_named_columns<'o>(
        &self,
        options: &'o RunOptions,
    ) -> Result<Cow<'o, RunOptions>, RunError> {
        let columns = options.columns.as_deref().unwrap_or_default();
        if !columns.iter().any(|column| wildcard::is_pattern(column)) {
            return Ok(Cow::Borrowed(options));
        }
        let columns = Some(expand_columns(self.system(), columns)?);
        Ok(Cow::Owned(RunOptions { columns, ..options.clone() }))
    }

    /// The columns that are asked for, compiled unless the last run had the same.
    pub(crate) fn columns(&mut self, options: &RunOptions) -> Result<Arc<Columns>, RunError> {
        let choice = (options.columns.clone(), options.linear);
        if let Some((known, columns)) = &self.columns
            && *known == choice
        {
            return Ok(columns.clone());
        }
        let system = self.model.system(self.entry.coordinates);
        let functions = self.input.evaluator.functions();
        let wanted = choice.0.as_deref();
        let columns = Columns::new(system, functions, &self.words.is_angle, wanted, choice.1)?;
        let columns = Arc::new(columns);
        self.columns = Some((choice, columns.clone()));
        Ok(columns)
    }

    /// Names the function of the model that is to blame where a motion cannot begin.
    pub(crate) fn blame(&mut self, start: &Start) -> Result<(), AssemblyError> {
        let system = self.model.system(self.entry.coordinates);
        check_finite(system, &mut self.input.evaluator, start)
    }

    /// Whether masses are formulas of the user's that nobody has looked at: those of bodies and links are checked where
    /// they are read, or stop their recursion.
    pub(crate) fn may_have_negative_mass(&self) -> bool {
        /// Beyond this the mass matrix is large, and is looked at where a motion cannot begin.
        const MAX_EXAMINED_COORDINATES: usize = 32;
        let n = self.system().coordinates.len();
        let written_out = self.model.chain.is_some() || self.model.mechanism.is_some();
        !written_out && (1..=MAX_EXAMINED_COORDINATES).contains(&n)
    }

    /// Refuses a start at which some motion has negative kinetic energy.
    pub(crate) fn check_mass(&mut self, start: &Assembly) -> Result<(), RunError> {
        let system = self.model.system(self.entry.coordinates);
        // a recursion has no mass matrix of its own
        let mut derived = (self.input.evaluator.equations().mass_matrix.is_empty())
            .then(|| Evaluator::derived(&self.model, system));
        let evaluator = derived.as_mut().unwrap_or(&mut self.input.evaluator);
        evaluator.set_state(start.t, &start.q, &start.v, &start.states);
        match mass_sign(&mass_matrix(evaluator)).negative {
            Some(at) => {
                let coordinate = system.coordinates[at].name.clone();
                Err(RunError::NegativeMass { coordinate })
            }
            None => Ok(()),
        }
    }

    /// The functions of the model, with the parameters of this run.
    pub(crate) fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.input.evaluator
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_formulation::find;
    use catena_model::Source;

    #[test]
    fn threads_pack_starts_with_one_model_as_with_formulations_of_their_own() {
        let text = "[chain]\nlinks = 3\nlength = 0.7\n[states]\nz = \"theta1 - z\"\n";
        let model = Model::read(Source::new("chain", text), &[]).expect("a model");
        for name in ["minimal", "recursive", "projection"] {
            let formulation = find(name).expect("the catalogue has it");
            let options = OptionValues::default();
            let prepared = Prepared::new(&model, formulation, options).expect("it fits");
            let n = prepared.system().coordinates.len();
            let [q, v] = [0.3, -1.1]
                .map(|first| (0..n).map(|at| first + (at * at) as f64 / 7.0).collect::<Vec<f64>>());
            let own = prepared.built(&model.parameter_values());
            let mut expected = vec![0.0; own.state_len()];
            own.pack(&q, &v, &[0.2], &mut expected);
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        let mut y = vec![0.0; prepared.state_len()];
                        prepared.pack(&q, &v, &[0.2], &mut y);
                        assert_eq!(y, expected, "{name}");
                        let mut parts = [vec![0.0; n], vec![0.0; n], vec![0.0; 1]];
                        let [q_back, v_back, states] = &mut parts;
                        prepared.unpack(&y, q_back, v_back, states);
                        let mut back = vec![0.0; y.len()];
                        prepared.pack(&parts[0], &parts[1], &parts[2], &mut back);
                        let most = y.iter().zip(&back).map(|(y, back)| (y - back).abs());
                        assert!(most.fold(0.0, f64::max) < 1e-14, "{name}");
                    });
                }
            });
        }
    }
}
