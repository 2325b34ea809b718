//! Whole steps of one motion have the bits of their stages: nobody can tell where they begin.

use catena::formulation::{FirstOrder, OptionValues};
use catena::integrator::{
    Breakdown, Entry, FirstOrderSystem, INTEGRATORS, Options, Partition, Statistics, Tangent, find,
};
use catena::simulation::{Host, Prepared, Run, RunOptions};
use catena_tests::{built, ready};

/// A system that is always moved stage by stage.
struct StageByStage(FirstOrder);

impl FirstOrderSystem for StageByStage {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn magnitude_bound(&self, component: usize) -> f64 {
        self.0.magnitude_bound(component)
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.0.derivative(t, y, rate)
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.0.jacobian(t, y, tangent, jacobian)
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        self.0.after_step(t, y)
    }

    fn partition(&self) -> Option<Partition> {
        self.0.partition()
    }
}

/// The bits of all times and states, between the steps too, and what the motion cost.
fn motion(
    entry: &Entry,
    options: &Options,
    system: &mut dyn FirstOrderSystem,
    y: &[f64],
) -> (Vec<u64>, Statistics) {
    let t_end = 0.5;
    let mut integrator = entry.build(options);
    integrator.begin(system, 0.0, y, t_end).unwrap();
    let mut bits = Vec::new();
    let mut between = vec![0.0; y.len()];
    while integrator.time() < t_end {
        integrator.step(system).unwrap();
        let (from, to) = (integrator.previous_time(), integrator.time());
        integrator.prepare_dense(system);
        integrator.interpolate(0.3 * from + 0.7 * to, &mut between);
        let numbers = std::iter::once(&to).chain(integrator.state()).chain(&between);
        bits.extend(numbers.map(|number| number.to_bits()));
    }
    (bits, integrator.statistics())
}

#[test]
fn whole_steps_have_the_bits_of_their_stages() {
    for (name, settings, formulation) in [
        ("triple-pendulum", &[][..], "minimal"),
        ("chain", &["links=3"], "minimal"),
        ("four-bar", &[], "penalty"),
    ] {
        let model = ready(name, settings);
        let mut whole = FirstOrder::new(built(&model, formulation));
        let mut staged = StageByStage(FirstOrder::new(built(&model, formulation)));
        let y: Vec<f64> = (0..whole.len()).map(|i| 0.3 + 0.1 * i as f64).collect();
        for entry in INTEGRATORS {
            let Some(method) = entry.lanes().and_then(|lanes| lanes.explicit()) else { continue };
            let steps = whole.whole_steps().expect("every formulation may be asked");
            assert!(steps.prepare(method, u32::MAX), "{name}, {}", entry.name);
            for step in
                [None, Some(1e-3)].into_iter().filter(|step| entry.adaptive || step.is_some())
            {
                let options = Options { step, rtol: 1e-7, atol: 1e-7, ..Options::default() };
                let [at_once, stage_by_stage]: [(Vec<u64>, Statistics); 2] = [
                    motion(entry, &options, &mut whole, &y),
                    motion(entry, &options, &mut staged, &y),
                ];
                assert!(at_once == stage_by_stage, "{name}, {}, {step:?}", entry.name);
            }
        }
    }
}

fn run(prepared: &mut Prepared, integrator: &str) -> Run {
    let integrator = find(integrator).unwrap();
    let step = (!integrator.adaptive).then_some(1e-3);
    let integration = Options { step, rtol: 1e-9, atol: 1e-9, ..Options::default() };
    let options = RunOptions::new(integrator, integration, 2.5, 0.1);
    prepared.run(&options, &mut Host::new(&mut || 0.0, &mut |_| false)).unwrap()
}

/// The first run has stages, and then whole steps; the next begin with them. The work of the shaken pivot and of friction is
/// carried along.
#[test]
fn the_work_has_the_same_bits_too() {
    let model = ready("triple-pendulum", &[]);
    let entry = catena::formulation::find("minimal").unwrap();
    for integrator in ["rk4", "dopri5", "dop853"] {
        let mut prepared = Prepared::new(&model, entry, OptionValues::default()).unwrap();
        let first = run(&mut prepared, integrator);
        for _ in 0..20 {
            let next = run(&mut prepared, integrator);
            assert_eq!(first.table, next.table, "{integrator}");
            let shown = |run: &Run| {
                let seen = &run.certificate;
                (seen.statistics, seen.energy_residual.to_bits(), seen.exchanged_energy.to_bits())
            };
            assert_eq!(shown(&first), shown(&next), "{integrator}");
        }
    }
}
