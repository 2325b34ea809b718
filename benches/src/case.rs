//! Models of the zoo with their compiled equations, and integrations of them.

use catena::formulation::{self, FirstOrder, Formulation, FormulationInput, OptionValues};
use catena::integrator::{self, FirstOrderSystem, IntegrationError, Options, Statistics};
use catena::{Model, RunSettings, Setting};

/// The tip of a chain is compared at this time, s, with `dop853` at this tolerance.
pub const COMPARED_AT: f64 = 1.0;
const REFERENCE: f64 = 1e-14;

/// A ready system.
pub fn ready(name: &str) -> Model {
    catena::load(name, &[]).expect("ready systems are right")
}

/// The ready system `chain` with so many links: rods of 1 kg and 1 m.
pub fn rods(links: usize) -> Model {
    let links = Setting(format!("links={links}"));
    catena::load("chain", &[links]).expect("ready systems are right")
}

/// The compiled equations of a model: all that is known here of how they are made.
pub fn build(model: &Model, formulation: &str) -> Box<dyn Formulation> {
    let entry = formulation::find(formulation).expect("a formulation");
    (entry.build)(FormulationInput::new(entry, model, OptionValues::default()))
}

/// Angles within ±3.1 and rates within ±3, scattered.
pub fn scattered(links: usize, seed: usize) -> Vec<f64> {
    let scattered = |k: usize| 2.0 * ((k + 1) as f64 * 0.618_033_988_749_894_9).fract() - 1.0;
    let angles = (0..links).map(|i| 3.1 * scattered(41 * seed + i));
    let rates = (0..links).map(|i| 3.0 * scattered(41 * seed + 7 * i + 3));
    angles.chain(rates).collect()
}

/// The end of a chain of rods of 1 m.
pub fn tip(angles: &[f64]) -> [f64; 2] {
    [angles.iter().map(|q| q.sin()).sum(), -angles.iter().map(|q| q.cos()).sum::<f64>()]
}

/// How far apart two points are.
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The largest difference relative to the largest value.
pub fn difference(found: &[f64], expected: &[f64]) -> f64 {
    let largest = expected.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    // a NaN is a difference
    apart.fold(0.0, |most: f64, x| if x <= most { most } else { x }) / largest
}

/// A model with its compiled equations and its start.
pub struct Case {
    model: Model,
    formulation: &'static str,
    motion: FirstOrder,
    start: Vec<f64>,
    /// s
    pub t_end: f64,
}

impl Case {
    /// A model under a formulation, for so many seconds.
    pub fn new(model: Model, formulation: &'static str, t_end: f64) -> Case {
        let motion = FirstOrder::new(build(&model, formulation));
        let mut start = vec![0.0; motion.len()];
        let mut case = Case { model, formulation, motion, start: vec![], t_end };
        let assembled = case.run("dopri5", 1e-3).start;
        case.motion.formulation().pack(&assembled.q, &assembled.v, &assembled.states, &mut start);
        case.start = start;
        case
    }

    /// The integration alone: no rows, no certificate.
    pub fn integrate(
        &mut self,
        method: &str,
        tolerance: f64,
        t_end: f64,
    ) -> (Vec<f64>, Statistics) {
        let options = Options { rtol: tolerance, atol: tolerance, ..Options::default() };
        self.advance(method, &options, t_end, |_, _| ()).expect("ready systems move")
    }

    /// The same to the end of the case in even steps of so many seconds.
    pub fn integrate_evenly(
        &mut self,
        method: &str,
        step: f64,
    ) -> Result<Statistics, IntegrationError> {
        let options = Options { step: Some(step), ..Options::default() };
        Ok(self.advance(method, &options, self.t_end, |_, _| ())?.1)
    }

    /// The same, and `see` is shown coordinates and velocities at the start and after every step.
    pub fn watch_evenly(
        &mut self,
        method: &str,
        step: f64,
        mut see: impl FnMut(&[f64], &[f64]),
    ) -> Result<(), IntegrationError> {
        let options = Options { step: Some(step), ..Options::default() };
        let coordinates = self.motion.formulation_mut().evaluator().sizes().coordinates;
        let (mut q, mut v) = (vec![0.0; coordinates], vec![0.0; coordinates]);
        self.advance(method, &options, self.t_end, |motion, y| {
            motion.formulation().unpack(y, &mut q, &mut v, &mut []);
            see(&q, &v);
        })?;
        Ok(())
    }

    /// From the start to a time; `see` is shown the start and the state after every step.
    fn advance(
        &mut self,
        method: &str,
        options: &Options,
        t_end: f64,
        mut see: impl FnMut(&FirstOrder, &[f64]),
    ) -> Result<(Vec<f64>, Statistics), IntegrationError> {
        let mut integrator = integrator::find(method).expect("an integrator").build(options);
        integrator.begin(&mut self.motion, 0.0, &self.start, t_end)?;
        see(&self.motion, integrator.state());
        while integrator.time() < t_end {
            integrator.step(&mut self.motion)?;
            see(&self.motion, integrator.state());
        }
        Ok((integrator.state().to_vec(), integrator.statistics()))
    }

    /// All of it: equations, compiling, rows, certificate; without the second run that estimates the error.
    pub fn run(&self, integrator: &str, tolerance: f64) -> catena::simulation::Run {
        self.ask(RunSettings {
            integrator: Some(integrator.to_owned()),
            rtol: Some(tolerance),
            atol: Some(tolerance),
            ..RunSettings::default()
        })
    }

    /// The same in even steps, with rows at start and end alone.
    pub fn run_evenly(&self, integrator: &str, step: f64) -> catena::simulation::Run {
        self.ask(RunSettings {
            integrator: Some(integrator.to_owned()),
            step: Some(step),
            every: Some(self.t_end),
            ..RunSettings::default()
        })
    }

    fn ask(&self, request: RunSettings) -> catena::simulation::Run {
        let formulation = Some(self.formulation.to_owned());
        let request = RunSettings { formulation, t_end: Some(self.t_end), ..request };
        catena::run(&self.model, &request.no_certify()).expect("ready systems run")
    }

    /// Where the tip of a chain is at the time of comparison. The coordinates are the angles of the links.
    pub fn tip(&mut self, integrator: &str, tolerance: f64) -> [f64; 2] {
        let y = self.integrate(integrator, tolerance, COMPARED_AT).0;
        let links = y.len() / 2;
        let (mut angles, mut rates) = (vec![0.0; links], vec![0.0; links]);
        self.motion.formulation().unpack(&y, &mut angles, &mut rates, &mut []);
        tip(&angles)
    }

    /// The same, as well as we know it.
    pub fn reference(&mut self) -> [f64; 2] {
        self.tip("dop853", REFERENCE)
    }
}
